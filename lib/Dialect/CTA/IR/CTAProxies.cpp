//===- CTAProxies.cpp - Fences between threads and asynchronous use -------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads write shared memory through the generic proxy; copies and matrix
// instructions use it through the asynchronous one. Between the two each writer
// executes a proxy fence, and then meets the thread that starts the other one.
// Here a role is run once for what may be pending at each operation: at joins
// the worse state counts, and a loop is run until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::cta;

namespace {

/// A buffer that was written and may not be used asynchronously yet.
struct Pending {
  Operation *store = nullptr;
  /// The writers have their fence; a barrier is missing.
  bool fenced = false;
};

/// Buffers that are not in it are clean.
using State = llvm::MapVector<Value, Pending>;

/// An operation's use of a buffer through the asynchronous proxy.
struct AsyncUse {
  Value buffer;
  StringRef number;
};

/// Follows one role. What it hands over unfenced is collected for the others.
class ProxyFlow {
public:
  explicit ProxyFlow(State &handedOver) : handedOver(handedOver) {}

  LogicalResult run(RoleOp role) {
    State state;
    if (failed(runRegion(role.getBody(), state)))
      return failure();
    join(handedOver, state);
    return success();
  }

private:
  static bool join(State &into, const State &from);
  LogicalResult runOp(Operation *op, State &state);
  LogicalResult runBlock(Block &block, State &state);
  LogicalResult runRegion(Region &region, State &state);
  LogicalResult runLoop(Operation *op, State &state);
  LogicalResult runBranches(RegionBranchOpInterface op, State &state);

  State &handedOver;
};

} // namespace

static SmallVector<AsyncUse> getAsyncUses(Operation *op) {
  if (auto store = dyn_cast<TmaStoreOp>(op))
    return {{store.getBuffer(), "c4"}};
  if (auto load = dyn_cast<TmaLoadOp>(op))
    return {{load.getBuffer(), "c7"}};
  if (auto mma = dyn_cast<WgmmaOp>(op))
    return {{mma.getA(), "c9"}, {mma.getB(), "c9"}};
  if (auto mma = dyn_cast<Tcgen05MmaOp>(op))
    return {{mma.getA(), "c8"}, {mma.getB(), "c8"}};
  return {};
}

/// Reports uses of what is pending in `state`.
static LogicalResult verifyUses(Operation *op, const State &state) {
  for (const AsyncUse &use : getAsyncUses(op)) {
    auto found = state.find(use.buffer);
    if (found == state.end())
      continue;
    return op->emitOpError("expected a cta.fence_async and then a "
                           "cta.barrier after the last cta.store to the "
                           "buffer (")
               .append(use.number, ")")
               .attachNote(found->second.store->getLoc())
           << "written here";
  }
  return success();
}

/// The worse of two states; true if `into` changed.
bool ProxyFlow::join(State &into, const State &from) {
  bool changed = false;
  for (const auto &[buffer, pending] : from) {
    auto [place, isNew] = into.insert({buffer, pending});
    bool isWorse = !isNew && place->second.fenced && !pending.fenced;
    if (isWorse)
      place->second = pending;
    changed |= isNew || isWorse;
  }
  return changed;
}

LogicalResult ProxyFlow::runOp(Operation *op, State &state) {
  if (failed(verifyUses(op, state)))
    return failure();
  if (auto store = dyn_cast<StoreOp>(op)) {
    state[store.getBuffer()] = {store, /*fenced=*/false};
  } else if (isa<FenceAsyncOp>(op)) {
    for (auto &entry : state)
      entry.second.fenced = true;
  } else if (isa<BarrierOp>(op)) {
    state.remove_if([](const auto &entry) { return entry.second.fenced; });
  } else if (isa<RingReleaseOp>(op)) {
    // Whoever acquires the stage may go on to use the buffer.
    join(handedOver, state);
  }
  if (op->getNumRegions() == 0 || isMemoryEffectFree(op))
    return success();
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && !branch.hasLoop() ? runBranches(branch, state)
                                     : runLoop(op, state);
}

LogicalResult ProxyFlow::runBlock(Block &block, State &state) {
  for (Operation &op : block)
    if (failed(runOp(&op, state)))
      return failure();
  return success();
}

/// Several blocks may come in any order.
LogicalResult ProxyFlow::runRegion(Region &region, State &state) {
  if (region.hasOneBlock())
    return runBlock(region.front(), state);
  State exit;
  do {
    for (Block &block : region) {
      State inside = state;
      if (failed(runBlock(block, inside)))
        return failure();
      join(exit, inside);
    }
  } while (join(state, exit));
  return success();
}

/// Regions that may run any number of times.
LogicalResult ProxyFlow::runLoop(Operation *op, State &state) {
  State entry = state, exit;
  do {
    for (Region &region : op->getRegions()) {
      State inside = entry;
      if (failed(runRegion(region, inside)))
        return failure();
      join(exit, inside);
    }
  } while (join(entry, exit));
  // A loop that is known to run does what it does.
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<APInt> trips;
  if (loop)
    trips = loop.getStaticTripCount();
  state = trips && !trips->isZero() ? exit : entry;
  return success();
}

/// Regions of which one runs, or none.
LogicalResult ProxyFlow::runBranches(RegionBranchOpInterface op, State &state) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  State exit;
  for (RegionSuccessor successor : successors) {
    State inside = state;
    Region *region = successor.getSuccessor();
    if (region && failed(runRegion(*region, inside)))
      return failure();
    join(exit, inside);
  }
  state = std::move(exit);
  return success();
}

LogicalResult mlir::cta::verifyProxies(KernelOp kernel) {
  for (RolesOp roles : kernel.getBody().getOps<RolesOp>()) {
    State handedOver;
    for (RoleOp role : roles.getBody().getOps<RoleOp>())
      if (failed(ProxyFlow(handedOver).run(role)))
        return failure();
    // The producer and the mma role may use at any time what was handed over.
    WalkResult result = roles.walk([&](Operation *op) {
      return isa<TmaLoadOp, Tcgen05MmaOp>(op) &&
                     failed(verifyUses(op, handedOver))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}
