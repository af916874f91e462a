//===- Passes.h - Conversions on the way to a GPU ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_PASSES_H
#define FP8_CONVERSION_GPU_PASSES_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace mlir::fp8 {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/GPU/Passes.h.inc"

/// Attribute of a lowered kernel: bytes of dynamic shared memory (i64).
inline constexpr llvm::StringLiteral kSharedBytesAttr = "cta.shared_bytes";

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_PASSES_H
