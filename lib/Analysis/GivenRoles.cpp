//===- GivenRoles.cpp - check the roles that a user wrote -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not in the dialect's verifier: a later pass may drop the forward function of
// a pair, and the module stays valid.
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/RoleAnalysis.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fp8;

/// Checks one string attribute against the words that it may be.
template <typename Symbolize>
static LogicalResult checkWord(Operation *op, StringRef name, StringRef words,
                               Symbolize symbolize) {
  Attribute attr = op->getAttr(name);
  if (!attr)
    return success();
  auto text = dyn_cast<StringAttr>(attr);
  if (text && symbolize(text.getValue()))
    return success();
  return op->emitOpError("expected '")
         << name << "' to be one of " << words << ", found " << attr;
}

LogicalResult fp8::verifyGivenRoles(ModuleOp module) {
  StringRef roles = "fprop, refprop, dgrad, wgrad, attention, dispatch, other";
  StringRef operandRoles = "activation, weight, gradient, other";
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (failed(checkWord(op, kRoleAttr, roles, symbolizeRole)) ||
        failed(
            checkWord(op, kLhsRoleAttr, operandRoles, symbolizeOperandRole)) ||
        failed(checkWord(op, kRhsRoleAttr, operandRoles, symbolizeOperandRole)))
      return WalkResult::interrupt();
    Attribute pair = op->getAttr(kPairAttr);
    if (!pair)
      return WalkResult::advance();
    auto symbol = dyn_cast<FlatSymbolRefAttr>(pair);
    auto forward = dyn_cast_if_present<FunctionOpInterface>(
        symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr);
    if (isa<FunctionOpInterface>(op) && forward && !forward.isExternal() &&
        forward != op)
      return WalkResult::advance();
    op->emitOpError("expected 'fp8.pair' on a backward function to name "
                    "another function with a body, found ")
        << pair;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
