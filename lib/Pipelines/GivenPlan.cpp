//===- GivenPlan.cpp - The plan that a user gave --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan, in a file or on the module, says everything that flags say about the
// conversion. A flag that says something else is an error: neither of the two
// silently wins.
//
//===----------------------------------------------------------------------===//

#include "GivenPlan.h"

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::fp8;

/// Parses the user's plan. The parser knows text only, and gives the text as
/// the name of the file: the message is written anew with the right one.
static FailureOr<Attribute> parsePlan(MLIRContext *context,
                                      const CompileOptions &options) {
  std::string message;
  Location loc = FileLineColLoc::get(context, options.planName, 1, 1);
  Attribute attr;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (!message.empty())
        return success();
      message = diagnostic.str();
      if (auto file = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        loc = FileLineColLoc::get(context, options.planName, file.getLine(),
                                  file.getColumn());
      return success();
    });
    attr = parseAttribute(options.planText, context);
  }
  if (attr)
    return attr;
  return emitError(loc) << "plan: " << message;
}

/// What a plan's recipe is as flags.
static RecipeOptions getOptions(Attribute recipe) {
  RecipeOptions options;
  options.recipe = cast<RecipeAttrInterface>(recipe).getRecipeName().str();
  if (auto tensorwise = dyn_cast<TensorwiseAttr>(recipe)) {
    options.format = stringifyRecipeFormat(tensorwise.getFormat());
    options.numerics = stringifyNumericsMode(tensorwise.getNumerics());
  }
  if (auto delayed = dyn_cast<DelayedAttr>(recipe)) {
    options.format = stringifyRecipeFormat(delayed.getFormat());
    options.margin = delayed.getMargin();
    options.amaxHistoryLen = delayed.getAmaxHistoryLen();
    options.amaxComputeAlgo = stringifyAmaxAlgo(delayed.getAmaxComputeAlgo());
    options.numerics = stringifyNumericsMode(delayed.getNumerics());
  }
  return options;
}

/// Puts the flag `name`, if it is about the recipe, into `options`, with the
/// value that `flags` have for it; says whether it is.
static bool override(StringRef name, const RecipeOptions &flags,
                     RecipeOptions &options) {
  if (name == "recipe")
    options.recipe = flags.recipe;
  else if (name == "format")
    options.format = flags.format;
  else if (name == "margin")
    options.margin = flags.margin;
  else if (name == "amax-history-len")
    options.amaxHistoryLen = flags.amaxHistoryLen;
  else if (name == "amax-compute-algo")
    options.amaxComputeAlgo = flags.amaxComputeAlgo;
  else if (name == "numerics")
    options.numerics = flags.numerics;
  else
    return false;
  return true;
}

/// Whether the plan says what the flag `name` says; fails where that is wrong
/// in itself.
static FailureOr<bool> agrees(ModuleOp module, StringRef name, PlanAttr plan,
                              const CompileOptions &options) {
  auto emitError = [&] { return module.emitError(); };
  MLIRContext *context = module.getContext();
  StringRef target = plan.getTarget().getValue();
  if (name == "target")
    return target == options.target;
  if (name == "accumulation") {
    FailureOr<AccumAttr> wanted =
        getAccumulation(context, options.accumulation, target, emitError);
    if (failed(wanted))
      return failure();
    return refineAccumulation(*wanted, target) ==
           refineAccumulation(plan.getAccumulation(), target);
  }
  RecipeOptions recipe = getOptions(plan.getRecipe());
  if (!override(name, options.recipe, recipe))
    return true;
  FailureOr<Attribute> wanted = getRecipe(context, recipe, emitError);
  if (failed(wanted))
    return failure();
  return *wanted == plan.getRecipe();
}

/// What the plan has for the flag `name`.
static Attribute getCounterpart(StringRef name, PlanAttr plan) {
  if (name == "target")
    return plan.getTarget();
  if (name == "accumulation")
    return plan.getAccumulation();
  return plan.getRecipe();
}

/// Every flag that was given has to agree with the plan.
static LogicalResult checkGiven(ModuleOp module, PlanAttr plan,
                                const CompileOptions &options) {
  std::string source = options.planText.empty() ? "the module's 'fp8.plan'"
                                                : "--plan=" + options.planName;
  for (const auto &[name, value] : options.given) {
    FailureOr<bool> same = agrees(module, name, plan, options);
    if (failed(same))
      return failure();
    if (!*same)
      return module.emitError("--")
             << name << "=" << value << ": expected no contradiction to "
             << source << ", which says " << getCounterpart(name, plan)
             << "; drop one of them";
  }
  return success();
}

LogicalResult mlir::fp8::attachPlan(ModuleOp module,
                                    const CompileOptions &options) {
  if (!options.planText.empty()) {
    FailureOr<Attribute> attr = parsePlan(module.getContext(), options);
    if (failed(attr))
      return failure();
    auto plan = dyn_cast<PlanAttr>(*attr);
    if (!plan)
      return emitError(FileLineColLoc::get(module.getContext(),
                                           options.planName, 1, 1))
             << "plan: expected #fp8.plan<...>, got another attribute";
    module->setAttr(kPlanAttr, plan);
  }
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  return plan ? checkGiven(module, plan, options) : success();
}

LogicalResult mlir::fp8::adoptPlan(ModuleOp module, CompileOptions &options) {
  if (failed(attachPlan(module, options)))
    return failure();
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  if (!plan)
    return success();
  std::string error = checkTarget(plan.getTarget().getValue());
  if (!error.empty())
    return module.emitError("plan: target ")
           << plan.getTarget() << ": " << error;
  options.target = plan.getTarget().str();
  options.recipe = getOptions(plan.getRecipe());
  return success();
}
