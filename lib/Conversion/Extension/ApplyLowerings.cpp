//===- ApplyLowerings.cpp - Lowerings of other projects -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pipeline per dialect, in the order of their names, so that what runs does
// not depend on the order in which plugins were loaded.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Extension/LoweringInterface.h"
#include "fp8/Conversion/Extension/Passes.h"
#include "fp8/Conversion/GPU/TargetOption.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_APPLYLOWERINGS
#include "fp8/Conversion/Extension/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// The lowerings of all loaded dialects, by the dialects' names.
static SmallVector<const LoweringDialectInterface *>
getLowerings(MLIRContext &context) {
  SmallVector<const LoweringDialectInterface *> lowerings;
  for (Dialect *dialect : context.getLoadedDialects())
    if (auto *lowering =
            dialect->getRegisteredInterface<LoweringDialectInterface>())
      lowerings.push_back(lowering);
  llvm::sort(lowerings, [](const auto *a, const auto *b) {
    return a->getDialect()->getNamespace() < b->getDialect()->getNamespace();
  });
  return lowerings;
}

namespace {
struct ApplyLowerings final
    : mlir::fp8::impl::ApplyLoweringsBase<ApplyLowerings> {
  using ApplyLoweringsBase::ApplyLoweringsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (stage != "reference" && stage != "tensors" && stage != "buffers") {
      module.emitError("fp8-apply-lowerings: expected stage reference, tensors "
                       "or buffers, got '")
          << stage << "'";
      return signalPassFailure();
    }
    const ::fp8::target::TargetInfo *info = nullptr;
    if (stage != "reference") {
      info = mlir::fp8::getGPUTarget(module, getArgument(), target);
      if (!info)
        return signalPassFailure();
    }
    for (const LoweringDialectInterface *lowering :
         getLowerings(getContext())) {
      OpPassManager pm(ModuleOp::getOperationName());
      if (stage == "reference")
        lowering->addReferencePasses(pm);
      else if (stage == "tensors")
        lowering->addTensorPasses(pm, *info);
      else
        lowering->addBufferPasses(pm, *info);
      if (pm.size() != 0 && failed(runPipeline(pm, module)))
        return signalPassFailure();
    }
  }
};
} // namespace
