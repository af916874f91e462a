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

/// On an operation on builtin tensors: the launches that compute it, in order;
/// each a dictionary with the name of its `kernel` and, for every parameter, in
/// `arguments` what it gets: an operand or result of the operation by name,
/// `scratchN`, buffer N of the function, or of an fp8.amax that only a
/// fp8.delayed_scale reads `count`, the state of that.
inline constexpr llvm::StringLiteral kLaunchesAttr = "fp8.launches";
/// On a function that fp8-fuse-epilogues made. The launches of a call of it
/// name its operands `argN` and its results `resultN`.
inline constexpr llvm::StringLiteral kFusedAttr = "fp8.fused";
/// On a function: bytes of each scratch buffer of its launches (array of i64).
inline constexpr llvm::StringLiteral kScratchAttr = "fp8.scratch";
/// On an operation with launches whose sizes are not known: a dictionary from
/// the name of a size (m, batch) to the operand and dimension that it is,
/// "lhs.0". Each launch of several then has the first and last m that it is for
/// (kDynamic: no last one); for 0 there is none.
inline constexpr llvm::StringLiteral kSizesAttr = "fp8.sizes";
/// Attribute of a lowered kernel: bytes of dynamic shared memory (i64).
inline constexpr llvm::StringLiteral kSharedBytesAttr = "cta.shared_bytes";

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_PASSES_H
