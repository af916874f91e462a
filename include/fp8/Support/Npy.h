//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's array files, and output files that are whole or absent.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_SUPPORT_NPY_H
#define FP8_SUPPORT_NPY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fp8::support {

/// An array as a .npy file holds it, in row-major order.
struct NpyArray {
  /// NumPy's type string, little-endian: `<f4`, `<V2` (BF16), `|u1`, `|b1`, ...
  std::string descr;
  std::vector<int64_t> shape;
  std::vector<char> data;

  /// Bytes of one element, from `descr`.
  int64_t itemSize() const;
};

/// Reads `path`. On failure returns nothing and sets `error` to one line that
/// names the file, what was expected and what was found: no such file, not a
/// .npy file, a truncated header or data, trailing bytes, a big-endian, object
/// or structured type, a shape whose size overflows. Fortran order is
/// transposed.
std::optional<NpyArray> readNpy(const std::string &path, std::string &error);

/// The same from bytes in memory; `name` is for the message.
std::optional<NpyArray> parseNpy(const std::string &name,
                                 const std::vector<char> &bytes,
                                 std::string &error);

/// Writes `array` to `path`, whole or not at all. Returns one line on failure.
std::optional<std::string> writeNpy(const std::string &path,
                                    const NpyArray &array);

/// The product of `shape`, or nothing if it does not fit 62 bits.
std::optional<int64_t> elementCount(const std::vector<int64_t> &shape);

} // namespace fp8::support

#endif // FP8_SUPPORT_NPY_H
