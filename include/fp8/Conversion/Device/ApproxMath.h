//===- ApproxMath.h - Functions that a GPU approximates ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of what --approx-math may change, and of the instructions that
// it may put into PTX.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_DEVICE_APPROXMATH_H
#define FP8_CONVERSION_DEVICE_APPROXMATH_H

#include "mlir/IR/Builders.h"

namespace mlir::fp8 {

/// A function and how PTX approximates it.
struct ApproxFunction {
  /// Name of the operation.
  StringRef op;
  /// Builds the result of scalar f32 operands.
  Value (*build)(OpBuilder &b, Location loc, ValueRange operands);
};

/// How to approximate `op`, a function of floats of at most 32 bits, or of
/// shaped values of them. Null if it has no approximation.
const ApproxFunction *findApproxFunction(Operation *op);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_DEVICE_APPROXMATH_H
