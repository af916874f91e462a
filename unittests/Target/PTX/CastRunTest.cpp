//===- CastRunTest.cpp - Casts and re-layouts on the emulator -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitted PTX of the cast, pack and amax kernels against lib/Numerics:
// every BF16 pattern, f32 patterns around every code, any length and shape.
//
//===----------------------------------------------------------------------===//

#include "CastRunner.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace numerics = ::fp8::numerics;

namespace {
class CastRunTest : public CastTest {
protected:
  /// Normal values with `specials` at places of their own, as far as they go.
  std::vector<float> draw(size_t length, StringRef in,
                          ArrayRef<float> specials);
  uint64_t countRead(Kernel &kernel, std::vector<Argument> arguments);
};

/// What an amax has to tell apart: nothing finite, no magnitude, small ones.
const std::vector<std::vector<float>> kSpecials = {
    {},
    {NAN},
    {-INFINITY},
    {NAN, INFINITY, 3.3e38f},
    {0.0f, -0.0f, 1e-40f, -9.2e-41f},
};
} // namespace

std::vector<float> CastRunTest::draw(size_t length, StringRef in,
                                     ArrayRef<float> specials) {
  // With a zero among them every value is small or special.
  bool isSmall = llvm::is_contained(specials, 0.0f);
  std::vector<float> values(length);
  for (float &value : values) {
    float normal = std::normal_distribution<float>(0, 50)(random);
    value =
        roundTo(isSmall ? specials[random() % specials.size()] : normal, in);
  }
  for (float special : specials)
    values[random() % length] = roundTo(special, in);
  return values;
}

/// Bytes of global memory that a run of `kernel` on one block reads.
uint64_t CastRunTest::countRead(Kernel &kernel,
                                std::vector<Argument> arguments) {
  RunOptions options;
  options.blocks = 1;
  options.statistics = true;
  Outcome outcome = launch(kernel, arguments, options);
  EXPECT_EQ(outcome.error, "");
  return outcome.statistics.bytes.at("global").read;
}

TEST_F(CastRunTest, EveryBF16Pattern) {
  std::vector<float> values(65536);
  for (uint32_t bits = 0; bits < 65536; ++bits)
    values[bits] = numerics::fromBits(bits << 16);
  checkCast(values, "bf16", "f8E4M3FN", 1.0f);
  checkCast(values, "bf16", "f8E5M2", 0.37f);
}

/// Each code's value and the midpoints to its neighbours, and one ulp around.
TEST_F(CastRunTest, F32AroundEveryCode) {
  for (StringRef out : {"f8E4M3FN", "f8E5M2"}) {
    std::vector<float> values = {INFINITY, -INFINITY, NAN, 3e38f, 1e-45f};
    for (int code = 0; code < 256; ++code) {
      float value = numerics::decode(code, formatOf(out));
      if (!numerics::isFinite(value))
        continue;
      float next = numerics::decode((code & 0x7F) == 0x7E ? code : code + 1,
                                    formatOf(out));
      for (float center : {value, 0.5f * (value + next)})
        for (int step : {-1, 0, 1})
          if (center != 0 || step == 0)
            values.push_back(
                numerics::fromBits(numerics::toBits(center) + step));
    }
    checkCast(values, "f32", out, 1.0f);
  }
}

TEST_F(CastRunTest, AnyLengthAndGrid) {
  for (size_t length : {1, 2, 15, 16, 17, 31, 4099}) {
    std::vector<float> values(length);
    for (float &value : values)
      value =
          numerics::roundToBF16(std::normal_distribution<float>(0, 50)(random));
    checkCast(values, "bf16", "f8E4M3FN", 1.5f, {1, 2, 1});
    checkCast(values, "f32", "f8E5M2", 0.01f, {2, 0, 3});
  }
}

TEST_F(CastRunTest, Packs) {
  checkPack(1, 33, 70, "f8E4M3FN", "f8E4M3FN", true, false);
  checkPack(2, 16, 5, "f8E5M2", "f8E5M2", true, false);
  checkPack(1, 1, 1, "f8E5M2", "f8E5M2", true, false);
  checkPack(3, 9, 100, "f8E4M3FN", "f8E4M3FN", false, false);
  checkPack(1, 40, 33, "bf16", "f8E4M3FN", true, false);
  checkPack(2, 40, 33, "bf16", "f8E4M3FN", true, true);
  checkPack(1, 20, 64, "f32", "f8E5M2", true, true);
  checkPack(1, 7, 19, "f32", "f8E5M2", false, false);
}

/// Rows that start everywhere within 16 bytes, end everywhere, or are shorter;
/// the input ends behind them.
TEST_F(CastRunTest, PacksRowsWhereverTheyStart) {
  for (bool isDynamic : {false, true})
    for (bool transpose : {false, true})
      for (int64_t columns : {3, 17, 20, 48}) {
        // There it is as any other.
        if (isDynamic && columns % 16 == 4)
          continue;
        auto check = [&](int64_t batch, int64_t rows, StringRef in,
                         StringRef out) {
          bool casts = in != out;
          checkPack(batch, rows, columns, in, out, transpose, false, {}, casts,
                    kSpecials[3], isDynamic);
        };
        check(2, 17, "f8E4M3FN", "f8E4M3FN");
        check(1, 32, "bf16", "bf16");
        check(2, 19, "bf16", "f8E4M3FN");
        check(1, 16, "f32", "f8E5M2");
        // The same codes in their own order, too.
        if (transpose && !isDynamic)
          checkPack(2, 19, columns, "bf16", "f8E5M2", true, true, {1, 2, 1},
                    true, kSpecials[3]);
      }
  checkPack(0, 4, 4, "f8E5M2", "f8E5M2", true, false, {}, false, {}, true);
  checkPack(2, 0, 4, "f8E5M2", "f8E5M2", true, false, {}, false, {}, true);
  checkPack(2, 4, 0, "f8E5M2", "f8E5M2", false, false, {}, false, {}, true);
}

/// Whole vectors of 16 bytes, each once, where rows are made of them; where
/// they are not, single elements at their ends only.
TEST_F(CastRunTest, PacksReadVectors) {
  auto count = [&](int64_t rows, int64_t columns, bool transpose) {
    PackProblem p;
    p.rows = rows;
    p.columns = columns;
    p.in = p.out = type("f8E4M3FN");
    p.transpose = transpose;
    Kernel kernel = load([&](OpBuilder &b, Location loc) {
      return buildPackKernel(b, loc, "pack", p, *target);
    });
    RunOptions options;
    options.statistics = true;
    std::vector<Argument> arguments = {{Bytes(rows * columns)},
                                       {Bytes(p.getOutputElements()), true}};
    Outcome outcome = launch(kernel, arguments, options);
    EXPECT_EQ(outcome.error, "");
    return outcome.statistics;
  };
  auto transposed = count(256, 256, true);
  EXPECT_EQ(transposed.bytes.at("global").read, 256u * 256);
  EXPECT_EQ(transposed.mix.at("ld.global.v4.b32"), 128u);
  EXPECT_EQ(transposed.mix.at("st.global.v4.b32"), 128u);
  EXPECT_EQ(transposed.mix.count("ld.global.b8"), 0u);
  EXPECT_EQ(transposed.sharedAccesses, 0u);
  // Rows of 8 and of 4 bytes more than whole vectors.
  auto padded = count(64, 264, false);
  EXPECT_EQ(padded.bytes.at("global").read, 64u * 264);
  EXPECT_EQ(padded.mix.at("ld.global.v2.b32"), 68u);
  EXPECT_EQ(padded.mix.count("ld.global.b8"), 0u);
  EXPECT_EQ(count(128, 100, false).mix.count("ld.global.b8"), 0u);
  // 16 chunks of a row are whole; the last has one element.
  auto odd = count(64, 257, false);
  EXPECT_EQ(odd.mix.at("ld.global.v4.b32"), 68u);
  EXPECT_LT(odd.mix.at("ld.global.b8"), 64u);
}

TEST_F(CastRunTest, TakesTheAmaxOfWhatItReads) {
  for (size_t length : {1, 7, 63, 4097})
    for (StringRef in : {"bf16", "f32"})
      for (ArrayRef<float> specials : kSpecials) {
        std::vector<float> values = draw(length, in, specials);
        checkCast(values, in, "f8E4M3FN", 1.5f, {1, 2, 1}, /*amax=*/true);
        checkCast(values, in, "f8E5M2", 0.3f, {2, 0, 0}, /*amax=*/true);
      }
}

TEST_F(CastRunTest, PacksTakeTheAmaxToo) {
  for (ArrayRef<float> specials : kSpecials) {
    checkPack(1, 1, 1, "bf16", "f8E4M3FN", true, true, {}, true, specials);
    checkPack(1, 7, 9, "f32", "f8E5M2", true, false, {1, 2, 1}, true, specials);
    checkPack(2, 40, 33, "bf16", "f8E4M3FN", true, true, {}, true, specials);
    checkPack(3, 5, 17, "bf16", "f8E5M2", false, false, {}, true, specials);
  }
  // Padding is no value: the largest magnitude is one that is there.
  checkPack(1, 17, 3, "bf16", "f8E4M3FN", true, true, {}, true);
}

TEST_F(CastRunTest, AmaxInTheFirstSteps) {
  for (size_t length : {1, 7, 63, 4097})
    for (ArrayRef<float> specials : kSpecials) {
      std::vector<float> values = draw(length, "bf16", specials);
      for (int32_t count : {0, 2, 3, INT32_MAX})
        checkAmax(values, "bf16", 3, count);
      checkAmax(values, "bf16", 0, 0, {1, 2, 1});
    }
}

/// Each value once, and by one lane of a warp the multiplier, or the count;
/// atomics read the two words once for each warp.
TEST_F(CastRunTest, ReadsValuesOnce) {
  constexpr int64_t kLength = 4099, kWarps = 8;
  Argument values = {Bytes(2 * kLength)}, scalar = {Bytes(4)};
  Argument codes = {Bytes(kLength), true}, words = {Bytes(8), true, true};
  uint64_t once = 2 * kLength + 4 * kWarps, merge = 8 * kWarps;
  CastProblem cast;
  cast.elements = kLength;
  cast.in = type("bf16");
  cast.out = type("f8E4M3FN");
  for (bool amax : {false, true}) {
    cast.amax = amax;
    Kernel kernel = load([&](OpBuilder &b, Location loc) {
      return buildCastKernel(b, loc, "cast", cast, *target);
    });
    std::vector<Argument> arguments = {values, scalar, codes};
    if (amax)
      arguments.push_back(words);
    EXPECT_EQ(countRead(kernel, arguments), once + (amax ? merge : 0));
  }
  AmaxProblem problem;
  problem.elements = kLength;
  problem.in = type("bf16");
  problem.warmup = 1;
  Kernel kernel = load([&](OpBuilder &b, Location loc) {
    return buildReduceAmaxKernel(b, loc, "amax", problem, *target);
  });
  EXPECT_EQ(countRead(kernel, {values, scalar, words}), once + merge);
  Argument later = {toBytes(std::vector<int32_t>{1})};
  EXPECT_EQ(countRead(kernel, {values, later, words}), uint64_t(4 * kWarps));
}
