//===- CompileBench.cpp - How long compiling takes, in process ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   compile-bench kernel IN.mlir N          fp8 ops to PTX, as fp8-compile does
//   compile-bench graph IN.mlir RECIPE N    a graph for a device, as fp8-run
//   does
//
// Prints one line of JSON: CPU milliseconds of each repetition, all on one
// thread, and what came out (bytes of PTX, kernels). The first repetition is
// cold. compile_speed.py reads it.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/InitAll.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/Device/Program.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Pipelines/Tool.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"

#include "mlir/InitAllDialects.h"
#include "llvm/Support/JSON.h"

#include <ctime>

using namespace mlir;
using namespace mlir::fp8;

namespace {
struct Output {
  uint64_t ptxBytes = 0, kernels = 0;
  void add(const std::string &ptx) {
    ptxBytes += ptx.size();
    kernels += StringRef(ptx).count(".entry");
  }
};
} // namespace

static const ::fp8::target::TargetInfo *getTarget() {
  std::string error;
  return ::fp8::target::lookupTarget("sm_90a", error);
}

/// fp8 operations to PTX.
static LogicalResult compileKernel(ModuleOp module, Output &output) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  SelectKernelsPassOptions select;
  select.target = "sm_90a";
  pm.addPass(createSelectKernelsPass(select));
  EmitOptions emit;
  emit.target = getTarget();
  std::string ptx;
  if (failed(pm.run(module)) ||
      failed(emitTarget(module, EmitKind::PTX, emit, ptx)))
    return failure();
  output.add(ptx);
  return success();
}

/// A BF16 graph to a program, kernels and host code.
static LogicalResult compileGraph(ModuleOp module, StringRef recipe,
                                  Output &output) {
  CompileOptions options;
  options.recipe.recipe = recipe.str();
  options.target = "sm_90a";
  auto report = Report::attach(*module.getContext());
  if (failed(report) || failed(compileToFP8(module, options, **report)))
    return failure();
  func::FuncOp entry;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration())
      entry = func;
  SmallVector<RankedTensorType> types;
  for (Type type : entry.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    types.push_back(tensor ? tensor : RankedTensorType::get({}, type));
  }
  std::string name = entry.getName().str();
  JitOptions jit;
  jit.threads = 1;
  auto program = DeviceProgram::compile(module, name, types, *getTarget(),
                                        /*gpu=*/{}, jit);
  if (failed(program))
    return failure();
  output.add((*program)->getModules().loops);
  output.add((*program)->getModules().matrix);
  return success();
}

static llvm::Error run(ArrayRef<StringRef> args, MLIRContext &context) {
  bool isGraph = args.size() == 4 && args[0] == "graph";
  int count;
  if ((!isGraph && (args.size() != 3 || args[0] != "kernel")) ||
      args.back().getAsInteger(10, count) || count < 1)
    return makeError("expected kernel IN.mlir N, or graph IN.mlir RECIPE N");
  auto module = loadModule(args[1].str(), context);
  if (!module)
    return module.takeError();
  Output output;
  llvm::json::OStream json(llvm::outs());
  llvm::json::Array times;
  for (int i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> copy((*module)->clone());
    output = {};
    std::clock_t start = std::clock();
    LogicalResult result = isGraph ? compileGraph(*copy, args[2], output)
                                   : compileKernel(*copy, output);
    if (failed(result))
      return makeError("cannot compile");
    times.push_back(1e3 * static_cast<double>(std::clock() - start) /
                    CLOCKS_PER_SEC);
  }
  json.object([&] {
    json.attribute("cpu_ms", llvm::json::Value(std::move(times)));
    json.attribute("ptx_bytes", output.ptxBytes);
    json.attribute("kernels", output.kernels);
  });
  llvm::outs() << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCPUDialects(registry);
  registerAllFP8Dialects(registry);
  registerPTXTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ToolErrors errors("compile-bench", context, "");
  SmallVector<StringRef> args(argv + 1, argv + argc);
  return errors.finish(run(args, context));
}
