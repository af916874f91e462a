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

#include "fp8/Conversion/GPU/Amax.h"
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

/// What `op` scales by does not depend on its amax, whatever the state, and it
/// still has one.
static bool ignoresAmax(DelayedScaleOp op) {
  if (!op.getStateMultiplier() ||
      op.getAmax().getDefiningOp<arith::ConstantOp>())
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

void mlir::fp8::dropUnreadAmaxes(Region &region) {
  SmallVector<Operation *> ops;
  SmallVector<DelayedScaleOp> known;
  region.walk([&](Operation *op) {
    if (!isa<mlir::fp8::AmaxOp, DelayedScaleOp, ScaleFromAmaxOp>(op))
      return;
    ops.push_back(op);
    if (auto scale = dyn_cast<DelayedScaleOp>(op); scale && ignoresAmax(scale))
      known.push_back(scale);
  });
  for (DelayedScaleOp scale : known) {
    dropAmax(scale);
    hoist(scale);
  }
  // Scales come after what they read.
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

/// The first cast of the elements of `op` in its block that has run at `end`.
/// Others may run never, or more than once.
static ScaledQuantizeOp findCast(mlir::fp8::AmaxOp op, Operation *end,
                                 CanCast canCast) {
  SmallVector<ScaledQuantizeOp> casts;
  collectCasts(getSource(op.getInput()), casts);
  ScaledQuantizeOp found;
  for (ScaledQuantizeOp cast : casts)
    if (cast->getBlock() == op->getBlock() && cast->isBeforeInBlock(end) &&
        (!found || cast->isBeforeInBlock(found)) && canCast(cast))
      found = cast;
  return found;
}

/// The amaxes of whole tensors in `region` that have a kernel.
static SmallVector<mlir::fp8::AmaxOp> collectAmaxes(Region &region,
                                                    CanReduce canReduce) {
  SmallVector<mlir::fp8::AmaxOp> amaxes;
  region.walk([&](mlir::fp8::AmaxOp op) {
    if (!op.getBlock() && canReduce(op))
      amaxes.push_back(op);
  });
  return amaxes;
}

/// The first in the block of `op` that needs it, but for the scales that an
/// amax of their own does for, which go to `scales`; null if nothing else does.
static Operation *findFirstUser(mlir::fp8::AmaxOp op,
                                llvm::SetVector<Operation *> &scales) {
  Block *block = op->getBlock();
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    auto scale = dyn_cast<DelayedScaleOp>(user);
    if (scale && scale.getStateCount() && scale->getBlock() == block) {
      scales.insert(scale);
      continue;
    }
    // In a later block, behind the end of this one.
    Operation *outer = block->findAncestorOpInBlock(*user);
    if (!outer)
      outer = block->getTerminator();
    if (!first || outer->isBeforeInBlock(first))
      first = outer;
  }
  return first;
}

void mlir::fp8::sinkAmaxes(Region &region, CanCast canCast,
                           CanReduce canReduce) {
  // Moved in the end: a block that something moves in forgets its order.
  SmallVector<std::pair<Operation *, Operation *>> moved;
  SmallVector<Operation *> replaced;
  for (mlir::fp8::AmaxOp op : collectAmaxes(region, canReduce)) {
    llvm::SetVector<Operation *> scales;
    Operation *first = findFirstUser(op, scales);
    if (first && !findCast(op, first, canCast))
      continue;
    for (Operation *scale : scales) {
      OpBuilder b(scale);
      auto own = cast<mlir::fp8::AmaxOp>(b.clone(*op));
      scale->replaceUsesOfWith(op.getAmax(), own.getAmax());
      scale->replaceUsesOfWith(op.getFlags(), own.getFlags());
    }
    if (first)
      moved.emplace_back(op, first);
    else
      replaced.push_back(op);
  }
  for (auto [op, first] : moved)
    op->moveBefore(first);
  for (Operation *op : replaced)
    op->erase();
}

DelayedScaleOp mlir::fp8::getWarmupScale(mlir::fp8::AmaxOp op) {
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
  auto scale = users.size() == 1 ? dyn_cast<DelayedScaleOp>(users.front())
                                 : DelayedScaleOp();
  if (!scale || !scale.getStateCount() || scale->getBlock() != op->getBlock())
    return {};
  // The kernel of the amax reads the count.
  Operation *count = scale.getStateCount().getDefiningOp();
  bool isReady = !count || count->getBlock() != op->getBlock() ||
                 count->isBeforeInBlock(op);
  return isReady ? scale : DelayedScaleOp();
}

AmaxPlan::AmaxPlan(Region &region, CanCast canCast, CanReduce canReduce) {
  SmallVector<mlir::fp8::AmaxOp> amaxes = collectAmaxes(region, canReduce);
  DenseMap<std::pair<Value, Block *>, ScaledQuantizeOp> first;
  for (mlir::fp8::AmaxOp op : amaxes)
    if (ScaledQuantizeOp cast = findCast(op, op, canCast)) {
      castOf[op] = cast;
      casts.insert(cast);
      first[{getSource(op.getInput()), op->getBlock()}] = cast;
    }
  // Merging the same values again changes nothing: one pair of words will do.
  for (mlir::fp8::AmaxOp op : amaxes)
    if (!castOf.contains(op))
      if (ScaledQuantizeOp cast =
              first.lookup({getSource(op.getInput()), op->getBlock()}))
        castOf[op] = cast;
}

bool AmaxPlan::isMerged(mlir::fp8::AmaxOp op) const {
  ScaledQuantizeOp cast = getCast(op);
  return cast && cast->isBeforeInBlock(op);
}

/// Adds to `amaxes` those of the elements of `value`.
static void collectAmaxesOf(Value value,
                            SmallVectorImpl<mlir::fp8::AmaxOp> &amaxes) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto amax = dyn_cast<mlir::fp8::AmaxOp>(user))
      amaxes.push_back(amax);
    else if (use.getOperandNumber() == 0 && keepsElements(user))
      collectAmaxesOf(user->getResult(0), amaxes);
  }
}

SmallVector<mlir::fp8::AmaxOp>
AmaxPlan::getPasses(ScaledQuantizeOp cast) const {
  SmallVector<mlir::fp8::AmaxOp> amaxes;
  collectAmaxesOf(getSource(cast.getInput()), amaxes);
  llvm::erase_if(amaxes, [&](mlir::fp8::AmaxOp op) {
    return isMerged(op) || getWarmupScale(op);
  });
  return amaxes;
}

int64_t mlir::fp8::countReaders(ScaledQuantizeOp cast) {
  SmallVector<ScaledQuantizeOp> casts;
  collectCasts(getSource(cast.getInput()), casts);
  int64_t readers = 0;
  for (ScaledQuantizeOp op : casts)
    for (Value codes : op->getResults())
      readers += std::distance(codes.use_begin(), codes.use_end());
  return readers;
}
