//===- TensorReduce.h - the reduction of tcgen05.ld.red ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_TENSORREDUCE_H
#define FP8_LIB_EMULATOR_DECODE_TENSORREDUCE_H

#include "MemoryFamily.h"

namespace fp8::emulator {

/// Which reduction of which loaded registers.
struct TensorReduction {
  bool isMax = false;
  ptx::Type type = ptx::Type::F32;
  FloatMode mode;
  std::vector<uint32_t> rows;
};

/// Takes .min or .max, .abs, .NaN and the type. False after an error.
bool takeReduction(Context &context, TensorReduction &call);
/// Emits the operation that leaves the result in the row `where`.
void emitReduction(Context &context, TensorReduction call, uint32_t where);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_TENSORREDUCE_H
