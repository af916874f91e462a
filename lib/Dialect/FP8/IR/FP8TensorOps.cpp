//===- FP8TensorOps.cpp - Operations on scaled tensors --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "ContractShape.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Quantize, dequantize
//===----------------------------------------------------------------------===//

LogicalResult QuantizeOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  ScaledTensorType result = getResult().getType();
  // quantize_c1
  if (failed(verifyCompatibleShape(input.getShape(), result.getShape())))
    return emitOpError("expected input and result of one shape, got ")
           << input << " and " << result;
  // quantize_c2
  if (input.getElementType() != result.getExpressedType())
    return emitOpError("expected an input of the expressed type ")
           << result.getExpressedType() << ", got " << input.getElementType();
  // quantize_c3
  auto scales = cast<RankedTensorType>(getMultiplier().getType());
  if (failed(verifyCompatibleShape(scales.getShape(),
                                   result.getScalesType().getShape())))
    return emitOpError("expected multiplier and scale of shape ")
           << result.getScalesType() << ", got " << scales;
  return success();
}

LogicalResult DequantizeOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  types.push_back(cast<ScaledTensorType>(adaptor.getInput().getType())
                      .getExpressedTensorType());
  return success();
}

//===----------------------------------------------------------------------===//
// Contract
//===----------------------------------------------------------------------===//

LogicalResult
mlir::fp8::verifyContractShape(Operation *op, ArrayRef<int64_t> lhs,
                               ArrayRef<int64_t> rhs, ArrayRef<int64_t> result,
                               bool transposeLhs, bool transposeRhs,
                               AccumAttr accumulation) {
  size_t rank = lhs.size();
  if ((rank != 2 && rank != 3) || rhs.size() != rank || result.size() != rank)
    return op->emitOpError("expected operands and result of rank 2, or all of "
                           "rank 3, got ranks ")
           << rank << ", " << rhs.size() << " and " << result.size();
  auto agree = [](int64_t a, int64_t b) {
    return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
  };
  size_t first = rank - 2;
  int64_t m = lhs[first + transposeLhs], lhsK = lhs[first + 1 - transposeLhs];
  int64_t rhsK = rhs[first + transposeRhs], n = rhs[first + 1 - transposeRhs];
  if (!agree(lhsK, rhsK))
    return op->emitOpError("expected one k in both operands, got ")
           << lhsK << " and " << rhsK;
  bool sameBatch =
      rank == 2 || (agree(lhs[0], rhs[0]) && agree(lhs[0], result[0]) &&
                    agree(rhs[0], result[0]));
  if (!sameBatch || !agree(m, result[first]) || !agree(n, result[first + 1]))
    return op->emitOpError("expected a result of shape ")
           << (rank == 3 ? "batch x m x n" : "m x n")
           << " as the operands say, got m = " << result[first]
           << ", n = " << result[first + 1] << " for m = " << m
           << ", n = " << n;
  ArrayRef<int64_t> split = accumulation.getSplit();
  int64_t k = ShapedType::isDynamic(lhsK) ? rhsK : lhsK;
  if (!split.empty() && !ShapedType::isDynamic(k) && split.back() >= k)
    return op->emitOpError("expected split boundaries below k = ")
           << k << ", got " << split.back();
  return success();
}

/// Shape of a contraction operand, scaled or plain.
static ArrayRef<int64_t> getOperandShape(Value value) {
  if (auto scaled = dyn_cast<ScaledTensorType>(value.getType()))
    return scaled.getShape();
  return cast<RankedTensorType>(value.getType()).getShape();
}

LogicalResult ContractOp::verify() {
  // contract_c1, contract_c2, contract_c3, contract_c7
  if (failed(verifyContractShape(
          *this, getOperandShape(getLhs()), getOperandShape(getRhs()),
          cast<RankedTensorType>(getResult().getType()).getShape(),
          getTransposeLhs(), getTransposeRhs(), getAccumulationOrAuto())))
    return failure();
  auto lhs = dyn_cast<ScaledTensorType>(getLhs().getType());
  auto rhs = dyn_cast<ScaledTensorType>(getRhs().getType());
  // contract_c4
  if (bool(lhs) != bool(rhs) ||
      (!lhs && getElementTypeOrSelf(getLhs().getType()) !=
                   getElementTypeOrSelf(getRhs().getType())))
    return emitOpError("expected two scaled operands, or two plain ones of one "
                       "element type, got ")
           << getLhs().getType() << " and " << getRhs().getType();
  if (!lhs)
    return success();
  // contract_c5
  if (isa<Float8E5M2Type>(lhs.getStorageType()) &&
      isa<Float8E5M2Type>(rhs.getStorageType()))
    return emitOpError("expected at most one f8E5M2 operand, got two");
  // contract_c6
  for (ScaledTensorType type : {lhs, rhs})
    if (!type.getScale().isPerTensor())
      return emitOpError("expected per-tensor scales, got ") << type;
  return success();
}

namespace {
/// contract(transpose(a, [.., 1, 0]), b) -> contract(a, b) with the flag of
/// that operand flipped: the codes stay where they are.
struct FoldTransposeIntoContract final : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp lhs = getMatrixTranspose(op.getLhs());
    TransposeOp rhs = getMatrixTranspose(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs.getInput());
        op.setTransposeLhs(!op.getTransposeLhs());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs.getInput());
        op.setTransposeRhs(!op.getTransposeRhs());
      }
    });
    return success();
  }

  /// The transpose that makes `value`, if it swaps the last two dimensions
  /// only.
  static TransposeOp getMatrixTranspose(Value value) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose)
      return {};
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    int64_t rank = permutation.size();
    for (int64_t i = 0; i < rank - 2; ++i)
      if (permutation[i] != i)
        return {};
    bool swaps = permutation[rank - 2] == rank - 1;
    return swaps ? transpose : TransposeOp();
  }
};
} // namespace

void ContractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<FoldTransposeIntoContract>(context);
}

//===----------------------------------------------------------------------===//
// Transpose, reshape, extract_slice
//===----------------------------------------------------------------------===//

/// The type of `input` with its dimensions permuted; null if `permutation` is
/// none.
static ScaledTensorType getTransposedType(ScaledTensorType input,
                                          ArrayRef<int64_t> permutation) {
  if (static_cast<int64_t>(permutation.size()) != input.getRank() ||
      !isPermutationVector(permutation))
    return {};
  ScaleAttr scale = input.getScale();
  ScaleAttr permuted =
      ScaleAttr::get(scale.getContext(), scale.getElementType(),
                     applyPermutation(scale.getBlock(), permutation),
                     scale.getLayout(), scale.getPad(), scale.getPow2());
  return ScaledTensorType::get(applyPermutation(input.getShape(), permutation),
                               input.getStorageType(), input.getExpressedType(),
                               permuted);
}

static bool hasMovableScales(ScaledTensorType type) {
  return type.getScale().isPerTensor() ||
         type.getScale().getLayout() == ScaleLayout::Compact;
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<ScaledTensorType>(adaptor.getInput().getType());
  // transpose_c1
  ScaledTensorType result = getTransposedType(input, adaptor.getPermutation());
  if (!result)
    return emitOptionalError(loc, "expected a permutation of ", input.getRank(),
                             " dimensions");
  types.push_back(result);
  return success();
}

LogicalResult TransposeOp::verify() {
  // transpose_c2
  if (!hasMovableScales(getInput().getType()))
    return emitOpError("expected compact or per-tensor scales, got ")
           << getInput().getType();
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  // transpose(x, identity) -> x
  if (isIdentityPermutation(getPermutation()))
    return getInput();
  // transpose(transpose(x, p), inverse of p) -> x
  if (auto inner = getInput().getDefiningOp<TransposeOp>())
    if (isIdentityPermutation(
            applyPermutation(inner.getPermutation(), getPermutation())))
      return inner.getInput();
  return {};
}

LogicalResult ReshapeOp::verify() {
  ScaledTensorType input = getInput().getType(), result = getResult().getType();
  // reshape_c1
  for (ScaledTensorType type : {input, result})
    if (!type.getScale().isPerTensor())
      return emitOpError("expected per-tensor scales, got ") << type;
  // reshape_c2
  if (input.getStorageType() != result.getStorageType() ||
      input.getExpressedType() != result.getExpressedType() ||
      input.getScalesType() != result.getScalesType())
    return emitOpError("expected input and result to differ in shape only, "
                       "got ")
           << input << " and " << result;
  // reshape_c3
  RankedTensorType from = input.getCodesType(), to = result.getCodesType();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("expected one element count, got ")
           << from.getNumElements() << " and " << to.getNumElements();
  // reshape_c4
  if (to.getNumDynamicDims() > 1)
    return emitOpError("expected at most one dynamic dimension in the result, "
                       "got ")
           << to.getNumDynamicDims();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  // reshape(x) to the type of x -> x, if static: two dynamic dimensions of one
  // type need not be equal.
  ScaledTensorType type = getResult().getType();
  if (getInput().getType() == type && type.getCodesType().hasStaticShape())
    return getInput();
  // reshape(reshape(x)) to the type of x -> x
  if (auto inner = getInput().getDefiningOp<ReshapeOp>())
    if (inner.getInput().getType() == type &&
        type.getCodesType().hasStaticShape())
      return inner.getInput();
  return {};
}

LogicalResult ExtractSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  auto input = cast<ScaledTensorType>(adaptor.getInput().getType());
  // extract_slice_c1
  if (static_cast<int64_t>(adaptor.getOffsets().size()) != input.getRank() ||
      static_cast<int64_t>(adaptor.getSizes().size()) != input.getRank())
    return emitOptionalError(loc,
                             "expected one offset and one size for each "
                             "of ",
                             input.getRank(), " dimensions");
  for (int64_t size : adaptor.getSizes())
    if (size < 0)
      return emitOptionalError(loc, "expected sizes of at least 0, got ", size);
  types.push_back(
      ScaledTensorType::get(adaptor.getSizes(), input.getStorageType(),
                            input.getExpressedType(), input.getScale()));
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  ScaledTensorType input = getInput().getType();
  // extract_slice_c4
  if (!hasMovableScales(input))
    return emitOpError("expected compact or per-tensor scales, got ") << input;
  bool perTensor = input.getScale().isPerTensor();
  for (auto [offset, size, dim, block] :
       llvm::zip_equal(getOffsets(), getSizes(), input.getShape(),
                       input.getScale().getBlock())) {
    bool dynamic = ShapedType::isDynamic(dim);
    // extract_slice_c2
    if (offset < 0 || (!dynamic && offset + size > dim))
      return emitOpError("expected a box inside the tensor, got offset ")
             << offset << " and size " << size << " in a dimension of " << dim;
    if (perTensor)
      continue;
    // extract_slice_c3
    bool whole = offset == 0 && !dynamic && size == dim;
    bool atEdge = !dynamic && offset + size == dim;
    bool aligned = block != ScaleAttr::kWhole && offset % block == 0 &&
                   (size % block == 0 || atEdge);
    if (!whole && !aligned)
      return emitOpError("expected a box on block boundaries, got offset ")
             << offset << " and size " << size << " in a dimension of " << dim;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pack, unpack
//===----------------------------------------------------------------------===//

LogicalResult PackOp::verify() {
  ScaledTensorType result = getResult().getType();
  // pack_c1
  if (getCodes().getType() != result.getCodesType())
    return emitOpError("expected codes of type ")
           << result.getCodesType() << ", got " << getCodes().getType();
  // pack_c2
  if (getScales().getType() != result.getScalesType())
    return emitOpError("expected scales of type ")
           << result.getScalesType() << ", got " << getScales().getType();
  return success();
}

LogicalResult UnpackOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto input = cast<ScaledTensorType>(adaptor.getInput().getType());
  types.push_back(input.getCodesType());
  types.push_back(input.getScalesType());
  return success();
}

/// unpack(pack(codes, scales)) -> codes, scales.
LogicalResult UnpackOp::fold(FoldAdaptor,
                             SmallVectorImpl<OpFoldResult> &results) {
  auto pack = getInput().getDefiningOp<PackOp>();
  if (!pack)
    return failure();
  results.assign({pack.getCodes(), pack.getScales()});
  return success();
}
