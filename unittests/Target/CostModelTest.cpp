//===- CostModelTest.cpp - Predictions against published figures ----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other people measured with kernels of the shape that ours have. The
// figures are theirs; each is for the schedule that their source names.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CostModel.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

using namespace fp8::target;

namespace {
struct Published {
  const char *device;
  GemmShape shape;
  GemmTiling tiling;
  double tflops;
};
} // namespace

static const DeviceInfo &deviceNamed(const char *name) {
  std::string error;
  const DeviceInfo *device = lookupDevice(name, error);
  EXPECT_NE(device, nullptr) << error;
  return *device;
}

static GemmShape narrow(int64_t m, int64_t n, int64_t k, int64_t promote = 0) {
  return {1, m, n, k, /*operandBytes=*/1, /*resultBytes=*/2, 0, promote};
}

static GemmShape wide(int64_t m, int64_t n, int64_t k) {
  return {1, m, n, k, /*operandBytes=*/2, /*resultBytes=*/2, 0, 0};
}

static double getTflops(const GemmShape &shape, const Prediction &prediction) {
  return 2e-6 * shape.batch * shape.m * shape.n * shape.k /
         prediction.microseconds;
}

// H800 has the matrix units of H100 SXM. DeepGEMM: pull requests 74 and 81,
// with promotion every 128. TileLang: its README's sweep over k. BF16: fast.cu.
// B200: vLLM pull requests 16032, 19566 and 20071, Triton pull request 9044.
static const GemmTiling kDeep = {128, 160, 128, 2};
static const GemmTiling kWide = {128, 256, 128, 2};
static const GemmTiling kPlain = {128, 256, 64, 2};
static const GemmTiling kB200 = {128, 128, 128, 2};
static const Published kPublished[] = {
    {"h100-sxm", narrow(4096, 7168, 16384, 128), kDeep, 1500},
    {"h100-sxm", narrow(4096, 4096, 7168, 128), kDeep, 1377},
    {"h100-sxm", narrow(4096, 24576, 1536, 128), kDeep, 1204},
    {"h100-sxm", narrow(4096, 7168, 2048, 128), kDeep, 1180},
    {"h100-sxm", narrow(4096, 32768, 512, 128), kDeep, 790},
    {"h100-sxm", narrow(8192, 8192, 256), kWide, 569},
    {"h100-sxm", narrow(8192, 8192, 512), kWide, 858},
    {"h100-sxm", narrow(8192, 8192, 1024), kWide, 1129},
    {"h100-sxm", narrow(8192, 8192, 2048), kWide, 1343},
    {"h100-sxm", narrow(8192, 8192, 4096), kWide, 1467},
    {"h100-sxm", narrow(8192, 8192, 8192), kWide, 1507},
    {"h100-sxm", narrow(8192, 8192, 16384), kWide, 1541},
    {"h100-sxm", wide(8192, 8192, 8192), kPlain, 808},
    {"h100-sxm", wide(4096, 4096, 4096), kPlain, 763},
    {"b200", narrow(8192, 8192, 8192), {128, 256, 128, 2}, 2850},
    {"b200", narrow(1024, 4096, 4096), kB200, 2077},
    {"b200", narrow(512, 4096, 4096), kB200, 1832},
    {"b200", narrow(256, 4096, 4096), kB200, 993},
    {"b200", narrow(32, 28672, 4096), {64, 64, 128}, 298}};

TEST(CostModelTest, IsWithinAThirdOfPublishedFigures) {
  double sum = 0;
  for (const Published &row : kPublished) {
    double predicted = getTflops(
        row.shape, predictGemm(row.shape, row.tiling, deviceNamed(row.device)));
    EXPECT_GT(predicted, row.tflops * 0.75)
        << row.shape.m << " " << row.shape.n << " " << row.shape.k;
    EXPECT_LT(predicted, row.tflops * 1.33)
        << row.shape.m << " " << row.shape.n << " " << row.shape.k;
    sum += predicted / row.tflops;
  }
  // No bias that one factor would remove.
  EXPECT_NEAR(sum / std::size(kPublished), 1, 0.1);
}

TEST(CostModelTest, NamesTheBound) {
  const DeviceInfo &h100 = deviceNamed("h100-sxm");
  EXPECT_EQ(predictGemm(narrow(8192, 8192, 8192), kWide, h100).bound,
            Bound::MatrixUnit);
  EXPECT_EQ(predictGemm(narrow(64, 64, 64), {64, 64, 64}, h100).bound,
            Bound::Launch);
  // Reading the weights of a step of decoding.
  EXPECT_EQ(predictGemm(narrow(64, 28672, 8192), {64, 128, 128}, h100).bound,
            Bound::Memory);
  EXPECT_EQ(predictStream(1 << 30, 1 << 29, h100).bound, Bound::Memory);
  EXPECT_EQ(predictStream(1 << 10, 1 << 9, h100).bound, Bound::Launch);
}

/// A cluster saves loads; where there are tiles for half of its blocks only,
/// the others take multiprocessors for nothing.
TEST(CostModelTest, ClustersShareLoads) {
  const DeviceInfo &h100 = deviceNamed("h100-sxm");
  auto time = [&](const GemmShape &shape, int64_t alongM, int64_t alongN) {
    GemmTiling tiling = {128, 128, 128, alongM, alongN};
    return predictGemm(shape, tiling, h100).microseconds;
  };
  GemmShape large = narrow(8192, 8192, 8192);
  EXPECT_LT(time(large, 2, 1), time(large, 1, 1));
  EXPECT_LT(time(large, 1, 2), time(large, 1, 1));
  GemmShape flat = narrow(128, 132 * 128, 1024);
  EXPECT_GT(time(flat, 2, 1), time(flat, 1, 1));
}

/// Turns hide the epilogue of all tiles but the last, and leave the additions
/// of promotion, which the other warpgroup's instructions hid, in the main
/// loop.
TEST(CostModelTest, TurnsHideEpilogues) {
  const DeviceInfo &h100 = deviceNamed("h100-sxm");
  auto time = [&](const GemmShape &shape, int64_t tileM, bool pingPong) {
    GemmTiling tiling = {tileM, 128, 128, 2, 1, 8, pingPong};
    return predictGemm(shape, tiling, h100).microseconds;
  };
  // f32 results of short sums.
  GemmShape shallow = narrow(8192, 8192, 512);
  shallow.resultBytes = 4;
  EXPECT_LT(time(shallow, 128, true), 0.8 * time(shallow, 128, false));
  GemmShape deep = narrow(8192, 8192, 16384, 128);
  EXPECT_GT(time(deep, 128, true), time(deep, 128, false));
  // Nothing to overlap with.
  GemmShape single = narrow(128, 128, 512);
  EXPECT_GE(time(single, 128, true), time(single, 128, false));
}

/// Blocks that share sums pay where tiles alone leave multiprocessors idle, and
/// cost where they do not: parts pass through memory, and one block adds them.
TEST(CostModelTest, SharedSumsFillTheDevice) {
  const DeviceInfo &h100 = deviceNamed("h100-sxm");
  auto time = [&](GemmShape shape, int64_t split) {
    shape.longestPart = shape.k / 4;
    GemmTiling tiling = {128, 128, 128};
    tiling.split = split;
    return predictGemm(shape, tiling, h100);
  };
  GemmShape deep = narrow(512, 512, 65536);
  EXPECT_LT(time(deep, 4).microseconds, 0.5 * time(deep, 1).microseconds);
  GemmShape shallow = narrow(512, 512, 1024);
  EXPECT_GT(time(shallow, 4).microseconds, time(shallow, 1).microseconds);
  GemmShape large = narrow(8192, 8192, 4096);
  EXPECT_GT(time(large, 4).microseconds, time(large, 1).microseconds);
  // Parts stay in the cache where they fit.
  EXPECT_EQ(time(deep, 4).bytes, time(deep, 1).bytes);
  EXPECT_EQ(time(large, 4).bytes - time(large, 1).bytes,
            int64_t{2} * 4 * 4 * 8192 * 8192);
}

TEST(CostModelTest, CountsBytesOnce) {
  GemmShape shape = narrow(1024, 512, 2048);
  EXPECT_EQ(predictGemm(shape, kDeep, deviceNamed("h100-sxm")).bytes,
            1024 * 2048 + 512 * 2048 + 2 * 1024 * 512);
  shape.batch = 3;
  shape.epilogueBytes = 4;
  EXPECT_EQ(predictGemm(shape, kDeep, deviceNamed("h100-sxm")).bytes,
            3 * (1024 * 2048 + 512 * 2048 + 6 * 1024 * 512));
  // An operand larger than the cache passes once for each group of rows.
  GemmShape large = narrow(4096, 65536, 4096);
  EXPECT_GT(predictGemm(large, kDeep, deviceNamed("h100-sxm")).bytes,
            int64_t{4} * 65536 * 4096);
}

/// The time of `shape` with the best of a few tiles.
static double getBest(const GemmShape &shape, const DeviceInfo &device) {
  double best = std::numeric_limits<double>::infinity();
  for (int64_t tileN : {32, 64, 128, 256})
    for (int64_t tileM : {64, 128}) {
      GemmTiling tiling = {tileM, tileN, 128 / shape.operandBytes,
                           shape.m > tileM ? 2 : 1};
      best = std::min(best, predictGemm(shape, tiling, device).microseconds);
    }
  return best;
}

// vLLM pull request 19566: a cast of the activations costs most of what FP8
// wins where m is small, and little where there is more to multiply.
TEST(CostModelTest, CastsMatterWhereTheProductIsSmall) {
  const DeviceInfo &h100 = deviceNamed("h100-sxm");
  auto lost = [&](int64_t m) {
    double plain = getBest(wide(m, 4096, 4096), h100);
    double fast = getBest(narrow(m, 4096, 4096), h100);
    double cast = predictStream(2 * m * 4096, m * 4096, h100).microseconds;
    return cast / (plain - fast);
  };
  EXPECT_GT(lost(512), 0.3);
  EXPECT_LT(lost(16384), 0.25);
  EXPECT_GT(lost(256), lost(1024));
  EXPECT_GT(lost(1024), lost(16384));
}

// H20 has most of H200's memory bandwidth and a seventh of its arithmetic.
TEST(CostModelTest, DevicesDiffer) {
  auto ratio = [&](const GemmShape &shape) {
    return getBest(shape, deviceNamed("h20")) /
           getBest(shape, deviceNamed("h200"));
  };
  EXPECT_LT(ratio(narrow(16, 8192, 8192)), 3);
  EXPECT_GT(ratio(narrow(8192, 8192, 8192)), 5);
  EXPECT_LT(ratio(narrow(8192, 8192, 8192)), 8);
}

TEST(CostModelTest, KnowsItsDevices) {
  std::string error;
  EXPECT_EQ(lookupDevice("h100", error), nullptr);
  EXPECT_NE(error.find("h100-sxm"), std::string::npos) << error;
  const TargetInfo *hopper = lookupTarget("sm_90a", error);
  ASSERT_NE(getDefaultDevice(*hopper), nullptr);
  EXPECT_EQ(getDefaultDevice(*hopper)->name, "h100-sxm");
  EXPECT_EQ(getDefaultDevice(*lookupTarget("cpu", error)), nullptr);
  for (const DeviceInfo &device : getDevices())
    EXPECT_NE(lookupTarget(device.target, error), nullptr) << error;
}

TEST(CostModelTest, TakesADeviceOfTheTarget) {
  std::string error;
  const TargetInfo *hopper = lookupTarget("sm_90a", error);
  EXPECT_EQ(getDevice(*hopper, "", error)->name, "h100-sxm");
  EXPECT_EQ(getDevice(*hopper, "h20", error)->name, "h20");
  auto own = getDevice(*hopper, R"( {"base": "h20", "launch": 4})", error);
  ASSERT_TRUE(own) << error;
  EXPECT_EQ(own->launch, 4);
  EXPECT_FALSE(getDevice(*hopper, "b200", error));
  EXPECT_NE(error.find("sm_100a"), std::string::npos) << error;
  EXPECT_FALSE(getDevice(*lookupTarget("sm_89", error), "", error));
  // Kernels need figures to choose a schedule.
  for (const TargetInfo &target : getTargets())
    if (target.implemented && target.isGPU())
      EXPECT_NE(getDefaultDevice(target), nullptr) << target.name.str();
}

TEST(CostModelTest, GridsAreOfTheDevice) {
  std::string error;
  const TargetInfo *hopper = lookupTarget("sm_90a", error);
  std::optional<GPU> h20 = lookupGPU("sm_90a", "h20", error);
  ASSERT_TRUE(h20) << error;
  EXPECT_EQ(h20->device.name, "h20");
  EXPECT_EQ(h20->target.multiprocessors, 78);
  EXPECT_EQ(h20->target.name, hopper->name);
  EXPECT_EQ(h20->target.sharedBytesPerBlock, hopper->sharedBytesPerBlock);
}

TEST(CostModelTest, RefusesWhatIsNoGPU) {
  std::string error;
  EXPECT_FALSE(lookupGPU("cpu", "", error));
  EXPECT_NE(error.find("expected a GPU target, got 'cpu'"), std::string::npos)
      << error;
  EXPECT_FALSE(lookupGPU("sm_75", "", error));
  EXPECT_NE(error.find("unknown target 'sm_75'"), std::string::npos) << error;
  EXPECT_FALSE(lookupGPU("sm_90a", "b200", error));
  EXPECT_NE(error.find("expected one of sm_90a"), std::string::npos) << error;
}

TEST(CostModelTest, ReadsMeasuredFigures) {
  std::string error;
  auto device = parseDevice(
      R"({"base": "h200", "memoryBandwidth": 4100.5, "multiprocessors": 130})",
      error);
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->memoryBandwidth, 4100.5);
  EXPECT_EQ(device->multiprocessors, 130);
  EXPECT_EQ(device->tflopsFP8, deviceNamed("h200").tflopsFP8);
  for (const char *bad :
       {"", "[]", "{}", R"({"base": "h300"})",
        R"({"base": "h200", "memory": 1})", R"({"base": "h200", "clock": 0})",
        R"({"base": "h200", "clock": "fast"})",
        R"({"base": "h200", "cacheBytes": -1})",
        R"({"base": "h200", "multiprocessors": 1.5})"}) {
    error.clear();
    EXPECT_FALSE(parseDevice(bad, error)) << bad;
    EXPECT_FALSE(error.empty()) << bad;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}
