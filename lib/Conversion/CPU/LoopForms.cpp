//===- LoopForms.cpp - Shapes of loops that every backend agrees on -------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of a sum depends on the op alone: nothing here asks for a machine.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fp8;

/// The neutral element of a combiner, or null. For a float sum it is -0.0,
/// since +0.0 would turn a sum of negative zeros into +0.0.
static TypedAttr neutralElement(Operation *combiner, Type type, Builder &b) {
  const llvm::fltSemantics *fp =
      isa<FloatType>(type) ? &cast<FloatType>(type).getFloatSemantics()
                           : nullptr;
  if (isa<arith::AddFOp>(combiner))
    return b.getFloatAttr(type, APFloat::getZero(*fp, /*Negative=*/true));
  if (isa<arith::MaximumFOp>(combiner))
    return b.getFloatAttr(type, APFloat::getInf(*fp, /*Negative=*/true));
  if (isa<arith::MinimumFOp>(combiner))
    return b.getFloatAttr(type, APFloat::getInf(*fp));
  if (isa<arith::AddIOp, arith::OrIOp, arith::MaxUIOp>(combiner) &&
      type.isInteger())
    return b.getIntegerAttr(type, 0);
  return {};
}

std::optional<LaneCombiner>
mlir::fp8::matchLaneReduction(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics())
    return std::nullopt;
  unsigned innermost = op.getNumLoops() - 1;
  if (op.getIteratorTypesArray()[innermost] != utils::IteratorType::reduction)
    return std::nullopt;
  // Several inputs of which none has all dimensions: a contraction. The order
  // of dimensions in an input does not matter: fusion replaces inputs by others
  // in another layout and must not change a sum.
  if (op.getNumDpsInputs() > 1 &&
      llvm::none_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isPermutation(); }))
    return std::nullopt;
  Block *body = op.getBody();
  BlockArgument acc = body->getArguments().back();
  if (!acc.hasOneUse())
    return std::nullopt;
  Operation *combiner = *acc.user_begin();
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      body->getTerminator()->getOperand(0) != combiner->getResult(0))
    return std::nullopt;
  Builder builder(op.getContext());
  TypedAttr identity = neutralElement(combiner, acc.getType(), builder);
  if (!identity)
    return std::nullopt;
  return LaneCombiner{combiner, identity};
}

static bool isContiguous(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getLayout().isIdentity() && type.hasStaticShape();
}

linalg::GenericOp mlir::fp8::flattenElementwise(RewriterBase &rewriter,
                                                linalg::GenericOp op) {
  bool flat = op.isAllParallelLoops() && op.getNumLoops() > 1 &&
              !op.hasIndexSemantics() &&
              llvm::all_of(op->getOperands(), isContiguous) &&
              llvm::all_of(op.getIndexingMapsArray(),
                           [](AffineMap map) { return map.isIdentity(); });
  if (!flat)
    return op;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, op.getNumLoops()));
  for (Value operand : op->getOperands())
    operands.push_back(memref::CollapseShapeOp::create(
        rewriter, op.getLoc(), operand, ReassociationIndices(all)));
  unsigned inputs = op.getNumDpsInputs();
  SmallVector<AffineMap> maps(operands.size(),
                              rewriter.getMultiDimIdentityMap(1));
  auto result =
      linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(),
                                ValueRange(operands).take_front(inputs),
                                ValueRange(operands).drop_front(inputs), maps,
                                ArrayRef{utils::IteratorType::parallel});
  rewriter.inlineRegionBefore(op.getRegion(), result.getRegion(),
                              result.getRegion().begin());
  rewriter.eraseOp(op);
  return result;
}

MarkedOperands mlir::fp8::getMarkedOperands(linalg::GenericOp op) {
  MarkedOperands parts;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [input, map] : llvm::zip(op.getInputs(), maps)) {
    if (map.getNumResults() == 0) {
      parts.scales.push_back(input);
      continue;
    }
    parts.matrices.push_back(input);
    parts.maps.push_back(map);
  }
  if (parts.matrices.size() == 1) {
    parts.matrices.push_back(parts.matrices[0]);
    parts.maps.push_back(parts.maps[0]);
  }
  if (parts.scales.size() == 1)
    parts.scales.push_back(parts.scales[0]);
  parts.matrices.push_back(op.getOutputs()[0]);
  parts.maps.push_back(maps.back());
  return parts;
}

std::optional<::fp8::numerics::ElementKind>
mlir::fp8::getElementKind(Type type) {
  using ::fp8::numerics::ElementKind;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isBF16())
    return ElementKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::E5M2;
  return std::nullopt;
}
