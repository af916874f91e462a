//===- Npy.h - NumPy arrays on disk -----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes .npy files (versions 1 to 3, C order) as bytes with a type
// string and a shape.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_PTX_EMU_NPY_H
#define FP8_TOOLS_PTX_EMU_NPY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fp8::emulator {

struct Npy {
  /// NumPy type string, e.g. "<f4", "|u1", "<V2".
  std::string descr;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> bytes;
};

llvm::Expected<Npy> readNpy(llvm::StringRef path);
/// Writes the whole file or nothing.
llvm::Error writeNpy(llvm::StringRef path, const Npy &array);

/// Bytes and NumPy type string of a DTYPE name of the command line ("bf16",
/// "e4m3", "i32"); false when unknown.
bool findDtype(llvm::StringRef name, unsigned &bytes, std::string &descr);

/// "128x256" to extents.
llvm::Expected<std::vector<uint64_t>> parseShape(llvm::StringRef text);

} // namespace fp8::emulator

#endif // FP8_TOOLS_PTX_EMU_NPY_H
