//===- Integer.h - handlers of integer instructions -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoder asks for a handler by operation and type. The loops are compiled
// twice, for the baseline of the host and for AVX2 with FMA; the better one
// that the processor has is chosen when the program is decoded.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_INTEGER_H
#define FP8_LIB_EMULATOR_EXEC_INTEGER_H

#include "Machine.h"

namespace fp8::emulator {

/// Operands: d = op(a, b, c); aux as said.
enum class IntOp : uint8_t {
  Add,
  Sub,
  AddSat,
  SubSat,
  MulLo,
  MulHi,
  MulWide,
  Mul24Lo,
  Mul24Hi,
  MadLo,
  MadHi,
  MadHiSat,
  MadWide,
  Mad24Lo,
  Mad24Hi,
  Sad,
  Div,
  Rem,
  Min,
  Max,
  MinRelu,
  MaxRelu,
  Abs,
  Neg,
  And,
  Or,
  Xor,
  Not,
  CNot,
  Shl,
  Shr,
  Popc,
  Clz,
  Brev,
  Bfe,
  Bfi, ///< d = insert a into b; position c, length in target
  Bfind,
  BfindShift,
  Fns,
  BmskClamp,
  BmskWrap,
  SzextClamp,
  SzextWrap,
  Move,
  Lop3, ///< table in aux
  ShfLeftClamp,
  ShfLeftWrap,
  ShfRightClamp,
  ShfRightWrap,
  Prmt, ///< mode in aux: 0 default, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6 rc16
  Dp4a, ///< aux bit 0: a signed, bit 1: b signed
  Dp2aLo,
  Dp2aHi,
  Selp, ///< c is a predicate
  Add2, ///< two 16-bit elements
  Min2,
  Max2,
  Min2Relu,
  Max2Relu,
};

enum class IntType : uint8_t { U16, S16, U32, S32, U64, S64 };

/// Comparisons of setp and set on integers.
enum class IntCompare : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// Fast float operations: round to nearest even, no flags.
enum class FastFloat : uint8_t { Add, Sub, Mul, Fma };

/// Null when the operation does not exist for the type.
Handler selectInteger(IntOp op, IntType type);
/// d and target: predicates (target may be NoRegister); c: combined predicate
/// or NoRegister; imm: 0 none, 1 and, 2 or, 3 xor; aux bit 0: c is negated.
Handler selectCompare(IntCompare op, IntType type);
/// f32 or f64.
Handler selectFastFloat(FastFloat op, bool isDouble);
/// setp on f32 or f64 without .ftz; the ordered and unordered comparisons.
Handler selectFloatCompare(unsigned compare, bool isDouble);

/// Stores the outcome of a comparison as setp does.
[[gnu::always_inline]] inline void finishCompare(Warp &warp, const Op &op,
                                                 uint32_t mask, uint32_t bits) {
  uint32_t inverse = ~bits;
  if (op.imm) {
    uint32_t other = predicate(warp, op.c);
    if (op.aux & 1)
      other = ~other;
    if (op.imm == 1)
      bits &= other, inverse &= other;
    else if (op.imm == 2)
      bits |= other, inverse |= other;
    else
      bits ^= other, inverse ^= other;
  }
  setPredicate(warp, op.d, mask, bits);
  setPredicate(warp, op.target, mask, inverse);
}

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_INTEGER_H
