//===- ScaledOps.cpp - Scaled ops to linalg -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantize, dequantize, amax and contract on builtin tensors.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Numerics/Accumulate.h"
#include "fp8/Numerics/Amax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fp8;
namespace numerics = ::fp8::numerics;

namespace {
struct LowerQuantize final : OpRewritePattern<ScaledQuantizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaledQuantizeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Type storage = getElementTypeOrSelf(op.getInit().getType());
    bool saturate = op.getSaturate();
    rewriter.replaceOp(
        op,
        buildElementwise(
            rewriter, op.getLoc(), {op.getInput(), op.getFactor()},
            op.getInit(), storage,
            [&](OpBuilder &b, Location loc, ValueRange args) {
              Value x = convertFloat(b, loc, args[0], b.getF32Type());
              Value scaled =
                  op.getDivide()
                      ? arith::DivFOp::create(b, loc, x, args[1]).getResult()
                      : arith::MulFOp::create(b, loc, x, args[1]);
              Value code = buildEncode(b, loc, scaled, storage, saturate);
              return SmallVector<Value>{
                  arith::BitcastOp::create(b, loc, storage, code)};
            }));
    return success();
  }
};

struct LowerDequantize final : OpRewritePattern<ScaledDequantizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaledDequantizeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Type storage = getElementTypeOrSelf(op.getCodes().getType());
    Type element = getElementTypeOrSelf(op.getInit().getType());
    rewriter.replaceOp(
        op,
        buildElementwise(
            rewriter, op.getLoc(), {op.getCodes(), op.getScale()}, op.getInit(),
            element, [&](OpBuilder &b, Location loc, ValueRange args) {
              Value code =
                  arith::BitcastOp::create(b, loc, b.getI8Type(), args[0]);
              Value value = buildDecode(b, loc, code, storage);
              Value scaled = arith::MulFOp::create(b, loc, value, args[1]);
              return SmallVector<Value>{convertFloat(b, loc, scaled, element)};
            }));
    return success();
  }
};

/// Magnitudes of finite floats compare like their bits, so the reduction is one
/// of integers, whose order does not matter.
struct LowerAmax final : OpRewritePattern<AmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AmaxOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getBlock())
      return rewriter.notifyMatchFailure(op, "one amax per block");
    Location loc = op.getLoc();
    Value bits = reduce(op, rewriter, rewriter.getI32Type(), finiteBits);
    Value flags = reduce(op, rewriter, rewriter.getI8Type(), flagBits);
    SmallVector<Value> amax =
        buildElementwise(rewriter, loc, bits, bits, rewriter.getF32Type(),
                         [](OpBuilder &b, Location loc, ValueRange args) {
                           return SmallVector<Value>{arith::BitcastOp::create(
                               b, loc, b.getF32Type(), args[0])};
                         });
    rewriter.replaceOp(op, {amax[0], flags});
    return success();
  }

private:
  using Combine = Value (*)(OpBuilder &b, Location loc, Value magnitude,
                            Value acc);

  static Value infinity(OpBuilder &b, Location loc) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0x7f800000));
  }

  /// max(acc, magnitude if finite else 0)
  static Value finiteBits(OpBuilder &b, Location loc, Value magnitude,
                          Value acc) {
    Value finite = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         magnitude, infinity(b, loc));
    Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    Value seen = arith::SelectOp::create(b, loc, finite, magnitude, zero);
    return arith::MaxUIOp::create(b, loc, acc, seen);
  }

  /// acc | NaN bit | infinity bit
  static Value flagBits(OpBuilder &b, Location loc, Value magnitude,
                        Value acc) {
    auto bit = [&](int value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(value));
    };
    Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                        magnitude, infinity(b, loc));
    Value isInf = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        magnitude, infinity(b, loc));
    Value flag =
        arith::SelectOp::create(b, loc, isInf, bit(numerics::AmaxInf), bit(0));
    flag = arith::SelectOp::create(b, loc, isNaN, bit(numerics::AmaxNaN), flag);
    return arith::OrIOp::create(b, loc, acc, flag);
  }

  static Value reduce(AmaxOp op, PatternRewriter &rewriter, Type element,
                      Combine combine) {
    Location loc = op.getLoc();
    auto rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getIntegerAttr(element, 0));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, ArrayRef<int64_t>{}, element);
    Value init =
        linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    AffineMap maps[] = {rewriter.getMultiDimIdentityMap(rank),
                        AffineMap::get(rank, 0, rewriter.getContext())};
    SmallVector<utils::IteratorType> loops(rank,
                                           utils::IteratorType::reduction);
    return linalg::GenericOp::create(
               rewriter, loc, init.getType(), op.getInput(), init, maps, loops,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Value x = convertFloat(b, loc, args[0], b.getF32Type());
                 Value bits =
                     arith::BitcastOp::create(b, loc, b.getI32Type(), x);
                 Value mask = arith::ConstantOp::create(
                     b, loc, b.getI32IntegerAttr(0x7fffffff));
                 Value magnitude = arith::AndIOp::create(b, loc, bits, mask);
                 linalg::YieldOp::create(b, loc,
                                         combine(b, loc, magnitude, args[1]));
               })
        .getResult(0);
  }
};

/// The marked generic that the CPU kernel runs. Its body is one step of the
/// sequential model; the attribute holds the model that counts.
struct LowerContract final : OpRewritePattern<ScaledContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaledContractOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    SmallVector<Value> inputs{op.getLhs(), op.getRhs()};
    SmallVector<AffineMap> maps = indexingMaps(op, rewriter);
    if (op.getLhsScale()) {
      inputs.append({op.getLhsScale(), op.getRhsScale()});
      AffineMap scalar =
          AffineMap::get(maps[0].getNumDims(), 0, rewriter.getContext());
      maps.insert(maps.begin() + 2, {scalar, scalar});
    }
    SmallVector<utils::IteratorType> loops(maps[0].getNumDims(),
                                           utils::IteratorType::parallel);
    loops.back() = utils::IteratorType::reduction;
    auto generic =
        linalg::GenericOp::create(rewriter, op.getLoc(), op.getInit().getType(),
                                  inputs, op.getInit(), maps, loops, buildStep);
    for (NamedAttribute attr : op->getDiscardableAttrs())
      generic->setAttr(attr.getName(), attr.getValue());
    generic->setAttr(kCPUContractAttr,
                     modelAttr(op.getContext(), op.getAccumulation()));
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }

private:
  /// [batch,] m, n, k with the storage orders of the op.
  static SmallVector<AffineMap> indexingMaps(ScaledContractOp op,
                                             OpBuilder &builder) {
    auto rank = cast<RankedTensorType>(op.getLhs().getType()).getRank();
    unsigned batch = rank - 2, dims = batch + 3;
    SmallVector<AffineExpr> d;
    for (unsigned i = 0; i < dims; ++i)
      d.push_back(builder.getAffineDimExpr(i));
    AffineExpr m = d[batch], n = d[batch + 1], k = d[batch + 2];
    auto map = [&](AffineExpr row, AffineExpr col, bool transpose) {
      SmallVector<AffineExpr> exprs(d.begin(), d.begin() + batch);
      exprs.push_back(transpose ? col : row);
      exprs.push_back(transpose ? row : col);
      return AffineMap::get(dims, 0, exprs, builder.getContext());
    };
    return {map(m, k, op.getTransposeLhs()), map(k, n, op.getTransposeRhs()),
            map(m, n, false)};
  }

  static void buildStep(OpBuilder &b, Location loc, ValueRange args) {
    auto widen = [&](Value v) -> Value {
      return convertFloat(b, loc, v, b.getF32Type());
    };
    // One after the other: the order of arguments is the compiler's.
    Value lhs = widen(args[0]);
    Value rhs = widen(args[1]);
    Value product = arith::MulFOp::create(b, loc, lhs, rhs);
    if (args.size() == 5) {
      Value scale = arith::MulFOp::create(b, loc, args[2], args[3]);
      product = arith::MulFOp::create(b, loc, product, scale);
    }
    Value sum = arith::AddFOp::create(b, loc, widen(args.back()), product);
    linalg::YieldOp::create(b, loc,
                            convertFloat(b, loc, sum, args.back().getType()));
  }

  /// Without an attribute, as `auto` without a target: sequential f32.
  static Attribute modelAttr(MLIRContext *context,
                             std::optional<AccumAttr> given) {
    AccumAttr accum =
        given ? *given : AccumAttr::get(context, AccumModel::Auto);
    auto kind = [&] {
      switch (accum.getModel()) {
      case AccumModel::Hopper:
        return numerics::AccumKind::Hopper;
      case AccumModel::Ada:
        return numerics::AccumKind::Ada;
      case AccumModel::Blackwell:
        return numerics::AccumKind::Blackwell;
      case AccumModel::Auto: // without a target
      case AccumModel::SeqF32:
        return numerics::AccumKind::SeqF32;
      }
      llvm_unreachable("all models are covered");
    }();
    SmallVector<int64_t> words{static_cast<int64_t>(kind), accum.getPromote()};
    llvm::append_range(words, accum.getSplit());
    return DenseI64ArrayAttr::get(context, words);
  }
};
} // namespace

void mlir::fp8::populateScaledOpPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerQuantize, LowerDequantize, LowerAmax, LowerContract>(
      patterns.getContext());
}
