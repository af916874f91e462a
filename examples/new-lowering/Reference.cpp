//===- Reference.cpp - What the operation means ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three linalg operations: the amax of each row, its scale, the codes. The CPU
// path runs them, and every kernel is compared with them.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "fp8/Conversion/FP8ToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

static Value constant(OpBuilder &b, Location loc, float value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}

/// Widens bf16; exact.
static Value widen(OpBuilder &b, Location loc, Value x) {
  if (x.getType().isF32())
    return x;
  return arith::ExtFOp::create(b, loc, b.getF32Type(), x);
}

/// |x| where x is finite, else 0.
Value rows::buildMagnitude(OpBuilder &b, Location loc, Value x) {
  Value magnitude = math::AbsFOp::create(b, loc, widen(b, loc, x));
  Value infinity = constant(b, loc, std::numeric_limits<float>::infinity());
  Value finite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                       magnitude, infinity);
  return arith::SelectOp::create(b, loc, finite, magnitude,
                                 constant(b, loc, 0.0f));
}

/// Whether the row's scale is 1.
static Value isTiny(OpBuilder &b, Location loc, Value amax) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, amax,
                               constant(b, loc, 0x1p-100f));
}

Value rows::buildScale(OpBuilder &b, Location loc, Value amax) {
  Value scale = arith::DivFOp::create(b, loc, amax, constant(b, loc, 448.0f));
  return arith::SelectOp::create(b, loc, isTiny(b, loc, amax),
                                 constant(b, loc, 1.0f), scale);
}

Value rows::buildCode(OpBuilder &b, Location loc, Value x, Value amax,
                      Type code) {
  Value quotient =
      arith::DivFOp::create(b, loc, constant(b, loc, 448.0f), amax);
  Value multiplier = arith::SelectOp::create(b, loc, isTiny(b, loc, amax),
                                             constant(b, loc, 1.0f), quotient);
  Value scaled = arith::MulFOp::create(b, loc, widen(b, loc, x), multiplier);
  // Saturating and rounded to nearest even, as every cast of ours.
  Value bits = mlir::fp8::buildEncode(b, loc, scaled, code, /*saturate=*/true);
  return arith::BitcastOp::create(b, loc, code, bits);
}

/// Replaces `op` on tensors.
static void lower(rows::QuantizeOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  AffineExpr i = b.getAffineDimExpr(0);
  AffineMap matrix = b.getMultiDimIdentityMap(2);
  AffineMap perRow = AffineMap::get(2, 0, i);
  AffineMap vector = b.getMultiDimIdentityMap(1);
  auto parallel = utils::IteratorType::parallel;
  auto reduction = utils::IteratorType::reduction;
  Value input = op.getInput(), codes = op.getCodes(), scales = op.getScales();
  Type code = getElementTypeOrSelf(codes.getType());
  Value zero = constant(b, loc, 0.0f);
  Value start = linalg::FillOp::create(b, loc, zero, scales).getResult(0);
  Value amax = linalg::GenericOp::create(
                   b, loc, scales.getType(), input, start,
                   ArrayRef{matrix, perRow}, ArrayRef{parallel, reduction},
                   [&](OpBuilder &b, Location loc, ValueRange args) {
                     Value magnitude = rows::buildMagnitude(b, loc, args[0]);
                     Value most =
                         arith::MaximumFOp::create(b, loc, magnitude, args[1]);
                     linalg::YieldOp::create(b, loc, most);
                   })
                   .getResult(0);
  Value scale =
      linalg::GenericOp::create(
          b, loc, scales.getType(), amax, scales, ArrayRef{vector, vector},
          ArrayRef{parallel},
          [&](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc, rows::buildScale(b, loc, args[0]));
          })
          .getResult(0);
  Value quantized =
      linalg::GenericOp::create(
          b, loc, codes.getType(), ValueRange{input, amax}, codes,
          ArrayRef{matrix, perRow, matrix}, ArrayRef{parallel, parallel},
          [&](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(
                b, loc, rows::buildCode(b, loc, args[0], args[1], code));
          })
          .getResult(0);
  op.replaceAllUsesWith(ValueRange{quantized, scale});
  op.erase();
}

namespace {
struct ToLinalg final : PassWrapper<ToLinalg, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToLinalg)
  StringRef getArgument() const override { return "rows-to-linalg"; }
  StringRef getDescription() const override {
    return "What rows operations mean, as linalg";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect>();
  }
  void runOnOperation() override {
    SmallVector<rows::QuantizeOp> ops;
    getOperation().walk([&](rows::QuantizeOp op) {
      if (!op->hasAttr(rows::kKernelAttr) && op.getNumResults() == 2)
        ops.push_back(op);
    });
    llvm::for_each(ops, lower);
  }
};
} // namespace

std::unique_ptr<Pass> rows::createToLinalgPass() {
  return std::make_unique<ToLinalg>();
}
