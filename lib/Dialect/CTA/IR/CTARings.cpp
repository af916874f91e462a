//===- CTARings.cpp - Rings in balance over the trips of loops ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one role fills the others read: the stages that each passes are counted
// where the loops around have known trip counts. What is not known is not
// compared.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cta;

namespace {

/// How often something happens: `number` times for each tile of the cta.tiles
/// whose `extents` are not all numbers.
struct Count {
  int64_t number = 0;
  SmallVector<OpFoldResult> extents;
};

/// How often one role does something with a ring.
class Total {
public:
  void add(std::optional<Count> count);
  bool isSeen() const { return seen; }
  /// Both are known, and differ.
  bool differsFrom(const Total &other) const;
  /// Known and above `limit`.
  bool exceeds(int64_t limit) const {
    return sum && sum->extents.empty() && sum->number > limit;
  }
  int64_t getNumber() const { return sum->number; }

private:
  bool seen = false;
  std::optional<Count> sum = Count();
};

/// What one role does with a ring.
struct RoleTotals {
  /// Acquires with bytes in a producer, commits to `full`.
  Total fills;
  /// Acquires with 0 bytes.
  Total acquires;
  Total waits;
  /// Releases, commits to `empty`.
  Total releases;
};

} // namespace

void Total::add(std::optional<Count> count) {
  bool first = !std::exchange(seen, true);
  if (first || !count || !sum) {
    sum = count && sum ? count : std::nullopt;
    return;
  }
  std::optional<int64_t> number = llvm::checkedAdd(sum->number, count->number);
  if (sum->extents != count->extents || !number)
    sum.reset();
  else
    sum->number = *number;
}

bool Total::differsFrom(const Total &other) const {
  return sum && other.sum && sum->extents == other.sum->extents &&
         sum->number != other.sum->number;
}

/// Tiles that the blocks of one cluster visit if no other runs: those of a
/// cluster at a time. Extents that are not numbers all go to `count`.
static std::optional<int64_t> getTrips(TilesOp tiles, Count &count) {
  ArrayRef<int64_t> extents = tiles.getExtents();
  if (llvm::is_contained(extents, ShapedType::kDynamic)) {
    llvm::append_range(
        count.extents,
        getMixedValues(extents, tiles.getDynamicExtents(), tiles.getContext()));
    return 1;
  }
  std::optional<int64_t> trips = 1;
  auto cluster = tiles->getParentOfType<KernelOp>().getCluster();
  for (auto [index, extent] : llvm::enumerate(llvm::reverse(extents))) {
    // From the back: along n, along m, grids.
    int64_t step = index < 2 ? cluster[1 - index] : 1;
    if (trips)
      trips = llvm::checkedMul(*trips, llvm::divideCeilSigned(extent, step));
  }
  return trips;
}

/// Trips of one step of nesting.
static std::optional<int64_t> getTrips(Operation *op, Count &count) {
  if (auto tiles = dyn_cast<TilesOp>(op))
    return getTrips(tiles, count);
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<APInt> trips;
  if (loop)
    trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 62)
    return std::nullopt;
  return trips->getZExtValue();
}

/// How often `op` happens in its role.
static std::optional<Count> getCount(Operation *op) {
  Count count{1, {}};
  for (op = op->getParentOp(); !isa<RoleOp>(op); op = op->getParentOp()) {
    std::optional<int64_t> trips = getTrips(op, count);
    if (trips)
      trips = llvm::checkedMul(count.number, *trips);
    if (!trips)
      return std::nullopt;
    count.number = *trips;
  }
  return count;
}

static void addUse(Operation *user, RoleTotals &totals) {
  if (auto acquire = dyn_cast<RingAcquireOp>(user)) {
    bool fills = acquire.getBytes() != 0;
    (fills ? totals.fills : totals.acquires).add(getCount(user));
  } else if (auto commit = dyn_cast<Tcgen05CommitOp>(user)) {
    bool fills = commit.getBarrier() == BarrierKind::full;
    (fills ? totals.fills : totals.releases).add(getCount(user));
  } else if (isa<RingWaitOp>(user)) {
    totals.waits.add(getCount(user));
  } else if (isa<RingReleaseOp>(user)) {
    totals.releases.add(getCount(user));
  }
}

/// Reports that a role's `total` is not the number of stages filled (c4).
static LogicalResult verifyTotal(RingCreateOp ring, const Total &fills,
                                 const Total &total, StringRef what,
                                 RoleOp role) {
  if (!total.differsFrom(fills))
    return success();
  return ring.emitOpError("expected as many ")
             .append(what, " as stages that are filled, ", fills.getNumber(),
                     ", got ", total.getNumber(), " (c4)")
             .attachNote(role.getLoc())
         << "in this role";
}

/// Whether `next` can come after `last`, further down or in the next trip of a
/// loop around both.
static bool canFollow(Operation *last, Operation *next) {
  Operation *above = last, *other = nullptr;
  while (!(other = above->getBlock()->findAncestorOpInBlock(*next)))
    above = above->getParentOp();
  if (above != other && above->isBeforeInBlock(other))
    return true;
  Operation *around = above == other ? above : above->getParentOp();
  for (; !isa<RoleOp>(around); around = around->getParentOp())
    if (isa<TilesOp, LoopLikeOpInterface>(around))
      return true;
  return false;
}

/// A producer's acquires with 0 bytes are its last (c6).
static LogicalResult verifyDrain(RingCreateOp ring, RoleOp role,
                                 const RoleTotals &totals) {
  SmallVector<RingAcquireOp> drains, fills;
  for (Operation *user : ring.getResult().getUsers())
    if (auto acquire = dyn_cast<RingAcquireOp>(user);
        acquire && acquire->getParentOfType<RoleOp>() == role)
      (acquire.getBytes() == 0 ? drains : fills).push_back(acquire);
  for (RingAcquireOp drain : drains)
    for (RingAcquireOp fill : fills)
      if (canFollow(drain, fill))
        return drain
                   .emitOpError("expected no acquire with bytes of the same "
                                "ring after one with 0 bytes in a producer "
                                "(c6)")
                   .attachNote(fill.getLoc())
               << "this one can come after it";
  int64_t stages = ring.getResult().getType().getStages();
  if (!totals.acquires.exceeds(stages))
    return success();
  return drains.front().emitOpError("expected at most ")
         << stages << " acquires with 0 bytes, as many as the ring's stages, "
         << "got " << totals.acquires.getNumber() << " (c6)";
}

static LogicalResult verifyRing(RingCreateOp ring) {
  llvm::MapVector<RoleOp, RoleTotals> roles;
  for (Operation *user : ring.getResult().getUsers())
    if (auto role = user->getParentOfType<RoleOp>())
      addUse(user, roles[role]);
  // More than one role that fills it is more than is known here.
  const Total *fills = nullptr;
  for (auto &[role, totals] : roles) {
    if (role.getKind() == RoleKind::producer &&
        failed(verifyDrain(ring, role, totals)))
      return failure();
    if (!totals.fills.isSeen())
      continue;
    if (fills)
      return success();
    fills = &totals.fills;
  }
  if (!fills)
    return success();
  for (auto &[role, totals] : roles) {
    // The first pass needs none.
    bool acquires = role.getKind() == RoleKind::mma && totals.fills.isSeen() &&
                    (totals.acquires.isSeen() ||
                     fills->exceeds(ring.getResult().getType().getStages()));
    if (acquires &&
        failed(verifyTotal(ring, *fills, totals.acquires, "acquires", role)))
      return failure();
    bool reads = totals.waits.isSeen() || totals.releases.isSeen();
    if (reads &&
        (failed(verifyTotal(ring, *fills, totals.waits, "waits", role)) ||
         failed(verifyTotal(ring, *fills, totals.releases, "releases", role))))
      return failure();
  }
  return success();
}

LogicalResult mlir::cta::verifyBalance(KernelOp kernel) {
  for (RingCreateOp ring : kernel.getBody().getOps<RingCreateOp>())
    if (failed(verifyRing(ring)))
      return failure();
  return success();
}
