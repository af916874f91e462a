//===- RoleInference.h - roles from the role graph ---------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides the role of each node of a RoleGraph. The rules, in order:
//
// 1. What a loss depends on is forward. A scalar that depends on gradients (a
//    gradient norm, a new loss scale) is no loss.
// 2. A contraction that repeats a forward one on the same values is a
// recomputed
//    forward.
// 3. A contraction that reads an operand of a forward one, sums over the
//    dimensions that the forward keeps and keeps those that it sums over,
//    computes the gradient of the forward's other operand. Without a loss, this
//    needs evidence that the other operand is a gradient: see `isGradient`.
// 4. Of two operands that only gradients reach, none has a role.
// 5. Everything else is forward. The operand that is a function argument is the
//    weight; without one it is attention, dispatch or other.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_ROLEINFERENCE_H
#define FP8_LIB_ANALYSIS_ROLEINFERENCE_H

#include "RoleGraph.h"
#include "fp8/Analysis/RoleAnalysis.h"

namespace mlir::fp8 {

/// What is known of a node before it is compared with others.
enum class Position {
  /// Depended on by a loss, or in a function that a backward function names.
  Forward,
  /// In a function that has a loss, or that is a backward function, but not
  /// depended on by a loss.
  Outside,
  /// In a function without a loss.
  Unknown
};

/// The decision about one node.
struct NodeRole {
  Role role = Role::Other;
  OperandRole operands[2] = {OperandRole::Other, OperandRole::Other};
  bool isForward = false;
  /// The operand of a forward node that is the weight, or nothing.
  std::optional<unsigned> weight;
  /// The forward node that this one recomputes or differentiates.
  std::optional<unsigned> forward;
  /// The operand that a gradient contraction shares with the forward one.
  unsigned shared = 0;
  /// Written by the user.
  bool isGiven = false;
  std::string why;
};

class RoleInference {
public:
  explicit RoleInference(RoleGraph &graph);

  /// Decisions in the order of the graph's nodes.
  ArrayRef<NodeRole> getRoles() const { return roles; }

private:
  struct Match {
    unsigned forward;
    unsigned forwardOperand;
    unsigned operand;
    unsigned score;
  };

  // Losses.
  void findPositions();
  void addLosses(FunctionOpInterface function);
  bool hasGradientTriple(const DenseSet<unsigned> &slice) const;
  bool addsGradients(const DenseSet<unsigned> &slice,
                     const DenseSet<unsigned> &forward) const;

  // Weights.
  void findData(bool decided);
  bool computesGradient(unsigned reader, unsigned node,
                        const RoleOperand &other) const;
  std::optional<OperandRole> getGiven(unsigned node, unsigned operand) const;
  std::optional<unsigned> breakTie(unsigned node, std::string &why) const;
  bool hasGradient(unsigned node, unsigned operand) const;
  bool isUpdated(unsigned node, unsigned operand) const;

  // Decisions.
  void readGiven();
  void classify();
  void classifyNode(unsigned node);
  void applyGiven(unsigned node);
  unsigned getGivenGradient(unsigned node, Role role) const;
  bool tryRecomputed(unsigned node);
  bool tryGradient(unsigned node);
  bool isGradient(unsigned node, const Match &match) const;
  bool hasCounterpart(unsigned node, const Match &match) const;
  void setGradient(unsigned node, const Match &match);
  void setUnpaired(unsigned node);
  void setForward(unsigned node);
  std::optional<unsigned> findWeight(unsigned node, std::string &why) const;
  void addForward(unsigned node);
  void inheritRoles();

  // Gradients.
  bool isTainted(const RoleOperand &operand) const;
  void taint(Value value);
  void taintOperand(unsigned node, unsigned operand);
  bool reachesResult(Value value) const;

  // Contractions without a weight.
  void settleUnweighted();
  struct Origins {
    DenseSet<unsigned> nodes;
    bool selects = false;
  };
  Origins getOrigins(unsigned node) const;

  std::string name(BlockArgument argument) const;

  RoleGraph &graph;
  std::vector<NodeRole> roles;
  std::vector<Position> positions;
  DenseMap<FunctionOpInterface, bool> hasLoss;
  /// Arguments that are an activation where another argument is the weight.
  DenseSet<Value> data;
  /// Values that depend on a gradient.
  DenseSet<Value> tainted;
  /// Values that a loss depends on.
  DenseSet<Value> forwardValues;
  /// Forward operands by congruence number.
  DenseMap<unsigned, SmallVector<std::pair<unsigned, unsigned>, 2>>
      forwardReads;
};

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_ROLEINFERENCE_H
