//===- Accumulate.cpp - Accumulation models of a dot product --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar reference. Tensor-core sums are computed in 64-bit integers: a
// product has at most 16 significant bits and is shifted by at most 25, so
// nothing is ever rounded by the host.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Accumulate.h"

#include "Chains.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

using namespace fp8::numerics;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// significand * 2^(exponent - fraction); significand is an integer.
struct Term {
  int64_t significand;
  int exponent;
};

int mantissaBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::E4M3FN:
    return 3;
  case ElementKind::E5M2:
    return 2;
  case ElementKind::BF16:
    return 7;
  case ElementKind::F32:
    break;
  }
  return 23;
}

/// Splits a finite value of a format with `fraction` mantissa bits; numbers
/// below the normal range keep the smallest exponent.
Term split(float value, int minExponent, int fraction) {
  if (value == 0.0f)
    return {0, minExponent};
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 1, minExponent);
  double scaled = std::ldexp(static_cast<double>(value), fraction - exponent);
  return {static_cast<int64_t>(scaled), exponent};
}

/// value * 2^shift, cut toward zero. A zero has no exponent of its own to align
/// by, so that its shift may be any.
int64_t shiftTowardZero(int64_t value, int shift) {
  if (value == 0)
    return 0;
  if (shift >= 0)
    return value * (int64_t{1} << shift);
  if (shift <= -63)
    return 0;
  return value / (int64_t{1} << -shift);
}

/// sum * 2^(exponent - fraction) cut to `kept` fraction bits of its own.
float normalizeTowardZero(int64_t sum, int exponent, int fraction, int kept) {
  if (sum == 0)
    return 0.0f;
  uint64_t magnitude = sum < 0 ? -static_cast<uint64_t>(sum) : sum;
  int leading = 63;
  while (!(magnitude >> leading))
    --leading;
  int unit = exponent - fraction;
  int lowest = std::max(leading + unit - kept, -126 - kept);
  int cut = lowest - unit;
  if (cut >= 64)
    return 0.0f;
  if (cut > 0)
    magnitude = magnitude >> cut << cut;
  if (leading + unit > 127)
    return sum < 0 ? -kInfinity : kInfinity;
  float result =
      static_cast<float>(std::ldexp(static_cast<double>(magnitude), unit));
  return sum < 0 && result != 0.0f ? -result : result;
}

/// The IEEE value of c + sum of a[i] * b[i] if that is not finite.
std::optional<float> nonFiniteSum(const float *a, const float *b, int count,
                                  float c) {
  bool nan = isNaN(c);
  bool positive = c == kInfinity, negative = c == -kInfinity;
  for (int i = 0; i < count; ++i) {
    // Finite operands whose product overflows f32 are finite here.
    double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    nan |= product != product;
    positive |= product == static_cast<double>(kInfinity);
    negative |= product == -static_cast<double>(kInfinity);
  }
  if (nan || (positive && negative))
    return fromBits(kNaN32TensorCore);
  if (positive || negative)
    return positive ? kInfinity : -kInfinity;
  return std::nullopt;
}

float runChain(const float *a, ElementKind aKind, const float *b,
               ElementKind bKind, int64_t count, AccumKind kind, float init) {
  if (kind == AccumKind::Exact) {
    ExactSum sum;
    sum.add(init);
    for (int64_t i = 0; i < count; ++i)
      sum.addProduct(a[i], b[i]);
    return sum.round();
  }
  float acc = init;
  if (std::optional<MmaUnit> unit = mmaUnit(kind, aKind, bKind)) {
    for (int64_t i = 0; i < count; i += unit->terms) {
      int terms = static_cast<int>(std::min<int64_t>(unit->terms, count - i));
      acc = mmaStep(*unit, a + i, aKind, b + i, bKind, terms, acc);
    }
    return acc;
  }
  for (int64_t i = 0; i < count; ++i) {
    float product = a[i] * b[i];
    acc = acc + product;
  }
  return acc;
}

} // namespace

size_t fp8::numerics::sizeInBytes(ElementKind kind) {
  switch (kind) {
  case ElementKind::E4M3FN:
  case ElementKind::E5M2:
    return 1;
  case ElementKind::BF16:
    return 2;
  case ElementKind::F32:
    break;
  }
  return 4;
}

float fp8::numerics::loadElement(const void *data, ElementKind kind) {
  switch (kind) {
  case ElementKind::E4M3FN:
    return decode(*static_cast<const uint8_t *>(data), Format::E4M3FN);
  case ElementKind::E5M2:
    return decode(*static_cast<const uint8_t *>(data), Format::E5M2);
  case ElementKind::BF16: {
    uint16_t bits;
    std::memcpy(&bits, data, sizeof(bits));
    return fromBF16(bits);
  }
  case ElementKind::F32:
    break;
  }
  float value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

int fp8::numerics::minExponent(ElementKind kind) {
  switch (kind) {
  case ElementKind::E4M3FN:
    return info(Format::E4M3FN).minExponent;
  case ElementKind::E5M2:
    return info(Format::E5M2).minExponent;
  case ElementKind::BF16:
  case ElementKind::F32:
    break;
  }
  return -126;
}

bool fp8::numerics::operator==(const AccumModel &a, const AccumModel &b) {
  return a.kind == b.kind && a.promote == b.promote && a.split == b.split;
}

std::optional<std::string> fp8::numerics::checkModel(const AccumModel &model) {
  if (model.promote < 0)
    return "expected a promotion interval of 0 (none) or more, got " +
           std::to_string(model.promote);
  int64_t previous = 0;
  for (int64_t boundary : model.split) {
    if (boundary <= previous)
      return "expected ascending positive split boundaries, got " +
             std::to_string(boundary) + " after " + std::to_string(previous);
    if (model.promote && boundary % model.promote)
      return "expected split boundaries that are multiples of the promotion "
             "interval " +
             std::to_string(model.promote) + ", got " +
             std::to_string(boundary);
    previous = boundary;
  }
  return std::nullopt;
}

std::optional<MmaUnit> fp8::numerics::mmaUnit(AccumKind kind, ElementKind lhs,
                                              ElementKind rhs) {
  bool bf16 = lhs == ElementKind::BF16 && rhs == ElementKind::BF16;
  if (!bf16 && !(isFP8(lhs) && isFP8(rhs)))
    return std::nullopt;
  switch (kind) {
  case AccumKind::Hopper:
    return bf16 ? MmaUnit{16, 25, 23} : MmaUnit{32, 13, 13};
  case AccumKind::Ada:
    return bf16 ? MmaUnit{8, 24, 23} : MmaUnit{16, 13, 13};
  case AccumKind::Blackwell:
    return bf16 ? MmaUnit{16, 25, 23} : MmaUnit{32, 25, 23};
  case AccumKind::SeqF32:
  case AccumKind::Exact:
    break;
  }
  return std::nullopt;
}

float fp8::numerics::mmaStep(const MmaUnit &unit, const float *a,
                             ElementKind aKind, const float *b,
                             ElementKind bKind, int count, float c) {
  if (std::optional<float> special = nonFiniteSum(a, b, count, c))
    return *special;

  int aFraction = mantissaBits(aKind), bFraction = mantissaBits(bKind);
  int aMin = minExponent(aKind), bMin = minExponent(bKind);
  Term addend = split(c, -126, 23);
  int largest = addend.significand ? addend.exponent : INT_MIN;
  for (int i = 0; i < count; ++i) {
    if (a[i] == 0.0f || b[i] == 0.0f)
      continue;
    largest = std::max(largest, split(a[i], aMin, aFraction).exponent +
                                    split(b[i], bMin, bFraction).exponent);
  }
  if (largest == INT_MIN)
    return 0.0f;

  int64_t sum = shiftTowardZero(
      addend.significand, unit.fractionBits - 23 - (largest - addend.exponent));
  for (int i = 0; i < count; ++i) {
    Term x = split(a[i], aMin, aFraction);
    Term y = split(b[i], bMin, bFraction);
    int exponent = x.exponent + y.exponent;
    if (int64_t product = x.significand * y.significand)
      sum +=
          shiftTowardZero(product, unit.fractionBits - (aFraction + bFraction) -
                                       (largest - exponent));
  }
  return normalizeTowardZero(sum, largest, unit.fractionBits,
                             unit.outputFractionBits);
}

float fp8::numerics::dotValues(const float *a, ElementKind aKind,
                               const float *b, ElementKind bKind, int64_t k,
                               const AccumModel &model, float init) {
  std::vector<Chain> chains = chainsOf(model, k);
  if (chains.empty())
    return canonicalize(init + 0.0f);
  float total = 0.0f, part = 0.0f;
  for (const Chain &chain : chains) {
    float start = chain.begin == 0 ? init : 0.0f;
    part = part + runChain(a + chain.begin, aKind, b + chain.begin, bKind,
                           chain.end - chain.begin, model.kind, start);
    if (chain.endsPart) {
      total = total + part;
      part = 0.0f;
    }
  }
  return canonicalize(total);
}

float fp8::numerics::dot(const void *a, int64_t aStride, ElementKind aKind,
                         const void *b, int64_t bStride, ElementKind bKind,
                         int64_t k, const AccumModel &model) {
  std::vector<float> x(k), y(k);
  int64_t aStep = aStride * static_cast<int64_t>(sizeInBytes(aKind));
  int64_t bStep = bStride * static_cast<int64_t>(sizeInBytes(bKind));
  for (int64_t i = 0; i < k; ++i) {
    x[i] = loadElement(static_cast<const char *>(a) + i * aStep, aKind);
    y[i] = loadElement(static_cast<const char *>(b) + i * bStep, bKind);
  }
  return dotValues(x.data(), aKind, y.data(), bKind, k, model);
}

std::vector<Chain> fp8::numerics::chainsOf(const AccumModel &model, int64_t k) {
  std::vector<int64_t> ends;
  for (int64_t boundary : model.split)
    if (boundary < k)
      ends.push_back(boundary);
  ends.push_back(k);

  std::vector<Chain> chains;
  int64_t begin = 0;
  for (int64_t end : ends)
    while (begin < end) {
      int64_t length = model.promote ? model.promote : end - begin;
      int64_t stop = std::min(begin + length, end);
      chains.push_back({begin, stop, stop == end});
      begin = stop;
    }
  return chains;
}
