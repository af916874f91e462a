//===- AmaxTest.cpp - Largest finite magnitude and flags ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Specials, all BF16 values, and that order and grouping never show.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Amax.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace fp8::numerics;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

Amax of(std::vector<float> values) {
  return amax(values.data(), values.size());
}

TEST(Amax, Specials) {
  EXPECT_EQ(of({}), (Amax{0.0f, 0}));
  EXPECT_EQ(of({-0.0f}), (Amax{0.0f, 0}));
  EXPECT_EQ(of({1.0f, -3.0f, 2.0f}), (Amax{3.0f, 0}));
  EXPECT_EQ(of({kNaN, 2.0f}), (Amax{2.0f, AmaxNaN}));
  EXPECT_EQ(of({-kNaN}), (Amax{0.0f, AmaxNaN}));
  EXPECT_EQ(of({-kInfinity, 2.0f}), (Amax{2.0f, AmaxInf}));
  EXPECT_EQ(of({kInfinity, kNaN, -4.0f}), (Amax{4.0f, AmaxNaN | AmaxInf}));
  EXPECT_EQ(of({-0x1p-149f}), (Amax{0x1p-149f, 0}));
  EXPECT_EQ(of({-std::numeric_limits<float>::max()}),
            (Amax{std::numeric_limits<float>::max(), 0}));
}

TEST(Amax, EveryBF16Alone) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    uint16_t value = static_cast<uint16_t>(bits);
    float x = fromBF16(value);
    Amax result = amaxBF16(&value, 1);
    EXPECT_EQ(result.hasNaN(), std::isnan(x));
    EXPECT_EQ(result.hasInf(), std::isinf(x));
    EXPECT_EQ(result.value, std::isfinite(x) ? std::fabs(x) : 0.0f);
  }
}

TEST(Amax, OrderAndGroupingDoNotShow) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> values(engine() % 50);
    for (float &value : values)
      value = fromBits(static_cast<uint32_t>(engine()));
    Amax whole = of(values);
    std::shuffle(values.begin(), values.end(), engine);
    size_t cut = values.empty() ? 0 : engine() % values.size();
    Amax merged = merge(amax(values.data() + cut, values.size() - cut),
                        amax(values.data(), cut));
    EXPECT_EQ(merged, whole);
  }
}

} // namespace
