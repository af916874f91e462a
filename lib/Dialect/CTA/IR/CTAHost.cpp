//===- CTAHost.cpp - Launches ---------------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules and effects of what the host does with kernels.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/CTA/IR/CTADialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::cta;

LogicalResult LaunchOp::verify() {
  auto buffers = llvm::to_vector(getInputs().getTypes());
  llvm::append_range(buffers, getInits().getTypes());
  bool onTensors = llvm::all_of(buffers, llvm::IsaPred<RankedTensorType>);
  bool onBuffers = llvm::all_of(buffers, llvm::IsaPred<MemRefType>);
  bool fits = onTensors ? getResultTypes() == getInits().getTypes()
                        : onBuffers && getNumResults() == 0;
  if (!fits)
    return emitOpError("expected tensors and a result of the type of each "
                       "init, or memrefs and no result (c1)");
  SmallVector<int32_t> named(getParameters());
  llvm::sort(named);
  if (!llvm::equal(named, llvm::seq<int32_t>(0, getNumOperands())))
    return emitOpError("expected parameters to name each of the ")
           << getNumOperands() << " operands once (c2)";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto kernel =
      tables.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("expected a cta.kernel, got ")
           << getKernelAttr() << " (c3)";
  if (kernel.getArgumentTypes().size() != getParameters().size())
    return emitOpError("expected ")
           << kernel.getArgumentTypes().size() << " parameters, as "
           << getKernelAttr() << " has, got " << getParameters().size()
           << " (c3)";
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
