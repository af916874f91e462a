//===- NarrowOperand.cpp - operands before they were widened --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views move elements without looking at them, so each is repeated as it is on
// a tensor of another element type.
//
//===----------------------------------------------------------------------===//

#include "fp8/Transforms/NarrowOperand.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fp8;

/// An uninitialised tensor of the shape of `like`.
static Value createEmpty(OpBuilder &builder, Location loc, Value like,
                         Type elementType) {
  return tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, like), elementType);
}

/// `view` with `source` in place of what it views.
static Value repeatView(OpBuilder &builder, Operation *view, Value source) {
  Location loc = view->getLoc();
  Type elementType = getElementTypeOrSelf(source.getType());
  auto type =
      cast<RankedTensorType>(view->getResult(0).getType()).clone(elementType);
  return TypeSwitch<Operation *, Value>(view)
      .Case([&](tensor::CollapseShapeOp op) {
        return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                               op.getReassociationIndices());
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                             op.getReassociationIndices(),
                                             op.getMixedOutputShape());
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return tensor::ExtractSliceOp::create(
            builder, loc, type, source, op.getMixedOffsets(),
            op.getMixedSizes(), op.getMixedStrides());
      })
      .Case([&](tensor::CastOp) {
        return tensor::CastOp::create(builder, loc, type, source);
      })
      .Case([&](linalg::TransposeOp op) {
        Value init = createEmpty(builder, loc, op.getInit(), elementType);
        return linalg::TransposeOp::create(builder, loc, source, init,
                                           op.getPermutation())
            ->getResult(0);
      })
      .Case([&](linalg::BroadcastOp op) {
        Value init = createEmpty(builder, loc, op.getInit(), elementType);
        return linalg::BroadcastOp::create(builder, loc, source, init,
                                           op.getDimensions())
            ->getResult(0);
      })
      .Case([&](linalg::GenericOp op) {
        Value init =
            createEmpty(builder, loc, op.getDpsInits()[0], elementType);
        return linalg::GenericOp::create(
                   builder, loc, type, source, init, op.getIndexingMapsArray(),
                   op.getIteratorTypesArray(),
                   [](OpBuilder &nested, Location at, ValueRange arguments) {
                     linalg::YieldOp::create(nested, at, arguments[0]);
                   })
            .getResult(0);
      });
}

Value fp8::buildNarrowOperand(OpBuilder &builder,
                              const NarrowedOperand &operand) {
  Value value = operand.source;
  for (Operation *view : operand.views)
    value = repeatView(builder, view, value);
  return value;
}
