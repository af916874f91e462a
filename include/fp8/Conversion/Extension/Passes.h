//===- Passes.h - Lowerings of other projects -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs what the loaded dialects bring (LoweringInterface.h).
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_EXTENSION_PASSES_H
#define FP8_CONVERSION_EXTENSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/Extension/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_EXTENSION_PASSES_H
