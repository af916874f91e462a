//===- Scheduler.cpp - the slices of one cluster --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cluster runs by itself in slices: its warps take turns, and its
// asynchronous operations complete, in an order drawn from numbers of its own.
// So what a slice does depends on the cluster and on global memory alone, never
// on the host thread that runs it or on what other clusters do at the time.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"

using namespace fp8::emulator;

/// Warp instructions of a slice; enough to outweigh what a change of threads
/// costs.
static constexpr uint64_t sliceLength = 1 << 16;

bool fp8::emulator::isDone(const Cluster &cluster) {
  return cluster.pending.empty() && cluster.ordered.empty() &&
         llvm::all_of(cluster.ctas, [](const std::unique_ptr<Cta> &cta) {
           return cta->aliveThreads == 0;
         });
}

static void completeOne(Cluster &cluster) {
  size_t index = cluster.random() % cluster.pending.size();
  AsyncWork work = std::move(cluster.pending[index]);
  cluster.pending.erase(cluster.pending.begin() + index);
  ++cluster.progress;
  work.complete();
}

/// One turn of a ready warp.
static void turn(Cluster &cluster) {
  size_t index = cluster.random() % cluster.ready.size();
  Warp *warp = cluster.ready[index];
  cluster.ready[index] = cluster.ready.back();
  cluster.ready.pop_back();
  warp->queued = false;
  if (!warp->alive)
    return;
  ++cluster.turns;
  uint64_t most = cluster.grid->probing ? 512 : 16384;
  uint64_t budget = 256 + cluster.random() % most;
  uint64_t before = cluster.clock;
  bool canGoOn = runWarp(*warp, budget);
  if (cluster.clock - before >= budget)
    ++cluster.longTurns;
  if (canGoOn && warp->alive)
    wake(*warp);
}

void fp8::emulator::runSlice(Cluster &cluster) {
  uint64_t end = cluster.clock + sliceLength;
  auto progress = [&] { return cluster.progress + cluster.longTurns; };
  uint64_t lastProgress = progress(), idle = 0;
  while (!cluster.stopped && cluster.clock < end) {
    if (!cluster.pending.empty() &&
        (cluster.ready.empty() || cluster.random() % 8 == 0)) {
      completeOne(cluster);
      continue;
    }
    if (cluster.ready.empty())
      return;
    turn(cluster);
    idle = progress() == lastProgress ? idle + 1 : 0;
    lastProgress = progress();
    if (idle <= 16 + 4 * cluster.ready.size())
      continue;
    // Only polls are left; others must end them.
    if (cluster.pending.empty())
      return;
    completeOne(cluster);
  }
}
