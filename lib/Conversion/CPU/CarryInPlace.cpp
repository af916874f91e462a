//===- CarryInPlace.cpp - One buffer per loop-carried tensor --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One buffer per loop-carried tensor: without this, bufferization lets a fresh
// allocation leave each iteration, and no static plan of memory exists.
//
// Three cases of a yielded tensor, the first that holds:
//   - it is the iteration argument, updated in place by the time it is yielded:
//     nothing to do;
//   - it shares memory with nothing that is carried: it is moved into the
//     iteration argument at the end of the body;
//   - it may share memory with another carried tensor (two that swap): it is
//     copied to a buffer of its own before any of those moves.
// Loops are visited inside out, so that the result of an inner loop is its init
// updated in place. What the first region of an scf.while forwards is carried
// into the arguments of that region, as what the second one yields is into its.
//
// The branches of a conditional write one buffer, too: where each made its own,
// the result could be either, of any layout.
//
// A tensor that a function returns twice gets a buffer for each result, too:
// upstream's out-parameters take every returned allocation for one result's.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUCARRYINPLACE
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// The operand whose buffer `value` overwrites, or null.
static OpOperand *getOverwritten(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return &loop.getInitArgsMutable()[result.getResultNumber()];
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    return &loop.getInitsMutable()[result.getResultNumber()];
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return op.getTiedOpOperand(result);
  // Not in general, but all branches write one buffer by now.
  if (isa<scf::IfOp, scf::IndexSwitchOp>(result.getOwner())) {
    Operation *yield = result.getOwner()->getRegion(0).front().getTerminator();
    auto placed =
        yield->getOperand(result.getResultNumber())
            .getDefiningOp<bufferization::MaterializeInDestinationOp>();
    return placed ? &placed.getDestMutable() : nullptr;
  }
  return nullptr;
}

static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// Whether `value`'s only users besides `writer` come before it and keep no
/// view of it.
static bool isReadBefore(Value value, Operation *writer) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == writer)
      return llvm::count(user->getOperands(), value) == 1;
    Operation *ancestor = writer->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || !ancestor->isBeforeInBlock(writer))
      return false;
    if (isView(user))
      return isReadBefore(user->getResult(0), writer);
    if (auto op = dyn_cast<DestinationStyleOpInterface>(user))
      return op.isDpsInput(&use);
    return isa<tensor::ExtractOp, tensor::DimOp>(user);
  });
}

/// Whether `value` is `arg` after updates that can all be done in its buffer.
static bool isUpdateInPlace(Value value, BlockArgument arg) {
  while (value != arg) {
    OpOperand *overwritten = getOverwritten(value);
    if (!overwritten || value.getParentBlock() != arg.getOwner() ||
        !isReadBefore(overwritten->get(), overwritten->getOwner()))
      return false;
    value = overwritten->get();
  }
  return true;
}

/// Whether `value` is made in `body` and starts in a buffer of its own.
static bool isFresh(Value value, Block *body) {
  Operation *op;
  while ((op = value.getDefiningOp())) {
    OpOperand *overwritten = getOverwritten(value);
    if (!overwritten && !isView(op))
      break;
    value = overwritten ? overwritten->get() : op->getOperand(0);
  }
  return op && body->findAncestorOpInBlock(*op) &&
         isa<tensor::EmptyOp, tensor::FromElementsOp, tensor::GenerateOp,
             tensor::PadOp, bufferization::AllocTensorOp>(op);
}

/// Moves the tensors with which `end` leaves its block, its last `args.size()`
/// operands, into `args`.
static void carryInPlace(Operation *end, Block::BlockArgListType args) {
  OpBuilder builder(end);
  Location loc = end->getParentOp()->getLoc();
  SmallVector<std::pair<OpOperand *, BlockArgument>> moves;
  for (auto [operand, arg] :
       llvm::zip_equal(end->getOpOperands().take_back(args.size()), args)) {
    if (!isa<TensorType>(arg.getType()) || isUpdateInPlace(operand.get(), arg))
      continue;
    if (!isFresh(operand.get(), end->getBlock()))
      operand.set(bufferization::AllocTensorOp::create(
          builder, loc, cast<RankedTensorType>(arg.getType()), ValueRange(),
          operand.get()));
    moves.push_back({&operand, arg});
  }
  for (auto [operand, arg] : moves) {
    auto placed = bufferization::MaterializeInDestinationOp::create(
        builder, loc, arg.getType(), operand->get(), arg);
    operand->set(placed.getResult());
  }
}

static LogicalResult carryInPlace(scf::WhileOp loop) {
  if (llvm::none_of(llvm::concat<const Type>(TypeRange(loop.getInits()),
                                             TypeRange(loop.getResults())),
                    llvm::IsaPred<TensorType>))
    return success();
  if (TypeRange(loop.getInits()) != TypeRange(loop.getResults()))
    return loop.emitError("expected the first region of scf.while to forward "
                          "values of the types that the loop carries");
  carryInPlace(loop.getConditionOp(), loop.getBeforeArguments());
  carryInPlace(loop.getYieldOp(), loop.getAfterArguments());
  return success();
}

/// Makes every branch of `op` write its tensors to buffers made before `op`.
static void branchInPlace(Operation *op) {
  OpBuilder builder(op);
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape())
      continue;
    builder.setInsertionPoint(op);
    // No tensor.empty: to put it in the place of what a loop carries would let
    // a branch overwrite what it still reads.
    Value buffer = bufferization::AllocTensorOp::create(builder, op->getLoc(),
                                                        type, ValueRange());
    for (Region &region : op->getRegions()) {
      Operation *yield = region.front().getTerminator();
      builder.setInsertionPoint(yield);
      OpOperand &operand = yield->getOpOperand(result.getResultNumber());
      auto placed = bufferization::MaterializeInDestinationOp::create(
          builder, op->getLoc(), type, operand.get(), buffer);
      operand.set(placed.getResult());
    }
  }
}

/// Copies what a return names a second time.
static void separateResults(func::ReturnOp op) {
  OpBuilder builder(op);
  llvm::SmallDenseSet<Value> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && !seen.insert(operand.get()).second)
      operand.set(bufferization::AllocTensorOp::create(
          builder, op.getLoc(), type, ValueRange(), operand.get()));
  }
}

namespace {
struct CPUCarryInPlace final
    : mlir::fp8::impl::CPUCarryInPlaceBase<CPUCarryInPlace> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        carryInPlace(loop.getBody()->getTerminator(), loop.getRegionIterArgs());
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        return WalkResult(carryInPlace(loop));
      else if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
        branchInPlace(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation().walk(separateResults);
  }
};
} // namespace
