//===- Object.cpp - Host code as an object file ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM translates, links and emits. What is compiled here launches kernels and
// does no arithmetic to speak of, so it is not optimised and needs no features
// of a processor.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CPU/Object.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return makeError("no LLVM backend for this machine: " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, /*CPU=*/"", /*Features=*/"", options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Less));
}

llvm::Expected<std::string>
mlir::fp8::emitHostObject(ArrayRef<ModuleOp> modules) {
  auto machine = createHostMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  llvm::Module whole("fp8", context);
  whole.setDataLayout((*machine)->createDataLayout());
  whole.setTargetTriple((*machine)->getTargetTriple());
  for (ModuleOp module : modules) {
    registerBuiltinDialectTranslation(*module.getContext());
    registerLLVMDialectTranslation(*module.getContext());
    std::unique_ptr<llvm::Module> part =
        translateModuleToLLVMIR(module, context);
    if (!part)
      return makeError("cannot translate the host code to LLVM IR");
    part->setDataLayout(whole.getDataLayout());
    part->setTargetTriple(whole.getTargetTriple());
    if (llvm::Linker::linkModules(whole, std::move(part)))
      return makeError("cannot link the host code of two functions");
  }
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return makeError("the LLVM backend of this machine emits no objects");
  passes.run(whole);
  return bytes.str().str();
}
