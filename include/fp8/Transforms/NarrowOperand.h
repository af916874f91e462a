//===- NarrowOperand.h - operands before they were widened -------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counterpart of narrowOperand() in Analysis/Contraction.h: makes the
// operand in its narrow element type.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TRANSFORMS_NARROWOPERAND_H
#define FP8_TRANSFORMS_NARROWOPERAND_H

#include "fp8/Analysis/Contraction.h"

#include "mlir/IR/Builders.h"

namespace mlir::fp8 {

/// The operand with element type `operand.elementType`: its source with its
/// views repeated on it. Without a widening cast that is the operand itself,
/// and nothing is created. Widening the result gives the original operand, bit
/// for bit.
Value buildNarrowOperand(OpBuilder &builder, const NarrowedOperand &operand);

} // namespace mlir::fp8

#endif // FP8_TRANSFORMS_NARROWOPERAND_H
