//===- OutlineKernels.cpp - Loop nests to small functions -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts a function into a driver and small kernels. A kernel takes the buffers
// at the root of the views it uses (so that equal arguments are equal buffers
// and different ones never overlap) and the scalars it needs; the views are
// rebuilt inside. Kernels with the same text are one function; so that those of
// all slots of delayed scaling are, the place of one element in a larger buffer
// is passed as well.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/KernelInputs.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUOUTLINEKERNELS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using mlir::fp8::KernelInputs;

/// True if `op` is a loop nest of plain loads, stores and scalar arithmetic.
static bool isScalarNest(Operation *op) {
  if (!isa<scf::ForOp>(op) || op->getNumResults() != 0)
    return false;
  return !op->walk([](Operation *inner) {
              bool bad =
                  isa<linalg::LinalgOp, memref::CopyOp, func::CallOp,
                      gpu::LaunchFuncOp, LLVM::CallOp, memref::ViewOp>(inner);
              return bad ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

/// True if `op` is a loop nest of linalg ops and scalars that loads or stores
/// scalars of its own, which a host would have to fetch from a device.
static bool isMixedNest(Operation *op) {
  if (!isa<scf::ForOp>(op) || op->getNumResults() != 0)
    return false;
  bool scalars = false;
  WalkResult walk = op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<linalg::LinalgOp>(inner))
      return WalkResult::skip();
    // Whether an scf.while goes on, the threads of a block would have to agree.
    if (isa<func::CallOp, gpu::LaunchFuncOp, LLVM::CallOp, memref::ViewOp,
            scf::WhileOp>(inner))
      return WalkResult::interrupt();
    scalars |= isa<memref::LoadOp, memref::StoreOp>(inner);
    return WalkResult::advance();
  });
  return scalars && !walk.wasInterrupted();
}

/// Makes the places of picked elements values, which are added to `places`.
static void separatePlaces(ModuleOp module, DenseSet<Value> &places) {
  SmallVector<memref::SubViewOp> views;
  module.walk([&](memref::SubViewOp view) {
    if (mlir::fp8::isPickedElement(view))
      views.push_back(view);
  });
  for (memref::SubViewOp view : views) {
    OpBuilder builder(view);
    SmallVector<OpFoldResult> offsets;
    for (OpFoldResult offset : view.getMixedOffsets()) {
      if (std::optional<int64_t> known = getConstantIntValue(offset)) {
        offset = arith::ConstantIndexOp::create(builder, view.getLoc(), *known)
                     .getResult();
        places.insert(cast<Value>(offset));
      }
      offsets.push_back(offset);
    }
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), view.getSourceType(), offsets,
        view.getMixedSizes(), view.getMixedStrides());
    Value moved = memref::SubViewOp::create(
        builder, view.getLoc(), type, view.getSource(), offsets,
        view.getMixedSizes(), view.getMixedStrides());
    view->replaceAllUsesWith(ValueRange(moved));
    view.erase();
  }
}

namespace {
class Outliner {
public:
  /// `places` are constants that kernels take instead of holding them.
  Outliner(ModuleOp module, bool localConstants, const DenseSet<Value> &places)
      : module(module), builder(module), localConstants(localConstants),
        places(places) {}

  void outline(Operation *op);

private:
  func::FuncOp buildKernel(Operation *op, const KernelInputs &used);
  func::FuncOp deduplicate(func::FuncOp kernel);

  ModuleOp module;
  OpBuilder builder;
  bool localConstants;
  const DenseSet<Value> &places;
  llvm::StringMap<func::FuncOp> kernels;
};
} // namespace

func::FuncOp Outliner::buildKernel(Operation *op, const KernelInputs &used) {
  ArrayRef<Value> inputs = used.getPassed().getArrayRef();
  builder.setInsertionPointToEnd(module.getBody());
  auto type = builder.getFunctionType(
      llvm::map_to_vector(inputs, [](Value v) { return v.getType(); }), {});
  auto kernel = func::FuncOp::create(builder, op->getLoc(), "fp8_kernel", type);
  kernel.setPrivate();
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(inputs, body->getArguments());
  for (Operation *inner : used.getRepeated())
    builder.clone(*inner, mapping);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, op->getLoc());
  for (BlockArgument arg : body->getArguments())
    if (isa<MemRefType>(arg.getType()))
      kernel.setArgAttr(arg.getArgNumber(),
                        LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
  return kernel;
}

func::FuncOp Outliner::deduplicate(func::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  auto [entry, inserted] = kernels.try_emplace(text, kernel);
  if (!inserted) {
    kernel.erase();
    return entry->second;
  }
  kernel.setName("fp8_kernel_" + std::to_string(kernels.size() - 1));
  return kernel;
}

void Outliner::outline(Operation *op) {
  auto isPassed = [&](Value value) { return places.contains(value); };
  KernelInputs used(localConstants, isPassed);
  used.add(op);
  func::FuncOp kernel = deduplicate(buildKernel(op, used));
  builder.setInsertionPoint(op);
  func::CallOp::create(builder, op->getLoc(), kernel,
                       used.getPassed().getArrayRef());
  op->erase();
}

/// A copy is an elementwise loop like any other.
static void convertCopies(ModuleOp module) {
  module.walk([](memref::CopyOp copy) {
    OpBuilder builder(copy);
    Value source = copy.getSource(), target = copy.getTarget();
    if (source != target) {
      unsigned rank = cast<MemRefType>(source.getType()).getRank();
      AffineMap id = builder.getMultiDimIdentityMap(rank);
      SmallVector<utils::IteratorType> loops(rank,
                                             utils::IteratorType::parallel);
      linalg::GenericOp::create(
          builder, copy.getLoc(), source, target, ArrayRef<AffineMap>{id, id},
          loops, [](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc, args[0]);
          });
    }
    copy.erase();
  });
}

/// Removes what runs no iteration: it writes nothing.
static void eraseEmptyLoops(ModuleOp module) {
  module.walk([](linalg::LinalgOp op) {
    if (llvm::is_contained(op.getStaticLoopRanges(), 0))
      op.erase();
  });
}

/// Whether a buffer without elements is used: upstream has no bare pointer for
/// one with a stride of zero, so it must not become a kernel's argument.
static bool usesEmptyBuffer(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    bool empty = llvm::any_of(inner->getOperandTypes(), [](Type type) {
      auto memref = dyn_cast<MemRefType>(type);
      return memref && memref.hasStaticShape() && memref.getNumElements() == 0;
    });
    return empty ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

namespace {
struct CPUOutlineKernels final
    : mlir::fp8::impl::CPUOutlineKernelsBase<CPUOutlineKernels> {
  using CPUOutlineKernelsBase::CPUOutlineKernelsBase;

  void runOnOperation() override {
    WalkResult walk = getOperation().walk([](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        return WalkResult::advance();
      op.emitError("expected operands in buffers, got tensors; bufferize "
                   "first");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    convertCopies(getOperation());
    eraseEmptyLoops(getOperation());
    SmallVector<Operation *> targets;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func->hasAttr(mlir::fp8::kDeviceGridAttr))
        continue;
      func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        bool isKernel = isa<linalg::LinalgOp>(op) || isScalarNest(op) ||
                        op->hasAttr(mlir::fp8::kDeviceGroupAttr) ||
                        (mixedNests && isMixedNest(op));
        if (!isKernel || usesEmptyBuffer(op))
          return WalkResult::advance();
        targets.push_back(op);
        return WalkResult::skip();
      });
    }
    DenseSet<Value> places;
    separatePlaces(getOperation(), places);
    Outliner outliner(getOperation(), localConstants, places);
    for (Operation *op : targets)
      outliner.outline(op);
  }
};
} // namespace
