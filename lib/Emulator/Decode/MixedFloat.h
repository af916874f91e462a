//===- MixedFloat.h - arithmetic of f32 with halves -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the integer family, which owns add and sub, needs of the float family.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_MIXEDFLOAT_H
#define FP8_LIB_EMULATOR_DECODE_MIXEDFLOAT_H

#include "Families.h"

namespace fp8::emulator {

/// add, sub and fma of f32 whose first operands (all but the last) are f16 or
/// bf16; they are widened exactly. The two types are taken already.
bool decodeMixedFloat(Context &context, FloatOp op, ptx::Type half,
                      unsigned operands);

/// set on f16x2 or bf16x2, whose result has 1.0 or 0 in each half; `out` holds
/// the predicate that it is combined with.
bool decodeSetPacked(Context &context, FloatCompare compare, Op out);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_MIXEDFLOAT_H
