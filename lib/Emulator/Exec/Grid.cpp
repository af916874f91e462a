//===- Grid.cpp - a grid from its first cluster to its last ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid runs in rounds. First each resident cluster runs a slice, in parallel;
// then operations whose order other clusters can observe (strong operations of
// gpu or wider scope and reductions on global memory, clusterlaunchcontrol,
// output) take turns, one by one, in an order drawn from the seed. So equal
// seeds give equal bits for any number of host threads. Clusters start lazily,
// in grid order, up to what the device could hold: more than a few start only
// when those that run cannot go on.
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Crew.h"
#include "Livelock.h"

#include "fp8/Support/Occupancy.h"

#include "llvm/ADT/STLExtras.h"

using namespace fp8::emulator;

/// Turns without progress after which more clusters start.
static constexpr uint64_t hopelessTurns = 4000;

/// Clusters that run at first, and as long as nothing is ordered between them.
/// The host has no say in these numbers.
static constexpr uint64_t firstWindow = 4, widestWindow = 16;

/// Warp instructions of a round that make it worth sharing the next one out.
static constexpr uint64_t worthSharing = 20000;

uint64_t fp8::emulator::maxResident(const Grid &grid) {
  const DeviceOptions &options = grid.device->options();
  const Target &target = *options.target;
  uint64_t blocks = fp8::support::residentBlocks(
      {target.maxThreadsPerSM, target.maxBlocksPerSM, target.sharedPerSM},
      grid.blockDim.count(), grid.sharedBytes, grid.entryRegisters);
  return std::max<uint64_t>(1, blocks * options.sms / grid.clusterDim.count());
}

//===----------------------------------------------------------------------===//
// The end of a grid that cannot go on
//===----------------------------------------------------------------------===//

/// Lets lanes go that wait at .aligned instructions for lanes which wait for
/// something else. True when there were some.
static bool releaseAny(Grid &grid) {
  for (auto &cluster : grid.resident)
    for (auto &cta : cluster->ctas)
      for (auto &warp : cta->warps) {
        if (!warp->alive || warp->active || !releaseDiverged(*warp))
          continue;
        wake(*warp);
        return true;
      }
  return false;
}

/// Whether all lanes of the block that are left wait at barriers of it: then
/// some barrier waits for more threads than there are.
static bool waitsAtBarriers(const Cta &cta) {
  for (const auto &warp : cta.warps)
    for (const Split &split : warp->others) {
      llvm::StringRef text = split.frame->code->info[split.pc].text;
      if (!text.starts_with("bar.") && !text.starts_with("barrier.cta") &&
          !text.starts_with("barrier.sync"))
        return false;
    }
  return true;
}

/// The kind of a split that waits for ever: what is missing there.
static const char *deadlockKind(Cta &cta, const Warp &warp,
                                const Split &split) {
  if (split.state != SplitState::Blocked)
    return "deadlock";
  if (waitsAtBarriers(cta))
    return "barrier-count";
  const Wait *wait = waitOf(warp, split.mask);
  const uint64_t *word =
      wait && wait->barrier ? barrierWord(cta, *wait->barrier) : nullptr;
  if (word && !decodeMBarrier(*word).pending)
    return "mbarrier-tx-never-completes";
  return "deadlock";
}

/// Lanes that wait for something that does not come.
static Finding describeWait(Cta &cta, Warp &warp, const Split &split) {
  enterFrame(warp, split.frame);
  const Op &op = split.frame->code->ops[split.pc];
  Finding finding;
  finding.kind = deadlockKind(cta, warp, split);
  finding.memory = "none";
  finding.a = siteOf(warp, op, firstLane(split.mask));
  finding.message = (split.state == SplitState::Together
                         ? "lanes wait for others of their warp at "
                         : "lanes wait for ever at ") +
                    finding.a.access;
  if (const Wait *wait = waitOf(warp, split.mask))
    finding.message += ": " + wait->reason;
  finding.message += ", since warp instruction " +
                     std::to_string(cta.grid->quietSince) + " of the grid";
  return finding;
}

/// One line per distinct place where lanes of the grid wait.
static void reportDeadlock(Grid &grid) {
  std::string first;
  for (auto &cluster : grid.resident)
    for (auto &cta : cluster->ctas)
      for (auto &warp : cta->warps)
        parkSplit(*warp, SplitState::Polling);
  for (auto &cluster : grid.resident)
    for (auto &cta : cluster->ctas)
      for (auto &warp : cta->warps) {
        for (const Split &split : warp->others) {
          std::optional<Finding> loop = describeLoop(*warp, split);
          Finding finding =
              loop ? std::move(*loop) : describeWait(*cta, *warp, split);
          if (first.empty())
            first = grid.program->module->name + ":" +
                    std::to_string(finding.a.ptxLine) + ": " + finding.kind +
                    ": " + finding.message;
          grid.device->findings().add(std::move(finding));
        }
      }
  grid.fault = first.empty() ? "deadlock" : first;
  grid.stopped = grid.deadlocked = true;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

static void startClusters(Grid &grid, uint64_t window) {
  while (grid.resident.size() < window &&
         grid.nextCluster < grid.clusterCount) {
    grid.resident.push_back(makeCluster(grid, grid.nextCluster++));
    ++grid.progress;
  }
}

/// Takes over what the clusters did since the last time: their counts, and the
/// first cluster that stopped. Returns the turns of their warps.
static uint64_t settle(Grid &grid) {
  uint64_t turns = 0;
  for (auto &cluster : grid.resident) {
    grid.progress += cluster->progress;
    grid.longTurns += cluster->longTurns;
    turns += cluster->turns;
    cluster->progress = cluster->longTurns = cluster->turns = 0;
    if (!cluster->stopped || grid.stopped)
      continue;
    grid.stopped = true;
    grid.fault = cluster->fault;
    if (cluster->finding)
      grid.device->findings().add(std::move(*cluster->finding));
  }
  return turns;
}

/// A slice of every cluster. Returns the warp instructions executed.
static uint64_t runSlices(Grid &grid, Crew *crew) {
  uint64_t start = grid.clock, executed = 0;
  for (auto &cluster : grid.resident)
    cluster->clock = std::max(cluster->clock, start);
  std::vector<uint64_t> before;
  before.reserve(grid.resident.size());
  for (auto &cluster : grid.resident)
    before.push_back(cluster->clock);
  if (crew) {
    crew->run(grid.resident.size(),
              [&](size_t i) { runSlice(*grid.resident[i]); });
  } else {
    for (auto &cluster : grid.resident) {
      runSlice(*cluster);
      // What later ones would do in this round is not looked at.
      if (cluster->stopped)
        break;
    }
  }
  for (auto [cluster, clock] : llvm::zip(grid.resident, before))
    executed += cluster->clock - clock;
  grid.clock += executed;
  return executed;
}

namespace {
/// One globally ordered operation: of a warp, or of an asynchronous unit.
struct Turn {
  Cluster *cluster;
  Warp *warp;
  AsyncWork work;
};
} // namespace

static void takeTurn(Grid &grid, Turn &turn) {
  Cluster &cluster = *turn.cluster;
  if (!turn.warp) {
    ++cluster.progress;
    turn.work.complete();
    return;
  }
  Warp &warp = *turn.warp;
  if (!warp.alive || !beginTurn(warp, grid.random()))
    return;
  bool canGoOn = runWarp(warp, 1);
  warp.hasTurn = false;
  if (canGoOn && warp.alive)
    wake(warp);
}

/// Globally ordered operations that wait, each with odds of 3 to 4. False when
/// there are none.
static bool takeTurns(Grid &grid) {
  std::vector<Turn> turns;
  for (auto &cluster : grid.resident) {
    for (Warp *warp : cluster->waiting)
      turns.push_back({cluster.get(), warp, {}});
    for (AsyncWork &work : cluster->ordered)
      turns.push_back({cluster.get(), nullptr, std::move(work)});
    cluster->waiting.clear();
    cluster->ordered.clear();
  }
  llvm::shuffle(turns.begin(), turns.end(), grid.random);
  for (Turn &turn : turns) {
    Cluster &cluster = *turn.cluster;
    ++cluster.turns;
    if (cluster.stopped)
      return true;
    if (turns.size() == 1 || grid.random() % 4 != 0)
      takeTurn(grid, turn);
    else if (turn.warp)
      cluster.waiting.push_back(turn.warp);
    else
      cluster.ordered.push_back(std::move(turn.work));
  }
  return !turns.empty();
}

static void retire(Grid &grid) {
  size_t before = grid.resident.size();
  llvm::erase_if(grid.resident, [](const std::unique_ptr<Cluster> &cluster) {
    return isDone(*cluster);
  });
  grid.progress += before != grid.resident.size();
}

/// Warps that could poll once more.
static uint64_t countPolling(const Grid &grid) {
  uint64_t count = 0;
  for (const auto &cluster : grid.resident)
    count += cluster->ready.size() + cluster->waiting.size();
  return count;
}

llvm::Error fp8::emulator::runGrid(Grid &grid, Crew *crew) {
  uint64_t limit = maxResident(grid);
  uint64_t window = std::min(limit, firstWindow);
  uint64_t lastProgress = 0, idle = 0, quiet = 0, executed = worthSharing;
  LivelockWatch watch;
  while (true) {
    startClusters(grid, window);
    if (grid.resident.empty())
      break;
    bool share = executed >= worthSharing && grid.resident.size() > 1;
    executed = runSlices(grid, share ? crew : nullptr);
    uint64_t turns = settle(grid);
    bool free = !grid.stopped && !takeTurns(grid);
    turns += settle(grid);
    if (grid.stopped)
      break;
    if (free)
      window = std::max(window, std::min({limit, widestWindow, window + 4}));
    retire(grid);
    bool endless = watch.afterRound(grid, turns);
    bool moved = !endless && grid.progress + grid.longTurns != lastProgress;
    lastProgress = grid.progress + grid.longTurns;
    idle = moved ? 0 : idle + turns;
    quiet = moved ? 0 : quiet + 1;
    if (moved)
      continue;
    bool over = turns == 0 || endless;
    bool stuck = over || idle > hopelessTurns + 4 * countPolling(grid);
    bool canStart =
        grid.nextCluster < grid.clusterCount && grid.resident.size() < limit;
    if (canStart && (stuck || quiet % 64 == 0)) {
      window = grid.resident.size() + 1;
      continue;
    }
    if (!over)
      continue;
    if (releaseAny(grid)) {
      ++grid.progress;
      continue;
    }
    reportDeadlock(grid);
    break;
  }
  if (grid.fault.empty())
    return llvm::Error::success();
  return llvm::createStringError(grid.fault);
}
