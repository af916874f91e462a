//===- Async.h - asynchronous work of CTAs ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies, matrix products and commits are work items of a cluster that complete
// in an order drawn from the seed. Operations of one pipeline (wgmma of a
// warpgroup, tcgen05 of a CTA pair) complete in issue order. Groups count the
// items that are not done.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_ASYNC_H
#define FP8_LIB_EMULATOR_EXEC_ASYNC_H

#include "Access.h"

#include "fp8/Emulator/MBarrier.h"
#include "fp8/Emulator/TensorMemory.h"

#include <deque>

namespace fp8::emulator {

/// Who issued an asynchronous operation, for messages.
struct IssueSite {
  IssueSite(const Warp &warp, const Op &op, unsigned lane);
  AccessSite get() const;

  Cta *cta;
  const OpInfo *info;
  std::array<uint32_t, 3> tid;
};

/// A commit group of cp.async, bulk copies or wgmma.
struct AsyncGroup {
  /// Items that are not complete, and those whose source is still read.
  uint32_t pending = 0, reading = 0;
  bool committed = false;
};

/// Groups of one thread (or warpgroup), oldest first; the last one is open.
struct GroupQueue {
  std::deque<std::shared_ptr<AsyncGroup>> groups;

  std::shared_ptr<AsyncGroup> open();
  void commit();
  /// Committed groups older than the newest `keep` that are not done. With
  /// `reads` only reading counts.
  bool isDone(uint32_t keep, bool reads);
  /// Forgets groups that are done.
  void prune();
};

/// Operations that run in issue order.
struct Pipeline {
  std::deque<std::function<void()>> queue;
  bool scheduled = false;
};

/// One wgmma while its warps issue it, and until it completes.
struct WgmmaIssue {
  explicit WgmmaIssue(const IssueSite &site) : site(site) {}

  IssueSite site;
  const Op *op = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool scaleD = false;
  /// Of a sparse A: 32 lanes of each warp.
  std::array<uint32_t, 128> metadata = {};
  std::vector<Warp *> warps;
  /// Register frames by the warp's place in the warpgroup.
  std::array<uint8_t *, 4> regs = {};
  const uint8_t *constants = nullptr;
  std::vector<std::shared_ptr<AsyncGroup>> groups;
};

/// wgmma of a warpgroup that not all of its warps have issued.
struct WarpgroupIssues {
  std::deque<std::shared_ptr<WgmmaIssue>> open;
  unsigned base = 0;
  std::array<unsigned, 4> issued = {};
};

/// Asynchronous state of a CTA.
struct CtaAsync {
  /// Per thread of the CTA.
  std::vector<GroupQueue> copies, bulk;
  /// Per warp.
  std::vector<GroupQueue> wgmma;
  /// Per warpgroup.
  std::vector<Pipeline> wgmmaPipeline;
  std::vector<WarpgroupIssues> issues;
  /// tcgen05 of this CTA.
  Pipeline tensorPipeline;
  std::unique_ptr<TensorMemory> tensor;
  bool relinquished = false;
  /// Columns of the smallest allocation so far; 0 before the first.
  unsigned smallestAllocation = 0;
  /// N of the .cta_group::N that the block's tcgen05 operations name; 0
  /// before the first.
  unsigned tensorGroup = 0;
};

CtaAsync &asyncOf(Cta &cta);

/// Linear thread index of a lane.
inline unsigned threadOf(const Warp &warp, unsigned lane) {
  return warp.index * 32 + lane;
}

/// Adds work; it completes when the scheduler draws it.
void schedule(Cta &cta, std::function<void()> work);
/// The same for work that blocks of other clusters can observe in its order:
/// it completes in a turn of its own.
void scheduleOrdered(Cta &cta, std::function<void()> work);
/// Adds work that completes after everything issued to `pipeline` before.
void schedulePipeline(Cta &cta, Pipeline &pipeline, std::function<void()> work);

/// A live pointer to the 8 bytes of an mbarrier at a shared address, or null.
uint64_t *barrierWord(Cta &cta, uint32_t address);

/// Stops the cluster with a message that has no warp any more.
void asyncFault(Cta &cta, const IssueSite &site, const char *kind,
                const char *memory, uint64_t address,
                const std::string &message);

/// complete_tx by a unit; wakes waiters when the phase ends.
/// `token` is the monitor's name of the operation.
void completeTx(Cta &cta, const IssueSite &site, uint32_t address,
                uint32_t bytes, uint64_t token);
/// An arrival by a unit.
void arriveOn(Cta &cta, const IssueSite &site, uint32_t address,
              uint64_t token);

/// Tells the monitor, if there is one, that an operation is complete.
void finished(Cta &cta, uint64_t token, bool failed = false);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_ASYNC_H
