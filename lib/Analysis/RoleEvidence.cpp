//===- RoleEvidence.cpp - weights, gradients, attention -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of role inference that follow values beyond one contraction: which
// of two arguments is the weight, what depends on a gradient, and what kind of
// product a forward contraction without a weight is.
//
//===----------------------------------------------------------------------===//

#include "RoleInference.h"
#include "fp8/Analysis/Contraction.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Which argument is the weight
//===----------------------------------------------------------------------===//

/// True if a result of `op` is elementwise in its operands, or a view of one.
static bool isElementwise(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() == 0;
  return getViewSource(op) || getFloatCastSource(op) ||
         isa<scf::ForOp, scf::IfOp, tensor::InsertSliceOp, tensor::PadOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

/// Visits the values that `value` reaches through elementwise ops, views and
/// loops, itself included, until `visit` returns true; returns whether it did.
static bool walkElementwise(Value value, const ValueFlow &flow,
                            llvm::function_ref<bool(Value)> visit) {
  DenseSet<Value> seen;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    if (!seen.insert(current).second)
      continue;
    Operation *op = current.getDefiningOp();
    if (op && current != value && !isElementwise(op))
      continue;
    if (visit(current))
      return true;
    flow.getDependents(current, work);
  }
  return false;
}

/// Whether `reader` computes the gradient of an operand of `node`, of which
/// `other` is the other operand. Where no loss tells forward from backward,
/// only if that was found before.
bool RoleInference::computesGradient(unsigned reader, unsigned node,
                                     const RoleOperand &other) const {
  if (reader == node || positions[reader] == Position::Forward)
    return false;
  if (positions[reader] == Position::Unknown &&
      (roles[reader].isForward || roles[reader].forward != node))
    return false;
  return llvm::any_of(
      graph.getNodes()[reader].operands, [&](const RoleOperand &read) {
        return RoleGraph::matchGradient(other, read) != GradientMatch::None;
      });
}

/// Whether some contraction computes the gradient of an operand of `node`.
bool RoleInference::hasGradient(unsigned node, unsigned operand) const {
  const RoleOperand &other = graph.getNodes()[node].operands[1 - operand];
  return llvm::any_of(graph.getReaders(other.number), [&](unsigned reader) {
    return computesGradient(reader, node, other);
  });
}

/// Whether the gradient of an operand of `node`, an argument, is combined with
/// that argument element by element, as an optimizer does.
bool RoleInference::isUpdated(unsigned node, unsigned operand) const {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  const RoleOperand &other = nodes[node].operands[1 - operand];
  Value argument = nodes[node].operands[operand].argument;
  auto readsArgument = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getNumOperands() > 1 &&
           llvm::any_of(op->getOperands(), [&](Value input) {
             return isa<RankedTensorType>(input.getType()) &&
                    traceSource(input, graph.getFlow()).root == argument;
           });
  };
  return llvm::any_of(graph.getReaders(other.number), [&](unsigned reader) {
    return computesGradient(reader, node, other) &&
           walkElementwise(nodes[reader].op->getResult(0), graph.getFlow(),
                           [&](Value value) {
                             return value != nodes[reader].op->getResult(0) &&
                                    readsArgument(value);
                           });
  });
}

/// The operand role that the user wrote, if any.
std::optional<OperandRole> RoleInference::getGiven(unsigned node,
                                                   unsigned operand) const {
  auto given = graph.getNodes()[node].op->getAttrOfType<StringAttr>(
      operand ? kRhsRoleAttr : kLhsRoleAttr);
  return given ? symbolizeOperandRole(given.getValue()) : std::nullopt;
}

/// Both operands are arguments: decides which one is the weight.
std::optional<unsigned> RoleInference::breakTie(unsigned node,
                                                std::string &why) const {
  const RoleNode &facts = graph.getNodes()[node];
  if (facts.operands[0].argument == facts.operands[1].argument)
    return std::nullopt;
  auto decide = [&](unsigned winner, StringRef because) {
    why = ("; both operands are arguments, and " + because).str();
    return winner;
  };
  for (unsigned side : {0, 1})
    if (getGiven(node, side) == OperandRole::Weight)
      return decide(side, "this one is given as the weight");
  bool gradient[2] = {hasGradient(node, 0), hasGradient(node, 1)};
  if (gradient[0] != gradient[1])
    return decide(gradient[1], "only this one has a gradient");
  if (gradient[0]) {
    bool updated[2] = {isUpdated(node, 0), isUpdated(node, 1)};
    if (updated[0] != updated[1])
      return decide(updated[1], "only this one is updated");
  }
  unsigned rows[2] = {facts.operands[0].freeDims, facts.operands[1].freeDims};
  if (rows[0] != rows[1])
    return decide(rows[1] < rows[0], "this one has fewer row dimensions");
  return decide(1, "this one is the right-hand side");
}

/// Finds the arguments that lose a tie and win none. With `decided`, ties of
/// contractions that turned out not to be forward are left out.
void RoleInference::findData(bool decided) {
  DenseSet<Value> weights;
  data.clear();
  for (auto [index, node] : llvm::enumerate(graph.getNodes())) {
    if (!node.operands[0].argument || !node.operands[1].argument ||
        positions[index] == Position::Outside ||
        (decided && !roles[index].isForward))
      continue;
    std::string why;
    std::optional<unsigned> winner = breakTie(index, why);
    for (unsigned side : {0, 1}) {
      if (winner == side)
        weights.insert(node.operands[side].argument);
      else
        data.insert(node.operands[side].argument);
    }
  }
  for (Value weight : weights)
    data.erase(weight);
}

//===----------------------------------------------------------------------===//
// What depends on a gradient
//===----------------------------------------------------------------------===//

bool RoleInference::isTainted(const RoleOperand &operand) const {
  return tainted.contains(operand.value) ||
         tainted.contains(operand.source.root);
}

void RoleInference::taint(Value value) {
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    // What the loss depends on is forward, whatever else it is used for.
    if (forwardValues.contains(current) || !tainted.insert(current).second)
      continue;
    graph.getFlow().getDependents(current, work);
  }
}

void RoleInference::taintOperand(unsigned node, unsigned operand) {
  taint(graph.getNodes()[node].operands[operand].source.root);
}

/// Whether `value` is returned, perhaps after elementwise ops.
bool RoleInference::reachesResult(Value value) const {
  return walkElementwise(value, graph.getFlow(), [](Value current) {
    return llvm::any_of(current.getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::ReturnLike>() &&
             isa<FunctionOpInterface>(user->getParentOp());
    });
  });
}

//===----------------------------------------------------------------------===//
// Forward contractions without a weight
//===----------------------------------------------------------------------===//

/// How far back the operands of a contraction without a weight are followed.
/// Both operands of an attention product are a few dozen ops from the
/// contractions that they come from; a limit keeps the cost linear.
static constexpr unsigned kMaxOrigins = 4096;

/// Looks for comparisons and for numbers made of truth values in one op.
static void findSelection(Operation *op, bool &compares, bool &converts) {
  op->walk([&](Operation *nested) {
    compares |= isa<arith::CmpFOp, arith::CmpIOp>(nested);
    converts |= isa<arith::UIToFPOp, arith::SIToFPOp, arith::SelectOp>(nested);
  });
}

/// The contractions that the operands of `node` come from with no other in
/// between.
RoleInference::Origins RoleInference::getOrigins(unsigned node) const {
  Origins origins;
  bool compares = false, converts = false;
  DenseSet<Value> seen;
  SmallVector<Value> work;
  for (const RoleOperand &operand : graph.getNodes()[node].operands)
    work.push_back(operand.source.root);
  while (!work.empty() && seen.size() < kMaxOrigins) {
    Value current = work.pop_back_val();
    if (!seen.insert(current).second)
      continue;
    if (Operation *op = current.getDefiningOp()) {
      if (auto origin = graph.getNode(op)) {
        origins.nodes.insert(*origin);
        continue;
      }
      if (!isa<scf::ForOp, scf::IfOp>(op))
        findSelection(op, compares, converts);
    }
    graph.getFlow().getDependencies(current, work);
  }
  origins.selects = compares && converts;
  return origins;
}

/// Attention is two products of activations, the result of one an operand of
/// the other. Dispatch multiplies with a mask that was made by comparing.
void RoleInference::settleUnweighted() {
  DenseSet<unsigned> linked;
  SmallVector<std::pair<unsigned, bool>> unweighted;
  for (auto [index, role] : llvm::enumerate(roles)) {
    if (!role.isForward || role.weight || role.isGiven)
      continue;
    Origins origins = getOrigins(index);
    unweighted.push_back({static_cast<unsigned>(index), origins.selects});
    for (unsigned origin : origins.nodes)
      if (roles[origin].isForward && !roles[origin].weight) {
        linked.insert(origin);
        linked.insert(index);
      }
  }
  for (auto [index, isSelected] : unweighted) {
    NodeRole &role = roles[index];
    if (linked.contains(index)) {
      role.role = Role::Attention;
      role.why += "; no weight, and its product with activations feeds another";
    } else if (isSelected) {
      role.role = Role::Dispatch;
      role.why += "; no weight, and an operand is a mask";
    } else if (graph.getNodes()[index].hasBatch) {
      role.role = Role::Attention;
      role.why += "; no weight, and batch dimensions";
    } else {
      role.role = Role::Other;
      role.why += "; no operand is an argument";
    }
  }
}
