//===- FormatTest.cpp - Conversions against APFloat, exhaustively ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All codes; all 65,536 BF16 inputs; every code and every midpoint between two
// codes with one f32 ulp on either side; saturating or not. The expectation is
// LLVM's APFloat plus the rules that are this project's own (saturation, NaN).
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Format.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace fp8::numerics;
using llvm::APFloat;

namespace {

constexpr Format kSigned[] = {Format::E4M3FN, Format::E5M2};
const float kInfinity = std::numeric_limits<float>::infinity();

const llvm::fltSemantics &semanticsOf(Format format) {
  switch (format) {
  case Format::E4M3FN:
    return APFloat::Float8E4M3FN();
  case Format::E5M2:
    return APFloat::Float8E5M2();
  case Format::E8M0:
    break;
  }
  return APFloat::Float8E8M0FNU();
}

uint64_t bitsOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

uint8_t expectedCode(float value, Format format, bool saturate) {
  if (std::isnan(value))
    return 0x7F;
  APFloat converted(value);
  bool loses;
  converted.convert(semanticsOf(format), APFloat::rmNearestTiesToEven, &loses);
  if (saturate && !converted.isFinite()) {
    uint8_t largest = format == Format::E4M3FN ? 0x7E : 0x7B;
    return std::signbit(value) ? largest | 0x80 : largest;
  }
  if (converted.isNaN())
    return 0x7F;
  return static_cast<uint8_t>(bitsOf(converted));
}

void expectEncodes(float value) {
  for (Format format : kSigned)
    for (bool saturate : {false, true})
      ASSERT_EQ(encode(value, format, saturate),
                expectedCode(value, format, saturate))
          << value << " format " << static_cast<int>(format) << " saturate "
          << saturate;
}

/// `value` and its neighbours, with both signs.
void expectEncodesAround(float value) {
  for (float v : {value, std::nextafter(value, -kInfinity),
                  std::nextafter(value, kInfinity)}) {
    expectEncodes(v);
    expectEncodes(-v);
  }
}

TEST(Format, DecodesEveryCode) {
  for (Format format : {Format::E4M3FN, Format::E5M2, Format::E8M0})
    for (unsigned code = 0; code < 256; ++code) {
      APFloat expected(semanticsOf(format), llvm::APInt(8, code));
      float value = decode(static_cast<uint8_t>(code), format);
      EXPECT_EQ(isNonFinite(code, format), !expected.isFinite()) << code;
      if (expected.isNaN())
        EXPECT_EQ(toBits(value), kNaN32) << code;
      else
        EXPECT_EQ(toBits(value), toBits(expected.convertToFloat())) << code;
      EXPECT_EQ(toBits(decodeTable(format)[code]), toBits(value)) << code;
    }
}

TEST(Format, EncodesEveryCodeToItself) {
  for (Format format : {Format::E4M3FN, Format::E5M2, Format::E8M0})
    for (bool saturate : {false, true})
      for (unsigned code = 0; code < 256; ++code) {
        float value = decode(static_cast<uint8_t>(code), format);
        if (!std::isfinite(value))
          continue;
        EXPECT_EQ(encode(value, format, saturate), code);
      }
}

TEST(Format, EncodesEveryBF16) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    expectEncodes(fromBF16(static_cast<uint16_t>(bits)));
    if (HasFatalFailure())
      return;
  }
}

TEST(Format, EncodesAroundEveryBoundary) {
  for (Format format : kSigned)
    for (unsigned code = 0; code + 1 < 128; ++code) {
      float low = decode(static_cast<uint8_t>(code), format);
      float high = decode(static_cast<uint8_t>(code + 1), format);
      if (!std::isfinite(low))
        break;
      expectEncodesAround(low);
      if (std::isfinite(high))
        expectEncodesAround((low + high) / 2);
      if (HasFatalFailure())
        return;
    }
  // The first numbers that overflow, and the ends of f32.
  for (float value : {464.0f, 480.0f, 512.0f, 61440.0f, 65536.0f,
                      std::numeric_limits<float>::max(), kInfinity,
                      std::numeric_limits<float>::min(),
                      std::numeric_limits<float>::denorm_min()})
    expectEncodesAround(value);
}

TEST(Format, EncodesRandomBits) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (int i = 0; i < 200000; ++i) {
    expectEncodes(fromBits(static_cast<uint32_t>(engine())));
    if (HasFatalFailure())
      return;
  }
}

TEST(Format, EncodesSpecials) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  for (Format format : kSigned)
    for (bool saturate : {false, true})
      for (float value : {nan, -nan, fromBits(0x7F800001u)})
        EXPECT_EQ(encode(value, format, saturate), 0x7F);
  EXPECT_EQ(encode(kInfinity, Format::E4M3FN, true), 0x7E);
  EXPECT_EQ(encode(-kInfinity, Format::E4M3FN, true), 0xFE);
  EXPECT_EQ(encode(kInfinity, Format::E5M2, true), 0x7B);
  EXPECT_EQ(encode(-kInfinity, Format::E5M2, true), 0xFB);
  EXPECT_EQ(encode(-kInfinity, Format::E4M3FN, false), 0x7F);
  EXPECT_EQ(encode(-kInfinity, Format::E5M2, false), 0xFC);
  EXPECT_EQ(encode(-0.0f, Format::E4M3FN, true), 0x80);
}

TEST(Format, FactsAgreeWithAPFloat) {
  for (Format format : {Format::E4M3FN, Format::E5M2, Format::E8M0}) {
    const llvm::fltSemantics &semantics = semanticsOf(format);
    const FormatInfo &facts = info(format);
    EXPECT_EQ(facts.maxFinite, APFloat::getLargest(semantics).convertToFloat());
    EXPECT_EQ(facts.minNormal,
              APFloat::getSmallestNormalized(semantics).convertToFloat());
    EXPECT_EQ(facts.minSubnormal,
              APFloat::getSmallest(semantics).convertToFloat());
    EXPECT_EQ(facts.maxExponent, std::ilogb(facts.maxFinite));
    EXPECT_EQ(facts.minExponent, std::ilogb(facts.minNormal));
  }
}

//===----------------------------------------------------------------------===//
// E8M0
//===----------------------------------------------------------------------===//

void expectE8M0(float value) {
  struct {
    E8M0Rounding rounding;
    llvm::RoundingMode mode;
  } const modes[] = {{E8M0Rounding::NearestEven, APFloat::rmNearestTiesToEven},
                     {E8M0Rounding::Up, APFloat::rmTowardPositive},
                     {E8M0Rounding::Down, APFloat::rmTowardZero}};
  for (auto [rounding, mode] : modes) {
    APFloat converted(value);
    bool loses;
    converted.convert(APFloat::Float8E8M0FNU(), mode, &loses);
    // APFloat rounds 2^127 * 1.5 and more toward zero to 0xFE, upward to NaN.
    uint8_t expected = static_cast<uint8_t>(bitsOf(converted));
    ASSERT_EQ(encodeE8M0(value, rounding, false), expected) << value;
    ASSERT_EQ(encodeE8M0(value, rounding, true),
              expected == 0xFF ? 0xFE : expected)
        << value;
  }
}

TEST(FormatE8M0, EncodesEveryPositiveBF16) {
  for (unsigned bits = 0; bits < 0x7F80; ++bits) {
    float value = fromBF16(static_cast<uint16_t>(bits));
    if (value < 0x1p-127f)
      continue;
    expectE8M0(value);
    if (HasFatalFailure())
      return;
  }
}

TEST(FormatE8M0, EncodesAroundEveryBoundary) {
  for (unsigned code = 0; code < 255; ++code)
    for (float factor : {1.0f, 1.5f}) {
      float value = decodeE8M0(static_cast<uint8_t>(code)) * factor;
      for (float v : {value, std::nextafter(value, 0.0f),
                      std::nextafter(value, kInfinity)})
        if (v >= 0x1p-127f)
          expectE8M0(v);
      if (HasFatalFailure())
        return;
    }
}

TEST(FormatE8M0, EncodesSpecials) {
  for (E8M0Rounding rounding :
       {E8M0Rounding::NearestEven, E8M0Rounding::Up, E8M0Rounding::Down}) {
    for (bool saturate : {false, true}) {
      EXPECT_EQ(encodeE8M0(0.0f, rounding, saturate), 0x00);
      EXPECT_EQ(encodeE8M0(-0.0f, rounding, saturate), 0x00);
      EXPECT_EQ(encodeE8M0(0x1p-149f, rounding, saturate), 0x00);
      EXPECT_EQ(encodeE8M0(0x1p-127f, rounding, saturate), 0x00);
      EXPECT_EQ(encodeE8M0(-1.0f, rounding, saturate), 0xFF);
      EXPECT_EQ(encodeE8M0(fromBits(kNaN32), rounding, saturate), 0xFF);
    }
    EXPECT_EQ(encodeE8M0(kInfinity, rounding, false), 0xFF);
    EXPECT_EQ(encodeE8M0(kInfinity, rounding, true), 0xFE);
  }
}

//===----------------------------------------------------------------------===//
// BF16
//===----------------------------------------------------------------------===//

TEST(FormatBF16, RoundsLikeAPFloat) {
  for (uint32_t high = 0; high < 65536; ++high)
    for (uint32_t low : {0u, 1u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      float value = fromBits(high << 16 | low);
      uint16_t code = toBF16(value);
      if (std::isnan(value)) {
        ASSERT_EQ(code, kNaNBF16);
        continue;
      }
      APFloat converted(value);
      bool loses;
      converted.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven,
                        &loses);
      ASSERT_EQ(code, bitsOf(converted)) << value;
      ASSERT_EQ(toBits(roundToBF16(value)), uint32_t{code} << 16);
    }
}

} // namespace
