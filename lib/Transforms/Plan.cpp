//===- Plan.cpp - Decide the precision of every contraction ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defaults of the recipe, then rules, then entries; each that names something
// which does not exist is an error. No remark here: the pass that carries a
// decision out emits it.
//
//===----------------------------------------------------------------------===//

#include "PlanRules.h"

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Transforms/Passes.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/IR/Builders.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_PLANPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// The entry that the user's plan has for `candidate`; null if none.
static PlanEntryAttr findEntry(PlanAttr plan, const Candidate &candidate) {
  for (Attribute attr : plan.getContractions()) {
    auto entry = cast<PlanEntryAttr>(attr);
    if (entry.getFunction() == candidate.function &&
        entry.getIndex() == candidate.index)
      return entry;
  }
  return {};
}

/// Every entry has to name a contraction, by index and by name.
static LogicalResult checkEntries(ModuleOp module, PlanAttr plan,
                                  ArrayRef<Candidate> candidates) {
  for (Attribute attr : plan.getContractions()) {
    auto entry = cast<PlanEntryAttr>(attr);
    const Candidate *found = llvm::find_if(candidates, [&](const auto &c) {
      return entry.getFunction() == c.function && entry.getIndex() == c.index;
    });
    if (found == candidates.end())
      return module.emitError("plan: expected contraction ")
             << entry.getIndex() << " in function " << entry.getFunction()
             << ", which has none; print a fresh plan with --emit-plan";
    if (entry.getName() != found->name)
      return module.emitError("plan: expected contraction ")
             << entry.getIndex() << " of function " << entry.getFunction()
             << " to be named " << entry.getName() << ", found \""
             << found->name << "\"; print a fresh plan with --emit-plan";
  }
  return success();
}

static LogicalResult checkRules(ModuleOp module, ArrayAttr rules,
                                const llvm::DenseSet<Attribute> &used) {
  for (Attribute rule : rules)
    if (!used.contains(rule) && !cast<PlanRuleAttr>(rule).getMinSize())
      return module.emitError("plan: expected a contraction that matches ")
             << rule << ", found none";
  return success();
}

namespace {
struct PlanPass final : fp8::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<PlanAttr> plan = getPlan(module);
    if (failed(plan))
      return signalPassFailure();
    SmallVector<Candidate, 0> candidates = collectCandidates(module);
    if (failed(checkEntries(module, *plan, candidates)))
      return signalPassFailure();
    auto recipe = cast<RecipeAttrInterface>(plan->getRecipe());
    llvm::DenseSet<Attribute> used;
    SmallVector<Attribute> entries;
    for (const Candidate &candidate : candidates) {
      Choice choice = getDefaultChoice(candidate, recipe);
      if (recipe.quantizes())
        applyPlan(candidate, *plan, choice, used);
      PlanEntryAttr entry = decide(candidate, choice, recipe);
      candidate.op->setAttr(kDecisionAttr, entry);
      entries.push_back(entry);
    }
    if (recipe.quantizes() &&
        failed(checkRules(module, plan->getRules(), used)))
      return signalPassFailure();
    module->setAttr(kPlanAttr,
                    PlanAttr::get(&getContext(), plan->getRecipe(),
                                  plan->getTarget(), plan->getAccumulation(),
                                  plan->getRules(),
                                  ArrayAttr::get(&getContext(), entries)));
  }

private:
  /// The module's plan, or an empty one of the options' recipe.
  FailureOr<PlanAttr> getPlan(ModuleOp module) {
    if (auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr))
      return plan;
    auto emitError = [&] { return module.emitError(); };
    RecipeOptions options{recipe,         format,          margin,
                          amaxHistoryLen, amaxComputeAlgo, numerics};
    FailureOr<Attribute> attr = getRecipe(&getContext(), options, emitError);
    FailureOr<AccumAttr> accum =
        getAccumulation(&getContext(), accumulation, target, emitError);
    if (failed(attr) || failed(accum))
      return failure();
    ArrayAttr none = ArrayAttr::get(&getContext(), {});
    return PlanAttr::get(&getContext(), *attr,
                         StringAttr::get(&getContext(), target), *accum, none,
                         none);
  }

  /// Rules in order, then the entry.
  static void applyPlan(const Candidate &candidate, PlanAttr plan,
                        Choice &choice, llvm::DenseSet<Attribute> &used) {
    for (Attribute rule : plan.getRules())
      if (applyRule(candidate, cast<PlanRuleAttr>(rule), choice))
        used.insert(rule);
    if (PlanEntryAttr entry = findEntry(plan, candidate))
      applyEntry(entry, choice);
  }
};
} // namespace
