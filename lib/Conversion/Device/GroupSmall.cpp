//===- GroupSmall.cpp - One launch for several small ops ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch costs more than what most ops on state and scalars do: those that
// follow each other become one region, which one block of threads runs in
// order. What stands between them and touches no memory goes in front. A group
// ends where its kernel would get more parameters than the target allows.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/KernelInputs.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEGROUPSMALL
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using mlir::fp8::KernelInputs;

/// Turns of the loops of an op beyond which it gets a grid of its own: 16 for
/// each of the 256 threads that a group has. Chosen so that a thread's turns
/// are few; where a grid begins to be faster was not measured.
static constexpr int64_t kMaxTurns = 4096;

static bool isSmall(Operation *op) {
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  if (!generic || !generic.hasPureBufferSemantics() ||
      op->hasAttr(mlir::fp8::kCPUContractAttr))
    return false;
  int64_t turns = 1;
  for (int64_t extent : generic.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent) || extent > kMaxTurns)
      return false;
    turns *= extent;
    if (turns > kMaxTurns)
      return false;
  }
  return turns > 0;
}

/// Whether `op` may go in front of what works on buffers.
static bool isMovable(Operation *op) {
  return isa<memref::AllocOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          !op->hasTrait<OpTrait::IsTerminator>());
}

/// Makes one region of `ops`, in the place of the first.
static void group(ArrayRef<Operation *> ops) {
  if (ops.size() < 2)
    return;
  OpBuilder b(ops.front());
  Location loc = ops.front()->getLoc();
  auto region = scf::ExecuteRegionOp::create(b, loc, TypeRange());
  region->setAttr(mlir::fp8::kDeviceGroupAttr, b.getUnitAttr());
  Block *body = b.createBlock(&region.getRegion());
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  b.setInsertionPointToEnd(body);
  scf::YieldOp::create(b, loc);
}

/// Bytes of parameters of a kernel that takes `inputs`, at most.
static int64_t getParameterBytes(const KernelInputs &inputs) {
  int64_t words = 0;
  for (Value value : inputs.getPassed()) {
    Type type = value.getType();
    words += type.isIntOrFloat()
                 ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 64)
                 : 1;
  }
  for (Operation *op : inputs.getRepeated())
    if (auto view = dyn_cast<memref::SubViewOp>(op);
        view && mlir::fp8::isPickedElement(view))
      words += llvm::count_if(view.getStaticOffsets(), [](int64_t offset) {
        return !ShapedType::isDynamic(offset);
      });
  return 8 * words;
}

/// Operations of one group: LLVM's time grows faster than the size of a kernel
/// (1200 small reductions took 7 times as long in one as in groups of 40), and
/// one more launch is little beside so many.
static constexpr size_t kMaxOps = 64;

/// Groups what is small in `block`, for kernels of at most `maxBytes` bytes of
/// parameters.
static void groupIn(Block &block, int64_t maxBytes) {
  SmallVector<Operation *> run;
  KernelInputs inputs(/*localConstants=*/true);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isSmall(&op)) {
      inputs.add(&op);
      if (run.size() == kMaxOps || getParameterBytes(inputs) > maxBytes) {
        group(run);
        run.clear();
        inputs = KernelInputs(/*localConstants=*/true);
        inputs.add(&op);
      }
      run.push_back(&op);
    } else if (isMovable(&op)) {
      if (!run.empty())
        op.moveBefore(run.front());
    } else {
      group(run);
      run.clear();
      inputs = KernelInputs(/*localConstants=*/true);
    }
  }
  group(run);
}

namespace {
struct DeviceGroupSmall final
    : mlir::fp8::impl::DeviceGroupSmallBase<DeviceGroupSmall> {
  using DeviceGroupSmallBase::DeviceGroupSmallBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    const auto *info = mlir::fp8::getGPUTarget(func, getArgument(), target);
    if (!info)
      return signalPassFailure();
    // Another project's lowering made what has a grid.
    if (func.isDeclaration() || func->hasAttr(mlir::fp8::kDeviceGridAttr))
      return;
    SmallVector<Block *> blocks;
    func.walk([&](Operation *op) {
      if (isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(op))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
    });
    for (Block *block : blocks)
      groupIn(*block, info->getParameterBytes());
  }
};
} // namespace
