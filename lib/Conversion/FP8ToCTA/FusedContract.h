//===- FusedContract.h - What a product's kernel computes -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From operations to problems: a product by itself, or a function that
// fp8-fuse-epilogues made of one and what follows it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOCTA_FUSEDCONTRACT_H
#define FP8_LIB_CONVERSION_FP8TOCTA_FUSEDCONTRACT_H

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fp8 {

/// The product of `op` as its kernel sees it: k contiguous in both operands, in
/// rows that TMA can address. Operands that are not so are re-laid first.
GemmProblem getKernelProblem(ScaledContractOp op);

/// A fused function, as one problem.
struct FusedContract {
  /// A result of the function, or for an amax its two; -1 is not returned.
  struct Result {
    int value = -1, flags = -1;
  };

  ScaledContractOp contract;
  /// With `epilogue`.
  GemmProblem problem;
  Epilogue epilogue;
  /// Argument of the function that each input of the epilogue is.
  SmallVector<unsigned> inputs;
  /// What each output of the epilogue is.
  SmallVector<Result> results;

  /// Owns the epilogue's body.
  Region region;
};

/// Operands that carry values: not destinations, whose contents nobody reads.
SmallVector<Value> getReads(Operation *op);

/// Whether the kernel of a product of `shape` can do `op`, too; `isMember` says
/// which values are made there, of which `op` reads one at its own element.
/// `withFunctions`: also if that takes --fp8-expand-math first.
bool canFollow(Operation *op, ArrayRef<int64_t> shape,
               llvm::function_ref<bool(Value)> isMember,
               bool withFunctions = false);

/// The problem of `function`, which has kFusedAttr. Emits an error and fails if
/// that is not what fp8-fuse-epilogues makes.
FailureOr<std::unique_ptr<FusedContract>> analyzeFused(func::FuncOp function);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_FUSEDCONTRACT_H
