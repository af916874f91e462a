//===- ScheduleChoice.cpp - The schedule of a product's kernel ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All schedules that fit the target, ranked by the cost model. The tile of an
// output does not change how its elements are summed, so that the choice is one
// of speed alone.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::DeviceInfo;
using ::fp8::target::GemmShape;
using ::fp8::target::GemmTiling;
using ::fp8::target::TargetInfo;

// Fewer stages do not hide the latency of loads, more hide nothing further.
static constexpr int64_t kMinStages = 3, kMaxStages = 6;
// Alignment, and the ring's barriers.
static constexpr int64_t kRingBytes = 2048;
// Accumulator registers of a thread: more do not leave room for the addresses,
// or for what an epilogue computes. ptxas takes the kernels at these limits
// without a spill.
static constexpr int64_t kAccumulators = 160, kFusedAccumulators = 128;

static int64_t getElementBytes(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

namespace {
/// What of the outputs passes through shared memory.
struct StoredTile {
  /// Columns must be a multiple of this: a line of a tile is at least one
  /// 32-byte swizzle line.
  int64_t step = 8;
  /// Bytes for one element.
  int64_t bytes = 0;
};
} // namespace

static StoredTile getStoredTile(const GemmProblem &problem) {
  StoredTile tile;
  for (const EpilogueOutput &output : getOutputs(problem)) {
    if (!storesWithTMA(problem, output))
      continue;
    tile.step = std::max(tile.step, 32 / getElementBytes(output.element));
    tile.bytes += getElementBytes(output.element);
  }
  return tile;
}

/// `problem` as the cost model sees it.
static GemmShape getShape(const GemmProblem &problem,
                          const TargetInfo &target) {
  GemmShape shape;
  shape.batch = problem.batch.value_or(1);
  shape.m = problem.m;
  shape.n = problem.n;
  shape.k = problem.k;
  shape.operandBytes = getElementBytes(problem.lhs);
  shape.resultBytes = 0;
  for (const EpilogueOutput &output : getOutputs(problem))
    if (!output.isAmax)
      shape.resultBytes += getElementBytes(output.element);
  // An input that is a row or a column is read from the cache.
  if (problem.epilogue)
    for (const EpilogueInput &input : problem.epilogue->inputs)
      if (llvm::count_if(input.strides, [](int64_t s) { return s != 0; }) > 1)
        shape.epilogueBytes += getElementBytes(input.element);
  shape.promote = getPromotion(problem, target);
  return shape;
}

SmallVector<ScheduleChoice> mlir::fp8::rankSchedules(const GemmProblem &problem,
                                                     const TargetInfo &target,
                                                     const DeviceInfo &device,
                                                     MLIRContext *context) {
  StoredTile stored = getStoredTile(problem);
  GemmShape shape = getShape(problem, target);
  int64_t depth = getTileDepth(problem);
  int64_t columns = llvm::alignTo(problem.n, stored.step);
  int64_t limit = problem.epilogue ? kFusedAccumulators : kAccumulators;
  // Half a register for each column; promotion has the running sums beside the
  // chain's.
  int64_t widest = shape.promote ? limit : 2 * limit;
  SmallVector<ScheduleChoice> choices;
  auto consider = [&](int64_t consumers, int64_t tileN) {
    int64_t tileM = 64 * consumers;
    int64_t stageBytes = (tileM + tileN) * depth * shape.operandBytes;
    int64_t stages = (target.sharedBytesPerBlock - kRingBytes -
                      tileM * tileN * stored.bytes) /
                     stageBytes;
    if (stages < kMinStages)
      return;
    auto schedule = ScheduleAttr::get(
        context, {tileM, tileN, depth}, std::min(stages, kMaxStages), {1, 1},
        consumers, {40, 232}, Raster::along_m, /*group=*/8, /*split=*/1);
    GemmTiling tiling = {tileM, tileN, depth, 1, 1, consumers};
    choices.push_back({schedule, predictGemm(shape, tiling, device)});
  };
  for (int64_t consumers : {2, 1}) {
    if (consumers > 1 && problem.m <= 64)
      continue;
    for (int64_t tileN : {256, 192, 160, 128, 96, 64, 32}) {
      if (tileN > widest || tileN % stored.step != 0)
        continue;
      // All columns in one tile leave none of it unused.
      consider(consumers, std::min(tileN, columns));
    }
  }
  auto rank = [](const ScheduleChoice &choice) {
    ScheduleAttr schedule = choice.schedule;
    return std::make_tuple(choice.prediction.microseconds, -schedule.getTileM(),
                           -schedule.getTileN());
  };
  llvm::sort(choices, [&](const auto &lhs, const auto &rhs) {
    return rank(lhs) < rank(rhs);
  });
  auto isSame = [](const auto &lhs, const auto &rhs) {
    return lhs.schedule == rhs.schedule;
  };
  choices.erase(llvm::unique(choices, isSame), choices.end());
  return choices;
}

ScheduleAttr mlir::fp8::chooseSchedule(const GemmProblem &problem,
                                       const TargetInfo &target,
                                       MLIRContext *context) {
  const DeviceInfo *device = ::fp8::target::getDefaultDevice(target);
  return rankSchedules(problem, target, *device, context).front().schedule;
}
