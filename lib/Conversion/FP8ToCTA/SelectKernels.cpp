//===- SelectKernels.cpp - Kernels for the operations of a module ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that need the same kernel share it: the key is everything that a
// kernel depends on. A contraction without a kernel is not an error here; it
// runs on the CPU path, and its remark says so.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Transforms/DecisionRemark.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

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
  problem.divide = op.getDivide();
  return problem;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// "2x64x32"; a batch of none is left out.
static std::string sizes(std::optional<int64_t> batch, ArrayRef<int64_t> rest) {
  std::string text = batch ? std::to_string(*batch) + "x" : "";
  for (auto [index, extent] : llvm::enumerate(rest))
    text += (index ? "x" : "") + std::to_string(extent);
  return text;
}

/// Name of the kernel of `problem`, the same for the same kernel.
static std::string getKernelName(const GemmProblem &p) {
  std::string name =
      llvm::formatv("gemm_{0}_{1}_{2}_{3}_{4}", sizes(p.batch, {p.m, p.n, p.k}),
                    print(p.lhs), print(p.rhs), print(p.out), p.model);
  if (p.promote != 0)
    name += "_promote" + std::to_string(p.promote);
  return name;
}

static std::string getKernelName(const CastProblem &p) {
  return llvm::formatv("cast_{0}_{1}_{2}{3}", p.elements, print(p.in),
                       print(p.out), p.saturate ? "" : "_nan");
}

static std::string getKernelName(const PackProblem &p) {
  return llvm::formatv("{0}_{1}_{2}", p.transpose ? "transpose" : "pad",
                       sizes(p.batch, {p.rows, p.columns}), print(p.in));
}

/// What a contraction runs, as its remark says it.
struct KernelChoice {
  std::string kernel, schedule;
  /// Operands that are re-laid first, as "lhs", "rhs" or "lhs, rhs".
  std::string copies;
  /// Why there is no kernel.
  std::string refusal;
};

/// Says which kernel a contraction has, or why none; joined to its decision by
/// function and index.
static void emitKernelRemark(ScaledContractOp op, const KernelChoice &choice) {
  using Arg = remark::detail::Remark::Arg;
  auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
  if (!entry)
    return;
  auto opts = remark::RemarkOpts::name(kKernelRemark)
                  .category(kDecisionCategory)
                  .function(entry.getFunction().getValue());
  auto fill = [&](remark::detail::InFlightRemark remark) {
    if (remark)
      remark << Arg("index", entry.getIndex()) << Arg("kernel", choice.kernel)
             << Arg("schedule", choice.schedule) << Arg("copies", choice.copies)
             << Arg("kernel_reason", choice.refusal);
  };
  if (choice.refusal.empty())
    fill(remark::passed(op.getLoc(), opts));
  else
    fill(remark::missed(op.getLoc(), opts));
}

namespace {

/// One launch: a kernel and what its parameters get, in order.
struct LaunchStep {
  std::string kernel;
  SmallVector<std::string> arguments;
};

struct SelectKernelsPass final
    : mlir::fp8::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override;

private:
  OpBuilder getKernels();
  void selectIn(FunctionOpInterface function);
  void select(ScaledContractOp op);
  void select(ScaledQuantizeOp op);
  std::string relay(Value operand, StringRef name, bool transpose,
                    Operation *user, SmallVectorImpl<LaunchStep> &steps);
  void setLaunches(Operation *op, ArrayRef<LaunchStep> steps);

  const ::fp8::target::TargetInfo *info = nullptr;
  gpu::GPUModuleOp kernels;
  // Of the current function: bytes of its scratch buffers; and the name of the
  // one that holds a value re-laid, for users in one block.
  SmallVector<int64_t> scratch;
  std::map<std::tuple<void *, void *, bool>, std::string> relaid;
};

} // namespace

void SelectKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  std::string error;
  info = ::fp8::target::lookupTarget(target, error);
  if (!info || !info->isGPU()) {
    module.emitError("fp8-select-kernels: expected a GPU target, got '")
        << target << "'" << (error.empty() ? "" : ": ") << error;
    return signalPassFailure();
  }
  kernels = nullptr;
  for (auto function : llvm::to_vector(module.getOps<FunctionOpInterface>()))
    selectIn(function);
}

/// Where kernels go; made with the first one.
OpBuilder SelectKernelsPass::getKernels() {
  ModuleOp module = getOperation();
  if (!kernels) {
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    kernels = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
  }
  return OpBuilder::atBlockEnd(kernels.getBody());
}

void SelectKernelsPass::selectIn(FunctionOpInterface function) {
  scratch.clear();
  relaid.clear();
  function.walk([&](Operation *op) {
    if (auto contract = dyn_cast<ScaledContractOp>(op))
      select(contract);
    else if (auto quantize = dyn_cast<ScaledQuantizeOp>(op))
      select(quantize);
  });
  if (!scratch.empty())
    function->setAttr(kScratchAttr,
                      DenseI64ArrayAttr::get(&getContext(), scratch));
}

void SelectKernelsPass::setLaunches(Operation *op, ArrayRef<LaunchStep> steps) {
  Builder b(op->getContext());
  SmallVector<Attribute> launches;
  for (const LaunchStep &step : steps) {
    SmallVector<StringRef> arguments(step.arguments.begin(),
                                     step.arguments.end());
    launches.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("kernel", b.getStringAttr(step.kernel)),
         b.getNamedAttr("arguments", b.getStrArrayAttr(arguments))}));
  }
  op->setAttr(kKernelAttr, b.getStringAttr(steps.back().kernel));
  op->setAttr(kLaunchesAttr, b.getArrayAttr(launches));
}

/// The name of what a product reads in place of `operand`, called `name` in it:
/// itself, or scratch memory that a step fills, unless an earlier one in the
/// user's block did.
std::string SelectKernelsPass::relay(Value operand, StringRef name,
                                     bool transpose, Operation *user,
                                     SmallVectorImpl<LaunchStep> &steps) {
  ShapedType type = shaped(operand);
  ArrayRef<int64_t> shape = type.getShape();
  PackProblem problem;
  problem.batch = shape.size() == 3 ? shape.front() : 1;
  problem.rows = shape.take_back(2).front();
  problem.columns = shape.back();
  problem.in = problem.out = type.getElementType();
  problem.transpose = transpose;
  if (!transpose && problem.getPitch() == problem.columns)
    return name.str();
  auto key = std::make_tuple(operand.getAsOpaquePointer(),
                             static_cast<void *>(user->getBlock()), transpose);
  std::string &buffer = relaid[key];
  if (!buffer.empty())
    return buffer;
  buffer = "scratch" + std::to_string(scratch.size());
  int64_t lines = transpose ? problem.columns : problem.rows;
  scratch.push_back(problem.batch * lines * problem.getPitch() *
                    type.getElementTypeBitWidth() / 8);
  std::string kernel = getKernelName(problem);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(kernel))
    buildPackKernel(b, user->getLoc(), kernel, problem, *info);
  steps.push_back({kernel, {name.str(), buffer}});
  return buffer;
}

void SelectKernelsPass::select(ScaledContractOp op) {
  Type element = shaped(op.getLhs()).getElementType();
  if (!isStorageType(element))
    return;
  GemmProblem problem = getProblem(op);
  bool transposeLhs = problem.transposeLhs;
  bool transposeRhs = !problem.transposeRhs;
  // What the kernel sees: k contiguous, in rows that TMA can address.
  problem.transposeLhs = false;
  problem.transposeRhs = true;
  if (!ShapedType::isDynamic(problem.k))
    problem.k = llvm::alignTo(problem.k, 128 / element.getIntOrFloatBitWidth());
  if (std::optional<Refusal> refusal = refuseGemm(problem, *info))
    return emitKernelRemark(op, {"", "", "", *refusal});
  SmallVector<LaunchStep> steps;
  std::string lhs = relay(op.getLhs(), "lhs", transposeLhs, op, steps);
  std::string rhs = relay(op.getRhs(), "rhs", transposeRhs, op, steps);
  std::string name = getKernelName(problem);
  cta::ScheduleAttr schedule = chooseSchedule(problem, *info, &getContext());
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(name))
    buildGemmKernel(b, op.getLoc(), name, problem, schedule, *info);
  LaunchStep step = {name, {lhs, rhs, "result"}};
  if (problem.isScaled())
    step.arguments.append({"lhs_scale", "rhs_scale"});
  steps.push_back(step);
  setLaunches(op, steps);
  KernelChoice choice;
  choice.kernel = name;
  llvm::raw_string_ostream(choice.schedule) << Attribute(schedule);
  choice.copies = lhs == "lhs" ? "" : "lhs";
  if (rhs != "rhs")
    choice.copies += choice.copies.empty() ? "rhs" : ", rhs";
  emitKernelRemark(op, choice);
}

void SelectKernelsPass::select(ScaledQuantizeOp op) {
  CastProblem problem = getProblem(op);
  if (refuseCast(problem, *info))
    return;
  std::string name = getKernelName(problem);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(name))
    buildCastKernel(b, op.getLoc(), name, problem, *info);
  LaunchStep step = {name, {"input", "multiplier", "result"}};
  setLaunches(op, step);
}
