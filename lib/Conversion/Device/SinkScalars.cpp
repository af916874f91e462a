//===- SinkScalars.cpp - Scalars of the device stay there -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host would have to read every scalar that is extracted from a tensor
// outside of a linalg op. Where it only feeds linalg ops, they extract it
// themselves, with the arithmetic in between. Tensors are values, so a later
// read gives the same.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICESINKSCALARS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Operations that a body repeats for each element at most.
static constexpr size_t kMaxSlice = 64;

namespace {
/// What computes a scalar from tensors and values of the host.
struct ScalarSlice {
  llvm::SetVector<Operation *> ops;
  bool readsTensor = false;

  void add(Value value);
};
} // namespace

static bool isScalarMath(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

void ScalarSlice::add(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || ops.contains(op) || ops.size() > kMaxSlice)
    return;
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract && !isScalarMath(op))
    return; // a value of the host
  readsTensor |= static_cast<bool>(extract);
  for (Value operand : op->getOperands())
    if (!isa<TensorType>(operand.getType()))
      add(operand);
  ops.insert(op);
}

/// The slice of `value`, if it is worth to be repeated in a body.
static std::optional<ScalarSlice> getSlice(Value value) {
  ScalarSlice slice;
  if (!value.getType().isIntOrIndexOrFloat())
    return std::nullopt;
  slice.add(value);
  if (!slice.readsTensor || slice.ops.size() > kMaxSlice)
    return std::nullopt;
  return slice;
}

/// Repeats `slice` at `b`'s insertion point; returns the new `value`.
static Value repeat(OpBuilder &b, const ScalarSlice &slice, Value value) {
  IRMapping mapping;
  for (Operation *op : slice.ops)
    b.clone(*op, mapping);
  return mapping.lookup(value);
}

/// A select between tensors by one scalar, elementwise.
static void convertSelect(arith::SelectOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || isa<ShapedType>(op.getCondition().getType()) ||
      !getSlice(op.getCondition()))
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto rank = static_cast<unsigned>(type.getRank());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, op.getTrueValue()),
      type.getElementType());
  AffineMap id = b.getMultiDimIdentityMap(rank);
  AffineMap scalar = AffineMap::get(rank, 0, b.getContext());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, type,
      ValueRange{op.getCondition(), op.getTrueValue(), op.getFalseValue()},
      empty, ArrayRef<AffineMap>{scalar, id, id, id}, loops,
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value chosen =
            arith::SelectOp::create(b, loc, args[0], args[1], args[2]);
        linalg::YieldOp::create(b, loc, chosen);
      });
  op.replaceAllUsesWith(generic.getResult(0));
  op.erase();
}

/// A tensor of one scalar, or a vector of several, as an op that computes it.
static void convertFromElements(tensor::FromElementsOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  OperandRange elements = op.getElements();
  if (elements.empty() || (elements.size() > 1 && type.getRank() != 1))
    return;
  SmallVector<ScalarSlice> slices;
  for (Value element : elements) {
    std::optional<ScalarSlice> slice = getSlice(element);
    if (!slice)
      return;
    slices.push_back(*slice);
  }
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto rank = static_cast<unsigned>(type.getRank());
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, type, ValueRange(), empty, b.getMultiDimIdentityMap(rank), loops,
      [&](OpBuilder &b, Location loc, ValueRange) {
        Value result = repeat(b, slices.back(), elements.back());
        for (size_t i = elements.size() - 1; i-- > 0;) {
          Value here =
              arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                    linalg::IndexOp::create(b, loc, 0),
                                    arith::ConstantIndexOp::create(b, loc, i));
          Value element = repeat(b, slices[i], elements[i]);
          result = arith::SelectOp::create(b, loc, here, element, result);
        }
        linalg::YieldOp::create(b, loc, result);
      });
  op.replaceAllUsesWith(generic.getResult(0));
  op.erase();
}

/// Sinks the scalars that `op` takes from outside into its body.
static void sinkInto(linalg::GenericOp op) {
  Block *body = op.getBody();
  OpBuilder b = OpBuilder::atBlockBegin(body);
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument arg = body->getArgument(input->getOperandNumber());
    if (auto slice = getSlice(input->get()); slice && !arg.use_empty())
      arg.replaceAllUsesWith(repeat(b, *slice, input->get()));
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(), captured);
  for (Value value : captured)
    if (auto slice = getSlice(value)) {
      Value inside = repeat(b, *slice, value);
      value.replaceUsesWithIf(inside, [&](OpOperand &use) {
        return op->isProperAncestor(use.getOwner());
      });
    }
}

namespace {
struct DeviceSinkScalars final
    : mlir::fp8::impl::DeviceSinkScalarsBase<DeviceSinkScalars> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::FillOp> fills;
    SmallVector<Operation *> others;
    getOperation().walk([&](Operation *op) {
      auto fill = dyn_cast<linalg::FillOp>(op);
      if (fill && getSlice(fill.getInputs()[0]))
        fills.push_back(fill);
      if (isa<arith::SelectOp, tensor::FromElementsOp>(op))
        others.push_back(op);
    });
    for (linalg::FillOp fill : fills) {
      rewriter.setInsertionPoint(fill);
      if (failed(linalg::generalizeNamedOp(rewriter, fill)))
        return signalPassFailure();
    }
    for (Operation *op : others) {
      if (auto select = dyn_cast<arith::SelectOp>(op))
        convertSelect(select);
      else
        convertFromElements(cast<tensor::FromElementsOp>(op));
    }
    SmallVector<Operation *> generics;
    getOperation().walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (Operation *op : generics)
      sinkInto(cast<linalg::GenericOp>(op));
    // What became unused would still be read.
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(generics, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
