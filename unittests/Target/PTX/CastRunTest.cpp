//===- CastRunTest.cpp - Casts and re-layouts on the emulator -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitted PTX of the cast and pack kernels against lib/Numerics: every BF16
// pattern, f32 patterns around every code, any length and shape.
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "fp8/Numerics/Format.h"

#include <random>

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace numerics = ::fp8::numerics;

namespace {

class CastRunTest : public KernelTest {
protected:
  void checkCast(const std::vector<float> &values, StringRef in, StringRef out,
                 float multiplier, const RunOptions &options = {});
  void checkPack(int64_t batch, int64_t rows, int64_t columns, StringRef in,
                 StringRef out, bool transpose, bool keepPlain);

  std::mt19937_64 random{77};
};

} // namespace

/// `values` as an array of `in`, which holds them exactly.
static Bytes store(const std::vector<float> &values, StringRef in) {
  if (in == "f32")
    return toBytes(values);
  std::vector<uint16_t> narrow;
  for (float value : values)
    narrow.push_back(numerics::toBits(value) >> 16);
  return toBytes(narrow);
}

static numerics::Format formatOf(StringRef out) {
  return out == "f8E4M3FN" ? numerics::Format::E4M3FN : numerics::Format::E5M2;
}

static uint8_t codeOf(float value, float multiplier, StringRef out) {
  return numerics::encode(value * multiplier, formatOf(out), /*saturate=*/true);
}

void CastRunTest::checkCast(const std::vector<float> &values, StringRef in,
                            StringRef out, float multiplier,
                            const RunOptions &options) {
  SCOPED_TRACE(testing::Message()
               << values.size() << " of " << in.str() << " to " << out.str());
  CastProblem p;
  p.elements = values.size();
  p.in = type(in);
  p.out = type(out);
  ASSERT_EQ(refuseCast(p, *target), std::nullopt);
  Kernel kernel = load([&](OpBuilder &b, Location loc) {
    return buildCastKernel(b, loc, "cast", p, *target);
  });
  ASSERT_TRUE(kernel.program);
  std::vector<Argument> arguments = {{store(values, in)},
                                     {toBytes(std::vector<float>{multiplier})},
                                     {Bytes(values.size()), true}};
  run(kernel, arguments, options);
  int wrong = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    int want = codeOf(values[i], multiplier, out);
    if (arguments[2].bytes[i] != want && ++wrong <= 3)
      ADD_FAILURE() << "element " << i << ", " << values[i] << ": got "
                    << int(arguments[2].bytes[i]) << ", expected " << want;
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(CastRunTest, EveryBF16Pattern) {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 65536; ++bits)
    values.push_back(numerics::fromBits(bits << 16));
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

void CastRunTest::checkPack(int64_t batch, int64_t rows, int64_t columns,
                            StringRef in, StringRef out, bool transpose,
                            bool keepPlain) {
  SCOPED_TRACE(testing::Message() << batch << " x " << rows << " x " << columns
                                  << " of " << in.str() << " transpose "
                                  << transpose << " plain " << keepPlain);
  PackProblem p;
  p.batch = batch;
  p.rows = rows;
  p.columns = columns;
  p.in = type(in);
  p.out = type(out);
  p.transpose = transpose;
  p.keepPlain = keepPlain;
  ASSERT_EQ(refusePack(p, *target), std::nullopt);
  Kernel kernel = load([&](OpBuilder &b, Location loc) {
    return buildPackKernel(b, loc, "pack", p, *target);
  });
  ASSERT_TRUE(kernel.program);
  bool casts = in == "bf16" || in == "f32";
  float multiplier = 3.25f;
  Bytes input, codes(batch * rows * columns);
  if (casts) {
    std::vector<float> values(codes.size());
    for (auto [value, code] : llvm::zip_equal(values, codes)) {
      value =
          numerics::roundToBF16(std::normal_distribution<float>(0, 20)(random));
      code = codeOf(value, multiplier, out);
    }
    input = store(values, in);
  } else {
    for (uint8_t &code : codes)
      code = random();
    input = codes;
  }
  int64_t lines = transpose ? columns : rows;
  int64_t length = transpose ? rows : columns, pitch = p.getPitch();
  EXPECT_EQ(pitch, (length + 15) / 16 * 16);
  Bytes want(batch * lines * pitch);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        want[(b * lines + (transpose ? c : r)) * pitch + (transpose ? r : c)] =
            codes[(b * rows + r) * columns + c];
  std::vector<Argument> arguments = {{input}};
  if (casts)
    arguments.push_back({toBytes(std::vector<float>{multiplier})});
  arguments.push_back({Bytes(want.size()), true});
  if (keepPlain)
    arguments.push_back({Bytes(codes.size()), true});
  run(kernel, arguments, {});
  EXPECT_TRUE(arguments[1 + casts].bytes == want);
  if (keepPlain)
    EXPECT_TRUE(arguments.back().bytes == codes);
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
