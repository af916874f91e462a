//===- Rows.cpp - One operation of another project ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect tells our tools of its lowerings through one interface.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "fp8/Conversion/Extension/LoweringInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/InliningUtils.h"

#include "RowsDialect.cpp.inc"

#define GET_OP_CLASSES
#include "Rows.cpp.inc"

using namespace mlir;

namespace {
/// What our tools ask for.
struct Lowering final : mlir::fp8::LoweringDialectInterface {
  using LoweringDialectInterface::LoweringDialectInterface;

  void addReferencePasses(OpPassManager &pm) const override {
    pm.addPass(rows::createToLinalgPass());
  }
  void addTensorPasses(OpPassManager &pm,
                       const ::fp8::target::TargetInfo &) const override {
    pm.addPass(rows::createSelectPass());
  }
  void addBufferPasses(OpPassManager &pm,
                       const ::fp8::target::TargetInfo &) const override {
    pm.addPass(rows::createToKernelPass());
  }
};

/// Functions with our operations can be inlined.
struct Inliner final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};

/// Reads its input, overwrites its inits.
struct Bufferization final
    : bufferization::DstBufferizableOpInterfaceExternalModel<Bufferization,
                                                             rows::QuantizeOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    return operand.getOperandNumber() == 0;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    rows::QuantizeOp::create(rewriter, op->getLoc(), TypeRange(), buffers,
                             op->getAttrs());
    bufferization::replaceOpWithBufferizedValues(
        rewriter, op, ArrayRef(buffers).drop_front());
    return success();
  }
};
} // namespace

void rows::RowsDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Rows.cpp.inc"
      >();
  addInterfaces<Lowering, Inliner>();
}

void rows::registerBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, rows::RowsDialect *) {
    QuantizeOp::attachInterface<Bufferization>(*context);
  });
}

LogicalResult rows::QuantizeOp::verify() {
  auto input = cast<ShapedType>(getInput().getType());
  auto codes = cast<ShapedType>(getCodes().getType());
  auto scales = cast<ShapedType>(getScales().getType());
  if (input.getRank() != 2 || codes.getRank() != 2 || scales.getRank() != 1)
    return emitOpError("expected a matrix, its codes and a scale per row, got "
                       "ranks ")
           << input.getRank() << ", " << codes.getRank() << " and "
           << scales.getRank();
  Type element = input.getElementType();
  if (!element.isF32() && !element.isBF16())
    return emitOpError("expected f32 or bf16 values, got ") << element;
  if (!isa<Float8E4M3FNType>(codes.getElementType()) ||
      !scales.getElementType().isF32())
    return emitOpError("expected f8E4M3FN codes and f32 scales, got ")
           << codes.getElementType() << " and " << scales.getElementType();
  return success();
}
