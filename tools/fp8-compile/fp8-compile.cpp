//===- fp8-compile.cpp - A BF16 graph to FP8 ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a graph, rewrites it as the recipe and plan say, and writes what
// --emit names. Nothing is written unless everything asked for was done.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

namespace {
/// Options that fp8-run does not have.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("IN.mlir"),
                             cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Output; - is stdout"),
                              cl::init("-")};
  cl::opt<std::string> emit{"emit", cl::desc("fp8, cta, llvm, ptx or cubin"),
                            cl::init("fp8")};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("Path of ptxas")};
  cl::opt<bool> listTargets{"list-targets",
                            cl::desc("Say what targets there are")};
};
} // namespace

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Errors of MLIR become one line each: location, then text.
static LogicalResult printDiagnostic(Diagnostic &diagnostic, bool &printed) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error || printed)
    return success();
  printed = true;
  std::string text = diagnostic.str();
  llvm::errs() << diagnostic.getLocation()
               << ": error: " << StringRef(text).split('\n').first << "\n";
  return success();
}

/// What --emit names: nothing for `fp8`, else where the GPU path stops.
static llvm::Expected<std::optional<EmitKind>>
getEmitKind(const Options &options, const CompileOptions &compile) {
  std::optional<EmitKind> kind =
      llvm::StringSwitch<std::optional<EmitKind>>(options.emit)
          .Case("cta", EmitKind::CTA)
          .Case("llvm", EmitKind::LLVM)
          .Case("ptx", EmitKind::PTX)
          .Case("cubin", EmitKind::Cubin)
          .Default(std::nullopt);
  if (!kind && options.emit != "fp8")
    return makeError("--emit=" + options.emit +
                     ": expected fp8, cta, llvm, ptx or cubin");
  if (kind && compile.target == "cpu")
    return makeError("--emit=" + options.emit +
                     ": expected a GPU target, got --target=cpu; see "
                     "--list-targets");
  return kind;
}

/// Kernels for the operations of `module`, as `kind` says.
static LogicalResult emitKernels(ModuleOp module, EmitKind kind,
                                 const CompileOptions &compile,
                                 const Options &options, std::string &output) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  SelectKernelsPassOptions select;
  select.target = compile.target;
  pm.addPass(createSelectKernelsPass(select));
  if (failed(pm.run(module)))
    return failure();
  EmitOptions emit;
  std::string error;
  emit.target = ::fp8::target::lookupTarget(compile.target, error);
  emit.ptxas = options.ptxas;
  return emitTarget(module, kind, emit, output);
}

static llvm::Error run(const Options &options, const CompileFlags &flags,
                       MLIRContext &context, bool &printed) {
  llvm::Expected<CompileOptions> compile = flags.get();
  if (!compile)
    return compile.takeError();
  auto kind = getEmitKind(options, *compile);
  if (!kind)
    return kind.takeError();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.input, &context);
  if (!module)
    return makeError(options.input + ": cannot read the module");
  FailureOr<std::shared_ptr<Report>> report = Report::attach(context);
  if (failed(report) || failed(compileToFP8(*module, *compile, **report)))
    return makeError("compilation failed");
  std::string output;
  if (*kind) {
    if (failed(emitKernels(*module, **kind, *compile, options, output)))
      return makeError("no kernels emitted");
  } else {
    llvm::raw_string_ostream os(output);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    os << "\n";
  }
  if (llvm::Error error = flags.writeReports(*module, *compile, **report))
    return error;
  llvm::Error error = llvm::writeToOutput(options.output, [&](raw_ostream &os) {
    module->print(os, OpPrintingFlags().enableDebugInfo());
    os << "\n";
    return llvm::Error::success();
  });
  if (error)
    return makeError(options.output +
                     ": cannot write: " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  CompileFlags flags;
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerAsmPrinterCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "compile a BF16 graph to FP8\n");
  if (options.listTargets) {
    ::fp8::target::listTargets(llvm::outs());
    return 0;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<FP8Dialect, cta::CTADialect>();
  registerPTXTranslations(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  bool printed = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    return printDiagnostic(diagnostic, printed);
  });
  if (llvm::Error error = run(options, flags, context, printed)) {
    std::string text = llvm::toString(std::move(error));
    if (!printed)
      llvm::errs() << "fp8-compile: error: " << text << "\n";
    return 1;
  }
  return 0;
}
