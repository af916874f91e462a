//===- Jit.cpp - Compile and call in process ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One LLVM context, target machine and object file per module, so that modules
// compile on several threads; ORC only links. Strict floating point: no
// contraction, no fast-math flag, denormals kept.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CPU/Jit.h"

#include "HostTarget.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>
#include <utility>

using namespace mlir;
using namespace mlir::fp8;

struct Jit::Reports {
  std::mutex mutex;
  std::string text;
};

namespace {
/// The object file of one module, or why there is none.
struct Unit {
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::string error;
};
} // namespace

/// Scalar clean-up of loops as the lowering writes them. LLVM's own pipelines
/// spend several times as long on code of this size.
static constexpr llvm::StringLiteral kSmallPasses =
    "function(simplifycfg,early-cse,loop-mssa(licm),instcombine)";

static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine,
                            JitEffort effort) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  switch (effort) {
  case JitEffort::Straight:
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
    break;
  case JitEffort::Small:
    if (llvm::Error error = builder.parsePassPipeline(passes, kSmallPasses))
      return error;
    break;
  case JitEffort::Full:
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    break;
  }
  passes.run(module, modules);
  return llvm::Error::success();
}

static llvm::CodeGenOptLevel getCodeGenLevel(JitEffort effort) {
  switch (effort) {
  case JitEffort::Straight:
    return llvm::CodeGenOptLevel::None;
  case JitEffort::Small:
    return llvm::CodeGenOptLevel::Less;
  case JitEffort::Full:
    return llvm::CodeGenOptLevel::Default;
  }
  llvm_unreachable("all efforts are handled");
}

static void compileUnit(const JitModule &source,
                        llvm::orc::JITTargetMachineBuilder target, Unit &unit) {
  auto fail = [&](llvm::Error error) {
    unit.error = llvm::toString(std::move(error));
  };
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(source.module, context);
  if (!module) {
    unit.error = "cannot translate a module to LLVM IR";
    return;
  }
  target.setCodeGenOptLevel(getCodeGenLevel(source.effort));
  auto machine = target.createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  if (llvm::Error error = optimize(*module, **machine, source.effort))
    return fail(std::move(error));
  auto object = llvm::orc::SimpleCompiler(**machine)(*module);
  if (!object)
    return fail(object.takeError());
  unit.object = std::move(*object);
}

Jit::Jit(std::unique_ptr<llvm::orc::LLJIT> engine)
    : reports(std::make_unique<Reports>()), engine(std::move(engine)) {
  this->engine->getExecutionSession().setErrorReporter(
      [reports = reports.get()](llvm::Error error) {
        std::lock_guard<std::mutex> lock(reports->mutex);
        reports->text += llvm::toString(std::move(error)) + "; ";
      });
}
Jit::~Jit() = default;

llvm::Expected<llvm::orc::JITTargetMachineBuilder> mlir::fp8::getHostTarget() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target;
  target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return target;
}

llvm::Expected<std::unique_ptr<Jit>>
Jit::create(ArrayRef<JitModule> modules,
            const llvm::StringMap<void *> &externals,
            const JitOptions &options) {
  auto target = getHostTarget();
  if (!target)
    return target.takeError();
  for (const JitModule &source : modules) {
    ModuleOp module = source.module;
    registerBuiltinDialectTranslation(*module.getContext());
    registerLLVMDialectTranslation(*module.getContext());
  }
  SmallVector<Unit> units(modules.size());
  {
    llvm::DefaultThreadPool pool(
        llvm::hardware_concurrency(std::max(options.threads, 1u)));
    for (auto [source, unit] : llvm::zip(modules, units))
      pool.async([&source = source, &unit = unit, &target] {
        compileUnit(source, *target, unit);
      });
    pool.wait();
  }
  auto engine =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create();
  if (!engine)
    return engine.takeError();
  llvm::orc::LLJIT &jit = **engine;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  llvm::orc::SymbolMap symbols;
  for (const auto &entry : externals)
    symbols[jit.mangleAndIntern(entry.first())] = {
        llvm::orc::ExecutorAddr::fromPtr(entry.second),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = jit.getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  for (Unit &unit : units) {
    if (!unit.object)
      return llvm::createStringError(unit.error);
    if (llvm::Error error = jit.addObjectFile(std::move(unit.object)))
      return std::move(error);
  }
  return std::unique_ptr<Jit>(new Jit(std::move(*engine)));
}

llvm::Expected<void *> Jit::lookup(StringRef name) const {
  auto address = engine->lookup(name);
  std::lock_guard<std::mutex> lock(reports->mutex);
  std::string reported = std::exchange(reports->text, "");
  if (!address)
    return llvm::createStringError(reported +
                                   llvm::toString(address.takeError()));
  return address->toPtr<void *>();
}
