//===- Passes.h - fp8 ops to linalg -----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of fp8 ops on builtin tensors, as linalg.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_FP8TOLINALG_PASSES_H
#define FP8_CONVERSION_FP8TOLINALG_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

/// Builds the code (an i8) of the f32 `value` in `storage`, f8E4M3FN or f8E5M2:
/// round to nearest even, NaN to 0x7F. Bit-equal to numerics::encode.
Value buildEncode(OpBuilder &builder, Location loc, Value value, Type storage,
                  bool saturate);

/// Builds the f32 value of an i8 code. Bit-equal to numerics::decode.
Value buildDecode(OpBuilder &builder, Location loc, Value code, Type storage);

/// Widens or rounds a float scalar to `type`.
Value convertFloat(OpBuilder &builder, Location loc, Value value, Type type);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/FP8ToLinalg/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_FP8TOLINALG_PASSES_H
