//===- Pipeline.h - The CPU pass pipeline -----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of passes from a graph on tensors to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_CPU_PIPELINE_H
#define FP8_PIPELINES_CPU_PIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::fp8 {

/// `fp8-cpu-pipeline`: a module of functions on statically shaped tensors to
/// the LLVM dialect. Each public function takes bare pointers to its arguments,
/// then to its results, then to an arena (attribute `fp8.cpu_arena`).
void buildCPUPipeline(OpPassManager &pm);

/// Parts of it that other backends share. Elementwise fusion alone; all of the
/// graph optimisation on tensors; tensors to buffers, results to
/// out-parameters; math and narrow floats to operations that every machine
/// rounds alike, loops to branches; all of that to the LLVM dialect, buffers as
/// bare pointers. With `keepAFN`, operations keep the flag that allows
/// approximate functions.
void addCPUFusionPasses(OpPassManager &pm, bool keepAFN = false);
void addCPUTensorPasses(OpPassManager &pm, bool keepAFN = false);
void addCPUBufferizePasses(OpPassManager &pm);
void addCPUScalarPasses(OpPassManager &pm);
void addCPULLVMPasses(OpPassManager &pm);

/// Emits an error that names the operation, if there is one that the passes
/// before did not lower to what LLVM IR has.
LogicalResult checkLowered(ModuleOp module);

/// Adds the upstream dialects that a graph may hold and the interfaces that the
/// pipeline needs of them.
void registerCPUDialects(DialectRegistry &registry);

/// Makes `--fp8-cpu-pipeline` known to mlir-opt-like tools.
void registerCPUPipeline();

} // namespace mlir::fp8

#endif // FP8_PIPELINES_CPU_PIPELINE_H
