//===- ArithTest.cpp - Float arithmetic against the host ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is the host's floating-point unit in each rounding mode, which
// the engine does not use for directed rounding; long double with a search over
// all codes for 16-bit formats; libm for the approximations.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Arith.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>
#include <vector>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

int hostMode(Rounding r) {
  switch (r) {
  case Rounding::TowardZero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

/// One operation of the host in one rounding mode.
template <typename T>
__attribute__((noinline)) T hostCompute(FloatOp op, Rounding rounding, T a, T b,
                                        T c) {
  volatile T x = a, y = b, z = c, r = 0;
  std::fesetround(hostMode(rounding));
  switch (op) {
  case FloatOp::Add:
    r = x + y;
    break;
  case FloatOp::Sub:
    r = x - y;
    break;
  case FloatOp::Mul:
    r = x * y;
    break;
  case FloatOp::Div:
    r = x / y;
    break;
  case FloatOp::Sqrt:
    r = std::sqrt(x);
    break;
  case FloatOp::Fma:
    r = std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
    break;
  default:
    break;
  }
  std::fesetround(FE_TONEAREST);
  return r;
}

const FloatOp ExactOps[] = {FloatOp::Add, FloatOp::Sub,  FloatOp::Mul,
                            FloatOp::Div, FloatOp::Sqrt, FloatOp::Fma};
const Rounding Modes[] = {Rounding::NearestEven, Rounding::TowardZero,
                          Rounding::Down, Rounding::Up};

TEST(Arith, F32MatchesTheHostInEveryRoundingMode) {
  Random random(1);
  for (FloatOp op : ExactOps)
    for (Rounding rounding : Modes)
      for (int i = 0; i < 20000; ++i) {
        uint32_t a = random.f32(), b = random.f32(), c = random.f32();
        if (i % 4 == 0 && op == FloatOp::Fma) // force cancellation
          c = asBits(-(asFloat(a) * asFloat(b)));
        FloatMode mode;
        mode.rounding = rounding;
        float want =
            hostCompute(op, rounding, asFloat(a), asFloat(b), asFloat(c));
        uint32_t expected = want != want ? 0x7fffffff : asBits(want);
        ASSERT_EQ(evaluate(op, FloatType::F32, mode, a, b, c), expected)
            << std::hex << a << " " << b << " " << c << " op " << int(op)
            << " mode " << int(rounding);
      }
}

TEST(Arith, F64MatchesTheHostInEveryRoundingMode) {
  Random random(2);
  for (FloatOp op : ExactOps)
    for (Rounding rounding : Modes)
      for (int i = 0; i < 10000; ++i) {
        uint64_t bits[3];
        double v[3];
        for (int j = 0; j < 3; ++j)
          bits[j] = random.floatBits(11, 52);
        std::memcpy(v, bits, sizeof v);
        FloatMode mode;
        mode.rounding = rounding;
        double want = hostCompute(op, rounding, v[0], v[1], v[2]);
        uint64_t expected;
        std::memcpy(&expected, &want, 8);
        if (want != want)
          expected = 0x7ff8000000000000;
        ASSERT_EQ(evaluate(op, FloatType::F64, mode, bits[0], bits[1], bits[2]),
                  expected)
            << v[0] << " " << v[1] << " " << v[2] << " op " << int(op);
      }
}

/// Nearest code of a 16-bit format, ties to even, by search over all codes.
uint32_t nearestCode(long double v, unsigned exponent, unsigned mantissa) {
  if (v != v)
    return 0x7fff;
  uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  v = std::fabs(v);
  int bias = (1 << (exponent - 1)) - 1;
  auto value = [&](uint32_t code) {
    int e = code >> mantissa;
    uint32_t m = code & ((1u << mantissa) - 1);
    long double scale = e ? m + (1u << mantissa) : m;
    return std::ldexp(scale, std::max(e, 1) - bias - int(mantissa));
  };
  uint32_t infinity = ((1u << exponent) - 1) << mantissa;
  uint32_t low = 0, high = infinity; // value(infinity): the next power of two
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    (value(middle) <= v ? low : high) = middle;
  }
  if (v >= value(infinity))
    return sign | infinity;
  long double below = v - value(low), above = value(high) - v;
  bool up = above < below || (above == below && (low & 1));
  return sign | (up ? high : low);
}

long double valueOf16(uint32_t bits, bool bf16) {
  unsigned mantissa = bf16 ? 7 : 10, exponent = bf16 ? 8 : 5;
  uint32_t e = (bits >> mantissa) & ((1u << exponent) - 1);
  uint32_t m = bits & ((1u << mantissa) - 1);
  long double v;
  if (e == (1u << exponent) - 1)
    v = m ? NAN : INFINITY;
  else
    v = std::ldexp(static_cast<long double>(e ? m + (1u << mantissa) : m),
                   int(std::max(e, 1u)) - (bf16 ? 127 : 15) - int(mantissa));
  return bits >> 15 ? -v : v;
}

TEST(Arith, SixteenBitOperationsRoundOnce) {
  Random random(3);
  const FloatOp ops[] = {FloatOp::Add, FloatOp::Sub, FloatOp::Mul,
                         FloatOp::Fma};
  for (bool bf16 : {false, true})
    for (FloatOp op : ops)
      for (int i = 0; i < 30000; ++i) {
        uint32_t in[3];
        long double v[3];
        for (int j = 0; j < 3; ++j) {
          // bf16: keep exponents close enough for long double to be exact.
          in[j] = bf16 ? (random.below(2) << 15) |
                             (112 + random.below(26)) << 7 | random.below(128)
                       : uint32_t(random.floatBits(5, 10));
          v[j] = valueOf16(in[j], bf16);
        }
        long double want = op == FloatOp::Add   ? v[0] + v[1]
                           : op == FloatOp::Sub ? v[0] - v[1]
                           : op == FloatOp::Mul ? v[0] * v[1]
                                                : v[0] * v[1] + v[2];
        uint32_t expected = nearestCode(want, bf16 ? 8 : 5, bf16 ? 7 : 10);
        FloatType type = bf16 ? FloatType::BF16 : FloatType::F16;
        ASSERT_EQ(evaluate(op, type, FloatMode(), in[0], in[1], in[2]),
                  expected)
            << std::hex << in[0] << " " << in[1] << " " << in[2];
      }
}

TEST(Arith, WarpLoopsEqualTheScalarForm) {
  Random random(4);
  const FloatType types[] = {FloatType::F16, FloatType::BF16, FloatType::F16x2,
                             FloatType::BF16x2, FloatType::F32};
  for (FloatType type : types)
    for (int opIndex = 0; opIndex <= int(FloatOp::TestSubnormal); ++opIndex)
      for (int variant = 0; variant < 4; ++variant) {
        FloatOp op = FloatOp(opIndex);
        FloatMode mode;
        mode.ftz = variant == 1;
        mode.sat = variant == 2;
        mode.rounding = variant == 3 ? Rounding::Up : Rounding::NearestEven;
        LaneFunction32 f = selectLanes32(op, type, mode);
        ASSERT_NE(f, nullptr);
        for (int round = 0; round < 20; ++round) {
          uint32_t a[32], b[32], c[32], d[32], before[32];
          for (int i = 0; i < 32; ++i) {
            auto draw = [&]() -> uint32_t {
              if (type == FloatType::F32)
                return random.f32();
              bool bf16 = type == FloatType::BF16 || type == FloatType::BF16x2;
              uint32_t low = random.floatBits(bf16 ? 8 : 5, bf16 ? 7 : 10);
              return low | random.floatBits(bf16 ? 8 : 5, bf16 ? 7 : 10) << 16;
            };
            a[i] = draw();
            b[i] = draw();
            c[i] = draw();
            d[i] = before[i] = random.bits();
          }
          uint32_t mask = round ? random.bits() : ~0u;
          f(mode, mask, d, a, b, c);
          for (int i = 0; i < 32; ++i) {
            uint32_t want =
                (mask >> i) & 1
                    ? uint32_t(evaluate(op, type, mode, a[i], b[i], c[i]))
                    : before[i];
            ASSERT_EQ(d[i], want)
                << std::hex << a[i] << " " << b[i] << " " << c[i] << " op "
                << opIndex << " type " << int(type) << " variant " << variant;
          }
        }
      }
}

TEST(Arith, F64WarpLoopsEqualTheScalarForm) {
  Random random(5);
  for (FloatOp op : {FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div,
                     FloatOp::Fma, FloatOp::Sqrt}) {
    LaneFunction64 f = selectLanes64(op, FloatType::F64, FloatMode());
    uint64_t a[32], b[32], c[32], d[32];
    for (int round = 0; round < 50; ++round) {
      for (int i = 0; i < 32; ++i) {
        a[i] = random.floatBits(11, 52);
        b[i] = random.floatBits(11, 52);
        c[i] = random.floatBits(11, 52);
      }
      f(FloatMode(), ~0u, d, a, b, c);
      for (int i = 0; i < 32; ++i)
        ASSERT_EQ(d[i],
                  evaluate(op, FloatType::F64, FloatMode(), a[i], b[i], c[i]));
    }
  }
}

TEST(Arith, FlushAndSaturate) {
  FloatMode ftz, sat, relu;
  ftz.ftz = sat.sat = relu.relu = true;
  auto mul = [](FloatMode m, uint32_t a, uint32_t b) {
    return evaluate(FloatOp::Mul, FloatType::F32, m, a, b);
  };
  EXPECT_EQ(mul(ftz, 0x80000001, 0x3f800000), 0x80000000u); // input flushed
  EXPECT_EQ(mul(ftz, 0x80800000, 0x3f000000), 0x80000000u); // result flushed
  EXPECT_EQ(mul(FloatMode(), 0x80800000, 0x3f000000), 0x80400000u);
  EXPECT_EQ(mul(sat, 0x40000000, 0x40000000), 0x3f800000u);
  EXPECT_EQ(mul(sat, 0xc0000000, 0x40000000), 0u);
  EXPECT_EQ(mul(sat, 0x7fc00000, 0x40000000), 0u); // NaN
  EXPECT_EQ(
      evaluate(FloatOp::Fma, FloatType::F16x2, relu, 0xbc003c00, 0x40004000, 0),
      0x00004000u);
}

TEST(Arith, MinAndMaxOrderZerosAndDropNaN) {
  auto run = [](FloatOp op, FloatMode m, uint32_t a, uint32_t b) {
    return uint32_t(evaluate(op, FloatType::F32, m, a, b));
  };
  FloatMode plain, nan, xorsign;
  nan.nan = xorsign.xorsign = true;
  EXPECT_EQ(run(FloatOp::Min, plain, 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(run(FloatOp::Max, plain, 0x80000000, 0), 0u);
  EXPECT_EQ(run(FloatOp::Max, plain, 0x7fc00001, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(run(FloatOp::Max, nan, 0x7fc00001, 0x3f800000), 0x7fffffffu);
  EXPECT_EQ(run(FloatOp::Max, xorsign, 0xc0000000, 0x3f800000), 0xc0000000u);
  EXPECT_EQ(run(FloatOp::Min, xorsign, 0xc0000000, 0xbf800000), 0x3f800000u);
}

TEST(Arith, ComparisonsTreatNaNAsUnordered) {
  uint32_t nan = 0x7fc00000, one = 0x3f800000, zero = 0x80000000;
  EXPECT_FALSE(compare(Compare::Ne, FloatType::F32, false, nan, one));
  EXPECT_TRUE(compare(Compare::NeU, FloatType::F32, false, nan, one));
  EXPECT_TRUE(compare(Compare::Eq, FloatType::F32, false, zero, 0));
  EXPECT_TRUE(compare(Compare::LtU, FloatType::F32, false, nan, nan));
  EXPECT_TRUE(compare(Compare::Lt, FloatType::F32, false, 0, 1));
  EXPECT_FALSE(compare(Compare::Lt, FloatType::F32, true, 0, 1)); // flushed
  EXPECT_TRUE(compare(Compare::Ge, FloatType::BF16, false, 0x3f80, 0x3f80));
}

/// |got - want| in units of the last place of `want`.
double ulps(uint32_t got, long double want) {
  float nearest = static_cast<float>(want);
  float next = std::nextafterf(std::fabs(nearest), INFINITY);
  long double ulp = next - std::fabs(nearest);
  return std::fabs((asFloat(got) - want) / ulp);
}

TEST(Arith, ApproximationsStayWithinHalfAnUlp) {
  Random random(6);
  struct Case {
    FloatOp op;
    long double (*reference)(long double);
    float low, high;
  };
  const Case cases[] = {
      {FloatOp::Ex2Approx, exp2l, -125, 127},
      {FloatOp::Lg2Approx, log2l, 1e-37f, 1e37f},
      {FloatOp::Lg2Approx, log2l, 0.9f, 1.1f},
      {FloatOp::SinApprox, sinl, -4, 4},
      {FloatOp::CosApprox, cosl, -4, 4},
      {FloatOp::SinApprox, sinl, -1e9f, 1e9f},
      {FloatOp::CosApprox, cosl, -1e9f, 1e9f},
      {FloatOp::TanhApprox, tanhl, -5, 5},
      {FloatOp::TanhApprox, tanhl, -0.1f, 0.1f},
      {FloatOp::RsqrtApprox, [](long double v) { return 1 / sqrtl(v); }, 1e-30f,
       1e30f},
      {FloatOp::RcpApprox, [](long double v) { return 1 / v; }, -1e30f, 1e30f}};
  for (const Case &c : cases)
    for (int i = 0; i < 3000; ++i) {
      float t = (random.bits() >> 11) * 0x1p-53f;
      float x = c.low + (c.high - c.low) * t;
      if (c.low > 0 && c.high / c.low > 1e9f) // logarithmic
        x = std::exp(std::log(c.low) +
                     (std::log(c.high) - std::log(c.low)) * t);
      uint32_t got = evaluate(c.op, FloatType::F32, FloatMode(), asBits(x));
      ASSERT_LE(ulps(got, c.reference(x)), 0.51) << int(c.op) << " of " << x;
    }
}

TEST(Arith, ApproximationsOfSpecialValues) {
  auto run = [](FloatOp op, uint32_t a) {
    return uint32_t(evaluate(op, FloatType::F32, FloatMode(), a));
  };
  const uint32_t Inf = 0x7f800000, NegInf = 0xff800000, NaN = 0x7fffffff;
  EXPECT_EQ(run(FloatOp::Ex2Approx, NegInf), 0u);
  EXPECT_EQ(run(FloatOp::Ex2Approx, Inf), Inf);
  EXPECT_EQ(run(FloatOp::Ex2Approx, 0x43000000), Inf); // 2^128
  EXPECT_EQ(run(FloatOp::Lg2Approx, 0x80000000), NegInf);
  EXPECT_EQ(run(FloatOp::Lg2Approx, 0xbf800000), NaN);
  EXPECT_EQ(run(FloatOp::RcpApprox, 0x80000000), NegInf);
  EXPECT_EQ(run(FloatOp::RsqrtApprox, 0x80000000), NegInf);
  EXPECT_EQ(run(FloatOp::SinApprox, Inf), NaN);
  EXPECT_EQ(run(FloatOp::SinApprox, 0x80000000), 0x80000000u);
  EXPECT_EQ(run(FloatOp::CosApprox, 0), 0x3f800000u);
  EXPECT_EQ(run(FloatOp::TanhApprox, NegInf), 0xbf800000u);
  EXPECT_EQ(uint32_t(evaluate(FloatOp::DivApprox, FloatType::F32, FloatMode(),
                              0x3f800000, 0x7f000001)),
            0u);
}

} // namespace
