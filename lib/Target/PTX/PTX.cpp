//===- PTX.cpp - From a gpu.module of NVVM to PTX -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX backend, in process. What it emits keeps every rounding of the
// IR: fusion is off, and the only fast-math flag is the afn that --approx-math
// puts on some functions of kernels.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/PTX.h"

#include "fp8/Conversion/GPU/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using ::fp8::target::TargetInfo;

static constexpr char kTriple[] = "nvptx64-nvidia-cuda";

void mlir::fp8::registerPTXTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlir::fp8::addCTAToLLVMPasses(OpPassManager &pm) {
  OpPassManager &structured = pm.nest<gpu::GPUModuleOp>();
  structured.addPass(createCTAToNVVMPass());
  structured.addPass(createCanonicalizerPass());
  structured.addPass(createSCFToControlFlowPass());
  // Upstream restricts this one to builtin.module.
  pm.addPass(createConvertControlFlowToLLVMPass());
  OpPassManager &flat = pm.nest<gpu::GPUModuleOp>();
  flat.addPass(createArithToLLVMConversionPass());
  flat.addPass(createConvertMathToLLVMPass());
  flat.addPass(createConvertNVVMToLLVMPass());
  flat.addPass(createReconcileUnrealizedCastsPass());
  flat.addPass(createCanonicalizerPass());
  flat.addPass(createCSEPass());
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const TargetInfo &target, std::string &error) {
  // Safe to repeat, and cheap.
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple(kTriple);
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.name, target.ptxFeatures, options, std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// LLVM must not make inline assembly depend on more control flow than it does:
/// warp-wide instructions hide in it. The MLIR operation cannot say so.
static void markAssemblyConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (call->isInlineAsm())
            call->addFnAttr(llvm::Attribute::Convergent);
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

std::unique_ptr<llvm::Module>
mlir::fp8::translateToLLVM(gpu::GPUModuleOp module, const TargetInfo &target,
                           llvm::LLVMContext &context) {
  std::string error;
  auto machine = createTargetMachine(target, error);
  if (!machine) {
    module.emitError("no LLVM backend for '") << target.name << "': " << error;
    return nullptr;
  }
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!result) {
    module.emitError("cannot translate the kernels to LLVM IR");
    return nullptr;
  }
  result->setTargetTriple(llvm::Triple(kTriple));
  result->setDataLayout(machine->createDataLayout());
  markAssemblyConvergent(*result);
  optimize(*result, *machine);
  return result;
}

LogicalResult mlir::fp8::emitPTX(llvm::Module &module, Location loc,
                                 const TargetInfo &target, std::string &ptx) {
  std::string error;
  auto machine = createTargetMachine(target, error);
  if (!machine)
    return emitError(loc, "no LLVM backend for '")
           << target.name << "': " << error;
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return emitError(loc, "the LLVM backend cannot print assembly for '")
           << target.name << "'";
  passes.run(module);
  ptx = text.str().str();
  return success();
}
