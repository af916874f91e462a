//===- PlanRules.h - Candidates and the rules of a plan ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_TRANSFORMS_PLANRULES_H
#define FP8_LIB_TRANSFORMS_PLANRULES_H

#include "fp8/Analysis/Contraction.h"
#include "fp8/Analysis/RoleAnalysis.h"
#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::fp8 {

/// A contraction of the module, with what is known of it before planning.
struct Candidate {
  Operation *op;
  StringAttr function;
  /// Position among the function's candidates, in program order.
  int64_t index;
  /// Name from the location; empty if it has none.
  std::string name;
  RoleInfo role;
  /// Absent if there is no matrix product in it; then `whyNot` says why.
  std::optional<Contraction> contraction;
  std::string whyNot;
  /// Whether it is inside the body of a loop or branch, or in a function that
  /// such a body calls.
  bool nested;
  /// Whether it is the first or last forward contraction with a weight, or a
  /// backward contraction of that.
  bool isFirst = false, isLast = false;
};

/// Functions that the bodies of scf operations call, or that those call.
DenseSet<Operation *> findLoopCallees(ModuleOp module);

/// Gives every function with a contraction that is called inside and outside of
/// such bodies (or is public) a private twin, which the bodies call.
void separateLoopCallees(ModuleOp module);

/// All candidates, in program order.
SmallVector<Candidate, 0> collectCandidates(ModuleOp module);

/// What is decided for one candidate so far.
struct Choice {
  bool fp8 = true;
  Type lhs, rhs;
  StringRef reasonCode;
  std::string reason;
  /// The rules that made it differ from what it was, in order.
  SmallVector<PlanRuleAttr> rules;
};

/// What the recipe's own defaults say.
Choice getDefaultChoice(const Candidate &candidate, RecipeAttrInterface recipe);

/// Whether `candidate` is what `rule` names by role, name and position; its
/// sizes are not looked at.
bool isNamedBy(const Candidate &candidate, PlanRuleAttr rule);

/// Lets `rule` change `choice` if it matches.
void applyRule(const Candidate &candidate, PlanRuleAttr rule, Choice &choice);

/// Whether `entry` only records what the recipe's defaults decide, with the
/// rules that its reason names: then the plan's rules decide, not the entry.
bool isRecord(PlanEntryAttr entry, const Candidate &candidate,
              RecipeAttrInterface recipe);

/// Lets the user's entry for this candidate change `choice`.
void applyEntry(PlanEntryAttr entry, Choice &choice);

/// Turns a wish into a decision: what FP8 cannot do becomes a fallback.
PlanEntryAttr decide(const Candidate &candidate, const Choice &choice,
                     RecipeAttrInterface recipe);

} // namespace mlir::fp8

#endif // FP8_LIB_TRANSFORMS_PLANRULES_H
