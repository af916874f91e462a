//===- MarkContractions.cpp - Contractions for the CPU kernel -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds contractions that the CPU kernel can run and marks them. A marked op
// is a linalg.generic whose operands are the narrowest values it can read, with
// any permutation of dimensions in its maps, and whose accumulator is dropped.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUMARKCONTRACTIONS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Returns the block argument that `value` is, looking through arith.extf.
static BlockArgument stripExtf(Value value) {
  while (auto ext = value.getDefiningOp<arith::ExtFOp>())
    value = ext.getIn();
  return dyn_cast<BlockArgument>(value);
}

static bool isKernelType(Type type) { return type.isBF16() || type.isF32(); }

/// True if the body is out + in0 * in1, up to widening and commutation.
static bool hasMultiplyAddBody(linalg::GenericOp op) {
  Block *body = op.getBody();
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  for (auto [acc, product] : {std::pair(add.getLhs(), add.getRhs()),
                              std::pair(add.getRhs(), add.getLhs())}) {
    auto mul = product.getDefiningOp<arith::MulFOp>();
    if (!mul || acc != body->getArgument(2))
      continue;
    BlockArgument lhs = stripExtf(mul.getLhs());
    BlockArgument rhs = stripExtf(mul.getRhs());
    if (!lhs || !rhs || lhs.getOwner() != body || rhs.getOwner() != body)
      return false;
    unsigned sum = lhs.getArgNumber() + rhs.getArgNumber();
    return sum == 1 && lhs != rhs;
  }
  return false;
}

/// True if each reduced dimension is in both operands, or the sum of one would
/// be taken over a broadcast of the other.
static bool reducesBoth(linalg::GenericOp op, AffineMap lhs, AffineMap rhs) {
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction &&
        !(lhs.isFunctionOfDim(dim) && rhs.isFunctionOfDim(dim)))
      return false;
  return true;
}

static bool isContraction(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics())
    return false;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return false;
  for (Value operand : op->getOperands())
    if (!isKernelType(getElementTypeOrSelf(operand.getType())))
      return false;
  if (!reducesBoth(op, op.getIndexingMapsArray()[0],
                   op.getIndexingMapsArray()[1]))
    return false;
  return hasMultiplyAddBody(op);
}

/// The number of the argument of `body` that `value` reads as f32, or -1.
static int readArgument(Block *body, Value value) {
  BlockArgument arg = stripExtf(value);
  return value.getType().isF32() && arg && arg.getOwner() == body
             ? static_cast<int>(arg.getArgNumber())
             : -1;
}

/// True for a product of two read arguments: of inputs `from`, each at least
/// once.
static bool isProductOf(Block *body, Value value, ArrayRef<unsigned> from) {
  auto mul = value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  int lhs = readArgument(body, mul.getLhs());
  int rhs = readArgument(body, mul.getRhs());
  int first = from.front(), last = from.back();
  return (lhs == first && rhs == last) || (lhs == last && rhs == first);
}

/// True if an operation is what the mark says: the sum of products that
/// markContraction and FP8ToLinalg build, perhaps with scales. Canonicalization
/// merges equal inputs (see getMarkedOperands).
static bool isMarkedContraction(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  SmallVector<unsigned> matrices, scales;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned i = 0, e = op.getNumDpsInputs(); i < e; ++i)
    (maps[i].getNumResults() == 0 ? scales : matrices).push_back(i);
  if (matrices.empty() || matrices.size() > 2 || scales.size() > 2 ||
      !llvm::all_of(
          maps, [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      !reducesBoth(op, maps[matrices.front()], maps[matrices.back()]) ||
      !isKernelType(getElementTypeOrSelf(op.getOutputs()[0].getType())))
    return false;
  for (unsigned i : matrices)
    if (!mlir::fp8::getElementKind(
            getElementTypeOrSelf(op.getInputs()[i].getType())))
      return false;
  for (unsigned i : scales) {
    auto type = dyn_cast<ShapedType>(op.getInputs()[i].getType());
    if (!type || !type.getElementType().isF32())
      return false;
  }
  Block *body = op.getBody();
  Value sum = body->getTerminator()->getOperand(0);
  if (auto narrow = sum.getDefiningOp<arith::TruncFOp>())
    sum = narrow.getIn();
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add || readArgument(body, add.getLhs()) !=
                  static_cast<int>(body->getNumArguments()) - 1)
    return false;
  Value product = add.getRhs();
  if (!scales.empty()) {
    auto scaled = product.getDefiningOp<arith::MulFOp>();
    if (!scaled || !isProductOf(body, scaled.getRhs(), scales))
      return false;
    product = scaled.getLhs();
  }
  return isProductOf(body, product, matrices);
}

/// True if `value` is a tensor filled with positive or negative zero.
static bool isZeroFilled(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

namespace {
/// An operand read through casts and transposes.
struct Source {
  Value value;
  AffineMap map;
};
} // namespace

/// Looks through generics that only widen and permute their one input.
static Source lookThrough(Value value, AffineMap map) {
  while (auto generic = value.getDefiningOp<linalg::GenericOp>()) {
    if (generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
        !generic.isAllParallelLoops())
      break;
    Value input = generic.getDpsInputs()[0];
    AffineMap in = generic.getIndexingMapsArray()[0];
    AffineMap out = generic.getIndexingMapsArray()[1];
    BlockArgument yielded =
        stripExtf(generic.getBody()->getTerminator()->getOperand(0));
    if (!yielded || yielded.getOwner() != generic.getBody() ||
        yielded.getArgNumber() != 0 || !in.isPermutation() ||
        !out.isPermutation() ||
        !isKernelType(getElementTypeOrSelf(input.getType())))
      break;
    map = in.compose(inversePermutation(out)).compose(map);
    value = input;
  }
  return {value, map};
}

/// Builds the marked op; its body is the reference meaning of one step.
static void markContraction(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Source lhs = lookThrough(op.getInputs()[0], op.getIndexingMapsArray()[0]);
  Source rhs = lookThrough(op.getInputs()[1], op.getIndexingMapsArray()[1]);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getOutputs()[0]);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(rewriter, loc, type, empty);
  auto body = [](OpBuilder &b, Location loc, ValueRange args) {
    auto widen = [&](Value v) -> Value {
      return v.getType().isF32()
                 ? v
                 : arith::ExtFOp::create(b, loc, b.getF32Type(), v).getResult();
    };
    Value product =
        arith::MulFOp::create(b, loc, widen(args[0]), widen(args[1]));
    Value sum = arith::AddFOp::create(b, loc, widen(args[2]), product);
    if (!args[2].getType().isF32())
      sum = arith::TruncFOp::create(b, loc, args[2].getType(), sum);
    linalg::YieldOp::create(b, loc, sum);
  };
  auto marked = linalg::GenericOp::create(
      rewriter, loc, type, ValueRange{lhs.value, rhs.value}, ValueRange{empty},
      ArrayRef<AffineMap>{lhs.map, rhs.map, op.getIndexingMapsArray()[2]},
      op.getIteratorTypesArray(), body);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    marked->setAttr(attr.getName(), attr.getValue());
  // The sequential f32 model, without promotion or splits.
  marked->setAttr(mlir::fp8::kCPUContractAttr,
                  rewriter.getDenseI64ArrayAttr({0, 0}));
  Operation *fill = op.getOutputs()[0].getDefiningOp();
  rewriter.replaceOp(op, marked.getResults());
  if (fill && isOpTriviallyDead(fill))
    rewriter.eraseOp(fill);
}

/// True if a contracted dimension has no elements.
static bool isEmptySum(linalg::GenericOp op) {
  return llvm::any_of(
      llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges()),
      [](auto loop) {
        auto [iterator, extent] = loop;
        return iterator == utils::IteratorType::reduction && extent == 0;
      });
}

/// A marked op does not read its output, and one without elements to read is
/// erased upstream as if it left its output as it was: it becomes the zero that
/// it means.
static void fillWithZero(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  Value out = op.getOutputs()[0];
  auto type = cast<RankedTensorType>(out.getType());
  Value zero = arith::ConstantOp::create(
      rewriter, op.getLoc(), rewriter.getZeroAttr(type.getElementType()));
  rewriter.replaceOp(
      op,
      linalg::FillOp::create(rewriter, op.getLoc(), zero, out).getResults());
}

/// A mark is believed by every later pass, so one that somebody wrote has to be
/// as true as one that is set here. It says how to add, and so is not dropped.
static LogicalResult checkMarks(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!op->hasAttr(mlir::fp8::kCPUContractAttr) ||
        (generic && isMarkedContraction(generic)))
      return WalkResult::advance();
    op->emitError("expected a contraction under 'fp8.cpu_contract', got "
                  "another operation; remove the attribute");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct CPUMarkContractions final
    : mlir::fp8::impl::CPUMarkContractionsBase<CPUMarkContractions> {
  void runOnOperation() override {
    if (failed(checkMarks(getOperation())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
          op.getNumReductionLoops() > 0)
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      // What the plan decided stays with the operation.
      Attribute decision = op->getAttr(mlir::fp8::kDecisionAttr);
      auto generic = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        return signalPassFailure();
      if (decision)
        (*generic)->setAttr(mlir::fp8::kDecisionAttr, decision);
    }
    SmallVector<linalg::GenericOp> contractions;
    getOperation().walk([&](linalg::GenericOp op) {
      // A mark that is there already may be of another model.
      if (!op->hasAttr(mlir::fp8::kCPUContractAttr) && isContraction(op) &&
          isZeroFilled(op.getOutputs()[0]))
        contractions.push_back(op);
    });
    for (linalg::GenericOp op : contractions)
      markContraction(rewriter, op);
    SmallVector<linalg::GenericOp> empty;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(mlir::fp8::kCPUContractAttr) && isEmptySum(op))
        empty.push_back(op);
    });
    for (linalg::GenericOp op : empty)
      fillWithZero(rewriter, op);
  }
};
} // namespace
