//===- Code.h - Graphs lowered for a device ---------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph as kernels and host code that nobody has linked yet: what a program
// of this process and an object file have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_DEVICE_CODE_H
#define FP8_PIPELINES_DEVICE_CODE_H

#include "fp8/Pipelines/Instrument.h"
#include "fp8/Target/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace mlir::fp8 {

/// `fp8-device-pipeline`: a module of functions on statically shaped tensors to
/// host code that calls the runtime, a nested module `fp8_loops` with kernels
/// of loops and a gpu.module `fp8_matrix` with matrix kernels for `target`,
/// scheduled for `gpu` (see getDevice in CostModel.h). `schedules`: the text of
/// a schedule database (ScheduleDB.h), or empty. With `approxMath`, functions
/// that fp8-device-mark-approx-math marked are approximate in kernels.
void buildDevicePipeline(OpPassManager &pm, StringRef target,
                         StringRef gpu = {}, StringRef schedules = {},
                         bool approxMath = false);

/// What comes before it, on fp8 ops of static shape: kernels for products with
/// what follows them and for casts, as `cta.launch` on tensors.
void addDeviceKernelPasses(OpPassManager &pm, StringRef target, StringRef gpu,
                           StringRef schedules = {}, bool approxMath = false);

/// The first part of it: up to the arena, whose size is then the attribute
/// `fp8.cpu_arena` of each function.
void addDevicePlanPasses(OpPassManager &pm, StringRef target, StringRef gpu,
                         StringRef schedules = {}, bool approxMath = false);

/// Makes `--fp8-device-pipeline="target=T device=D approx-math"` known to
/// mlir-opt-like tools.
void registerDevicePipeline();

/// The two PTX modules of a program; an empty text where there is no kernel.
struct DeviceModules {
  std::string loops, matrix;
};

/// What a lowered function needs at run time.
struct DeviceCode {
  DeviceModules modules;
  /// In order; scalars have rank 0.
  SmallVector<RankedTensorType> resultTypes;
  /// Bytes of device memory for everything that is neither argument nor result,
  /// if they do not depend on sizes.
  int64_t workspaceBytes = 0;
  /// Of the dynamic sizes of the arguments, in order: those of the results, and
  /// the bytes. Null where no argument has any, the second also where the bytes
  /// do not depend on them.
  AffineMap resultSizes, workspaceSize;

  bool isDynamic() const { return static_cast<bool>(resultSizes); }
};

/// The types of the results for arguments of the dynamic sizes `sizes`.
SmallVector<RankedTensorType> getResultTypes(const DeviceCode &code,
                                             ArrayRef<int64_t> sizes);
/// The bytes of the workspace, likewise.
uint64_t getWorkspaceBytes(const DeviceCode &code, ArrayRef<int64_t> sizes);

/// How a function is lowered.
struct DeviceLowering {
  const ::fp8::target::TargetInfo *target = nullptr;
  /// Device that matrix kernels are scheduled for; empty: the target's first.
  std::string gpu;
  PassInstrumenter instrument;
  /// Text of a schedule database; empty without one.
  std::string schedules = {};
  /// Sees the module when its matrix kernels are chosen, before they are
  /// lowered; may be empty.
  std::function<void(ModuleOp)> seeKernels = {};
};

/// What every program of a device starts with: functions are marked as
/// approximate if `module` has `fp8.approx_math`, then prepareEntry
/// (Pipelines/CPU/Program.h) with addDeviceKernelPasses.
FailureOr<func::FuncOp>
prepareForDevice(ModuleOp module, StringRef name,
                 ArrayRef<RankedTensorType> argTypes,
                 SmallVectorImpl<RankedTensorType> &resultTypes,
                 const DeviceLowering &options);

/// Lowers function `name` of `module` for arguments of the types `argTypes` (as
/// CPUProgram::compile, but dynamic sizes may stay). Then `module` has host
/// code of the LLVM dialect, and in it `fp8_status ENTRY(fp8_context *, const
/// fp8_buffer *args, fp8_buffer *results)`, named `entry`, which checks the
/// buffers, gets the workspace and launches. With dynamic sizes these come
/// before the arguments: `const int64_t *sizes`, one for each dynamic dimension
/// of an argument, in order. It declares the fp8_module_image of its kernels,
/// `fp8_loops_image` and `fp8_matrix_image`, where it launches any. Functions
/// are approximate if `module` has `fp8.approx_math`. Emits one error and fails
/// if the function cannot be lowered.
FailureOr<DeviceCode> lowerToDevice(ModuleOp module, StringRef name,
                                    ArrayRef<RankedTensorType> argTypes,
                                    StringRef entry,
                                    const DeviceLowering &options);

/// Bytes of a dense buffer, for the caller of a program.
uint64_t getBufferBytes(RankedTensorType type);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_DEVICE_CODE_H
