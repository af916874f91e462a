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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fp8 {

/// The attribute that marks a `linalg.generic` as run by the CPU contraction
/// kernel: the kind of its accumulation model (numerics::AccumKind), the
/// promotion interval (0 is none) and the split boundaries, an array of i64.
/// The op overwrites its result, and may have two more inputs, scales of rank
/// 0.
inline constexpr llvm::StringLiteral kCPUContractAttr = "fp8.cpu_contract";
/// The attribute of a function whose last argument is an arena: its bytes.
inline constexpr llvm::StringLiteral kCPUArenaAttr = "fp8.cpu_arena";

/// The attribute of a function that is a kernel of a device, in the code of one
/// thread: thread blocks and threads of a block, an array of two i64. Set by
/// --fp8-device-map-threads, or by another project's lowering; from then on no
/// pass takes it for a part of the graph.
inline constexpr llvm::StringLiteral kDeviceGridAttr = "fp8.device_grid";
/// On a region of ops on buffers that one block of threads runs in order.
inline constexpr llvm::StringLiteral kDeviceGroupAttr = "fp8.device_group";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fp8/Conversion/CPU/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_PASSES_H
