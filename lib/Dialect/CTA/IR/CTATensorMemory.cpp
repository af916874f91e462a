//===- CTATensorMemory.cpp - Operations on tensor memory ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of what is in CTATensorOps.td.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

using namespace mlir;
using namespace mlir::cta;
using ::fp8::target::MatrixUnit;

static LogicalResult verifyTensorUnit(Operation *op, StringRef number) {
  return verifyUnit(op, MatrixUnit::TCGen05, "tensor memory", number);
}

LogicalResult TmemAllocOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto allocations = kernel.getBody().getOps<TmemAllocOp>();
  if (!llvm::hasSingleElement(allocations))
    return emitOpError("expected one allocation in a kernel (c1)");
  int64_t frees = llvm::count_if(getResult().getUsers(), [](Operation *user) {
    return isa<TmemDeallocOp>(user);
  });
  if (frees != 1)
    return emitOpError("expected one cta.tmem.dealloc that frees it, got ")
           << frees << " (c2)";
  return verifyTensorUnit(*this, "c3");
}

LogicalResult TmemDeallocOp::verify() {
  for (Operation *user : getValue().getUsers()) {
    Operation *above = (*this)->getBlock()->findAncestorOpInBlock(*user);
    if (above && (*this)->isBeforeInBlock(above))
      return emitOpError("frees what is used after it (c1)")
                 .attachNote(user->getLoc())
             << "used here";
  }
  return success();
}

LogicalResult Tcgen05MmaOp::verify() {
  SmemType a = getA().getType(), b = getB().getType();
  TmemType acc = getAcc().getType();
  if (failed(verifyOperands(*this, a, b)))
    return failure();
  if (a.getRows() != 128 || b.getRows() != acc.getColumns())
    return emitOpError("expected 128 rows of a and ")
           << acc.getColumns() << " rows of b, got " << a.getRows() << " and "
           << b.getRows() << " (c3)";
  if (failed(verifySteps(*this, getK(), a)) ||
      failed(
          verifySlot(*this, getAccSlot().getType(), acc.getStages(), "c5")) ||
      failed(verifySlot(*this, getSlot().getType(), a.getStages(), "c5")) ||
      failed(verifySlot(*this, getSlot().getType(), b.getStages(), "c5")) ||
      failed(verifyInRole(*this, RoleKind::mma, "c6")))
    return failure();
  return verifyTensorUnit(*this, "c7");
}

LogicalResult Tcgen05CommitOp::verify() {
  if (failed(verifyInRole(*this, RoleKind::mma, "c1")))
    return failure();
  return verifySlot(*this, getSlot().getType(), getRing().getType().getStages(),
                    "c2");
}

LogicalResult Tcgen05FenceOp::verify() { return verifyTensorUnit(*this, "c1"); }

/// What arrived is visible: a wait for the slot, then a fence (c5).
static LogicalResult verifyArrived(Tcgen05LoadOp load) {
  bool fence = false;
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto side = dyn_cast<Tcgen05FenceOp>(op))
      fence |= side.getSide() == FenceSide::after;
    if (auto wait = dyn_cast<RingWaitOp>(op))
      if (wait.getSlot() == load.getSlot() && fence)
        return success();
  }
  return load.emitOpError("expected a cta.ring.wait for the slot and then a "
                          "cta.tcgen05.fence after before it (c5)");
}

LogicalResult Tcgen05LoadOp::verify() {
  FragmentType type = getResult().getType();
  TmemType acc = getAcc().getType();
  if (type.getColumns() != acc.getColumns() || type.getWarpRows() != 32)
    return emitOpError("expected a fragment of ")
           << acc.getColumns() << " columns with warp_rows = 32, got " << type
           << " (c1)";
  if (getRow() != 0 && getRow() != 16)
    return emitOpError("expected row 0 or 16, got ")
           << static_cast<int64_t>(getRow()) << " (c2)";
  if (failed(verifySlot(*this, getSlot().getType(), acc.getStages(), "c3")) ||
      failed(verifyInRole(*this, RoleKind::consumer, "c4")))
    return failure();
  auto role = (*this)->getParentOfType<RoleOp>();
  if (role.getWarps() != 4)
    return emitOpError("expected a consumer role of 4 warps, got ")
           << role.getWarps() << " (c4)";
  return verifyArrived(*this);
}
