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

#include "CastAmax.h"
#include "FusedContract.h"
#include "KernelPrediction.h"

#include "fp8/Conversion/GPU/Amax.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Conversion/GPU/ScheduleDB.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Transforms/DecisionRemark.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"

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

static AmaxProblem getProblem(mlir::fp8::AmaxOp op) {
  AmaxProblem problem;
  ShapedType in = shaped(op.getInput());
  problem.elements =
      in.hasStaticShape() ? in.getNumElements() : ShapedType::kDynamic;
  problem.in = in.getElementType();
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

/// `type`'s matrices, to be transposed or padded.
static PackProblem getPackProblem(ShapedType type, bool transpose) {
  ArrayRef<int64_t> shape = type.getShape();
  PackProblem problem;
  problem.batch = shape.size() == 3 ? shape.front() : 1;
  problem.rows = shape.take_back(2).front();
  problem.columns = shape.back();
  problem.in = problem.out = type.getElementType();
  problem.transpose = transpose;
  return problem;
}

/// What a contraction runs, as its remark says it.
struct KernelChoice {
  std::string kernel, schedule;
  /// Operands that are re-laid first, as "lhs", "rhs" or "lhs, rhs".
  std::string copies;
  /// Why there is no kernel.
  std::string refusal;
  /// Absent with a refusal.
  std::optional<KernelPrediction> prediction = std::nullopt;
};

/// Says which kernel a contraction has, or why none; joined to its decision by
/// function and index.
static void emitKernelRemark(ScaledContractOp op, const KernelChoice &choice) {
  auto entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
  if (!entry)
    return;
  emitKernelRemark(
      op.getLoc(), entry,
      {choice.kernel, choice.schedule, choice.copies, choice.refusal},
      [&](remark::detail::InFlightRemark &remark) {
        if (choice.prediction)
          addPrediction(remark, *choice.prediction);
      });
}

namespace {

/// One launch: a kernel and what its parameters get, in order.
struct LaunchStep {
  std::string kernel;
  SmallVector<std::string> arguments;
  /// First and last m that it is for, if it is one of several.
  SmallVector<int64_t> range = {};
};

struct SelectKernelsPass final
    : mlir::fp8::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override;

private:
  OpBuilder getKernels();
  void refuse(ScaledContractOp op, StringRef reason);
  void selectIn(FunctionOpInterface function);
  void select(ScaledContractOp op);
  void select(func::CallOp call, func::FuncOp callee);
  void select(ScaledQuantizeOp op);
  void select(mlir::fp8::AmaxOp op);
  std::optional<PackProblem> getLayout(ScaledQuantizeOp op);
  bool joinsProducer(ScaledQuantizeOp op);
  void planCasts(Region &region);
  void selectWithLayout(ScaledQuantizeOp op, PackProblem problem);
  /// Whether a cast or an amax has a kernel. Numbers of elements that only the
  /// launch knows are computed by the host code of a whole graph.
  bool hasKernel(const CastProblem &problem) {
    return takes(problem.elements) && !refuseCast(problem, gpu->target);
  }
  bool hasKernel(const AmaxProblem &problem) {
    return takes(problem.elements) && !refuseAmax(problem, gpu->target);
  }
  bool takes(int64_t elements) {
    return wholeGraph || !ShapedType::isDynamic(elements);
  }
  void setCastLaunch(ScaledQuantizeOp op, LaunchStep step);
  std::optional<bool> readsTransposed(OpOperand &use);
  PredictedOperand relay(Value operand, StringRef name, bool transpose,
                         Operation *user, SmallVectorImpl<LaunchStep> &steps,
                         LaunchStep &product);
  double getCastShare(Value codes);
  KernelChoice choose(Location loc, const GemmProblem &problem,
                      PredictedOperand lhs, PredictedOperand rhs);
  std::string addScratch(int64_t bytes);
  void addWorkspace(Location loc, const GemmProblem &problem,
                    cta::ScheduleAttr schedule,
                    SmallVectorImpl<LaunchStep> &steps, LaunchStep &product);
  std::string buildGemm(Location loc, const GemmProblem &problem,
                        KernelChoice &choice);
  void selectDynamic(ScaledContractOp op, const GemmProblem &problem);
  LaunchStep buildClear(Location loc, StringRef words, int64_t count = 2);
  std::string addWords(Operation *op, Operation *cast,
                       SmallVectorImpl<LaunchStep> &steps);
  LaunchStep buildAmax(Location loc, StringRef words,
                       const FusedContract::Result &result);
  void setLaunches(Operation *op, ArrayRef<LaunchStep> steps);

  std::optional<::fp8::target::GPU> gpu;
  std::optional<ScheduleDB> tuned;
  /// What the functions with kFusedAttr are; shared, as passes are copied.
  std::map<Operation *, std::shared_ptr<FusedContract>> fusedOf;
  gpu::GPUModuleOp kernels;
  // Of the current function: bytes of its scratch buffers; and the name of the
  // one that holds a value re-laid, for users in one block.
  SmallVector<int64_t> scratch;
  std::map<std::tuple<void *, void *, bool>, std::string> relaid;
  // The layouts that its casts with a kernel write, nothing for the input's
  // own; how its amaxes are taken; the words of amaxes, by what merges first.
  DenseMap<Operation *, std::optional<PackProblem>> layoutOf;
  AmaxPlan amaxes;
  DenseMap<Operation *, std::string> wordsOf;
};

} // namespace

void SelectKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  gpu = getGPU(module, getArgument(), target, device);
  if (!gpu)
    return signalPassFailure();
  std::string error;
  tuned = ScheduleDB::parse(schedules, &getContext(), error);
  if (!tuned) {
    module.emitError("schedule database: ") << error;
    return signalPassFailure();
  }
  kernels = nullptr;
  fusedOf.clear();
  // What an earlier run said of operations that have no kernel now.
  module.walk([](Operation *op) {
    for (StringRef name : {StringRef(kLaunchesAttr), StringRef(kKernelAttr),
                           StringRef(kSizesAttr), StringRef(kScratchAttr),
                           StringRef(kNoKernelAttr)})
      op->removeAttr(name);
  });
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kFusedAttr))
      continue;
    auto fused = analyzeFused(function);
    if (failed(fused))
      return signalPassFailure();
    fusedOf[function] = std::move(*fused);
  }
  for (auto function : llvm::to_vector(module.getOps<FunctionOpInterface>()))
    if (!function->hasAttr(kFusedAttr))
      selectIn(function);
}

/// Where kernels go; made with the first one. One that is there already may
/// have kernels of these names for something else.
OpBuilder SelectKernelsPass::getKernels() {
  ModuleOp module = getOperation();
  if (!kernels) {
    StringRef name = wholeGraph ? "fp8_matrix" : "kernels";
    if (Operation *other = module.lookupSymbol(name)) {
      other->emitError("expected no symbol '")
          << name << "' where kernels are selected, which go into a gpu.module "
          << "of that name; rename it";
      signalPassFailure();
    }
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    kernels = gpu::GPUModuleOp::create(b, module.getLoc(), name);
  }
  return OpBuilder::atBlockEnd(kernels.getBody());
}

/// In a whole graph loops take over, which is not worth a remark.
void SelectKernelsPass::refuse(ScaledContractOp op, StringRef reason) {
  if (wholeGraph)
    return;
  op->setAttr(kNoKernelAttr, StringAttr::get(&getContext(), reason));
  emitKernelRemark(op, {"", "", "", reason.str()});
}

void SelectKernelsPass::selectIn(FunctionOpInterface function) {
  scratch.clear();
  relaid.clear();
  wordsOf.clear();
  planCasts(function.getFunctionBody());
  function.walk([&](Operation *op) {
    if (auto contract = dyn_cast<ScaledContractOp>(op))
      select(contract);
    else if (auto quantize = dyn_cast<ScaledQuantizeOp>(op))
      select(quantize);
    else if (auto amax = dyn_cast<mlir::fp8::AmaxOp>(op))
      select(amax);
    else if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee =
              getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
          callee && fusedOf.count(callee))
        select(call, callee);
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
    SmallVector<NamedAttribute> fields = {
        b.getNamedAttr("kernel", b.getStringAttr(step.kernel)),
        b.getNamedAttr("arguments", b.getStrArrayAttr(arguments))};
    if (!step.range.empty())
      fields.push_back(b.getNamedAttr("m", b.getDenseI64ArrayAttr(step.range)));
    launches.push_back(b.getDictionaryAttr(fields));
  }
  op->setAttr(kKernelAttr, b.getStringAttr(steps.back().kernel));
  op->setAttr(kLaunchesAttr, b.getArrayAttr(launches));
}

/// Adds to the arguments of `product` the name of what it reads in place of
/// `operand`, called `name` in it: itself, or scratch memory that a step fills,
/// unless an earlier one in the user's block did.
PredictedOperand SelectKernelsPass::relay(Value operand, StringRef name,
                                          bool transpose, Operation *user,
                                          SmallVectorImpl<LaunchStep> &steps,
                                          LaunchStep &product) {
  ShapedType type = shaped(operand);
  PackProblem problem = getPackProblem(type, transpose);
  if (!transpose && problem.getPitch() == problem.columns) {
    product.arguments.push_back(name.str());
    return {operand, false};
  }
  auto key = std::make_tuple(operand.getAsOpaquePointer(),
                             static_cast<void *>(user->getBlock()), transpose);
  std::string &buffer = relaid[key];
  bool isCopied = buffer.empty();
  if (isCopied) {
    buffer = addScratch(problem.getOutputElements() *
                        cta::getElementBytes(type.getElementType()));
    std::string kernel = getKernelName(problem);
    OpBuilder b = getKernels();
    if (!kernels.lookupSymbol(kernel))
      buildPackKernel(b, user->getLoc(), kernel, problem, gpu->target);
    steps.push_back({kernel, {name.str(), buffer}});
  }
  product.arguments.push_back(buffer);
  return {operand, isCopied};
}

/// The name of a new scratch buffer.
std::string SelectKernelsPass::addScratch(int64_t bytes) {
  scratch.push_back(bytes);
  return "scratch" + std::to_string(scratch.size() - 1);
}

/// Adds to the arguments of `product` the memory in which its blocks share
/// sums, if they do; a step clears what counts them.
void SelectKernelsPass::addWorkspace(Location loc, const GemmProblem &problem,
                                     cta::ScheduleAttr schedule,
                                     SmallVectorImpl<LaunchStep> &steps,
                                     LaunchStep &product) {
  std::optional<GemmWorkspace> workspace = getWorkspace(problem, schedule);
  if (!workspace)
    return;
  product.arguments.push_back(
      addScratch(workspace->partials * static_cast<int64_t>(sizeof(float))));
  std::string counters =
      addScratch(workspace->counters * static_cast<int64_t>(sizeof(int32_t)));
  product.arguments.push_back(counters);
  steps.push_back(buildClear(loc, counters, workspace->counters));
  steps.back().range = product.range;
}

/// The name of the kernel of `problem`, which is built if there is none yet.
std::string SelectKernelsPass::buildGemm(Location loc,
                                         const GemmProblem &problem,
                                         KernelChoice &choice) {
  choice.kernel = getKernelName(problem);
  cta::ScheduleAttr schedule = choice.prediction->choice.schedule;
  llvm::raw_string_ostream(choice.schedule) << Attribute(schedule);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(choice.kernel))
    buildGemmKernel(b, loc, choice.kernel, problem, schedule, gpu->target);
  return choice.kernel;
}

/// Microseconds to make the codes `codes`, over the number of their readers;
/// and to take the amax of the values, where that is a pass of its own in every
/// step, over the readers of all codes of them. What loops do on the way costs
/// nothing.
double SelectKernelsPass::getCastShare(Value codes) {
  auto cast = codes.getDefiningOp<ScaledQuantizeOp>();
  if (!cast)
    return 0;
  auto share = [&](int64_t read, int64_t written, int64_t readers) {
    return ::fp8::target::predictStream(read, written, gpu->device)
               .microseconds /
           static_cast<double>(std::max<int64_t>(readers, 1));
  };
  int64_t read = getStaticBytes(cast.getInput());
  int64_t written = getStaticBytes(codes);
  double time = 0;
  if (auto layout = layoutOf.find(cast);
      layout != layoutOf.end() && layout->second)
    written = layout->second->getOutputElements() +
              (layout->second->keepPlain ? written : 0);
  if (!joinsProducer(cast))
    time +=
        share(read, written, std::distance(codes.use_begin(), codes.use_end()));
  for (mlir::fp8::AmaxOp amax : amaxes.getPasses(cast))
    time += share(getStaticBytes(amax.getInput()), 0, countReaders(cast));
  return time;
}

/// The schedule of `problem`, and which of its operands are copied for it.
KernelChoice SelectKernelsPass::choose(Location loc, const GemmProblem &problem,
                                       PredictedOperand lhs,
                                       PredictedOperand rhs) {
  KernelChoice choice;
  for (PredictedOperand *operand : {&lhs, &rhs})
    operand->casts = getCastShare(operand->value);
  choice.prediction =
      predictKernel(problem, {lhs, rhs}, gpu->target, gpu->device);
  std::string error;
  auto entry = tuned->lookup(problem, gpu->target, gpu->device, error);
  if (failed(entry)) {
    emitError(loc) << "schedule database: " << error;
    signalPassFailure();
  } else if (*entry &&
             (*entry)->schedule != choice.prediction->choice.schedule) {
    // What the model would take is the next best then.
    choice.prediction->next = choice.prediction->choice;
    choice.prediction->choice = **entry;
  }
  choice.copies = lhs.isCopied && rhs.isCopied ? "lhs, rhs"
                  : lhs.isCopied               ? "lhs"
                  : rhs.isCopied               ? "rhs"
                                               : "";
  return choice;
}

/// Why operands of sizes that are not known cannot be read as they are (copies
/// need sizes), or nothing if they can.
static std::optional<Refusal> refuseDynamic(ScaledContractOp op,
                                            const GemmProblem &problem) {
  auto isPadded = [&](Value operand, bool turned) {
    return !turned && shaped(operand).getShape().back() != problem.k;
  };
  if (op.getTransposeLhs() || isPadded(op.getLhs(), op.getTransposeLhs()))
    return Refusal("expected static sizes where the left operand is re-laid, "
                   "found a dynamic one");
  bool relaid =
      !op.getTransposeRhs() || isPadded(op.getRhs(), !op.getTransposeRhs());
  if (relaid && !shaped(op.getRhs()).hasStaticShape())
    return Refusal("expected static sizes where the right operand is re-laid, "
                   "found a dynamic one");
  return std::nullopt;
}

/// Why `op` has no kernel here; `problem` is its, with what is fused behind it.
static std::optional<Refusal>
refuseProduct(ScaledContractOp op, const GemmProblem &problem,
              const ::fp8::target::TargetInfo &target, bool wholeGraph) {
  // It gets one when there are buffers.
  if (wholeGraph && problem.hasDynamicSizes())
    return Refusal("expected static sizes, found a dynamic one");
  if (ShapedType::isDynamic(problem.n) || ShapedType::isDynamic(problem.k))
    return Refusal("expected static n and k, found a dynamic size");
  if (std::optional<Refusal> refusal = refuseGemm(problem, target))
    return refusal;
  if (problem.hasDynamicSizes())
    return refuseDynamic(op, problem);
  return std::nullopt;
}

/// One compile for every m: a kernel for each range of it, and the launch takes
/// the one whose range has it.
void SelectKernelsPass::selectDynamic(ScaledContractOp op,
                                      const GemmProblem &problem) {
  Builder attributes(&getContext());
  SmallVector<LaunchStep> steps;
  LaunchStep step;
  KernelChoice choice;
  SmallVector<NamedAttribute> sizes;
  auto addSize = [&](StringRef name, unsigned dim) {
    step.arguments.push_back(name.str());
    sizes.push_back(attributes.getNamedAttr(
        name, attributes.getStringAttr("lhs." + Twine(dim))));
  };
  relay(op.getLhs(), "lhs", op.getTransposeLhs(), op, steps, step);
  relay(op.getRhs(), "rhs", !op.getTransposeRhs(), op, steps, step);
  step.arguments.push_back("result");
  if (problem.isScaled())
    step.arguments.append({"lhs_scale", "rhs_scale"});
  if (ShapedType::isDynamic(problem.m))
    addSize("m", problem.batch ? 1 : 0);
  if (problem.batch && ShapedType::isDynamic(*problem.batch))
    addSize("batch", 0);
  int64_t first = 1;
  for (const ScheduleRange &range :
       chooseScheduleRanges(problem, gpu->target, gpu->device, &getContext())) {
    step.kernel = getKernelName(problem);
    bool isOnly = first == 1 && ShapedType::isDynamic(range.last);
    if (!isOnly)
      step.kernel += "_from" + std::to_string(first);
    OpBuilder b = getKernels();
    GemmProblem own = problem;
    own.mostRows = range.last;
    if (!kernels.lookupSymbol(step.kernel))
      buildGemmKernel(b, op.getLoc(), step.kernel, own, range.schedule,
                      gpu->target);
    if (ShapedType::isDynamic(problem.m))
      step.range = {first, range.last};
    LaunchStep product = step;
    addWorkspace(op.getLoc(), own, range.schedule, steps, product);
    steps.push_back(product);
    choice.kernel += (choice.kernel.empty() ? "" : ", ") + step.kernel;
    llvm::raw_string_ostream os(choice.schedule);
    os << (choice.schedule.empty() ? "" : "; ") << "m from " << first << ": "
       << Attribute(range.schedule);
    first = range.last + 1;
  }
  setLaunches(op, steps);
  op->setAttr(kSizesAttr, attributes.getDictionaryAttr(sizes));
  emitKernelRemark(op, choice);
}

void SelectKernelsPass::select(ScaledContractOp op) {
  GemmProblem problem = getKernelProblem(op);
  if (std::optional<Refusal> refusal =
          refuseProduct(op, problem, gpu->target, wholeGraph))
    return refuse(op, *refusal);
  if (problem.hasDynamicSizes())
    return selectDynamic(op, problem);
  SmallVector<LaunchStep> steps;
  LaunchStep step;
  PredictedOperand lhs =
      relay(op.getLhs(), "lhs", op.getTransposeLhs(), op, steps, step);
  PredictedOperand rhs =
      relay(op.getRhs(), "rhs", !op.getTransposeRhs(), op, steps, step);
  KernelChoice choice = choose(op.getLoc(), problem, lhs, rhs);
  step.kernel = buildGemm(op.getLoc(), problem, choice);
  step.arguments.push_back("result");
  if (problem.isScaled())
    step.arguments.append({"lhs_scale", "rhs_scale"});
  addWorkspace(op.getLoc(), problem, choice.prediction->choice.schedule, steps,
               step);
  steps.push_back(step);
  setLaunches(op, steps);
  emitKernelRemark(op, choice);
}

/// The launch that zeroes the `count` words of `words`: by default those of an
/// amax.
LaunchStep SelectKernelsPass::buildClear(Location loc, StringRef words,
                                         int64_t count) {
  std::string name =
      count == 2 ? "clear_amax" : "clear_" + std::to_string(count);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(name))
    buildClearKernel(b, loc, name, gpu->target, count);
  return {name, {words.str()}};
}

/// The scratch buffer with the words of the amax `op`, which is one with those
/// that the kernel of `cast`, if it is not null, merges into; a launch clears
/// it when it is new. Merging the same values twice gives what once gives.
std::string SelectKernelsPass::addWords(Operation *op, Operation *cast,
                                        SmallVectorImpl<LaunchStep> &steps) {
  std::string &words = wordsOf[cast ? cast : op];
  if (words.empty()) {
    words = addScratch(8);
    steps.push_back(buildClear(op->getLoc(), words));
  }
  return words;
}

LaunchStep SelectKernelsPass::buildAmax(Location loc, StringRef words,
                                        const FusedContract::Result &result) {
  auto name = [&](int index, int64_t bytes) {
    return index < 0 ? addScratch(bytes) : "result" + std::to_string(index);
  };
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol("amax"))
    buildAmaxKernel(b, loc, "amax", gpu->target);
  return {"amax", {words.str(), name(result.value, 4), name(result.flags, 1)}};
}

void SelectKernelsPass::select(func::CallOp call, func::FuncOp callee) {
  const FusedContract &fused = *fusedOf.at(callee);
  ScaledContractOp op = fused.contract;
  Location loc = op.getLoc();
  if (std::optional<Refusal> refusal =
          refuseProduct(op, fused.problem, gpu->target, wholeGraph))
    return refuse(op, *refusal);
  auto number = [](Value value) {
    return cast<BlockArgument>(value).getArgNumber();
  };
  auto name = [](unsigned index) { return "arg" + std::to_string(index); };
  SmallVector<LaunchStep> steps;
  LaunchStep step;
  auto operand = [&](Value value, bool transpose) {
    unsigned index = number(value);
    return relay(call.getOperand(index), name(index), transpose, call, steps,
                 step);
  };
  PredictedOperand lhs = operand(op.getLhs(), op.getTransposeLhs());
  PredictedOperand rhs = operand(op.getRhs(), !op.getTransposeRhs());
  KernelChoice choice = choose(loc, fused.problem, lhs, rhs);
  SmallVector<LaunchStep> finish;
  for (auto [output, result] :
       llvm::zip_equal(fused.epilogue.outputs, fused.results)) {
    if (!output.isAmax) {
      step.arguments.push_back("result" + std::to_string(result.value));
      continue;
    }
    std::string words = addScratch(8);
    step.arguments.push_back(words);
    steps.push_back(buildClear(loc, words));
    finish.push_back(buildAmax(loc, words, result));
  }
  if (fused.problem.isScaled())
    step.arguments.append(
        {name(number(op.getLhsScale())), name(number(op.getRhsScale()))});
  for (unsigned input : fused.inputs)
    step.arguments.push_back(name(input));
  addWorkspace(loc, fused.problem, choice.prediction->choice.schedule, steps,
               step);
  step.kernel = buildGemm(loc, fused.problem, choice);
  steps.push_back(step);
  steps.append(finish);
  setLaunches(call, steps);
  call->setAttr(kKernelAttr, StringAttr::get(&getContext(), step.kernel));
  emitKernelRemark(op, choice);
}

/// Whether the kernel of the product that `use` is an operand of reads it
/// transposed; nothing where the use is another one, or has no kernel.
std::optional<bool> SelectKernelsPass::readsTransposed(OpOperand &use) {
  OpOperand *operand = &use;
  const FusedContract *fused = nullptr;
  if (auto call = dyn_cast<func::CallOp>(use.getOwner())) {
    auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || !fusedOf.count(callee))
      return std::nullopt;
    fused = fusedOf.at(callee).get();
    Value argument = callee.getArgument(use.getOperandNumber());
    if (!argument.hasOneUse())
      return std::nullopt;
    operand = &*argument.use_begin();
  }
  auto contract = dyn_cast<ScaledContractOp>(operand->getOwner());
  if (!contract ||
      refuseProduct(contract,
                    fused ? fused->problem : getKernelProblem(contract),
                    gpu->target, wholeGraph))
    return std::nullopt;
  if (operand->get() == contract.getInit())
    return std::nullopt;
  return operand->getOperandNumber() == 0 ? contract.getTransposeLhs()
                                          : !contract.getTransposeRhs();
}

/// The launch of a cast, after that which clears the words of its amax. These
/// are its next argument, then the number of elements where that is not known.
void SelectKernelsPass::setCastLaunch(ScaledQuantizeOp op, LaunchStep step) {
  SmallVector<LaunchStep> steps;
  if (amaxes.merges(op))
    step.arguments.push_back(addWords(op, op, steps));
  if (!shaped(op.getInput()).hasStaticShape())
    step.arguments.push_back(kElementsName.str());
  steps.push_back(step);
  setLaunches(op, steps);
}

/// The layout that products read the codes of `op` in, if it is not the
/// input's own: the cast writes it, from the same read of the values.
std::optional<PackProblem> SelectKernelsPass::getLayout(ScaledQuantizeOp op) {
  ShapedType type = shaped(op.getInit());
  if (op.getNumResults() != 1 || !type.hasStaticShape() || type.getRank() < 2 ||
      type.getRank() > 3)
    return std::nullopt;
  Value codes = op->getResult(0);
  bool isPadded = getPackProblem(type, false).getPitch() !=
                  getPackProblem(type, false).columns;
  bool transposed = false, padded = false, plain = false;
  for (OpOperand &use : codes.getUses()) {
    std::optional<bool> turned;
    if (use.getOwner()->getBlock() == op->getBlock())
      turned = readsTransposed(use);
    if (!turned)
      plain = true;
    else
      (*turned ? transposed : isPadded ? padded : plain) = true;
  }
  if (!transposed && (!padded || plain))
    return std::nullopt;
  PackProblem problem = getPackProblem(type, transposed);
  problem.in = shaped(op.getInput()).getElementType();
  // A padded reader takes its copy of the codes as they are.
  problem.keepPlain = transposed && (plain || padded);
  if (refusePack(problem, gpu->target))
    return std::nullopt;
  return problem;
}

/// Whether the loops that make the values of `op`, which has a kernel, encode
/// them on the way: nothing else reads them, so they need no memory. Only a
/// whole graph has loops.
bool SelectKernelsPass::joinsProducer(ScaledQuantizeOp op) {
  auto producer = op.getInput().getDefiningOp<linalg::GenericOp>();
  return wholeGraph && producer && producer.isAllParallelLoops() &&
         op.getInput().hasOneUse() && !getLayout(op);
}

/// Decides which casts of `region` have kernels, and who takes its amaxes. Both
/// depend on who reads what, which nothing changes afterwards.
void SelectKernelsPass::planCasts(Region &region) {
  dropUnreadAmaxes(region);
  layoutOf.clear();
  region.walk([&](ScaledQuantizeOp op) {
    if (hasKernel(getProblem(op)) && !joinsProducer(op))
      layoutOf[op] = getLayout(op);
  });
  auto canCast = [&](ScaledQuantizeOp op) { return layoutOf.contains(op); };
  auto canReduce = [&](mlir::fp8::AmaxOp op) {
    return hasKernel(getProblem(op));
  };
  sinkAmaxes(region, canCast, canReduce);
  amaxes = AmaxPlan(region, canCast, canReduce);
}

void SelectKernelsPass::selectWithLayout(ScaledQuantizeOp op,
                                         PackProblem problem) {
  problem.amax = amaxes.merges(op);
  std::string buffer = addScratch(problem.getOutputElements());
  relaid[std::make_tuple(op->getResult(0).getAsOpaquePointer(),
                         static_cast<void *>(op->getBlock()),
                         problem.transpose)] = buffer;
  LaunchStep step = {getKernelName(problem), {"input", "multiplier", buffer}};
  if (problem.keepPlain)
    step.arguments.push_back("result");
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(step.kernel))
    buildPackKernel(b, op.getLoc(), step.kernel, problem, gpu->target);
  setCastLaunch(op, step);
}

void SelectKernelsPass::select(ScaledQuantizeOp op) {
  auto layout = layoutOf.find(op);
  if (layout == layoutOf.end())
    return;
  if (layout->second)
    return selectWithLayout(op, *layout->second);
  CastProblem problem = getProblem(op);
  problem.amax = amaxes.merges(op);
  std::string name = getKernelName(problem);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(name))
    buildCastKernel(b, op.getLoc(), name, problem, gpu->target);
  setCastLaunch(op, {name, {"input", "multiplier", "result"}});
}

/// Two words are zeroed, merged into, and taken apart.
void SelectKernelsPass::select(mlir::fp8::AmaxOp op) {
  AmaxProblem problem = getProblem(op);
  if (op.getBlock() || !hasKernel(problem))
    return;
  SmallVector<LaunchStep> steps;
  std::string words = addWords(op, amaxes.getCast(op), steps);
  LaunchStep finish = buildAmax(op.getLoc(), words, {0, 1});
  if (amaxes.isMerged(op))
    return setLaunches(op, finish);
  LaunchStep step;
  step.arguments.push_back("input");
  if (DelayedScaleOp scale = getWarmupScale(op)) {
    problem.warmup = static_cast<int64_t>(scale.getWarmup());
    step.arguments.push_back("count");
  }
  step.arguments.push_back(words);
  if (ShapedType::isDynamic(problem.elements))
    step.arguments.push_back(kElementsName.str());
  step.kernel = getKernelName(problem);
  OpBuilder b = getKernels();
  if (!kernels.lookupSymbol(step.kernel))
    buildReduceAmaxKernel(b, op.getLoc(), step.kernel, problem, gpu->target);
  steps.append({step, finish});
  setLaunches(op, steps);
  op->setAttr(kKernelAttr, StringAttr::get(&getContext(), step.kernel));
}
