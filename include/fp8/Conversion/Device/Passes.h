//===- Passes.h - Passes of the whole-graph device path ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From linalg on buffers to kernels of a GPU and host code that launches them.
// The order in which they run is in Pipelines/Device.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_DEVICE_PASSES_H
#define FP8_CONVERSION_DEVICE_PASSES_H

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

/// Blocks beyond which threads of kernels of loops loop: some waves on the
/// largest device.
inline constexpr int64_t kMaxLoopBlocks = 4096;
/// The modules with the kernels of loops and of contractions.
inline constexpr llvm::StringLiteral kLoopKernels = "fp8_loops";
inline constexpr llvm::StringLiteral kMatrixKernels = "fp8_matrix";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/Device/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_DEVICE_PASSES_H
