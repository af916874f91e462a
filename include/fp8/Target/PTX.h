//===- PTX.h - From a gpu.module of NVVM to PTX and cubin -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last steps of the GPU path. All of it runs in process but `ptxas`.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_PTX_H
#define FP8_TARGET_PTX_H

#include "fp8/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::fp8 {

/// Registers what translateToLLVM needs. Call it before the context is built.
void registerPTXTranslations(DialectRegistry &registry);

/// Adds, below a builtin.module, all that lies between cta kernels and
/// operations that translate to LLVM IR.
void addCTAToLLVMPasses(OpPassManager &pm);

/// The LLVM module of `module` (LLVM and NVVM operations only), optimised for
/// `target`. All inline assembly is marked convergent. Null after an error.
std::unique_ptr<llvm::Module>
translateToLLVM(gpu::GPUModuleOp module,
                const ::fp8::target::TargetInfo &target,
                llvm::LLVMContext &context);

/// The PTX of an LLVM module that translateToLLVM returned, in `ptx`.
/// Multiplications and additions keep their rounding: nothing is contracted.
LogicalResult emitPTX(llvm::Module &module, Location loc,
                      const ::fp8::target::TargetInfo &target,
                      std::string &ptx);

/// Whether assemblePTX finds a `ptxas` without being told where.
bool isPtxasOnPath();

/// Assembles `ptx` with `ptxas` (a path, or empty for the one on PATH) into
/// `cubin`. A note of the C75xx family - ptxas serialises matrix instructions
/// or ignores a register re-allocation - is an error, though ptxas exits with
/// 0.
LogicalResult assemblePTX(StringRef ptx, Location loc,
                          const ::fp8::target::TargetInfo &target,
                          StringRef ptxas, std::string &cubin);

} // namespace mlir::fp8

#endif // FP8_TARGET_PTX_H
