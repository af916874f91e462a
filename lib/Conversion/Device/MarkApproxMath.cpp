//===- MarkApproxMath.cpp - What of a graph may be approximate ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs before the fp8 dialect is lowered: what conversions to FP8 and scales
// compute has no mark then, and stays exact, and so does whatever loses its
// mark on the way.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/ApproxMath.h"
#include "fp8/Conversion/Device/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEMARKAPPROXMATH
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Writes out the linalg ops in which a function is hidden.
static LogicalResult exposeFunctions(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  func.walk(
      [&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
  for (linalg::AggregatedOpInterface op : aggregates) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (succeeded(parts))
      rewriter.replaceOp(op, *parts);
  }
  SmallVector<linalg::LinalgOp> named;
  func.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op) && linalg::isElementwise(op) &&
        llvm::any_of(op.getBlock()->getOperations(), [](Operation &inner) {
          return mlir::fp8::findApproxFunction(&inner);
        }))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return failure();
  }
  return success();
}

namespace {
struct DeviceMarkApproxMath final
    : mlir::fp8::impl::DeviceMarkApproxMathBase<DeviceMarkApproxMath> {
  void runOnOperation() override {
    if (failed(exposeFunctions(getOperation())))
      return signalPassFailure();
    getOperation().walk([&](arith::ArithFastMathInterface op) {
      arith::FastMathFlags flags = mlir::fp8::findApproxFunction(op)
                                       ? arith::FastMathFlags::afn
                                       : arith::FastMathFlags::none;
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(&getContext(), flags));
    });
  }
};
} // namespace
