//===- Convert.h - The cvt instruction --------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pair that `cvt` has: integers, f16/bf16/tf32/f32/f64, and the packed
// FP8, FP6, FP4 and UE8M0 forms. FP8 and E8M0 rules are those of lib/Numerics
// (a test compares all codes).
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_CONVERT_H
#define FP8_EMULATOR_CONVERT_H

#include "fp8/Emulator/Float.h"

#include <cstdint>

namespace fp8::emulator {

enum class NumberType : uint8_t {
  U8,
  S8,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  UE8M0
};

/// Bits of one element in a packed register: FP6 takes 8 (two upper bits zero),
/// E2M1 takes 4, TF32 32.
unsigned storageBits(NumberType type);
bool isFloat(NumberType type);
bool isSignedInteger(NumberType type);
/// The format of a float type; null for integers and UE8M0.
const FloatFormat *formatOf(NumberType type);

/// One `cvt`. `elements` is 1, 2 or 4 (.x2, .x4 destinations or sources).
struct Conversion {
  NumberType to = NumberType::F32;
  NumberType from = NumberType::F32;
  uint8_t elements = 1;
  /// Rounding of the result; for float to integer and for float to the same
  /// float (.rni, .rzi, .rmi, .rpi) the integer rounding.
  Rounding rounding = Rounding::NearestEven;
  /// float to float of the same type with an integer rounding: round to an
  /// integral value.
  bool integral = false;
  bool ftz = false;
  bool sat = false;
  bool satfinite = false;
  bool relu = false;
};

/// Converts one element. `random` holds `randomBitCount` bits for .rs.
uint64_t convertElement(const Conversion &c, uint64_t value,
                        uint32_t random = 0, unsigned randomBitCount = 0);

/// The whole instruction on one lane. Sources are `a`, `b`, `e`, `f` in the
/// order of the PTX operands; with packed destinations the first goes to the
/// highest element. A packed source (.f16x2, .e4m3x2, ...) is `a` alone and
/// keeps element order. `random` is the rbits operand of .rs; each element
/// takes its own slice (f16x2, bf16x2: 13 and 16 bits each; x4 forms: 8 bits
/// each... see Convert.cpp), grade assumed.
uint64_t convert(const Conversion &c, uint64_t a, uint64_t b = 0,
                 uint64_t e = 0, uint64_t f = 0, uint32_t random = 0);

/// A warp at once, for the common unpacked and two-source forms; sources are
/// 32-bit words (8 and 16-bit types in the low bits). Same results.
void convertLanes(const Conversion &c, uint32_t mask, uint32_t *d,
                  const uint32_t *a, const uint32_t *b);

/// The float value of a UE8M0 code as f32 bits (0xff is NaN).
uint32_t decodeUE8M0(uint8_t code);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_CONVERT_H
