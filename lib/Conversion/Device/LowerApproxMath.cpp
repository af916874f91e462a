//===- LowerApproxMath.cpp - Marked functions to instructions of PTX ------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels only: what the host computes is exact. A function of narrow floats is
// that of f32, rounded once.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/ApproxMath.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICELOWERAPPROXMATH
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// Whether `op` is a scalar that may be approximate.
static bool isMarked(arith::ArithFastMathInterface op) {
  arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
  return flags &&
         arith::bitEnumContainsAll(flags.getValue(),
                                   arith::FastMathFlags::afn) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<FloatType>);
}

static void lower(Operation *op, const ApproxFunction &function) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(convertFloat(b, loc, operand, b.getF32Type()));
  Value result = function.build(b, loc, operands);
  op->getResult(0).replaceAllUsesWith(
      convertFloat(b, loc, result, op->getResult(0).getType()));
  op->erase();
}

namespace {
struct DeviceLowerApproxMath final
    : mlir::fp8::impl::DeviceLowerApproxMathBase<DeviceLowerApproxMath> {
  void runOnOperation() override {
    if (!getOperation()->hasAttr(kDeviceGridAttr))
      return;
    getOperation().walk([](arith::ArithFastMathInterface op) {
      if (!isMarked(op))
        return;
      if (const ApproxFunction *function = findApproxFunction(op))
        lower(op, *function);
    });
  }
};
} // namespace
