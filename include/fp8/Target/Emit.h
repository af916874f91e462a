//===- Emit.h - From a module to what a target runs -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point of the GPU path for drivers.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_EMIT_H
#define FP8_TARGET_EMIT_H

#include "fp8/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/LogicalResult.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>

namespace mlir::fp8 {

/// Where to stop on the way from fp8 ops to a loadable kernel.
enum class EmitKind {
  /// Kernels in the cta dialect, as MLIR text.
  CTA,
  /// Kernels as LLVM IR text.
  LLVM,
  /// Kernels as PTX text.
  PTX,
  /// Kernels as a cubin, by the external assembler `ptxas`.
  Cubin
};

/// What emitTarget needs beside the module.
struct EmitOptions {
  /// The GPU target; must be implemented.
  const ::fp8::target::TargetInfo *target = nullptr;
  /// Path of `ptxas`; empty: the one on PATH.
  std::string ptxas;
  /// Called with the pass manager of stage `ptx` (cta to the LLVM dialect)
  /// before it runs: may add instrumentation. Empty: nothing is added.
  std::function<LogicalResult(PassManager &pm, StringRef stage)> instrument;
};

/// Turns the kernels of `module` into `kind` and stores text or bytes in
/// `output`. The module has one gpu.module, with cta kernels; everything else
/// in it is ignored. On failure one error has been emitted and `output` is
/// unchanged.
LogicalResult emitTarget(ModuleOp module, EmitKind kind,
                         const EmitOptions &options, std::string &output);

/// A file of emitKernelFiles.
struct KernelFile {
  /// Without a folder.
  std::string name;
  std::string content;
};

/// PTX of every kernel of `module`, each in a file of its own, and
/// kernels.json, the last one: for each kernel symbol, grid, block, shared
/// memory and parameters with their tensor-map encodings, for each function the
/// launches of its operations and its scratch buffers. The kernels are those of
/// fp8-select-kernels. On failure one error has been emitted and `files` is
/// unchanged.
LogicalResult emitKernelFiles(ModuleOp module, const EmitOptions &options,
                              SmallVectorImpl<KernelFile> &files);

} // namespace mlir::fp8

#endif // FP8_TARGET_EMIT_H
