//===- ScaleTest.cpp - Scales in every mode -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conformance table of what systems make of the same amax; every BF16 amax in
// every mode against formulas written with APFloat arithmetic, or, for powers
// of two, as "the smallest exponent that ..."; and the properties that modes
// promise.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Scale.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace fp8::numerics;
using llvm::APFloat;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();
const float kMax = std::numeric_limits<float>::max();
constexpr Format kFormats[] = {Format::E4M3FN, Format::E5M2};

//===----------------------------------------------------------------------===//
// The conformance table (E4M3FN)
//===----------------------------------------------------------------------===//

struct Row {
  float amax;
  // Up, RCeil, Floor, Even, Ceil, NoOverflow, UpClamped (epsilon 1e-4).
  uint8_t bytes[7];
  // TE, TE power of two, torchao.
  float multipliers[3];
};

const float kAO0 = 448.0f / 1e-12f;

const Row kTable[] = {
    {0.0f, {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x69}, {1, 1, kAO0}},
    {0x1p-149f,
     {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x69},
     {kMax, 0x1p127f, kAO0}},
    {1e-30f,
     {0x13, 0x13, 0x13, 0x13, 0x14, 0x13, 0x69},
     {4.48e32f, 0x1p108f, kAO0}},
    {1e-4f,
     {0x69, 0x69, 0x69, 0x69, 0x6A, 0x69, 0x69},
     {4.48e6f, 0x1p22f, 4.48e6f}},
    {1.0f, {0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77}, {448, 256, 448}},
    {256.0f, {0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F}, {1.75, 1, 1.75}},
    {447.0f,
     {0x7F, 0x7F, 0x7F, 0x7F, 0x80, 0x7F, 0x7F},
     {448.0f / 447.0f, 1, 448.0f / 447.0f}},
    {448.0f, {0x7F, 0x7F, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}, {1, 1, 1}},
    {448.0f + 0x1p-15f,
     {0x80, 0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x80},
     {1 - 0x1p-24f, 0.5, 1 - 0x1p-24f}},
    {464.0f,
     {0x80, 0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x80},
     {448.0f / 464.0f, 0.5, 448.0f / 464.0f}},
    {466.0f,
     {0x80, 0x80, 0x7F, 0x7F, 0x80, 0x80, 0x80},
     {448.0f / 466.0f, 0.5, 448.0f / 466.0f}},
    {480.0f,
     {0x80, 0x80, 0x7F, 0x7F, 0x80, 0x80, 0x80},
     {448.0f / 480.0f, 0.5, 448.0f / 480.0f}},
    {511.0f,
     {0x80, 0x80, 0x7F, 0x80, 0x80, 0x80, 0x80},
     {448.0f / 511.0f, 0.5, 448.0f / 511.0f}},
    {512.0f, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, {0.875, 0.5, 0.875}},
    {kMax,
     {0xF7, 0xF7, 0xF6, 0xFF, 0xF7, 0xF7, 0xF7},
     {448.0f / kMax, 0x1p-120f, 448.0f / kMax}},
    {kInfinity, {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE}, {1, 1, 0}},
    {kNaN, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE}, {1, 1, kNaN}},
};

TEST(ScaleTable, E8M0Bytes) {
  constexpr E8M0Rule rules[] = {
      E8M0Rule::Up,   E8M0Rule::RCeil,      E8M0Rule::Floor,    E8M0Rule::Even,
      E8M0Rule::Ceil, E8M0Rule::NoOverflow, E8M0Rule::UpClamped};
  for (const Row &row : kTable)
    for (int i = 0; i < 7; ++i)
      EXPECT_EQ(e8m0FromRawAmax(row.amax, Format::E4M3FN, rules[i],
                                i == 6 ? 1e-4f : 0.0f),
                row.bytes[i])
          << row.amax << " rule " << i;
}

TEST(ScaleTable, F32Multipliers) {
  ScaleOptions pow2;
  pow2.pow2 = true;
  for (const Row &row : kTable) {
    ScalePair pairs[] = {
        scaleFromRawAmax(row.amax, Format::E4M3FN, Mode::TE),
        scaleFromRawAmax(row.amax, Format::E4M3FN, Mode::TE, pow2),
        scaleFromRawAmax(row.amax, Format::E4M3FN, Mode::TorchAO)};
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(toBits(pairs[i].multiplier),
                toBits(canonicalize(row.multipliers[i])))
          << row.amax << " column " << i;
  }
}

// Between 448 and 464 the rules part; every f32 there behaves as the table
// says.
TEST(ScaleTable, Between448And464) {
  for (uint32_t bits = toBits(448.0f) + 1; bits <= toBits(464.0f); ++bits) {
    float amax = fromBits(bits);
    ASSERT_EQ(e8m0FromRawAmax(amax, Format::E4M3FN, E8M0Rule::Up), 0x80);
    ASSERT_EQ(e8m0FromRawAmax(amax, Format::E4M3FN, E8M0Rule::NoOverflow),
              0x7F);
    ASSERT_EQ(e8m0FromRawAmax(amax, Format::E4M3FN, E8M0Rule::UpClamped), 0x80);
  }
}

//===----------------------------------------------------------------------===//
// Every BF16 amax
//===----------------------------------------------------------------------===//

/// Calls `check` with every non-negative BF16 value, infinity and a NaN.
template <typename Check>
void forEveryAmax(Check check) {
  for (unsigned bits = 0; bits <= 0x7F80; ++bits) {
    check(fromBF16(static_cast<uint16_t>(bits)));
    if (testing::Test::HasFatalFailure())
      return;
  }
  check(kNaN);
}

constexpr auto kRNE = APFloat::rmNearestTiesToEven;

float divide(float a, float b) {
  APFloat quotient(a);
  quotient.divide(APFloat(b), kRNE);
  return quotient.convertToFloat();
}

/// The largest power of two that is at most `value`.
float powerBelow(float value) {
  return std::isfinite(value) && value != 0.0f
             ? std::ldexp(1.0f, std::ilogb(value))
             : value;
}

bool sameOrBothNaN(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || toBits(a) == toBits(b);
}

void expectPair(ScalePair actual, ScalePair expected, float amax,
                const char *what) {
  ASSERT_TRUE(sameOrBothNaN(actual.multiplier, expected.multiplier))
      << what << " amax " << amax << " multiplier " << actual.multiplier
      << " expected " << expected.multiplier;
  ASSERT_TRUE(sameOrBothNaN(actual.scale, expected.scale))
      << what << " amax " << amax << " scale " << actual.scale << " expected "
      << expected.scale;
}

template <typename Check>
void forEveryOption(Check check) {
  for (Format format : kFormats)
    for (int margin : {0, 3, -2})
      for (bool pow2 : {false, true}) {
        ScaleOptions options;
        options.margin = margin;
        options.pow2 = pow2;
        options.previous = {3.0f, divide(1.0f, 3.0f)};
        check(format, options, std::ldexp(maxFinite(format), -margin));
        if (testing::Test::HasFatalFailure())
          return;
      }
}

TEST(ScaleEveryBF16, SafeAndTE) {
  for (Mode mode : {Mode::Safe, Mode::TE})
    forEveryOption([&](Format format, const ScaleOptions &options, float top) {
      forEveryAmax([&](float amax) {
        ScalePair expected = options.previous;
        if (std::isfinite(amax) && amax > 0.0f) {
          float s = std::min(divide(top, amax), kMax);
          s = options.pow2 ? powerBelow(s) : s;
          expected = {s, divide(1.0f, s)};
        }
        expectPair(scaleFromRawAmax(amax, format, mode, options), expected,
                   amax, "te");
      });
    });
}

TEST(ScaleEveryBF16, Flax) {
  forEveryOption([&](Format format, const ScaleOptions &options, float) {
    if (options.pow2)
      return;
    forEveryAmax([&](float amax) {
      float factor =
          std::ldexp(divide(maxFinite(format), amax), -options.margin);
      if (!(amax > 0.0f) || !std::isfinite(amax))
        factor = divide(1.0f, options.previous.scale);
      expectPair(scaleFromRawAmax(amax, format, Mode::Flax, options),
                 {factor, divide(1.0f, factor)}, amax, "flax");
    });
  });
}

TEST(ScaleEveryBF16, TorchAO) {
  forEveryOption([&](Format format, const ScaleOptions &options, float top) {
    forEveryAmax([&](float amax) {
      // torchao divides in f64 and rounds to f32 once.
      double bounded = amax < 1e-12 ? 1e-12 : static_cast<double>(amax);
      float s = static_cast<float>(static_cast<double>(top) / bounded);
      s = options.pow2 ? powerBelow(s) : s;
      expectPair(scaleFromRawAmax(amax, format, Mode::TorchAO, options),
                 {s, divide(1.0f, s)}, amax, "torchao");
    });
  });
}

TEST(ScaleEveryBF16, DeepGEMM) {
  forEveryOption([&](Format format, const ScaleOptions &options, float top) {
    forEveryAmax([&](float amax) {
      float scale = divide(amax < 1e-4f ? 1e-4f : amax, top);
      if (options.pow2) {
        int e = -126;
        while (e < 127 && !(std::ldexp(1.0f, e) >= scale))
          ++e;
        scale = std::ldexp(1.0f, e);
      }
      expectPair(scaleFromRawAmax(amax, format, Mode::DeepGEMM, options),
                 {divide(1.0f, scale), scale}, amax, "deepgemm");
    });
  });
}

TEST(ScaleEveryBF16, OCP) {
  forEveryOption([&](Format format, const ScaleOptions &options, float) {
    forEveryAmax([&](float amax) {
      ScalePair expected = {kNaN, kNaN};
      if (std::isfinite(amax)) {
        int e =
            amax == 0.0f ? -1000 : std::ilogb(amax) - info(format).maxExponent;
        e = std::max(-127, e) + options.margin;
        e = std::min(std::max(e, -127), 127);
        expected = {std::ldexp(1.0f, -e), std::ldexp(1.0f, e)};
      }
      expectPair(scaleFromRawAmax(amax, format, Mode::OCP, options), expected,
                 amax, "ocp");
    });
  });
}

/// The smallest byte whose scale satisfies `fits`, which is monotonic.
template <typename Fits>
uint8_t smallestByte(Fits fits) {
  for (int e = -127; e < 128; ++e)
    if (fits(e))
      return static_cast<uint8_t>(e + 127);
  return 0xFF;
}

/// `amax` rounded to the format's mantissa, halves away from zero.
double roundedToMantissa(double amax, Format format) {
  if (amax == 0.0)
    return 0.0;
  int unit = std::ilogb(amax) - info(format).mantissaBits;
  return std::ldexp(std::floor(std::ldexp(amax, -unit) + 0.5), unit);
}

TEST(ScaleEveryBF16, E8M0Rules) {
  for (Format format : kFormats) {
    double top = maxFinite(format);
    int emax = info(format).maxExponent;
    forEveryAmax([&](float raw) {
      if (!std::isfinite(raw))
        return;
      double amax = raw;
      auto rule = [&](E8M0Rule r) { return e8m0FromRawAmax(raw, format, r); };
      auto power = [](int e) { return std::ldexp(1.0, e); };
      uint8_t up = smallestByte([&](int e) { return top * power(e) >= amax; });
      ASSERT_EQ(rule(E8M0Rule::Up), up) << raw;
      ASSERT_EQ(rule(E8M0Rule::RCeil), up) << raw;
      ASSERT_EQ(rule(E8M0Rule::UpClamped), std::max<int>(up, 1)) << raw;
      ASSERT_EQ(rule(E8M0Rule::Floor),
                smallestByte([&](int e) { return power(e + emax + 1) > amax; }))
          << raw;
      ASSERT_EQ(rule(E8M0Rule::Ceil),
                smallestByte([&](int e) { return power(e + emax) >= amax; }))
          << raw;
      ASSERT_EQ(rule(E8M0Rule::NoOverflow), smallestByte([&](int e) {
                  float scaled = static_cast<float>(amax / power(e));
                  return !isNonFinite(encode(scaled, format, false), format);
                }))
          << raw;
      double rounded = roundedToMantissa(amax, format);
      ASSERT_EQ(rule(E8M0Rule::Even),
                rounded >= 0x1p128 ? 0xFF : smallestByte([&](int e) {
                  return power(e + emax + 1) > rounded;
                }))
          << raw;
    });
  }
}

//===----------------------------------------------------------------------===//
// What each mode sees, and casts
//===----------------------------------------------------------------------===//

TEST(Scale, FlagsMapPerMode) {
  Amax nan = {2.0f, AmaxNaN}, inf = {2.0f, AmaxInf};
  EXPECT_EQ(amaxSeenBy(Mode::Safe, nan), 2.0f);
  EXPECT_EQ(amaxSeenBy(Mode::Safe, inf), 2.0f);
  EXPECT_EQ(amaxSeenBy(Mode::TE, nan), 2.0f);
  EXPECT_EQ(amaxSeenBy(Mode::TE, inf), kInfinity);
  for (Mode mode : {Mode::Flax, Mode::OCP, Mode::TorchAO, Mode::DeepGEMM}) {
    EXPECT_TRUE(std::isnan(amaxSeenBy(mode, nan)));
    EXPECT_EQ(amaxSeenBy(mode, inf), kInfinity);
  }
  EXPECT_EQ(scaleFromAmax(inf, Format::E4M3FN, Mode::Safe).multiplier, 224.0f);
  EXPECT_EQ(scaleFromAmax(inf, Format::E4M3FN, Mode::TE).multiplier, 1.0f);
  EXPECT_EQ(scaleFromAmax(nan, Format::E4M3FN, Mode::TE).multiplier, 224.0f);
  EXPECT_EQ(e8m0FromAmax(inf, Format::E4M3FN, Mode::TE, E8M0Rule::Up), 0xFE);
  EXPECT_EQ(e8m0FromAmax({0.0f, 0}, Format::E4M3FN, Mode::DeepGEMM,
                         defaultE8M0Rule(Mode::DeepGEMM)),
            0x69);
}

TEST(Scale, EpsilonBoundsTheAmax) {
  ScaleOptions options;
  options.epsilon = 2.0f;
  EXPECT_EQ(
      scaleFromAmax({0.0f, 0}, Format::E4M3FN, Mode::TE, options).multiplier,
      224.0f);
  options.epsilon = 0.0f;
  EXPECT_EQ(
      scaleFromAmax({0.0f, 0}, Format::E4M3FN, Mode::DeepGEMM, options).scale,
      0.0f);
}

TEST(Scale, OverflowClampIsAnOption) {
  ScaleOptions options;
  options.overflow = fromBF16(0x7F7F);
  EXPECT_EQ(scaleFromAmax({0x1p-149f, 0}, Format::E4M3FN, Mode::TE, options)
                .multiplier,
            fromBF16(0x7F7F));
}

TEST(Scale, SafeMultipliersHaveFiniteReciprocals) {
  ScaleOptions options;
  options.margin = 64;
  EXPECT_EQ(
      scaleFromAmax({kMax, 0}, Format::E4M3FN, Mode::Safe, options).multiplier,
      std::numeric_limits<float>::min());
}

TEST(Scale, PairFromE8M0) {
  for (int code = 0; code < 255; ++code) {
    ScalePair pair = pairFromE8M0(static_cast<uint8_t>(code));
    EXPECT_EQ(pair.multiplier, std::ldexp(1.0f, 127 - code)) << code;
    EXPECT_EQ(pair.scale, std::ldexp(1.0f, code - 127)) << code;
  }
  EXPECT_TRUE(std::isnan(pairFromE8M0(255).multiplier));
  EXPECT_TRUE(std::isnan(pairFromE8M0(255).scale));
}

// The amax itself always lands on the largest code: scaled it may exceed 448 by
// one ulp, never 464. Power-of-two multipliers do not exceed 448 at all.
TEST(Scale, AmaxLandsOnTheLargestCode) {
  for (Format format : kFormats)
    for (Mode mode : {Mode::Safe, Mode::TE, Mode::Flax, Mode::DeepGEMM})
      forEveryAmax([&](float amax) {
        if (!std::isfinite(amax) || amax < 1e-4f)
          return;
        ScalePair pair = scaleFromRawAmax(amax, format, mode);
        uint8_t largest = format == Format::E4M3FN ? 0x7E : 0x7B;
        ASSERT_EQ(quantize(amax, pair, mode, format, false), largest) << amax;
        ScaleOptions options;
        options.pow2 = true;
        ScalePair power = scaleFromRawAmax(amax, format, mode, options);
        ASSERT_LE(amax * power.multiplier, maxFinite(format)) << amax;
      });
}

// Multiplying by the reciprocal is not dividing; the two modes that divide do.
TEST(Scale, CastsThatDivide) {
  int differ = 0;
  forEveryAmax([&](float amax) {
    if (!std::isfinite(amax) || amax < 1e-4f)
      return;
    ScalePair pair = scaleFromRawAmax(amax, Format::E4M3FN, Mode::DeepGEMM);
    for (float x : {amax / 3, amax / 7}) {
      EXPECT_EQ(quantize(x, pair, Mode::DeepGEMM, Format::E4M3FN),
                encode(divide(x, pair.scale), Format::E4M3FN, true));
      differ += divide(x, pair.scale) != x * pair.multiplier;
    }
  });
  EXPECT_GT(differ, 0);
}

TEST(Scale, DequantizeIsOneRoundedProduct) {
  EXPECT_EQ(dequantize(0x7E, 0.1f, Format::E4M3FN), 448.0f * 0.1f);
  EXPECT_EQ(toBits(dequantize(0xFF, 2.0f, Format::E4M3FN)), kNaN32);
  EXPECT_EQ(toBits(dequantize(0x7C, 0.0f, Format::E5M2)), kNaN32);
}

} // namespace
