//===- ConvertTest.cpp - Conversions against independent references -------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FP8 and E8M0 exhaustively against lib/Numerics, small formats against a table
// search over all codes, integers against the host.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Convert.h"

#include "Random.h"

#include "fp8/Numerics/Format.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fp8::emulator;
using namespace fp8::emulator::test;
namespace num = fp8::numerics;

namespace {

Conversion make(NumberType to, NumberType from, unsigned elements = 1) {
  Conversion c;
  c.to = to;
  c.from = from;
  c.elements = elements;
  c.satfinite = elements > 1;
  return c;
}

TEST(Convert, FP8CodesDecodeAsInNumerics) {
  for (auto [type, format] : {std::pair(NumberType::E4M3, num::Format::E4M3FN),
                              std::pair(NumberType::E5M2, num::Format::E5M2)})
    for (unsigned code = 0; code < 256; ++code) {
      float want = num::decode(code, format);
      uint32_t got = convertElement(make(NumberType::F32, type), code);
      EXPECT_EQ(got, want != want ? 0x7fffffff : asBits(want)) << code;
    }
}

TEST(Convert, FP8RoundingMatchesNumericsOnEveryF16) {
  for (auto [type, format] : {std::pair(NumberType::E4M3, num::Format::E4M3FN),
                              std::pair(NumberType::E5M2, num::Format::E5M2)}) {
    Conversion c = make(type, NumberType::F16, 2);
    for (uint32_t h = 0; h < 65536; ++h) {
      uint32_t f32 = convertElement(make(NumberType::F32, NumberType::F16), h);
      uint8_t want = num::encode(asFloat(f32), format, true);
      uint32_t low = h ^ 0x5a5a; // the other half
      uint32_t other =
          convertElement(make(NumberType::F32, NumberType::F16), low);
      uint8_t wantLow = num::encode(asFloat(other), format, true);
      ASSERT_EQ(convert(c, h << 16 | low), uint32_t(want) << 8 | wantLow);
    }
  }
}

/// The generic rounding function and Numerics are independent; they must agree.
TEST(Convert, GenericRoundingAgreesWithNumerics) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    uint32_t v = i & 1 ? random.f32()
                       : (random.below(2) << 31) |
                             (105 + random.below(40)) << 23 |
                             (random.bits() & 0x7fffff);
    PackOptions o;
    o.satfinite = i & 2;
    for (bool e4m3 : {true, false}) {
      Real r = unpack(v, F32Format);
      uint64_t got = pack(r, e4m3 ? E4M3Format : E5M2Format, o);
      ASSERT_EQ(got, num::encode(asFloat(v),
                                 e4m3 ? num::Format::E4M3FN : num::Format::E5M2,
                                 o.satfinite))
          << std::hex << v;
    }
  }
}

/// Values of all codes of a small format, by definition.
std::vector<double> valuesOf(NumberType type) {
  auto build = [](unsigned e, unsigned m, int bias) {
    std::vector<double> v;
    for (unsigned code = 0; code < 1u << (e + m); ++code) {
      unsigned x = code >> m, f = code & ((1u << m) - 1);
      v.push_back(std::ldexp(x ? f + (1u << m) : f,
                             int(std::max(x, 1u)) - bias - int(m)));
    }
    return v;
  };
  switch (type) {
  case NumberType::E2M1:
    return build(2, 1, 1);
  case NumberType::E2M3:
    return build(2, 3, 1);
  default:
    return build(3, 2, 3);
  }
}

TEST(Convert, SmallFormatsTakeTheNearestCode) {
  Random random(2);
  for (NumberType type :
       {NumberType::E2M1, NumberType::E2M3, NumberType::E3M2}) {
    std::vector<double> values = valuesOf(type);
    unsigned width = formatOf(type)->width(), sign = 1u << (width - 1);
    Conversion c = make(type, NumberType::F32, 2);
    for (int i = 0; i < 20000; ++i) {
      double x =
          std::ldexp(double(random.below(4096)), -8 - int(random.below(4)));
      if (i % 8 == 0) // exact ties
        x = (values[i / 8 % (values.size() - 1)] +
             values[i / 8 % (values.size() - 1) + 1]) /
            2;
      unsigned best = 0;
      for (unsigned code = 1; code < values.size(); ++code) {
        double d = std::fabs(values[code] - x), e = std::fabs(values[best] - x);
        if (d < e || (d == e && !(code & 1)))
          best = code;
      }
      uint32_t v = asBits(float(x));
      unsigned bits = storageBits(type);
      ASSERT_EQ(convert(c, v | 0x80000000, v), (best | sign) << bits | best)
          << x;
    }
    // NaN has no code: the largest value, positive.
    EXPECT_EQ(convertElement(c, 0xffc00000), values.size() - 1);
    // And back, exactly.
    for (unsigned code = 0; code < 2 * values.size(); ++code) {
      uint32_t got = convertElement(make(NumberType::F32, type), code);
      double want = values[code % values.size()];
      EXPECT_EQ(asFloat(got), code & sign ? -want : want);
    }
  }
}

TEST(Convert, PackedOperandsKeepTheirOrder) {
  Conversion c = make(NumberType::E4M3, NumberType::F32, 2);
  EXPECT_EQ(convert(c, asBits(1.0f), asBits(2.0f)), 0x3840u);
  c.relu = true;
  EXPECT_EQ(convert(c, asBits(-1.0f), asBits(2.0f)), 0x0040u);
  EXPECT_EQ(convert(make(NumberType::F16, NumberType::E4M3, 2), 0x3840),
            0x3c004000u);
  EXPECT_EQ(convert(make(NumberType::E2M1, NumberType::F32, 2), asBits(6.0f),
                    asBits(0.5f)),
            0x71u);
  Conversion bf = make(NumberType::BF16, NumberType::F32, 2);
  bf.satfinite = false;
  EXPECT_EQ(convert(bf, asBits(1.0f), asBits(INFINITY)), 0x3f807f80u);
}

TEST(Convert, UE8M0FollowsNumerics) {
  Random random(3);
  for (auto [rounding, rule] :
       {std::pair(Rounding::Up, num::E8M0Rounding::Up),
        std::pair(Rounding::TowardZero, num::E8M0Rounding::Down)})
    for (int i = 0; i < 20000; ++i) {
      Conversion c = make(NumberType::UE8M0, NumberType::F32, 2);
      c.rounding = rounding;
      uint32_t a = random.f32(), b = random.f32();
      ASSERT_EQ(convert(c, a, b),
                uint32_t(num::encodeE8M0(asFloat(a), rule, true)) << 8 |
                    num::encodeE8M0(asFloat(b), rule, true));
    }
  for (unsigned code = 0; code < 255; ++code)
    EXPECT_EQ(asFloat(decodeUE8M0(code)), std::ldexp(1.0f, int(code) - 127));
  EXPECT_EQ(convert(make(NumberType::BF16, NumberType::UE8M0, 2), 0x7fff),
            0x3f807fffu);
}

TEST(Convert, IntegersSaturateAndTruncate) {
  Random random(4);
  for (int i = 0; i < 50000; ++i) {
    uint32_t bits = random.f32();
    double v = asFloat(bits);
    Conversion c = make(NumberType::S32, NumberType::F32);
    c.rounding = Rounding::TowardZero;
    double t = std::trunc(v);
    int64_t want = v != v               ? 0
                   : t >= 2147483647.0  ? 2147483647
                   : t <= -2147483648.0 ? -2147483648ll
                                        : int64_t(t);
    ASSERT_EQ(convertElement(c, bits), uint32_t(want)) << v;
    c.rounding = Rounding::NearestEven;
    t = std::nearbyint(v);
    want = v != v               ? 0
           : t >= 2147483647.0  ? 2147483647
           : t <= -2147483648.0 ? -2147483648ll
                                : int64_t(t);
    ASSERT_EQ(convertElement(c, bits), uint32_t(want)) << v;
    c = make(NumberType::U8, NumberType::F32);
    c.rounding = Rounding::Down;
    t = std::floor(v);
    ASSERT_EQ(convertElement(c, bits),
              v != v ? 0u : unsigned(std::clamp(t, 0.0, 255.0)));
    int32_t n = random.bits();
    Conversion f = make(NumberType::F32, NumberType::S32);
    ASSERT_EQ(convertElement(f, uint32_t(n)), asBits(float(n)));
    Conversion s = make(NumberType::S8, NumberType::S32);
    ASSERT_EQ(convertElement(s, uint32_t(n)), uint8_t(n));
    s.sat = true;
    ASSERT_EQ(convertElement(s, uint32_t(n)),
              uint8_t(std::clamp(n, -128, 127)));
    Conversion w = make(NumberType::U64, NumberType::S32);
    ASSERT_EQ(convertElement(w, uint32_t(n)), uint64_t(int64_t(n)));
  }
}

TEST(Convert, NarrowingRoundsOnceInEveryMode) {
  Random random(5);
  for (Rounding mode : {Rounding::NearestEven, Rounding::TowardZero,
                        Rounding::Down, Rounding::Up})
    for (int i = 0; i < 20000; ++i) {
      uint32_t bits = random.f32();
      Conversion c = make(NumberType::F16, NumberType::F32);
      c.rounding = mode;
      uint16_t got = convertElement(c, bits);
      float v = asFloat(bits);
      if (v != v) {
        ASSERT_EQ(got, 0x7fff);
        continue;
      }
      // The result brackets the input on the side that the mode asks for, and
      // no code lies between.
      auto value = [](uint32_t h) {
        return asFloat(uint32_t(
            convertElement(make(NumberType::F32, NumberType::F16), h)));
      };
      float r = value(got);
      if (mode == Rounding::Down)
        ASSERT_LE(r, v);
      if (mode == Rounding::Up)
        ASSERT_GE(r, v);
      if (mode == Rounding::TowardZero)
        ASSERT_LE(std::fabs(r), std::fabs(v));
      if (mode == Rounding::NearestEven && std::fabs(v) < 65504) {
        float up = value(got + 1), down = (got & 0x7fff) ? value(got - 1) : r;
        ASSERT_LE(std::fabs(r - v), std::fabs(up - v));
        ASSERT_LE(std::fabs(r - v), std::fabs(down - v));
      }
    }
}

TEST(Convert, StochasticRoundingUsesTheRandomBits) {
  Conversion c = make(NumberType::BF16, NumberType::F32, 2);
  c.rounding = Rounding::Stochastic;
  c.satfinite = false;
  uint32_t v = 0x3f804000; // a quarter of the way to the next bf16
  EXPECT_EQ(convert(c, v, v, 0, 0, 0xbfffbfff), 0x3f803f80u);
  EXPECT_EQ(convert(c, v, v, 0, 0, 0xc000bfff), 0x3f813f80u);
}

TEST(Convert, Tf32AndIntegralRounding) {
  Conversion c = make(NumberType::TF32, NumberType::F32);
  c.rounding = Rounding::NearestAway;
  EXPECT_EQ(convertElement(c, 0x3f801000), 0x3f802000u);
  Conversion i = make(NumberType::F32, NumberType::F32);
  i.integral = true;
  EXPECT_EQ(convertElement(i, asBits(2.5f)), asBits(2.0f));
  EXPECT_EQ(convertElement(i, asBits(-0.4f)), asBits(-0.0f));
  i.rounding = Rounding::Down;
  EXPECT_EQ(convertElement(i, asBits(-0.4f)), asBits(-1.0f));
}

} // namespace
