//===- TargetOption.h - The target that a pass is told ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes get targets and devices by name. What is wrong with a name is said in
// one place, fp8/Target; a pass adds its own.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_TARGETOPTION_H
#define FP8_CONVERSION_GPU_TARGETOPTION_H

#include "fp8/Target/CostModel.h"
#include "mlir/IR/Operation.h"

namespace mlir::fp8 {

/// The GPU target called `name`; null after an error of the pass `pass` at
/// `op`.
inline const ::fp8::target::TargetInfo *
getGPUTarget(Operation *op, StringRef pass, StringRef name) {
  std::string error;
  const auto *info = ::fp8::target::lookupGPUTarget(name, error);
  if (!info)
    op->emitError() << pass << ": " << error;
  return info;
}

/// The same with a device of the target: its name, or JSON with its figures;
/// empty for the usual one.
inline std::optional<::fp8::target::GPU>
getGPU(Operation *op, StringRef pass, StringRef target, StringRef device) {
  std::string error;
  auto gpu = ::fp8::target::lookupGPU(target, device, error);
  if (!gpu)
    op->emitError() << pass << ": " << error;
  return gpu;
}

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_TARGETOPTION_H
