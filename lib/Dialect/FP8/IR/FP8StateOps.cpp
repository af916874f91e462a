//===- FP8StateOps.cpp - Delayed-scaling state ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "ScaleMargin.h"

#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;
using namespace mlir::fp8;

static int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

LogicalResult DelayedScaleOp::verify() {
  // delayed_scale_c1
  for (Value value : llvm::concat<Value>(SmallVector<Value>(getOperands()),
                                         SmallVector<Value>(getResults())))
    if (rankOf(value) != 0)
      return emitOpError("expected tensors of rank 0, got ") << value.getType();
  // delayed_scale_c2
  if (bool(getStateMultiplier()) != bool(getStateCount()))
    return emitOpError("expected a multiplier and a count in state, got one");
  // delayed_scale_c3
  int64_t warmup = getWarmupAttr().getInt();
  if (warmup < 0 || warmup > std::numeric_limits<int32_t>::max())
    return emitOpError("expected warmup between 0 and 2^31 - 1, got ")
           << warmup;
  // delayed_scale_c4
  if (getNumerics() != NumericsMode::Safe &&
      getNumerics() != NumericsMode::TE && getNumerics() != NumericsMode::Flax)
    return emitOpError("expected numerics safe, te or flax, got ")
           << stringifyNumericsMode(getNumerics());
  // delayed_scale_c5
  return verifyMargin(*this, getMarginAttr());
}

/// Checks that `value` has shape [n], where n may be dynamic on either side.
static LogicalResult verifyVector(Operation *op, StringRef name, Value value,
                                  int64_t n) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 1 &&
      succeeded(verifyCompatibleShape(type.getShape(), ArrayRef<int64_t>(n))))
    return success();
  return op->emitOpError("expected ")
         << name << " with one entry per history column, got " << type;
}

static LogicalResult verifyHistory(Operation *op, Value history) {
  if (rankOf(history) == 2)
    return success();
  return op->emitOpError("expected a history of rank 2 (length, slots), got ")
         << history.getType();
}

LogicalResult RecordOp::verify() {
  // record_c1
  if (failed(verifyHistory(*this, getHistory())))
    return failure();
  int64_t n = cast<RankedTensorType>(getHistory().getType()).getDimSize(1);
  return success(
      succeeded(verifyVector(*this, "flags", getFlags(), n)) &&
      succeeded(verifyVector(*this, "amax", getAmax(), n)) &&
      succeeded(verifyVector(*this, "amax flags", getAmaxFlags(), n)));
}

LogicalResult UpdateOp::verify() {
  // update_c1
  if (failed(verifyHistory(*this, getHistory())))
    return failure();
  int64_t n = cast<RankedTensorType>(getHistory().getType()).getDimSize(1);
  if (failed(verifyVector(*this, "multiplier", getMultiplier(), n)) ||
      failed(verifyVector(*this, "count", getCount(), n)))
    return failure();
  if (rankOf(getEnable()) != 0)
    return emitOpError("expected 'enable' of rank 0, got ")
           << getEnable().getType();
  // update_c2
  if (!llvm::all_of(getSlots(), llvm::IsaPred<SlotAttr>) ||
      (!ShapedType::isDynamic(n) &&
       static_cast<int64_t>(getSlots().size()) != n))
    return emitOpError("expected one #fp8.slot per history column, got ")
           << getSlots().size() << " for " << n;
  // update_c3
  return verifyMargin(*this, getMarginAttr());
}

LogicalResult MergeOp::verify() {
  // merge_c1
  return verifyHistory(*this, getLhs());
}

/// merge(h, h) -> h.
OpFoldResult MergeOp::fold(FoldAdaptor) {
  return getLhs() == getRhs() ? getLhs() : Value();
}
