//===- DelayedScalingTest.cpp - Record, update and their edges ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line of the edge table of Transformer Engine's fused update, the ways in
// which `safe` departs from it, the order of flax, and random histories against
// a second formulation with a queue.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/DelayedScaling.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <vector>

using namespace fp8::numerics;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
const float kMax = std::numeric_limits<float>::max();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A slot with its memory, in the middle column of a [length, 3] history.
struct State {
  explicit State(int64_t length) : history(length * 3, -1.0f) {
    initialize(slot());
  }
  DelayedSlot slot() {
    return {history.data() + 1,
            static_cast<int64_t>(history.size() / 3),
            3,
            &multiplier,
            &count,
            &flags};
  }
  float row(int64_t index) const { return history[index * 3 + 1]; }

  std::vector<float> history;
  float multiplier = -1.0f;
  int32_t count = -1;
  uint8_t flags = 0xFF;
};

DelayedOptions options(Mode mode, AmaxAlgo algo = AmaxAlgo::Max,
                       int margin = 0) {
  DelayedOptions result;
  result.mode = mode;
  result.algo = algo;
  result.margin = margin;
  return result;
}

void step(State &state, Amax amax, const DelayedOptions &opts) {
  record(state.slot(), amax, opts);
  update(state.slot(), opts);
}

class EdgeTable : public testing::TestWithParam<Mode> {};

TEST_P(EdgeTable, StartsWithScaleOne) {
  State state(4);
  EXPECT_EQ(state.multiplier, 1.0f);
  EXPECT_EQ(state.count, 0);
  EXPECT_EQ(state.flags, 0);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(state.row(i), 0.0f);
  // Neighbouring columns are another tensor's.
  EXPECT_EQ(state.history[0], -1.0f);
  EXPECT_EQ(state.history[2], -1.0f);
}

TEST_P(EdgeTable, ZeroAmaxChangesNothing) {
  DelayedOptions opts = options(GetParam());
  State state(4);
  step(state, {2.0f, 0}, opts);
  State before = state;
  step(state, {0.0f, 0}, opts);
  EXPECT_EQ(state.history, before.history);
  EXPECT_EQ(state.multiplier, before.multiplier);
  EXPECT_EQ(state.count, before.count);
}

TEST_P(EdgeTable, NotRecordedChangesNothing) {
  DelayedOptions opts = options(GetParam());
  State state(4);
  step(state, {2.0f, 0}, opts);
  State before = state;
  update(state.slot(), opts);
  EXPECT_EQ(state.history, before.history);
  EXPECT_EQ(state.multiplier, before.multiplier);
}

TEST_P(EdgeTable, TinyAmaxGivesLargestMultiplier) {
  State state(4);
  step(state, {1.3e-36f, 0}, options(GetParam()));
  EXPECT_EQ(state.multiplier, kMax);
  EXPECT_EQ(state.row(0), 0.0f);
  EXPECT_EQ(state.row(3), 1.3e-36f);
}

TEST_P(EdgeTable, FiniteAmax) {
  State state(4);
  step(state, {3.0f, 0}, options(GetParam()));
  EXPECT_EQ(state.multiplier, 448.0f / 3.0f);
  DelayedOptions margin = options(GetParam(), AmaxAlgo::Max, 2);
  State other(4);
  step(other, {3.0f, 0}, margin);
  EXPECT_EQ(other.multiplier, 112.0f / 3.0f);
}

TEST_P(EdgeTable, NaNIsDropped) {
  State state(4);
  step(state, {3.0f, AmaxNaN}, options(GetParam()));
  EXPECT_EQ(state.multiplier, 448.0f / 3.0f);
  EXPECT_EQ(state.flags, AmaxNaN);
}

TEST_P(EdgeTable, WindowForgetsAfterLengthSteps) {
  DelayedOptions opts = options(GetParam());
  State state(3);
  step(state, {8.0f, 0}, opts);
  step(state, {1.0f, 0}, opts);
  step(state, {2.0f, 0}, opts);
  // Rows: open, then oldest to newest.
  EXPECT_EQ(state.row(0), 0.0f);
  EXPECT_EQ(state.row(1), 1.0f);
  EXPECT_EQ(state.row(2), 2.0f);
  EXPECT_EQ(state.multiplier, 448.0f / 8.0f);
  step(state, {1.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 448.0f / 2.0f);
}

TEST_P(EdgeTable, MostRecentIgnoresTheWindow) {
  DelayedOptions opts = options(GetParam(), AmaxAlgo::MostRecent);
  State state(3);
  step(state, {8.0f, 0}, opts);
  step(state, {1.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 448.0f);
}

TEST_P(EdgeTable, LengthOne) {
  DelayedOptions opts = options(GetParam());
  State state(1);
  step(state, {8.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 56.0f);
  EXPECT_EQ(state.row(0), 0.0f);
  step(state, {2.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 224.0f);
}

TEST_P(EdgeTable, ManyRecordsEqualOneOfTheMergedBatch) {
  std::mt19937 engine(std::random_device{}());
  DelayedOptions opts = options(GetParam());
  State apart(5), merged(5);
  for (int round = 0; round < 100; ++round) {
    Amax all;
    for (unsigned call = engine() % 4; call; --call) {
      Amax amax;
      amax.value = std::ldexp(1.0f + engine() % 256 / 256.0f,
                              static_cast<int>(engine() % 60) - 40);
      if (engine() % 8 == 0)
        amax.flags = engine() % 4;
      all = merge(all, amax);
      record(apart.slot(), amax, opts);
    }
    record(merged.slot(), all, opts);
    update(apart.slot(), opts);
    update(merged.slot(), opts);
    ASSERT_EQ(apart.history, merged.history);
    ASSERT_EQ(toBits(apart.multiplier), toBits(merged.multiplier));
    ASSERT_EQ(apart.count, merged.count);
    ASSERT_EQ(apart.flags, merged.flags);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, EdgeTable,
                         testing::Values(Mode::Safe, Mode::TE));

TEST(DelayedTE, InfinityFreezesTheScaleForTheWindow) {
  DelayedOptions opts = options(Mode::TE);
  State state(3);
  step(state, {2.0f, 0}, opts);
  step(state, {3.0f, AmaxInf}, opts);
  EXPECT_EQ(state.row(2), kInfinity);
  EXPECT_EQ(state.multiplier, 224.0f);
  step(state, {1.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 224.0f);
  step(state, {1.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 224.0f);
  step(state, {1.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 448.0f);
}

TEST(DelayedSafe, InfinitySetsAFlagAndStaysOut) {
  DelayedOptions opts = options(Mode::Safe);
  State state(3);
  step(state, {2.0f, AmaxInf}, opts);
  EXPECT_EQ(state.row(2), 2.0f);
  EXPECT_EQ(state.multiplier, 224.0f);
  EXPECT_EQ(state.flags, AmaxInf);
  step(state, {4.0f, 0}, opts);
  EXPECT_EQ(state.flags, AmaxInf);
}

TEST(DelayedTE, FirstCastUsesScaleOne) {
  State state(3);
  ScalePair pair = castScale(state.slot(), {2.0f, 0}, options(Mode::TE));
  EXPECT_EQ(pair.multiplier, 1.0f);
  EXPECT_EQ(pair.scale, 1.0f);
}

TEST(DelayedSafe, CastsUseTheCurrentAmaxDuringWarmup) {
  DelayedOptions opts = options(Mode::Safe, AmaxAlgo::Max, 1);
  opts.warmup = 2;
  State state(3);
  for (int i = 0; i < 2; ++i) {
    ScalePair pair = castScale(state.slot(), {3.0f, 0}, opts);
    EXPECT_EQ(pair.multiplier, 224.0f / 3.0f);
    EXPECT_EQ(pair.scale, 1.0f / (224.0f / 3.0f));
    step(state, {5.0f, 0}, opts);
  }
  EXPECT_EQ(state.count, 2);
  ScalePair pair = castScale(state.slot(), {3.0f, 0}, opts);
  EXPECT_EQ(pair.multiplier, 224.0f / 5.0f);
  EXPECT_EQ(pair.scale, 1.0f / (224.0f / 5.0f));
}

/// A compiler takes an amax after the cast where this says that it may.
TEST(Delayed, CastsReadTheAmaxWhereTheySaySo) {
  for (Mode mode : {Mode::Safe, Mode::TE, Mode::Flax})
    for (int warmup : {0, 1, 3})
      for (int32_t count : {0, 1, 2, 3, std::numeric_limits<int32_t>::max()}) {
        State state(4);
        state.count = count;
        DelayedOptions opts = options(mode);
        opts.warmup = warmup;
        float one = castScale(state.slot(), {3.0f, 0}, opts).multiplier;
        float other = castScale(state.slot(), {7.0f, AmaxInf}, opts).multiplier;
        EXPECT_EQ(one != other, castReadsAmax(opts) && count < warmup)
            << int(mode) << " " << warmup << " " << count;
      }
}

TEST(DelayedSafe, ReadingTheScaleChangesNothing) {
  State state(3);
  DelayedOptions opts = options(Mode::Safe);
  State before = state;
  castScale(state.slot(), {3.0f, AmaxNaN}, opts);
  EXPECT_EQ(state.history, before.history);
  EXPECT_EQ(state.count, 0);
  EXPECT_EQ(state.flags, 0);
}

TEST(DelayedTE, LoadedNaNInTheWindowIsDropped) {
  DelayedOptions opts = options(Mode::TE);
  State state(3);
  state.history[2 * 3 + 1] = kNaN;
  step(state, {2.0f, 0}, opts);
  EXPECT_EQ(state.multiplier, 224.0f);
}

TEST(Delayed, SupportedModes) {
  EXPECT_TRUE(supportsDelayed(Mode::Safe));
  EXPECT_TRUE(supportsDelayed(Mode::TE));
  EXPECT_TRUE(supportsDelayed(Mode::Flax));
  EXPECT_FALSE(supportsDelayed(Mode::OCP));
  EXPECT_FALSE(supportsDelayed(Mode::TorchAO));
  EXPECT_FALSE(supportsDelayed(Mode::DeepGEMM));
}

//===----------------------------------------------------------------------===//
// Random histories against other formulations
//===----------------------------------------------------------------------===//

Amax randomAmax(std::mt19937 &engine) {
  Amax amax;
  switch (engine() % 8) {
  case 0:
    break;
  case 1:
    amax.flags = AmaxInf;
    [[fallthrough]];
  default:
    amax.value = std::ldexp(1.0f + engine() % 1024 / 1024.0f,
                            static_cast<int>(engine() % 250) - 140);
  }
  return amax;
}

TEST(DelayedTE, EqualsAQueue) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (AmaxAlgo algo : {AmaxAlgo::Max, AmaxAlgo::MostRecent})
    for (int64_t length : {1, 2, 3, 16}) {
      DelayedOptions opts = options(Mode::TE, algo, 1);
      opts.format = Format::E5M2;
      State state(length);
      std::deque<float> window;
      float scale = 1.0f;
      for (int i = 0; i < 300; ++i) {
        Amax amax = randomAmax(engine);
        step(state, amax, opts);
        float newest = amax.hasInf() ? kInfinity : amax.value;
        if (newest != 0.0f) {
          window.push_back(newest);
          if (static_cast<int64_t>(window.size()) > length)
            window.pop_front();
          float seen = algo == AmaxAlgo::Max
                           ? *std::max_element(window.begin(), window.end())
                           : newest;
          if (std::isfinite(seen))
            scale = std::min(28672.0f / seen, kMax);
        }
        ASSERT_EQ(toBits(state.multiplier), toBits(scale)) << i;
      }
    }
}

// fp8_ops computes the new scale from the history before it inserts the current
// amax, and casts with it: its order written out, against record and update.
TEST(DelayedFlax, EqualsItsOwnOrder) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  for (int64_t length : {1, 3, 16}) {
    DelayedOptions opts = options(Mode::Flax);
    State state(length);
    std::vector<float> history(length, 0.0f);
    float scale = 1.0f;
    for (int i = 0; i < 300; ++i) {
      Amax amax = randomAmax(engine);
      if (engine() % 16 == 0)
        amax.flags = AmaxNaN;
      float window = 0.0f;
      for (float value : history)
        window = std::isnan(value) || std::isnan(window)
                     ? kNaN
                     : std::max(window, value);
      float factor = 448.0f / window;
      if (!(window > 0.0f) || !std::isfinite(window))
        factor = 1.0f / scale;
      scale = 1.0f / factor;
      float used = castScale(state.slot(), amax, opts).scale;
      // Until something is recorded the stored multiplier is 1 as well.
      ASSERT_EQ(toBits(used), toBits(scale)) << i;

      std::rotate(history.begin(), history.begin() + 1, history.end());
      history[0] = amax.hasNaN()   ? kNaN
                   : amax.hasInf() ? kInfinity
                                   : amax.value;
      step(state, amax, opts);
    }
  }
}

} // namespace
