//===- MemoryPlan.cpp - What memory programs need -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the passes up to the arena on copies, those that programs run: the
// figures are the programs' own.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/MemoryPlan.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Device/Code.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::fp8;

static LogicalResult runPlan(ModuleOp module, const CompileOptions &options,
                             bool isGPU) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false); // programs run the same passes
  if (isGPU) {
    addDevicePlanPasses(pm, options.target, options.gpu, options.schedules,
                        module->hasAttr(kApproxMathAttr));
  } else {
    addCPUTensorPasses(pm);
    addCPUBufferizePasses(pm);
    pm.addNestedPass<func::FuncOp>(createCPUPlanBuffers());
  }
  return pm.run(module);
}

/// Plans `name` of `module`, whose contents are consumed.
static FailureOr<MemoryUse> plan(ModuleOp module, StringRef name,
                                 const CompileOptions &options) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  if (failed(pm.run(module)))
    return failure();
  auto func = module.lookupSymbol<func::FuncOp>(name);
  SmallVector<RankedTensorType> arguments, results;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    RankedTensorType buffer = getBufferType(type);
    if (auto tensor = dyn_cast<TensorType>(type);
        tensor && !tensor.hasStaticShape())
      return func.emitError("argument ") << index << " has no static sizes";
    if (!buffer)
      return func.emitError("argument ")
             << index << ": expected numbers of at most 2^47 bytes, got "
             << type;
    arguments.push_back(buffer);
  }
  std::string error; // the name was checked with the other flags
  DeviceLowering lowering;
  lowering.target = ::fp8::target::lookupGPUTarget(options.target, error);
  bool isGPU = lowering.target;
  lowering.gpu = options.gpu;
  lowering.schedules = options.schedules;
  auto prepared =
      isGPU ? prepareForDevice(module, name, arguments, results, lowering)
            : prepareEntry(module, name, arguments, results, {});
  if (failed(prepared) || failed(runPlan(module, options, isGPU)))
    return failure();
  func = module.lookupSymbol<func::FuncOp>(name);
  MemoryUse use;
  for (RankedTensorType type : arguments)
    use.arguments += static_cast<int64_t>(getBufferBytes(type));
  for (RankedTensorType type : results)
    use.results += static_cast<int64_t>(getBufferBytes(type));
  use.workspace = func->getAttrOfType<IntegerAttr>(kCPUArenaAttr).getInt();
  return use;
}

/// Plans `name` of a copy of `module`; errors go to `reason`.
static std::optional<MemoryUse> planCopy(ModuleOp module, StringRef name,
                                         const CompileOptions &options,
                                         std::string &reason) {
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (reason.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          reason = StringRef(diagnostic.str()).split('\n').first.str();
        return success();
      });
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  FailureOr<MemoryUse> use = plan(*copy, name, options);
  if (failed(use))
    return std::nullopt;
  MemoryUse found = *use;
  return found;
}

/// A copy of `original` as the baseline runs it, or null: a module that has its
/// plan already cannot be compiled another way.
static OwningOpRef<ModuleOp> makeBaseline(ModuleOp original,
                                          const CompileOptions &options) {
  ScopedDiagnosticHandler handler(original.getContext(),
                                  [](Diagnostic &) { return success(); });
  CompileOptions bf16;
  bf16.recipe = options.recipe;
  bf16.recipe.recipe = "bf16";
  bf16.given = {{"recipe", "bf16"}};
  bf16.target = options.target;
  bf16.gpu = options.gpu;
  bf16.nondeterministicSplit = options.nondeterministicSplit;
  bf16.schedules = options.schedules;
  bf16.approxMath = options.approxMath;
  OwningOpRef<ModuleOp> baseline = cast<ModuleOp>(original->clone());
  adoptApproxMath(*baseline, bf16);
  if (failed(compileToFP8(*baseline, bf16, Report())))
    return {};
  return baseline;
}

void mlir::fp8::reportMemory(ModuleOp converted, ModuleOp original,
                             const CompileOptions &options, Report &report) {
  // What is planned says again what the report has already.
  (void)Report::attach(*original.getContext());
  OwningOpRef<ModuleOp> baseline = makeBaseline(original, options);
  for (auto func : converted.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isDeclaration())
      continue;
    Report::Memory memory;
    memory.function = func.getName().str();
    memory.converted =
        planCopy(converted, memory.function, options, memory.reason);
    if (!baseline && memory.reason.empty())
      memory.reason = "no bf16 baseline of a module that has its plan";
    if (baseline && baseline->lookupSymbol<func::FuncOp>(memory.function))
      memory.bf16 =
          planCopy(*baseline, memory.function, options, memory.reason);
    report.addMemory(std::move(memory));
  }
}
