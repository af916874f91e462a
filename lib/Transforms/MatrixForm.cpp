//===- MatrixForm.cpp - A contraction as [batch,] m, n, k -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions are collapsed in storage order wherever the contraction's order
// allows it, so that most operands are views; k dimensions keep the op's
// iterator order on both sides, since the order of summation is semantics.
//
//===----------------------------------------------------------------------===//

#include "MatrixForm.h"

#include "fp8/Transforms/NarrowOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::fp8;

/// Parts of a loop dimension that a collapse joined; 16 dimensions at most.
static constexpr uint64_t kPartBase = 16;

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// The tensor that `value` widens, if it does nothing but widen.
static Value getWidenedSource(Value value) {
  Operation *op = value.getDefiningOp();
  Value source = op ? getFloatCastSource(op) : Value();
  if (!source || elementOf(source).getIntOrFloatBitWidth() >=
                     elementOf(value).getIntOrFloatBitWidth())
    return {};
  return source;
}

/// One step back through a transpose: sets `axes` for its input.
static Value peelTranspose(Value value, SmallVector<Axis> &axes) {
  SmallVector<int64_t> permutation;
  Value input;
  if (auto op = value.getDefiningOp<linalg::TransposeOp>()) {
    permutation.assign(op.getPermutation().begin(), op.getPermutation().end());
    input = op.getInput();
  } else if (auto op = value.getDefiningOp<linalg::GenericOp>()) {
    if (getViewSource(op) == nullptr || op.getNumDpsInputs() != 1)
      return {};
    AffineMap in = op.getIndexingMapsArray()[0];
    AffineMap out = op.getIndexingMapsArray()[1];
    if (!in.isPermutation() || !out.isPermutation())
      return {};
    // Dimension i of the result is loop out(i); find the input dimension of it.
    for (AffineExpr expr : out.getResults())
      permutation.push_back(*in.getResultPosition(expr));
    input = op.getDpsInputs()[0];
  } else {
    return {};
  }
  SmallVector<Axis> moved(axes.size());
  for (auto [i, p] : llvm::enumerate(permutation))
    moved[p] = axes[i];
  axes = std::move(moved);
  return input;
}

/// One step back through a collapse: a joined dimension becomes its parts.
static Value peelCollapse(Value value, SmallVector<Axis> &axes) {
  auto op = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!op || op.getSrcType().getRank() >= static_cast<int64_t>(kPartBase) ||
      axes.empty())
    return {};
  SmallVector<Axis> split;
  for (auto [axis, group] : llvm::zip_equal(axes, op.getReassociationIndices()))
    for (size_t i = 0; i < group.size(); ++i)
      split.push_back({axis.loop, axis.part * kPartBase + i});
  axes = std::move(split);
  return op.getSrc();
}

TracedOperand mlir::fp8::traceOperand(RewriterBase &rewriter,
                                      const Contraction &c, bool lhs) {
  TracedOperand traced{(lhs ? c.lhs : c.rhs)->get(), {}};
  AffineMap map = lhs ? c.lhsMap : c.rhsMap;
  for (AffineExpr expr : map.getResults())
    traced.axes.push_back({cast<AffineDimExpr>(expr).getPosition(), 1});
  while (true) {
    Value next = getWidenedSource(traced.root);
    if (!next)
      next = peelTranspose(traced.root, traced.axes);
    if (!next)
      next = peelCollapse(traced.root, traced.axes);
    if (!next)
      break;
    traced.root = next;
  }
  // A slice or broadcast of something widened: take the view of the narrow one.
  NarrowedOperand narrow = narrowOperand(traced.root);
  if (narrow.elementType.getIntOrFloatBitWidth() <
      elementOf(traced.root).getIntOrFloatBitWidth()) {
    rewriter.setInsertionPointAfterValue(traced.root);
    traced.root = buildNarrowOperand(rewriter, narrow);
  }
  return traced;
}

MatrixLayout mlir::fp8::getMatrixLayout(const Contraction &c,
                                        ArrayRef<Axis> axes,
                                        ArrayRef<unsigned> rows) {
  // Rank of an axis in the wanted order; parts of one loop dimension ascend.
  auto positions = [&](ArrayRef<unsigned> loops) {
    SmallVector<int64_t> result;
    for (unsigned loop : loops) {
      SmallVector<std::pair<uint64_t, int64_t>> parts;
      for (auto [i, axis] : llvm::enumerate(axes))
        if (axis.loop == loop)
          parts.push_back({axis.part, static_cast<int64_t>(i)});
      llvm::sort(parts);
      for (auto [part, position] : parts)
        result.push_back(position);
    }
    return result;
  };
  SmallVector<int64_t> batch = positions(c.batch);
  SmallVector<int64_t> row = positions(rows), k = positions(c.k);
  auto concat = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> order(batch);
    llvm::append_range(order, a);
    llvm::append_range(order, b);
    return order;
  };
  MatrixLayout layout;
  layout.permutation = concat(row, k);
  if (!isIdentityPermutation(layout.permutation)) {
    SmallVector<int64_t> other = concat(k, row);
    if (isIdentityPermutation(other)) {
      layout.permutation = other;
      layout.transposed = true;
    }
  }
  if (!c.batch.empty())
    layout.groups.push_back(batch.size());
  layout.groups.push_back(layout.transposed ? k.size() : row.size());
  layout.groups.push_back(layout.transposed ? row.size() : k.size());
  return layout;
}

/// Merges each group of dimensions into one; empty groups become extent 1.
static Value buildGroups(OpBuilder &b, Location loc, Value value,
                         ArrayRef<int64_t> groups) {
  SmallVector<ReassociationIndices> reassociation;
  SmallVector<int64_t> collapsed;
  auto type = cast<RankedTensorType>(value.getType());
  int64_t position = 0;
  for (int64_t count : groups) {
    if (count == 0)
      continue;
    ReassociationIndices group;
    int64_t size = 1;
    for (int64_t i = 0; i < count; ++i, ++position) {
      int64_t dim = type.getDimSize(position);
      bool dynamic = ShapedType::isDynamic(dim) || ShapedType::isDynamic(size);
      size = dynamic ? ShapedType::kDynamic : size * dim;
      group.push_back(position);
    }
    reassociation.push_back(group);
    collapsed.push_back(size);
  }
  if (static_cast<int64_t>(reassociation.size()) != type.getRank())
    value = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(collapsed, type.getElementType()), value,
        reassociation);
  if (reassociation.size() == groups.size())
    return value;
  // Insert the extents of 1. Each joins the real dimension before it, or the
  // first one if there is none before.
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> known = tensor::getMixedSizes(b, loc, value);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> expansion(known.size());
  size_t next = 0;
  for (auto [i, count] : llvm::enumerate(groups)) {
    bool real = count != 0;
    size_t owner = real ? next : (next == 0 ? 0 : next - 1);
    if (owner < expansion.size())
      expansion[owner].push_back(i);
    shape.push_back(real ? collapsed[next] : 1);
    sizes.push_back(real ? known[next] : OpFoldResult(b.getIndexAttr(1)));
    next += real;
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value,
      expansion, sizes);
}

static Value buildTranspose(OpBuilder &b, Location loc, Value value,
                            ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return value;
  SmallVector<OpFoldResult> sizes =
      applyPermutation(tensor::getMixedSizes(b, loc, value), permutation);
  Value init = tensor::EmptyOp::create(b, loc, sizes, elementOf(value));
  return linalg::TransposeOp::create(b, loc, value, init, permutation)
      ->getResult(0);
}

Value mlir::fp8::buildMatrix(OpBuilder &builder, Location loc, Value root,
                             const MatrixLayout &layout) {
  return buildGroups(builder, loc,
                     buildTranspose(builder, loc, root, layout.permutation),
                     layout.groups);
}

RankedTensorType mlir::fp8::getProductType(const Contraction &c) {
  SmallVector<int64_t> shape;
  if (!c.batch.empty())
    shape.push_back(c.getSize(c.batch));
  shape.push_back(c.getSize(c.m));
  shape.push_back(c.getSize(c.n));
  return RankedTensorType::get(shape, c.accElt);
}

Value mlir::fp8::restoreResult(OpBuilder &b, const Contraction &c,
                               Value product) {
  Location loc = c.op->getLoc();
  // Result dimensions in [batch,] m, n order, and where each goes.
  SmallVector<unsigned> order(c.batch);
  llvm::append_range(order, c.m);
  llvm::append_range(order, c.n);
  SmallVector<int64_t> toOut;
  for (AffineExpr expr : c.outMap.getResults())
    toOut.push_back(llvm::find(order, cast<AffineDimExpr>(expr).getPosition()) -
                    order.begin());
  auto outType = cast<RankedTensorType>(c.init->get().getType());
  SmallVector<OpFoldResult> outSizes =
      tensor::getMixedSizes(b, loc, c.init->get());
  SmallVector<int64_t> shape(order.size());
  SmallVector<OpFoldResult> sizes(order.size());
  for (auto [i, p] : llvm::enumerate(toOut)) {
    shape[p] = outType.getDimSize(i);
    sizes[p] = outSizes[i];
  }
  // Drop extents of 1 that stand for empty groups, then expand the others. A
  // dropped extent joins the real dimension before it, or else the one after.
  SmallVector<int64_t> groups;
  if (!c.batch.empty())
    groups.push_back(c.batch.size());
  groups.push_back(c.m.size());
  groups.push_back(c.n.size());
  auto type = cast<RankedTensorType>(product.getType());
  SmallVector<ReassociationIndices> drop, expand;
  ReassociationIndices pending;
  SmallVector<int64_t> kept;
  int64_t position = 0;
  for (auto [i, count] : llvm::enumerate(groups)) {
    if (count == 0) {
      (drop.empty() ? pending : drop.back()).push_back(i);
      continue;
    }
    pending.push_back(i);
    drop.push_back(std::exchange(pending, {}));
    kept.push_back(type.getDimSize(i));
    ReassociationIndices group;
    for (int64_t j = 0; j < count; ++j)
      group.push_back(position++);
    expand.push_back(group);
  }
  if (drop.size() != groups.size())
    product = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(kept, type.getElementType()), product,
        drop);
  if (expand.size() != order.size())
    product = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), product,
        expand, sizes);
  Value result = buildTranspose(b, loc, product, toOut);
  if (result.getType() != outType)
    result = tensor::CastOp::create(b, loc, outType, result);
  return result;
}
