//===- AccumulateTest.cpp - Accumulation models ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor-core sums against a second formulation in f64, plain values worked out
// by hand, exact sums against 128-bit integers, and how promotion and splits
// cut a chain. The recorded chains of another model are in VectorTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Accumulate.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace fp8::numerics;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Against a formulation in f64, where every step is exact
//===----------------------------------------------------------------------===//

/// value = significand * 2^exponent with |significand| in [1, 2), or less for
/// numbers below the normal range.
struct Parts {
  double significand;
  int exponent;
};

Parts partsOf(double value, int minimum) {
  if (value == 0.0)
    return {0.0, -100000};
  int exponent = std::max(std::ilogb(value), minimum);
  return {std::ldexp(value, -exponent), exponent};
}

float modelStep(const MmaUnit &unit, const std::vector<float> &a,
                const std::vector<float> &b, int aMin, int bMin, float c) {
  std::vector<Parts> terms = {partsOf(c, -126)};
  for (size_t i = 0; i < a.size(); ++i) {
    Parts x = partsOf(a[i], aMin), y = partsOf(b[i], bMin);
    terms.push_back({x.significand * y.significand, x.exponent + y.exponent});
  }
  int largest = -100000;
  for (const Parts &term : terms)
    largest = std::max(largest, term.exponent);
  double sum = 0.0;
  for (const Parts &term : terms)
    if (term.significand != 0.0)
      sum += std::trunc(std::ldexp(
          term.significand, unit.fractionBits + term.exponent - largest));
  if (sum == 0.0)
    return 0.0f;
  Parts result = partsOf(sum, -1000);
  result.exponent += largest - unit.fractionBits;
  int unitExponent = std::max(result.exponent, -126) - unit.outputFractionBits;
  double kept = std::trunc(
      std::ldexp(result.significand, result.exponent - unitExponent));
  double value = std::ldexp(kept, unitExponent);
  if (std::fabs(value) >= 0x1p128)
    return value > 0 ? kInfinity : -kInfinity;
  return static_cast<float>(value) + 0.0f;
}

/// Styles: 0 all bit patterns, 1 the same with zeros, 2 exponents close
/// together.
float randomElement(std::mt19937 &engine, ElementKind kind, int style) {
  if (style == 1 && engine() % 4 == 0)
    return 0.0f;
  if (style == 2)
    return std::ldexp(static_cast<float>(static_cast<int>(engine() % 31) - 15),
                      static_cast<int>(engine() % 8) - 6);
  if (kind == ElementKind::BF16) {
    uint32_t exponent = engine() % 255;
    return fromBF16(static_cast<uint16_t>((engine() & 0x807F) | exponent << 7));
  }
  Format format = kind == ElementKind::E5M2 ? Format::E5M2 : Format::E4M3FN;
  uint8_t code;
  do
    code = static_cast<uint8_t>(engine());
  while (isNonFinite(code, format));
  return decode(code, format);
}

/// Rounds to the kind, so that operands are values of it.
float roundTo(float value, ElementKind kind) {
  if (kind == ElementKind::BF16)
    return roundToBF16(value);
  Format format = kind == ElementKind::E5M2 ? Format::E5M2 : Format::E4M3FN;
  return decode(encode(value, format, true), format);
}

struct UnitCase {
  AccumKind kind;
  ElementKind lhs, rhs;
};

class TensorCoreSum : public testing::TestWithParam<UnitCase> {};

TEST_P(TensorCoreSum, EqualsSecondFormulation) {
  UnitCase test = GetParam();
  MmaUnit unit = *mmaUnit(test.kind, test.lhs, test.rhs);
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (int round = 0; round < 2000; ++round) {
    int style = round % 3;
    std::vector<float> a(unit.terms), b(unit.terms);
    for (int i = 0; i < unit.terms; ++i) {
      a[i] = roundTo(randomElement(engine, test.lhs, style), test.lhs);
      b[i] = roundTo(randomElement(engine, test.rhs, style), test.rhs);
      // Every other round: pairs that cancel.
      if (round % 2 && i % 2) {
        a[i] = a[i - 1];
        b[i] = -b[i - 1];
      }
    }
    float c = 0.0f;
    if (round % 5)
      c = std::ldexp(static_cast<float>(static_cast<int32_t>(engine())),
                     static_cast<int>(engine() % 60) - 60);
    float actual =
        mmaStep(unit, a.data(), test.lhs, b.data(), test.rhs, unit.terms, c);
    float expected =
        modelStep(unit, a, b, minExponent(test.lhs), minExponent(test.rhs), c);
    ASSERT_EQ(toBits(actual), toBits(expected))
        << actual << " expected " << expected << " round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Units, TensorCoreSum,
    testing::Values(
        UnitCase{AccumKind::Hopper, ElementKind::E4M3FN, ElementKind::E4M3FN},
        UnitCase{AccumKind::Hopper, ElementKind::E5M2, ElementKind::E4M3FN},
        UnitCase{AccumKind::Ada, ElementKind::E4M3FN, ElementKind::E5M2},
        UnitCase{AccumKind::Blackwell, ElementKind::E5M2, ElementKind::E5M2},
        UnitCase{AccumKind::Hopper, ElementKind::BF16, ElementKind::BF16},
        UnitCase{AccumKind::Ada, ElementKind::BF16, ElementKind::BF16},
        UnitCase{AccumKind::Blackwell, ElementKind::BF16, ElementKind::BF16}));

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

float hopper(std::vector<float> a, std::vector<float> b, float c) {
  return mmaStep({32, 13, 13}, a.data(), ElementKind::E4M3FN, b.data(),
                 ElementKind::E4M3FN, static_cast<int>(a.size()), c);
}

TEST(HopperByHand, AccumulatorKeepsThirteenBits) {
  EXPECT_EQ(hopper({0.0f}, {0.0f}, 1 + 0x1p-13f), 1 + 0x1p-13f);
  EXPECT_EQ(hopper({0.0f}, {0.0f}, 1 + 0x1p-14f), 1.0f);
  EXPECT_EQ(hopper({0.0f}, {0.0f}, -1 - 0x1p-14f), -1.0f);
}

TEST(HopperByHand, SmallTermsAreCut) {
  // 2^-6 lies 14 binades below 256: nothing of it stays, of two no more.
  EXPECT_EQ(hopper({256.0f, 0x1p-6f, 0x1p-6f}, {1.0f, 1.0f, 1.0f}, 0.0f),
            256.0f);
  EXPECT_EQ(hopper({128.0f, 0x1p-6f, 0x1p-6f}, {1.0f, 1.0f, 1.0f}, 0.0f),
            128.0f + 0x1p-5f);
}

TEST(HopperByHand, SubnormalsKeepTheSmallestExponent) {
  // 2^-9 * 2^-9 has exponent -12, not -18: the cut is at 2^-25.
  EXPECT_EQ(hopper({0x1p-9f}, {0x1p-9f}, 0x1p-25f), 0x1p-18f + 0x1p-25f);
  EXPECT_EQ(hopper({0x1p-9f}, {0x1p-9f}, 0x1p-26f), 0x1p-18f);
}

TEST(HopperByHand, ZeroResultsArePositive) {
  EXPECT_EQ(toBits(hopper({1.0f, -1.0f}, {1.0f, 1.0f}, 0.0f)), 0u);
  EXPECT_EQ(toBits(hopper({-0.0f}, {1.0f}, -0.0f)), 0u);
}

TEST(HopperByHand, Specials) {
  float maxFloat = std::numeric_limits<float>::max();
  EXPECT_EQ(toBits(hopper({kNaN}, {0.0f}, 0.0f)), kNaN32TensorCore);
  EXPECT_EQ(toBits(hopper({1.0f}, {1.0f}, kNaN)), kNaN32TensorCore);
  EXPECT_EQ(toBits(hopper({kInfinity}, {0.0f}, 0.0f)), kNaN32TensorCore);
  EXPECT_EQ(toBits(hopper({kInfinity, -kInfinity}, {1.0f, 1.0f}, 0.0f)),
            kNaN32TensorCore);
  EXPECT_EQ(hopper({kInfinity, 3.0f}, {-1.0f, 1.0f}, 5.0f), -kInfinity);
  EXPECT_EQ(toBits(hopper({kInfinity}, {1.0f}, -kInfinity)), kNaN32TensorCore);
  EXPECT_EQ(hopper({1.0f}, {1.0f}, kInfinity), kInfinity);
  // Cut to 13 bits the largest float is below 2^128.
  EXPECT_EQ(hopper({0.0f}, {0.0f}, maxFloat), 0x1.fffp127f + 0x1p114f);
}

TEST(BF16ByHand, SumBeyondF32IsInfinity) {
  float big[2] = {0x1p64f, 0x1p64f}, other[2] = {0x1p63f, 0x1p63f};
  EXPECT_EQ(mmaStep({16, 25, 23}, big, ElementKind::BF16, other,
                    ElementKind::BF16, 1, 0.0f),
            0x1p127f);
  EXPECT_EQ(mmaStep({16, 25, 23}, big, ElementKind::BF16, other,
                    ElementKind::BF16, 2, 0.0f),
            kInfinity);
}

//===----------------------------------------------------------------------===//
// Chains, parts and the plain models
//===----------------------------------------------------------------------===//

TEST(Models, PlainModelsForPairsWithoutUnit) {
  for (AccumKind kind :
       {AccumKind::Hopper, AccumKind::Ada, AccumKind::Blackwell}) {
    EXPECT_TRUE(mmaUnit(kind, ElementKind::E5M2, ElementKind::E4M3FN));
    EXPECT_TRUE(mmaUnit(kind, ElementKind::BF16, ElementKind::BF16));
    EXPECT_FALSE(mmaUnit(kind, ElementKind::F32, ElementKind::F32));
    EXPECT_FALSE(mmaUnit(kind, ElementKind::BF16, ElementKind::E4M3FN));
  }
  EXPECT_FALSE(
      mmaUnit(AccumKind::SeqF32, ElementKind::E4M3FN, ElementKind::E4M3FN));
  EXPECT_FALSE(
      mmaUnit(AccumKind::Exact, ElementKind::E4M3FN, ElementKind::E4M3FN));
}

TEST(Models, Check) {
  EXPECT_FALSE(checkModel({AccumKind::SeqF32, 0, {3, 5}}));
  EXPECT_FALSE(checkModel({AccumKind::Hopper, 128, {128, 512}}));
  EXPECT_EQ(*checkModel({AccumKind::Hopper, -1, {}}),
            "expected a promotion interval of 0 (none) or more, got -1");
  EXPECT_EQ(*checkModel({AccumKind::Hopper, 0, {5, 5}}),
            "expected ascending positive split boundaries, got 5 after 5");
  EXPECT_EQ(*checkModel({AccumKind::Hopper, 0, {0}}),
            "expected ascending positive split boundaries, got 0 after 0");
  EXPECT_EQ(*checkModel({AccumKind::Hopper, 128, {64}}),
            "expected split boundaries that are multiples of the promotion "
            "interval 128, got 64");
}

float dotF32(const std::vector<float> &a, const std::vector<float> &b,
             const AccumModel &model) {
  return dotValues(a.data(), ElementKind::F32, b.data(), ElementKind::F32,
                   static_cast<int64_t>(a.size()), model);
}

TEST(Models, SequentialRoundsProductAndSum) {
  std::vector<float> ones = {1.0f, 1.0f, 1.0f};
  EXPECT_EQ(dotF32({0x1p24f, 1.0f, 1.0f}, ones, {}), 0x1p24f);
  EXPECT_EQ(dotF32({1.0f, 1.0f, 0x1p24f}, ones, {}), 0x1p24f + 2);
  float x = 1 + 0x1p-12f;
  EXPECT_EQ(dotF32({-1.0f, x}, {1 + 0x1p-11f, x}, {}), 0.0f);
}

// 1 + 1 survives beside 2^24 only if the two are added before they meet it.
TEST(Models, PromotionAndSplitCutChains) {
  std::vector<float> a = {0x1p24f, 0.0f, 1.0f, 1.0f}, ones(4, 1.0f);
  EXPECT_EQ(dotF32(a, ones, {}), 0x1p24f);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::SeqF32, 2, {}}), 0x1p24f + 2);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::SeqF32, 0, {2}}), 0x1p24f + 2);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::SeqF32, 3, {}}), 0x1p24f);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::SeqF32, 0, {2, 3, 99}}), 0x1p24f);
}

// Parts are promoted on their own: (2^24 + (1 + 1)) + (1 + 1).
TEST(Models, PromotionInsideParts) {
  std::vector<float> a = {0x1p24f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f}, ones(6, 1.0f);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::SeqF32, 2, {4}}), 0x1p24f + 4);
}

TEST(Models, NaNResultsAreCanonical) {
  EXPECT_EQ(toBits(dotF32({fromBits(0xFFC00001u)}, {1.0f}, {})), kNaN32);
  uint8_t code = 0xFF;
  EXPECT_EQ(toBits(dot(&code, 1, ElementKind::E4M3FN, &code, 1,
                       ElementKind::E4M3FN, 1, {AccumKind::Hopper, 0, {}})),
            kNaN32);
}

TEST(Models, StridesAndKinds) {
  uint8_t a[] = {0x38, 0xAA, 0x40, 0xAA}; // E4M3FN 1, x, 2, x
  uint16_t b[] = {toBF16(3.0f), toBF16(5.0f)};
  EXPECT_EQ(dot(a, 2, ElementKind::E4M3FN, b + 1, -1, ElementKind::BF16, 2, {}),
            1.0f * 5.0f + 2.0f * 3.0f);
}

//===----------------------------------------------------------------------===//
// Exact sums
//===----------------------------------------------------------------------===//

/// `value` * 2^-60 rounded to f32, to nearest even.
float roundInt128(__int128 value) {
  bool negative = value < 0;
  unsigned __int128 magnitude = negative ? -value : value;
  int shift = 0;
  while (magnitude >> shift >> 24)
    ++shift;
  unsigned __int128 kept = magnitude >> shift;
  unsigned __int128 rest = magnitude - (kept << shift);
  if (shift) {
    unsigned __int128 half = static_cast<unsigned __int128>(1) << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
  }
  float result =
      std::ldexp(static_cast<float>(static_cast<uint32_t>(kept)), shift - 60);
  return negative && result != 0.0f ? -result : result;
}

TEST(ExactSum, EqualsInt128) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (int round = 0; round < 3000; ++round) {
    ExactSum sum;
    __int128 expected = 0;
    int terms = 1 + static_cast<int>(engine() % 60);
    for (int i = 0; i < terms; ++i) {
      // Integers of up to 16 bits at exponents down to -30: products are
      // multiples of 2^-60.
      int64_t x = static_cast<int16_t>(engine());
      int64_t y = static_cast<int16_t>(engine());
      int ex = static_cast<int>(engine() % 30), ey = engine() % 30;
      if (round % 2 && i % 2 == 0)
        ex = ey = 29;
      sum.addProduct(std::ldexp(static_cast<float>(x), ex - 30),
                     std::ldexp(static_cast<float>(y), ey - 30));
      expected += static_cast<__int128>(x * y) * (__int128{1} << (ex + ey));
    }
    ASSERT_EQ(toBits(sum.round()), toBits(roundInt128(expected))) << round;
  }
}

TEST(ExactSum, ExtremesOfF32) {
  float maxFloat = std::numeric_limits<float>::max();
  float minFloat = std::numeric_limits<float>::denorm_min();
  ExactSum tiny;
  tiny.addProduct(minFloat, minFloat);
  EXPECT_EQ(toBits(tiny.round()), 0u);
  tiny.add(minFloat);
  EXPECT_EQ(tiny.round(), minFloat);

  ExactSum large;
  large.addProduct(maxFloat, maxFloat);
  EXPECT_EQ(large.round(), kInfinity);
  large.addProduct(-maxFloat, maxFloat);
  EXPECT_EQ(toBits(large.round()), 0u);
  large.add(-minFloat);
  EXPECT_EQ(large.round(), -minFloat);

  // Half of the last bit above the largest float: to even is up.
  ExactSum edge;
  edge.add(maxFloat);
  edge.add(0x1p103f);
  EXPECT_EQ(edge.round(), kInfinity);
  edge.add(-minFloat);
  EXPECT_EQ(edge.round(), maxFloat);
}

TEST(ExactSum, Subnormals) {
  // 1.5 * 2^-149 is a tie between 1 and 2 units; with any more it is not.
  ExactSum sum;
  sum.addProduct(0x1.8p-100f, 0x1p-49f);
  EXPECT_EQ(toBits(sum.round()), 2u);
  sum.addProduct(-0x1p-149f, 0x1p-149f);
  EXPECT_EQ(toBits(sum.round()), 1u);
}

TEST(ExactSum, Specials) {
  ExactSum sum;
  sum.add(kInfinity);
  EXPECT_EQ(sum.round(), kInfinity);
  sum.addProduct(-kInfinity, 2.0f);
  EXPECT_EQ(toBits(sum.round()), kNaN32);
  ExactSum product;
  product.addProduct(kInfinity, 0.0f);
  EXPECT_EQ(toBits(product.round()), kNaN32);
}

TEST(ExactSum, AsAModelRoundsOncePerChain) {
  std::vector<float> a = {0x1p24f, 1.0f, 1.0f, -0x1p24f}, ones(4, 1.0f);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::Exact, 0, {}}), 2.0f);
  EXPECT_EQ(dotF32(a, ones, {AccumKind::Exact, 2, {}}),
            0x1p24f + (1.0f - 0x1p24f));
}

} // namespace
