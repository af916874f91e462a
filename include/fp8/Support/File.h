//===- File.h - Files that are whole or absent ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_SUPPORT_FILE_H
#define FP8_SUPPORT_FILE_H

#include <cstddef>
#include <optional>
#include <string>

namespace fp8::support {

/// Writes `size` bytes to `path`: into a temporary beside it, flushed to the
/// disk, then renamed. `-` is stdout; devices and pipes are written as they
/// are. Returns one line on failure (and leaves no temporary).
std::optional<std::string> writeFile(const std::string &path, const char *data,
                                     size_t size);

} // namespace fp8::support

#endif // FP8_SUPPORT_FILE_H
