//===- RoleGraph.cpp - contractions and what they read --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions are compared at the source of an operand, never by size: a square
// weight and a square batch are as clear as any other. Loop dimensions of
// extent one carry nothing and are left out.
//
//===----------------------------------------------------------------------===//

#include "RoleGraph.h"
#include "fp8/Analysis/Contraction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fp8;

/// The loop dimensions that an operand runs over: those of its indexing map
/// whose operand dimension still exists at the source.
static llvm::SmallBitVector getLoops(const RoleOperand &operand,
                                     AffineMap map) {
  llvm::SmallBitVector loops(map.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (!operand.source.dims[dim].empty())
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        if (expr.isFunctionOfDim(loop))
          loops.set(loop);
  return loops;
}

/// Sets `uses`, `freeDims` and `freeSize` of both operands.
static void classifyDims(RoleNode &node, linalg::LinalgOp op) {
  auto iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap maps[2];
  llvm::SmallBitVector loops[2];
  for (unsigned i : {0, 1}) {
    maps[i] = op.getMatchingIndexingMap(op.getDpsInputOperand(i));
    loops[i] = getLoops(node.operands[i], maps[i]);
  }
  for (unsigned i : {0, 1}) {
    RoleOperand &operand = node.operands[i];
    auto type = dyn_cast<RankedTensorType>(operand.source.root.getType());
    operand.uses.assign(type ? type.getRank() : 0, 0);
    auto getUse = [&](unsigned loop) -> uint8_t {
      if (iterators[loop] == utils::IteratorType::reduction)
        return kReduced;
      return loops[1 - i].test(loop) ? kBatch : kFree;
    };
    for (unsigned loop : loops[i].set_bits()) {
      if (sizes[loop] == 1 || getUse(loop) != kFree)
        continue;
      ++operand.freeDims;
      bool isKnown = !ShapedType::isDynamic(operand.freeSize) &&
                     !ShapedType::isDynamic(sizes[loop]);
      operand.freeSize =
          isKnown ? operand.freeSize * sizes[loop] : ShapedType::kDynamic;
    }
    for (auto [dim, expr] : llvm::enumerate(maps[i].getResults()))
      for (unsigned loop : loops[i].set_bits()) {
        if (sizes[loop] == 1 || !expr.isFunctionOfDim(loop))
          continue;
        node.hasBatch |= getUse(loop) == kBatch;
        for (unsigned root : operand.source.dims[dim])
          operand.uses[root] |= getUse(loop);
      }
  }
}

void RoleGraph::addNode(Operation *op, FunctionOpInterface function) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  RoleNode node;
  node.op = op;
  node.function = function;
  for (unsigned i : {0, 1}) {
    RoleOperand &operand = node.operands[i];
    operand.value = linalgOp.getDpsInputOperand(i)->get();
    operand.source = traceSource(operand.value, flow);
    operand.number = congruence.lookup(operand.source.root);
    auto argument = dyn_cast<BlockArgument>(operand.source.root);
    if (argument && argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      operand.argument = argument;
  }
  classifyDims(node, linalgOp);
  unsigned index = nodes.size();
  nodeOfOp[op] = index;
  readers[node.operands[0].number].push_back(index);
  if (node.operands[1].number != node.operands[0].number)
    readers[node.operands[1].number].push_back(index);
  nodes.push_back(std::move(node));
}

void RoleGraph::addFunction(FunctionOpInterface function) {
  functions.push_back(function);
  congruence.number(function.getFunctionBody());
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isMultiplyAccumulate(op))
      addNode(op, function);
  });
}

RoleGraph::RoleGraph(ModuleOp module, ArrayRef<FunctionPair> pairs)
    : congruence(flow) {
  for (const FunctionPair &pair : pairs) {
    forwardOf[pair.backward] = pair.forward;
    FunctionOpInterface backward = pair.backward;
    for (auto [argument, value] :
         llvm::zip_equal(backward.getArguments(), pair.arguments))
      if (value)
        flow.addAlias(argument, value);
  }
  // A backward function is numbered after the forward that it continues.
  for (bool backward : {false, true})
    for (auto function : module.getOps<FunctionOpInterface>())
      if (!function.isExternal() && forwardOf.count(function) == backward)
        addFunction(function);
}

ArrayRef<unsigned> RoleGraph::getReaders(unsigned number) const {
  auto it = readers.find(number);
  return it == readers.end() ? ArrayRef<unsigned>() : it->second;
}

std::optional<unsigned> RoleGraph::getNode(Operation *op) const {
  auto it = nodeOfOp.find(op);
  if (it == nodeOfOp.end())
    return std::nullopt;
  return it->second;
}

/// True if both operands are slices of one value that are known to differ.
static bool areDifferentSlices(const RoleOperand &a, const RoleOperand &b) {
  if (a.source.slices.size() != b.source.slices.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.source.slices, b.source.slices))
    if (cast<tensor::ExtractSliceOp>(x).getStaticOffsets() !=
        cast<tensor::ExtractSliceOp>(y).getStaticOffsets())
      return true;
  return false;
}

GradientMatch RoleGraph::matchGradient(const RoleOperand &forward,
                                       const RoleOperand &other) {
  if (forward.number != other.number ||
      forward.uses.size() != other.uses.size() ||
      areDifferentSlices(forward, other))
    return GradientMatch::None;
  bool exact = true, summed = false, kept = false, hasFree = false;
  for (auto [was, is] : llvm::zip_equal(forward.uses, other.uses)) {
    uint8_t swapped = (was & kBatch) | (was & kFree ? kReduced : 0) |
                      (was & kReduced ? kFree : 0);
    exact &= swapped == is;
    if ((was & kFree) && !(is & (kReduced | kBatch)))
      return GradientMatch::None;
    hasFree |= (was & kFree) != 0;
    summed |= (was & kFree) && (is & kReduced);
    kept |= (was & kReduced) && (is & kFree);
  }
  // With a single row there is nothing to sum over.
  if (!kept || summed != hasFree)
    return GradientMatch::None;
  return exact ? GradientMatch::Exact : GradientMatch::Partial;
}

bool RoleGraph::isSameSlice(const RoleOperand &a, const RoleOperand &b) {
  if (a.source.slices.size() != b.source.slices.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.source.slices, b.source.slices)) {
    auto left = cast<tensor::ExtractSliceOp>(x);
    auto right = cast<tensor::ExtractSliceOp>(y);
    if (left.getProperties() != right.getProperties() ||
        left->getNumOperands() != right->getNumOperands())
      return false;
    for (auto [p, q] : llvm::zip_equal(left->getOperands().drop_front(),
                                       right->getOperands().drop_front()))
      if (congruence.lookup(p) != congruence.lookup(q))
        return false;
  }
  return true;
}

bool RoleGraph::isSameRead(const RoleOperand &a, const RoleOperand &b) {
  return a.number == b.number && a.uses == b.uses && isSameSlice(a, b);
}

DenseSet<unsigned> RoleGraph::getSlice(Value value,
                                       DenseSet<Value> &values) const {
  DenseSet<unsigned> slice;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    if (!values.insert(current).second)
      continue;
    if (Operation *op = current.getDefiningOp())
      if (auto node = getNode(op))
        slice.insert(*node);
    flow.getDependencies(current, work);
  }
  return slice;
}
