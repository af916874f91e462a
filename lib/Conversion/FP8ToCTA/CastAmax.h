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

/// Gives each `fp8.delayed_scale` of `region` that never reads its amax zeros
/// for it, and erases amaxes and scales that nobody reads.
void dropUnreadAmaxes(Region &region);

using CanCast = llvm::function_ref<bool(ScaledQuantizeOp)>;
using CanReduce = llvm::function_ref<bool(AmaxOp)>;

/// Moves amaxes of `region` to where kernels of casts take them: behind the
/// first cast of the same values in their block, where nothing needs them
/// before. A `fp8.delayed_scale` that reads its amax in its first steps does
/// not count: it gets an amax of its own, just before it. `canCast` and
/// `canReduce` say which operations have kernels of their own.
void sinkAmaxes(Region &region, CanCast canCast, CanReduce canReduce);

/// How the amaxes of a function are taken. What an amax needs follows from
/// where it stands, so the answers hold for as long as nothing moves.
class AmaxPlan {
public:
  AmaxPlan() = default;
  AmaxPlan(Region &region, CanCast canCast, CanReduce canReduce);

  /// The cast whose kernel merges the amax of the same values into the words of
  /// `op`, before or after it; null if there is none.
  ScaledQuantizeOp getCast(AmaxOp op) const { return castOf.lookup(op); }
  /// Whether that cast comes before: `op` reads no values then.
  bool isMerged(AmaxOp op) const;
  /// Whether the kernel of `op` merges an amax.
  bool merges(ScaledQuantizeOp op) const { return casts.contains(op); }
  /// The amaxes that read the values of `cast` in every step, in whatever shape
  /// or order.
  SmallVector<AmaxOp> getPasses(ScaledQuantizeOp cast) const;

private:
  DenseMap<Operation *, ScaledQuantizeOp> castOf;
  DenseSet<Operation *> casts;
};

/// Results that read the codes of casts of the values of `cast`, in whatever
/// shape or order.
int64_t countReaders(ScaledQuantizeOp cast);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_CASTAMAX_H
