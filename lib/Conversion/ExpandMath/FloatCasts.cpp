//===- FloatCasts.cpp - Casts to and from FP8 as arithmetic ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No machine has f8 casts that all others agree with: they become the bit
// manipulations that fp8.quantize is lowered to, without its scale.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/ExpandMath/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using mlir::fp8::convertFloat;

static bool isFP8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

namespace {
struct ExpandTruncF final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<FloatType>(op.getIn().getType());
    if (!from || !isFP8(op.getType()) || from.isF64() || isFP8(from))
      return failure();
    auto mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "another rounding");
    Location loc = op.getLoc();
    Value wide = convertFloat(rewriter, loc, op.getIn(), rewriter.getF32Type());
    Value code = mlir::fp8::buildEncode(rewriter, loc, wide, op.getType(),
                                        /*saturate=*/false);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code);
    return success();
  }
};

struct ExpandExtF final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    if (!isFP8(from))
      return failure();
    Location loc = op.getLoc();
    Value code = arith::BitcastOp::create(rewriter, loc, rewriter.getI8Type(),
                                          op.getIn());
    Value wide = mlir::fp8::buildDecode(rewriter, loc, code, from);
    rewriter.replaceOp(op, convertFloat(rewriter, loc, wide, op.getType()));
    return success();
  }
};
} // namespace

void mlir::fp8::populateExpandFloatCastPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTruncF, ExpandExtF>(patterns.getContext());
}
