//===- SpecializeShapes.cpp - Static shapes throughout a function ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A static shape moves forward through a function as a tensor.cast to the type
// that is there: a rule makes the user of the cast static and casts its results
// back. Upstream has such rules for most operations, as canonicalizations; here
// are the missing ones, and all run in one fixpoint, so that a shape crosses a
// function in one pass however the operations alternate.
//
// Rules for loops suppose that what is carried keeps its shape. Where that is
// wrong, a cast between two static shapes is left, which is an error, as two
// operands of different shapes are, and whatever the verifier of an operation
// refuses.
//
//===----------------------------------------------------------------------===//

#include "SpecializeShapes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// `value` before any casts.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// The static type that `value`, of a dynamic one, was cast from, or null.
static RankedTensorType getKnownType(Value value) {
  auto type = dyn_cast<RankedTensorType>(skipCasts(value).getType());
  return isDynamic(value.getType()) && type && type.hasStaticShape()
             ? type
             : RankedTensorType();
}

/// Gives `value` the type `type`, and its users a cast to the type it had.
static void refine(PatternRewriter &rewriter, Value value, Type type) {
  Type old = value.getType();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  auto back = tensor::CastOp::create(rewriter, value.getLoc(), old, value);
  rewriter.replaceAllUsesExcept(value, back, back);
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = cast<BlockArgument>(value).getOwner()->getParentOp();
  rewriter.modifyOpInPlace(owner, [&] { value.setType(type); });
}

/// Sets an operand to its value, cast to `type`.
static void setCast(PatternRewriter &rewriter, OpOperand &operand, Type type) {
  Value value = operand.get();
  if (value.getType() == type)
    return;
  if (Value source = skipCasts(value); source.getType() == type) {
    value = source;
  } else {
    rewriter.setInsertionPoint(operand.getOwner());
    value = tensor::CastOp::create(rewriter, operand.getOwner()->getLoc(), type,
                                   value);
  }
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(value); });
}

/// The extents that the tensor operands of an elementwise operation tell; fails
/// if they contradict each other.
static FailureOr<SmallVector<int64_t>> mergeShapes(Operation *op) {
  std::optional<SmallVector<int64_t>> shape;
  for (Value operand : op->getOperands())
    for (Value value : {operand, skipCasts(operand)}) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type)
        continue;
      if (!shape)
        shape.emplace(type.getRank(), ShapedType::kDynamic);
      if (static_cast<int64_t>(shape->size()) != type.getRank())
        return failure();
      for (auto [known, extent] : llvm::zip(*shape, type.getShape())) {
        if (!ShapedType::isDynamic(known) && !ShapedType::isDynamic(extent) &&
            known != extent)
          return failure();
        if (ShapedType::isDynamic(known))
          known = extent;
      }
    }
  if (!shape)
    return failure();
  return *shape;
}

namespace {
struct SpecializeElementwise final : RewritePattern {
  explicit SpecializeElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) ||
        llvm::none_of(op->getResultTypes(), isDynamic))
      return failure();
    FailureOr<SmallVector<int64_t>> shape = mergeShapes(op);
    if (failed(shape) || llvm::any_of(*shape, ShapedType::isDynamic))
      return failure();
    auto getStatic = [&](Value value) -> Type {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type ? type.cloneWith(*shape, type.getElementType())
                  : value.getType();
    };
    for (OpOperand &operand : op->getOpOperands())
      setCast(rewriter, operand, getStatic(operand.get()));
    for (OpResult result : op->getResults())
      if (Type type = getStatic(result); type != result.getType())
        refine(rewriter, result, type);
    return success();
  }
};

/// scf.if and scf.index_switch: what all branches agree on.
template <typename OpTy>
struct SpecializeBranches final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpResult result : op->getResults()) {
      unsigned index = result.getResultNumber();
      RankedTensorType type;
      bool agree = true;
      for (Region &region : op->getRegions()) {
        Operation *yield = region.front().getTerminator();
        RankedTensorType other = getKnownType(yield->getOperand(index));
        agree &= other && (!type || type == other);
        type = other;
      }
      if (!agree || !type)
        continue;
      for (Region &region : op->getRegions())
        setCast(rewriter, region.front().getTerminator()->getOpOperand(index),
                type);
      refine(rewriter, result, type);
      changed = true;
    }
    return success(changed);
  }
};

struct SpecializeConcat final : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (!isDynamic(op.getType()))
      return failure();
    SmallVector<Type> types;
    for (Value input : op.getInputs())
      types.push_back(skipCasts(input).getType());
    if (llvm::any_of(types, isDynamic))
      return failure();
    for (auto [input, type] : llvm::zip(op.getInputsMutable(), types))
      setCast(rewriter, input, type);
    refine(rewriter, op.getResult(),
           tensor::ConcatOp::inferResultType(op.getDim(), types));
    return success();
  }
};
} // namespace

static LogicalResult checkShapes(func::FuncOp func) {
  WalkResult walk = func.walk([](Operation *op) {
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      Type source = skipCasts(cast).getType();
      if (!isa<RankedTensorType>(source) ||
          tensor::CastOp::areCastCompatible(source, cast.getType()))
        return WalkResult::advance();
      op->emitError("expected a tensor of type ")
          << cast.getType() << ", got " << source
          << ": the shapes of the arguments do not fit each other";
      return WalkResult::interrupt();
    }
    if (!OpTrait::hasElementwiseMappableTraits(op) ||
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) ||
        succeeded(mergeShapes(op)))
      return WalkResult::advance();
    auto error = op->emitError("expected operands of one shape, got ");
    llvm::interleave(
        op->getOperands(),
        [&](Value value) { error << skipCasts(value).getType(); },
        [&] { error << " and "; });
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult mlir::fp8::specializeShapes(func::FuncOp func) {
  WalkResult walk = func.walk([](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isDynamic)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!walk.wasInterrupted())
    return success();
  MLIRContext *context = func.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  patterns.add<SpecializeElementwise, SpecializeConcat,
               SpecializeBranches<scf::IfOp>,
               SpecializeBranches<scf::IndexSwitchOp>>(context);
  if (failed(applyPatternsGreedily(func, std::move(patterns))))
    return func.emitError("expected shapes to settle: the fixpoint of their "
                          "propagation was not reached");
  // Upstream's patterns give operations static operands that were not checked
  // against each other, and the passes that follow do not verify.
  return success(succeeded(checkShapes(func)) && succeeded(verify(func)));
}
