//===- ExpandTensors.cpp - Scaled tensors become codes and scales ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A one-to-many conversion: nothing below it sees !fp8.tensor. Codes come
// first, scales second, everywhere.
//
//===----------------------------------------------------------------------===//

#include "fp8/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_EXPANDTENSORSPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// An uninitialised tensor of the shape of `like`.
static Value createEmptyLike(OpBuilder &b, Location loc, Value like,
                             Type element) {
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 element);
}

static Value createTranspose(OpBuilder &b, Location loc, Value value,
                             ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> sizes =
      applyPermutation(tensor::getMixedSizes(b, loc, value), permutation);
  Value init = tensor::EmptyOp::create(b, loc, sizes,
                                       getElementTypeOrSelf(value.getType()));
  return linalg::TransposeOp::create(b, loc, value, init, permutation)
      ->getResult(0);
}

/// A box at static offsets, unit strides.
static Value createSlice(OpBuilder &b, Location loc, Value value,
                         ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, loc, value, getAsIndexOpFoldResult(b.getContext(), offsets),
      getAsIndexOpFoldResult(b.getContext(), sizes), strides);
}

namespace {
struct ExpandQuantize final : OpConversionPattern<QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(QuantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getResult().getType().getScale().isPerTensor())
      return rewriter.notifyMatchFailure(op, "block scales");
    Location loc = op.getLoc();
    Value init = createEmptyLike(rewriter, loc, adaptor.getInput()[0],
                                 op.getResult().getType().getStorageType());
    auto quantize = ScaledQuantizeOp::create(
        rewriter, loc, TypeRange(init.getType()), adaptor.getInput()[0],
        op.getDivide() ? adaptor.getScale()[0] : adaptor.getMultiplier()[0],
        init, op.getSaturateAttr(), op.getDivideAttr());
    quantize->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOpWithMultiple(
        op, {{quantize->getResult(0), adaptor.getScale()[0]}});
    return success();
  }
};

struct ExpandDequantize final : OpConversionPattern<DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getInput().getType().getScale().isPerTensor())
      return rewriter.notifyMatchFailure(op, "block scales");
    ValueRange input = adaptor.getInput();
    Value init = createEmptyLike(rewriter, op.getLoc(), input[0],
                                 op.getInput().getType().getExpressedType());
    rewriter.replaceOpWithNewOp<ScaledDequantizeOp>(
        op, TypeRange(init.getType()), input[0], input[1], init);
    return success();
  }
};

struct ExpandContract final : OpConversionPattern<ContractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ContractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs()[0], rhs = adaptor.getRhs()[0];
    bool scaled = adaptor.getLhs().size() == 2;
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t first = type.getRank() - 2;
    SmallVector<OpFoldResult> sizes;
    if (first == 1)
      sizes.push_back(tensor::getMixedSize(rewriter, loc, lhs, 0));
    sizes.push_back(
        tensor::getMixedSize(rewriter, loc, lhs, first + op.getTransposeLhs()));
    sizes.push_back(tensor::getMixedSize(rewriter, loc, rhs,
                                         first + 1 - op.getTransposeRhs()));
    Value init =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    if (init.getType() != type)
      init = tensor::CastOp::create(rewriter, loc, type, init);
    auto contract = ScaledContractOp::create(
        rewriter, loc, TypeRange(type), lhs, rhs,
        scaled ? adaptor.getLhs()[1] : Value(),
        scaled ? adaptor.getRhs()[1] : Value(), init, op.getAccumulationAttr(),
        op.getTransposeLhsAttr(), op.getTransposeRhsAttr());
    contract->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, contract->getResults());
    return success();
  }
};

struct ExpandTranspose final : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange input = adaptor.getInput();
    ArrayRef<int64_t> permutation = op.getPermutation();
    Value codes = createTranspose(rewriter, op.getLoc(), input[0], permutation);
    Value scales = input[1];
    if (!op.getInput().getType().getScale().isPerTensor())
      scales = createTranspose(rewriter, op.getLoc(), scales, permutation);
    rewriter.replaceOpWithMultiple(op, {{codes, scales}});
    return success();
  }
};

struct ExpandReshape final : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReshapeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange input = adaptor.getInput();
    RankedTensorType type = op.getResult().getType().getCodesType();
    // Static extents, and what is left for the dynamic one.
    Value total = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t i = 0; i < op.getInput().getType().getRank(); ++i)
      total = arith::MulIOp::create(
          rewriter, loc, total,
          tensor::DimOp::create(rewriter, loc, input[0], i));
    int64_t known = 1;
    for (int64_t dim : type.getShape())
      known *= ShapedType::isDynamic(dim) ? 1 : std::max<int64_t>(dim, 1);
    SmallVector<Value> sizes;
    for (int64_t dim : type.getShape()) {
      bool dynamic = ShapedType::isDynamic(dim);
      Value extent =
          arith::ConstantIndexOp::create(rewriter, loc, dynamic ? known : dim);
      sizes.push_back(
          dynamic
              ? arith::DivUIOp::create(rewriter, loc, total, extent).getResult()
              : extent);
    }
    Value shape = tensor::FromElementsOp::create(rewriter, loc, sizes);
    Value codes =
        tensor::ReshapeOp::create(rewriter, loc, type, input[0], shape);
    rewriter.replaceOpWithMultiple(op, {{codes, input[1]}});
    return success();
  }
};

struct ExpandExtractSlice final : OpConversionPattern<ExtractSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ExtractSliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange input = adaptor.getInput();
    Location loc = op.getLoc();
    ScaleAttr scale = op.getInput().getType().getScale();
    Value codes =
        createSlice(rewriter, loc, input[0], op.getOffsets(), op.getSizes());
    Value scales = input[1];
    if (!scale.isPerTensor()) {
      SmallVector<int64_t> offsets;
      for (auto [offset, block] :
           llvm::zip_equal(op.getOffsets(), scale.getBlock()))
        offsets.push_back(block == ScaleAttr::kWhole ? 0 : offset / block);
      scales = createSlice(rewriter, loc, scales, offsets,
                           scale.getScaleShape(op.getSizes()));
    }
    rewriter.replaceOpWithMultiple(op, {{codes, scales}});
    return success();
  }
};

struct ExpandPack final : OpConversionPattern<PackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PackOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, {{adaptor.getCodes()[0], adaptor.getScales()[0]}});
    return success();
  }
};

struct ExpandUnpack final : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UnpackOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

struct ExpandTensorsPass final
    : fp8::impl::ExpandTensorsPassBase<ExpandTensorsPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    WalkResult blocks = getOperation().walk([](Operation *op) {
      if (!isa<QuantizeOp, DequantizeOp, ContractOp>(op))
        return WalkResult::advance();
      for (Type type : llvm::concat<const Type>(op->getOperandTypes(),
                                                op->getResultTypes()))
        if (auto scaled = dyn_cast<ScaledTensorType>(type);
            scaled && !scaled.getScale().isPerTensor()) {
          op->emitError("expected one scale per tensor, got ")
              << type << ": block scales have no lowering";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (blocks.wasInterrupted())
      return signalPassFailure();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](ScaledTensorType type, SmallVectorImpl<Type> &types) {
          types.push_back(type.getCodesType());
          types.push_back(type.getScalesType());
          return success();
        });
    ConversionTarget target(*context);
    auto isLegal = [&](Operation *op) { return converter.isLegal(op); };
    target.markUnknownOpDynamicallyLegal(isLegal);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.addDynamicallyLegalDialect<FP8Dialect>([&](Operation *op) {
      return !isa<ContractOp, QuantizeOp, DequantizeOp, PackOp, UnpackOp>(op) &&
             converter.isLegal(op);
    });
    RewritePatternSet patterns(context);
    patterns
        .add<ExpandQuantize, ExpandDequantize, ExpandContract, ExpandTranspose,
             ExpandReshape, ExpandExtractSlice, ExpandPack, ExpandUnpack>(
            converter, context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
