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

#include <functional>
#include <tuple>

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::DeviceInfo;
using ::fp8::target::GemmShape;
using ::fp8::target::GemmTiling;
using ::fp8::target::Prediction;
using ::fp8::target::TargetInfo;

// Fewer stages do not hide the latency of loads, more hide nothing further.
static constexpr int64_t kMinStages = 3, kMaxStages = 6;
// Registers of a thread for accumulators, and for what an epilogue computes and
// reads: more do not leave room for addresses. ptxas takes the kernels at these
// limits without a spill (EmitTest.PtxasTakes*Schedules).
static constexpr int64_t kAccumulators = 160, kEpilogueValues = 160;
// Blocks of a cluster along m and n. More than two have to find more free
// multiprocessors next to each other, and halve the loads that are left.
static constexpr int64_t kClusters[][2] = {{1, 1}, {2, 1}, {1, 2}};

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

static StoredTile getStoredTile(const GemmProblem &problem,
                                const TargetInfo &target) {
  StoredTile tile;
  if (target.hasTensorMemory())
    tile.step = 16;
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
  if (problem.epilogue)
    for (const EpilogueInput &input : problem.epilogue->inputs)
      if (input.isMatrix())
        shape.epilogueBytes += getElementBytes(input.element);
  shape.promote = getPromotion(problem, target);
  int64_t begin = 0;
  for (int64_t boundary : problem.split) {
    shape.longestPart = std::max(shape.longestPart, boundary - begin);
    begin = boundary;
  }
  if (begin != 0)
    shape.longestPart = std::max(shape.longestPart, problem.k - begin);
  return shape;
}

/// Columns of a tile for which a thread that has `subtiles` times 64 rows of it
/// has the registers: half a one for each column of an accumulator, and of each
/// matrix that the epilogue reads or stores; promotion has the running sums
/// beside the chain's, and a sum of parts the whole sums beside those. Where
/// `split` blocks share them, whole sums stand beside one part alone.
static int64_t getWidestTile(const GemmProblem &problem, const GemmShape &shape,
                             int64_t depth, int64_t subtiles, int64_t split) {
  int64_t sums = subtiles * (problem.split.empty() || split > 1 ? 1 : 2);
  // Batches of sub-tiles that end within a stage come one after the other.
  if (shape.promote)
    sums += shape.promote <= depth ? 1 : subtiles;
  if (split > 1)
    sums = std::max(sums, 2 * subtiles);
  int64_t widest = 2 * kAccumulators / sums;
  if (!problem.epilogue)
    return widest;
  int64_t matrices = llvm::count_if(
      problem.epilogue->outputs,
      [](const EpilogueOutput &output) { return !output.isAmax; });
  matrices += llvm::count_if(problem.epilogue->inputs,
                             std::mem_fn(&EpilogueInput::isMatrix));
  matrices = subtiles * std::max<int64_t>(matrices, 1);
  return std::min(widest, 2 * kEpilogueValues / matrices);
}

static Prediction predict(const GemmShape &shape, ScheduleAttr schedule,
                          const DeviceInfo &device) {
  GemmTiling tiling = {schedule.getTileM(),      schedule.getTileN(),
                       schedule.getTileK(),      schedule.getCluster()[0],
                       schedule.getCluster()[1], schedule.getGroup(),
                       schedule.isPingPong(),    schedule.getSplit()};
  return predictGemm(shape, tiling, device);
}

Prediction mlir::fp8::predictSchedule(const GemmProblem &problem,
                                      ScheduleAttr schedule,
                                      const TargetInfo &target,
                                      const DeviceInfo &device) {
  return predict(getShape(problem, target), schedule, device);
}

namespace {
/// Warpgroups of a block, and what they have of a tile.
struct Warpgroups {
  int64_t consumers;
  Sharing sharing;
  /// Rows of a tile.
  int64_t tileM;

  /// Parts of 64 rows that one of them has.
  int64_t getSubtiles() const {
    return sharing == Sharing::pingpong ? tileM / 64 : tileM / 64 / consumers;
  }
  /// Tiles of a band of the raster: for two at a time as many rows as for one
  /// of the two's.
  int64_t getGroup() const {
    return sharing == Sharing::pingpong ? 1024 / tileM : 8;
  }
  /// Tiles whose results are in shared memory at a time.
  int64_t getTiles() const {
    return sharing == Sharing::pingpong ? consumers : 1;
  }
};
} // namespace

/// The forms that are considered for `problem`.
static SmallVector<Warpgroups> getForms(const GemmProblem &problem,
                                        const TargetInfo &target) {
  // One warpgroup reads all 128 lanes of tensor memory.
  if (target.hasTensorMemory())
    return {{1, Sharing::cooperative, 128}};
  SmallVector<Warpgroups> forms;
  if (problem.m > 64) {
    forms.push_back({2, Sharing::cooperative, 128});
    forms.push_back({2, Sharing::pingpong, 128});
  }
  forms.push_back({1, Sharing::cooperative, 64});
  forms.push_back({2, Sharing::pingpong, 64});
  return forms;
}

SmallVector<ScheduleChoice> mlir::fp8::rankSchedules(const GemmProblem &problem,
                                                     const TargetInfo &target,
                                                     const DeviceInfo &device,
                                                     MLIRContext *context) {
  StoredTile stored = getStoredTile(problem, target);
  GemmShape shape = getShape(problem, target);
  int64_t depth = getTileDepth(problem);
  int64_t columns = llvm::alignTo(problem.n, stored.step);
  SmallVector<ScheduleChoice> choices;
  auto consider = [&](const Warpgroups &form, int64_t tileN,
                      ArrayRef<int64_t> cluster, int64_t split) {
    int64_t tileM = form.tileM;
    int64_t stageBytes = (tileM + tileN) * depth * shape.operandBytes;
    int64_t stages = (target.sharedBytesPerBlock - kRingBytes -
                      form.getTiles() * tileM * tileN * stored.bytes) /
                     stageBytes;
    // A block of its own for each tile of the cluster, 8 rows to read for each
    // block.
    bool fits = cluster[0] * cluster[1] <= device.multiprocessors &&
                problem.m > (cluster[0] - 1) * tileM &&
                problem.n > (cluster[1] - 1) * tileN &&
                tileN % (8 * cluster[0]) == 0;
    if (stages < kMinStages || !fits)
      return;
    auto schedule = ScheduleAttr::get(
        context, {tileM, tileN, depth}, std::min(stages, kMaxStages), cluster,
        form.consumers, {40, 232}, Raster::along_m, form.getGroup(), split,
        form.sharing);
    // Their numbers are i32.
    if (split > 1 &&
        getWorkspace(problem, schedule)->counters >= (int64_t{1} << 31) / split)
      return;
    choices.push_back({schedule, predict(shape, schedule, device)});
  };
  auto considerForm = [&](const Warpgroups &form, int64_t split) {
    // Tensor memory has the sums, and one part of them at a time is read.
    int64_t subtiles = target.hasTensorMemory() ? 1 : form.getSubtiles();
    int64_t widest = getWidestTile(problem, shape, depth, subtiles, split);
    for (int64_t tileN : {256, 192, 160, 128, 96, 64, 32}) {
      if (tileN > widest || tileN % stored.step != 0)
        continue;
      // All columns in one tile leave none of it unused.
      for (ArrayRef<int64_t> cluster : kClusters)
        consider(form, std::min(tileN, columns), cluster, split);
    }
  };
  auto parts = static_cast<int64_t>(problem.split.size()) + 1;
  for (const Warpgroups &form : getForms(problem, target)) {
    considerForm(form, /*split=*/1);
    if (parts > 1 && form.sharing == Sharing::cooperative)
      considerForm(form, parts);
  }
  auto rank = [](const ScheduleChoice &choice) {
    ScheduleAttr schedule = choice.schedule;
    return std::make_tuple(choice.prediction.microseconds, schedule.getSplit(),
                           schedule.isPingPong(), schedule.getClusterBlocks(),
                           -schedule.getTileM(), -schedule.getTileN());
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

SmallVector<ScheduleRange> mlir::fp8::chooseScheduleRanges(
    const GemmProblem &problem, const TargetInfo &target,
    const DeviceInfo &device, MLIRContext *context, bool mayShareSums) {
  // Decoding, small batches, large ones, training: the extents at which tiles
  // of another height begin to pay.
  static constexpr int64_t kLast[] = {64, 256, 1024};
  static constexpr int64_t kTypical[] = {64, 256, 1024, 8192};
  static_assert(std::size(kTypical) == kMaxScheduleRanges);
  // Where the rows of a batch are summed over.
  static constexpr int64_t kTypicalDepth = 8192;
  SmallVector<ScheduleRange> ranges;
  for (auto [index, typical] : llvm::enumerate(kTypical)) {
    GemmProblem fixed = problem;
    if (ShapedType::isDynamic(problem.m))
      fixed.m = typical;
    if (fixed.batch && ShapedType::isDynamic(*fixed.batch))
      fixed.batch = 1;
    if (ShapedType::isDynamic(fixed.k))
      fixed.k = kTypicalDepth;
    int64_t last =
        index < std::size(kLast) ? kLast[index] : ShapedType::kDynamic;
    // What blocks leave for each other needs memory of a known size.
    bool isBounded = mayShareSums && !ShapedType::isDynamic(last) &&
                     !(problem.batch && ShapedType::isDynamic(*problem.batch));
    SmallVector<ScheduleChoice> choices =
        rankSchedules(fixed, target, device, context);
    ScheduleAttr schedule =
        llvm::find_if(choices, [&](const ScheduleChoice &choice) {
          // A turn has at least one stage, and there may be none.
          return (isBounded || choice.schedule.getSplit() == 1) &&
                 !(ShapedType::isDynamic(problem.k) &&
                   choice.schedule.isPingPong());
        })->schedule;
    if (!ranges.empty() && ranges.back().schedule == schedule)
      ranges.back().last = last;
    else
      ranges.push_back({last, schedule});
  }
  return ranges;
}

ScheduleAttr mlir::fp8::chooseSchedule(const GemmProblem &problem,
                                       const TargetInfo &target,
                                       MLIRContext *context) {
  const DeviceInfo *device = ::fp8::target::getDefaultDevice(target);
  return rankSchedules(problem, target, *device, context).front().schedule;
}
