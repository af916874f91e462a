//===- ValueFlow.h - where values come from and go to ------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dataflow between tensor values as role inference needs it: through structured
// loops value by value, through the bodies of linalg ops as a whole, and from a
// backward function to the results of the forward function that it goes with.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_VALUEFLOW_H
#define FP8_LIB_ANALYSIS_VALUEFLOW_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fp8 {

/// Identity of values and the edges between them. Asked about one value at a
/// time; callers keep their own visited sets, so a traversal is linear.
class ValueFlow {
public:
  /// Declares that `value`, an argument of a function, is the same as `other`.
  void addAlias(Value value, Value other) { aliases[value] = other; }

  /// The value that `value` is the same as: through aliases, barriers and
  /// values that a loop carries unchanged.
  Value resolve(Value value) const;

  /// Adds the values that `value` is computed from.
  void getDependencies(Value value, SmallVectorImpl<Value> &deps) const;

  /// Adds the values that are computed from `value` in one step.
  void getDependents(Value value, SmallVectorImpl<Value> &dependents) const;

private:
  DenseMap<Value, Value> aliases;
};

/// A value as the dimensions of the value that it is a view or a cast of.
struct Source {
  /// The value where the trace ended.
  Value root;
  /// For each dimension of the traced value the dimensions of `root` that it
  /// runs over, outermost first. Empty for a broadcast or unit dimension.
  SmallVector<SmallVector<unsigned, 2>, 4> dims;
  /// The slices passed on the way, from the traced value to the root.
  SmallVector<Operation *, 2> slices;
};

/// Traces `value` through casts, transposes, reshapes, broadcasts and slices. A
/// slice of a stack that a loop filled is traced to the value that was put in.
Source traceSource(Value value, const ValueFlow &flow);

/// The innermost ancestor of `op`, itself included, that is not inside the body
/// of a linalg or tensor op, that is, whose operands are values of a function
/// or of structured control flow.
Operation *getStructuralOp(Operation *op);

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_VALUEFLOW_H
