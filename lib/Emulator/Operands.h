//===- Operands.h - Gathering operands from shared memory -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Emulator: what wgmma and tcgen05 share about operands that a
// matrix descriptor names.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_OPERANDS_H
#define FP8_LIB_EMULATOR_OPERANDS_H

#include "fp8/Emulator/TensorCore.h"

namespace fp8::emulator {

/// How elements lie in the 16-byte units of shared memory.
enum class ElementPacking : uint8_t {
  /// codeBytes() each.
  Bytes,
  /// 16 elements of 4 or 6 bits in 8 or 12 bytes and padding (f8f6f4 kinds).
  Padded,
  /// Two 4-bit elements per byte (mxf4 kinds), one bit per bit (b1).
  Dense
};

/// Bytes of the contiguous dimension per element for addressing; Dense types
/// address whole bytes.
struct OperandShape {
  MMAType type = MMAType::E4M3;
  ElementPacking packing = ElementPacking::Bytes;
  bool kMajor = true;
  unsigned mn = 0, k = 0;
};

/// Copies the mn x k codes of an operand, unpacked, row-major, to `codes`.
/// False and a reason if an element lies outside the shared window.
bool gatherOperand(const SharedView &shared, const MatrixDescriptor &descriptor,
                   const OperandShape &shape, uint8_t *codes,
                   std::string &error);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_OPERANDS_H
