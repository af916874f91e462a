//===- CostModel.cpp - Predicted times of kernels -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile's main loop takes the longer of its arithmetic and its loads; a block
// does its tiles one after the other, or the epilogue of one beside the main
// loop of the next; all blocks together cannot beat device memory. Each term is
// at the place where it is computed.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CostModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fp8::target;

static constexpr int64_t kMiB = 1 << 20;

// Data sheets: H100 (SXM5, PCIe), H200, GH200 (96 GB HBM3), H20, B200. A
// multiprocessor of Hopper does 8192 FP8 operations in a clock, so the clock is
// the one at which the product is the sheet's figure. The cache's width is
// 5120 bytes a clock on A100, and taken for H100 too: no published figure of
// the unit tests depends on it there, as those kernels multicast, but it
// decides where a cluster of ours pays. B200 reaches less of its rate: 2545
// to 2850 of 4500 TFLOPS in what is published.
static const DeviceInfo kDevices[] = {
    {"h100-sxm", "sm_90a", 132, 1.83, 1979, 989.5, 3350, 50 * kMiB, 5120},
    {"h100-pcie", "sm_90a", 114, 1.62, 1513, 756.5, 2000, 50 * kMiB, 5120},
    {"h200", "sm_90a", 132, 1.83, 1979, 989.5, 4800, 50 * kMiB, 5120},
    {"gh200", "sm_90a", 132, 1.83, 1979, 989.5, 4000, 50 * kMiB, 5120},
    {"h20", "sm_90a", 78, 1.83, 296, 148, 4000, 60 * kMiB, 5120},
    {"b200", "sm_100a", 148, 1.85, 4500, 2250, 7700, 126 * kMiB, 10240,
     /*launch=*/2.5, /*matrixEfficiency=*/0.65},
};

// Bytes that a multiprocessor reads from shared memory in a clock, and f32 adds
// that it does.
static constexpr double kSharedBytesPerClock = 128;
static constexpr double kAddsPerClock = 128;
// Share of the additions of promotion that run while the matrix unit works for
// the other consumer. From DeepGEMM's 1500 TFLOPS where a kernel without
// promotion reaches 1600 on the same device.
static constexpr double kPromotionOverlap = 0.6;
// Clocks from the last instruction of a warpgroup's batch to the first of its
// next one, where it has to wait for the sums between: the matrix unit idles if
// it works for no other warpgroup. An assumption.
static constexpr double kBatchGap = 100;
// Microseconds until the first tile of a block has been loaded.
static constexpr double kFirstLoad = 0.8;
// Clocks until blocks of a cluster know of each other that a stage is free: a
// fence without a store to wait for, and an arrival next door. An assumption.
static constexpr double kAgreement = 350;
// Microseconds from a block's last store to when another one reads it: a fence
// for all stores, and a counter. An assumption.
static constexpr double kHandover = 1.5;
// Share of the cache that one operand keeps while the others pass through.
static constexpr double kCacheShare = 0.5;

llvm::ArrayRef<DeviceInfo> fp8::target::getDevices() { return kDevices; }

const DeviceInfo *fp8::target::lookupDevice(llvm::StringRef name,
                                            std::string &error) {
  for (const DeviceInfo &device : kDevices)
    if (device.name == name)
      return &device;
  auto names = llvm::map_range(
      kDevices, [](const DeviceInfo &device) { return device.name.str(); });
  error = llvm::formatv("unknown device '{0}': expected one of {1}", name,
                        llvm::join(names, ", "));
  return nullptr;
}

const DeviceInfo *fp8::target::getDefaultDevice(const TargetInfo &target) {
  for (const DeviceInfo &device : kDevices)
    if (device.target == target.name)
      return &device;
  return nullptr;
}

/// The figure of `device` called `name`, or null.
static double *getFigure(DeviceInfo &device, llvm::StringRef name) {
  std::pair<llvm::StringRef, double *> figures[] = {
      {"clock", &device.clock},
      {"tflopsFP8", &device.tflopsFP8},
      {"tflopsBF16", &device.tflopsBF16},
      {"memoryBandwidth", &device.memoryBandwidth},
      {"cacheBytesPerClock", &device.cacheBytesPerClock},
      {"launch", &device.launch},
      {"matrixEfficiency", &device.matrixEfficiency},
      {"memoryEfficiency", &device.memoryEfficiency}};
  for (auto [key, figure] : figures)
    if (key == name)
      return figure;
  return nullptr;
}

static int64_t *getCount(DeviceInfo &device, llvm::StringRef name) {
  return name == "multiprocessors" ? &device.multiprocessors
         : name == "cacheBytes"    ? &device.cacheBytes
                                   : nullptr;
}

/// Whether `key` of a device's JSON was understood; else `error` says why not.
static bool setFigure(DeviceInfo &device, llvm::StringRef key,
                      const llvm::json::Value &value, std::string &error) {
  if (int64_t *count = getCount(device, key)) {
    std::optional<int64_t> given = value.getAsInteger();
    if (given && *given > 0) {
      *count = *given;
      return true;
    }
    error = llvm::formatv("device: expected '{0}' to be a whole number greater "
                          "than 0, found {1}",
                          key, value);
    return false;
  }
  double *figure = getFigure(device, key);
  if (!figure) {
    error = llvm::formatv("device: unknown figure '{0}'", key);
    return false;
  }
  std::optional<double> given = value.getAsNumber();
  if (given && *given > 0) {
    *figure = *given;
    return true;
  }
  error = llvm::formatv(
      "device: expected '{0}' to be a number greater than 0, found {1}", key,
      value);
  return false;
}

std::optional<DeviceInfo> fp8::target::parseDevice(llvm::StringRef json,
                                                   std::string &error) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value) {
    error = "device: expected JSON: " + llvm::toString(value.takeError());
    return std::nullopt;
  }
  llvm::json::Object *object = value->getAsObject();
  std::optional<llvm::StringRef> base;
  if (object)
    base = object->getString("base");
  if (!base) {
    error = "device: expected an object with 'base', the name of a device";
    return std::nullopt;
  }
  const DeviceInfo *known = lookupDevice(*base, error);
  if (!known)
    return std::nullopt;
  DeviceInfo device = *known;
  for (const auto &[key, figure] : *object)
    if (key != "base" && !setFigure(device, key, figure, error))
      return std::nullopt;
  return device;
}

std::optional<DeviceInfo> fp8::target::getDevice(const TargetInfo &target,
                                                 llvm::StringRef text,
                                                 std::string &error) {
  if (text.empty()) {
    if (const DeviceInfo *device = getDefaultDevice(target))
      return *device;
    error = llvm::formatv("no figures of a device are known for {0}: name one",
                          target.name);
    return std::nullopt;
  }
  std::optional<DeviceInfo> device;
  if (text.ltrim().starts_with("{"))
    device = parseDevice(text, error);
  else if (const DeviceInfo *known = lookupDevice(text, error))
    device = *known;
  if (device && device->target != target.name) {
    error = llvm::formatv("device {0} is of target {1}, expected one of {2}",
                          device->name, device->target, target.name);
    return std::nullopt;
  }
  return device;
}

std::optional<GPU> fp8::target::lookupGPU(llvm::StringRef target,
                                          llvm::StringRef device,
                                          std::string &error) {
  const TargetInfo *known = lookupGPUTarget(target, error);
  if (!known)
    return std::nullopt;
  std::optional<DeviceInfo> found = getDevice(*known, device, error);
  if (!found)
    return std::nullopt;
  GPU gpu{*known, *found};
  gpu.target.multiprocessors = found->multiprocessors;
  return gpu;
}

llvm::StringRef fp8::target::getBoundName(Bound bound) {
  switch (bound) {
  case Bound::Memory:
    return "memory";
  case Bound::MatrixUnit:
    return "tensor core";
  case Bound::Launch:
    return "launch";
  }
  llvm_unreachable("unknown bound");
}

namespace {
/// Clocks of one step of the main loop: tileK elements of k.
struct StepClocks {
  double matrix, load;
};
} // namespace

static StepClocks getStep(const GemmShape &shape, const GemmTiling &tiling,
                          const DeviceInfo &device) {
  double tflops =
      shape.operandBytes == 1 ? device.tflopsFP8 : device.tflopsBF16;
  double perClock =
      tflops * 1e3 / (device.clock * device.multiprocessors); // operations
  double results = static_cast<double>(tiling.tileM) * tiling.tileN;
  double matrix =
      2 * results * tiling.tileK / (perClock * device.matrixEfficiency);
  // Each 64 rows are a matrix instruction, which reads the whole tile of the
  // right operand from shared memory.
  double depthBytes = static_cast<double>(tiling.tileK) * shape.operandBytes;
  double read =
      depthBytes *
      (tiling.tileM + llvm::divideCeil(tiling.tileM, 64) * tiling.tileN);
  matrix = std::max(matrix, read / kSharedBytesPerClock);
  if (shape.promote > 0) {
    double intervals = static_cast<double>(tiling.tileK) / shape.promote;
    double overlap = tiling.pingPong ? 0 : kPromotionOverlap;
    matrix += results / kAddsPerClock * intervals * (1 - overlap);
    if (tiling.pingPong)
      matrix += kBatchGap * llvm::divideCeil(tiling.tileM, 64) * intervals;
  }
  // A multicast tile is read from the cache once for the cluster.
  double loaded =
      depthBytes * (static_cast<double>(tiling.tileM) / tiling.clusterN +
                    static_cast<double>(tiling.tileN) / tiling.clusterM);
  double load = loaded * device.multiprocessors / device.cacheBytesPerClock;
  if (tiling.clusterM * tiling.clusterN > 1)
    load = std::max(load, kAgreement);
  return {matrix, load};
}

/// Bytes to and from device memory. The left operand's rows of one group stay
/// in the cache while the right operand passes; it passes again for each group
/// unless it stays as a whole.
static double getTraffic(const GemmShape &shape, const GemmTiling &tiling,
                         const DeviceInfo &device) {
  double lhs = static_cast<double>(shape.m) * shape.k * shape.operandBytes;
  double rhs = static_cast<double>(shape.n) * shape.k * shape.operandBytes;
  double out = static_cast<double>(shape.m) * shape.n *
               (shape.resultBytes + shape.epilogueBytes);
  int64_t groups =
      llvm::divideCeil(llvm::divideCeil(shape.m, tiling.tileM), tiling.group);
  if (rhs <= kCacheShare * device.cacheBytes)
    groups = 1;
  return shape.batch * (lhs + groups * rhs + out);
}

namespace {
/// What it costs that several blocks share the sum of a tile.
struct SharingCost {
  /// Microseconds that each block takes longer, and the last one of a tile.
  double block = 0, last = 0;
  /// Bytes to and from device memory.
  double traffic = 0;
  /// Microseconds of the launch that clears the counters.
  double clear = 0;
};
} // namespace

/// Blocks leave their parts in the cache, which `busy` of them share, and one
/// reads all parts of a tile.
static SharingCost getSharing(const GemmShape &shape, const GemmTiling &tiling,
                              double busy, const DeviceInfo &device) {
  SharingCost cost;
  if (tiling.split == 1)
    return cost;
  double part =
      static_cast<double>(tiling.tileM) * tiling.tileN * sizeof(float);
  double cache = device.cacheBytesPerClock * device.clock * 1e3;
  double own = cache / device.multiprocessors;
  cost.block = part / std::min(own, cache / busy) + kHandover;
  cost.last = part * tiling.split / own;
  cost.clear = device.launch;
  double all = static_cast<double>(shape.batch) * shape.m * shape.n *
               sizeof(float) * tiling.split;
  if (all > kCacheShare * device.cacheBytes)
    cost.traffic = 2 * all;
  return cost;
}

Prediction fp8::target::predictGemm(const GemmShape &shape,
                                    const GemmTiling &tiling,
                                    const DeviceInfo &device) {
  // A cluster does its tiles together, some of them outside of the result.
  int64_t blocks = tiling.clusterM * tiling.clusterN;
  double together = static_cast<double>(shape.batch) *
                    llvm::divideCeil(shape.m, tiling.tileM * tiling.clusterM) *
                    llvm::divideCeil(shape.n, tiling.tileN * tiling.clusterN);
  double clusters = std::max<int64_t>(1, device.multiprocessors / blocks);
  double waves = std::ceil(together * tiling.split / clusters);
  double finished = std::ceil(together / clusters);
  double steps = llvm::divideCeil(
      tiling.split > 1 ? shape.longestPart : shape.k, tiling.tileK);
  StepClocks step = getStep(shape, tiling, device);
  double bandwidth = device.memoryBandwidth * device.memoryEfficiency * 1e3;
  double clocks = steps * std::max(step.matrix, step.load);
  // From the last sums of one turn to the next.
  if (tiling.pingPong)
    clocks += kBatchGap;
  double loop = clocks / device.clock / 1e3;
  // The stores of all blocks share device memory.
  double busy = std::min(together, clusters) * blocks;
  double epilogue = static_cast<double>(tiling.tileM) * tiling.tileN *
                    (shape.resultBytes + shape.epilogueBytes) * busy /
                    bandwidth;
  SharingCost sharing =
      getSharing(shape, tiling,
                 std::min(together * tiling.split, clusters) * blocks, device);
  double traffic = getTraffic(shape, tiling, device) + sharing.traffic;
  double memory = traffic / bandwidth;
  double work = finished * (loop + epilogue + sharing.last) +
                (waves - finished) * loop + waves * sharing.block;
  // The last epilogue overlaps with nothing. Epilogues of two tiles at a time
  // share device memory, so they are no faster than one after the other.
  if (tiling.pingPong)
    work = (waves - 1) * std::max(loop, epilogue) + loop + epilogue;
  double fixed = device.launch + kFirstLoad + sharing.clear;
  double total = fixed + std::max(work, memory);
  bool isMatrix = waves * loop >= std::max(memory, work - waves * loop) &&
                  step.matrix >= step.load;
  Bound bound = fixed > total / 2 ? Bound::Launch
                : isMatrix        ? Bound::MatrixUnit
                                  : Bound::Memory;
  return {total, static_cast<int64_t>(traffic), bound};
}

Prediction fp8::target::predictStream(int64_t bytesRead, int64_t bytesWritten,
                                      const DeviceInfo &device) {
  double bytes = static_cast<double>(bytesRead) + bytesWritten;
  double memory =
      bytes / (device.memoryBandwidth * device.memoryEfficiency * 1e3);
  return {device.launch + memory, static_cast<int64_t>(bytes),
          memory < device.launch ? Bound::Launch : Bound::Memory};
}
