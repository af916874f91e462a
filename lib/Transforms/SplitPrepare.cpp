//===- SplitPrepare.cpp - Quantise frozen weights once --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves is found backwards from the operands that the plan calls weights:
// scaled tensors that pure operations of the entry block compute from weight
// arguments (and frozen state) alone. The same operations in another function
// give the same bits. Where the target's kernels want the contracted dimension
// contiguous, codes are transposed once, there, and not in every call.
//
//===----------------------------------------------------------------------===//

#include "fp8/Transforms/Passes.h"

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Target/TargetInfo.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_SPLITPREPAREPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// What a value is computed from.
struct Origin {
  SetVector<Operation *> ops;
  llvm::SmallSetVector<BlockArgument, 4> arguments;
};

/// Splits one function.
class FunctionSplitter {
public:
  FunctionSplitter(func::FuncOp function, bool kMajor)
      : function(function), entry(function.front()), kMajor(kMajor) {}

  /// Finds what can move. An empty string, or why nothing can.
  std::string find();

  /// Moves what was found into a new function `name` before this one.
  void split(StringRef name) { replaceInMain(createPrepare(name)); }

private:
  std::string findWeights();
  void collect(ContractOp op, OpOperand &operand);
  bool isFrozen(BlockArgument argument);
  func::FuncOp createPrepare(StringRef name);
  void replaceInMain(func::FuncOp prepare);

  func::FuncOp function;
  Block &entry;
  /// Whether kernels want the contracted dimension of codes contiguous.
  bool kMajor;
  /// Arguments that a contraction reads as weights.
  llvm::SmallSetVector<BlockArgument, 8> weights;
  /// Results of the new function, in program order: a value, and 1 if it is
  /// transposed there; with the operands that take it. And what they need.
  using Key = std::pair<Value, unsigned>;
  llvm::MapVector<Key, SmallVector<OpOperand *>> prepared;
  /// Whether some are arguments already.
  bool arePrepared = false;
  Origin needed;
};
} // namespace

/// What `value` is computed from, if that is pure operations of `entry`.
static FailureOr<Origin> trace(Value value, Block &entry) {
  Origin origin;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    origin.arguments.insert(argument);
    if (argument.getOwner() != &entry)
      return failure();
    return origin;
  }
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  if (failed(getBackwardSlice(value, &origin.ops, options)))
    return failure();
  auto addArgument = [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument)
      return operand.getDefiningOp()->getBlock() == &entry;
    origin.arguments.insert(argument);
    return argument.getOwner() == &entry;
  };
  for (Operation *op : origin.ops) {
    SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    if (op->getBlock() != &entry || !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getOperands(), addArgument) ||
        !llvm::all_of(above, addArgument))
      return failure();
  }
  return origin;
}

/// State that no call changes: the function returns none.
bool FunctionSplitter::isFrozen(BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  if (!function.getArgAttr(index, kStateAttr))
    return false;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (function.getResultAttr(i, kStateAttr))
      return false;
  return true;
}

/// Finds `weights`; a reason if there are none, or if weights are not frozen.
std::string FunctionSplitter::findWeights() {
  std::string reason = "no contraction reads a weight";
  bool trains = false;
  function.walk([&](ContractOp op) {
    auto plan = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
    if (!plan)
      return;
    trains |= plan.getRole() == "dgrad" || plan.getRole() == "wgrad";
    for (auto [operand, role] :
         {std::pair(op.getLhs(), plan.getLhsRole().getValue()),
          std::pair(op.getRhs(), plan.getRhsRole().getValue())}) {
      if (role != "weight")
        continue;
      if (!isa<ScaledTensorType>(operand.getType())) {
        if (weights.empty())
          reason = "the contractions that read weights are not FP8";
        continue;
      }
      FailureOr<Origin> origin = trace(operand, entry);
      if (failed(origin)) {
        if (weights.empty())
          reason = "weights are quantised inside a loop or a branch";
        continue;
      }
      for (BlockArgument argument : origin->arguments)
        if (!function.getArgAttr(argument.getArgNumber(), kStateAttr))
          weights.insert(argument);
    }
  });
  if (trains)
    return "expected an inference graph, found gradients: weights change";
  return weights.empty() ? reason : "";
}

/// The last two dimensions swapped.
static SmallVector<int64_t> getSwap(int64_t rank) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return permutation;
}

/// Whether the contracted dimension is the last one of `operand`.
static bool isContiguous(ContractOp op, OpOperand &operand) {
  return operand.getOperandNumber() == 0 ? !op.getTransposeLhs()
                                         : op.getTransposeRhs();
}

/// Makes `operand` a result of the new function if it is weight-only.
void FunctionSplitter::collect(ContractOp op, OpOperand &operand) {
  Value value = operand.get();
  FailureOr<Origin> origin = trace(value, entry);
  if (failed(origin))
    return;
  auto known = [&](BlockArgument argument) {
    return weights.contains(argument) || isFrozen(argument);
  };
  auto isWeight = [&](BlockArgument a) { return weights.contains(a); };
  if (!llvm::all_of(origin->arguments, known) ||
      !llvm::any_of(origin->arguments, isWeight))
    return;
  if (origin->ops.empty()) {
    arePrepared = true; // nothing to compute once
    return;
  }
  unsigned transposed = kMajor && !isContiguous(op, operand);
  prepared[{value, transposed}].push_back(&operand);
  needed.ops.insert(origin->ops.begin(), origin->ops.end());
  needed.arguments.insert(origin->arguments.begin(), origin->arguments.end());
}

/// Creates the function that takes the arguments of `needed`, in order.
func::FuncOp FunctionSplitter::createPrepare(StringRef name) {
  OpBuilder b(function);
  SmallVector<BlockArgument> arguments(needed.arguments.begin(),
                                       needed.arguments.end());
  llvm::sort(arguments, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });
  SmallVector<Type> inputs, results;
  SmallVector<DictionaryAttr> attrs;
  for (BlockArgument argument : arguments) {
    inputs.push_back(argument.getType());
    NamedAttrList list(function.getArgAttrDict(argument.getArgNumber()));
    attrs.push_back(list.getDictionary(b.getContext()));
  }
  auto prepare = func::FuncOp::create(b, function.getLoc(), name,
                                      b.getFunctionType(inputs, results),
                                      ArrayRef<NamedAttribute>(), attrs);
  prepare.setPublic();
  Block *body = prepare.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [old, copy] : llvm::zip_equal(arguments, body->getArguments())) {
    copy.setLoc(old.getLoc());
    mapping.map(old, copy);
  }
  for (Operation *op : topologicalSort(needed.ops))
    b.clone(*op, mapping);
  SmallVector<Value> values;
  for (auto &[key, operands] : prepared) {
    Value value = mapping.lookup(key.first);
    if (key.second)
      value = TransposeOp::create(
          b, value.getLoc(), value,
          getSwap(cast<ScaledTensorType>(value.getType()).getRank()));
    values.push_back(value);
    results.push_back(value.getType());
  }
  func::ReturnOp::create(b, function.getLoc(), values);
  prepare.setType(b.getFunctionType(inputs, results));
  return prepare;
}

/// Gives the function the results of `prepare` as its last arguments, and takes
/// those away that only `prepare` needs.
void FunctionSplitter::replaceInMain(func::FuncOp prepare) {
  OpBuilder b(function.getContext());
  unsigned index = 0;
  for (auto &[key, operands] : prepared) {
    NamedAttribute attr(b.getStringAttr(kPreparedAttr),
                        b.getI64IntegerAttr(index));
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, prepare.getResultTypes()[index++],
                                  b.getDictionaryAttr(attr),
                                  key.first.getLoc());
    for (OpOperand *operand : operands) {
      auto op = cast<ContractOp>(operand->getOwner());
      operand->set(function.getArgument(position));
      if (key.second && operand->getOperandNumber() == 0)
        op.setTransposeLhs(false);
      else if (key.second)
        op.setTransposeRhs(true);
    }
  }
  function->setAttr(kPrepareAttr, FlatSymbolRefAttr::get(prepare));
  IRRewriter rewriter(function.getContext());
  (void)runRegionDCE(rewriter, function->getRegions());
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : needed.arguments)
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
}

std::string FunctionSplitter::find() {
  std::string reason = findWeights();
  if (!reason.empty())
    return reason;
  // Only what something reads that stays behind: the last value of each chain.
  function.walk([&](ContractOp op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<ScaledTensorType>(operand.get().getType()))
        collect(op, operand);
  });
  if (prepared.empty() && arePrepared)
    return "weights are prepared already";
  if (prepared.empty())
    return "the scales of weights depend on state that a call changes; give "
           "--freeze-state, or a recipe without state";
  return "";
}

/// Whether the kernels of the plan's target want k contiguous in codes.
static bool needsKMajor(ModuleOp module) {
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  std::string error;
  const auto *target =
      plan ? ::fp8::target::lookupGPUTarget(plan.getTarget().getValue(), error)
           : nullptr;
  return target && target->needsKMajorFP8;
}

namespace {
struct SplitPreparePass final
    : mlir::fp8::impl::SplitPreparePassBase<SplitPreparePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isDeclaration())
        functions.push_back(function);
    bool any = false, kMajor = needsKMajor(module);
    std::string reason = "the module has no public function";
    for (func::FuncOp function : functions) {
      FunctionSplitter splitter(function, kMajor);
      std::string why = function.getBody().hasOneBlock()
                            ? splitter.find()
                            : "the function has branches";
      if (!why.empty()) {
        reason = "@" + function.getName().str() + ": " + why;
        continue;
      }
      std::string name = "prepare";
      if (functions.size() > 1)
        name += "_" + function.getName().str();
      if (Operation *other = module.lookupSymbol(name)) {
        other->emitError("--split-prepare: expected the name '")
            << name << "' to be free for the new function";
        return signalPassFailure();
      }
      splitter.split(name);
      any = true;
    }
    if (!any) {
      module.emitError("--split-prepare: nothing to prepare: ") << reason;
      signalPassFailure();
    }
  }
};
} // namespace
