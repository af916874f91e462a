//===- FP8ScaledOps.cpp - Destination-style operations --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "ContractShape.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fp8;

static ShapedType shaped(Value value) {
  return cast<ShapedType>(value.getType());
}

/// Reads of inputs and the write of the init, once operands are memrefs.
static void getDestinationEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

/// All tensors and one result of the init's type, or all memrefs and none.
static LogicalResult verifyDestinationForm(Operation *op, Value init) {
  bool onTensors = isa<RankedTensorType>(init.getType());
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) != onTensors)
      return op->emitOpError("expected tensors only or memrefs only, got ")
             << operand.getType() << " beside " << init.getType();
  bool ok = onTensors ? op->getNumResults() == 1 &&
                            op->getResult(0).getType() == init.getType()
                      : op->getNumResults() == 0;
  if (!ok)
    return op->emitOpError("expected one result of the type of the init for "
                           "tensors and none for memrefs");
  return success();
}

static LogicalResult verifyScalar(Operation *op, StringRef name, Value value) {
  ShapedType type = shaped(value);
  if (type.getRank() == 0 && type.getElementType().isF32())
    return success();
  return op->emitOpError("expected ")
         << name << " to be an f32 of rank 0, got " << type;
}

/// Elementwise: same shape, `from` element types to `to` element types.
static LogicalResult verifyCast(Operation *op, Value from, Value to,
                                bool quantize) {
  if (failed(verifyCompatibleShape(shaped(from), shaped(to))))
    return op->emitOpError("expected input and init of one shape, got ")
           << from.getType() << " and " << to.getType();
  Type high = shaped(quantize ? from : to).getElementType();
  Type codes = shaped(quantize ? to : from).getElementType();
  if (!isStorageType(codes) ||
      !isa<BFloat16Type, Float16Type, Float32Type>(high))
    return op->emitOpError("expected bf16, f16 or f32 on one side and f8E4M3FN "
                           "or f8E5M2 on the other, got ")
           << from.getType() << " and " << to.getType();
  return success();
}

LogicalResult ScaledQuantizeOp::verify() {
  // scaled_quantize_c1, scaled_quantize_c2, scaled_quantize_c3,
  // scaled_quantize_c4
  if (failed(verifyCast(*this, getInput(), getInit(), /*quantize=*/true)) ||
      failed(verifyScalar(*this, "factor", getFactor())))
    return failure();
  return verifyDestinationForm(*this, getInit());
}

LogicalResult ScaledDequantizeOp::verify() {
  // scaled_dequantize_c1, scaled_dequantize_c2, scaled_dequantize_c3,
  // scaled_dequantize_c4
  if (failed(verifyCast(*this, getCodes(), getInit(), /*quantize=*/false)) ||
      failed(verifyScalar(*this, "scale", getScale())))
    return failure();
  return verifyDestinationForm(*this, getInit());
}

static LogicalResult verifyContractTypes(ScaledContractOp op) {
  Type lhs = shaped(op.getLhs()).getElementType();
  Type rhs = shaped(op.getRhs()).getElementType();
  Type init = shaped(op.getInit()).getElementType();
  bool codes = isStorageType(lhs) && isStorageType(rhs) &&
               !(isa<Float8E5M2Type>(lhs) && isa<Float8E5M2Type>(rhs));
  bool plain = lhs == rhs && isa<BFloat16Type, Float32Type>(lhs);
  // scaled_contract_c4
  if ((!codes && !plain) || !isa<BFloat16Type, Float32Type>(init))
    return op.emitOpError("expected 8-bit operands (not both f8E5M2), or two "
                          "bf16, or two f32, and a bf16 or f32 init, got ")
           << lhs << ", " << rhs << " and " << init;
  // scaled_contract_c5
  if (bool(op.getLhsScale()) != codes || bool(op.getRhsScale()) != codes)
    return op.emitOpError("expected scales exactly for 8-bit operands");
  if (codes && (failed(verifyScalar(op, "lhs scale", op.getLhsScale())) ||
                failed(verifyScalar(op, "rhs scale", op.getRhsScale()))))
    return failure();
  return success();
}

LogicalResult ScaledContractOp::verify() {
  // scaled_contract_c1, scaled_contract_c2, scaled_contract_c3,
  // scaled_contract_c7
  if (failed(verifyContractShape(
          *this, shaped(getLhs()).getShape(), shaped(getRhs()).getShape(),
          shaped(getInit()).getShape(), getTransposeLhs(), getTransposeRhs(),
          getAccumulationOrAuto())) ||
      failed(verifyContractTypes(*this)))
    return failure();
  // scaled_contract_c6
  return verifyDestinationForm(*this, getInit());
}

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void ScaledQuantizeOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}

void ScaledDequantizeOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}

void ScaledContractOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}
