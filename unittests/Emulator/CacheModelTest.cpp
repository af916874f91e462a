//===- CacheModelTest.cpp - the cache of the statistics -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By hand where each rule shows, and random requests beside a list of sectors
// that is searched anew each time.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Emulator/Exec/CacheModel.h"

#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

TEST(CacheModel, FetchesWhatIsReadAndMissing) {
  Cache cache(256);
  cache.access(30, 4, AccessKind::Read); // two sectors
  EXPECT_EQ(cache.traffic().read, 64u);
  cache.access(0, 128, AccessKind::Read);
  EXPECT_EQ(cache.traffic().read, 128u);
  cache.flush();
  EXPECT_EQ(cache.traffic().written, 0u);
}

TEST(CacheModel, WritesBackOnce) {
  Cache cache(256);
  cache.access(0, 64, AccessKind::Write);
  cache.access(0, 64, AccessKind::Write);
  cache.access(32, 32, AccessKind::Read);
  cache.access(128, 4, AccessKind::Atomic);
  EXPECT_EQ(cache.traffic().read, 32u);
  EXPECT_EQ(cache.traffic().written, 0u);
  cache.flush();
  EXPECT_EQ(cache.traffic().written, 96u);
}

TEST(CacheModel, EvictsWhatWasUsedLongestAgo) {
  Cache cache(256);
  cache.access(0, 1, AccessKind::Write);
  cache.access(128, 1, AccessKind::Read);
  cache.access(0, 1, AccessKind::Read);
  cache.access(256, 1, AccessKind::Read); // in place of line 1
  EXPECT_EQ(cache.traffic().written, 0u);
  cache.access(128, 1, AccessKind::Read); // in place of line 0
  EXPECT_EQ(cache.traffic().read, 96u);
  EXPECT_EQ(cache.traffic().written, 32u);
}

TEST(CacheModel, AgreesWithASearch) {
  uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  constexpr unsigned lines = 5;
  Cache cache(lines * Cache::lineBytes);
  std::vector<uint64_t> used; // last used last
  std::map<uint64_t, std::pair<bool, bool>> sectors;
  Traffic want;
  for (unsigned i = 0; i < 20000; ++i) {
    uint64_t address = random.below(1500), bytes = random.below(300);
    auto kind = static_cast<AccessKind>(random.below(3));
    cache.access(address, bytes, kind);
    std::set<uint64_t> touched;
    for (uint64_t at = address; at < address + bytes; ++at)
      touched.insert(at / 32);
    uint64_t current = ~0ull;
    for (uint64_t sector : touched) {
      if (sector / 4 != current) {
        current = sector / 4;
        llvm::erase(used, current);
        used.push_back(current);
      }
      auto &[valid, dirty] = sectors[sector];
      want.read += kind == AccessKind::Write || valid ? 0 : 32;
      valid = true;
      dirty |= kind != AccessKind::Read;
      for (; used.size() > lines; used.erase(used.begin()))
        for (uint64_t s = 4 * used[0]; s < 4 * used[0] + 4; ++s) {
          want.written += sectors[s].second ? 32 : 0;
          sectors.erase(s);
        }
    }
    ASSERT_EQ(cache.traffic().read, want.read) << "request " << i;
    ASSERT_EQ(cache.traffic().written, want.written) << "request " << i;
  }
}
