//===- CTATurns.cpp - Turns of consumer warpgroups ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops of CTATurnOps.td. The numbers (c1, ...) are those of the
// descriptions there.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

using namespace mlir;
using namespace mlir::cta;

LogicalResult TurnsCreateOp::verify() {
  if (failed(verifyReached(*this, "c1")))
    return failure();
  int64_t waits = 0, passes = 0;
  RoleOp role;
  bool isOne = true;
  for (Operation *user : getResult().getUsers()) {
    waits += isa<TurnsWaitOp>(user);
    passes += isa<TurnsPassOp>(user);
    auto own = user->getParentOfType<RoleOp>();
    isOne &= own && (!role || own == role);
    role = own;
  }
  auto consumers = static_cast<uint64_t>(getResult().getType().getConsumers());
  if (isOne && role && role.getWarps() / 4 == consumers && waits == 1 &&
      passes == 1)
    return success();
  return emitOpError(
             "expected one cta.turns.wait and one cta.turns.pass, both in "
             "one role of ")
         << consumers << " warpgroups, got " << waits << " and " << passes
         << " (c2)";
}

/// In the block of a tile loop in turns, for the warpgroup that runs it (c1).
static LogicalResult verifyPlace(Operation *op, Value warpgroup) {
  auto tiles = dyn_cast<TilesOp>(op->getParentOp());
  if (!tiles || !tiles.getInTurns())
    return op->emitOpError("expected to be in the block of a cta.tiles with "
                           "in_turns (c1)");
  auto role = tiles->getParentOfType<RoleOp>();
  if (role && role.getKind() == RoleKind::consumer &&
      warpgroup == role.getBody().getArgument(0))
    return success();
  return op->emitOpError("expected the number of the warpgroup, which the role "
                         "around it has as its argument (c1)");
}

LogicalResult TurnsWaitOp::verify() {
  if (failed(verifyPlace(*this, getWarpgroup())))
    return failure();
  return verifySlot(*this, getSlot().getType(), 1, "c2");
}

LogicalResult TurnsPassOp::verify() {
  if (failed(verifyPlace(*this, getWarpgroup())))
    return failure();
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (auto wait = dyn_cast<TurnsWaitOp>(op);
        wait && wait.getTurns() == getTurns())
      return success();
  return emitOpError("expected a cta.turns.wait of the same turns before it in "
                     "its block (c2)");
}
