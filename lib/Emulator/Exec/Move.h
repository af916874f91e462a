//===- Move.h - packing and unpacking moves ---------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mov with a vector operand does: its handlers and the sanitizer, which
// follows single bytes through it, read the same record.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_MOVE_H
#define FP8_LIB_EMULATOR_EXEC_MOVE_H

#include "Machine.h"

namespace fp8::emulator {

/// Elements of a packing or unpacking move, low bytes first. It packs into
/// Op::d, or unpacks Op::a; Op::aux is the size of that register in bytes.
struct VectorMove {
  unsigned bytes; ///< of an element
  /// Operand codes; NoRegister for an element that is dropped.
  llvm::SmallVector<uint32_t, 8> rows;
};

/// The elements of a move, or null for any other operation.
const VectorMove *vectorMove(const Op &op);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_MOVE_H
