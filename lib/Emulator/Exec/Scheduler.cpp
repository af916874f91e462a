//===- Scheduler.cpp - grids, clusters and CTAs ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host thread runs all warps by turns in an order drawn from the seed, so
// equal seeds give equal bits. Clusters start lazily, in grid order, up to what
// the device could hold: more start only when those that run cannot go on.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "../Decode/Decoder.h"

#include "fp8/Emulator/Limits.h"

#include "llvm/ADT/STLExtras.h"

using namespace fp8::emulator;

/// Turns without progress after which all polls count as hopeless.
static constexpr uint64_t hopelessTurns = 4000;

void fp8::emulator::initializeFrame(Warp &warp, Frame &frame) {
  frame.storage.resize((frame.code->frameBytes + 7) / 8 + 8);
  auto address = reinterpret_cast<uintptr_t>(frame.storage.data());
  frame.regs = reinterpret_cast<uint8_t *>((address + 63) & ~uintptr_t(63));
  auto *shared = reinterpret_cast<uint32_t *>(frame.regs + SharedBaseRow);
  auto *local = reinterpret_cast<uint32_t *>(frame.regs + LocalBaseRow);
  auto *params = reinterpret_cast<uint64_t *>(frame.regs + ParamBaseRow);
  for (unsigned lane = 0; lane < 32; ++lane) {
    shared[lane] = warp.cta->rank << SharedRankShift;
    local[lane] = frame.localBase;
    params[lane] = warp.cta->grid->paramBase;
  }
}

static std::unique_ptr<Warp> makeWarp(Cta &cta, unsigned index) {
  Grid &grid = *cta.grid;
  auto warp = std::make_unique<Warp>();
  warp->cta = &cta;
  warp->index = index;
  const Dim3 &block = grid.blockDim;
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t linear = index * 32 + lane;
    if (linear < cta.threads)
      warp->alive |= 1u << lane;
    warp->tid[0][lane] = linear % block.x;
    warp->tid[1][lane] = linear / block.x % block.y;
    warp->tid[2][lane] = linear / block.x / block.y % block.z;
  }
  warp->started = warp->alive;
  const Code &code = *grid.kernel;
  warp->root = std::make_unique<Frame>();
  warp->root->code = &code;
  initializeFrame(*warp, *warp->root);
  warp->localStride = (code.localBytes + 15) & ~15u;
  warp->local.resize(size_t(warp->localStride) * 32);
  for (auto &phases : warp->barrierPhase)
    phases.fill(0);
  warp->others.push_back(
      {code.entry, warp->alive, warp->root.get(), SplitState::Ready});
  return warp;
}

static void startCluster(Grid &grid) {
  uint64_t number = grid.nextCluster++;
  Dim3 count{grid.gridDim.x / grid.clusterDim.x,
             grid.gridDim.y / grid.clusterDim.y,
             grid.gridDim.z / grid.clusterDim.z};
  auto cluster = std::make_unique<Cluster>();
  cluster->grid = &grid;
  cluster->id = {uint32_t(number % count.x),
                 uint32_t(number / count.x % count.y),
                 uint32_t(number / count.x / count.y)};
  for (uint32_t rank = 0; rank < grid.clusterDim.count(); ++rank) {
    auto cta = std::make_unique<Cta>();
    cta->grid = &grid;
    cta->cluster = cluster.get();
    cta->rank = rank;
    const Dim3 &dim = grid.clusterDim;
    cta->id = {cluster->id.x * dim.x + rank % dim.x,
               cluster->id.y * dim.y + rank / dim.x % dim.y,
               cluster->id.z * dim.z + rank / dim.x / dim.y};
    unsigned sms = grid.device->options().sms;
    cta->sm = (number * grid.clusterDim.count() + rank) % sms;
    cta->shared.resize(SharedReserved + grid.sharedBytes);
    cta->threads = grid.blockDim.count();
    cta->aliveThreads = cta->threads;
    for (unsigned i = 0; i * 32 < cta->threads; ++i)
      cta->warps.push_back(makeWarp(*cta, i));
    cluster->ctas.push_back(std::move(cta));
  }
  if (grid.monitor)
    for (auto &cta : cluster->ctas)
      grid.monitor->ctaStart(*cta);
  for (auto &cta : cluster->ctas)
    for (auto &warp : cta->warps)
      wake(*warp);
  grid.resident.push_back(std::move(cluster));
  ++grid.progress;
}

/// Clusters that the device holds at once.
static uint64_t maxResident(const Grid &grid) {
  const DeviceOptions &options = grid.device->options();
  uint64_t total = uint64_t(blocksPerSM(*options.target, grid.blockDim.count(),
                                        grid.sharedBytes)) *
                   options.sms;
  return std::max<uint64_t>(1, total / grid.clusterDim.count());
}

static void retire(Grid &grid) {
  for (size_t i = 0; i < grid.resident.size();) {
    bool done = true;
    for (auto &cta : grid.resident[i]->ctas)
      done &= cta->aliveThreads == 0;
    Cluster *cluster = grid.resident[i].get();
    for (const AsyncWork &work : grid.pending)
      done &= work.cluster != cluster;
    if (!done) {
      ++i;
      continue;
    }
    for (auto &cta : cluster->ctas)
      cta->finished = true;
    llvm::erase_if(grid.ready, [&](const Warp *warp) {
      return warp->cta->cluster == cluster;
    });
    grid.resident.erase(grid.resident.begin() + i);
  }
}

/// Lets lanes go that wait at .aligned instructions for lanes which wait for
/// something else. True when there were some.
static bool releaseAny(Grid &grid) {
  for (auto &cluster : grid.resident)
    for (auto &cta : cluster->ctas)
      for (auto &warp : cta->warps) {
        if (!warp->alive || warp->active || !releaseDiverged(*warp))
          continue;
        warp->queued = true;
        grid.ready.push_back(warp.get());
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
static const char *deadlockKind(const Cta &cta, const Warp &warp,
                                const Split &split) {
  if (split.state == SplitState::Blocked && waitsAtBarriers(cta))
    return "barrier-count";
  llvm::StringRef reason = warp.waitReason;
  if (split.state == SplitState::Blocked && reason.starts_with("mbarrier") &&
      reason.contains(" 0 pending arrivals"))
    return "mbarrier-tx-never-completes";
  return "deadlock";
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
          enterFrame(*warp, split.frame);
          const Op &op = split.frame->code->ops[split.pc];
          Finding finding;
          finding.kind = deadlockKind(*cta, *warp, split);
          finding.memory = "none";
          finding.a = siteOf(*warp, op, firstLane(split.mask));
          const char *how = split.state == SplitState::Together
                                ? "lanes wait for others of their warp at "
                            : split.state == SplitState::Blocked
                                ? "lanes wait for ever at "
                                : "lanes poll for ever near ";
          finding.message = how + finding.a.access;
          if (!warp->waitReason.empty())
            finding.message += ": " + warp->waitReason;
          if (first.empty())
            first = grid.program->module->name + ":" +
                    std::to_string(finding.a.ptxLine) + ": " + finding.kind +
                    ": " + finding.message;
          grid.device->findings().add(std::move(finding));
        }
      }
  grid.fault = first.empty() ? "deadlock" : first;
  grid.stopped = true;
}

static void completeOne(Grid &grid) {
  size_t index = grid.random() % grid.pending.size();
  AsyncWork work = std::move(grid.pending[index]);
  grid.pending.erase(grid.pending.begin() + index);
  ++grid.progress;
  work.complete();
  if (work.cluster)
    retire(grid);
}

/// One turn of a ready warp. True when it did something.
static void turn(Grid &grid) {
  size_t index = grid.random() % grid.ready.size();
  Warp *warp = grid.ready[index];
  grid.ready[index] = grid.ready.back();
  grid.ready.pop_back();
  warp->queued = false;
  if (!warp->alive)
    return;
  uint64_t budget = 256 + grid.random() % 16384;
  uint64_t before = grid.clock;
  bool canGoOn = runWarp(*warp, budget);
  if (grid.clock - before >= budget)
    ++grid.progress;
  if (canGoOn && warp->alive)
    wake(*warp);
  if (!warp->alive && warp->cta->aliveThreads == 0)
    retire(grid);
}

llvm::Error fp8::emulator::runGrid(Grid &grid) {
  uint64_t limit = maxResident(grid);
  uint64_t window = std::min<uint64_t>(limit, 4);
  uint64_t lastProgress = 0, idle = 0;
  while (!grid.stopped) {
    while (grid.resident.size() < window &&
           grid.nextCluster < grid.clusterCount)
      startCluster(grid);
    if (grid.resident.empty() && grid.pending.empty())
      break;
    if (!grid.pending.empty() &&
        (grid.ready.empty() || grid.random() % 8 == 0)) {
      completeOne(grid);
      continue;
    }
    bool stuck = grid.ready.empty();
    if (!stuck) {
      turn(grid);
      idle = grid.progress == lastProgress ? idle + 1 : 0;
      lastProgress = grid.progress;
      stuck = idle > hopelessTurns + 4 * grid.ready.size();
      if (!stuck && !(idle && idle % 64 == 0 && window < limit &&
                      grid.nextCluster < grid.clusterCount))
        continue;
    }
    if (grid.pending.empty() && grid.nextCluster < grid.clusterCount &&
        grid.resident.size() < limit) {
      window = grid.resident.size() + 1;
      continue;
    }
    if (stuck && grid.pending.empty()) {
      if (releaseAny(grid))
        continue;
      reportDeadlock(grid);
      break;
    }
    if (stuck)
      completeOne(grid);
  }
  if (grid.fault.empty())
    return llvm::Error::success();
  return llvm::createStringError(grid.fault);
}
