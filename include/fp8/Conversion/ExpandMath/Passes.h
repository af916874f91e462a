//===- Passes.h - Math functions to arithmetic ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One expansion of each function for the CPU and the GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_EXPANDMATH_PASSES_H
#define FP8_CONVERSION_EXPANDMATH_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

/// Patterns that expand functions of f32 scalars and vectors.
void populateExpandMathPatterns(RewritePatternSet &patterns);

/// Patterns that expand arith.truncf and arith.extf of scalars to and from
/// f8E4M3FN and f8E5M2 by the rules of Numerics: to nearest even, overflow to
/// NaN (E4M3FN) or infinity (E5M2). From f64 there is none, as it would round
/// twice.
void populateExpandFloatCastPatterns(RewritePatternSet &patterns);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/ExpandMath/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_EXPANDMATH_PASSES_H
