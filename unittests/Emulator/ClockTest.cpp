//===- ClockTest.cpp - vector clocks against plain maps -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random clocks are raised, copied and joined beside a map from actor to 32
// epochs. Copies share pages, so a change that reached another clock would show
// there.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Emulator/Sanitizer/Clock.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <string>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

using Model = std::map<ActorKey, LaneEpochs>;

struct Pair {
  Clock clock;
  Model model;
};

LaneEpochs &epochsOf(Model &model, ActorKey key) {
  return model.try_emplace(key, LaneEpochs{}).first->second;
}

/// Actors on both sides of the borders of pages, and far apart.
ActorKey anyActor(Random &random) {
  const uint32_t indices[] = {0, 1, 127, 128, 129, 255, 256, 4000, 200000};
  return actorKey(random.below(2) ? ActorKind::Warp : ActorKind::BulkWrite,
                  indices[random.below(9)]);
}

void raise(Random &random, Pair &pair) {
  ActorKey key = anyActor(random);
  uint32_t mask = random.below(3) ? uint32_t(random.bits()) : ~0u;
  LaneEpochs epochs;
  for (uint32_t &epoch : epochs)
    epoch = 1 + random.below(9);
  unsigned form = random.below(3);
  if (form == 0)
    pair.clock.raise(key, epochs[0]);
  else if (form == 1)
    pair.clock.raise(key, mask, epochs[0]);
  else
    pair.clock.raise(key, mask, epochs);
  LaneEpochs &into = epochsOf(pair.model, key);
  for (unsigned lane = 0; lane < 32; ++lane)
    if (form == 0 || (mask >> lane & 1))
      into[lane] = std::max(into[lane], epochs[form == 2 ? lane : 0]);
}

bool covers(const Model &model, const Model &other) {
  for (const auto &[key, epochs] : other) {
    auto found = model.find(key);
    for (unsigned lane = 0; lane < 32; ++lane)
      if (epochs[lane] > (found == model.end() ? 0 : found->second[lane]))
        return false;
  }
  return true;
}

void expectSame(const Pair &pair) {
  for (const auto &[key, epochs] : pair.model) {
    auto [least, most] = std::minmax_element(epochs.begin(), epochs.end());
    EXPECT_EQ(pair.clock.base(key), *least);
    EXPECT_EQ(pair.clock.most(key), *most);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(pair.clock.at(key, lane), epochs[lane]);
  }
  EXPECT_EQ(pair.clock.at(actorKey(ActorKind::Grid, 77), 3), 0u);
}

TEST(Clock, AgreesWithMaps) {
  uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (unsigned round = 0; round < 100; ++round) {
    std::vector<Pair> pairs(5);
    for (unsigned step = 0; step < 100; ++step) {
      Pair &a = pairs[random.below(5)];
      const Pair &b = pairs[random.below(5)];
      switch (random.below(6)) {
      case 0:
        a = Pair(b);
        break;
      case 1:
        a.clock.join(Clock(b.clock));
        for (const auto &[key, epochs] : Model(b.model))
          for (unsigned lane = 0; lane < 32; ++lane)
            epochsOf(a.model, key)[lane] =
                std::max(epochsOf(a.model, key)[lane], epochs[lane]);
        break;
      default:
        raise(random, a);
      }
      // An actor that is known at epoch 0 only is news to no one, but may be
      // taken for it.
      if (a.clock.covers(b.clock))
        EXPECT_TRUE(covers(a.model, b.model));
      else
        EXPECT_FALSE(&a == &b);
    }
    for (const Pair &pair : pairs)
      expectSame(pair);
    for (const Pair &a : pairs) {
      Pair both = a;
      both.clock.join(pairs[0].clock);
      EXPECT_TRUE(both.clock.covers(a.clock));
      EXPECT_TRUE(both.clock.covers(pairs[0].clock));
      EXPECT_EQ(a.clock.covers(both.clock), covers(a.model, pairs[0].model));
    }
  }
}

} // namespace
