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
#include "fp8/Pipelines/Tool.h"
#include "fp8/Support/File.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/InitLLVM.h"

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
                       MLIRContext &context) {
  llvm::Expected<CompileOptions> compile = flags.get();
  if (!compile)
    return compile.takeError();
  auto kind = getEmitKind(options, *compile);
  if (!kind)
    return kind.takeError();
  auto module = loadModule(options.input, context);
  if (!module)
    return module.takeError();
  FailureOr<std::shared_ptr<Report>> report = Report::attach(context);
  if (failed(report) || failed(compileToFP8(**module, *compile, **report)))
    return makeError("compilation failed");
  std::string output;
  if (*kind) {
    if (failed(emitKernels(**module, **kind, *compile, options, output)))
      return makeError("no kernels emitted");
  } else {
    llvm::raw_string_ostream os(output);
    (*module)->print(os, OpPrintingFlags().enableDebugInfo());
    os << "\n";
  }
  if (llvm::Error error = flags.writeReports(**module, *compile, **report))
    return error;
  if (auto error = ::fp8::support::writeFile(options.output, output.data(),
                                             output.size()))
    return makeError(*error);
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  CompileFlags flags;
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerAsmPrinterCLOptions();
  if (!parseCommandLine(argc, argv, "compile a BF16 graph to FP8\n"))
    return 1;
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
  ToolErrors errors("fp8-compile", context);
  return errors.finish(run(options, flags, context));
}
