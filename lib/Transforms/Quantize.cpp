//===- Quantize.cpp - Rewrite contractions as the plan says ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is quantised where it is defined, once per storage type and matrix
// layout; its amax and scale once per storage type. So fprop and wgrad read the
// same codes of an activation, fprop and dgrad those of a weight. A contraction
// that has been converted already stays as it is. Invariant: exactly one remark
// per decision, made from the operation that carries it out.
//
//===----------------------------------------------------------------------===//

#include "MatrixForm.h"

#include "fp8/Analysis/ValueNumbers.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/NumericsMode.h"
#include "fp8/Dialect/FP8/IR/ReasonCodes.h"
#include "fp8/Transforms/DecisionRemark.h"
#include "fp8/Transforms/Passes.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_QUANTIZEPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Rewrites the contractions of one function.
class FunctionQuantizer {
public:
  /// `reported` holds the decisions that have had their remark.
  FunctionQuantizer(func::FuncOp function, PlanAttr plan,
                    DenseSet<Attribute> &reported)
      : reported(reported), function(function), rewriter(function.getContext()),
        recipe(cast<RecipeAttrInterface>(plan.getRecipe())),
        accumulation(refineAccumulation(plan.getAccumulation(),
                                        plan.getTarget().getValue())) {}

  void run();

private:
  struct Scaling {
    Value multiplier, scale;
  };

  void convert(Operation *op, PlanEntryAttr entry);
  AccumAttr getAccumulation(Operation *op);
  void report(Operation *op, PlanEntryAttr entry);
  ContractOp convertToFP8(const Contraction &c, PlanEntryAttr entry);
  ContractOp convertToPlain(const Contraction &c);
  ContractOp createContract(const Contraction &c, Value lhs, Value rhs,
                            bool transposeLhs, bool transposeRhs);
  Value quantize(Value root, const MatrixLayout &layout, Type storage,
                 PlanEntryAttr entry, StringRef operandRole);
  Scaling getScaling(Value root, Type storage, PlanEntryAttr entry,
                     StringRef operandRole);
  Value getMatrix(Value root, const MatrixLayout &layout);

  DenseSet<Attribute> &reported;
  func::FuncOp function;
  IRRewriter rewriter;
  RecipeAttrInterface recipe;
  AccumAttr accumulation;
  /// Slots by the number and the storage of what they scale: a recomputed copy
  /// has the slot of the original. Set for delayed scaling.
  std::optional<ValueNumbers> numbers;
  DenseMap<std::pair<unsigned, Type>, SlotAttr> slots;

  using Key = std::pair<Value, Type>;
  DenseMap<Value, std::pair<Value, Value>> amaxes;
  DenseMap<Key, Scaling> scalings;
  DenseMap<Value, SmallVector<std::pair<MatrixLayout, Value>>> matrices;
  DenseMap<Key, SmallVector<std::pair<MatrixLayout, Value>>> quantized;
};
} // namespace

/// Just after `value` is defined.
static void setInsertionPointTo(OpBuilder &builder, Value value) {
  builder.setInsertionPointAfterValue(value);
}

Value FunctionQuantizer::getMatrix(Value root, const MatrixLayout &layout) {
  for (auto &[known, matrix] : matrices[root])
    if (known.sameMatrix(layout))
      return matrix;
  setInsertionPointTo(rewriter, root);
  Value matrix = buildMatrix(rewriter, root.getLoc(), root, layout);
  matrices[root].push_back({layout, matrix});
  return matrix;
}

FunctionQuantizer::Scaling
FunctionQuantizer::getScaling(Value root, Type storage, PlanEntryAttr entry,
                              StringRef operandRole) {
  auto [it, inserted] = scalings.try_emplace({root, storage});
  if (!inserted)
    return it->second;
  Location loc = root.getLoc();
  auto &[amax, flags] = amaxes[root];
  if (!amax) {
    setInsertionPointTo(rewriter, root);
    auto op = AmaxOp::create(rewriter, loc, root, DenseI64ArrayAttr());
    amax = op.getAmax();
    flags = op.getFlags();
  }
  setInsertionPointTo(rewriter, flags);
  auto numerics =
      NumericsModeAttr::get(rewriter.getContext(), recipe.getNumerics());
  Scaling result;
  if (auto delayed = dyn_cast<DelayedAttr>(Attribute(recipe))) {
    SlotAttr &slot = slots[{numbers->lookup(root), storage}];
    if (!slot)
      slot =
          SlotAttr::get(rewriter.getContext(),
                        (entry.getName().getValue() + ":" + operandRole).str(),
                        static_cast<int64_t>(slots.size()) - 1, storage);
    auto op =
        DelayedScaleOp::create(rewriter, loc, amax.getType(), amax.getType(),
                               amax, flags, Value(), Value(), slot, numerics,
                               rewriter.getI64IntegerAttr(delayed.getMargin()),
                               rewriter.getI64IntegerAttr(1));
    result = {op.getMultiplier(), op.getScale()};
  } else {
    auto op =
        ScaleFromAmaxOp::create(rewriter, loc, amax.getType(), amax.getType(),
                                amax, flags, TypeAttr::get(storage), numerics,
                                rewriter.getI64IntegerAttr(0), UnitAttr());
    result = {op.getMultiplier(), op.getScale()};
  }
  scalings[{root, storage}] = result;
  return result;
}

Value FunctionQuantizer::quantize(Value root, const MatrixLayout &layout,
                                  Type storage, PlanEntryAttr entry,
                                  StringRef operandRole) {
  for (auto &[known, codes] : quantized[{root, storage}])
    if (known.sameMatrix(layout))
      return codes;
  Scaling scaling = getScaling(root, storage, entry, operandRole);
  Value matrix = getMatrix(root, layout);
  auto type = cast<RankedTensorType>(matrix.getType());
  auto result = ScaledTensorType::get(
      type.getShape(), storage, type.getElementType(),
      ScaleAttr::getPerTensor(type.getContext(), type.getRank()));
  // Matrix and scale both follow the root; take the later of the two.
  Operation *matrixOp = matrix.getDefiningOp();
  Operation *scaleOp = scaling.scale.getDefiningOp();
  if (matrix != root && matrixOp->getBlock() == scaleOp->getBlock() &&
      scaleOp->isBeforeInBlock(matrixOp))
    rewriter.setInsertionPointAfter(matrixOp);
  else
    rewriter.setInsertionPointAfter(scaleOp);
  UnitAttr divide =
      ::fp8::numerics::castDivides(toNumerics(recipe.getNumerics()))
          ? rewriter.getUnitAttr()
          : UnitAttr();
  Value codes = QuantizeOp::create(rewriter, root.getLoc(), result, matrix,
                                   scaling.multiplier, scaling.scale,
                                   rewriter.getBoolAttr(true), divide);
  quantized[{root, storage}].push_back({layout, codes});
  return codes;
}

ContractOp FunctionQuantizer::createContract(const Contraction &c, Value lhs,
                                             Value rhs, bool transposeLhs,
                                             bool transposeRhs) {
  rewriter.setInsertionPoint(c.op);
  auto unit = [&](bool set) {
    return set ? rewriter.getUnitAttr() : UnitAttr();
  };
  return ContractOp::create(rewriter, c.op->getLoc(), getProductType(c), lhs,
                            rhs, getAccumulation(c.op), unit(transposeLhs),
                            unit(transposeRhs));
}

/// What `op` says of its sums, or the plan.
AccumAttr FunctionQuantizer::getAccumulation(Operation *op) {
  auto own = op->getAttrOfType<AccumAttr>(kAccumulationAttr);
  return own ? own : accumulation;
}

ContractOp FunctionQuantizer::convertToFP8(const Contraction &c,
                                           PlanEntryAttr entry) {
  TracedOperand lhs = traceOperand(rewriter, c, true);
  TracedOperand rhs = traceOperand(rewriter, c, false);
  MatrixLayout lhsLayout = getMatrixLayout(c, lhs.axes, c.m);
  // The right matrix is k x n: stored n x k it counts as transposed.
  MatrixLayout rhsLayout = getMatrixLayout(c, rhs.axes, c.n);
  Value a = quantize(lhs.root, lhsLayout, entry.getLhs(), entry,
                     entry.getLhsRole().getValue());
  Value b = quantize(rhs.root, rhsLayout, entry.getRhs(), entry,
                     entry.getRhsRole().getValue());
  return createContract(c, a, b, lhsLayout.transposed, !rhsLayout.transposed);
}

ContractOp FunctionQuantizer::convertToPlain(const Contraction &c) {
  TracedOperand lhs = traceOperand(rewriter, c, true);
  TracedOperand rhs = traceOperand(rewriter, c, false);
  // One element type on both sides: widening a BF16 operand is exact.
  for (TracedOperand *operand : {&lhs, &rhs}) {
    Type other =
        getElementTypeOrSelf((operand == &lhs ? rhs : lhs).root.getType());
    auto type = cast<RankedTensorType>(operand->root.getType());
    if (other.isF32() && !type.getElementType().isF32()) {
      setInsertionPointTo(rewriter, operand->root);
      operand->root = arith::ExtFOp::create(rewriter, c.op->getLoc(),
                                            type.clone(other), operand->root);
    }
  }
  MatrixLayout lhsLayout = getMatrixLayout(c, lhs.axes, c.m);
  MatrixLayout rhsLayout = getMatrixLayout(c, rhs.axes, c.n);
  return createContract(c, getMatrix(lhs.root, lhsLayout),
                        getMatrix(rhs.root, rhsLayout), lhsLayout.transposed,
                        !rhsLayout.transposed);
}

/// Whether a contraction that stays high precision can become an fp8.contract.
static bool canBePlain(const Contraction &c) {
  auto supported = [](Type type) {
    return isa<BFloat16Type, Float32Type>(type);
  };
  return c.zeroInit && supported(c.lhsSource.elementType) &&
         supported(c.rhsSource.elementType) && supported(c.accElt) &&
         !llvm::is_contained(c.loopSizes, 0);
}

static ArrayRef<int64_t> getShape(Value matrix) {
  if (auto type = dyn_cast<ScaledTensorType>(matrix.getType()))
    return type.getShape();
  return cast<ShapedType>(matrix.getType()).getShape();
}

static Type getElement(Value matrix) {
  if (auto type = dyn_cast<ScaledTensorType>(matrix.getType()))
    return type.getStorageType();
  return getElementTypeOrSelf(matrix.getType());
}

/// What an `fp8.contract` of either level computes.
template <typename OpTy>
static void describe(OpTy contract, Decision &decision) {
  ArrayRef<int64_t> lhs = getShape(contract.getLhs());
  ArrayRef<int64_t> rhs = getShape(contract.getRhs());
  ContractionSizes sizes;
  if (lhs.size() == 3)
    sizes.batch = lhs.front();
  auto [m, k] = std::make_pair(lhs.take_back(2).front(), lhs.back());
  sizes.m = contract.getTransposeLhs() ? k : m;
  sizes.k = contract.getTransposeLhs() ? m : k;
  sizes.n = contract.getTransposeRhs() ? rhs.take_back(2).front() : rhs.back();
  decision.sizes = sizes;
  if (auto accumulation = contract.getAccumulation())
    decision.accumulation = *accumulation;
  decision.result = getElementTypeOrSelf(contract->getResult(0).getType());
  decision.lhs = getElement(contract.getLhs());
  decision.rhs = getElement(contract.getRhs());
}

/// Emits the remark of `op`, which carries `entry` out.
void FunctionQuantizer::report(Operation *op, PlanEntryAttr entry) {
  if (!reported.insert(entry).second)
    return; // the public and the private copy of a function
  Decision decision;
  decision.entry = entry;
  if (entry.getStatus() == "fp8")
    decision.scaling = recipe.getRecipeName();
  if (auto contract = dyn_cast<ContractOp>(op)) {
    describe(contract, decision);
  } else if (auto contract = dyn_cast<ScaledContractOp>(op)) {
    describe(contract, decision);
  } else {
    decision.accumulation = accumulation;
    decision.result = getElementTypeOrSelf(op->getResult(0).getType());
    decision.lhs = getElementTypeOrSelf(op->getOperand(0).getType());
    decision.rhs = getElementTypeOrSelf(op->getOperand(1).getType());
    FailureOr<Contraction> c = matchContraction(op);
    if (succeeded(c)) {
      decision.sizes = {c->getSize(c->batch), c->getSize(c->m),
                        c->getSize(c->n), c->getSize(c->k)};
      decision.result = c->accElt;
      decision.lhs = c->lhsSource.elementType;
      decision.rhs = c->rhsSource.elementType;
    }
  }
  emitDecisionRemark(op->getLoc(), decision);
}

void FunctionQuantizer::convert(Operation *op, PlanEntryAttr entry) {
  FailureOr<Contraction> c = failure();
  if (!isa<ContractOp, ScaledContractOp>(op))
    c = matchContraction(op);
  bool fp8 = entry.getStatus() == "fp8";
  if (failed(c) || (!fp8 && !canBePlain(*c))) {
    op->removeAttr(kAccumulationAttr);
    return report(op, entry);
  }
  ContractOp contract = fp8 ? convertToFP8(*c, entry) : convertToPlain(*c);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName() != kAccumulationAttr)
      contract->setAttr(attr.getName(), attr.getValue());
  report(contract, entry);
  rewriter.setInsertionPointAfter(contract);
  Value result = restoreResult(rewriter, *c, contract.getResult());
  if (numbers) {
    // A contraction that reads the result may read it before it was restored.
    numbers->derive(contract.getResult(), op->getResult(0));
    numbers->replace(op->getResult(0), result);
  }
  rewriter.replaceOp(op, result);
}

void FunctionQuantizer::run() {
  if (isa<DelayedAttr>(Attribute(recipe)))
    numbers.emplace(function);
  SmallVector<std::pair<Operation *, PlanEntryAttr>> work;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr))
      work.push_back({op, entry});
  });
  for (auto [op, entry] : work)
    convert(op, entry);
  // Casts and transposes that only fed a contraction are dead now.
  (void)runRegionDCE(rewriter, function->getRegions());
}

namespace {
struct QuantizePass final : mlir::fp8::impl::QuantizePassBase<QuantizePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan) {
      module.emitError("fp8-quantize: expected attribute 'fp8.plan' on the "
                       "module; run fp8-plan first");
      return signalPassFailure();
    }
    DenseSet<Attribute> reported;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (isa<DelayedAttr>(plan.getRecipe()))
        function->setAttr(kRecipeAttr, plan.getRecipe());
      FunctionQuantizer(function, plan, reported).run();
    }
  }
};
} // namespace
