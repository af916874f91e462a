//===- Contraction.cpp - contractions in linalg form ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction is told by its indexing maps and its body, never by its name,
// so that a generic op and the named op that it generalises from are described
// alike.
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fp8;

namespace {

/// What the body of a multiply-accumulate op says.
struct Body {
  /// Block arguments that are multiplied, in the order of the inputs.
  bool isFloat = false;
  /// A cast that loses digits: an operand narrowed, or the product widened.
  StringRef lossyCast;
};

} // namespace

/// The block argument behind widening casts, or null. Sets `lossy` when a cast
/// on the way narrows.
static BlockArgument stripCasts(Value value, bool &lossy) {
  while (Operation *def = value.getDefiningOp()) {
    if (isa<arith::TruncFOp>(def))
      lossy = true;
    else if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
                  arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
                  arith::FPToUIOp>(def))
      return nullptr;
    value = def->getOperand(0);
  }
  return dyn_cast<BlockArgument>(value);
}

/// Matches yield(out + cast(in0) * cast(in1)) with the operands of + and * in
/// any order.
static std::optional<Body> matchBody(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1)
    return std::nullopt;
  Block *block = op.getBlock();
  if (block->getNumArguments() != 3)
    return std::nullopt;
  Operation *add = block->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  BlockArgument acc = block->getArgument(2);
  Value product;
  if (add->getOperand(0) == acc)
    product = add->getOperand(1);
  else if (add->getOperand(1) == acc)
    product = add->getOperand(0);
  else
    return std::nullopt;

  Body body;
  Operation *mul = product.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(mul)) {
    body.lossyCast = "rounds each product";
    mul = mul->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul))
    return std::nullopt;
  bool narrows = false;
  BlockArgument a = stripCasts(mul->getOperand(0), narrows);
  BlockArgument b = stripCasts(mul->getOperand(1), narrows);
  if (!a || !b || a == b || a == acc || b == acc)
    return std::nullopt;
  if (narrows)
    body.lossyCast = "narrows its operands";
  body.isFloat = isa<arith::MulFOp>(mul) && isa<arith::AddFOp>(add) &&
                 isa<FloatType>(a.getType()) && isa<FloatType>(b.getType());
  return body;
}

bool fp8::isMultiplyAccumulate(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         linalgOp.getNumReductionLoops() > 0 && matchBody(linalgOp).has_value();
}

//===----------------------------------------------------------------------===//
// Views and casts
//===----------------------------------------------------------------------===//

/// The single input of a generic op without reduction whose output map is the
/// identity; null otherwise.
static Value getMapInput(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  return op.getDpsInputOperand(0)->get();
}

Value fp8::getFloatCastSource(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return op->getOperand(0);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return nullptr;
  Value input = getMapInput(generic);
  if (!input || !generic.getIndexingMapsArray()[0].isIdentity())
    return nullptr;
  Value yielded = generic.getBody()->getTerminator()->getOperand(0);
  bool cast = false;
  while (Operation *def = yielded.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(def))
      return nullptr;
    yielded = def->getOperand(0);
    cast = true;
  }
  return cast && yielded == generic.getBody()->getArgument(0) ? input : nullptr;
}

Value fp8::getViewSource(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<linalg::TransposeOp, linalg::BroadcastOp>(
          [](auto view) { return view.getInput(); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [](auto view) { return view.getSrc(); })
      .Case<tensor::ExtractSliceOp, tensor::CastOp>(
          [](auto view) { return view.getSource(); })
      .Case<linalg::GenericOp>([](linalg::GenericOp generic) -> Value {
        Value input = getMapInput(generic);
        if (!input || generic.getBody()->getTerminator()->getOperand(0) !=
                          generic.getBody()->getArgument(0))
          return nullptr;
        // Strided and reversed reads are no views in this sense.
        bool plain = llvm::all_of(
            generic.getIndexingMapsArray()[0].getResults(), [](AffineExpr e) {
              return isa<AffineDimExpr, AffineConstantExpr>(e);
            });
        return plain ? input : Value();
      })
      .Default([](Operation *) { return Value(); });
}

NarrowedOperand fp8::narrowOperand(Value operand) {
  NarrowedOperand best{operand, getElementTypeOrSelf(operand.getType()), {}};
  SmallVector<Operation *> views;
  Value current = operand;
  while (Operation *def = current.getDefiningOp()) {
    if (Value source = getViewSource(def)) {
      views.push_back(def);
      current = source;
      continue;
    }
    Value source = getFloatCastSource(def);
    auto type = source ? getElementTypeOrSelf(source.getType()) : Type();
    if (!type ||
        type.getIntOrFloatBitWidth() >=
            getElementTypeOrSelf(current.getType()).getIntOrFloatBitWidth())
      break;
    // A generic op that narrows and then widens again is not the identity.
    if (auto generic = dyn_cast<linalg::GenericOp>(def))
      if (!generic.getBody()->getOps<arith::TruncFOp>().empty())
        break;
    current = source;
    best = {current, type, views};
  }
  std::reverse(best.views.begin(), best.views.end());
  return best;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// True if `value` is known to hold zeros only.
static bool isZeroTensor(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (auto fill = dyn_cast<linalg::FillOp>(def))
      return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
    if (matchPattern(def, m_AnyZeroFloat()))
      return true;
    Value source = getViewSource(def);
    if (!source)
      return false;
    value = source;
  }
  return false;
}

/// Sorts the loop dimensions into batch, m, n and k. Returns what is wrong, or
/// an empty string.
static std::string sortDimensions(Contraction &c) {
  auto iterators = c.op.getIteratorTypesArray();
  for (unsigned dim = 0, e = c.op.getNumLoops(); dim < e; ++dim) {
    bool inLhs = c.lhsMap.isFunctionOfDim(dim);
    bool inRhs = c.rhsMap.isFunctionOfDim(dim);
    bool inOut = c.outMap.isFunctionOfDim(dim);
    bool reduced = iterators[dim] == utils::IteratorType::reduction;
    if (reduced == inOut)
      return "loop dimension " + std::to_string(dim) +
             " is neither indexed by the result nor reduced";
    if (!inLhs && !inRhs)
      return "loop dimension " + std::to_string(dim) + " indexes no operand";
    if (reduced) {
      if (!inLhs || !inRhs)
        return "loop dimension " + std::to_string(dim) +
               " is reduced but indexes one operand only";
      c.k.push_back(dim);
      continue;
    }
    (inLhs && inRhs ? c.batch : inLhs ? c.m : c.n).push_back(dim);
  }
  return "";
}

FailureOr<Contraction> fp8::matchContraction(Operation *op,
                                             std::string *reason) {
  auto fail = [&](std::string why) -> LogicalResult {
    if (reason)
      *reason = std::move(why);
    return failure();
  };
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return fail("not a linalg op");
  if (!linalgOp.hasPureTensorSemantics())
    return fail("works on buffers, expected tensors");
  std::optional<Body> body = matchBody(linalgOp);
  if (!body || linalgOp.getNumReductionLoops() == 0)
    return fail("does not sum products of two tensors");
  if (!body->isFloat)
    return fail("multiplies integers");
  if (!body->lossyCast.empty())
    return fail(("its body " + body->lossyCast).str());

  Contraction c;
  c.op = linalgOp;
  c.lhs = linalgOp.getDpsInputOperand(0);
  c.rhs = linalgOp.getDpsInputOperand(1);
  c.init = linalgOp.getDpsInitOperand(0);
  c.lhsMap = linalgOp.getMatchingIndexingMap(c.lhs);
  c.rhsMap = linalgOp.getMatchingIndexingMap(c.rhs);
  c.outMap = linalgOp.getMatchingIndexingMap(c.init);
  if (isa<linalg::ConvolutionOpInterface>(op))
    return fail("is a convolution");
  for (AffineMap map : {c.lhsMap, c.rhsMap, c.outMap})
    if (!map.isProjectedPermutation())
      return fail("is a convolution or reads a tensor by an index expression");
  if (std::string why = sortDimensions(c); !why.empty())
    return fail(std::move(why));

  c.loopSizes = linalgOp.getStaticLoopRanges();
  c.zeroInit = isZeroTensor(c.init->get());
  c.lhsElt = getElementTypeOrSelf(c.lhs->get().getType());
  c.rhsElt = getElementTypeOrSelf(c.rhs->get().getType());
  c.accElt = getElementTypeOrSelf(c.init->get().getType());
  c.lhsSource = narrowOperand(c.lhs->get());
  c.rhsSource = narrowOperand(c.rhs->get());
  return c;
}

//===----------------------------------------------------------------------===//
// Description
//===----------------------------------------------------------------------===//

int64_t Contraction::getSize(ArrayRef<unsigned> dims) const {
  int64_t size = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(loopSizes[dim]))
      return ShapedType::kDynamic;
    size *= loopSizes[dim];
  }
  return size;
}

std::string Contraction::getEinsum() const {
  SmallVector<char> letter(loopSizes.size());
  SmallVector<unsigned> total(128), seen(128);
  auto mark = [&](ArrayRef<unsigned> dims, char kind) {
    total[kind] = dims.size();
    for (unsigned dim : dims)
      letter[dim] = kind;
  };
  mark(batch, 'b');
  mark(m, 'm');
  mark(n, 'n');
  mark(k, 'k');
  // Dimensions are numbered in the order in which the result, then the left and
  // the right operand name them.
  SmallVector<std::string> names(loopSizes.size());
  for (AffineMap map : {outMap, lhsMap, rhsMap})
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (!names[dim].empty())
        continue;
      char kind = letter[dim];
      names[dim] = std::string(1, kind);
      if (total[kind] > 1)
        names[dim] += std::to_string(++seen[kind]);
    }
  auto spell = [&](AffineMap map) {
    std::string text;
    for (AffineExpr expr : map.getResults())
      text += names[cast<AffineDimExpr>(expr).getPosition()];
    return text;
  };
  return spell(lhsMap) + "," + spell(rhsMap) + "->" + spell(outMap);
}

std::string Contraction::getTypes() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << lhsElt << "," << rhsElt << "->" << accElt;
  return text;
}
