//===- Async.cpp - asynchronous operations and their groups ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of a pipeline are numbered; a wait for a group makes known all up
// to the last of the group. A group of lanes that waits knows only its own.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

using namespace fp8::emulator;

static LaneCommits &commitsOf(std::unique_ptr<LaneCommits> &commits) {
  if (!commits)
    commits = std::make_unique<LaneCommits>();
  return *commits;
}

/// Gives the operation its place in its pipeline.
void Sanitizer::enqueue(WarpState &state, uint32_t mask, AsyncRecord &record) {
  unsigned lead = firstLane(mask);
  auto count = [&](uint32_t &issued, ActorKind kind) {
    record.sequence = ++issued;
    record.key = actorKey(kind, state.id);
  };
  switch (record.kind) {
  case AsyncKind::CpAsync:
    count(state.copiesIssued, ActorKind::CpAsync);
    state.anyCopies = true;
    for (uint32_t left = mask; left; left &= left - 1)
      commitsOf(state.copyCommits).issued[firstLane(left)] = record.sequence;
    break;
  case AsyncKind::BulkStore:
    count(state.bulkIssued, ActorKind::BulkRead);
    state.anyBulk = true;
    commitsOf(state.bulkCommits).issued[lead] = record.sequence;
    break;
  case AsyncKind::Wgmma:
    record.sequence = ++state.products;
    record.key = actorKey(ActorKind::Wgmma,
                          state.cta->warps[state.warp->index / 4 * 4]->id);
    break;
  case AsyncKind::TensorLoad:
    count(state.loadsIssued, ActorKind::TcgenLoad);
    break;
  case AsyncKind::TensorStore:
    count(state.storesIssued, ActorKind::TcgenStore);
    break;
  case AsyncKind::TensorMma:
  case AsyncKind::TensorCopy:
  case AsyncKind::TensorShift:
    count(state.tensorIssued, ActorKind::Tcgen);
    state.tensorLast[lead] = record.sequence;
    break;
  case AsyncKind::Release:
    // They arrive in any order, so each has a clock of its own.
    record.sequence = 1;
    record.key = actorKey(ActorKind::Release, nextRelease++);
    break;
  case AsyncKind::BulkLoad:
  case AsyncKind::Cancel:
    break;
  }
}

/// The barrier that will count the operation's bytes.
void Sanitizer::attach(WarpState &state, const Op &op, unsigned lane,
                       uint32_t barrier, AsyncRecord &record) {
  Cta *holder =
      state.warp->cta->cluster->ctas[barrier >> SharedRankShift].get();
  record.barrierCta = &stateOf(*holder);
  record.barrierOffset = barrier & SharedOffsetMask;
  if (record.barrierCta != state.cta) {
    Now now{&state, &state.groupOf(lane), lane, touch(state, op, lane)};
    checkStarted(now, *record.barrierCta, record.barrierOffset);
  }
  if (BarrierObject *object = barrierAt(state, op, lane, *record.barrierCta,
                                        record.barrierOffset)) {
    ++object->inFlight;
    record.barrierId = object->id;
    record.issuePhase = object->phase;
  }
}

/// The bytes that the operation touches, as if it did so now.
void Sanitizer::enterRange(WarpState &state, uint64_t index,
                           const AsyncRange &range, Contents &contents) {
  Now now{&state, &state.groupOf(range.lane), range.lane,
          Touch::async(index, range.lane)};
  now.record = &records[index];
  now.writes = range.kind != AccessKind::Read;
  now.scope = now.record->scope;
  now.strong = now.scope != Scope::None;
  now.elementBytes = now.record->elementBytes;
  // Its reductions are atomic to those of threads.
  now.atomic = now.strong && now.record->reduces;
  bool shared = range.space == ptx::Space::Shared ||
                (range.space == ptx::Space::None && range.address >> 40);
  if (!shared) {
    Allocation *found = device.memory().find(range.address);
    if (!found || found->readOnly)
      return;
    if (now.writes)
      undefinedGlobal(*found, range.address, range.bytes, true);
    accessLane(now, global, range.address, range.bytes);
    return;
  }
  auto address = static_cast<uint32_t>(range.address);
  Cta *holder =
      state.warp->cta->cluster->ctas[address >> SharedRankShift].get();
  now.holder = &stateOf(*holder);
  if (now.holder != state.cta)
    checkStarted(now, *now.holder, address);
  accessLane(now, now.holder->shared, address & SharedOffsetMask, range.bytes);
  contents.written |= now.written;
  contents.unwritten |= now.unwritten;
}

uint64_t Sanitizer::asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                               const AsyncIssue &issue) {
  WarpState &state = stateOf(warp);
  AsyncRecord record;
  record.kind = issue.kind;
  record.reduces = issue.reduces;
  record.isGeneric = issue.isGeneric;
  record.scope = issue.scope;
  record.elementBytes = issue.elementBytes;
  record.warp = state.id;
  record.epoch = epochOf(state);
  record.op = opOf(state, op);
  record.box = issue.box;
  unsigned lead = firstLane(mask);
  record.known = state.groupOf(lead).known.base;
  Touch issued = touch(state, op, lead);
  enqueue(state, mask, record);
  if (issue.kind == AsyncKind::Wgmma)
    checkProduct(state, op, mask, issue.accumulates);
  if (issue.barrier)
    attach(state, op, lead, *issue.barrier, record);
  if (issue.kind == AsyncKind::Cancel)
    for (uint64_t failed : state.cta->failures)
      if (isComplete(state, state.groupOf(lead).known.base, lead,
                     records[failed], 0, true))
        report("clc-after-failure", CheckLevel::Error, "shared",
               issue.ranges[0].address, issued, Touch(),
               "request for a cluster after one was seen to fail: expected "
               "none");
  uint64_t index = records.size();
  records.push_back(record);
  Contents contents;
  for (const AsyncRange &range : issue.ranges)
    enterRange(state, index, range, contents);
  if (issue.kind == AsyncKind::Release)
    lateReleases[index] = {
        issue.ranges[0].address,
        {release(state, mask), issue.scope, state.cta->index}};
  for (const SharedOperand &operand : issue.operands)
    checkOperand(state, index, operand);
  if (issue.kind == AsyncKind::Wgmma && (contents.unwritten || warp.tainted))
    wgmmaUndefined(state, op, index, issue, contents.unwritten);
  if (issue.map) {
    Now now{&state, &state.groupOf(lead), lead, Touch::async(index, lead)};
    now.record = &records[index];
    now.isMap = true;
    checkMap(now, issue.map);
    global.visit(
        issue.map, 128, pool,
        [&](ShadowCell &cell, uint64_t, unsigned) { addRead(now, cell); });
  }
  for (const TensorRange &range : issue.tensor)
    tensorAccess(state, index, lead, range);
  if (!issue.tensor.empty())
    tensorUndefined(state, op, issue, contents);
  return (index + 1) << 1;
}

uint64_t Sanitizer::asyncCommit(Warp &warp, const Op &op, unsigned lane,
                                bool tensor) {
  WarpState &state = stateOf(warp);
  Knowledge given;
  auto done = std::make_shared<Clock>();
  if (tensor) {
    done->raise(actorKey(ActorKind::Tcgen, state.id), 1u << lane,
                state.tensorLast[lane]);
    // A commit contains fence::before_thread_sync.
    given.tensor = given.tensorReleased = done;
    // The products started after what their thread had waited for: who sees
    // them done sees that done too, such as a copy that filled an operand for
    // a thread of the other block of a pair.
    for (const LaneGroup &group : state.groups)
      if (group.mask >> lane & 1)
        given.acquire(group.known);
  } else {
    LaneCommits &commits = commitsOf(state.copyCommits);
    done->raise(actorKey(ActorKind::CpAsync, state.id), 1u << lane,
                commits.issued[lane]);
    commits.ends[lane].push_back(commits.issued[lane]);
  }
  Knowledge own;
  own.base = done;
  given.acquire(own);
  commits.push_back(std::move(given));
  return (commits.size() - 1) << 1 | 1;
}

/// The store is there: who acquires its value knows that.
void Sanitizer::arriveRelease(uint64_t index) {
  const AsyncRecord &record = records[index];
  auto found = lateReleases.find(index);
  auto &[address, given] = found->second;
  auto base = std::make_shared<Clock>(*given.known.base);
  base->raise(record.key, record.sequence);
  given.known.base = base;
  SyncLocation &location = locations[address];
  if (!record.reduces)
    location.releases.clear();
  publish(location, std::move(given));
  uint32_t version = ++location.versions;
  if (!record.reduces)
    location.chain = version;
  location.last = {version,      record.warp,        32, warps[record.warp].cta,
                   record.scope, record.elementBytes};
  lateReleases.erase(found);
}

void Sanitizer::asyncComplete(uint64_t token, bool failed) {
  if (!token)
    return;
  uint64_t index = (token >> 1) - 1;
  AsyncRecord &record = records[index];
  record.done = true;
  if (failed)
    ctas[warps[record.warp].cta]->failures.push_back(index);
  if (record.kind == AsyncKind::Release)
    arriveRelease(index);
}

void Sanitizer::groupCommit(Warp &warp, const Op &op, uint32_t mask,
                            bool bulk) {
  WarpState &state = stateOf(warp);
  LaneCommits &commits =
      commitsOf(bulk ? state.bulkCommits : state.copyCommits);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    commits.ends[lane].push_back(commits.issued[lane]);
  }
}

void Sanitizer::groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                          uint32_t keep, bool readOnly) {
  WarpState &state = stateOf(warp);
  LaneCommits &commits =
      commitsOf(bulk ? state.bulkCommits : state.copyCommits);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    auto &ends = commits.ends[lane];
    if (ends.size() <= keep)
      continue;
    uint32_t last = ends[ends.size() - 1 - keep];
    auto raise = [&](LaneEpochs &epochs) {
      epochs[lane] = std::max(epochs[lane], last);
    };
    if (!bulk) {
      raise(state.copies);
      continue;
    }
    raise(state.bulkRead);
    if (!readOnly)
      raise(state.bulkWrite);
  }
}

//===----------------------------------------------------------------------===//
// The end of a block
//===----------------------------------------------------------------------===//

void Sanitizer::ctaEnd(Cta &cta) {
  CtaState &state = stateOf(cta);
  checkRegisterChanges(state);
  for (const TensorBlock &block : state.allocations)
    report("tmem-leak", CheckLevel::Error, "tensor", block.column, block.site,
           state.lastExit,
           std::to_string(block.columns) +
               " columns of tensor memory are still allocated when the block "
               "ends: expected tcgen05.dealloc");
  auto known = [&](ActorKey key, unsigned lane) {
    return std::max(at(state.exits.base, key, lane),
                    at(state.exits.narrowRemote, key, lane));
  };
  auto generic = [&](Touch touch, uint64_t address) {
    if (ctaOf(touch) == state.index ||
        known(actorKey(ActorKind::Warp, touch.warp()), touch.lane()) >=
            touch.epoch())
      return;
    report("dsmem-after-exit", CheckLevel::Error, "distributed shared", address,
           touch, state.lastExit,
           "the block may end before another one has accessed its shared "
           "memory: expected a cluster barrier behind the last access");
  };
  auto visit = [&](Touch touch, bool writes, uint64_t address) {
    if (!touch.isAsync()) {
      generic(touch, address);
      return;
    }
    const AsyncRecord &record = records[touch.index()];
    bool load =
        record.kind == AsyncKind::BulkLoad || record.kind == AsyncKind::Cancel;
    bool store = record.kind == AsyncKind::BulkStore;
    if (load &&
        (!record.phase || known(actorKey(ActorKind::MBarrier, record.barrier),
                                0) < record.phase))
      report("copy-pending-at-exit", CheckLevel::Error, "shared", address,
             touch, state.lastExit,
             "the block ends while a copy of its shared memory may be on its "
             "way: expected a wait for it");
    if (store && known(record.key, touch.lane()) < record.sequence)
      report("copy-pending-at-exit", CheckLevel::Strict, "shared", address,
             touch, state.lastExit,
             "the block ends while a bulk store may still read its shared "
             "memory: expected cp.async.bulk.wait_group.read 0");
  };
  state.shared.all([&](ShadowCell &cell, uint64_t address) {
    if (cell.write)
      visit(cell.write, true, address);
    if (!cell.read.isSet()) {
      if (cell.read)
        visit(cell.read, false, address);
      return;
    }
    for (const Reader &reader : pool[cell.read.setIndex()])
      if (reader.lanes)
        visit(reader.touch, false, address);
    dropReads(cell);
  });
  state.shared.clear();
  state.twins.clear();
  state.tensor.clear();
  for (auto &warp : state.warps)
    warps[warp->id].state = nullptr;
  state.warps.clear();
  state.meetings.reset();
}
