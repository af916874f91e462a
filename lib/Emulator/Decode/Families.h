//===- Families.h - helpers shared by instruction families ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type conversions between the syntax tree and the handlers, and what the
// integer and float families share.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_FAMILIES_H
#define FP8_LIB_EMULATOR_DECODE_FAMILIES_H

#include "Decoder.h"

#include "../Exec/Integer.h"

#include "fp8/Emulator/Arith.h"

#include <type_traits>

namespace fp8::emulator {

/// Handler and loop types of 16, 32 and 64-bit integers; bits count as
/// unsigned. None for others.
std::optional<IntType> integerType(ptx::Type type);
std::optional<FloatType> floatType(ptx::Type type);
/// The unsigned type that moves values of `bytes`.
IntType moveType(unsigned bytes);

/// An operation of the float engine on `operands` operands behind the
/// destination; takes rounding and flags from the qualifiers.
bool decodeFloat(Context &context, FloatOp op, FloatType type,
                 unsigned operands);
/// Takes .rn, .rz, .rm, .rp.
Rounding takeRounding(Context &context, bool &given);

/// setp, set and slct on floats.
struct FloatCompare {
  Compare compare;
  FloatType type;
  bool ftz;
};
Step runFloatCompare(Warp &warp, const Op &op, uint32_t mask);

/// A handler for lanes one by one: `Body` maps (a, b, c) to the result.
template <typename R, typename A, typename B, typename C, typename Body>
Step lanewise(Warp &warp, const Op &op, uint32_t mask, Body body) {
  const A *a = row<A>(warp, op.a);
  const B *b = op.b == NoRegister ? nullptr : row<B>(warp, op.b);
  const C *c = op.c == NoRegister ? nullptr : row<C>(warp, op.c);
  R *d = destination<R>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = body(a[i], b ? b[i] : B(), c ? c[i] : C());
  }
  return Step::Next;
}

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_FAMILIES_H
