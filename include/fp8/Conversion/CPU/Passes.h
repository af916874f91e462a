//===- Passes.h - Passes of the CPU path ------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From linalg on tensors to small functions of loops and calls of the
// contraction kernel. The order in which they run is in Pipelines/CPU.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_PASSES_H
#define FP8_CONVERSION_CPU_PASSES_H

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/CPU/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_PASSES_H
