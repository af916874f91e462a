//===- File.cpp - Files that are whole or absent --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain system calls: a stream that reports a full disk when it is destroyed
// can only abort.
//
//===----------------------------------------------------------------------===//

#include "fp8/Support/File.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fp8::support;

static std::string systemError() { return std::strerror(errno); }

/// Writes all of `data` to `fd` and forces it to the disk, so that a full disk
/// is seen here.
static bool writeAll(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t put = ::write(fd, data, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    data += put;
    size -= put;
  }
  return true;
}

std::optional<std::string> fp8::support::writeFile(const std::string &path,
                                                   const char *data,
                                                   size_t size) {
  if (path == "-")
    return writeAll(STDOUT_FILENO, data, size)
               ? std::nullopt
               : std::optional("cannot write stdout: " + systemError());
  struct stat info;
  bool special = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (special && S_ISDIR(info.st_mode))
    return "cannot write '" + path + "': is a directory";
  // A device or pipe cannot be replaced by a rename.
  std::string temporary = path + ".tmpXXXXXX";
  int fd = special ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC)
                   : ::mkstemp(temporary.data());
  if (fd < 0)
    return "cannot write '" + path + "': " + systemError();
  bool ok = writeAll(fd, data, size);
  if (!special) {
    mode_t mask = ::umask(0);
    ::umask(mask);
    ok = ok && ::fchmod(fd, 0666 & ~mask) == 0 && ::fsync(fd) == 0;
  }
  int failure = errno;
  if (::close(fd) != 0 && ok) {
    ok = false;
    failure = errno;
  }
  if (ok && !special && ::rename(temporary.c_str(), path.c_str()) != 0) {
    ok = false;
    failure = errno;
  }
  if (ok)
    return std::nullopt;
  if (!special)
    ::unlink(temporary.c_str());
  return "cannot write '" + path + "': " + std::strerror(failure);
}
