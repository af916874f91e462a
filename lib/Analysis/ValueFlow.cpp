//===- ValueFlow.cpp - where values come from and go to -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// getDependencies and getDependents are two directions of one relation and must
// agree on every op. A destination operand whose contents are not read is no
// edge: exporters reuse whatever tensor has the right shape.
//
//===----------------------------------------------------------------------===//

#include "ValueFlow.h"
#include "fp8/Analysis/Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fp8;

/// The identity op that keeps a recomputed value apart from the first one.
static bool isBarrier(Operation *op) {
  return op->getName().getStringRef() == "fp8.barrier" &&
         op->getNumOperands() == op->getNumResults();
}

/// True for ops whose regions run as part of the surrounding function.
static bool isStructural(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, FunctionOpInterface, ModuleOp>(op);
}

Operation *fp8::getStructuralOp(Operation *op) {
  Operation *result = op;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (!isStructural(parent))
      result = parent;
  return result;
}

static bool isUnreadInit(OpOperand &operand) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return linalgOp && linalgOp.isDpsInit(&operand) &&
         !linalgOp.payloadUsesValueFromOperand(&operand);
}

/// The loop-carried argument of `loop` number `index` if the body yields it as
/// it is.
static bool isCarriedUnchanged(scf::ForOp loop, unsigned index) {
  return loop.getYieldedValues()[index] == loop.getRegionIterArg(index);
}

Value ValueFlow::resolve(Value value) const {
  while (true) {
    if (auto it = aliases.find(value); it != aliases.end()) {
      value = it->second;
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0 ||
          !isCarriedUnchanged(loop, argument.getArgNumber() - 1))
        return value;
      value = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    auto result = cast<OpResult>(value);
    if (isBarrier(result.getOwner())) {
      value = result.getOwner()->getOperand(result.getResultNumber());
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(result.getOwner());
    if (!loop || !isCarriedUnchanged(loop, result.getResultNumber()))
      return value;
    value = loop.getInitArgs()[result.getResultNumber()];
  }
}

void ValueFlow::getDependencies(Value value,
                                SmallVectorImpl<Value> &deps) const {
  if (Value same = resolve(value); same != value) {
    deps.push_back(same);
    return;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return;
    if (argument.getArgNumber() == 0) {
      deps.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      return;
    }
    unsigned index = argument.getArgNumber() - 1;
    deps.append({loop.getInitArgs()[index], loop.getYieldedValues()[index]});
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned index = result.getResultNumber();
    deps.append({loop.getInitArgs()[index], loop.getYieldedValues()[index],
                 loop.getLowerBound(), loop.getUpperBound()});
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    deps.append({branch.getCondition(),
                 branch.thenYield()->getOperand(result.getResultNumber()),
                 branch.elseYield()->getOperand(result.getResultNumber())});
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (!isUnreadInit(operand))
      deps.push_back(operand.get());
  if (op->getNumRegions() != 0) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    deps.append(captured.begin(), captured.end());
  }
}

/// Adds what the use of a value by a terminator of structured control flow
/// makes of it.
static void addYielded(OpOperand &use, SmallVectorImpl<Value> &dependents) {
  Operation *parent = use.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    dependents.push_back(loop.getResult(use.getOperandNumber()));
    dependents.push_back(loop.getRegionIterArg(use.getOperandNumber()));
  } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
    dependents.push_back(branch.getResult(use.getOperandNumber()));
  }
}

void ValueFlow::getDependents(Value value,
                              SmallVectorImpl<Value> &dependents) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    Operation *op = getStructuralOp(user);
    if (op != user) {
      llvm::append_range(dependents, op->getResults());
      continue;
    }
    if (isa<scf::YieldOp>(op)) {
      addYielded(use, dependents);
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (OpResult result = loop.getTiedLoopResult(&use)) {
        dependents.push_back(result);
        dependents.push_back(loop.getTiedLoopRegionIterArg(&use));
      } else {
        llvm::append_range(dependents, loop.getResults());
        llvm::append_range(dependents, loop.getBody()->getArguments());
      }
      continue;
    }
    if (isBarrier(op)) {
      dependents.push_back(op->getResult(use.getOperandNumber()));
      continue;
    }
    if (!isUnreadInit(use))
      llvm::append_range(dependents, op->getResults());
  }
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

namespace {

/// One step back: the viewed value, and for each dimension of the view those of
/// the viewed value.
struct Step {
  Value source;
  SmallVector<SmallVector<unsigned, 2>, 4> dims;
};

} // namespace

static int64_t getDimSize(Value value, unsigned dim) {
  return cast<ShapedType>(value.getType()).getDimSize(dim);
}

static SmallVector<SmallVector<unsigned, 2>, 4> getIdentity(unsigned rank) {
  SmallVector<SmallVector<unsigned, 2>, 4> dims(rank);
  for (unsigned i = 0; i < rank; ++i)
    dims[i].push_back(i);
  return dims;
}

/// Dimensions of a slice; those of extent one select an index and are no longer
/// dimensions of what they are taken from.
static Step stepSlice(tensor::ExtractSliceOp op) {
  Step step{op.getSource(), {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  unsigned next = 0;
  step.dims.resize(op.getType().getRank());
  for (unsigned dim = 0, e = op.getSourceType().getRank(); dim < e; ++dim) {
    if (dropped.test(dim))
      continue;
    if (op.getType().getDimSize(next) != 1)
      step.dims[next].push_back(dim);
    ++next;
  }
  return step;
}

/// Dimensions of a reshape; `grouped` is the side with the fewer dimensions.
static Step stepReshape(Value source, Value result,
                        ArrayRef<ReassociationIndices> groups, bool expand) {
  Step step{source, {}};
  step.dims.resize(cast<ShapedType>(result.getType()).getRank());
  for (auto [outer, group] : llvm::enumerate(groups))
    for (int64_t inner : group) {
      unsigned from = expand ? outer : inner, to = expand ? inner : outer;
      if (getDimSize(source, from) != 1 && getDimSize(result, to) != 1)
        step.dims[to].push_back(from);
    }
  return step;
}

static Step stepGeneric(linalg::GenericOp op) {
  Step step{op.getDpsInputOperand(0)->get(), {}};
  step.dims.resize(op.getNumLoops());
  for (auto [position, expr] :
       llvm::enumerate(op.getIndexingMapsArray()[0].getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      step.dims[dim.getPosition()].push_back(position);
  return step;
}

/// One step through a view or a cast; nothing if `op` is neither.
static std::optional<Step> stepBack(Operation *op) {
  if (Value source = getFloatCastSource(op))
    return Step{source,
                getIdentity(isa<ShapedType>(source.getType())
                                ? cast<ShapedType>(source.getType()).getRank()
                                : 0)};
  return TypeSwitch<Operation *, std::optional<Step>>(op)
      .Case<linalg::TransposeOp>([](auto transpose) {
        Step step{transpose.getInput(), {}};
        for (int64_t dim : transpose.getPermutation())
          step.dims.push_back({static_cast<unsigned>(dim)});
        return step;
      })
      .Case<linalg::BroadcastOp>([](auto broadcast) {
        Step step{broadcast.getInput(), {}};
        unsigned rank =
            cast<ShapedType>(broadcast->getResult(0).getType()).getRank();
        step.dims.resize(rank);
        unsigned next = 0;
        for (unsigned dim = 0; dim < rank; ++dim)
          if (!llvm::is_contained(broadcast.getDimensions(), dim))
            step.dims[dim].push_back(next++);
        return step;
      })
      .Case<tensor::CollapseShapeOp>([](auto reshape) {
        return stepReshape(reshape.getSrc(), reshape.getResult(),
                           reshape.getReassociationIndices(), false);
      })
      .Case<tensor::ExpandShapeOp>([](auto reshape) {
        return stepReshape(reshape.getSrc(), reshape.getResult(),
                           reshape.getReassociationIndices(), true);
      })
      .Case<tensor::ExtractSliceOp>(stepSlice)
      .Case<tensor::CastOp>([](auto cast) -> std::optional<Step> {
        auto type = dyn_cast<RankedTensorType>(cast.getSource().getType());
        if (!type || !isa<RankedTensorType>(cast.getType()))
          return std::nullopt;
        return Step{cast.getSource(), getIdentity(type.getRank())};
      })
      .Case<linalg::GenericOp>([](auto generic) -> std::optional<Step> {
        if (!getViewSource(generic))
          return std::nullopt;
        return stepGeneric(generic);
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// A slice of a tensor that a loop filled slice by slice is what the loop put
/// in.
static std::optional<Step> stepStack(tensor::ExtractSliceOp slice,
                                     const ValueFlow &flow) {
  auto result = dyn_cast<OpResult>(flow.resolve(slice.getSource()));
  auto loop = result ? dyn_cast<scf::ForOp>(result.getOwner()) : scf::ForOp();
  if (!loop)
    return std::nullopt;
  unsigned index = result.getResultNumber();
  auto insert =
      loop.getYieldedValues()[index].getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || insert.getDest() != loop.getRegionIterArg(index) ||
      insert.getStaticSizes() != slice.getStaticSizes() ||
      insert.getSourceType().getRank() != slice.getType().getRank())
    return std::nullopt;
  return Step{insert.getSource(), getIdentity(slice.getType().getRank())};
}

Source fp8::traceSource(Value value, const ValueFlow &flow) {
  Source source;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  source.dims = getIdentity(type ? type.getRank() : 0);
  while (true) {
    value = flow.resolve(value);
    Operation *op = value.getDefiningOp();
    std::optional<Step> step;
    if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op)) {
      step = stepStack(slice, flow);
      if (!step)
        source.slices.push_back(op);
    }
    if (op && !step)
      step = stepBack(op);
    if (!step)
      break;
    for (auto &dims : source.dims) {
      SmallVector<unsigned, 2> mapped;
      for (unsigned dim : dims)
        mapped.append(step->dims[dim]);
      dims = std::move(mapped);
    }
    value = step->source;
  }
  source.root = value;
  return source;
}
