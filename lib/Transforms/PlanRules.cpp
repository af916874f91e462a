//===- PlanRules.cpp - Candidates and the rules of a plan -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice is a wish (the recipe's defaults, then rules, then the user's
// entry); decide() confronts it with what is possible, and only that makes a
// fallback. Invariant: an entry that decide() made without the help of another
// entry is recognised by isRecord.
//
//===----------------------------------------------------------------------===//

#include "PlanRules.h"

#include "fp8/Dialect/FP8/IR/ReasonCodes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fp8;

/// The name that a location carries; inlined code joins caller and callee.
static std::string getName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string callee = getName(call.getCallee());
    std::string caller = getName(call.getCaller());
    return caller.empty() || callee.empty() ? caller + callee
                                            : caller + "/" + callee;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string name = getName(part); !name.empty())
        return name;
  return "";
}

/// How a reason names a rule.
static constexpr StringLiteral kRulePrefix = "rule ";

/// How a reason starts where the plan's entry asked for FP8.
static constexpr StringLiteral kEntrySaysFP8 = "the plan's entry says FP8";

static bool hasWeight(const Candidate &candidate) {
  return candidate.role.lhs == OperandRole::Weight ||
         candidate.role.rhs == OperandRole::Weight;
}

/// Marks the first and last forward contraction with a weight, and theirs.
static void markPositions(MutableArrayRef<Candidate> candidates) {
  Operation *first = nullptr, *last = nullptr;
  for (Candidate &candidate : candidates) {
    if (candidate.role.role != Role::FProp || !hasWeight(candidate))
      continue;
    if (!first)
      first = candidate.op;
    last = candidate.op;
  }
  for (Candidate &candidate : candidates) {
    auto belongs = [&](Operation *op) {
      return op && (candidate.op == op || candidate.role.forward == op);
    };
    candidate.isFirst = belongs(first);
    candidate.isLast = belongs(last);
  }
}

SmallVector<Candidate, 0> mlir::fp8::collectCandidates(ModuleOp module) {
  RoleAnalysis roles(module);
  DenseSet<Operation *> loopCallees = findLoopCallees(module);
  SmallVector<Candidate, 0> candidates;
  for (auto function : module.getOps<func::FuncOp>()) {
    int64_t index = 0;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isMultiplyAccumulate(op))
        return;
      Candidate candidate{op,      function.getSymNameAttr(),
                          index++, getName(op->getLoc()),
                          {},      std::nullopt,
                          "",      false};
      if (std::optional<RoleInfo> role = roles.lookup(op))
        candidate.role = *role;
      FailureOr<Contraction> match = matchContraction(op, &candidate.whyNot);
      if (succeeded(match))
        candidate.contraction = *match;
      candidate.nested =
          op->getParentOp() != function || loopCallees.contains(function);
      candidates.push_back(std::move(candidate));
    });
  }
  markPositions(candidates);
  return candidates;
}

Choice mlir::fp8::getDefaultChoice(const Candidate &candidate,
                                   RecipeAttrInterface recipe) {
  Choice choice;
  auto exclude = [&](StringRef code, StringRef why) {
    choice.fp8 = false;
    choice.reasonCode = code;
    choice.reason = why.str();
  };
  if (!recipe.quantizes()) {
    exclude(reason::kRecipe, "the recipe is the BF16 baseline");
    return choice;
  }
  choice.lhs =
      recipe.getStorageType(candidate.role.lhs == OperandRole::Gradient);
  choice.rhs =
      recipe.getStorageType(candidate.role.rhs == OperandRole::Gradient);
  switch (candidate.role.role) {
  case Role::Attention:
    exclude(reason::kAttention, "attention stays BF16 by default");
    break;
  case Role::Dispatch:
    exclude(reason::kDispatch, "dispatch and combine stay BF16 by default");
    break;
  case Role::Other:
    exclude(reason::kOtherRole, "no role found: " + candidate.role.why);
    break;
  default:
    break;
  }
  return choice;
}

/// The smallest of m, n and k, if all are known.
static std::optional<int64_t> getSmallestSize(const Candidate &candidate) {
  if (!candidate.contraction)
    return std::nullopt;
  const Contraction &c = *candidate.contraction;
  int64_t smallest = std::numeric_limits<int64_t>::max();
  for (const SmallVector<unsigned> *dims : {&c.m, &c.n, &c.k}) {
    int64_t size = c.getSize(*dims);
    if (!ShapedType::isDynamic(size))
      smallest = std::min(smallest, size);
  }
  return smallest;
}

bool mlir::fp8::isNamedBy(const Candidate &candidate, PlanRuleAttr rule) {
  if (rule.getRole() && rule.getRole() != stringifyRole(candidate.role.role))
    return false;
  if (rule.getName() &&
      !llvm::Regex(rule.getName().getValue()).match(candidate.name))
    return false;
  if (StringAttr position = rule.getPosition())
    if (position == "first" ? !candidate.isFirst : !candidate.isLast)
      return false;
  return true;
}

/// Whether `rule` has no minimum size, or `candidate` is below it.
static bool isBelowMinimum(const Candidate &candidate, PlanRuleAttr rule) {
  IntegerAttr minimum = rule.getMinSize();
  if (!minimum)
    return true;
  std::optional<int64_t> size = getSmallestSize(candidate);
  return size && *size < minimum.getInt();
}

void mlir::fp8::applyRule(const Candidate &candidate, PlanRuleAttr rule,
                          Choice &choice) {
  if (!isNamedBy(candidate, rule) || !isBelowMinimum(candidate, rule))
    return;
  Type lhs = rule.getLhs() ? rule.getLhs() : choice.lhs;
  Type rhs = rule.getRhs() ? rule.getRhs() : choice.rhs;
  bool fp8 = rule.getPrecision() ? rule.getPrecision() == "fp8" : choice.fp8;
  if (lhs != choice.lhs || rhs != choice.rhs || fp8 != choice.fp8)
    choice.rules.push_back(rule);
  choice.lhs = lhs;
  choice.rhs = rhs;
  if (!rule.getPrecision())
    return;
  choice.fp8 = fp8;
  choice.reasonCode = choice.fp8          ? reason::kNone
                      : rule.getMinSize() ? reason::kMinSize
                                          : reason::kRule;
  choice.reason.clear();
  if (!choice.fp8) {
    llvm::raw_string_ostream os(choice.reason);
    os << kRulePrefix << Attribute(rule);
  }
}

/// The rules that `reason` names; text that is none is passed over.
static SmallVector<PlanRuleAttr> findRules(StringRef reason,
                                           MLIRContext *context) {
  SmallVector<PlanRuleAttr> rules;
  // The reason may have been edited: what does not parse is no rule.
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  std::string start = (kRulePrefix + "#fp8.plan_rule<").str();
  for (size_t at = reason.find(start); at != StringRef::npos;
       at = reason.find(start, at)) {
    at += kRulePrefix.size();
    size_t length = 0;
    auto rule = dyn_cast_if_present<PlanRuleAttr>(
        parseAttribute(reason.drop_front(at), context, Type(), &length));
    if (!rule)
      continue;
    rules.push_back(rule);
    at += length;
  }
  return rules;
}

bool mlir::fp8::isRecord(PlanEntryAttr entry, const Candidate &candidate,
                         RecipeAttrInterface recipe) {
  // Left over from a plan whose recipe was the baseline.
  if (entry.getReasonCode() == reason::kRecipe)
    return true;
  // A fallback has the code of what was in the way.
  if (entry.getReason().getValue().starts_with(kEntrySaysFP8))
    return false;
  Choice choice = getDefaultChoice(candidate, recipe);
  for (PlanRuleAttr rule :
       findRules(entry.getReason().getValue(), entry.getContext()))
    applyRule(candidate, rule, choice);
  PlanEntryAttr decided = decide(candidate, choice, recipe);
  return decided.getStatus() == entry.getStatus() &&
         decided.getReasonCode() == entry.getReasonCode() &&
         decided.getLhs() == entry.getLhs() &&
         decided.getRhs() == entry.getRhs();
}

void mlir::fp8::applyEntry(PlanEntryAttr entry, Choice &choice) {
  choice.rules.clear();
  if (entry.getStatus() == "excluded") {
    choice.fp8 = false;
    choice.reasonCode = reason::kEntry;
    choice.reason = "the plan's entry says BF16";
    return;
  }
  // A fallback is one that was wanted in FP8.
  choice.fp8 = true;
  choice.reasonCode = reason::kEntry;
  choice.reason = kEntrySaysFP8.str();
  if (entry.getLhs()) {
    choice.lhs = entry.getLhs();
    choice.rhs = entry.getRhs();
  }
}

static bool isSupportedElement(Type type) {
  return isa<BFloat16Type, Float32Type>(type);
}

/// Why FP8 cannot be had, as (code, text); code empty if it can.
static std::pair<StringRef, std::string>
getObstacle(const Candidate &candidate, const Choice &choice,
            RecipeAttrInterface recipe) {
  if (!candidate.contraction)
    return {reason::kForm, candidate.whyNot};
  const Contraction &c = *candidate.contraction;
  for (Type type : {c.lhsSource.elementType, c.rhsSource.elementType, c.accElt})
    if (!isSupportedElement(type)) {
      std::string text = "expected bf16 or f32, got ";
      llvm::raw_string_ostream(text) << type;
      return {reason::kType, text};
    }
  if (!c.zeroInit)
    return {reason::kAccumulator, "the accumulator is not zero-filled"};
  if (llvm::is_contained(c.loopSizes, 0))
    return {reason::kEmpty, "a dimension is zero"};
  if (recipe.isStateful() && candidate.nested)
    return {reason::kLoopState,
            isa<func::FuncOp>(candidate.op->getParentOp())
                ? "the body of an scf operation, which has no state, calls it"
                : "in the body of an scf operation, which has no state"};
  if (isa_and_nonnull<Float8E5M2Type>(choice.lhs) &&
      isa_and_nonnull<Float8E5M2Type>(choice.rhs))
    return {reason::kBothE5M2, "both operands would be E5M2"};
  return {reason::kNone, ""};
}

static bool hasF32Operand(const Contraction &c) {
  return c.lhsSource.elementType.isF32() || c.rhsSource.elementType.isF32();
}

/// Adds the rules behind `choice` to a reason.
static void nameRules(const Choice &choice, std::string &text) {
  llvm::raw_string_ostream os(text);
  for (PlanRuleAttr rule : choice.rules)
    os << (text.empty() ? "" : "; ") << kRulePrefix << Attribute(rule);
}

PlanEntryAttr mlir::fp8::decide(const Candidate &candidate,
                                const Choice &choice,
                                RecipeAttrInterface recipe) {
  Builder b(candidate.op->getContext());
  StringRef status = choice.fp8 ? "fp8" : "excluded";
  StringRef code = choice.reasonCode;
  std::string text = choice.reason;
  if (choice.fp8) {
    auto [obstacle, why] = getObstacle(candidate, choice, recipe);
    if (!obstacle.empty()) {
      status = "fallback";
      code = obstacle;
      text += (text.empty() ? "" : ": ") + why;
    } else if (code.empty() && hasF32Operand(*candidate.contraction)) {
      code = reason::kF32Operand;
      text = "an operand is a true f32 value, quantised from f32";
    } else if (code.empty() && !choice.rules.empty()) {
      code = reason::kRule;
    }
    nameRules(choice, text);
  }
  bool fp8 = status == "fp8";
  return PlanEntryAttr::get(
      b.getContext(), candidate.function, candidate.index,
      b.getStringAttr(candidate.name),
      b.getStringAttr(stringifyRole(candidate.role.role)),
      b.getStringAttr(stringifyOperandRole(candidate.role.lhs)),
      b.getStringAttr(stringifyOperandRole(candidate.role.rhs)),
      b.getStringAttr(status), b.getStringAttr(code), b.getStringAttr(text),
      fp8 ? choice.lhs : Type(), fp8 ? choice.rhs : Type());
}
