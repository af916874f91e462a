//===- FP8ToLinalg.cpp - fp8 ops to linalg --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass and the helpers that its patterns share.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_FP8TOLINALG
#include "fp8/Conversion/FP8ToLinalg/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

SmallVector<Value> mlir::fp8::buildElementwise(OpBuilder &builder, Location loc,
                                               ValueRange inputs, Value like,
                                               ArrayRef<Type> elements,
                                               BodyBuilder body) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  auto rank = static_cast<unsigned>(sizes.size());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap scalar = AffineMap::get(rank, 0, builder.getContext());
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    bool isScalar = cast<RankedTensorType>(input.getType()).getRank() == 0;
    maps.push_back(isScalar ? scalar : identity);
  }
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (Type element : elements) {
    inits.push_back(tensor::EmptyOp::create(builder, loc, sizes, element));
    types.push_back(inits.back().getType());
    maps.push_back(identity);
  }
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, types, inputs, inits, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args));
      });
  return SmallVector<Value>(generic.getResults());
}

Value mlir::fp8::convertFloat(OpBuilder &builder, Location loc, Value value,
                              Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value mlir::fp8::callNumerics(OpBuilder &builder, Location loc, StringRef name,
                              ValueRange args, ArrayRef<int32_t> constants) {
  SmallVector<Value> operands(args);
  for (int32_t value : constants)
    operands.push_back(arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(value)));
  // The body of an operation under construction has no module around it yet:
  // the pass declares what was called at its end.
  return func::CallOp::create(builder, loc, name, builder.getF32Type(),
                              operands)
      .getResult(0);
}

namespace {
/// No CSE runs on tensors after this, so nothing merges the two sides.
struct EraseBarrier final : OpRewritePattern<mlir::fp8::BarrierOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(mlir::fp8::BarrierOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

/// Declares the Numerics functions that callNumerics() calls.
static void declareCallees(ModuleOp module) {
  module.walk([&](func::CallOp call) {
    if (!call.getCallee().starts_with("fp8_cpu_") ||
        module.lookupSymbol(call.getCallee()))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto callee = func::FuncOp::create(builder, module.getLoc(),
                                       call.getCallee(), call.getCalleeType());
    callee.setPrivate();
  });
}

struct FP8ToLinalg final : mlir::fp8::impl::FP8ToLinalgBase<FP8ToLinalg> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<EraseBarrier>(&getContext());
    mlir::fp8::populateScaledOpPatterns(patterns);
    mlir::fp8::populateScaleRulePatterns(patterns);
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    declareCallees(getOperation());
    WalkResult left = getOperation().walk([](Operation *op) {
      if (!isa_and_nonnull<mlir::fp8::FP8Dialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError("expected fp8 ops on builtin tensors, which "
                    "--fp8-expand-tensors makes");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
