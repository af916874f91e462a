//===- Npy.cpp - NumPy array files ----------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is numpy/lib/format.py's, versions 1 to 3. Nothing of a file is
// believed before it is checked against the file's size.
//
//===----------------------------------------------------------------------===//

#include "fp8/Support/Npy.h"

#include "fp8/Support/File.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fp8::support;

static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = 6;

static std::string systemError() { return std::strerror(errno); }

std::optional<int64_t>
fp8::support::elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  bool overflow = false;
  for (int64_t dim : shape) {
    if (dim == 0)
      return 0;
    overflow |= dim < 0 || count > (int64_t(1) << 62) / dim;
    if (!overflow)
      count *= dim;
  }
  if (overflow)
    return std::nullopt;
  return count;
}

int64_t NpyArray::itemSize() const {
  return descr.size() < 3 ? 0 : std::strtoll(descr.c_str() + 2, nullptr, 10);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::optional<std::vector<char>> readBytes(const std::string &path,
                                                  std::string &error) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || ::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    error = "cannot read '" + path + "': " +
            (fd < 0 || S_ISREG(info.st_mode) ? systemError()
                                             : "not a regular file");
    if (fd >= 0)
      ::close(fd);
    return std::nullopt;
  }
  std::vector<char> bytes(info.st_size);
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t got = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += got;
  }
  ::close(fd);
  if (done != bytes.size()) {
    error = "cannot read '" + path + "': file changed while it was read";
    return std::nullopt;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// The header: a Python dictionary of three entries
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<int64_t> shape;
};

/// A parser of exactly what numpy writes, with any spacing and order.
class HeaderParser {
public:
  HeaderParser(const char *text, size_t size) : at(text), end(text + size) {}

  bool parse(Header &header) {
    bool sawDescr = false, sawOrder = false, sawShape = false;
    if (!eat('{'))
      return false;
    while (!eat('}')) {
      std::string key;
      if (!string(key) || !eat(':'))
        return false;
      if (key == "descr")
        sawDescr = string(header.descr);
      else if (key == "fortran_order")
        sawOrder = boolean(header.fortran);
      else if (key == "shape")
        sawShape = tuple(header.shape);
      else
        return false;
      eat(',');
      if (at == end)
        return false;
    }
    return sawDescr && sawOrder && sawShape;
  }

private:
  void skip() {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t'))
      ++at;
  }
  bool eat(char c) {
    skip();
    if (at == end || *at != c)
      return false;
    ++at;
    return true;
  }
  bool string(std::string &out) {
    skip();
    if (at == end || (*at != '\'' && *at != '"'))
      return false;
    char quote = *at++;
    while (at != end && *at != quote)
      out.push_back(*at++);
    return at++ != end;
  }
  bool boolean(bool &out) {
    skip();
    for (const char *word : {"True", "False"}) {
      size_t size = std::strlen(word);
      if (static_cast<size_t>(end - at) >= size &&
          std::memcmp(at, word, size) == 0) {
        at += size;
        out = word[0] == 'T';
        return true;
      }
    }
    return false;
  }
  bool integer(int64_t &out) {
    skip();
    bool any = false;
    out = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at, any = true) {
      if (out > (int64_t(1) << 58))
        return false;
      out = out * 10 + (*at - '0');
    }
    return any;
  }
  bool tuple(std::vector<int64_t> &out) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t dim;
      if (!integer(dim))
        return false;
      out.push_back(dim);
      eat(',');
    }
    return true;
  }

  const char *at, *end;
};
} // namespace

/// Why `descr` is not a type that this reader takes; empty if it is.
static std::string checkDescr(const std::string &descr) {
  if (descr.empty() || descr[0] == '>')
    return "expected a little-endian type, got '" + descr + "'";
  bool known = descr.size() >= 3 && std::strchr("<|=", descr[0]) != nullptr &&
               std::strchr("biufV", descr[1]) != nullptr;
  std::string width = known ? descr.substr(2) : "";
  known = width == "1" || width == "2" || width == "4" || width == "8";
  if (!known)
    return "expected a plain numeric type of 1, 2, 4 or 8 bytes, got '" +
           descr + "'";
  return "";
}

/// Copies column-major `source` to row-major order.
static std::vector<char> transpose(const std::vector<char> &source,
                                   const std::vector<int64_t> &shape,
                                   int64_t width) {
  std::vector<char> result(source.size());
  std::vector<int64_t> index(shape.size(), 0);
  int64_t count = static_cast<int64_t>(source.size()) / width;
  for (int64_t flat = 0; flat < count; ++flat) {
    int64_t from = 0, stride = 1;
    for (size_t d = 0; d < shape.size(); stride *= shape[d], ++d)
      from += index[d] * stride;
    std::memcpy(&result[flat * width], &source[from * width], width);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
  return result;
}

std::optional<NpyArray> fp8::support::parseNpy(const std::string &name,
                                               const std::vector<char> &bytes,
                                               std::string &error) {
  auto fail = [&](const std::string &what) {
    error = "'" + name + "': " + what;
    return std::nullopt;
  };
  if (bytes.size() < kMagicSize + 2 ||
      std::memcmp(bytes.data(), kMagic, kMagicSize) != 0)
    return fail("expected a .npy file, found no NumPy header");
  unsigned version = static_cast<unsigned char>(bytes[kMagicSize]);
  if (version < 1 || version > 3)
    return fail("expected .npy version 1 to 3, got " + std::to_string(version));
  size_t lengthBytes = version == 1 ? 2 : 4, start = kMagicSize + 2;
  if (bytes.size() < start + lengthBytes)
    return fail("truncated in the header");
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(bytes[start + i]))
              << (8 * i);
  start += lengthBytes;
  if (bytes.size() - start < length)
    return fail("truncated in the header");
  Header header;
  if (!HeaderParser(bytes.data() + start, length).parse(header))
    return fail("expected a header with descr, fortran_order and shape");
  if (std::string why = checkDescr(header.descr); !why.empty())
    return fail(why);
  NpyArray array{header.descr, header.shape, {}};
  std::optional<int64_t> count = elementCount(header.shape);
  size_t have = bytes.size() - start - length;
  if (!count || *count > (int64_t(1) << 58))
    return fail("the shape in the header overflows");
  auto need = static_cast<size_t>(*count * array.itemSize());
  if (have != need)
    return fail("expected " + std::to_string(need) + " bytes of data, got " +
                std::to_string(have));
  array.data.assign(bytes.begin() + start + length, bytes.end());
  if (header.fortran && header.shape.size() > 1)
    array.data = transpose(array.data, array.shape, array.itemSize());
  return array;
}

std::optional<NpyArray> fp8::support::readNpy(const std::string &path,
                                              std::string &error) {
  std::optional<std::vector<char>> bytes = readBytes(path, error);
  if (!bytes)
    return std::nullopt;
  return parseNpy(path, *bytes, error);
}

std::optional<std::string> fp8::support::writeNpy(const std::string &path,
                                                  const NpyArray &array) {
  std::string text =
      "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : array.shape)
    text += std::to_string(dim) + ", ";
  if (array.shape.size() > 1)
    text.resize(text.size() - 2);
  else if (array.shape.size() == 1)
    text.pop_back();
  text += "), }";
  // NumPy aligns the data to 64 bytes.
  size_t total = kMagicSize + 4 + text.size() + 1;
  text.append((64 - total % 64) % 64, ' ');
  text.push_back('\n');
  std::vector<char> bytes(kMagic, kMagic + kMagicSize);
  bytes.push_back(1);
  bytes.push_back(0);
  bytes.push_back(static_cast<char>(text.size() & 0xff));
  bytes.push_back(static_cast<char>(text.size() >> 8));
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), array.data.begin(), array.data.end());
  return writeFile(path, bytes.data(), bytes.size());
}
