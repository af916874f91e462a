//===- LoweringInterface.h - Lowerings of other projects --------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a dialect of another project brings its operations into the CPU and the
// device path: the passes that say what they mean, and those that lower them
// better. docs/new-lowering.md is the guide, examples/new-lowering one that
// works.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_EXTENSION_LOWERINGINTERFACE_H
#define FP8_CONVERSION_EXTENSION_LOWERINGINTERFACE_H

#include "fp8/Target/TargetInfo.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::fp8 {

/// Implemented and added to itself by a dialect (addInterfaces). Dialects that
/// its passes create operations of must be loaded with it (dependentDialects).
class LoweringDialectInterface
    : public DialectInterface::Base<LoweringDialectInterface> {
public:
  explicit LoweringDialectInterface(Dialect *dialect) : Base(dialect) {}

  /// Adds passes on a module that turn the dialect's operations on tensors,
  /// whose dimensions may be dynamic, into fp8, linalg, tensor, arith, math and
  /// scf operations. This is what the operations mean: the CPU path runs it,
  /// and the device path for what addTensorPasses left.
  virtual void addReferencePasses(OpPassManager &pm) const = 0;

  /// Adds passes on a module that replace operations which `target` has a
  /// better lowering for: by other operations on tensors, or by ones that
  /// survive bufferization for addBufferPasses. Runs in front of the reference
  /// passes, on the device path only.
  virtual void addTensorPasses(OpPassManager &pm,
                               const ::fp8::target::TargetInfo &target) const {}

  /// Adds passes on a module that replace operations on buffers of static
  /// shape by launches: calls of private functions with `fp8.device_grid`
  /// (code of one thread on memrefs, Device/Passes.h), or `gpu.launch_func` of
  /// a `cta.kernel` in the gpu.module `fp8_matrix`.
  virtual void addBufferPasses(OpPassManager &pm,
                               const ::fp8::target::TargetInfo &target) const {}
};

} // namespace mlir::fp8

#endif // FP8_CONVERSION_EXTENSION_LOWERINGINTERFACE_H
