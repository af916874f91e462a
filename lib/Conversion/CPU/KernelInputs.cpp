//===- KernelInputs.cpp - What a kernel of loops takes --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel takes the buffers at the root of the views that it uses.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/KernelInputs.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using mlir::fp8::KernelInputs;

/// True for ops that only rename memory and are rebuilt inside a kernel.
/// memref.view is not one: its results are the buffers of the arena.
static bool isRebuiltView(Operation *op) {
  return isa_and_nonnull<memref::SubViewOp, memref::CastOp,
                         memref::CollapseShapeOp, memref::ExpandShapeOp,
                         memref::ReinterpretCastOp>(op);
}

static bool isConstant(Operation *op) {
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Sorts a value used by the op: repeated inside (views, constants) or passed.
void KernelInputs::addValue(Value value) {
  Operation *def = value.getDefiningOp();
  bool repeat = isRebuiltView(def) || isConstant(def) ||
                (localConstants && isa_and_nonnull<memref::GetGlobalOp>(def));
  if (!repeat || (isPassed && isPassed(value))) {
    passed.insert(value);
    return;
  }
  if (repeated.contains(def))
    return;
  for (Value operand : def->getOperands())
    addValue(operand);
  repeated.insert(def);
}

void KernelInputs::add(Operation *op) {
  for (Value operand : op->getOperands())
    addValue(operand);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    addValue(value);
}

bool mlir::fp8::isPickedElement(memref::SubViewOp view) {
  MemRefType type = view.getType(), source = view.getSourceType();
  if (!type.hasStaticShape() || type.getNumElements() != 1 ||
      (source.hasStaticShape() && source.getNumElements() == 1) ||
      llvm::none_of(view.getStaticOffsets(), [](int64_t offset) {
        return !ShapedType::isDynamic(offset);
      }))
    return false;
  return llvm::all_of(view->getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp>(user);
  });
}
