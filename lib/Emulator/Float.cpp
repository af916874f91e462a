//===- Float.cpp - Exact floating-point values of any format --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unpacking, exact operations and the one rounding function. Invariant: a Real
// keeps its value exactly, or with a sticky lowest bit at least 60 bits below
// its leading bit, so that rounding it once is correct for every format.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Float.h"

#include <algorithm>

namespace fp8::emulator {

static int highBit(UInt128 v) {
  uint64_t high = static_cast<uint64_t>(v >> 64);
  if (high)
    return 127 - __builtin_clzll(high);
  uint64_t low = static_cast<uint64_t>(v);
  return low ? 63 - __builtin_clzll(low) : -1;
}

/// v >> shift with every lost bit or-ed into the lowest one.
static UInt128 shiftRightSticky(UInt128 v, int shift) {
  if (shift <= 0)
    return v;
  if (shift > 127)
    return v != 0;
  UInt128 lost = v & ((UInt128(1) << shift) - 1);
  return (v >> shift) | (lost != 0);
}

/// Moves the leading bit to `bit`, keeping the value (sticky when it shrinks).
static void moveLeadingBit(Real &r, int bit) {
  int shift = bit - highBit(r.significand);
  if (shift >= 0)
    r.significand <<= shift;
  else
    r.significand = shiftRightSticky(r.significand, -shift);
  r.exponent -= shift;
}

Real unpack(uint64_t bits, const FloatFormat &f, bool flush) {
  bits >>= f.padding;
  uint64_t mantissa = bits & ((uint64_t(1) << f.mantissaBits) - 1);
  int allOnes = (1 << f.exponentBits) - 1;
  int exponent = static_cast<int>(bits >> f.mantissaBits) & allOnes;
  Real r;
  r.negative = (bits >> (f.mantissaBits + f.exponentBits)) & 1;
  if (exponent == allOnes && f.specials == FloatFormat::IEEE) {
    r.kind = mantissa ? Real::NaN : Real::Infinity;
    return r;
  }
  if (exponent == allOnes && f.specials == FloatFormat::OnlyNaN &&
      mantissa == (uint64_t(1) << f.mantissaBits) - 1) {
    r.kind = Real::NaN;
    return r;
  }
  if (exponent)
    mantissa |= uint64_t(1) << f.mantissaBits;
  else if (flush)
    mantissa = 0;
  if (!mantissa)
    return r;
  r.kind = Real::Finite;
  r.significand = mantissa;
  r.exponent = std::max(exponent, 1) - f.bias - f.mantissaBits;
  return r;
}

static uint64_t canonicalNaN(const FloatFormat &f) {
  if (f.mantissaBits == 52)
    return uint64_t(0x7ff8) << 48;
  // All ones below the sign, padding included.
  return (uint64_t(1) << (f.width() - 1)) - 1;
}

/// The largest finite code, without sign and padding.
static uint64_t maxFiniteCode(const FloatFormat &f) {
  uint64_t all = (uint64_t(1) << (f.exponentBits + f.mantissaBits)) - 1;
  switch (f.specials) {
  case FloatFormat::IEEE:
    return all - (uint64_t(1) << f.mantissaBits);
  case FloatFormat::OnlyNaN:
    return all - 1;
  case FloatFormat::FiniteOnly:
    return all;
  }
  return all;
}

/// Does a remainder round the magnitude up? `half` is -1, 0, 1: below, at or
/// above one half; the remainder is not zero.
static bool roundsUp(Rounding rounding, bool negative, bool odd, int half) {
  switch (rounding) {
  case Rounding::NearestEven:
    return half > 0 || (half == 0 && odd);
  case Rounding::NearestAway:
    return half >= 0;
  case Rounding::TowardZero:
  case Rounding::Stochastic:
    return false;
  case Rounding::Down:
    return negative;
  case Rounding::Up:
    return !negative;
  }
  return false;
}

/// significand * 2^-shift rounded to an integer.
static UInt128 roundShift(UInt128 significand, int shift, bool negative,
                          const PackOptions &o) {
  if (shift <= 0)
    return significand << -shift;
  if (o.rounding == Rounding::Stochastic) {
    // Keep n bits of the fraction (the rest is dropped) and let the random
    // bits carry into the integer.
    int n = o.randomBitCount, drop = shift - n;
    UInt128 scaled = drop > 127 ? 0
                     : drop > 0 ? significand >> drop
                                : significand << -drop;
    return (scaled + o.randomBits) >> n;
  }
  if (shift > 127)
    return roundsUp(o.rounding, negative, false, -1);
  UInt128 quotient = significand >> shift;
  UInt128 rest = significand & ((UInt128(1) << shift) - 1);
  UInt128 halfway = UInt128(1) << (shift - 1);
  if (!rest)
    return quotient;
  int half = rest < halfway ? -1 : rest > halfway;
  return quotient + roundsUp(o.rounding, negative, quotient & 1, half);
}

static uint64_t withSign(uint64_t code, bool negative, const FloatFormat &f) {
  if (negative)
    code |= uint64_t(1) << (f.exponentBits + f.mantissaBits);
  return code << f.padding;
}

static uint64_t overflowCode(bool negative, const FloatFormat &f,
                             const PackOptions &o, bool exactInfinity) {
  uint64_t top = maxFiniteCode(f);
  if (o.satfinite || f.specials == FloatFormat::FiniteOnly)
    return withSign(top, negative, f);
  if (f.specials == FloatFormat::OnlyNaN)
    return canonicalNaN(f);
  bool away = exactInfinity || o.rounding == Rounding::NearestEven ||
              o.rounding == Rounding::NearestAway ||
              o.rounding == (negative ? Rounding::Down : Rounding::Up);
  return withSign(away ? top + 1 : top, negative, f);
}

uint64_t pack(const Real &v, const FloatFormat &f, const PackOptions &o) {
  if (v.kind == Real::NaN) {
    if (o.saturate)
      return 0;
    return f.specials == FloatFormat::FiniteOnly ? maxFiniteCode(f)
                                                 : canonicalNaN(f);
  }
  if (v.negative && (o.saturate || o.relu))
    return 0;
  uint64_t one = uint64_t(f.bias) << f.mantissaBits << f.padding;
  if (v.kind == Real::Zero)
    return withSign(0, v.negative, f);
  if (v.kind == Real::Infinity)
    return o.saturate ? one : overflowCode(v.negative, f, o, true);
  int top = v.exponent + highBit(v.significand);
  int lowest = std::max(top, f.minExponent()) - f.mantissaBits;
  if (top > f.maxExponent() + 1)
    return o.saturate ? one : overflowCode(v.negative, f, o, false);
  UInt128 q = roundShift(v.significand, lowest - v.exponent, v.negative, o);
  // A subnormal has exponent field 0, a normal number adds its hidden bit to
  // the field below its own; a carry moves to the next exponent by itself.
  uint64_t field = top < f.minExponent() ? 0 : top + f.bias - 1;
  uint64_t code = (field << f.mantissaBits) + static_cast<uint64_t>(q);
  if (o.flush && !(code >> f.mantissaBits))
    code = 0;
  if (code > maxFiniteCode(f))
    return o.saturate ? one : overflowCode(v.negative, f, o, false);
  uint64_t result = withSign(code, v.negative, f);
  return o.saturate ? std::min(result, one) : result;
}

static Real makeNaN() {
  Real r;
  r.kind = Real::NaN;
  return r;
}

/// The sum of two finite non-zero values.
static Real addFinite(Real a, Real b, Rounding rounding) {
  moveLeadingBit(a, 125);
  moveLeadingBit(b, 125);
  if (a.exponent < b.exponent)
    std::swap(a, b);
  b.significand = shiftRightSticky(b.significand, a.exponent - b.exponent);
  Real r = a;
  if (a.negative == b.negative) {
    r.significand = a.significand + b.significand;
    return r;
  }
  if (a.significand < b.significand)
    r.negative = b.negative;
  r.significand = a.significand < b.significand ? b.significand - a.significand
                                                : a.significand - b.significand;
  if (!r.significand) {
    r.kind = Real::Zero;
    r.negative = rounding == Rounding::Down;
  }
  return r;
}

Real add(const Real &a, const Real &b, Rounding rounding) {
  if (a.kind == Real::NaN || b.kind == Real::NaN)
    return makeNaN();
  if (a.kind == Real::Infinity || b.kind == Real::Infinity) {
    if (a.kind == b.kind && a.negative != b.negative)
      return makeNaN();
    return a.kind == Real::Infinity ? a : b;
  }
  if (a.kind == Real::Zero && b.kind == Real::Zero) {
    Real r = a;
    if (a.negative != b.negative)
      r.negative = rounding == Rounding::Down;
    return r;
  }
  if (a.kind == Real::Zero)
    return b;
  if (b.kind == Real::Zero)
    return a;
  return addFinite(a, b, rounding);
}

Real multiply(const Real &a, const Real &b) {
  if (a.kind == Real::NaN || b.kind == Real::NaN)
    return makeNaN();
  Real r;
  r.negative = a.negative != b.negative;
  if (a.kind == Real::Infinity || b.kind == Real::Infinity) {
    if (a.kind == Real::Zero || b.kind == Real::Zero)
      return makeNaN();
    r.kind = Real::Infinity;
    return r;
  }
  if (a.kind == Real::Zero || b.kind == Real::Zero)
    return r;
  Real x = a, y = b;
  // Operands come straight from unpack (at most 53 bits) or are reduced.
  if (highBit(x.significand) > 62)
    moveLeadingBit(x, 62);
  if (highBit(y.significand) > 62)
    moveLeadingBit(y, 62);
  r.kind = Real::Finite;
  r.exponent = x.exponent + y.exponent;
  r.significand = x.significand * y.significand;
  return r;
}

Real fusedMultiplyAdd(const Real &a, const Real &b, const Real &c,
                      Rounding rounding) {
  return add(multiply(a, b), c, rounding);
}

Real divide(const Real &a, const Real &b) {
  if (a.kind == Real::NaN || b.kind == Real::NaN ||
      (a.kind == b.kind && a.kind != Real::Finite))
    return makeNaN();
  Real r;
  r.negative = a.negative != b.negative;
  if (a.kind == Real::Infinity || b.kind == Real::Zero) {
    r.kind = Real::Infinity;
    return r;
  }
  if (a.kind == Real::Zero || b.kind == Real::Infinity)
    return r;
  Real x = a, y = b;
  moveLeadingBit(x, 125);
  moveLeadingBit(y, 60);
  r.kind = Real::Finite;
  r.exponent = x.exponent - y.exponent;
  r.significand = x.significand / y.significand;
  // A sticky bit below the quotient: 2q + (rest != 0).
  r.significand = (r.significand << 1) | (x.significand % y.significand != 0);
  r.exponent -= 1;
  return r;
}

Real squareRoot(const Real &a) {
  if (a.kind == Real::NaN || a.kind == Real::Zero)
    return a;
  if (a.negative)
    return makeNaN();
  if (a.kind == Real::Infinity)
    return a;
  Real x = a;
  moveLeadingBit(x, 125);
  if (x.exponent & 1) {
    x.significand >>= 1; // bits far below 2^-60 of the leading one
    x.exponent += 1;
  }
  UInt128 root = 0;
  for (int bit = 62; bit >= 0; --bit) {
    UInt128 trial = root | (UInt128(1) << bit);
    if (trial * trial <= x.significand)
      root = trial;
  }
  Real r;
  r.kind = Real::Finite;
  r.significand = (root << 1) | (root * root != x.significand);
  r.exponent = x.exponent / 2 - 1;
  return r;
}

Real fromInteger(bool negative, uint64_t magnitude) {
  Real r;
  if (!magnitude)
    return r;
  r.kind = Real::Finite;
  r.negative = negative;
  r.significand = magnitude;
  return r;
}

uint64_t toInteger(const Real &v, unsigned width, bool isSigned,
                   Rounding rounding) {
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t top = isSigned ? mask >> 1 : mask;
  uint64_t bottom = isSigned ? top + 1 : 0; // magnitude of the least value
  if (v.kind == Real::NaN || v.kind == Real::Zero)
    return 0;
  uint64_t limit = v.negative ? bottom : top;
  UInt128 magnitude = UInt128(1) << 100;
  if (v.kind == Real::Finite && v.exponent + highBit(v.significand) < 70) {
    PackOptions o;
    o.rounding = rounding;
    magnitude = roundShift(v.significand, -v.exponent, v.negative, o);
  }
  uint64_t clamped =
      magnitude > limit ? limit : static_cast<uint64_t>(magnitude);
  return (v.negative ? uint64_t(0) - clamped : clamped) & mask;
}

} // namespace fp8::emulator
