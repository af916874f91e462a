//===- MatrixForm.h - A contraction as [batch,] m, n, k ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_TRANSFORMS_MATRIXFORM_H
#define FP8_LIB_TRANSFORMS_MATRIXFORM_H

#include "fp8/Analysis/Contraction.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::fp8 {

/// One dimension of a tensor seen from a contraction: the loop dimension that
/// it is (part of), and which part, outermost first.
struct Axis {
  unsigned loop;
  uint64_t part;
};

/// An operand traced back to the tensor that is worth quantising: casts that
/// only widen, transposes and collapses are looked through. `axes` says what
/// each dimension of `root` is to the contraction.
struct TracedOperand {
  Value root;
  SmallVector<Axis> axes;
};

/// How the dimensions of a root become a matrix: permuted by `permutation`
/// (identity where nothing moves), then collapsed into groups. `groups` holds
/// the number of dimensions of each group in storage order: [batch,] rows, k or
/// [batch,] k, rows if `transposed`. An empty group has extent 1.
struct MatrixLayout {
  SmallVector<int64_t> permutation;
  SmallVector<int64_t> groups;
  bool transposed = false;

  /// Whether both give the same matrix in memory; which of its dimensions is
  /// k (`transposed`) is the contraction's view of it.
  bool sameMatrix(const MatrixLayout &other) const {
    return permutation == other.permutation && groups == other.groups;
  }
};

/// Traces `operand` as far as its elements stay the same numbers. Creates views
/// on narrower tensors before the op where a widening cast lies behind one.
TracedOperand traceOperand(RewriterBase &rewriter, const Contraction &c,
                           bool lhs);

/// Layout of a traced operand. `rows` are the free dimensions of its side.
MatrixLayout getMatrixLayout(const Contraction &c, ArrayRef<Axis> axes,
                             ArrayRef<unsigned> rows);

/// Applies `layout` to `root` at the insertion point.
Value buildMatrix(OpBuilder &builder, Location loc, Value root,
                  const MatrixLayout &layout);

/// Type of the matrix product, in [batch,] m, n order.
RankedTensorType getProductType(const Contraction &c);

/// Gives the product the shape and dimension order of the contraction's result.
Value restoreResult(OpBuilder &builder, const Contraction &c, Value product);

} // namespace mlir::fp8

#endif // FP8_LIB_TRANSFORMS_MATRIXFORM_H
