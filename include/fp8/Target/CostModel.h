//===- CostModel.h - Predicted times of kernels -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a kernel is expected to take on a device: an arithmetic model over
// a table of devices, which chooses schedules and fills the report's
// predictions. Nothing here was measured by running our kernels; the unit tests
// compare it with published figures of other people's. It never changes a
// result, only its speed.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_COSTMODEL_H
#define FP8_TARGET_COSTMODEL_H

#include "fp8/Target/TargetInfo.h"

#include <optional>
#include <vector>

namespace fp8::target {

/// The figures of one device model. Rates are those of its data sheet, without
/// sparsity; the efficiencies say how much of them good kernels reach.
struct DeviceInfo {
  llvm::StringRef name;
  /// Name of its TargetInfo.
  llvm::StringRef target;
  int64_t multiprocessors;
  /// Boost clock, GHz.
  double clock;
  /// Dense operations of the data sheet, two per multiply-add.
  double tflopsFP8, tflopsBF16;
  /// Device memory, GB/s; second-level cache, bytes.
  double memoryBandwidth;
  int64_t cacheBytes;
  /// Bytes that all multiprocessors together read from that cache in a clock.
  double cacheBytesPerClock;

  /// Microseconds from the start of an empty kernel to that of the next.
  double launch = 2.5;
  /// Share of the matrix unit's rate that a main loop without stalls reaches:
  /// the clock falls under this load.
  double matrixEfficiency = 0.88;
  double memoryEfficiency = 0.9;
};

/// All devices, in the order in which they are listed.
llvm::ArrayRef<DeviceInfo> getDevices();

/// The device called `name`, or null; then `error` has one line that says what
/// was expected.
const DeviceInfo *lookupDevice(llvm::StringRef name, std::string &error);

/// The device that stands for `target` where the user names none: its first in
/// the table. Null for targets without kernels or figures.
const DeviceInfo *getDefaultDevice(const TargetInfo &target);

/// A device as JSON has it: an object with "base" (the name of a device) and
/// any of the figures that it overrides, under the names of DeviceInfo's
/// members (numbers greater than 0). Nothing on error, with one line in
/// `error`.
std::optional<DeviceInfo> parseDevice(llvm::StringRef json, std::string &error);

/// The device that `text` names or has as JSON, of `target`; its default where
/// `text` is empty. Nothing on error, with one line in `error`.
std::optional<DeviceInfo> getDevice(const TargetInfo &target,
                                    llvm::StringRef text, std::string &error);

/// A target, and the one of its devices that kernels are scheduled for.
struct GPU {
  /// With the multiprocessors of `device`, for the grids of kernels.
  TargetInfo target;
  DeviceInfo device;
};

/// The GPU target called `target` and its device `device`, as getDevice takes
/// it. Nothing on error, with one line in `error`.
std::optional<GPU> lookupGPU(llvm::StringRef target, llvm::StringRef device,
                             std::string &error);

/// A product of `batch` matrices, [m, k] x [k, n].
struct GemmShape {
  int64_t batch = 1, m, n, k;
  /// Bytes of one element of the operands: 1 for FP8, 2 for BF16.
  int64_t operandBytes;
  /// Bytes written for one element of the result, over all results.
  int64_t resultBytes;
  /// Bytes read for one element of the result by what is fused behind.
  int64_t epilogueBytes = 0;
  /// Elements of k after which partial sums are added in f32; 0 for never.
  int64_t promote = 0;
  /// Elements of k of the sum's longest part; 0 where it has one part.
  int64_t longestPart = 0;
};

/// What of a schedule its time depends on.
struct GemmTiling {
  int64_t tileM, tileN, tileK;
  /// Blocks that share loads: `clusterM` load one tile of the right operand.
  int64_t clusterM = 1, clusterN = 1;
  /// Rows of tiles that the raster walks together.
  int64_t group = 8;
  /// Warpgroups have tiles of their own and take turns at the main loop.
  bool pingPong = false;
  /// Blocks that make one part each of a tile's sum; the last one adds them.
  int64_t split = 1;
};

/// What a prediction's time is spent on.
enum class Bound { Memory, MatrixUnit, Launch };

/// "memory", "tensor core" or "launch".
llvm::StringRef getBoundName(Bound bound);

struct Prediction {
  double microseconds;
  /// Bytes to and from device memory.
  int64_t bytes;
  Bound bound;
};

/// A product in a persistent kernel of one block per multiprocessor. Its
/// epilogue overlaps with the next tile's main loop where warpgroups take
/// turns, and with nothing else. With a split the launch that clears the
/// blocks' counters is part of it.
Prediction predictGemm(const GemmShape &shape, const GemmTiling &tiling,
                       const DeviceInfo &device);

/// A kernel that reads and writes so many bytes once.
Prediction predictStream(int64_t bytesRead, int64_t bytesWritten,
                         const DeviceInfo &device);

} // namespace fp8::target

#endif // FP8_TARGET_COSTMODEL_H
