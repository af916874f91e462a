//===- Pipeline.cpp - The device pass pipeline ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU pipeline up to kernels of one linalg op each, so that fusion, buffers
// and the order of every sum are the same; then threads instead of loops.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/ExpandMath/Passes.h"
#include "fp8/Conversion/Extension/Passes.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Pipelines/Device/Code.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void mlir::fp8::addDeviceKernelPasses(OpPassManager &pm, StringRef target,
                                      StringRef gpu, StringRef schedules,
                                      bool approxMath) {
  addCPUFusionPasses(pm, /*keepAFN=*/approxMath);
  FuseEpiloguesPassOptions fuse;
  fuse.target = target.str();
  // Loops have approximations, epilogues none.
  fuse.functions = !approxMath;
  pm.addPass(createFuseEpiloguesPass(fuse));
  ExpandMathOptions expand;
  expand.only = kFusedAttr.str();
  pm.addNestedPass<func::FuncOp>(createExpandMath(expand));
  SelectKernelsPassOptions select;
  select.target = target.str();
  select.device = gpu.str();
  select.schedules = schedules.str();
  select.wholeGraph = true;
  pm.addPass(createSelectKernelsPass(select));
  pm.addPass(createDeviceLaunchKernels());
}

void mlir::fp8::addDevicePlanPasses(OpPassManager &pm, StringRef target,
                                    StringRef gpu, StringRef schedules,
                                    bool approxMath) {
  pm.addNestedPass<func::FuncOp>(createDeviceExpandScaleRules());
  addCPUTensorPasses(pm, /*keepAFN=*/approxMath);
  pm.addNestedPass<func::FuncOp>(createDeviceSinkScalars());
  addCPUBufferizePasses(pm);
  ApplyLoweringsOptions extension;
  extension.stage = "buffers";
  extension.target = target.str();
  pm.addPass(createApplyLowerings(extension));
  pm.addNestedPass<func::FuncOp>(createDeviceBindSizes());
  DeviceMergeClearsOptions merge;
  merge.target = target.str();
  pm.addPass(createDeviceMergeClears(merge));
  DeviceSelectContractionsOptions select;
  select.target = target.str();
  select.device = gpu.str();
  select.schedules = schedules.str();
  pm.addPass(createDeviceSelectContractions(select));
  DeviceGroupSmallOptions group;
  group.target = target.str();
  pm.addNestedPass<func::FuncOp>(createDeviceGroupSmall(group));
  pm.addNestedPass<func::FuncOp>(createCPUPlanBuffers());
}

void mlir::fp8::buildDevicePipeline(OpPassManager &pm, StringRef target,
                                    StringRef gpu, StringRef schedules,
                                    bool approxMath) {
  addDevicePlanPasses(pm, target, gpu, schedules, approxMath);
  CPUOutlineKernelsOptions outline;
  outline.localConstants = true;
  outline.mixedNests = true;
  pm.addPass(createCPUOutlineKernels(outline));
  pm.addNestedPass<func::FuncOp>(createDeviceMapThreads());
  if (approxMath)
    pm.addNestedPass<func::FuncOp>(createDeviceLowerApproxMath());
  // What is on empty buffers was not outlined.
  pm.addNestedPass<func::FuncOp>(createCPULinalgToLoops());
  addCPUScalarPasses(pm);
  pm.addPass(createDeviceLowerLaunches());
}

namespace {
struct DevicePipelineOptions : PassPipelineOptions<DevicePipelineOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("GPU target"),
                             llvm::cl::init("sm_90a")};
  Option<std::string> device{
      *this, "device",
      llvm::cl::desc("Device that matrix kernels are scheduled for")};
  Option<bool> approxMath{
      *this, "approx-math",
      llvm::cl::desc("Approximate functions that have the flag afn"),
      llvm::cl::init(false)};
};
} // namespace

void mlir::fp8::registerDevicePipeline() {
  PassPipelineRegistration<DevicePipelineOptions>(
      "fp8-device-pipeline",
      "Lower a graph on statically shaped tensors to kernels of a GPU and host "
      "code that launches them",
      [](OpPassManager &pm, const DevicePipelineOptions &options) {
        buildDevicePipeline(pm, options.target, options.device,
                            /*schedules=*/{}, options.approxMath);
      });
}
