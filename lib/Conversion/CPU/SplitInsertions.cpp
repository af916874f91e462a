//===- SplitInsertions.cpp - Long chains of insertions in parts -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization compares all reads and writes of a buffer with each other, and
// looks for what each read sees along the chain: its time grows with more than
// the cube of a chain's length. Neighbours are inserted into a tensor of their
// own, of which the chain gets a copy; the copy keeps the buffers apart.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUSPLITINSERTIONS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

namespace {
using Chain = SmallVector<tensor::InsertSliceOp>;

/// Where some insertions that follow each other write: all of a box.
class Box {
public:
  explicit Box(tensor::InsertSliceOp op)
      : low(op.getStaticOffsets()), sizes(op.getStaticSizes()) {}

  /// Whether `op` writes next to it, so that both fill a box, which it becomes.
  bool extend(tensor::InsertSliceOp op);

  SmallVector<int64_t> low, sizes;

private:
  /// The dimension along which it grows.
  std::optional<size_t> grown;
};
} // namespace

bool Box::extend(tensor::InsertSliceOp op) {
  ArrayRef<int64_t> at = op.getStaticOffsets(), by = op.getStaticSizes();
  std::optional<size_t> dim;
  for (size_t i = 0; i < low.size(); ++i)
    if (at[i] != low[i] || by[i] != sizes[i]) {
      if (dim)
        return false;
      dim = i;
    }
  if (!dim || (grown && *grown != *dim))
    return false;
  bool isBehind = at[*dim] == low[*dim] + sizes[*dim];
  if (!isBehind && at[*dim] + by[*dim] != low[*dim])
    return false;
  low[*dim] = std::min(low[*dim], at[*dim]);
  sizes[*dim] += by[*dim];
  grown = dim;
  return true;
}

static bool isStatic(tensor::InsertSliceOp op) {
  return op.getDestType().hasStaticShape() && op.getOffsets().empty() &&
         op.getSizes().empty() && op.getStrides().empty() &&
         llvm::all_of(op.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// The insertion that alone reads the result of `op`, as its destination.
static tensor::InsertSliceOp getNext(tensor::InsertSliceOp op) {
  if (!op->hasOneUse())
    return {};
  OpOperand &use = *op->use_begin();
  auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
  return next && next->getBlock() == op->getBlock() && isStatic(next) &&
                 &use == &next.getDestMutable()
             ? next
             : tensor::InsertSliceOp();
}

/// The chains of `func` of more than `most` insertions.
static SmallVector<Chain> findChains(func::FuncOp func, size_t most) {
  SmallVector<Chain> chains;
  func.walk([&](tensor::InsertSliceOp op) {
    auto before = op.getDest().getDefiningOp<tensor::InsertSliceOp>();
    if (!isStatic(op) || (before && isStatic(before) && getNext(before) == op))
      return; // not the first of one
    Chain chain;
    for (; op; op = getNext(op))
      chain.push_back(op);
    if (chain.size() > most)
      chains.push_back(chain);
  });
  return chains;
}

/// A copy of `value`.
static Value copy(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, value, empty, ArrayRef<AffineMap>{map, map}, loops,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args[0]);
             })
      .getResult(0);
}

/// Inserts `part`, which fills `box`, at once. What is inserted stays where it
/// is made, so that it can be made in place.
static tensor::InsertSliceOp join(MutableArrayRef<tensor::InsertSliceOp> part,
                                  const Box &box) {
  tensor::InsertSliceOp last = part.back();
  Value dest = part.front().getDest();
  OpBuilder b(last.getContext());
  b.setInsertionPointAfterValue(dest);
  // A value from outside of the block comes before all of it.
  if (b.getInsertionBlock() != last->getBlock())
    b.setInsertionPointToStart(last->getBlock());
  Value joined = tensor::EmptyOp::create(b, last.getLoc(), box.sizes,
                                         last.getDestType().getElementType());
  for (tensor::InsertSliceOp op : part) {
    b.setInsertionPoint(op);
    SmallVector<OpFoldResult> offsets;
    for (auto [at, low] : llvm::zip_equal(op.getStaticOffsets(), box.low))
      offsets.push_back(b.getIndexAttr(at - low));
    joined = tensor::InsertSliceOp::create(b, op.getLoc(), op.getSource(),
                                           joined, offsets, op.getMixedSizes(),
                                           op.getMixedStrides());
  }
  SmallVector<OpFoldResult> offsets, sizes,
      strides(box.low.size(), b.getIndexAttr(1));
  for (auto [low, size] : llvm::zip_equal(box.low, box.sizes)) {
    offsets.push_back(b.getIndexAttr(low));
    sizes.push_back(b.getIndexAttr(size));
  }
  auto whole = tensor::InsertSliceOp::create(b, last.getLoc(),
                                             copy(b, last.getLoc(), joined),
                                             dest, offsets, sizes, strides);
  last.replaceAllUsesWith(whole.getResult());
  for (tensor::InsertSliceOp op : llvm::reverse(part))
    op.erase();
  return whole;
}

/// Splits `chain` into parts of at most `size` insertions, and what is left of
/// it while that has more than `most`.
static void split(Chain chain, size_t most, size_t size) {
  while (chain.size() > most) {
    Chain outer;
    for (size_t first = 0; first < chain.size();) {
      Box box(chain[first]);
      size_t end = first + 1;
      while (end < chain.size() && end - first < size && box.extend(chain[end]))
        ++end;
      MutableArrayRef<tensor::InsertSliceOp> part =
          MutableArrayRef(chain).slice(first, end - first);
      outer.push_back(part.size() == 1 ? part.front() : join(part, box));
      first = end;
    }
    if (outer.size() == chain.size())
      return; // none are neighbours
    chain = std::move(outer);
  }
}

namespace {
struct CPUSplitInsertions final
    : mlir::fp8::impl::CPUSplitInsertionsBase<CPUSplitInsertions> {
  using CPUSplitInsertionsBase::CPUSplitInsertionsBase;

  void runOnOperation() override {
    for (const Chain &chain : findChains(getOperation(), maxChain))
      split(chain, maxChain, part);
  }
};
} // namespace
