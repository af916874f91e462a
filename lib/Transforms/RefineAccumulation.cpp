//===- RefineAccumulation.cpp - What auto means on the target -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions that a recipe makes say how they add; one that a graph came with
// may leave it to the target. Said once, in the operation, every device that
// runs it adds the same way. Only `auto` is touched.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_REFINEACCUMULATIONPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

template <typename OpTy>
static void refine(OpTy contract, StringRef target) {
  AccumAttr given = contract.getAccumulationOrAuto();
  AccumAttr refined = refineAccumulation(given, target);
  if (refined == given)
    return;
  contract.setAccumulationAttr(refined);
  auto function = contract->template getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name("accumulation")
                     .category("fp8-refine-accumulation")
                     .function(function ? function.getName() : "");
  auto remark = remark::analysis(contract.getLoc(), options);
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(refined);
  remark << remark::detail::Remark::Arg("target", target)
         << remark::detail::Remark::Arg("accumulation", text);
}

namespace {
struct RefineAccumulationPass final
    : mlir::fp8::impl::RefineAccumulationPassBase<RefineAccumulationPass> {
  using RefineAccumulationPassBase::RefineAccumulationPassBase;

  void runOnOperation() override {
    std::string error;
    if (!::fp8::target::lookupTarget(target, error)) {
      getOperation().emitError("fp8-refine-accumulation: ") << error;
      return signalPassFailure();
    }
    getOperation().walk([&](Operation *op) {
      TypeSwitch<Operation *>(op).Case<ContractOp, ScaledContractOp>(
          [&](auto contract) { refine(contract, target); });
    });
  }
};
} // namespace
