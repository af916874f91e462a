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

#include "HostTarget.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace {
/// Keeps LLVM's errors: without a handler they are printed and end the process.
class ErrorKeeper final : public llvm::DiagnosticHandler {
public:
  explicit ErrorKeeper(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return false;
    llvm::raw_string_ostream os(errors);
    os << (errors.empty() ? "" : "; ");
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};
} // namespace

/// Position-independent code for any processor of this architecture.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() {
  auto target = mlir::fp8::getHostTarget();
  if (!target)
    return target.takeError();
  target->setCPU("")
      .setFeatures("")
      .setRelocationModel(llvm::Reloc::PIC_)
      .setCodeModel(llvm::CodeModel::Small)
      .setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  return target->createTargetMachine();
}

llvm::Expected<std::string>
mlir::fp8::emitHostObject(ArrayRef<ModuleOp> modules) {
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::string errors;
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(errors));
  llvm::Module whole("fp8", context);
  whole.setDataLayout((*machine)->createDataLayout());
  whole.setTargetTriple((*machine)->getTargetTriple());
  for (ModuleOp module : modules) {
    registerBuiltinDialectTranslation(*module.getContext());
    registerLLVMDialectTranslation(*module.getContext());
    std::unique_ptr<llvm::Module> part =
        translateModuleToLLVMIR(module, context);
    if (!part)
      return llvm::createStringError(
          "cannot translate the host code to LLVM IR");
    part->setDataLayout(whole.getDataLayout());
    part->setTargetTriple(whole.getTargetTriple());
    if (llvm::Linker::linkModules(whole, std::move(part)))
      return llvm::createStringError("cannot link the host code: " + errors);
  }
  auto object = llvm::orc::SimpleCompiler(**machine)(whole);
  if (!object)
    return object.takeError();
  if (!errors.empty())
    return llvm::createStringError("cannot emit the host code: " + errors);
  return (*object)->getBuffer().str();
}
