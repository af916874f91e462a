//===- RoleGraph.h - contractions and what they read -------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts that role inference decides from: the contractions of a module in
// program order, the source of each operand dimension by dimension, and
// questions about pairs of contractions. No roles here.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_ROLEGRAPH_H
#define FP8_LIB_ANALYSIS_ROLEGRAPH_H

#include "Congruence.h"
#include "ValueFlow.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace mlir::fp8 {

/// A backward function, its forward, and where its arguments come from.
struct FunctionPair {
  FunctionOpInterface backward, forward;
  /// For each argument of `backward` the value of `forward` that it is; null
  /// for an incoming gradient.
  SmallVector<Value> arguments;
};

/// What a contraction does with a dimension of an operand; a bit set, because a
/// dimension that was split by a reshape, or that a convolution slides over,
/// can be used in several ways.
enum DimUse : uint8_t { kFree = 1, kReduced = 2, kBatch = 4 };

/// An operand as seen at its source.
struct RoleOperand {
  Value value;
  Source source;
  /// Congruence number of the source.
  unsigned number = 0;
  /// DimUse of each dimension of the source; 0 if it is not run over.
  SmallVector<uint8_t, 4> uses;
  /// Number of free loop dimensions and the product of their extents
  /// (ShapedType::kDynamic if unknown).
  unsigned freeDims = 0;
  int64_t freeSize = 1;
  /// The function argument that the operand is, or is a slice or a cast of.
  BlockArgument argument;
};

/// One multiply-accumulate op.
struct RoleNode {
  Operation *op = nullptr;
  FunctionOpInterface function;
  RoleOperand operands[2];
  bool hasBatch = false;
};

/// How well one contraction reads an operand the way the gradient of another
/// does.
enum class GradientMatch { None, Partial, Exact };

class RoleGraph {
public:
  /// `module` must have no calls that lead to a contraction (see
  /// ExpandedModule). `pairs` are the backward functions that were exported
  /// apart.
  RoleGraph(ModuleOp module, ArrayRef<FunctionPair> pairs);

  ArrayRef<RoleNode> getNodes() const { return nodes; }
  ArrayRef<FunctionOpInterface> getFunctions() const { return functions; }
  const ValueFlow &getFlow() const { return flow; }

  /// The forward function that `function` is the backward of, or null.
  FunctionOpInterface getForwardOf(FunctionOpInterface function) const {
    return forwardOf.lookup(function);
  }

  /// Nodes with an operand whose source has this congruence number.
  ArrayRef<unsigned> getReaders(unsigned number) const;

  /// Index of the node of `op`, or nothing.
  std::optional<unsigned> getNode(Operation *op) const;

  /// Both read one source, and `other` sums over the dimensions that `forward`
  /// keeps and keeps those that `forward` sums over: what the gradient of the
  /// other operand of `forward` does.
  static GradientMatch matchGradient(const RoleOperand &forward,
                                     const RoleOperand &other);

  /// Both read the same elements of the same value in the same way.
  bool isSameRead(const RoleOperand &a, const RoleOperand &b);

  /// Both pass the same slices of their source.
  bool isSameSlice(const RoleOperand &a, const RoleOperand &b);

  /// The nodes that `value` is computed from, and all values on the way.
  DenseSet<unsigned> getSlice(Value value, DenseSet<Value> &values) const;

private:
  void addFunction(FunctionOpInterface function);
  void addNode(Operation *op, FunctionOpInterface function);

  ValueFlow flow;
  Congruence congruence;
  std::vector<RoleNode> nodes;
  std::vector<FunctionOpInterface> functions;
  DenseMap<Operation *, unsigned> nodeOfOp;
  DenseMap<unsigned, SmallVector<unsigned, 2>> readers;
  DenseMap<FunctionOpInterface, FunctionOpInterface> forwardOf;
};

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_ROLEGRAPH_H
