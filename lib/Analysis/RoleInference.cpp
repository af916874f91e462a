//===- RoleInference.cpp - roles from the role graph ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are decided in program order, so that a gradient contraction finds its
// forward one and gradients are known where they are used. The pass over the
// nodes is made twice: what the first one learns about gradients late serves
// the second one early.
//
//===----------------------------------------------------------------------===//

#include "RoleInference.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fp8;

static StringRef sideName(unsigned operand) { return operand ? "rhs" : "lhs"; }

RoleInference::RoleInference(RoleGraph &graph)
    : graph(graph), roles(graph.getNodes().size()),
      positions(graph.getNodes().size(), Position::Unknown) {
  readGiven();
  // Which arguments are data helps to tell losses, and losses help to tell
  // which arguments are data.
  findData(/*decided=*/false);
  findPositions();
  findData(/*decided=*/false);
  for (FunctionOpInterface function : graph.getFunctions())
    if (graph.getForwardOf(function))
      for (BlockArgument argument : function.getArguments())
        if (isa<FloatType>(getElementTypeOrSelf(argument.getType())) &&
            graph.getFlow().resolve(argument) == argument)
          taint(argument);
  classify();
  findData(/*decided=*/true);
  classify();
  settleUnweighted();
  inheritRoles();
}

std::string RoleInference::name(BlockArgument argument) const {
  return "argument " + std::to_string(argument.getArgNumber());
}

void RoleInference::readGiven() {
  for (auto [node, role] : llvm::zip_equal(graph.getNodes(), roles)) {
    auto given = node.op->getAttrOfType<StringAttr>(kRoleAttr);
    std::optional<Role> value =
        given ? symbolizeRole(given.getValue()) : std::nullopt;
    if (!value)
      continue;
    role.isGiven = true;
    role.role = *value;
  }
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static bool isScalarFloat(Type type) {
  if (!isa<FloatType>(getElementTypeOrSelf(type)))
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || (tensor.hasStaticShape() && tensor.getNumElements() == 1);
}

/// True if a forward contraction, the gradient of one of its operands and that
/// of the other are all in `slice`: what is computed from all three is no loss.
bool RoleInference::hasGradientTriple(const DenseSet<unsigned> &slice) const {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  for (unsigned forward : slice)
    for (unsigned side : {0, 1}) {
      const RoleOperand &a = nodes[forward].operands[side];
      const RoleOperand &b = nodes[forward].operands[1 - side];
      for (unsigned other : graph.getReaders(a.number)) {
        if (other == forward || !slice.contains(other))
          continue;
        for (unsigned i : {0, 1}) {
          const RoleOperand &gradient = nodes[other].operands[1 - i];
          if (RoleGraph::matchGradient(a, nodes[other].operands[i]) ==
                  GradientMatch::None ||
              gradient.number == a.number || gradient.number == b.number)
            continue;
          for (unsigned third : graph.getReaders(gradient.number))
            if (third != other && third != forward && slice.contains(third))
              for (unsigned j : {0, 1})
                if (nodes[third].operands[1 - j].number == gradient.number &&
                    RoleGraph::matchGradient(b, nodes[third].operands[j]) !=
                        GradientMatch::None)
                  return true;
        }
      }
    }
  return false;
}

/// True if `slice` goes beyond `forward` by a contraction that computes a
/// gradient of one in `forward`.
bool RoleInference::addsGradients(const DenseSet<unsigned> &slice,
                                  const DenseSet<unsigned> &forward) const {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  for (unsigned node : slice) {
    if (forward.contains(node))
      continue;
    for (unsigned i : {0, 1}) {
      const RoleOperand &operand = nodes[node].operands[i];
      // A weight that is used again, transposed, is no evidence.
      if (operand.argument && !data.contains(operand.argument))
        continue;
      for (unsigned other : graph.getReaders(operand.number))
        if (forward.contains(other))
          for (const RoleOperand &was : nodes[other].operands)
            if (RoleGraph::matchGradient(was, operand) != GradientMatch::None)
              return true;
    }
  }
  return false;
}

void RoleInference::addLosses(FunctionOpInterface function) {
  struct Candidate {
    DenseSet<unsigned> nodes;
    DenseSet<Value> values;
    bool isNamed;
    unsigned index;
  };
  Operation *end = function.getFunctionBody().back().getTerminator();
  std::vector<Candidate> candidates;
  for (OpOperand &result : end->getOpOperands()) {
    unsigned index = result.getOperandNumber();
    bool isNamed = index < function.getNumResults() &&
                   function.getResultAttr(index, kLossAttr);
    if (!isNamed && !isScalarFloat(result.get().getType()))
      continue;
    Candidate candidate{{}, {}, isNamed, index};
    candidate.nodes = graph.getSlice(result.get(), candidate.values);
    if (!candidate.nodes.empty() &&
        (isNamed || !hasGradientTriple(candidate.nodes)))
      candidates.push_back(std::move(candidate));
  }
  // Named losses first, then from the smallest slice up: a gradient norm
  // depends on all that the loss depends on and more.
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return std::make_tuple(!a.isNamed, a.nodes.size(), a.index) <
           std::make_tuple(!b.isNamed, b.nodes.size(), b.index);
  });
  DenseSet<unsigned> forward;
  for (const Candidate &candidate : candidates) {
    if (!candidate.isNamed && addsGradients(candidate.nodes, forward))
      continue;
    forward.insert(candidate.nodes.begin(), candidate.nodes.end());
    forwardValues.insert(candidate.values.begin(), candidate.values.end());
    hasLoss[function] = true;
  }
  for (unsigned node : forward)
    positions[node] = Position::Forward;
}

void RoleInference::findPositions() {
  DenseSet<Operation *> forwardFunctions;
  for (FunctionOpInterface function : graph.getFunctions()) {
    if (FunctionOpInterface forward = graph.getForwardOf(function))
      forwardFunctions.insert(forward);
    else
      addLosses(function);
  }
  for (auto [index, node] : llvm::enumerate(graph.getNodes())) {
    if (positions[index] == Position::Forward)
      continue;
    if (graph.getForwardOf(node.function) || hasLoss.lookup(node.function))
      positions[index] = Position::Outside;
    else if (forwardFunctions.contains(node.function))
      positions[index] = Position::Forward;
  }
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void RoleInference::classify() {
  forwardReads.clear();
  for (unsigned node = 0, e = roles.size(); node < e; ++node) {
    bool isGiven = roles[node].isGiven;
    Role role = roles[node].role;
    roles[node] = NodeRole();
    roles[node].isGiven = isGiven;
    if (isGiven)
      roles[node].role = role;
    classifyNode(node);
  }
}

void RoleInference::classifyNode(unsigned node) {
  NodeRole &role = roles[node];
  if (role.isGiven) {
    applyGiven(node);
    return;
  }
  if (positions[node] == Position::Forward) {
    setForward(node);
    return;
  }
  if (tryRecomputed(node) || tryGradient(node))
    return;
  const RoleNode &facts = graph.getNodes()[node];
  if (isTainted(facts.operands[0]) || isTainted(facts.operands[1]))
    setUnpaired(node);
  else
    setForward(node);
}

void RoleInference::addForward(unsigned node) {
  roles[node].isForward = true;
  for (unsigned side : {0, 1})
    forwardReads[graph.getNodes()[node].operands[side].number].push_back(
        {node, side});
}

bool RoleInference::tryRecomputed(unsigned node) {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  const RoleNode &facts = nodes[node];
  for (auto [forward, side] : forwardReads.lookup(facts.operands[0].number)) {
    const RoleNode &other = nodes[forward];
    if (!graph.isSameRead(other.operands[side], facts.operands[0]) ||
        !graph.isSameRead(other.operands[1 - side], facts.operands[1]))
      continue;
    NodeRole &role = roles[node];
    role.role = Role::ReFProp;
    role.forward = forward;
    role.shared = side;
    role.why = "repeats a forward contraction on the same values";
    return true;
  }
  return false;
}

bool RoleInference::hasCounterpart(unsigned node, const Match &match) const {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  const RoleOperand &gradient = nodes[node].operands[1 - match.operand];
  const RoleOperand &other =
      nodes[match.forward].operands[1 - match.forwardOperand];
  for (unsigned reader : graph.getReaders(gradient.number))
    if (reader != node && reader != match.forward)
      for (unsigned i : {0, 1})
        if (nodes[reader].operands[1 - i].number == gradient.number &&
            RoleGraph::matchGradient(other, nodes[reader].operands[i]) !=
                GradientMatch::None)
          return true;
  return false;
}

/// Without a loss: whether what the forward operand is multiplied with is a
/// gradient. It is if it depends on one; if another contraction computes the
/// gradient of the other operand from it; or if the rows of an activation are
/// summed against something of the size of the forward result's columns.
bool RoleInference::isGradient(unsigned node, const Match &match) const {
  const RoleNode &facts = graph.getNodes()[node];
  const RoleOperand &gradient = facts.operands[1 - match.operand];
  if (isTainted(gradient) || hasCounterpart(node, match))
    return true;
  const NodeRole &forward = roles[match.forward];
  if (!forward.weight || *forward.weight == match.forwardOperand)
    return false;
  const RoleOperand &weight =
      graph.getNodes()[match.forward].operands[*forward.weight];
  return gradient.number != facts.operands[match.operand].number &&
         gradient.number != weight.number &&
         gradient.freeDims == weight.freeDims &&
         gradient.freeSize == weight.freeSize;
}

bool RoleInference::tryGradient(unsigned node) {
  ArrayRef<RoleNode> nodes = graph.getNodes();
  const RoleNode &facts = nodes[node];
  std::optional<Match> best;
  for (unsigned operand : {0, 1}) {
    const RoleOperand &read = facts.operands[operand];
    if (isTainted(read))
      continue;
    const RoleOperand &gradient = facts.operands[1 - operand];
    for (auto [forward, side] : forwardReads.lookup(read.number)) {
      const RoleOperand &was = nodes[forward].operands[side];
      GradientMatch quality = RoleGraph::matchGradient(was, read);
      if (quality == GradientMatch::None)
        continue;
      Match match{forward, side, operand, 0};
      if (positions[node] == Position::Unknown && !isGradient(node, match))
        continue;
      const RoleOperand &other = nodes[forward].operands[1 - side];
      match.score =
          16 * isTainted(gradient) + 8 * (quality == GradientMatch::Exact) +
          4 * hasCounterpart(node, match) + 2 * graph.isSameSlice(was, read) +
          (gradient.freeSize == other.freeSize);
      // The backward pass runs through the forward one from its end.
      if (!best || match.score >= best->score)
        best = match;
    }
  }
  if (!best)
    return false;
  setGradient(node, *best);
  return true;
}

void RoleInference::setGradient(unsigned node, const Match &match) {
  NodeRole &role = roles[node];
  const NodeRole &forward = roles[match.forward];
  role.forward = match.forward;
  role.shared = match.operand;
  role.operands[match.operand] = OperandRole::Activation;
  role.operands[1 - match.operand] = OperandRole::Gradient;
  if (!forward.weight) {
    // The role itself follows from the forward one: see inheritRoles().
    role.role = Role::Other;
    role.why = "gradient of an operand of a forward contraction of two "
               "activations";
  } else if (*forward.weight == match.forwardOperand) {
    role.role = Role::DGrad;
    role.operands[match.operand] = OperandRole::Weight;
    role.why = ("sums over the output dimension of the forward weight, " +
                sideName(match.operand))
                   .str();
  } else {
    role.role = Role::WGrad;
    role.why = ("sums over the rows of the forward activation, " +
                sideName(match.operand))
                   .str();
  }
  taintOperand(node, 1 - match.operand);
  taint(graph.getNodes()[node].op->getResult(0));
}

/// A contraction of a gradient that no forward contraction explains.
void RoleInference::setUnpaired(unsigned node) {
  NodeRole &role = roles[node];
  const RoleNode &facts = graph.getNodes()[node];
  Value result = facts.op->getResult(0);
  taint(result);
  bool isGrad[2] = {isTainted(facts.operands[0]), isTainted(facts.operands[1])};
  for (unsigned side : {0, 1})
    role.operands[side] =
        isGrad[side] ? OperandRole::Gradient : OperandRole::Other;
  if (isGrad[0] && isGrad[1]) {
    role.why = "multiplies two values that depend on gradients";
    return;
  }
  unsigned other = isGrad[0] ? 1 : 0;
  BlockArgument argument = facts.operands[other].argument;
  if (argument && !data.contains(argument)) {
    role.role = Role::DGrad;
    role.operands[other] = OperandRole::Weight;
    role.why = "multiplies a gradient with " + name(argument) +
               "; no forward contraction reads it";
    return;
  }
  if (reachesResult(result)) {
    role.role = Role::WGrad;
    role.operands[other] = OperandRole::Activation;
    role.why = "a gradient that is returned; no forward contraction reads its "
               "activation";
    return;
  }
  role.why = "multiplies a gradient; no forward contraction reads the other "
             "operand";
}

/// The operand of a forward contraction that is the weight, and if both might
/// be, why it is that one.
std::optional<unsigned> RoleInference::findWeight(unsigned node,
                                                  std::string &why) const {
  const RoleNode &facts = graph.getNodes()[node];
  bool isArgument[2], isWeight[2];
  for (unsigned side : {0, 1}) {
    BlockArgument argument = facts.operands[side].argument;
    isArgument[side] = argument != nullptr;
    isWeight[side] = argument && !data.contains(argument);
  }
  if (isWeight[0] != isWeight[1]) {
    unsigned weight = isWeight[1];
    std::string tie;
    if (isArgument[0] && isArgument[1])
      why = breakTie(node, tie) == weight
                ? tie
                : "; the other argument is an activation elsewhere";
    return weight;
  }
  if (isWeight[0])
    return breakTie(node, why);
  return std::nullopt;
}

void RoleInference::setForward(unsigned node) {
  NodeRole &role = roles[node];
  const RoleNode &facts = graph.getNodes()[node];
  addForward(node);
  StringRef where =
      positions[node] == Position::Outside ? "no gradient reaches it"
      : positions[node] == Position::Unknown
          ? "no loss, and no gradient reaches it"
      : hasLoss.lookup(facts.function) ? "the loss depends on it"
                                       : "its function has a backward function";
  std::string tie;
  role.operands[0] = role.operands[1] = OperandRole::Activation;
  role.weight = findWeight(node, tie);
  if (!role.weight) {
    role.why = where.str();
    return;
  }
  role.role = Role::FProp;
  role.operands[*role.weight] = OperandRole::Weight;
  role.why = (where + "; " + sideName(*role.weight) + " is " +
              name(facts.operands[*role.weight].argument) + tie)
                 .str();
}

/// The operand of a contraction with the given role `role` that is the
/// gradient: what the user says or implies, what depends on a gradient, what is
/// no argument; else the left one of a data gradient and the right one of a
/// weight gradient.
unsigned RoleInference::getGivenGradient(unsigned node, Role role) const {
  const RoleNode &facts = graph.getNodes()[node];
  OperandRole partner =
      role == Role::DGrad ? OperandRole::Weight : OperandRole::Activation;
  for (unsigned side : {0, 1})
    if (getGiven(node, side) == OperandRole::Gradient ||
        getGiven(node, 1 - side) == partner)
      return side;
  for (unsigned side : {0, 1})
    if (isTainted(facts.operands[side]) && !isTainted(facts.operands[1 - side]))
      return side;
  if (role == Role::DGrad)
    for (unsigned side : {0, 1})
      if (facts.operands[1 - side].argument && !facts.operands[side].argument)
        return side;
  return role == Role::DGrad ? 0 : 1;
}

/// What the user wrote stands; the rest of what a role brings is filled in.
void RoleInference::applyGiven(unsigned node) {
  NodeRole &role = roles[node];
  const RoleNode &facts = graph.getNodes()[node];
  Role given = role.role;
  switch (given) {
  case Role::FProp:
    setForward(node);
    if (!role.weight) {
      role.weight = facts.operands[0].argument ? 0 : 1;
      role.operands[*role.weight] = OperandRole::Weight;
    }
    break;
  case Role::Attention:
  case Role::Dispatch:
    if (!tryRecomputed(node) && !tryGradient(node)) {
      addForward(node);
      role.operands[0] = role.operands[1] = OperandRole::Activation;
    }
    break;
  case Role::ReFProp:
    if (!tryRecomputed(node)) {
      unsigned weight = facts.operands[0].argument ? 0 : 1;
      role.operands[weight] = OperandRole::Weight;
      role.operands[1 - weight] = OperandRole::Activation;
    }
    break;
  case Role::DGrad:
  case Role::WGrad: {
    if (tryGradient(node) && role.role == given)
      break;
    unsigned gradient = getGivenGradient(node, given);
    bool isDGrad = given == Role::DGrad;
    role.operands[gradient] = OperandRole::Gradient;
    role.operands[1 - gradient] =
        isDGrad ? OperandRole::Weight : OperandRole::Activation;
    taintOperand(node, gradient);
    taint(facts.op->getResult(0));
    break;
  }
  case Role::Other:
    break;
  }
  role.role = given;
  role.why = "given";
}

void RoleInference::inheritRoles() {
  for (NodeRole &role : roles) {
    if (!role.forward)
      continue;
    const NodeRole &forward = roles[*role.forward];
    bool isUnweighted = !forward.weight;
    if (!role.isGiven && isUnweighted)
      role.role = forward.role;
    if (role.role != Role::ReFProp && !isUnweighted)
      continue;
    if (role.operands[0] == OperandRole::Other &&
        role.operands[1] == OperandRole::Other) {
      role.operands[0] = forward.operands[role.shared];
      role.operands[1] = forward.operands[1 - role.shared];
    }
  }
}
