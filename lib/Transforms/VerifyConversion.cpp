//===- VerifyConversion.cpp - Check that the plan was carried out ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Transforms/Passes.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_VERIFYCONVERSIONPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

static Type getStorage(Value value) {
  auto type = dyn_cast<ScaledTensorType>(value.getType());
  return type ? type.getStorageType() : getElementTypeOrSelf(value.getType());
}

/// The operands of a contraction of either level; null for other ops.
static std::pair<Value, Value> getContractOperands(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return {contract.getLhs(), contract.getRhs()};
  if (auto contract = dyn_cast<ScaledContractOp>(op))
    return {contract.getLhs(), contract.getRhs()};
  return {};
}

static LogicalResult checkDecision(Operation *op, PlanEntryAttr entry) {
  if (entry.getStatus() != "fp8")
    return success();
  auto [lhs, rhs] = getContractOperands(op);
  if (!lhs)
    return op->emitOpError("expected an fp8 contraction as planned for ")
           << entry.getName() << "; run fp8-quantize";
  if (getStorage(lhs) != entry.getLhs() || getStorage(rhs) != entry.getRhs())
    return op->emitOpError("expected operands of ")
           << entry.getLhs() << " and " << entry.getRhs() << " as planned, got "
           << getStorage(lhs) << " and " << getStorage(rhs);
  return success();
}

namespace {
struct VerifyConversionPass final
    : fp8::impl::VerifyConversionPassBase<VerifyConversionPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk([](Operation *op) {
      auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
      if (entry && failed(checkDecision(op, entry)))
        return WalkResult::interrupt();
      auto slot = dyn_cast<DelayedScaleOp>(op);
      if (slot && !slot.getStateMultiplier()) {
        op->emitOpError("expected a state; run fp8-thread-state");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
