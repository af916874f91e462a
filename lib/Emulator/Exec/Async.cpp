//===- Async.cpp - asynchronous work of CTAs ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Async.h. A pipeline keeps one item in the cluster's list: its oldest.
//
//===----------------------------------------------------------------------===//

#include "Async.h"

using namespace fp8::emulator;

IssueSite::IssueSite(const Warp &warp, const Op &op, unsigned lane)
    : cta(warp.cta), info(&infoOf(warp, op)),
      tid({warp.tid[0][lane], warp.tid[1][lane], warp.tid[2][lane]}) {}

AccessSite IssueSite::get() const {
  AccessSite site;
  site.ptxLine = info->line;
  site.file = cta->grid->program->module->filePath(info->loc.file).str();
  site.line = info->loc.line;
  site.access = info->text;
  site.thread = {cta->id.x, cta->id.y, cta->id.z, tid[0], tid[1], tid[2]};
  return site;
}

std::shared_ptr<AsyncGroup> GroupQueue::open() {
  if (groups.empty() || groups.back()->committed)
    groups.push_back(std::make_shared<AsyncGroup>());
  return groups.back();
}

void GroupQueue::commit() { open()->committed = true; }

void GroupQueue::prune() {
  while (!groups.empty() && groups.front()->committed &&
         !groups.front()->pending && !groups.front()->reading &&
         groups.size() > 64)
    groups.pop_front();
}

bool GroupQueue::isDone(uint32_t keep, bool reads) {
  uint32_t newer = 0;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (!(*group)->committed)
      continue;
    if (newer++ < keep)
      continue;
    if (reads ? (*group)->reading : (*group)->pending)
      return false;
  }
  prune();
  return true;
}

CtaAsync &fp8::emulator::asyncOf(Cta &cta) {
  if (!cta.async) {
    auto state = std::make_shared<CtaAsync>();
    state->copies.resize((cta.threads + 31) / 32 * 32);
    state->bulk.resize((cta.threads + 31) / 32 * 32);
    state->wgmma.resize((cta.threads + 31) / 32);
    state->issues.resize((cta.threads + 127) / 128);
    state->wgmmaPipeline.resize((cta.threads + 127) / 128);
    cta.async = state;
  }
  return *static_cast<CtaAsync *>(cta.async.get());
}

void fp8::emulator::schedule(Cta &cta, std::function<void()> work) {
  cta.cluster->pending.push_back({std::move(work)});
}

void fp8::emulator::scheduleOrdered(Cta &cta, std::function<void()> work) {
  cta.cluster->ordered.push_back({std::move(work)});
}

static void runPipeline(Cta &cta, Pipeline &pipeline) {
  std::function<void()> work = std::move(pipeline.queue.front());
  pipeline.queue.pop_front();
  work();
  pipeline.scheduled = !pipeline.queue.empty();
  if (pipeline.scheduled)
    schedule(cta, [&cta, &pipeline] { runPipeline(cta, pipeline); });
}

void fp8::emulator::schedulePipeline(Cta &cta, Pipeline &pipeline,
                                     std::function<void()> work) {
  pipeline.queue.push_back(std::move(work));
  if (pipeline.scheduled)
    return;
  pipeline.scheduled = true;
  schedule(cta, [&cta, &pipeline] { runPipeline(cta, pipeline); });
}

uint64_t *fp8::emulator::barrierWord(Cta &cta, uint32_t address) {
  if (address & 7)
    return nullptr;
  return reinterpret_cast<uint64_t *>(sharedBytes(cta, address, 8));
}

void fp8::emulator::asyncFault(Cta &cta, const IssueSite &site,
                               const char *kind, const char *memory,
                               uint64_t address, const std::string &message) {
  Finding finding;
  finding.kind = kind;
  finding.memory = memory;
  finding.a = site.get();
  finding.address = address;
  finding.message = message;
  stop(*cta.cluster, std::move(finding));
}

void fp8::emulator::finished(Cta &cta, uint64_t token, bool failed) {
  if (Monitor *monitor = cta.grid->monitor)
    monitor->asyncComplete(token, failed);
}

/// Tells the monitor what a unit did to a barrier.
static void notify(Cta &cta, uint64_t token, MBarrierEvent::Kind kind,
                   uint32_t address, uint32_t value, bool completed) {
  if (Monitor *monitor = cta.grid->monitor)
    monitor->unitBarrier(
        token, {kind, Order::Release, Scope::Cluster, ctaOfShared(cta, address),
                address & SharedOffsetMask, 0, value, completed});
}

void fp8::emulator::completeTx(Cta &cta, const IssueSite &site,
                               uint32_t address, uint32_t bytes,
                               uint64_t token) {
  uint64_t *word = barrierWord(cta, address);
  if (!word) {
    asyncFault(cta, site, "out-of-bounds", "shared", address,
               "the mbarrier of a copy lies outside shared memory");
    return;
  }
  MBarrierResult result = mbarrierCompleteTx(*word, bytes);
  if (result.fault != MBarrierFault::None) {
    bool dead = result.fault == MBarrierFault::NotInitialized;
    asyncFault(cta, site,
               dead ? "mbarrier-uninitialised" : "mbarrier-tx-underflow",
               "shared", address,
               std::string("complete_tx of ") + std::to_string(bytes) +
                   " bytes: " + describe(result.fault));
    return;
  }
  notify(cta, token, MBarrierEvent::CompleteTx, address, bytes,
         result.completedPhase);
  if (result.completedPhase)
    wakeCta(*ctaOfShared(cta, address));
}

void fp8::emulator::arriveOn(Cta &cta, const IssueSite &site, uint32_t address,
                             uint64_t token) {
  uint64_t *word = barrierWord(cta, address);
  if (!word) {
    asyncFault(cta, site, "out-of-bounds", "shared", address,
               "the mbarrier of an arrival lies outside shared memory");
    return;
  }
  MBarrierResult result = mbarrierArrive(*word, MBarrierArrival());
  if (result.fault != MBarrierFault::None) {
    bool dead = result.fault == MBarrierFault::NotInitialized;
    asyncFault(cta, site,
               dead ? "mbarrier-uninitialised" : "mbarrier-too-many-arrivals",
               "shared", address,
               std::string("arrival: ") + describe(result.fault));
    return;
  }
  notify(cta, token, MBarrierEvent::Arrive, address, 1, result.completedPhase);
  if (result.completedPhase)
    wakeCta(*ctaOfShared(cta, address));
}
