//===- Contraction.h - contractions in linalg form ---------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognises a matrix product in whatever form an exporter wrote it (named op,
// generic op with any permutation, casts in the body or before it) and
// describes it in one way. Nothing here changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_ANALYSIS_CONTRACTION_H
#define FP8_ANALYSIS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace mlir::fp8 {

/// An operand of a contraction as far back as it is the same numbers in the
/// same or a narrower element type. The operand equals `views`, applied in
/// order, to `source` widened to the operand's element type; `elementType` is
/// that of `source`. Without a widening cast, `source` is the operand and
/// `views` is empty. Every view is a `linalg.transpose`, `linalg.broadcast`,
/// `tensor.collapse_shape`, `tensor.expand_shape`, `tensor.extract_slice`,
/// `tensor.cast` or a `linalg.generic` that only permutes or broadcasts; its
/// first operand is the viewed tensor.
struct NarrowedOperand {
  Value source;
  Type elementType;
  SmallVector<Operation *> views;
};

/// out[..] = init[..] + sum_k lhs[..] * rhs[..]. Dimensions are loop dimensions
/// of `op`, each list in iterator order. `batch` dimensions index both operands
/// and the result, `m` the left operand and the result, `n` the right operand
/// and the result, `k` both operands and are reduced. Any list but `k` may be
/// empty.
struct Contraction {
  linalg::LinalgOp op;
  OpOperand *lhs = nullptr;
  OpOperand *rhs = nullptr;
  OpOperand *init = nullptr;
  /// True if the accumulator starts as a tensor of (positive or negative)
  /// zeros.
  bool zeroInit = false;

  AffineMap lhsMap, rhsMap, outMap;
  SmallVector<unsigned> batch, m, n, k;
  /// Extent of each loop dimension; ShapedType::kDynamic if unknown.
  SmallVector<int64_t> loopSizes;

  /// Element types of the tensors as written. A BF16 `accElt` over BF16
  /// operands stands for f32 accumulation and one rounding.
  Type lhsElt, rhsElt, accElt;
  /// The operands with widening casts before the op looked through.
  NarrowedOperand lhsSource, rhsSource;

  Value getResult() const { return op->getResult(0); }

  /// Product of the extents of `dims`; ShapedType::kDynamic if any is unknown.
  int64_t getSize(ArrayRef<unsigned> dims) const;

  /// The indexing as an einsum over the letters b, m, n and k, numbered where
  /// there are several of a kind: "m1m2k,kn->m1m2n".
  std::string getEinsum() const;

  /// Element types as "bf16,bf16->f32".
  std::string getTypes() const;
};

/// Describes `op` if it is a contraction of two tensors over floating-point
/// numbers. Fails, with one line in `*reason` if that is given, for everything
/// else, convolutions included.
FailureOr<Contraction> matchContraction(Operation *op,
                                        std::string *reason = nullptr);

/// True for every op that multiplies elements of two tensors and sums products:
/// what matchContraction accepts and, beyond that, convolutions and forms that
/// have no matrix product. Those are the ops that deserve a remark.
bool isMultiplyAccumulate(Operation *op);

/// Looks through widening float casts (`arith.extf` on tensors or inside a
/// one-input linalg.generic), also behind views.
NarrowedOperand narrowOperand(Value operand);

/// The value that `op` views if it moves elements without changing any: see
/// NarrowedOperand. Null for every other op.
Value getViewSource(Operation *op);

/// The input of an elementwise op that only converts between float types, in
/// either direction; null for every other op.
Value getFloatCastSource(Operation *op);

} // namespace mlir::fp8

#endif // FP8_ANALYSIS_CONTRACTION_H
