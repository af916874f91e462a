//===- FP8ScaleOps.cpp - Amax, scales, barrier ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "ScaleMargin.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fp8;

/// Shape of an amax: rank 0 without blocks, else one entry per block.
static SmallVector<int64_t>
getAmaxShape(ArrayRef<int64_t> shape, std::optional<ArrayRef<int64_t>> block) {
  SmallVector<int64_t> result;
  if (!block)
    return result;
  for (auto [dim, extent] : llvm::zip(shape, *block)) {
    if (extent <= 0)
      result.push_back(1);
    else if (ShapedType::isDynamic(dim))
      result.push_back(ShapedType::kDynamic);
    else
      result.push_back(llvm::divideCeil(dim, extent));
  }
  return result;
}

LogicalResult AmaxOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  SmallVector<int64_t> shape =
      getAmaxShape(input.getShape(), adaptor.getBlock());
  types.push_back(RankedTensorType::get(shape, Float32Type::get(context)));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 8)));
  return success();
}

LogicalResult AmaxOp::verify() {
  // amax_c1
  std::optional<ArrayRef<int64_t>> block = getBlock();
  if (!block)
    return success();
  int64_t rank = cast<RankedTensorType>(getInput().getType()).getRank();
  if (static_cast<int64_t>(block->size()) != rank)
    return emitOpError("expected one block extent per dimension, got ")
           << block->size() << " for rank " << rank;
  for (int64_t extent : *block)
    if (extent != -1 && extent <= 0)
      return emitOpError("expected a block extent that is positive or -1, got ")
             << extent;
  return success();
}

LogicalResult ScaleFromAmaxOp::verify() {
  // scale_from_amax_c1
  if (!isStorageType(getStorage()))
    return emitOpError("expected storage f8E4M3FN or f8E5M2, got ")
           << getStorage();
  // scale_from_amax_c2
  return verifyMargin(*this, getMarginAttr());
}
