//===- SizeExprs.h - Sizes as expressions of arguments ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not known of a shape before run time is a number that the arguments
// determine: this says how, so that equal sizes are equal expressions, memory
// is planned once, and the host computes the rest.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_SIZEEXPRS_H
#define FP8_CONVERSION_CPU_SIZEEXPRS_H

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::fp8 {

/// Sizes in one function. The symbols of expressions are, in the order of its
/// arguments, each dynamic dimension of a tensor or memref and each index.
class SizeExprs {
public:
  explicit SizeExprs(func::FuncOp func);

  /// What an index is; null where it is not affine arithmetic on sizes.
  AffineExpr get(OpFoldResult index);
  /// Dimension `dim` of a tensor or memref, likewise.
  AffineExpr getSize(Value shaped, unsigned dim);

  unsigned getNumSymbols() const { return symbols.size(); }
  /// The argument, and its dimension or -1 for an index, that symbol `symbol`
  /// is.
  std::pair<BlockArgument, int64_t> getSymbol(unsigned symbol) const {
    return symbols[symbol];
  }

  /// The value of `expr`, whose symbols are index arguments, computed once at
  /// the start of the function.
  Value materialize(AffineExpr expr);
  /// The memory at `base` as a dense buffer of `type` and `sizes`, one for each
  /// dimension.
  Value viewAs(OpBuilder &b, Location loc, Value base, MemRefType type,
               ArrayRef<AffineExpr> sizes);

private:
  AffineExpr computeSize(OpResult shaped, unsigned dim);
  AffineExpr carriedSize(Value init, Value yielded, BlockArgument carried,
                         unsigned dim);
  AffineExpr arithmetic(Operation *op);
  AffineExpr both(AffineExpr lhs, AffineExpr rhs) {
    return lhs == rhs ? lhs : AffineExpr();
  }

  func::FuncOp func;
  SmallVector<std::pair<BlockArgument, int64_t>> symbols;
  DenseMap<std::pair<Value, int64_t>, AffineExpr> known;
  DenseMap<AffineExpr, Value> values;
};

/// The product of `factors`, constants last, the others in one order: equal
/// products are equal expressions.
AffineExpr multiplySizes(ArrayRef<AffineExpr> factors, MLIRContext *context);

/// A product as its constant factor and the rest, which is 1 for a constant.
std::pair<int64_t, AffineExpr> splitFactor(AffineExpr product);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_SIZEEXPRS_H
