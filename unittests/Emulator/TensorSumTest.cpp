//===- TensorSumTest.cpp - Tensor-core sums against an integer model ------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is an integer-only restatement of the published rule: exact
// products, alignment to the largest exponent, truncation, exact sum. It shares
// no code with the engine.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/TensorCore.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

__extension__ typedef __int128 Wide;

/// Exponent bits, mantissa bits, bias of a type.
struct Layout {
  int exponent, mantissa, bias;
};

Layout layoutOf(MMAType type) {
  switch (type) {
  case MMAType::E4M3:
    return {4, 3, 7};
  case MMAType::E5M2:
    return {5, 2, 15};
  case MMAType::E2M3:
    return {2, 3, 1};
  case MMAType::E3M2:
    return {3, 2, 3};
  case MMAType::E2M1:
    return {2, 1, 1};
  case MMAType::F16:
    return {5, 10, 15};
  case MMAType::BF16:
    return {8, 7, 127};
  default: // TF32, low 13 bits ignored
    return {8, 10, 127};
  }
}

struct Part {
  int sign, exponent;
  int64_t mantissa;
};

Part split(uint32_t code, MMAType type) {
  Layout l = layoutOf(type);
  if (type == MMAType::TF32)
    code >>= 13;
  int e = (code >> l.mantissa) & ((1 << l.exponent) - 1);
  int64_t m = code & ((1 << l.mantissa) - 1);
  int sign = (code >> (l.exponent + l.mantissa)) & 1 ? -1 : 1;
  if (e)
    m |= 1 << l.mantissa;
  return {sign, std::max(e, 1) - l.bias, m};
}

/// One step: c + sum of a[i] * b[i] * 2^scale, `keep` mantissa bits with the
/// leading one.
float referenceStep(const std::vector<uint32_t> &a,
                    const std::vector<uint32_t> &b, MMAType ta, MMAType tb,
                    float c, int fraction, int keep, int scale) {
  struct Term {
    int sign;
    Wide mantissa;
    int fractionBits, exponent;
  };
  std::vector<Term> terms;
  uint32_t bits = asBits(c);
  int e = (bits >> 23) & 255;
  Wide m = bits & 0x7fffff;
  if (e)
    m |= 1 << 23;
  if (m)
    terms.push_back({bits >> 31 ? -1 : 1, m, 23, std::max(e, 1) - 127});
  for (size_t i = 0; i < a.size(); ++i) {
    Part x = split(a[i], ta), y = split(b[i], tb);
    Wide product = Wide(x.mantissa) * y.mantissa;
    if (product)
      terms.push_back({x.sign * y.sign, product,
                       layoutOf(ta).mantissa + layoutOf(tb).mantissa,
                       x.exponent + y.exponent + scale});
  }
  int largest = -100000;
  for (const Term &t : terms)
    largest = std::max(largest, t.exponent);
  Wide sum = 0;
  for (const Term &t : terms) {
    int shift = fraction - t.fractionBits - (largest - t.exponent);
    Wide q = shift >= 0     ? t.mantissa << shift
             : -shift > 120 ? 0
                            : t.mantissa >> -shift;
    sum += t.sign * q;
  }
  if (sum == 0)
    return 0;
  bool negative = sum < 0;
  Wide magnitude = negative ? -sum : sum;
  int length = 0;
  for (Wide v = magnitude; v; v >>= 1)
    ++length;
  int top = length - 1 + largest - fraction;
  int lowest = std::max(top, -126) - (keep - 1);
  int drop = lowest - (largest - fraction);
  if (drop > 0)
    magnitude = drop > 120 ? 0 : magnitude >> drop << drop;
  double v = std::ldexp(double(int64_t(magnitude)), largest - fraction);
  float f = float(negative ? -v : v);
  return f == 0 ? 0 : f;
}

bool isFinite(uint32_t code, MMAType type) {
  if (type == MMAType::E4M3)
    return (code & 0x7f) != 0x7f;
  if (type <= MMAType::E2M1 && type != MMAType::E5M2)
    return true;
  Layout l = layoutOf(type);
  if (type == MMAType::TF32)
    code >>= 13;
  return ((code >> l.mantissa) & ((1u << l.exponent) - 1)) !=
         (1u << l.exponent) - 1;
}

uint32_t drawCode(Random &random, MMAType type, bool wide) {
  Layout l = layoutOf(type);
  while (true) {
    uint32_t code = random.floatBits(l.exponent, l.mantissa);
    if (!wide && l.exponent == 8) { // keep sums away from the f32 limits
      code &= ~(0xffu << l.mantissa);
      code |= (97 + random.below(60)) << l.mantissa;
    }
    if (type == MMAType::TF32)
      code = code << 13 | random.below(8192);
    if (isFinite(code, type))
      return code;
  }
}

std::vector<uint8_t> pack8(const std::vector<uint32_t> &codes, MMAType type) {
  unsigned bytes = codeBytes(type);
  std::vector<uint8_t> out(codes.size() * bytes);
  for (size_t i = 0; i < codes.size(); ++i)
    std::memcpy(&out[i * bytes], &codes[i], bytes);
  return out;
}

/// A random problem run by the engine and by the reference.
void check(MMAArch arch, MMAUnit unit, MMAType ta, MMAType tb, unsigned k,
           MMAScale scale, uint64_t seed, int rounds) {
  Random random(seed);
  unsigned m = 5, n = 19; // not multiples of anything
  for (int round = 0; round < rounds; ++round) {
    std::vector<uint32_t> a(m * k), b(n * k), d(m * n);
    for (auto &v : a)
      v = drawCode(random, ta, false);
    for (auto &v : b)
      v = drawCode(random, tb, false);
    std::vector<uint8_t> sa(m), sb(n);
    for (auto &v : sa)
      v = 117 + random.below(20);
    for (auto &v : sb)
      v = 117 + random.below(20);
    for (auto &v : d) {
      float f = std::ldexp(float(random.below(1 << 24)) - (1 << 23),
                           int(random.below(50)) - 45);
      v = round % 3 ? asBits(f) : 0;
    }
    TileProblem p;
    p.m = m;
    p.n = n;
    p.k = k;
    p.aType = ta;
    p.bType = tb;
    p.scale = scale;
    p.scaleBlock = k;
    if (scale != MMAScale::None) {
      p.scaleA = sa.data();
      p.scaleB = sb.data();
    }
    p.rule = sumRule(arch, unit, ta, MMAAccumulator::F32, scale, k);
    std::vector<uint8_t> codesA = pack8(a, ta), codesB = pack8(b, tb);
    p.a = codesA.data();
    p.b = codesB.data();
    std::vector<uint32_t> got = d;
    p.d = got.data();
    multiplyTile(p);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        float want = asFloat(d[i * n + j]);
        for (unsigned at = 0; at < k; at += p.rule.terms) {
          unsigned end = std::min(k, at + p.rule.terms);
          std::vector<uint32_t> x(&a[i * k + at], &a[i * k] + end);
          std::vector<uint32_t> y(&b[j * k + at], &b[j * k] + end);
          int s = scale == MMAScale::None ? 0 : sa[i] + sb[j] - 254;
          want = referenceStep(x, y, ta, tb, want, p.rule.fraction,
                               p.rule.output == SumRule::E8M13 ? 14 : 24, s);
        }
        ASSERT_EQ(got[i * n + j], asBits(want))
            << "row " << i << " column " << j << " types " << int(ta) << " "
            << int(tb);
      }
  }
}

TEST(TensorSum, RulesAreThePublishedOnes) {
  auto rule = [](MMAArch arch, MMAUnit unit, MMAType type, unsigned k) {
    SumRule r =
        sumRule(arch, unit, type, MMAAccumulator::F32, MMAScale::None, k);
    return std::vector<unsigned>{r.terms, r.fraction, unsigned(r.output)};
  };
  using V = std::vector<unsigned>;
  const unsigned F32 = SumRule::F32, Cut = SumRule::E8M13;
  EXPECT_EQ(rule(MMAArch::Hopper, MMAUnit::Wgmma, MMAType::E4M3, 32),
            (V{32, 13, Cut}));
  EXPECT_EQ(rule(MMAArch::Ampere, MMAUnit::MmaSync, MMAType::E5M2, 32),
            (V{16, 13, Cut}));
  EXPECT_EQ(rule(MMAArch::Hopper, MMAUnit::MmaSync, MMAType::E4M3, 32),
            (V{32, 25, F32}));
  EXPECT_EQ(rule(MMAArch::Blackwell, MMAUnit::Tcgen05, MMAType::E4M3, 32),
            (V{32, 25, F32}));
  EXPECT_EQ(rule(MMAArch::Ampere, MMAUnit::MmaSync, MMAType::F16, 16),
            (V{8, 24, F32}));
  EXPECT_EQ(rule(MMAArch::Ampere, MMAUnit::MmaSync, MMAType::TF32, 8),
            (V{4, 24, F32}));
  EXPECT_EQ(rule(MMAArch::Hopper, MMAUnit::Wgmma, MMAType::BF16, 16),
            (V{16, 25, F32}));
  EXPECT_EQ(rule(MMAArch::Blackwell, MMAUnit::Tcgen05, MMAType::TF32, 8),
            (V{8, 25, F32}));
}

TEST(TensorSum, FP8MatchesTheIntegerModel) {
  const MMAType types[] = {MMAType::E4M3, MMAType::E5M2};
  for (MMAType a : types)
    for (MMAType b : types) {
      check(MMAArch::Hopper, MMAUnit::Wgmma, a, b, 32, MMAScale::None, 1, 60);
      check(MMAArch::Ampere, MMAUnit::MmaSync, a, b, 32, MMAScale::None, 2, 60);
      check(MMAArch::Blackwell, MMAUnit::Tcgen05, a, b, 32, MMAScale::None, 3,
            60);
    }
}

TEST(TensorSum, OtherTypesMatchTheIntegerModel) {
  for (MMAArch arch : {MMAArch::Ampere, MMAArch::Hopper, MMAArch::Blackwell}) {
    MMAUnit unit = MMAUnit::MmaSync;
    check(arch, unit, MMAType::F16, MMAType::F16, 16, MMAScale::None, 4, 40);
    check(arch, unit, MMAType::BF16, MMAType::BF16, 16, MMAScale::None, 5, 40);
    check(arch, unit, MMAType::TF32, MMAType::TF32, 8, MMAScale::None, 6, 40);
  }
  for (MMAType a : {MMAType::E2M1, MMAType::E2M3, MMAType::E3M2, MMAType::E4M3})
    for (MMAType b : {MMAType::E2M1, MMAType::E3M2, MMAType::E5M2})
      check(MMAArch::Blackwell, MMAUnit::Tcgen05, a, b, 32, MMAScale::None, 7,
            20);
}

TEST(TensorSum, BlockScalesAddToTheExponents) {
  check(MMAArch::Blackwell, MMAUnit::Tcgen05, MMAType::E4M3, MMAType::E4M3, 32,
        MMAScale::UE8M0, 8, 60);
  check(MMAArch::Blackwell, MMAUnit::MmaSync, MMAType::E2M3, MMAType::E5M2, 32,
        MMAScale::UE8M0, 9, 60);
}

/// Runs one dot product.
uint32_t dot(TileProblem p, const std::vector<uint32_t> &a,
             const std::vector<uint32_t> &b, uint32_t c) {
  std::vector<uint8_t> x = pack8(a, p.aType), y = pack8(b, p.bType);
  p.m = p.n = 1;
  p.k = a.size();
  p.a = x.data();
  p.b = y.data();
  p.d = &c;
  multiplyTile(p);
  return c;
}

TileProblem hopperFP8() {
  TileProblem p;
  p.rule = sumRule(MMAArch::Hopper, MMAUnit::Wgmma, MMAType::E4M3,
                   MMAAccumulator::F32, MMAScale::None, 32);
  return p;
}

TEST(TensorSum, HopperKeepsThirteenBits) {
  std::vector<uint32_t> zeros(32, 0), ones(32, 0x38);
  EXPECT_EQ(dot(hopperFP8(), zeros, zeros, asBits(1 + 0x1p-13f)),
            asBits(1 + 0x1p-13f));
  EXPECT_EQ(dot(hopperFP8(), zeros, zeros, asBits(1 + 0x1p-14f)), asBits(1.0f));
  // 448 + 7.5 needs 10 bits; a term 2^-14 below the largest is lost.
  std::vector<uint32_t> a(32, 0);
  a[0] = 0x7e;
  a[1] = 0x4f;
  EXPECT_EQ(dot(hopperFP8(), a, ones, 0), asBits(455.5f));
}

TEST(TensorSum, NaNAndInfinityFollowIEEE) {
  TileProblem p = hopperFP8();
  std::vector<uint32_t> ones(32, 0x38), a = ones;
  a[3] = 0xff;
  EXPECT_EQ(dot(p, a, ones, 0), 0x7fffffffu);
  EXPECT_EQ(dot(p, ones, ones, 0x7fc00000), 0x7fffffffu);
  EXPECT_EQ(dot(p, ones, ones, 0xff800000), 0xff800000u);
  p.aType = p.bType = MMAType::E5M2;
  std::vector<uint32_t> b(32, 0x3c);
  a = b;
  a[0] = 0xfc;
  EXPECT_EQ(dot(p, a, b, 0), 0xff800000u);
  EXPECT_EQ(dot(p, a, b, 0x7f800000), 0x7fffffffu); // inf - inf
  a[1] = 0x7c;
  EXPECT_EQ(dot(p, a, b, 0), 0x7fffffffu);
  p.accumulator = MMAAccumulator::F16;
  EXPECT_EQ(dot(p, a, b, 0), 0x7fffu);
}

TEST(TensorSum, HalfAccumulatorsRoundToNearest) {
  TileProblem p = hopperFP8();
  p.accumulator = MMAAccumulator::F16;
  p.rule.output = SumRule::F16;
  std::vector<uint32_t> a(32, 0), ones(32, 0x38);
  a[0] = 0x78;                            // 256
  a[1] = 0x28 /* 0.25 */, a[2] = 0x18;    // 0.0625
  EXPECT_EQ(dot(p, a, ones, 0), 0x5c01u); // 256.3125 -> 256.25
  a[1] = 0x20;                            // 0.125: tie, to even
  a[2] = 0;
  EXPECT_EQ(dot(p, a, ones, 0), 0x5c00u);
  EXPECT_EQ(dot(p, std::vector<uint32_t>(32, 0x7e),
                std::vector<uint32_t>(32, 0x7e), 0),
            0x7c00u); // overflow
}

TEST(TensorSum, ExactModelRoundsOnce) {
  Random random(10);
  for (int round = 0; round < 200; ++round) {
    TileProblem p = hopperFP8();
    p.model = MMAModel::Exact;
    std::vector<uint32_t> a(32), b(32);
    long double want = 0; // E4M3 products span 2^-18 .. 2^17: exact
    float c = std::ldexp(float(random.below(4096)), -12);
    for (int i = 0; i < 32; ++i) {
      a[i] = drawCode(random, MMAType::E4M3, false);
      b[i] = drawCode(random, MMAType::E4M3, false);
      Part x = split(a[i], MMAType::E4M3), y = split(b[i], MMAType::E4M3);
      want +=
          std::ldexp((long double)(x.sign * y.sign * x.mantissa * y.mantissa),
                     x.exponent + y.exponent - 6);
    }
    want += c;
    ASSERT_EQ(dot(p, a, b, asBits(c)), asBits(float(want)));
    std::vector<uint8_t> scaleA{130}, scaleB{120};
    p.scale = MMAScale::UE8M0;
    p.scaleA = scaleA.data();
    p.scaleB = scaleB.data();
    ASSERT_EQ(dot(p, a, b, 0), asBits(float((want - c) / 16)));
  }
}

TEST(TensorSum, FourBitGroupsAreExact) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    bool nv = round & 1;
    unsigned block = nv ? 16 : 32;
    TileProblem p;
    p.aType = p.bType = MMAType::E2M1;
    p.scale = nv ? MMAScale::UE4M3 : MMAScale::UE8M0;
    p.scaleBlock = block;
    p.rule = sumRule(MMAArch::Blackwell, MMAUnit::Tcgen05, MMAType::E2M1,
                     MMAAccumulator::F32, p.scale, 64);
    std::vector<uint32_t> a(64), b(64);
    std::vector<uint8_t> sa(64 / block), sb(64 / block);
    for (auto &v : sa)
      v = nv ? 0x30 + random.below(16) : 120 + random.below(15);
    for (auto &v : sb)
      v = nv ? 0x30 + random.below(16) : 120 + random.below(15);
    for (int i = 0; i < 64; ++i) {
      a[i] = random.below(16);
      b[i] = random.below(16);
    }
    p.scaleA = sa.data();
    p.scaleB = sb.data();
    float c = round % 3 ? 1.5f : 0;
    // Near exponents: 35 bits hold everything, so the sum is exact and cut
    // once.
    long double want = c;
    auto scaleOf = [&](uint8_t s) {
      return nv ? std::ldexp((long double)(8 + (s & 7)), (s >> 3) - 10)
                : std::ldexp((long double)1, int(s) - 127);
    };
    for (int i = 0; i < 64; ++i) {
      Part x = split(a[i], MMAType::E2M1), y = split(b[i], MMAType::E2M1);
      want += x.sign * y.sign *
              std::ldexp((long double)(x.mantissa * y.mantissa),
                         x.exponent + y.exponent - 2) *
              scaleOf(sa[i / block]) * scaleOf(sb[i / block]);
    }
    float cut = float(want);
    if (std::fabs((long double)cut) > std::fabs(want))
      cut = std::nextafterf(cut, 0);
    ASSERT_EQ(dot(p, a, b, asBits(c)), asBits(cut)) << round;
  }
}

TEST(TensorSum, IntegersWrapOrSaturate) {
  TileProblem p;
  p.aType = MMAType::S8;
  p.bType = MMAType::U8;
  p.accumulator = MMAAccumulator::S32;
  std::vector<uint32_t> a(32, 0x80), b(32, 0xff);
  EXPECT_EQ(dot(p, a, b, 5), uint32_t(5 - 128 * 255 * 32));
  EXPECT_EQ(dot(p, a, b, 0x80000000), 0x80000000u - 128 * 255 * 32);
  p.saturate = true;
  EXPECT_EQ(dot(p, a, b, 0x80000000), 0x80000000u);
  p.aType = p.bType = MMAType::B1;
  p.saturate = false;
  EXPECT_EQ(dot(p, {1, 1, 0, 0}, {1, 0, 1, 0}, 0), 2u);
  p.bitOp = MMABitOp::And;
  EXPECT_EQ(dot(p, {1, 1, 0, 0}, {1, 0, 1, 0}, 0), 1u);
}

} // namespace
