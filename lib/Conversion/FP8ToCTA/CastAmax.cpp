//===- CastAmax.cpp - Amaxes that casts take ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An amax does not depend on the order or the shape of its values, so a cast of
// the values in another one takes it just as well. What decides is who needs
// the result before the cast has run.
//
//===----------------------------------------------------------------------===//

#include "CastAmax.h"

#include "fp8/Dialect/FP8/IR/NumericsMode.h"
#include "fp8/Numerics/DelayedScaling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fp8;

/// Whether `op` copies each element of its one input to one place.
static bool isPermutation(Operation *op) {
  auto copy = dyn_cast<linalg::LinalgOp>(op);
  if (!copy || !copy.hasPureTensorSemantics() || copy.getNumDpsInputs() != 1 ||
      copy.getNumDpsInits() != 1 ||
      !isa<ShapedType>(copy->getOperand(0).getType()) ||
      !llvm::all_of(copy.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isPermutation(); }))
    return false;
  Block *body = copy.getBlock();
  return body->getTerminator()->getOperand(0) == body->getArgument(0);
}

/// Whether the result of `op` has the elements of its first operand, no other
/// ones and none twice.
static bool keepsElements(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
         isPermutation(op);
}

/// The value that `value` has the elements of, as far back as one knows.
static Value getSource(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && keepsElements(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

/// Adds to `casts` those of the elements of `value`.
static void collectCasts(Value value,
                         SmallVectorImpl<ScaledQuantizeOp> &casts) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto cast = dyn_cast<ScaledQuantizeOp>(user);
    if (cast && cast.getInput() == value)
      casts.push_back(cast);
    else if (use.getOperandNumber() == 0 && keepsElements(user))
      collectCasts(user->getResult(0), casts);
  }
}

/// Whether loops may do `op` on the way to its input: they make it for nothing
/// else, and no memory has it.
static bool mayJoinProducer(ScaledQuantizeOp op) {
  return op.getInput().hasOneUse() &&
         op.getInput().getDefiningOp<linalg::LinalgOp>();
}

/// What `op` scales by does not depend on its amax, whatever the state.
static bool ignoresAmax(DelayedScaleOp op) {
  if (!op.getStateMultiplier())
    return false;
  ::fp8::numerics::DelayedOptions options;
  options.mode = toNumerics(op.getNumerics());
  options.warmup = static_cast<int>(op.getWarmup());
  return !::fp8::numerics::castReadsAmax(options);
}

/// Moves `op` to the start of its block, where the others go, if what it reads
/// are slices of values from outside: then one launch does all of them.
static void hoist(DelayedScaleOp op) {
  Block *block = op->getBlock();
  SmallVector<Operation *> moved;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || producer->getBlock() != block)
      continue;
    bool isLocal = llvm::any_of(producer->getOperands(), [&](Value value) {
      return value.getDefiningOp() &&
             value.getDefiningOp()->getBlock() == block;
    });
    if (isLocal || !isa<arith::ConstantOp, tensor::ExtractSliceOp>(producer))
      return;
    if (!llvm::is_contained(moved, producer))
      moved.push_back(producer);
  }
  op->moveBefore(block, block->begin());
  for (Operation *producer : moved)
    producer->moveBefore(block, block->begin());
}

/// Zeros in place of the amax, which `op` does not read.
static void dropAmax(DelayedScaleOp op) {
  OpBuilder b(op);
  for (OpOperand *operand : {&op.getAmaxMutable(), &op.getFlagsMutable()}) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    auto zeros =
        DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType()));
    operand->set(arith::ConstantOp::create(b, op.getLoc(), zeros));
  }
}

namespace {

/// Plans one amax after the other. What moves does so in the end: operations
/// that move make a block forget its order, which plans ask for.
class Planner {
public:
  Planner(llvm::function_ref<bool(ScaledQuantizeOp)> canCast)
      : canCast(canCast) {}

  void plan(mlir::fp8::AmaxOp op);
  void finish();

  AmaxPlans plans;

private:
  ScaledQuantizeOp findCast(mlir::fp8::AmaxOp op, Operation *end);

  llvm::function_ref<bool(ScaledQuantizeOp)> canCast;
  SmallVector<DelayedScaleOp> hoisted;
  /// An amax, and what it goes in front of.
  SmallVector<std::pair<Operation *, Operation *>> moved;
  SmallVector<Operation *> unread;
};

} // namespace

/// The first cast of the elements of `op` in its block that has run at `end`.
ScaledQuantizeOp Planner::findCast(mlir::fp8::AmaxOp op, Operation *end) {
  SmallVector<ScaledQuantizeOp> casts;
  collectCasts(getSource(op.getInput()), casts);
  ScaledQuantizeOp found;
  for (ScaledQuantizeOp cast : casts)
    if (cast->getBlock() == op->getBlock() && cast->isBeforeInBlock(end) &&
        (!found || cast->isBeforeInBlock(found)) && !mayJoinProducer(cast) &&
        canCast(cast))
      found = cast;
  return found;
}

void Planner::plan(mlir::fp8::AmaxOp op) {
  Block *block = op->getBlock();
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end()), scales;
  SmallVector<DelayedScaleOp> known;
  // The first in the block that needs the amax for anything but a scale.
  Operation *first = nullptr;
  for (Operation *user : users) {
    auto scale = dyn_cast<DelayedScaleOp>(user);
    if (scale && ignoresAmax(scale)) {
      dropAmax(scale);
      known.push_back(scale);
    } else if (scale && scale.getStateCount() && scale->getBlock() == block) {
      scales.insert(scale);
    } else {
      Operation *outer = block->findAncestorOpInBlock(*user);
      if (!first || outer->isBeforeInBlock(first))
        first = outer;
    }
  }
  ScaledQuantizeOp cast = first ? findCast(op, first) : ScaledQuantizeOp();
  if (first && !cast)
    return;
  llvm::append_range(hoisted, known);
  for (Operation *scale : scales) {
    OpBuilder b(scale);
    auto own = ::mlir::cast<mlir::fp8::AmaxOp>(b.clone(*op));
    scale->replaceUsesOfWith(op.getAmax(), own.getAmax());
    scale->replaceUsesOfWith(op.getFlags(), own.getFlags());
    plans.ofAmax[own] = {cast, false, ::mlir::cast<DelayedScaleOp>(scale)};
  }
  if (!first) {
    if (!scales.empty())
      unread.push_back(op);
    return;
  }
  moved.emplace_back(op, first);
  plans.ofAmax[op] = {cast, true, {}};
  plans.casts.insert(cast);
}

void Planner::finish() {
  for (auto [op, first] : moved)
    op->moveBefore(first);
  llvm::for_each(hoisted, hoist);
  for (Operation *op : unread)
    op->erase();
}

AmaxPlans
mlir::fp8::planAmaxes(Region &region,
                      llvm::function_ref<bool(ScaledQuantizeOp)> canCast,
                      llvm::function_ref<bool(mlir::fp8::AmaxOp)> canReduce) {
  SmallVector<mlir::fp8::AmaxOp> amaxes;
  region.walk([&](mlir::fp8::AmaxOp op) {
    if (!op.getBlock() && canReduce(op))
      amaxes.push_back(op);
  });
  Planner planner(canCast);
  for (mlir::fp8::AmaxOp op : amaxes)
    planner.plan(op);
  planner.finish();
  return std::move(planner.plans);
}
