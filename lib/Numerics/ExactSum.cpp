//===- ExactSum.cpp - Exact sums of products ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixed-point register wide enough for every product of two f32 numbers: from
// 2^-298 to 2^256, with room for 2^60 of them.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Accumulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fp8::numerics;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// |value| = significand * 2^exponent, for a finite value.
struct Magnitude {
  uint32_t significand;
  int exponent;
};

Magnitude magnitudeOf(float value) {
  uint32_t bits = toBits(value);
  uint32_t field = (bits >> 23) & 0xFFu;
  uint32_t mantissa = bits & 0x7FFFFFu;
  if (field == 0)
    return {mantissa, -149};
  return {mantissa | 0x800000u, static_cast<int>(field) - 150};
}

/// Moves carries up so that every digit but the last is in [0, 2^32).
template <size_t N>
void propagate(int64_t (&digits)[N]) {
  for (size_t i = 0; i + 1 < N; ++i) {
    int64_t carry = digits[i] >> 32;
    digits[i] &= 0xFFFFFFFF;
    digits[i + 1] += carry;
  }
}

template <size_t N>
bool bitAt(const int64_t (&digits)[N], int position) {
  return position >= 0 && ((digits[position / 32] >> (position % 32)) & 1);
}

} // namespace

void ExactSum::addProduct(float a, float b) {
  if (!isFinite(a) || !isFinite(b)) {
    float product = a * b;
    sawNaN |= isNaN(product);
    sawPosInf |= product == kInfinity;
    sawNegInf |= product == -kInfinity;
    return;
  }
  Magnitude x = magnitudeOf(a), y = magnitudeOf(b);
  uint64_t product = static_cast<uint64_t>(x.significand) * y.significand;
  int position = x.exponent + y.exponent - kLowExponent;
  int64_t sign = (toBits(a) ^ toBits(b)) >> 31 ? -1 : 1;
  // 48 bits shifted by up to 31 span three digits.
  int digit = position / 32, shift = position % 32;
  uint64_t low = (product & 0xFFFFFFFF) << shift;
  uint64_t high = (product >> 32) << shift;
  digits[digit] += sign * static_cast<int64_t>(low & 0xFFFFFFFF);
  digits[digit + 1] +=
      sign * static_cast<int64_t>((low >> 32) + (high & 0xFFFFFFFF));
  digits[digit + 2] += sign * static_cast<int64_t>(high >> 32);
  // A cell takes 2^30 additions before its carry must move.
  if (++pending == (1u << 30)) {
    propagate(digits);
    pending = 0;
  }
}

float ExactSum::round() const {
  if (sawNaN || (sawPosInf && sawNegInf))
    return fromBits(kNaN32);
  if (sawPosInf || sawNegInf)
    return sawPosInf ? kInfinity : -kInfinity;

  int64_t sum[kDigits];
  std::copy(std::begin(digits), std::end(digits), std::begin(sum));
  propagate(sum);
  bool negative = sum[kDigits - 1] < 0;
  if (negative) {
    for (int64_t &digit : sum)
      digit = -digit;
    propagate(sum);
  }

  int top = kDigits * 32 - 1;
  while (top >= 0 && !bitAt(sum, top))
    --top;
  if (top < 0)
    return 0.0f;
  int lowest = std::max(top - 23, -149 - kLowExponent);
  uint32_t significand = 0;
  for (int i = top; i >= lowest; --i)
    significand = significand << 1 | bitAt(sum, i);
  bool half = bitAt(sum, lowest - 1);
  bool rest = false;
  for (int i = std::min(lowest - 2, top); i >= 0 && !rest; --i)
    rest = bitAt(sum, i);
  significand += half && (rest || (significand & 1));
  double value =
      std::ldexp(static_cast<double>(significand), lowest + kLowExponent);
  // |value| is an f32 number or 2^128, which becomes infinity.
  float result = static_cast<float>(value);
  return negative && result != 0.0f ? -result : result;
}
