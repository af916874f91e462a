//===- SelectKernels.cpp - Kernels for the operations of a module ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that need the same kernel share it: the key is everything that a
// kernel depends on. A contraction without a kernel is not an error here; it
// runs on the CPU path or, later, as a padded or copied one, and its remark says
// so.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Transforms/DecisionRemark.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "fp8/Conversion/GPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

static ShapedType shaped(Value value) {
  return cast<ShapedType>(value.getType());
}

static GemmProblem getProblem(ScaledContractOp op) {
  GemmProblem problem;
  ShapedType lhs = shaped(op.getLhs()), out = shaped(op.getInit());
  int64_t first = lhs.getRank() - 2;
  if (first == 1)
    problem.batch = lhs.getDimSize(0);
  problem.m = out.getDimSize(first);
  problem.n = out.getDimSize(first + 1);
  problem.k = lhs.getDimSize(first + 1 - op.getTransposeLhs());
  problem.lhs = lhs.getElementType();
  problem.rhs = shaped(op.getRhs()).getElementType();
  problem.out = out.getElementType();
  problem.transposeLhs = op.getTransposeLhs();
  problem.transposeRhs = op.getTransposeRhs();
  AccumAttr accumulation = op.getAccumulationOrAuto();
  problem.model = stringifyAccumModel(accumulation.getModel()).str();
  problem.promote = accumulation.getPromote();
  problem.hasSplit = !accumulation.getSplit().empty();
  return problem;
}

static CastProblem getProblem(ScaledQuantizeOp op) {
  CastProblem problem;
  ShapedType in = shaped(op.getInput());
  problem.elements =
      in.hasStaticShape() ? in.getNumElements() : ShapedType::kDynamic;
  problem.in = in.getElementType();
  problem.out = shaped(op.getInit()).getElementType();
  problem.saturate = op.getSaturate();
  return problem;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Name of the kernel of `problem`, the same for the same kernel.
static std::string getKernelName(const GemmProblem &p) {
  std::string name = llvm::formatv(
      "gemm_{0}x{1}x{2}_{3}_{4}_{5}_{6}", p.m, p.n, p.k, print(p.lhs),
      print(p.rhs), print(p.out), p.model);
  if (p.promote != 0)
    name += "_promote" + std::to_string(p.promote);
  return name;
}

static std::string getKernelName(const CastProblem &p) {
  return llvm::formatv("cast_{0}_{1}_{2}{3}", p.elements, print(p.in),
                       print(p.out), p.saturate ? "" : "_nan");
}

/// Says which kernel a contraction has, or why none; joined to its decision by
/// function and index.
static void emitKernelRemark(ScaledContractOp op, StringRef kernel,
                             StringRef schedule, StringRef refusal) {
  using Arg = remark::detail::Remark::Arg;
  auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
  if (!entry)
    return;
  auto opts = remark::RemarkOpts::name(kKernelRemark)
                  .category(kDecisionCategory)
                  .function(entry.getFunction().getValue());
  auto fill = [&](remark::detail::InFlightRemark remark) {
    if (remark)
      remark << Arg("index", entry.getIndex()) << Arg("kernel", kernel)
             << Arg("schedule", schedule) << Arg("kernel_reason", refusal);
  };
  if (refusal.empty())
    fill(remark::passed(op.getLoc(), opts));
  else
    fill(remark::missed(op.getLoc(), opts));
}

namespace {
struct SelectKernelsPass final
    : mlir::fp8::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string error;
    info = ::fp8::target::lookupTarget(target, error);
    if (!info || !info->isGPU()) {
      module.emitError("fp8-select-kernels: expected a GPU target, got '")
          << target << "'" << (error.empty() ? "" : ": ") << error;
      return signalPassFailure();
    }
    module.walk([&](Operation *op) {
      if (auto contract = dyn_cast<ScaledContractOp>(op))
        select(contract);
      else if (auto quantize = dyn_cast<ScaledQuantizeOp>(op))
        select(quantize);
    });
  }

private:
  /// Where kernels go; made with the first one.
  OpBuilder getKernels() {
    ModuleOp module = getOperation();
    if (!kernels) {
      OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
      kernels = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
    }
    return OpBuilder::atBlockEnd(kernels.getBody());
  }

  void select(ScaledContractOp op) {
    if (!isStorageType(shaped(op.getLhs()).getElementType()))
      return;
    GemmProblem problem = getProblem(op);
    if (std::optional<Refusal> refusal = refuseGemm(problem, *info)) {
      emitKernelRemark(op, "", "", *refusal);
      return;
    }
    std::string name = getKernelName(problem);
    cta::ScheduleAttr schedule =
        chooseSchedule(problem, *info, op.getContext());
    OpBuilder b = getKernels();
    if (!kernels.lookupSymbol(name))
      buildGemmKernel(b, op.getLoc(), name, problem, schedule, *info);
    op->setAttr(kKernelAttr, b.getStringAttr(name));
    std::string text;
    llvm::raw_string_ostream(text) << Attribute(schedule);
    emitKernelRemark(op, name, text, "");
  }

  void select(ScaledQuantizeOp op) {
    CastProblem problem = getProblem(op);
    if (refuseCast(problem, *info))
      return;
    std::string name = getKernelName(problem);
    OpBuilder b = getKernels();
    if (!kernels.lookupSymbol(name))
      buildCastKernel(b, op.getLoc(), name, problem, *info);
    op->setAttr(kKernelAttr, b.getStringAttr(name));
  }

  const ::fp8::target::TargetInfo *info = nullptr;
  gpu::GPUModuleOp kernels;
};
} // namespace
