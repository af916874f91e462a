//===- FunctionPairs.cpp - forward and backward functions -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signature of a backward function says little when all tensors have one
// shape, so hypotheses that the types allow are tried on the graph.
//
//===----------------------------------------------------------------------===//

#include "FunctionPairs.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fp8;

/// Hypotheses that are tried for one pair.
static constexpr unsigned kMaxHypotheses = 16;

/// Adds `saved` as the first or the last arguments of the backward function if
/// the types agree.
static void addHypothesis(FunctionPair pair, ValueRange saved, bool first,
                          SmallVectorImpl<FunctionPair> &hypotheses) {
  size_t count = pair.backward.getNumArguments();
  if (saved.empty() || saved.size() > count ||
      hypotheses.size() == kMaxHypotheses)
    return;
  size_t offset = first ? 0 : count - saved.size();
  ArrayRef<Type> types = pair.backward.getArgumentTypes();
  if (TypeRange(types.slice(offset, saved.size())) != saved.getTypes())
    return;
  pair.arguments.assign(count, nullptr);
  llvm::copy(saved, pair.arguments.begin() + offset);
  hypotheses.push_back(std::move(pair));
}

static SmallVector<FunctionPair> getHypotheses(FunctionPair pair) {
  SmallVector<FunctionPair> hypotheses;
  Operation *end = pair.forward.getFunctionBody().back().getTerminator();
  ValueRange results = end->getOperands();
  ValueRange arguments = pair.forward.getArguments();
  // The more is saved the better, but one gradient comes in.
  size_t most = pair.backward.getNumArguments();
  most = most == 0 ? 0 : most - 1;
  for (bool first : {true, false}) {
    for (size_t n = std::min(results.size(), most); n > 0; --n)
      addHypothesis(pair, results.take_back(n), first, hypotheses);
    for (size_t n = std::min(arguments.size(), most); n > 0; --n) {
      addHypothesis(pair, arguments.take_front(n), first, hypotheses);
      if (n != arguments.size())
        addHypothesis(pair, arguments.take_back(n), first, hypotheses);
    }
  }
  return hypotheses;
}

/// The number of contractions of the backward function that recompute a
/// contraction of the forward one or compute a gradient of it.
static unsigned getScore(ModuleOp module, const FunctionPair &pair) {
  RoleGraph graph(module, pair);
  ArrayRef<RoleNode> nodes = graph.getNodes();
  auto isExplained = [&](const RoleNode &node) {
    for (const RoleOperand &operand : node.operands)
      for (unsigned reader : graph.getReaders(operand.number))
        if (nodes[reader].function == pair.forward)
          for (const RoleOperand &was : nodes[reader].operands)
            if (RoleGraph::matchGradient(was, operand) == GradientMatch::Exact)
              return true;
    return false;
  };
  return llvm::count_if(nodes, [&](const RoleNode &node) {
    return node.function == pair.backward && isExplained(node);
  });
}

SmallVector<FunctionPair> fp8::findFunctionPairs(ModuleOp module) {
  SmallVector<FunctionPair> pairs;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto name = function->getAttrOfType<FlatSymbolRefAttr>(kPairAttr);
    if (!name || function.isExternal())
      continue;
    auto forward = dyn_cast_if_present<FunctionOpInterface>(
        SymbolTable::lookupNearestSymbolFrom(function, name));
    if (!forward || forward.isExternal() || forward == function)
      continue;
    FunctionPair pair{function, forward, {}};
    pair.arguments.assign(function.getNumArguments(), nullptr);
    SmallVector<FunctionPair> hypotheses = getHypotheses(pair);
    unsigned best = 0;
    for (FunctionPair &hypothesis : hypotheses) {
      unsigned score =
          hypotheses.size() == 1 ? 1 : getScore(module, hypothesis);
      if (score > best) {
        best = score;
        pair = std::move(hypothesis);
      }
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}
