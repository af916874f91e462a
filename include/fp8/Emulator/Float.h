//===- Float.h - Exact floating-point values of any format ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of any format that PTX names, unpacked to sign, exponent and an exact
// integer significand, and the only rounding function of the emulator. Nothing
// here uses the host's floating point, so results do not depend on the host.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_FLOAT_H
#define FP8_EMULATOR_FLOAT_H

#include <cstdint>

namespace fp8::emulator {

/// How a result that is not representable is rounded. `NearestAway` is PTX's
/// .rna, `Stochastic` its .rs (the random bits come with the call).
enum class Rounding : uint8_t {
  NearestEven,
  TowardZero,
  Down,
  Up,
  NearestAway,
  Stochastic
};

/// A binary floating-point storage format.
struct FloatFormat {
  enum Specials : uint8_t {
    /// All-ones exponent is infinity and NaN (IEEE 754).
    IEEE,
    /// No infinity; only the all-ones code (per sign) is NaN (E4M3).
    OnlyNaN,
    /// Neither infinity nor NaN (E2M1, E2M3, E3M2).
    FiniteOnly
  };
  uint8_t exponentBits;
  uint8_t mantissaBits;
  int16_t bias;
  Specials specials;
  /// Bits of the code below the mantissa that are stored as zero (TF32: 13).
  uint8_t padding;

  constexpr int minExponent() const { return 1 - bias; }
  constexpr int maxExponent() const {
    return (1 << exponentBits) - 1 - bias - (specials == IEEE ? 1 : 0);
  }
  constexpr int width() const {
    return 1 + exponentBits + mantissaBits + padding;
  }
};

inline constexpr FloatFormat F64Format{11, 52, 1023, FloatFormat::IEEE, 0};
inline constexpr FloatFormat F32Format{8, 23, 127, FloatFormat::IEEE, 0};
inline constexpr FloatFormat TF32Format{8, 10, 127, FloatFormat::IEEE, 13};
inline constexpr FloatFormat BF16Format{8, 7, 127, FloatFormat::IEEE, 0};
inline constexpr FloatFormat F16Format{5, 10, 15, FloatFormat::IEEE, 0};
inline constexpr FloatFormat E5M2Format{5, 2, 15, FloatFormat::IEEE, 0};
inline constexpr FloatFormat E4M3Format{4, 3, 7, FloatFormat::OnlyNaN, 0};
inline constexpr FloatFormat E3M2Format{3, 2, 3, FloatFormat::FiniteOnly, 0};
inline constexpr FloatFormat E2M3Format{2, 3, 1, FloatFormat::FiniteOnly, 0};
inline constexpr FloatFormat E2M1Format{2, 1, 1, FloatFormat::FiniteOnly, 0};

__extension__ using UInt128 = unsigned __int128;
__extension__ using Int128 = __int128;

/// An exact value: (-1)^negative * significand * 2^exponent, infinity or NaN.
/// The lowest bit of `significand` may be a sticky bit (the value is not exact,
/// but rounds as if it were) once an operation had to drop bits.
struct Real {
  enum Class : uint8_t { Zero, Finite, Infinity, NaN };
  Class kind = Zero;
  bool negative = false;
  int exponent = 0;
  UInt128 significand = 0;
};

/// The value of `bits` in `format`; with `flush`, subnormals become zeros of
/// the same sign.
Real unpack(uint64_t bits, const FloatFormat &format, bool flush = false);

/// What to do with a result besides rounding it.
struct PackOptions {
  Rounding rounding = Rounding::NearestEven;
  /// .ftz: a subnormal result becomes a zero of the same sign.
  bool flush = false;
  /// .sat: clamp to [0, 1], NaN becomes +0.
  bool saturate = false;
  /// .satfinite: overflow and infinity become the largest finite value. NaN
  /// stays NaN, or becomes the largest finite value where there is no NaN.
  bool satfinite = false;
  /// .relu: negative results (not NaN) become +0.
  bool relu = false;
  /// Random bits for .rs and their number (up to 32).
  uint32_t randomBits = 0;
  uint8_t randomBitCount = 0;
};

/// `value` rounded to `format`. NaN gives the canonical NaN of the format (PTX:
/// 0x7fffffff for f32, 0x7fff for f16 and bf16, 0x7f for E4M3 and E5M2,
/// 0x7fff ffff for tf32, 0x7ff8000000000000 for f64).
uint64_t pack(const Real &value, const FloatFormat &format,
              const PackOptions &options);

/// Exact operations; bits that do not fit are kept as a sticky bit, far below
/// any format's last place. A zero sum has the sign that IEEE 754 gives it
/// under `rounding`. Division and square root give at least 62 correct bits and
/// a sticky bit.
Real add(const Real &a, const Real &b, Rounding rounding);
Real multiply(const Real &a, const Real &b);
Real fusedMultiplyAdd(const Real &a, const Real &b, const Real &c,
                      Rounding rounding);
Real divide(const Real &a, const Real &b);
Real squareRoot(const Real &a);
inline Real negate(Real a) {
  a.negative = !a.negative;
  return a;
}

/// The exact value of an integer.
Real fromInteger(bool negative, uint64_t magnitude);

/// `value` rounded to an integer of `width` bits, clamped to its range; NaN
/// gives 0 (PTX: for f32 and narrower; for f64 sources the most negative value
/// of the type, or for unsigned its top bit, which the caller selects).
uint64_t toInteger(const Real &value, unsigned width, bool isSigned,
                   Rounding rounding);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_FLOAT_H
