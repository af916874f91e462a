//===- FuseEpilogues.cpp - Element-wise work joins its product ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group is a product and operations after it in its block, each reading
// values of the group at its own element. It runs where its last operation
// stood: everything that others read of it must come later, which also keeps a
// value that depends on the group out of its operands.
//
//===----------------------------------------------------------------------===//

#include "FusedContract.h"

#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_FUSEEPILOGUESPASS
#include "fp8/Conversion/GPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Reshapes between a product and what follows it
//===----------------------------------------------------------------------===//

/// Whether `value` is a product, or computed from one element by element.
static bool followsProduct(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (isa_and_nonnull<ScaledContractOp>(op))
      return true;
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    if (generic && generic.isAllParallelLoops())
      for (Value input : generic.getInputs())
        reached.insert(input);
  }
  return false;
}

/// Moves each reshape of what follows a product in front of its first user, so
/// that it reads the product no sooner than others do.
static void delayReshapes(func::FuncOp function) {
  SmallVector<tensor::ExpandShapeOp> reshapes;
  function.walk([&](tensor::ExpandShapeOp op) {
    if (followsProduct(op.getSrc()))
      reshapes.push_back(op);
  });
  // Of two in a chain the second moves first.
  for (tensor::ExpandShapeOp op : llvm::reverse(reshapes)) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *outer = op->getBlock()->findAncestorOpInBlock(*user);
      if (outer && (!first || outer->isBeforeInBlock(first)))
        first = outer;
    }
    if (first)
      op->moveBefore(first);
  }
}

/// Graphs with several dimensions of rows (batch and time) expand the result of
/// a product in front of what they do to its elements. Moves such reshapes
/// behind it, as far as they go.
static void sinkReshapes(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [](OpOperand *use) {
        auto user = dyn_cast<linalg::GenericOp>(use->getOwner());
        auto expand = use->get().getDefiningOp<tensor::ExpandShapeOp>();
        return user && user.isAllParallelLoops() && expand &&
               expand.getResultType().hasStaticShape() &&
               followsProduct(expand.getSrc());
      });
  // What collapses again reads the product's own shape.
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       function.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     function.getContext());
  // Stopping early leaves correct code.
  (void)applyPatternsGreedily(function, std::move(patterns));
  delayReshapes(function);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {

/// A product and what joined it, in block order.
class Group {
public:
  Group(ScaledContractOp contract, bool withFunctions)
      : ops{contract}, withFunctions(withFunctions) {}

  /// Adds operations until none can join.
  void grow();
  /// Moves the group into a function called `name`, which takes its place.
  void outline(StringRef name);

  bool isTrivial() const { return ops.size() == 1; }

private:
  ArrayRef<int64_t> getShape() const {
    return cast<ShapedType>(ops.front()->getResult(0).getType()).getShape();
  }
  bool has(Value value) const {
    return llvm::is_contained(ops, value.getDefiningOp());
  }
  bool staysLegalWith(Operation *op) const;
  SmallVector<Value> getResults(ArrayRef<Operation *> members) const;
  SmallVector<Value> getInputs() const;
  func::FuncOp createFunction(StringRef name, ValueRange inputs,
                              ValueRange results);

  SmallVector<Operation *> ops;
  bool withFunctions;
};

} // namespace

/// Values of `members` that others read, in order.
SmallVector<Value> Group::getResults(ArrayRef<Operation *> members) const {
  SmallVector<Value> results;
  for (Operation *op : members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(members, user);
          }))
        results.push_back(result);
  return results;
}

/// Whether the group with `op`, its new last operation, can run in one place.
bool Group::staysLegalWith(Operation *op) const {
  SmallVector<Operation *> members(ops);
  members.push_back(op);
  Block *block = op->getBlock();
  unsigned outputs = 0;
  for (Value result : getResults(members)) {
    ++outputs;
    for (Operation *user : result.getUsers()) {
      Operation *outer = block->findAncestorOpInBlock(*user);
      bool isMember = llvm::is_contained(members, user);
      if (!isMember && (!outer || !op->isBeforeInBlock(outer)))
        return false;
    }
  }
  llvm::SmallDenseSet<Value> matrices;
  for (Operation *member : members) {
    if (!isa<linalg::GenericOp>(member))
      continue;
    for (Value read : getReads(member))
      if (!has(read) && cast<ShapedType>(read.getType()).getNumElements() > 1)
        matrices.insert(read);
  }
  return outputs <= kMaxEpilogueOutputs &&
         matrices.size() <= kMaxEpilogueMatrices;
}

void Group::grow() {
  for (Operation *op = ops.front()->getNextNode(); op; op = op->getNextNode()) {
    auto isMember = [&](Value value) { return has(value); };
    if (canFollow(op, getShape(), isMember, withFunctions) &&
        staysLegalWith(op))
      ops.push_back(op);
  }
}

/// What the function needs: the reads from outside, each once.
SmallVector<Value> Group::getInputs() const {
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value read : getReads(op))
      if (!has(read))
        inputs.insert(read);
  return inputs.takeVector();
}

func::FuncOp Group::createFunction(StringRef name, ValueRange inputs,
                                   ValueRange results) {
  Operation *first = ops.front();
  auto parent = first->getParentOfType<func::FuncOp>();
  OpBuilder b(parent);
  auto type = b.getFunctionType(TypeRange(inputs), TypeRange(results));
  auto function = func::FuncOp::create(b, first->getLoc(), name, type);
  function.setPrivate();
  function->setAttr(kFusedAttr, b.getUnitAttr());
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(inputs, body->getArguments());
  for (Operation *op : ops) {
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto constant = operand.getDefiningOp<arith::ConstantOp>())
          if (nested != op && !mapping.contains(operand) &&
              !op->isAncestor(constant))
            b.clone(*constant, mapping);
    });
    Operation *copy = b.clone(*op, mapping);
    // Destinations hold nothing that is read.
    if (auto style = dyn_cast<DestinationStyleOpInterface>(copy)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(copy);
      for (OpOperand &init : style.getDpsInitsMutable()) {
        auto shape = cast<RankedTensorType>(init.get().getType());
        init.set(tensor::EmptyOp::create(b, op->getLoc(), shape.getShape(),
                                         shape.getElementType()));
      }
    }
  }
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(mapping.lookup(result));
  func::ReturnOp::create(b, first->getLoc(), returned);
  return function;
}

void Group::outline(StringRef name) {
  SmallVector<Value> inputs = getInputs(), results = getResults(ops);
  func::FuncOp function = createFunction(name, inputs, results);
  OpBuilder b(ops.back());
  b.setInsertionPointAfter(ops.back());
  auto call = func::CallOp::create(b, ops.front()->getLoc(), function, inputs);
  for (auto [old, result] : llvm::zip_equal(results, call.getResults()))
    old.replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

namespace {

struct FuseEpiloguesPass final
    : mlir::fp8::impl::FuseEpiloguesPassBase<FuseEpiloguesPass> {
  using FuseEpiloguesPassBase::FuseEpiloguesPassBase;

  void runOnOperation() override;

private:
  void fuse(func::FuncOp function);

  const ::fp8::target::TargetInfo *info = nullptr;
};

} // namespace

void FuseEpiloguesPass::fuse(func::FuncOp function) {
  SmallVector<ScaledContractOp> contracts;
  function.walk([&](ScaledContractOp op) { contracts.push_back(op); });
  int64_t next = 0;
  for (ScaledContractOp contract : contracts) {
    GemmProblem problem = getKernelProblem(contract);
    // Destinations in the function have no value to take a size from.
    if (contract.getNumResults() != 1 || problem.hasDynamicSizes() ||
        refuseGemm(problem, *info))
      continue;
    Group group(contract, functions);
    group.grow();
    if (group.isTrivial())
      continue;
    std::string name;
    do {
      name = (function.getName() + "_fused" + Twine(next++)).str();
    } while (getOperation().lookupSymbol(name));
    group.outline(name);
  }
}

void FuseEpiloguesPass::runOnOperation() {
  ModuleOp module = getOperation();
  info = getGPUTarget(module, getArgument(), target);
  if (!info)
    return signalPassFailure();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (!function->hasAttr(kFusedAttr)) {
      sinkReshapes(function);
      fuse(function);
    }
}
