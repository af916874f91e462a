//===- GemmRunTest.cpp - Products on the emulator -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitted PTX against the reference of lib/Numerics, bit for bit: formats,
// tails in every dimension, batches, promotion, results, schedules, grids
// smaller than the number of tiles, several orders of completion. The
// emulator's checks run at their strictest; a report fails the test.
//
//===----------------------------------------------------------------------===//

#include "ProductRunner.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;

namespace {

struct GemmCase {
  int64_t batch, m, n, k;
  const char *lhs, *rhs, *out;
  /// -1: the target's own.
  int64_t promote = -1;
  Values values = Values::Finite;
  RunOptions run = {};
};

class GemmRunTest : public ProductTest {
protected:
  void check(const GemmCase &c, cta::ScheduleAttr schedule = {}) {
    SCOPED_TRACE(testing::Message()
                 << c.batch << " x " << c.m << " x " << c.n << " x " << c.k
                 << " " << c.lhs << " " << c.rhs << " " << c.out << " promote "
                 << c.promote << " seed " << c.run.seed);
    ProductCase product;
    product.batch = c.batch;
    product.m = c.m;
    product.n = c.n;
    product.k = c.k;
    product.lhs = c.lhs;
    product.rhs = c.rhs;
    product.out = c.out;
    product.promote = c.promote;
    product.operands = c.values;
    product.run = c.run;
    product.values = ++count;
    if (schedule)
      product.schedule = [=](const GemmProblem &) { return schedule; };
    ProductTest::check(product);
  }

  cta::ScheduleAttr schedule(ArrayRef<int64_t> tile, int64_t stages,
                             int64_t consumers, cta::Raster raster,
                             int64_t group,
                             ArrayRef<int64_t> cluster = {1, 1}) {
    return cta::ScheduleAttr::get(&context, tile, stages, cluster, consumers,
                                  {40, 232}, raster, group, 1);
  }

  /// Two warpgroups with a tile each.
  cta::ScheduleAttr pingPong(ArrayRef<int64_t> tile, int64_t stages,
                             ArrayRef<int64_t> cluster = {1, 1},
                             int64_t consumers = 2) {
    int64_t registers = consumers == 2 ? 232 : 152;
    return cta::ScheduleAttr::get(&context, tile, stages, cluster, consumers,
                                  {40, registers}, cta::Raster::along_m, 4, 1,
                                  cta::Sharing::pingpong);
  }

private:
  uint64_t count = 20261;
};

} // namespace

static const char *const kE4M3 = "f8E4M3FN";
static const char *const kE5M2 = "f8E5M2";

TEST_F(GemmRunTest, Formats) {
  check({0, 64, 32, 64, kE4M3, kE4M3, "f32"});
  check({0, 64, 32, 64, kE4M3, kE5M2, "f32"});
  check({0, 64, 32, 64, kE5M2, kE4M3, "f32"});
  check({0, 64, 32, 64, kE5M2, kE4M3, "bf16"});
}

TEST_F(GemmRunTest, Specials) {
  for (const char *out : {"f32", "bf16"}) {
    check({0, 64, 64, 96, kE4M3, kE5M2, out, -1, Values::Specials});
    check({0, 64, 64, 96, kE5M2, kE4M3, out, -1, Values::Tiny});
    check({0, 40, 37, 48, kE4M3, kE4M3, out, -1, Values::Specials});
  }
}

TEST_F(GemmRunTest, TailsInEveryDimension) {
  check({0, 1, 8, 16, kE4M3, kE4M3, "bf16"});
  check({0, 1, 1, 16, kE4M3, kE4M3, "f32"});
  check({0, 7, 3, 32, kE4M3, kE5M2, "bf16"});
  check({0, 65, 40, 48, kE4M3, kE5M2, "f32"});
  check({0, 129, 136, 144, kE5M2, kE4M3, "f32"});
  check({0, 130, 33, 272, kE4M3, kE4M3, "f32"});
  check({0, 130, 34, 272, kE4M3, kE4M3, "bf16"});
}

TEST_F(GemmRunTest, Batches) {
  check({3, 17, 24, 48, kE4M3, kE4M3, "f32"});
  check({2, 70, 13, 160, kE4M3, kE5M2, "bf16"});
  check({1, 64, 16, 32, kE5M2, kE4M3, "bf16"});
}

/// The same kernel on plain values: k 16 per instruction, no scales.
TEST_F(GemmRunTest, BF16Operands) {
  const char *b = "bf16";
  check({0, 64, 32, 64, b, b, "f32"});
  check({0, 70, 33, 200, b, b, b, -1, Values::Specials});
  check({0, 65, 40, 72, b, b, "f32", -1, Values::Tiny});
  check({2, 65, 40, 328, b, b, "f32", 64});
  check({0, 40, 16, 136, b, b, "f32", 0});
  check({0, 40, 16, 272, b, b, b, 32});
  check({3, 130, 140, 8, b, b, b, -1, Values::Finite, {2, 3, 2}});
}

TEST_F(GemmRunTest, Promotion) {
  check({0, 64, 32, 512, kE4M3, kE4M3, "f32"});
  check({0, 64, 32, 400, kE4M3, kE4M3, "f32", 0});
  check({0, 64, 32, 400, kE4M3, kE5M2, "f32", 32});
  check({0, 64, 32, 336, kE5M2, kE4M3, "f32", 64});
  check({0, 64, 32, 592, kE4M3, kE4M3, "f32", 256});
}

/// Sums of parts, of any lengths, each promoted or one chain.
TEST_F(GemmRunTest, Split) {
  ProductCase c;
  c.lhs = kE4M3;
  c.rhs = kE5M2;
  c.m = 70;
  c.n = 40;
  c.k = 784;
  c.out = "f32";
  c.promote = 0;
  c.split = {256, 512};
  ProductTest::check(c);
  c.values = 2;
  c.promote = 128;
  c.split = {128, 640};
  c.run = {2, 3, 2};
  ProductTest::check(c);
  c.promote = 32;
  c.split = {384};
  ProductTest::check(c);
  c.promote = 256;
  c.split = {256, 512};
  ProductTest::check(c);
  c.lhs = c.rhs = "bf16";
  c.promote = 0;
  c.split = {64, 128, 192, 704};
  c.batch = 2;
  c.turnLhs = true;
  ProductTest::check(c);
}

namespace {
/// Schedules whose blocks make a part each.
class SharedSumTest : public ProductTest {
protected:
  SharedSumTest() {
    c.lhs = kE4M3;
    c.rhs = kE5M2;
    c.m = 70;
    c.n = 40;
    c.k = 784;
    c.promote = 128;
    c.split = {128, 640};
  }

  /// Runs `c` with this tile, on one multiprocessor and on many, in grids that
  /// are smaller and larger than they.
  void checkTile(ArrayRef<int64_t> tile, int64_t consumers,
                 ArrayRef<int64_t> cluster = {1, 1}) {
    std::vector<int64_t> size(tile), blocks(cluster);
    int64_t split = static_cast<int64_t>(c.split.size()) + 1;
    c.schedule = [=](const GemmProblem &p) {
      return cta::ScheduleAttr::get(p.lhs.getContext(), size, 3, blocks,
                                    consumers, {40, 232}, cta::Raster::along_m,
                                    8, split);
    };
    c.run = {3, 132, 0};
    c.more = {{1, 3, 0}, {2, 3, 2}, {4, 132, 5}};
    if (blocks[0] * blocks[1] == 1)
      c.more.push_back({5, 1, 7});
    ++c.values;
    ProductTest::check(c);
  }

  ProductCase c;
};
} // namespace

/// Stores by TMA and by threads; promotion over, within and instead of chains.
TEST_F(SharedSumTest, PartsInBlocksOfTheirOwn) {
  checkTile({64, 32, 128}, 1);
  checkTile({128, 64, 64}, 2);
  c.n = 33;
  checkTile({128, 32, 128}, 1);
  c.promote = 32;
  checkTile({64, 64, 128}, 1);
  c.promote = 256;
  c.split = {256, 512};
  checkTile({64, 64, 128}, 1);
  c.promote = 0;
  c.out = "bf16";
  checkTile({128, 32, 32}, 2);
  c.lhs = c.rhs = "bf16";
  c.split = {64, 128, 192, 704};
  checkTile({64, 32, 64}, 1);
}

TEST_F(SharedSumTest, BatchesAndClusters) {
  c.batch = 3;
  checkTile({64, 32, 128}, 1);
  c.turnLhs = true;
  checkTile({64, 32, 128}, 1, {2, 1});
  c.batch = 0;
  c.m = 150;
  c.n = 72;
  // Tiles of a cluster beyond the matrix.
  checkTile({64, 48, 128}, 1, {1, 2});
  checkTile({64, 32, 64}, 1, {2, 1});
}

/// A small result of a deep product: the model lets blocks share sums, and the
/// kernels of a product with a promise about its rows keep it.
TEST_F(SharedSumTest, ModelChoosesThem) {
  c.m = 64;
  c.n = 64;
  c.k = 16384;
  c.split = {4096, 8192, 12288};
  c.operands = Values::Finite;
  c.schedule = [&](const GemmProblem &p) {
    cta::ScheduleAttr schedule = chooseSchedule(p, *target, &context);
    EXPECT_EQ(schedule.getSplit(), 4);
    return schedule;
  };
  ProductTest::check(c);
  // Tiles enough without.
  c.m = c.n = 8192;
  c.schedule = [&](const GemmProblem &p) {
    EXPECT_EQ(chooseSchedule(p, *target, &context).getSplit(), 1);
    return chooseSchedule(p, *target, &context);
  };
  EXPECT_EQ(StringRef(emit(c)).count("atom."), 0u);
}

/// The memory that blocks share is that of the largest m of a range; without
/// one, a block makes the whole sum.
TEST_F(SharedSumTest, RunTimeSizes) {
  c.n = 40;
  c.run.sms = 3;
  c.rangeSchedule = [&](const ScheduleRange &range) {
    bool isBounded = !ShapedType::isDynamic(range.last);
    return cta::ScheduleAttr::get(&context, {64, 32, 128}, 3, {1, 1}, 1,
                                  {40, 232}, cta::Raster::along_m, 8,
                                  isBounded ? 3 : 1);
  };
  checkRunTime(c, {1, 64, 65, 256, 300, 1025});
  c.rangeSchedule = nullptr;
  c.k = 16384;
  c.n = 64;
  c.split = {4096, 8192, 12288};
  c.operands = Values::Finite;
  checkRunTime(c, {3, 70});
}

/// The same problems through tensor memory, in one chain of Blackwell's sums.
TEST_F(GemmRunTest, TensorMemory) {
  useTarget("sm_100a");
  const char *b = "bf16";
  check({0, 128, 32, 64, kE4M3, kE4M3, "f32"});
  check({0, 1, 1, 16, kE4M3, kE5M2, b});
  check({0, 7, 24, 48, kE5M2, kE4M3, "f32", -1, Values::Specials});
  check({0, 130, 33, 272, kE4M3, kE4M3, "f32", -1, Values::Specials});
  check({0, 129, 136, 144, kE5M2, kE5M2, b, -1, Values::Tiny});
  check({2, 70, 13, 160, kE4M3, kE5M2, b});
  check({0, 65, 40, 1040, kE4M3, kE4M3, "f32", 0});
  check({0, 70, 33, 200, b, b, b, -1, Values::Specials});
  check({3, 130, 140, 8, b, b, "f32", -1, Values::Finite, {2, 3, 2}});
  for (uint64_t seed : {1, 2, 3}) {
    RunOptions few = {seed, 3, 3};
    check({0, 300, 264, 256, kE4M3, kE5M2, b, -1, Values::Finite, few});
  }
}

/// m and batch are numbers of the launch: one compile, at most four kernels.
TEST_F(GemmRunTest, RunTimeSizes) {
  ProductCase c;
  c.lhs = c.rhs = kE4M3;
  for (const char *name : {"sm_90a", "sm_100a"}) {
    useTarget(name);
    c.n = 24;
    c.k = 48;
    c.out = "bf16";
    checkRunTime(c, {1, 7, 64, 65, 300, 4097});
    // Rows that TMA cannot store, and several chains.
    c.n = 33;
    c.k = 272;
    c.out = "f32";
    c.run.blocks = 3;
    checkRunTime(c, {1, 65, 257}, {1, 3});
    c.run.blocks = 0;
  }
}

/// A row has the same bits whatever the number of rows, in the kernel that each
/// number has by default, and with the operands swapped: the order of the sum,
/// and where it is promoted, depend on k and the target only.
TEST_F(GemmRunTest, RowsDoNotDependOnTheirNumber) {
  constexpr int64_t kRows = 200;
  std::mt19937_64 random(4711);
  for (const char *name : {"sm_90a", "sm_100a"}) {
    useTarget(name);
    ProductCase c;
    c.lhs = kE4M3;
    c.rhs = kE5M2;
    c.n = 72;
    c.k = 400;
    auto e4 = ::fp8::numerics::ElementKind::E4M3FN;
    auto e5 = ::fp8::numerics::ElementKind::E5M2;
    Bytes rows = randomCodes(random, kRows, c.k, e4, Values::Finite);
    Bytes weights = randomCodes(random, c.n, c.k, e5, Values::Finite);
    c.m = kRows;
    std::vector<uint32_t> all = multiply(c, rows, weights);
    for (int64_t m : {1, 7, 64, 65, 130}) {
      SCOPED_TRACE(testing::Message() << name << " m " << m);
      c.m = m;
      Bytes first(rows.begin(), rows.begin() + m * c.k);
      std::vector<uint32_t> some = multiply(c, first, weights);
      EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
      ProductCase swapped = c;
      std::swap(swapped.lhs, swapped.rhs);
      std::swap(swapped.m, swapped.n);
      std::vector<uint32_t> turned = multiply(swapped, weights, first);
      int64_t wrong = 0;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < c.n; ++j)
          wrong += turned[j * m + i] != all[i * c.n + j];
      EXPECT_EQ(wrong, 0);
    }
  }
}

/// Operands and results pass through shared memory without bank conflicts, and
/// each operand is read, each result written, as often as the tiles need.
TEST_F(GemmRunTest, NoBankConflicts) {
  for (const char *name : {"sm_90a", "sm_100a"}) {
    useTarget(name);
    for (const char *out : {"f32", "bf16"})
      for (int64_t columns : {16, 32, 96, 128}) {
        SCOPED_TRACE(testing::Message()
                     << name << ' ' << out << ' ' << columns);
        ProductCase c;
        c.lhs = c.rhs = kE4M3;
        c.m = 128;
        c.n = columns;
        c.k = 256;
        c.out = out;
        c.schedule = [&](const GemmProblem &) {
          return schedule({128, columns, 128}, 3, 1, cta::Raster::along_m, 8);
        };
        c.run.statistics = true;
        Outcome outcome = runEdited(c, {[](std::string &) {}}).front();
        EXPECT_EQ(outcome.error, "");
        EXPECT_TRUE(outcome.findings.empty());
        const auto &counts = outcome.statistics;
        EXPECT_GT(counts.sharedAccesses, 0u);
        EXPECT_EQ(counts.sharedWavefronts, counts.sharedLeast);
        uint64_t loaded = 0, stored = 0;
        for (const auto &[kind, transfer] : counts.transfers)
          (StringRef(kind).contains("load") ? loaded : stored) +=
              transfer.globalBytes;
        EXPECT_EQ(loaded, uint64_t(c.m + c.n) * c.k);
        EXPECT_EQ(stored, uint64_t(c.m * c.n) * (c.out == "f32" ? 4 : 2));
      }
  }
}

/// Every width that an instruction has, in both depths of a line.
TEST_F(GemmRunTest, TensorMemoryWidths) {
  useTarget("sm_100a");
  GemmCase c = {0, 150, 290, 96, kE4M3, kE5M2, "f32"};
  c.run.blocks = 2;
  for (int64_t columns = 16; columns <= 256; columns += 48)
    check(c, schedule({128, columns, columns % 96 ? 32 : 64}, 2, 1,
                      cta::Raster::along_n, 2));
}

/// Fewer blocks than tiles; other orders of completion.
TEST_F(GemmRunTest, PersistentTiles) {
  for (uint64_t seed : {1, 2, 3})
    check({0,
           300,
           264,
           256,
           kE4M3,
           kE5M2,
           "bf16",
           -1,
           Values::Finite,
           {seed, 3, 3}});
  check({2, 150, 129, 128, kE4M3, kE4M3, "f32", -1, Values::Finite, {4, 2, 2}});
}

TEST_F(GemmRunTest, OtherSchedules) {
  GemmCase c = {0, 200, 144, 320, kE4M3, kE5M2, "f32"};
  c.run.blocks = 2;
  check(c, schedule({128, 64, 64}, 2, 1, cta::Raster::along_n, 2));
  check(c, schedule({256, 48, 128}, 3, 2, cta::Raster::along_m, 1));
  check(c, schedule({64, 96, 256}, 2, 1, cta::Raster::along_n, 3));
  c.promote = 0;
  check(c, schedule({128, 32, 32}, 4, 2, cta::Raster::along_m, 8));
}

/// Blocks of a cluster share tiles, also where the tiles are no multiple of the
/// cluster's and where few clusters run at a time.
TEST_F(GemmRunTest, Clusters) {
  auto along_m = cta::Raster::along_m, along_n = cta::Raster::along_n;
  for (auto [seed, sms] : {std::pair<uint64_t, unsigned>(1, 4), {2, 132}}) {
    GemmCase c = {0, 300, 144, 320, kE4M3, kE5M2, "f32"};
    c.run = {seed, sms, 4};
    check(c, schedule({128, 64, 64}, 2, 2, along_n, 2, {2, 1}));
    check(c, schedule({64, 96, 128}, 3, 1, along_m, 3, {1, 2}));
    check(c, schedule({64, 48, 32}, 4, 1, along_m, 1, {2, 2}));
    c = {2, 65, 33, 272, kE4M3, kE4M3, "bf16"};
    c.values = Values::Specials;
    c.run = {seed, sms, 0};
    check(c, schedule({64, 32, 128}, 3, 1, along_m, 8, {2, 1}));
    check(c, schedule({64, 16, 128}, 3, 1, along_n, 8, {1, 2}));
    check(c, schedule({64, 32, 128}, 2, 1, along_m, 8, {4, 1}));
    c = {0, 40, 24, 64, kE5M2, kE4M3, "bf16"};
    c.run = {seed, sms, 0};
    // Blocks without a tile of their own.
    check(c, schedule({64, 32, 64}, 2, 1, along_m, 8, {2, 1}));
    check(c, schedule({64, 32, 64}, 2, 1, along_m, 8, {1, 2}));
  }
}

/// Warpgroups with a tile each: an odd number of tiles for a block, none for
/// its second warpgroup or for a whole block, sums that are longer or shorter
/// than the ring, in one chain or several, and clusters.
TEST_F(GemmRunTest, PingPong) {
  for (auto [seed, sms] : {std::pair<uint64_t, unsigned>(1, 3), {2, 132}})
    for (int64_t promote : {-1, 0, 32, 256}) {
      GemmCase c = {0, 300, 144, 656, kE4M3, kE5M2, "f32", promote};
      c.run = {seed, sms, 2};
      check(c, pingPong({64, 64, 64}, 3));
      check(c, pingPong({128, 96, 128}, 2));
      check(c, pingPong({64, 32, 128}, 5, {1, 1}, 3));
      // One tile for three blocks, which are of no cluster.
      c = {0, 50, 40, 144, kE5M2, kE4M3, "bf16", promote};
      c.run = {seed, sms, 3};
      check(c, pingPong({64, 48, 128}, 4));
      c = {3, 65, 33, 272, kE4M3, kE4M3, "bf16", promote};
      c.values = Values::Specials;
      c.run = {seed, sms, 2};
      check(c, pingPong({64, 32, 128}, 3, {2, 1}));
      check(c, pingPong({64, 16, 128}, 4, {1, 2}));
    }
}

/// Turns of one stage each: a warp that still looks for the end of the turn
/// before holds up the end of its own.
TEST_F(GemmRunTest, PingPongOfOneStage) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    GemmCase c = {0, 263, 132, 64, kE4M3, kE5M2, "f32", 0};
    c.run = {seed, 3, 2};
    check(c, pingPong({64, 32, 64}, 3));
    check(c, pingPong({64, 96, 64}, 5, {2, 1}));
  }
}

TEST_F(GemmRunTest, PingPongRunTimeSizes) {
  ProductCase c;
  c.lhs = c.rhs = kE4M3;
  c.n = 40;
  c.k = 272;
  c.out = "bf16";
  c.run.blocks = 2;
  c.schedule = [&](const GemmProblem &) {
    return pingPong({64, 16, 128}, 3, {2, 1});
  };
  checkRunTime(c, {1, 65, 300});
  c.schedule = [&](const GemmProblem &) { return pingPong({128, 32, 64}, 4); };
  checkRunTime(c, {1, 129, 257}, {1, 3});
}

/// A sum in parts, each longer or shorter than the ring.
TEST_F(GemmRunTest, PingPongSplit) {
  ProductCase c;
  c.lhs = kE4M3;
  c.rhs = kE5M2;
  c.m = 140;
  c.n = 72;
  c.k = 784;
  c.out = "f32";
  c.split = {128, 640};
  c.run = {2, 3, 2};
  c.schedule = [&](const GemmProblem &) { return pingPong({64, 32, 128}, 3); };
  for (int64_t promote : {0, 32, 128}) {
    c.promote = promote;
    ProductTest::check(c);
  }
  c.promote = 256;
  c.split = {256, 512};
  ProductTest::check(c);
}

/// The release of a stage is the completion of its matrix instructions.
TEST_F(GemmRunTest, ClustersWithTensorMemory) {
  useTarget("sm_100a");
  auto along_m = cta::Raster::along_m;
  for (auto [seed, sms] : {std::pair<uint64_t, unsigned>(1, 4), {2, 132}}) {
    GemmCase c = {0, 300, 144, 320, kE4M3, kE5M2, "f32"};
    c.run = {seed, sms, 4};
    check(c, schedule({128, 64, 64}, 2, 1, along_m, 2, {2, 1}));
    check(c, schedule({128, 96, 128}, 3, 1, along_m, 3, {1, 2}));
    check(c, schedule({128, 48, 32}, 4, 1, along_m, 1, {2, 2}));
  }
}
