//===- Emit.cpp - From a module to what a target runs ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver of the GPU path: kernels out of the module, then down to the layer
// that was asked for. PTX and LLVM text of several gpu.modules would not be one
// program, so all kernels are in one gpu.module.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/Emit.h"

#include "NoKernels.h"

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Target/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fp8;

/// The gpu.module of a module that has exactly one.
static FailureOr<gpu::GPUModuleOp> getOnlyKernels(ModuleOp module) {
  auto all = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (all.size() == 1)
    return all.front();
  if (all.empty())
    return failWithoutKernels(module);
  return module.emitError("expected one gpu.module with kernels, found ")
         << all.size() << ": merge them";
}

static void printKernels(gpu::GPUModuleOp kernels, std::string &output) {
  llvm::raw_string_ostream os(output);
  kernels->print(os, OpPrintingFlags().useLocalScope());
  os << '\n';
}

LogicalResult mlir::fp8::emitTarget(ModuleOp module, EmitKind kind,
                                    const EmitOptions &options,
                                    std::string &output) {
  FailureOr<gpu::GPUModuleOp> kernels = getOnlyKernels(module);
  if (failed(kernels))
    return failure();
  for (auto kernel : kernels->getOps<cta::KernelOp>())
    if (kernel.getTarget() != options.target->name)
      return kernel.emitError("expected a kernel for ")
             << options.target->name << ", got one for " << kernel.getTarget();
  std::string result;
  if (kind == EmitKind::CTA) {
    printKernels(*kernels, result);
    output = std::move(result);
    return success();
  }
  // Host code has no part in what follows.
  OwningOpRef<ModuleOp> device = ModuleOp::create(module.getLoc());
  auto lowered = cast<gpu::GPUModuleOp>(
      OpBuilder::atBlockBegin(device->getBody()).clone(**kernels));
  PassManager pm(module.getContext());
  addCTAToLLVMPasses(pm);
  if (options.instrument && failed(options.instrument(pm, "ptx")))
    return failure();
  if (failed(pm.run(*device)))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir =
      translateToLLVM(lowered, *options.target, context);
  if (!ir)
    return failure();
  Location loc = lowered.getLoc();
  if (kind == EmitKind::LLVM) {
    llvm::raw_string_ostream os(result);
    ir->print(os, nullptr);
    os.flush();
    output = std::move(result);
    return success();
  }
  if (failed(emitPTX(*ir, loc, *options.target, result)))
    return failure();
  if (kind == EmitKind::Cubin) {
    std::string ptx = std::move(result);
    if (failed(assemblePTX(ptx, loc, *options.target, options.ptxas, result)))
      return failure();
  }
  output = std::move(result);
  return success();
}
