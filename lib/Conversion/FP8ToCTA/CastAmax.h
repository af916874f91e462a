//===- CastAmax.h - Amaxes that casts take ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under delayed scaling a cast's multiplier is known and the amax is for the
// next step, so one read of the values does for both.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOCTA_CASTAMAX_H
#define FP8_LIB_CONVERSION_FP8TOCTA_CASTAMAX_H

#include "fp8/Dialect/FP8/IR/FP8.h"

namespace mlir::fp8 {

/// How an amax is taken, other than by a pass of its own over the values.
struct AmaxPlan {
  /// The cast of the same values whose kernel merges it; it comes before the
  /// amax if `isMerged`. Null if there is none.
  ScaledQuantizeOp cast;
  bool isMerged = false;
  /// The only reader, which needs no amax once `warmup` steps were recorded.
  DelayedScaleOp warmup;
};

/// The plans of a function.
struct AmaxPlans {
  DenseMap<Operation *, AmaxPlan> ofAmax;
  /// The casts whose kernels merge an amax.
  DenseSet<Operation *> casts;
};

/// Rewrites `region` so that amaxes get such plans, and returns them. `canCast`
/// and `canReduce` say which operations have kernels.
///
/// A `fp8.delayed_scale` that never reads its amax gets zeros for it. One that
/// reads it in its first steps gets an amax of its own where the others' can be
/// merged into a cast, or where it has no others. A merged amax moves behind
/// the cast, to where it is first read. Anything else stays.
AmaxPlans planAmaxes(Region &region,
                     llvm::function_ref<bool(ScaledQuantizeOp)> canCast,
                     llvm::function_ref<bool(AmaxOp)> canReduce);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_CASTAMAX_H
