//===- SplitSums.cpp - Sums in parts, for one device ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a sum is split is part of what an operation computes, so this asks the
// cost model before anything is converted, and says the answer in the
// operation: every device that runs it adds the same way.
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/Contraction.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Transforms/Recipes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace mlir::fp8 {
#define GEN_PASS_DEF_SPLITSUMSPASS
#include "fp8/Conversion/GPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// Numbers of parts that are tried.
static constexpr int64_t kParts[] = {2, 3, 4, 6, 8, 12, 16};
/// What is left of the time that the sum in one part is predicted to take, at
/// most: what is predicted to gain less may lose.
static constexpr double kWorthwhile = 0.9;

namespace {
/// A matrix as `fp8.contract` and `fp8.scaled_contract` know it.
struct Matrix {
  ArrayRef<int64_t> shape;
  Type element;
};

struct SplitSumsPass final : mlir::fp8::impl::SplitSumsPassBase<SplitSumsPass> {
  using SplitSumsPassBase::SplitSumsPassBase;

  void runOnOperation() override;

private:
  AccumAttr split(GemmProblem problem, int64_t k);
  template <typename OpTy>
  void visit(OpTy contract);
  void visit(Operation *op, PlanEntryAttr entry);
  void report(Operation *op, AccumAttr accumulation);

  std::optional<::fp8::target::GPU> gpu;
};
} // namespace

static Matrix getMatrix(Value value) {
  if (auto type = dyn_cast<ScaledTensorType>(value.getType()))
    return {type.getShape(), type.getStorageType()};
  auto type = cast<ShapedType>(value.getType());
  return {type.getShape(), type.getElementType()};
}

/// Where parts of equal lengths begin, in multiples of `unit`.
static SmallVector<int64_t> getBoundaries(int64_t k, int64_t parts,
                                          int64_t unit) {
  SmallVector<int64_t> boundaries;
  auto length =
      static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(k, parts), unit));
  for (int64_t at = length; at < k; at += length)
    boundaries.push_back(at);
  return boundaries;
}

/// The target's accumulation with the split for which blocks that share sums
/// are the fastest; null where none is worth it. `problem` has everything but
/// k.
AccumAttr SplitSumsPass::split(GemmProblem problem, int64_t k) {
  MLIRContext *context = &getContext();
  problem.transposeRhs = true; // operands are re-laid where they have to be
  for (int64_t extent : {problem.batch.value_or(1), problem.m, problem.n, k})
    if (ShapedType::isDynamic(extent) || extent < 1)
      return {};
  if (!problem.lhs.isIntOrFloat())
    return {};
  problem.k = static_cast<int64_t>(
      llvm::alignTo(k, 128 / problem.lhs.getIntOrFloatBitWidth()));
  if (refuseGemm(problem, gpu->target))
    return {};
  AccumAttr refined = refineAccumulation(
      AccumAttr::get(context, AccumModel::Auto), gpu->target.name);
  problem.model = stringifyAccumModel(refined.getModel()).str();
  problem.promote = refined.getPromote();
  double best =
      kWorthwhile * rankSchedules(problem, gpu->target, gpu->device, context)
                        .front()
                        .prediction.microseconds;
  int64_t unit =
      std::lcm(getTileDepth(problem), std::max<int64_t>(problem.promote, 1));
  AccumAttr result;
  for (int64_t parts : kParts) {
    problem.split = getBoundaries(k, parts, unit);
    if (problem.split.empty() || refuseGemm(problem, gpu->target))
      continue;
    ScheduleChoice choice =
        rankSchedules(problem, gpu->target, gpu->device, context).front();
    if (choice.schedule.getSplit() == 1 ||
        choice.prediction.microseconds >= best)
      continue;
    best = choice.prediction.microseconds;
    result = AccumAttr::get(context, refined.getModel(), refined.getPromote(),
                            problem.split);
  }
  return result;
}

void SplitSumsPass::report(Operation *op, AccumAttr accumulation) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name("accumulation")
                     .category("fp8-split-sums")
                     .function(function ? function.getName() : "");
  auto remark = remark::analysis(op->getLoc(), options);
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(accumulation);
  remark << remark::detail::Remark::Arg("device", gpu->device.name)
         << remark::detail::Remark::Arg("accumulation", text);
}

template <typename OpTy>
void SplitSumsPass::visit(OpTy contract) {
  if (contract->getNumResults() == 0 ||
      contract.getAccumulationOrAuto().getModel() != AccumModel::Auto)
    return;
  Matrix lhs = getMatrix(contract.getLhs()), rhs = getMatrix(contract.getRhs());
  Matrix out = getMatrix(contract->getResult(0));
  GemmProblem problem;
  if (out.shape.size() == 3)
    problem.batch = out.shape.front();
  problem.m = out.shape.drop_back().back();
  problem.n = out.shape.back();
  problem.lhs = lhs.element;
  problem.rhs = rhs.element;
  problem.out = out.element;
  int64_t k = contract.getTransposeLhs() ? lhs.shape.drop_back().back()
                                         : lhs.shape.back();
  if (AccumAttr accumulation = split(problem, k)) {
    contract.setAccumulationAttr(accumulation);
    report(contract, accumulation);
  }
}

/// A contraction that fp8-quantize will make of `op`.
void SplitSumsPass::visit(Operation *op, PlanEntryAttr entry) {
  FailureOr<Contraction> c = matchContraction(op);
  if (failed(c))
    return;
  GemmProblem problem;
  if (!c->batch.empty())
    problem.batch = c->getSize(c->batch);
  problem.m = c->getSize(c->m);
  problem.n = c->getSize(c->n);
  bool isFP8 = entry.getStatus() == "fp8";
  problem.lhs = isFP8 ? entry.getLhs() : c->lhsSource.elementType;
  problem.rhs = isFP8 ? entry.getRhs() : c->rhsSource.elementType;
  problem.out = c->accElt;
  if (AccumAttr accumulation = split(problem, c->getSize(c->k))) {
    op->setAttr(kAccumulationAttr, accumulation);
    report(op, accumulation);
  }
}

void SplitSumsPass::runOnOperation() {
  ModuleOp module = getOperation();
  gpu = getGPU(module, getArgument(), target, device);
  if (!gpu)
    return signalPassFailure();
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  bool isOpen = plan && plan.getAccumulation().getModel() == AccumModel::Auto;
  module.walk([&](Operation *op) {
    auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
    TypeSwitch<Operation *>(op)
        .Case<ContractOp, ScaledContractOp>(
            [&](auto contract) { visit(contract); })
        .Default([&](Operation *other) {
          if (entry && isOpen)
            visit(other, entry);
        });
  });
}
