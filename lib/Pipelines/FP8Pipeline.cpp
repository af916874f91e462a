//===- FP8Pipeline.cpp - The passes from BF16 to FP8 ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the passes, once, for the tools and for `--fp8-pipeline`.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Driver.h"

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fp8;

std::string mlir::fp8::checkTarget(StringRef name) {
  std::string error;
  const auto *target = ::fp8::target::lookupTarget(name, error);
  if (target && !target->implemented)
    return "not implemented; see fp8-compile --list-targets";
  return error;
}

void mlir::fp8::addRefineAccumulation(OpPassManager &pm,
                                      const CompileOptions &options) {
  std::string error; // the name is checked where it is read
  if (!::fp8::target::lookupGPUTarget(options.target, error))
    return; // a CPU leaves `auto` to a later run
  if (options.nondeterministicSplit) {
    SplitSumsPassOptions split;
    split.target = options.target;
    split.device = options.gpu;
    pm.addPass(createSplitSumsPass(split));
  }
  RefineAccumulationPassOptions refine;
  refine.target = options.target;
  pm.addPass(createRefineAccumulationPass(refine));
}

void mlir::fp8::buildFP8Pipeline(OpPassManager &pm,
                                 const CompileOptions &options) {
  PlanPassOptions plan;
  plan.recipe = options.recipe.recipe;
  plan.format = options.recipe.format;
  plan.margin = options.recipe.margin;
  plan.amaxHistoryLen = options.recipe.amaxHistoryLen;
  plan.amaxComputeAlgo = options.recipe.amaxComputeAlgo;
  plan.numerics = options.recipe.numerics;
  plan.target = options.target;
  plan.accumulation = options.accumulation;
  pm.addPass(createPlanPass(plan));
  addRefineAccumulation(pm, options);
  pm.addPass(createQuantizePass());
  ThreadStatePassOptions state;
  state.freeze = options.freezeState;
  pm.addPass(createThreadStatePass(state));
  pm.addPass(createVerifyConversionPass());
  if (!options.splitPrepare)
    return;
  // The inliner folds.
  pm.addNestedPass<func::FuncOp>(createCPUStrictMath());
  // A weight that a callee quantises is one of the caller's arguments.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createSplitPreparePass());
}

namespace {
/// The options of `--fp8-pipeline`, named as fp8-compile's.
struct FP8PipelineOptions : PassPipelineOptions<FP8PipelineOptions> {
  Option<std::string> recipe{*this, "recipe",
                             llvm::cl::desc("delayed, tensorwise or bf16"),
                             llvm::cl::init(RecipeOptions().recipe)};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Target of the program"),
                             llvm::cl::init(CompileOptions().target)};
  Option<std::string> format{*this, "format", llvm::cl::desc("hybrid or e4m3"),
                             llvm::cl::init(RecipeOptions().format)};
  Option<int64_t> margin{*this, "margin",
                         llvm::cl::desc("Headroom in powers of two"),
                         llvm::cl::init(RecipeOptions().margin)};
  Option<int64_t> amaxHistoryLen{
      *this, "amax-history-len", llvm::cl::desc("Length of the amax history"),
      llvm::cl::init(RecipeOptions().amaxHistoryLen)};
  Option<std::string> amaxComputeAlgo{
      *this, "amax-compute-algo", llvm::cl::desc("max or most_recent"),
      llvm::cl::init(RecipeOptions().amaxComputeAlgo)};
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("safe, te, flax, ocp, torchao "
                                              "or deepgemm"),
                               llvm::cl::init(RecipeOptions().numerics)};
  std::string accumulationText = describeAccumulations();
  Option<std::string> accumulation{
      *this, "accumulation", llvm::cl::desc(accumulationText),
      llvm::cl::init(CompileOptions().accumulation)};
  Option<bool> freezeState{*this, "freeze-state",
                           llvm::cl::desc("Read the delayed-scaling state, "
                                          "record nothing"),
                           llvm::cl::init(false)};

  CompileOptions get() const {
    CompileOptions options;
    options.recipe = {recipe,         format,          margin,
                      amaxHistoryLen, amaxComputeAlgo, numerics};
    options.target = target;
    options.accumulation = accumulation;
    options.freezeState = freezeState;
    return options;
  }
};
} // namespace

void mlir::fp8::registerFP8Pipeline() {
  // Not a PassPipelineRegistration: that one cannot refuse a value.
  registerPassPipeline(
      "fp8-pipeline", "Rewrite a BF16 graph to FP8, as fp8-compile does",
      [](OpPassManager &pm, StringRef text,
         function_ref<LogicalResult(const Twine &)> errorHandler) {
        FP8PipelineOptions options;
        std::string message;
        llvm::raw_string_ostream os(message);
        if (failed(options.parseFromString(text, os)))
          return errorHandler("fp8-pipeline: " + StringRef(message).rtrim());
        std::string error = checkTarget(options.target);
        if (!error.empty())
          return errorHandler("fp8-pipeline: target=" + options.target + ": " +
                              error);
        buildFP8Pipeline(pm, options.get());
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(FP8PipelineOptions());
      });
}
