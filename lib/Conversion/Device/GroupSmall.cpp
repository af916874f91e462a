//===- GroupSmall.cpp - One launch for several small ops ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch costs more than what most ops on state and scalars do: those that
// follow each other become one region, which one block of threads runs in
// order. What stands between them and touches no memory goes in front.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEGROUPSMALL
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Turns of the loops of an op beyond which a grid is faster than one block and
/// the launch that it saves: 16 for each of 256 threads.
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

static void groupIn(Block &block) {
  SmallVector<Operation *> run;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isSmall(&op)) {
      run.push_back(&op);
    } else if (isMovable(&op)) {
      if (!run.empty())
        op.moveBefore(run.front());
    } else {
      group(run);
      run.clear();
    }
  }
  group(run);
}

namespace {
struct DeviceGroupSmall final
    : mlir::fp8::impl::DeviceGroupSmallBase<DeviceGroupSmall> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
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
      groupIn(*block);
  }
};
} // namespace
