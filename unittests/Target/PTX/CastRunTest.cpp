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

#include "CastRunner.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace numerics = ::fp8::numerics;

namespace {
class CastRunTest : public CastTest {};
} // namespace

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
