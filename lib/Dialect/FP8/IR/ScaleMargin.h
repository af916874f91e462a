//===- ScaleMargin.h - Headroom of scales -----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rule of fp8/Numerics/Scale.h takes the same margins.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_DIALECT_FP8_IR_SCALEMARGIN_H
#define FP8_LIB_DIALECT_FP8_IR_SCALEMARGIN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::fp8 {

/// Checks that 2^margin can scale the largest code exactly.
inline LogicalResult verifyMargin(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t margin) {
  if (margin < -64 || margin > 64)
    return emitError() << "expected margin between -64 and 64, got " << margin;
  return success();
}

inline LogicalResult verifyMargin(Operation *op, IntegerAttr margin) {
  return verifyMargin([&] { return op->emitOpError(); }, margin.getInt());
}

} // namespace mlir::fp8

#endif // FP8_LIB_DIALECT_FP8_IR_SCALEMARGIN_H
