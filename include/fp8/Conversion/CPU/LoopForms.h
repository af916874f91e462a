//===- LoopForms.h - Shapes of loops that every backend agrees on -*- C++ -*-=//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fixes the order of a sum: which reductions are a tree of lanes, and the
// tree. The CPU runs the lanes as a vector, a GPU as a warp.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_LOOPFORMS_H
#define FP8_CONVERSION_CPU_LOOPFORMS_H

#include "fp8/Numerics/Accumulate.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::fp8 {

/// Lanes of an innermost reduction: two AVX-512 or four AVX2 vectors of f32,
/// one warp. Lane j combines the elements with index j modulo this number in
/// ascending order; then lanes j and j+16 are combined, j and j+8, and so on.
inline constexpr int64_t kReductionLanes = 32;

/// How lanes are combined, and what they start from.
struct LaneCombiner {
  Operation *op;
  TypedAttr identity;
};

/// The combiner of an op whose innermost loop is a reduction, which is a tree
/// of lanes; nothing for other operations, and contractions (several inputs,
/// none with all dimensions), whose reductions combine in ascending order of
/// their dimensions.
std::optional<LaneCombiner> matchLaneReduction(linalg::GenericOp op);

/// Collapses an elementwise op on contiguous buffers to one dimension; returns
/// the op that is there now.
linalg::GenericOp flattenElementwise(RewriterBase &rewriter,
                                     linalg::GenericOp op);

/// The operands of a marked contraction (kCPUContractAttr) by their meaning.
struct MarkedOperands {
  SmallVector<Value, 3> matrices; ///< lhs, rhs, result
  SmallVector<AffineMap, 3> maps; ///< of the matrices
  SmallVector<Value, 2> scales;   ///< two or none
};

/// Scales are the inputs of rank 0. Canonicalization merges equal inputs, so
/// one that is missing is the other one again.
MarkedOperands getMarkedOperands(linalg::GenericOp op);

/// Numerics' name of an operand's or result's element type, if it has one.
std::optional<::fp8::numerics::ElementKind> getElementKind(Type type);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_LOOPFORMS_H
