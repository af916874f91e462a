//===- RoleAnalysis.cpp - what each contraction is for --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs role inference on the module with its calls expanded and maps the
// outcome back. An op in a function that is called several times is inferred
// once per call.
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/RoleAnalysis.h"
#include "ExpandedModule.h"
#include "FunctionPairs.h"
#include "RoleGraph.h"
#include "RoleInference.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fp8;

static constexpr StringLiteral kRoles[] = {
    "fprop", "refprop", "dgrad", "wgrad", "attention", "dispatch", "other"};
static constexpr StringLiteral kOperandRoles[] = {"activation", "weight",
                                                  "gradient", "other"};

StringRef fp8::stringifyRole(Role role) {
  return kRoles[static_cast<unsigned>(role)];
}

std::optional<Role> fp8::symbolizeRole(StringRef text) {
  const StringLiteral *it = llvm::find(kRoles, text);
  if (it == std::end(kRoles))
    return std::nullopt;
  return static_cast<Role>(it - std::begin(kRoles));
}

StringRef fp8::stringifyOperandRole(OperandRole role) {
  return kOperandRoles[static_cast<unsigned>(role)];
}

std::optional<OperandRole> fp8::symbolizeOperandRole(StringRef text) {
  const StringLiteral *it = llvm::find(kOperandRoles, text);
  if (it == std::end(kOperandRoles))
    return std::nullopt;
  return static_cast<OperandRole>(it - std::begin(kOperandRoles));
}

/// Operand roles that the user wrote win over inferred ones.
static void applyGivenOperands(Operation *op, RoleInfo &info) {
  auto apply = [&](StringRef name, OperandRole &role) {
    if (auto given = op->getAttrOfType<StringAttr>(name))
      role = symbolizeOperandRole(given.getValue()).value_or(role);
  };
  apply(kLhsRoleAttr, info.lhs);
  apply(kRhsRoleAttr, info.rhs);
}

RoleAnalysis::RoleAnalysis(ModuleOp module) {
  ExpandedModule expanded(module);
  SmallVector<FunctionPair> pairs = findFunctionPairs(expanded.getModule());
  RoleGraph graph(expanded.getModule(), pairs);
  RoleInference inference(graph);
  for (auto [node, role] :
       llvm::zip_equal(graph.getNodes(), inference.getRoles())) {
    Operation *op = expanded.getOriginal(node.op);
    RoleInfo info{role.role, role.operands[0], role.operands[1], nullptr,
                  role.why};
    if (role.forward)
      info.forward = expanded.getOriginal(graph.getNodes()[*role.forward].op);
    applyGivenOperands(op, info);
    auto [it, inserted] = roles.try_emplace(op, info);
    if (!inserted && it->second.role != info.role &&
        !StringRef(it->second.why).contains("another call"))
      it->second.why +=
          ("; in another call it is " + stringifyRole(info.role)).str();
  }
}

std::optional<RoleInfo> RoleAnalysis::lookup(Operation *op) const {
  auto it = roles.find(op);
  if (it == roles.end())
    return std::nullopt;
  return it->second;
}
