//===- BindSizes.cpp - Sizes as arguments of the host code ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code gets addresses and numbers. Every size is an expression of those of
// the arguments; sizes that an operation takes for one are one, and the host
// checks that they are before it launches anything.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/SizeExprs.h"
#include "fp8/Conversion/Device/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEBINDSIZES
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

static bool isDynamic(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && !memref.hasStaticShape();
}

namespace {
/// Binds the sizes of one function.
class Binder {
public:
  explicit Binder(func::FuncOp func)
      : func(func), exprs(func), context(func.getContext()) {}

  LogicalResult bind();

private:
  LogicalResult defineResults();
  LogicalResult collectConditions();
  LogicalResult collect(linalg::LinalgOp op);
  LogicalResult collect(memref::SubViewOp op);
  LogicalResult collect(memref::ExpandShapeOp op);
  LogicalResult compare(Operation *op, AffineExpr lhs, AffineExpr rhs,
                        bool isAtMost = false);
  void unite();
  AffineExpr canonical(AffineExpr expr) {
    return multiplySizes({expr.replaceDimsAndSymbols({}, replacements)},
                         context);
  }
  std::string nameOf(AffineExpr size);
  SmallVector<std::pair<Value, AffineExpr>> collectIndices();
  void addChecks(OpBuilder &b, SizeExprs &bound);
  LogicalResult collectChosen();
  void flatten(OpResult result, ArrayRef<AffineExpr> sizes, SizeExprs &bound);

  func::FuncOp func;
  SizeExprs exprs;
  MLIRContext *context;
  /// Of each symbol: itself, another one that is equal, or, of a result, what
  /// it is in terms of others.
  SmallVector<AffineExpr> replacements;
  /// How many symbols, the first ones, are index arguments afterwards.
  unsigned boundCount = 0;
  /// Sizes that have to be equal, or the first at most the second, which the
  /// host checks.
  struct Condition {
    Operation *op;
    AffineExpr lhs, rhs;
    bool isAtMost;
  };
  SmallVector<Condition> conditions;
  /// Results of conditions, with their sizes.
  SmallVector<std::pair<OpResult, SmallVector<AffineExpr>>> chosen;
};
} // namespace

/// Sizes of results are computed from those of arguments, which come first.
LogicalResult Binder::defineResults() {
  auto sizes = func->getAttrOfType<AffineMapAttr>(kResultSizesAttr);
  unsigned count = exprs.getNumSymbols();
  unsigned results = sizes ? sizes.getValue().getNumResults() : 0;
  if (results > count ||
      (sizes && (sizes.getValue().getNumDims() != 0 ||
                 sizes.getValue().getNumSymbols() != count - results)))
    return func.emitError("expected '")
           << kResultSizesAttr << "' to say the dynamic sizes of the results "
           << "in terms of those of the arguments";
  boundCount = count - results;
  for (unsigned i = 0; i < boundCount; ++i)
    replacements.push_back(getAffineSymbolExpr(i, context));
  for (unsigned i = 0; i < results; ++i)
    replacements.push_back(sizes.getValue().getResult(i));
  return success();
}

/// Notes what has to hold of two sizes, if it is not known to.
LogicalResult Binder::compare(Operation *op, AffineExpr lhs, AffineExpr rhs,
                              bool isAtMost) {
  if (!lhs || !rhs)
    return op->emitError("expected sizes that those of the function's "
                         "arguments determine, got another one");
  lhs = canonical(lhs);
  rhs = canonical(rhs);
  if (lhs != rhs)
    conditions.push_back({op, lhs, rhs, isAtMost});
  return success();
}

/// The largest value of `expr` where each dimension is below its extent, plus
/// 1; null where larger dimensions may make it smaller.
static AffineExpr boundOf(AffineExpr expr, ArrayRef<AffineExpr> extents) {
  bool grows = true;
  expr.walk([&](AffineExpr part) {
    if (part.getKind() == AffineExprKind::Mul) {
      auto factor =
          dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
      grows &= factor && factor.getValue() >= 0;
    } else {
      grows &= isa<AffineDimExpr, AffineConstantExpr>(part) ||
               part.getKind() == AffineExprKind::Add;
    }
  });
  SmallVector<AffineExpr> last;
  for (AffineExpr extent : extents) {
    if (!extent)
      return {};
    last.push_back(extent - 1);
  }
  return grows ? expr.replaceDims(last) + 1 : AffineExpr();
}

/// Every pair of dimensions that `op` takes for one, and what it reads in
/// windows.
LogicalResult Binder::collect(linalg::LinalgOp op) {
  if (llvm::none_of(op->getOperandTypes(), isDynamic))
    return success();
  SmallVector<AffineExpr> extents(op.getNumLoops());
  auto overOperands =
      [&](llvm::function_ref<LogicalResult(AffineExpr, AffineExpr)> visit) {
        for (OpOperand &operand : op->getOpOperands()) {
          if (!isa<MemRefType>(operand.get().getType()))
            continue;
          AffineMap map = op.getMatchingIndexingMap(&operand);
          for (auto [dim, expr] : llvm::enumerate(map.getResults()))
            if (failed(visit(expr, exprs.getSize(operand.get(), dim))))
              return failure();
        }
        return success();
      };
  if (failed(overOperands([&](AffineExpr expr, AffineExpr size) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        if (!loop)
          return success();
        AffineExpr &extent = extents[loop.getPosition()];
        if (!extent)
          extent = size;
        return compare(op, extent, size);
      })))
    return failure();
  return overOperands([&](AffineExpr expr, AffineExpr size) {
    if (isa<AffineDimExpr>(expr))
      return success();
    AffineExpr bound = boundOf(expr, extents);
    auto known = dyn_cast_or_null<AffineConstantExpr>(bound);
    auto constant = dyn_cast_or_null<AffineConstantExpr>(size);
    if (known && constant) // verified
      return success();
    return compare(op, bound, size, /*isAtMost=*/true);
  });
}

/// What lies in the slice has to lie in the buffer.
LogicalResult Binder::collect(memref::SubViewOp op) {
  if (!isDynamic(op.getSourceType()) && !isDynamic(op.getType()))
    return success();
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    AffineExpr first = exprs.get(offset), count = exprs.get(size);
    AffineExpr whole = exprs.getSize(op.getSource(), dim);
    std::optional<int64_t> step = getConstantIntValue(stride);
    bool known = count && isa<AffineConstantExpr>(count) && whole &&
                 isa<AffineConstantExpr>(whole);
    // A place that a loop or data says is the program's.
    if (known || !first || !step || count == whole)
      continue;
    AffineExpr end = count ? first + (count - 1) * *step + 1 : AffineExpr();
    if (failed(compare(op, end, whole, /*isAtMost=*/true)))
      return failure();
  }
  return success();
}

/// A dimension is the product of those that it becomes.
LogicalResult Binder::collect(memref::ExpandShapeOp op) {
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<AffineExpr> factors;
    for (int64_t part : group)
      factors.push_back(exprs.getSize(op.getResult(), part));
    AffineExpr whole = exprs.getSize(op.getSrc(), dim);
    bool isKnown = llvm::all_of(factors, [](AffineExpr e) { return bool(e); });
    if (failed(compare(op,
                       isKnown ? multiplySizes(factors, context) : AffineExpr(),
                       whole)))
      return failure();
  }
  return success();
}

LogicalResult Binder::collectConditions() {
  WalkResult walk = func.walk([&](Operation *op) {
    LogicalResult result = success();
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      unsigned rank = cast<MemRefType>(copy.getSource().getType()).getRank();
      for (unsigned dim = 0; dim < rank && succeeded(result); ++dim)
        result = compare(op, exprs.getSize(copy.getSource(), dim),
                         exprs.getSize(copy.getTarget(), dim));
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      result = collect(linalgOp);
    } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      result = collect(view);
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
      result = collect(expand);
    }
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Of sizes that are equal one stands for all.
void Binder::unite() {
  llvm::EquivalenceClasses<unsigned> classes;
  for (const Condition &condition : conditions) {
    auto lhs = dyn_cast<AffineSymbolExpr>(condition.lhs);
    auto rhs = dyn_cast<AffineSymbolExpr>(condition.rhs);
    if (lhs && rhs && !condition.isAtMost)
      classes.unionSets(lhs.getPosition(), rhs.getPosition());
  }
  SmallVector<AffineExpr> united;
  for (unsigned i = 0; i < replacements.size(); ++i) {
    unsigned leader = i;
    for (unsigned j = 0; j < i; ++j)
      if (classes.isEquivalent(i, j)) {
        leader = j;
        break;
      }
    united.push_back(getAffineSymbolExpr(leader, context));
  }
  for (AffineExpr &expr : replacements)
    expr = expr.replaceDimsAndSymbols({}, united);
}

/// "dimension 0 of argument 2" for a size that is one, else an expression.
std::string Binder::nameOf(AffineExpr size) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto constant = dyn_cast<AffineConstantExpr>(size)) {
    os << constant.getValue();
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(size)) {
    auto [argument, dim] = exprs.getSymbol(symbol.getPosition());
    os << "dimension " << dim << " of argument " << argument.getArgNumber();
  } else {
    os << size << " of the sizes";
  }
  return text;
}

/// Ends the program before its first launch where a condition does not hold.
void Binder::addChecks(OpBuilder &b, SizeExprs &bound) {
  llvm::SmallDenseSet<std::pair<AffineExpr, AffineExpr>> checked[2];
  for (const Condition &condition : conditions) {
    auto [op, lhs, rhs, isAtMost] = condition;
    if (!checked[isAtMost].insert({lhs, rhs}).second)
      continue;
    Location loc = op->getLoc();
    auto predicate =
        isAtMost ? arith::CmpIPredicate::sle : arith::CmpIPredicate::eq;
    Value holds = arith::CmpIOp::create(
        b, loc, predicate, bound.materialize(lhs), bound.materialize(rhs));
    std::string text =
        isAtMost
            ? "expected " + nameOf(lhs) + " to be at most " + nameOf(rhs)
            : "expected equal sizes: " + nameOf(lhs) + " and " + nameOf(rhs);
    cf::AssertOp::create(b, loc, holds, text);
  }
}

/// The indices that are expressions of sizes, but for the arguments.
SmallVector<std::pair<Value, AffineExpr>> Binder::collectIndices() {
  SmallVector<std::pair<Value, AffineExpr>> indices;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<linalg::LinalgOp>(op))
      return WalkResult::skip();
    for (Value result : op->getResults())
      if (result.getType().isIndex() && !getConstantIntValue(result))
        if (AffineExpr expr = exprs.get(result))
          indices.emplace_back(result, expr);
    return WalkResult::advance();
  });
  return indices;
}

/// The dense buffers that conditions choose, with their sizes.
LogicalResult Binder::collectChosen() {
  WalkResult walk = func.walk([&](scf::IfOp op) {
    for (OpResult result : op.getResults()) {
      auto type = dyn_cast<MemRefType>(result.getType());
      if (!type || !isDynamic(type) || !type.getLayout().isIdentity())
        continue;
      SmallVector<AffineExpr> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        sizes.push_back(exprs.getSize(result, dim));
        if (sizes.back())
          continue;
        op.emitError("expected branches that agree, for every argument, on the "
                     "sizes of result ")
            << result.getResultNumber() << ", got dimension " << dim
            << " where they do not; use the result inside of the branches "
               "instead, or compile for given sizes";
        return WalkResult::interrupt();
      }
      chosen.emplace_back(result, sizes);
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Makes `result` of a condition one element of the buffer, as arguments are,
/// with a view behind it that says the sizes.
void Binder::flatten(OpResult result, ArrayRef<AffineExpr> sizes,
                     SizeExprs &bound) {
  auto op = cast<scf::IfOp>(result.getOwner());
  auto type = cast<MemRefType>(result.getType());
  auto flat = MemRefType::get({1}, type.getElementType());
  OpBuilder b(context);
  for (scf::YieldOp yield : {op.thenYield(), op.elseYield()}) {
    b.setInsertionPoint(yield);
    OpOperand &operand = yield->getOpOperand(result.getResultNumber());
    AffineExpr one = getAffineConstantExpr(1, context);
    operand.set(bound.viewAs(b, op.getLoc(), operand.get(), flat, one));
  }
  result.setType(flat);
  b.setInsertionPointAfter(op);
  Value view = bound.viewAs(b, op.getLoc(), result, type, sizes);
  result.replaceAllUsesExcept(view, view.getDefiningOp());
}

LogicalResult Binder::bind() {
  if (failed(defineResults()) || failed(collectChosen()) ||
      failed(collectConditions()))
    return failure();
  unite();
  SmallVector<std::pair<Value, AffineExpr>> indices = collectIndices();
  Operation *first = &func.getBody().front().front();
  OpBuilder b(first);
  // The symbols of the arguments are index arguments, in that order.
  auto buffers = llvm::to_vector(func.getArguments());
  for (unsigned i = 0; i < boundCount; ++i)
    (void)func.insertArgument(func.getNumArguments(), b.getIndexType(), {},
                              func.getLoc());
  SmallVector<std::pair<BlockArgument, MemRefType>> dynamic;
  for (BlockArgument buffer : buffers)
    if (isDynamic(buffer.getType())) {
      dynamic.emplace_back(buffer, cast<MemRefType>(buffer.getType()));
      buffer.setType(
          MemRefType::get({1}, dynamic.back().second.getElementType()));
    }
  func.setType(FunctionType::get(context, func.getBody().getArgumentTypes(),
                                 func.getFunctionType().getResults()));
  SizeExprs bound(func);
  unsigned next = 0;
  for (auto [buffer, type] : dynamic) {
    SmallVector<AffineExpr> sizes;
    for (int64_t extent : type.getShape())
      sizes.push_back(ShapedType::isDynamic(extent)
                          ? canonical(getAffineSymbolExpr(next++, context))
                          : getAffineConstantExpr(extent, context));
    Value view = bound.viewAs(b, buffer.getLoc(), buffer, type, sizes);
    buffer.replaceAllUsesExcept(view, view.getDefiningOp());
  }
  for (auto &[result, sizes] : chosen) {
    for (AffineExpr &size : sizes)
      size = canonical(size);
    flatten(result, sizes, bound);
  }
  for (auto [value, expr] : indices)
    value.replaceAllUsesWith(bound.materialize(canonical(expr)));
  addChecks(b, bound);
  return success();
}

namespace {
struct DeviceBindSizes final
    : mlir::fp8::impl::DeviceBindSizesBase<DeviceBindSizes> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration() || func->hasAttr(kDeviceGridAttr))
      return;
    if (llvm::any_of(func.getArgumentTypes(), isDynamic) &&
        failed(Binder(func).bind()))
      signalPassFailure();
  }
};
} // namespace
