//===- SizeExprs.cpp - Sizes as expressions of arguments ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's reification makes new operations and knows no loops; this only
// looks. Divisions of either kind are the same where nothing is negative.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/SizeExprs.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fp8;

SizeExprs::SizeExprs(func::FuncOp func) : func(func) {
  auto add = [&](BlockArgument argument, int64_t dim) {
    known[{argument, dim}] =
        getAffineSymbolExpr(symbols.size(), func.getContext());
    symbols.emplace_back(argument, dim);
  };
  for (BlockArgument argument : func.getArguments()) {
    if (argument.getType().isIndex())
      add(argument, -1);
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || !type.hasRank())
      continue;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        add(argument, dim);
  }
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Whether `expr` has sums, products and divisions of sizes only: a difference
/// may be negative.
static bool isNotNegative(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  if (isa<AffineSymbolExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary && isNotNegative(binary.getLHS()) &&
         isNotNegative(binary.getRHS());
}

/// What an operation on indices computes, or null.
AffineExpr SizeExprs::arithmetic(Operation *op) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return get(op->getOperand(0));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> dims, operands;
    for (Value operand : apply.getMapOperands()) {
      operands.push_back(get(operand));
      if (!operands.back())
        return {};
    }
    AffineMap map = apply.getAffineMap();
    dims.assign(operands.begin(), operands.begin() + map.getNumDims());
    operands.erase(operands.begin(), operands.begin() + map.getNumDims());
    return map.getResult(0).replaceDimsAndSymbols(dims, operands);
  }
  if (op->getNumOperands() != 2 ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
           arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
           arith::CeilDivUIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return {};
  AffineExpr lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (isa<arith::MulIOp>(op))
    return multiplySizes({lhs, rhs}, op->getContext());
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  if (!divisor || divisor.getValue() < 1)
    return {};
  // Those of an affine expression round towards minus infinity.
  if (!isa<arith::FloorDivSIOp, arith::CeilDivSIOp>(op) && !isNotNegative(lhs))
    return {};
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return lhs % rhs;
  return isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op) ? lhs.ceilDiv(rhs)
                                                         : lhs.floorDiv(rhs);
}

AffineExpr SizeExprs::get(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, func.getContext());
  auto value = dyn_cast<Value>(index);
  if (!value)
    return {};
  auto found = known.find({value, -1});
  if (found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  AffineExpr expr;
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    if (std::optional<int64_t> which = getConstantIntValue(dim.getDimension()))
      expr = getSize(dim.getShapedValue(), static_cast<unsigned>(*which));
  } else {
    expr = arithmetic(op);
  }
  known[{value, -1}] = expr;
  return expr;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The dimension of the source of a slice that its dimension `dim` is.
static unsigned undropped(const llvm::SmallBitVector &dropped, unsigned dim) {
  for (unsigned source = 0;; ++source)
    if (!dropped.test(source) && dim-- == 0)
      return source;
}

/// The size of what a loop carries from `init` on, if no iteration changes it.
AffineExpr SizeExprs::carriedSize(Value init, Value yielded,
                                  BlockArgument carried, unsigned dim) {
  auto key = std::pair<Value, int64_t>(carried, dim);
  AffineExpr size = getSize(init, dim);
  known[key] = size; // what the body makes of it is compared with it
  if (!size || getSize(yielded, dim) == size)
    return size;
  return known[key] = AffineExpr();
}

AffineExpr SizeExprs::getSize(Value shaped, unsigned dim) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.hasRank() || dim >= type.getRank())
    return {};
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), func.getContext());
  auto key = std::pair<Value, int64_t>(shaped, dim);
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  AffineExpr size;
  if (auto argument = dyn_cast<BlockArgument>(shaped)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr)
      size = carriedSize(init->get(),
                         loop.getTiedLoopYieldedValue(argument)->get(),
                         argument, dim);
  } else {
    size = computeSize(cast<OpResult>(shaped), dim);
  }
  return known[key] = size;
}

AffineExpr SizeExprs::computeSize(OpResult shaped, unsigned dim) {
  Operation *op = shaped.getDefiningOp();
  auto type = cast<ShapedType>(shaped.getType());
  auto dynamic = [&](ValueRange operands) {
    return get(operands[llvm::count_if(type.getShape().take_front(dim),
                                       ShapedType::isDynamic)]);
  };
  auto product = [&](ArrayRef<int64_t> dims) -> AffineExpr {
    SmallVector<AffineExpr> factors;
    for (int64_t d : dims) {
      factors.push_back(getSize(op->getOperand(0), d));
      if (!factors.back())
        return {};
    }
    return multiplySizes(factors, op->getContext());
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return dynamic(empty.getDynamicSizes());
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return dynamic(alloc.getDynamicSizes());
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return dynamic(view.getSizes());
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return get(cast.getMixedSizes()[dim]);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return get(slice.getMixedSizes()[undropped(slice.getDroppedDims(), dim)]);
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    return get(slice.getMixedSizes()[undropped(slice.getDroppedDims(), dim)]);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return product(collapse.getReassociationIndices()[dim]);
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    return product(collapse.getReassociationIndices()[dim]);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[dim]);
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[dim]);
  if (auto styled = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(styled.getTiedOpOperand(shaped)->get(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getSize(loop.getTiedLoopRegionIterArg(shaped), dim);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = shaped.getResultNumber();
    return both(getSize(branch.thenYield().getOperand(number), dim),
                getSize(branch.elseYield().getOperand(number), dim));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return both(getSize(select.getTrueValue(), dim),
                getSize(select.getFalseValue(), dim));
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    AffineExpr low = get(pad.getMixedLowPad()[dim]),
               high = get(pad.getMixedHighPad()[dim]),
               inside = getSize(pad.getSource(), dim);
    return low && high && inside ? low + inside + high : AffineExpr();
  }
  bool isSame = isa<tensor::CastOp, memref::CastOp>(op) ||
                op->hasTrait<OpTrait::Elementwise>();
  return isSame ? getSize(op->getOperand(0), dim) : AffineExpr();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static void addFactors(AffineExpr expr, int64_t &constant,
                       SmallVectorImpl<AffineExpr> &factors) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant *= number.getValue();
  } else if (expr.getKind() == AffineExprKind::Mul) {
    auto product = cast<AffineBinaryOpExpr>(expr);
    addFactors(product.getLHS(), constant, factors);
    addFactors(product.getRHS(), constant, factors);
  } else {
    factors.push_back(expr);
  }
}

AffineExpr mlir::fp8::multiplySizes(ArrayRef<AffineExpr> factors,
                                    MLIRContext *context) {
  int64_t constant = 1;
  SmallVector<AffineExpr> all;
  for (AffineExpr factor : factors)
    addFactors(factor, constant, all);
  auto text = [](AffineExpr expr) {
    std::string printed;
    llvm::raw_string_ostream(printed) << expr;
    return printed;
  };
  llvm::sort(all,
             [&](AffineExpr a, AffineExpr b) { return text(a) < text(b); });
  AffineExpr product;
  for (AffineExpr factor : all)
    product = product ? product * factor : factor;
  return product ? product * constant
                 : getAffineConstantExpr(constant, context);
}

std::pair<int64_t, AffineExpr> mlir::fp8::splitFactor(AffineExpr product) {
  int64_t constant = 1;
  SmallVector<AffineExpr> factors;
  addFactors(product, constant, factors);
  return {constant, multiplySizes(factors, product.getContext())};
}

Value SizeExprs::materialize(AffineExpr expr) {
  Value &value = values[expr];
  if (value)
    return value;
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = func.getLoc();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return value = arith::ConstantIndexOp::create(b, loc, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return value = symbols[symbol.getPosition()].first;
  SmallVector<Value> operands;
  for (auto [argument, dim] : symbols)
    operands.push_back(argument);
  AffineMap map = AffineMap::get(0, symbols.size(), expr);
  return value = affine::AffineApplyOp::create(b, loc, map, operands);
}

Value SizeExprs::viewAs(OpBuilder &b, Location loc, Value base, MemRefType type,
                        ArrayRef<AffineExpr> sizes) {
  auto fold = [&](AffineExpr expr) -> OpFoldResult {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return b.getIndexAttr(constant.getValue());
    return materialize(expr);
  };
  SmallVector<OpFoldResult> shape, strides;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    shape.push_back(fold(size));
    strides.push_back(
        fold(multiplySizes(sizes.drop_front(i + 1), func.getContext())));
  }
  return memref::ReinterpretCastOp::create(b, loc, type, base,
                                           b.getIndexAttr(0), shape, strides);
}
