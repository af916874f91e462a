//===- Plan.cpp - Decide the precision of every contraction ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defaults of the recipe, then rules, then the entries that say something of
// their own; each that names something which does not exist is an error. No
// remark here: the pass that carries a decision out emits it. A module whose
// plan was carried out is only checked.
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

/// Every rule has to name a contraction; one with a minimum size may find all
/// of them large enough. A baseline has no FP8 to ask for.
static LogicalResult checkRules(ModuleOp module, PlanAttr plan,
                                ArrayRef<Candidate> candidates) {
  auto recipe = cast<RecipeAttrInterface>(plan.getRecipe());
  for (Attribute attr : plan.getRules()) {
    auto rule = cast<PlanRuleAttr>(attr);
    // A minimum size alone names no contraction that has to be there.
    bool names = rule.getRole() || rule.getName() || rule.getPosition();
    if (names && llvm::none_of(candidates, [&](const Candidate &candidate) {
          return isNamedBy(candidate, rule);
        }))
      return module.emitError("plan: expected a contraction that matches ")
             << attr << ", found none";
    if (!recipe.quantizes() && rule.getPrecision() == "fp8")
      return module.emitError("plan: expected a recipe that quantises for ")
             << attr << ", got " << plan.getRecipe();
  }
  return success();
}

/// With the baseline as recipe, entries cannot say FP8.
static LogicalResult checkBaseline(ModuleOp module, PlanAttr plan) {
  if (cast<RecipeAttrInterface>(plan.getRecipe()).quantizes())
    return success();
  for (Attribute attr : plan.getContractions()) {
    auto entry = cast<PlanEntryAttr>(attr);
    if (entry.getStatus() != "excluded")
      return module.emitError("plan: expected contraction ")
             << entry.getIndex() << " of function " << entry.getFunction()
             << " to be excluded, as the recipe is " << plan.getRecipe()
             << ", got status " << entry.getStatus()
             << "; drop the entry to let the recipe decide";
  }
  return success();
}

/// Makes the roles that the user changed in an entry attributes of the
/// contraction, from which roles are inferred anew; says whether there are any.
static FailureOr<bool> applyRoles(PlanAttr plan,
                                  ArrayRef<Candidate> candidates) {
  bool changed = false;
  for (const Candidate &candidate : candidates) {
    PlanEntryAttr entry = findEntry(plan, candidate);
    if (!entry)
      continue;
    const RoleInfo &role = candidate.role;
    std::tuple<StringRef, StringAttr, StringRef> words[] = {
        {kRoleAttr, entry.getRole(), stringifyRole(role.role)},
        {kLhsRoleAttr, entry.getLhsRole(), stringifyOperandRole(role.lhs)},
        {kRhsRoleAttr, entry.getRhsRole(), stringifyOperandRole(role.rhs)}};
    for (auto [name, wanted, found] : words) {
      if (wanted == found)
        continue;
      if (candidate.op->hasAttr(name))
        return candidate.op->emitError("plan: expected the entry to agree with "
                                       "attribute '")
               << name << "', which is \"" << found << "\", got " << wanted;
      candidate.op->setAttr(name, wanted);
      changed = true;
    }
  }
  return changed;
}

/// Whether `op` is a contraction that a plan was carried out on.
static bool isConverted(Operation *op) {
  return isa<ContractOp, ScaledContractOp>(op) && op->hasAttr(kDecisionAttr);
}

static bool wasCarriedOut(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isConverted(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Nothing is left to decide in a module whose plan was carried out, and what
/// was decided cannot be changed any more.
static LogicalResult checkCarriedOut(ModuleOp module, PlanAttr plan) {
  llvm::DenseSet<Attribute> entries(plan.getContractions().begin(),
                                    plan.getContractions().end());
  WalkResult walk = module.walk([&](Operation *op) -> WalkResult {
    Attribute decision = op->getAttr(kDecisionAttr);
    if (!decision && isMultiplyAccumulate(op))
      return op->emitError("plan: expected no undecided contraction in a "
                           "module whose plan was carried out; convert it "
                           "with the others");
    if (decision && !entries.contains(decision))
      return op->emitError(
                 "plan: expected the plan that was carried out, which "
                 "decided ")
             << decision;
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct PlanPass final : fp8::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool carriedOut = wasCarriedOut(module);
    if (carriedOut && !module->hasAttr(kPlanAttr)) {
      module.emitError("plan: expected attribute 'fp8.plan' on a module with "
                       "decisions that were carried out, found none");
      return signalPassFailure();
    }
    FailureOr<PlanAttr> plan = getPlan(module);
    if (failed(plan) || failed(carriedOut ? checkCarriedOut(module, *plan)
                                          : makePlan(module, *plan)))
      signalPassFailure();
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

  /// Decides every contraction, starting from the user's `plan`.
  LogicalResult makePlan(ModuleOp module, PlanAttr plan) {
    auto recipe = cast<RecipeAttrInterface>(plan.getRecipe());
    if (failed(verifyGivenRoles(module)))
      return failure();
    if (recipe.isStateful())
      separateLoopCallees(module);
    SmallVector<Candidate, 0> inferred = collectCandidates(module);
    if (failed(checkEntries(module, plan, inferred)))
      return failure();
    FailureOr<bool> changed = applyRoles(plan, inferred);
    if (failed(changed))
      return failure();
    SmallVector<Candidate, 0> candidates =
        *changed ? collectCandidates(module) : inferred;
    if (failed(checkRules(module, plan, candidates)) ||
        failed(checkBaseline(module, plan)))
      return failure();
    SmallVector<Attribute> entries;
    for (auto [before, candidate] : llvm::zip_equal(inferred, candidates)) {
      Choice choice = getDefaultChoice(candidate, recipe);
      if (recipe.quantizes())
        applyPlan(before, candidate, plan, choice);
      PlanEntryAttr entry = decide(candidate, choice, recipe);
      candidate.op->setAttr(kDecisionAttr, entry);
      entries.push_back(entry);
    }
    module->setAttr(kPlanAttr,
                    PlanAttr::get(&getContext(), plan.getRecipe(),
                                  plan.getTarget(), plan.getAccumulation(),
                                  plan.getRules(),
                                  ArrayAttr::get(&getContext(), entries)));
    return success();
  }

  /// Rules in order, then the entry if it is more than a record of what was
  /// decided; `inferred` has the roles without those of entries.
  static void applyPlan(const Candidate &inferred, const Candidate &candidate,
                        PlanAttr plan, Choice &choice) {
    for (Attribute rule : plan.getRules())
      applyRule(candidate, cast<PlanRuleAttr>(rule), choice);
    auto recipe = cast<RecipeAttrInterface>(plan.getRecipe());
    PlanEntryAttr entry = findEntry(plan, candidate);
    if (entry && !isRecord(entry, inferred, recipe) &&
        !isRecord(entry, candidate, recipe))
      applyEntry(entry, choice);
  }
};
} // namespace
