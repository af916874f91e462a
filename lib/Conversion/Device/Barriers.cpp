//===- Barriers.cpp - Barriers between operations of a block --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers are put around every operation, then those go that order nothing.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

Operation *mlir::fp8::onOneThread(OpBuilder &b, Operation *op) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  Value thread = NVVM::ThreadIdXOp::create(b, loc, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, zero);
  auto one = scf::IfOp::create(b, loc, first);
  op->moveBefore(one.thenBlock()->getTerminator());
  return one;
}

void mlir::fp8::barrierAround(Operation *op) {
  OpBuilder b(op);
  NVVM::Barrier0Op::create(b, op->getLoc());
  b.setInsertionPointAfter(op);
  NVVM::Barrier0Op::create(b, op->getLoc());
}

/// The operations of a group; null if `op` is none.
static Block *getGroup(Operation *op) {
  auto region = dyn_cast<scf::ExecuteRegionOp>(op);
  return region && region.getRegion().hasOneBlock()
             ? &region.getRegion().front()
             : nullptr;
}

/// Adds to `doubled` the barriers of `block` before which no memory was touched
/// since another. `isQuiet`: none was when `block` starts; returns whether none
/// was when it ends.
static bool findDoubled(Block &block, bool isQuiet,
                        SmallVectorImpl<Operation *> &doubled) {
  for (Operation &op : block) {
    if (isa<NVVM::Barrier0Op>(op)) {
      if (isQuiet)
        doubled.push_back(&op);
      isQuiet = true;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Its end comes before its start, too.
      SmallVector<Operation *> ignored;
      bool again = findDoubled(*loop.getBody(), /*isQuiet=*/false, ignored);
      isQuiet &= findDoubled(*loop.getBody(), isQuiet && again, doubled);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      bool atEnd = findDoubled(*branch.thenBlock(), isQuiet, doubled);
      isQuiet = branch.elseBlock()
                    ? findDoubled(*branch.elseBlock(), isQuiet, doubled)
                    : isQuiet;
      isQuiet &= atEnd;
    } else if (Block *group = getGroup(&op)) {
      isQuiet = findDoubled(*group, isQuiet, doubled);
    } else if (!isMemoryEffectFree(&op)) {
      isQuiet = false;
    }
  }
  return isQuiet;
}

/// Adds to `last` the barriers behind which `block` touches no memory.
static void findLast(Block &block, SmallVectorImpl<Operation *> &last) {
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (isa<NVVM::Barrier0Op>(op)) {
      last.push_back(&op);
    } else if (!isMemoryEffectFree(&op)) {
      if (Block *group = getGroup(&op))
        findLast(*group, last);
      return;
    }
  }
}

void mlir::fp8::eraseNeedlessBarriers(func::FuncOp func) {
  Block &body = func.getBody().front();
  SmallVector<Operation *> doubled, last;
  findDoubled(body, /*isQuiet=*/true, doubled);
  for (Operation *op : doubled)
    op->erase();
  findLast(body, last);
  for (Operation *op : last)
    op->erase();
}
