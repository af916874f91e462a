//===- FuseElementwise.cpp - Fuse elementwise generics --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's elementwise fusion under a cost rule. The rule keeps two things:
// arithmetic is never recomputed, and bodies stay small enough to vectorise
// quickly.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUFUSEELEMENTWISE
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Ops of a fused body beyond which LLVM's compile time grows faster than what
/// the saved memory traffic gains.
static constexpr unsigned kMaxBodyOps = 80;

/// True for a body of plain scalar arithmetic: no index, load, call or branch,
/// which would keep the loop scalar.
static bool isStraightLine(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->getOperations(), [](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           !isa<linalg::IndexOp, tensor::ExtractOp>(inner) &&
           !isa<func::CallOp, cf::AssertOp>(inner);
  });
}

/// True if the value costs no more to recompute than to load.
static bool isCheap(linalg::GenericOp op) {
  if (op.getNumDpsInputs() > 1)
    return false;
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<arith::ExtFOp, arith::ConstantOp>(inner);
  });
}

static bool hasOneConsumer(linalg::GenericOp producer, Operation *consumer) {
  return llvm::all_of(producer->getUsers(),
                      [&](Operation *user) { return user == consumer; });
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || consumer->hasAttr(mlir::fp8::kCPUContractAttr))
    return false;
  if (!isStraightLine(producer) || !isStraightLine(consumer))
    return false;
  if (isCheap(producer))
    return true;
  size_t ops = producer.getBody()->getOperations().size() +
               consumer.getBody()->getOperations().size();
  bool broadcast = !consumer.getMatchingIndexingMap(operand).isPermutation();
  return !broadcast && ops <= kMaxBodyOps && hasOneConsumer(producer, consumer);
}

namespace {
struct CPUFuseElementwise final
    : mlir::fp8::impl::CPUFuseElementwiseBase<CPUFuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    // Marked contractions keep their operands as they are: a constant one
    // would move into the body.
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    SmallVector<Operation *> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (!op->hasAttr(mlir::fp8::kCPUContractAttr))
        ops.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      return signalPassFailure();
  }
};
} // namespace
