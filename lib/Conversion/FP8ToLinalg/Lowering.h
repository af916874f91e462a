//===- Lowering.h - Helpers of the lowering ---------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the files of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOLINALG_LOWERING_H
#define FP8_LIB_CONVERSION_FP8TOLINALG_LOWERING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fp8 {

/// Builds a body: the values to yield, from the block arguments.
using BodyBuilder =
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// A `linalg.generic` with results like `shapes` (element types `elements`,
/// sizes of tensor `like`), all loops parallel. Rank-0 inputs are broadcast;
/// the others have the rank of `like`.
SmallVector<Value> buildElementwise(OpBuilder &builder, Location loc,
                                    ValueRange inputs, Value like,
                                    ArrayRef<Type> elements, BodyBuilder body);

/// Calls the Numerics function `name` (fp8/Runtime/CPUScale.h); the pass
/// declares it.
Value callNumerics(OpBuilder &builder, Location loc, StringRef name,
                   ValueRange args, ArrayRef<int32_t> constants);

void populateScaledOpPatterns(RewritePatternSet &patterns);
void populateScaleRulePatterns(RewritePatternSet &patterns);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOLINALG_LOWERING_H
