//===- FastMath.h - Which fast-math flags stay ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation rounds. Fast-math flags allow a compiler to leave that out,
// on one device and not on another; what is lowered has none, but for the one
// that asks for approximations.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_FASTMATH_H
#define FP8_CONVERSION_FASTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::fp8 {

/// Drops the fast-math flags of `root` and the operations in it but for those
/// in `kept`.
inline void
dropFastMath(Operation *root,
             arith::FastMathFlags kept = arith::FastMathFlags::none) {
  root->walk([&](arith::ArithFastMathInterface op) {
    arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(
                    op->getContext(), flags ? flags.getValue() & kept
                                            : arith::FastMathFlags::none));
  });
}

} // namespace mlir::fp8

#endif // FP8_CONVERSION_FASTMATH_H
