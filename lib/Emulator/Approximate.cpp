//===- Approximate.cpp - Deterministic elementary functions ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp2, log2, sine and cosine in double precision from additions, products and
// quotients only. The host's math library is not used: it differs from host to
// host. Invariant: relative error below 2^-45 for arguments that are f32
// numbers, so that one rounding to f32 is within 0.51 ulp.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Arith.h"

#include <cmath>
#include <cstring>

namespace fp8::emulator {

static constexpr double Ln2 = 0.69314718055994530942;

/// 2^n for -1022 <= n <= 1023.
static double powerOfTwo(int n) {
  uint64_t bits = uint64_t(n + 1023) << 52;
  double d;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

double exp2Exact(double x) {
  if (x != x)
    return x;
  if (x > 1000)
    return HUGE_VAL;
  if (x < -1000)
    return 0;
  int n = static_cast<int>(x + (x < 0 ? -0.5 : 0.5));
  double t = (x - n) * Ln2;
  // Taylor series of e^t, |t| <= 0.35: the first term left out is below 2^-57.
  double sum = 1, term = 1;
  for (int i = 1; i <= 13; ++i) {
    term = term * t / i;
    sum = sum + term;
  }
  return sum * powerOfTwo(n);
}

double log2Exact(double x) {
  int exponent;
  double m = std::frexp(x, &exponent); // exact
  if (m < 0.70710678118654752440) {
    m = m * 2;
    --exponent;
  }
  // ln m = 2 atanh(s), |s| <= 0.172.
  double s = (m - 1) / (m + 1), square = s * s;
  double power = s, sum = 0;
  for (int i = 1; i <= 23; i += 2) {
    sum = sum + power / i;
    power = power * square;
  }
  return exponent + 2 * sum / Ln2;
}

/// 32 bits of 2/pi from bit `first` on (bit 0 has weight 2^-1; zeros before).
static uint32_t twoOverPiBits(int first) {
  static constexpr uint32_t Words[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1,
                                       0xF534DDC0, 0xDB629599, 0x3C439041,
                                       0xFE5163AB, 0xDEBBC561, 0xB7246E3A};
  auto word = [](int i) -> uint64_t { return i < 0 || i > 8 ? 0 : Words[i]; };
  int index = first >= 0 ? first / 32 : -((31 - first) / 32);
  int offset = first - index * 32;
  uint64_t pair = word(index) << 32 | word(index + 1);
  return static_cast<uint32_t>(pair >> (32 - offset));
}

/// x = quadrant * pi/2 + r with |r| <= pi/4, by an exact product with enough
/// bits of 2/pi. `x` is a positive f32 number.
static double reduceQuadrant(double x, unsigned &quadrant) {
  int exponent;
  double m = std::frexp(x, &exponent);
  uint64_t mantissa = static_cast<uint64_t>(m * (1 << 24));
  int shift = exponent - 24; // x = mantissa * 2^shift
  // Bits with weight 4 or more, times 2^shift, do not matter: start where
  // 2^shift times the first bit is worth 2.
  int first = shift - 2;
  UInt128 window = UInt128(twoOverPiBits(first)) << 64 |
                   UInt128(twoOverPiBits(first + 32)) << 32 |
                   twoOverPiBits(first + 64);
  // window * 2^(shift - first - 96) = window * 2^-94 approximates 2/pi*2^shift.
  UInt128 product = mantissa * window; // below 2^120
  UInt128 modulus = UInt128(1) << 96;  // 4 quadrants
  product = product & (modulus - 1);
  quadrant = static_cast<unsigned>(product >> 94);
  UInt128 fraction = product & ((UInt128(1) << 94) - 1);
  double f = static_cast<double>(static_cast<uint64_t>(fraction >> 31)) *
                 powerOfTwo(-63) +
             static_cast<double>(static_cast<uint64_t>(fraction & 0x7fffffff)) *
                 powerOfTwo(-94);
  if (fraction >> 93) { // above one half: the next quadrant, negative rest
    UInt128 rest = (UInt128(1) << 94) - fraction;
    f = -(static_cast<double>(static_cast<uint64_t>(rest >> 31)) *
              powerOfTwo(-63) +
          static_cast<double>(static_cast<uint64_t>(rest & 0x7fffffff)) *
              powerOfTwo(-94));
    quadrant = (quadrant + 1) & 3;
  }
  return f * 1.57079632679489661923;
}

void sinCosExact(double x, double &sine, double &cosine) {
  if (x != x || x - x != 0) {
    sine = cosine = x - x; // NaN
    return;
  }
  double magnitude = x < 0 ? -x : x, r = magnitude;
  unsigned quadrant = 0;
  if (magnitude > 0.78539816339744830962)
    r = reduceQuadrant(magnitude, quadrant);
  double square = r * r, term = r, s = r;
  for (int i = 3; i <= 19; i += 2) {
    term = -term * square / (i * (i - 1));
    s = s + term;
  }
  double c = 1;
  term = 1;
  for (int i = 2; i <= 20; i += 2) {
    term = -term * square / (i * (i - 1));
    c = c + term;
  }
  double values[4] = {s, c, -s, -c};
  sine = values[quadrant];
  cosine = values[(quadrant + 1) & 3];
  if (x < 0)
    sine = -sine;
}

} // namespace fp8::emulator
