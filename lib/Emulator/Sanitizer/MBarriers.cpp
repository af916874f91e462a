//===- MBarriers.cpp - mbarrier objects and their phases ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phase collects what its arrivals release; whoever sees it complete acquires
// that, and with it the completion of the copies that it counted. Arrivals of
// other blocks are kept apart, for the rules on scope.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

using namespace fp8::emulator;

BarrierObject *Sanitizer::barrierAt(WarpState &state, const Op &op,
                                    unsigned lane, CtaState &holder,
                                    uint32_t offset) {
  auto found = holder.barriers.find(offset);
  if (found == holder.barriers.end())
    return nullptr;
  BarrierObject &object = found->second;
  const Knowledge &known = state.groupOf(lane).known;
  Touch init = object.init;
  ActorKey key = actorKey(ActorKind::Warp, init.warp());
  bool same = init.warp() == state.id && init.lane() == lane;
  if (!same && at(known.base, key, init.lane()) < init.epoch() &&
      at(known.inits, key, init.lane()) < init.epoch() &&
      at(known.narrowRemote, key, init.lane()) < init.epoch())
    report("mbarrier-uninitialised", CheckLevel::Error, "mbarrier", offset,
           init, touch(state, op, lane),
           "use of an mbarrier is not ordered after its initialisation: "
           "expected a barrier (in a cluster with fence.mbarrier_init) "
           "between them");
  return &object;
}

void Sanitizer::initBarrier(WarpState &state, const Op &op,
                            const MBarrierEvent &event) {
  unsigned lane = firstLane(event.mask);
  CtaState &holder = stateOf(*event.cta);
  Touch self = touch(state, op, lane);
  auto found = holder.barriers.find(event.offset);
  if (found != holder.barriers.end()) {
    Touch last = found->second.lastUse;
    report("mbarrier-reinit-in-use", CheckLevel::Error, "mbarrier",
           event.offset, last ? last : found->second.init, self,
           "initialisation of an mbarrier that is in use: expected "
           "mbarrier.inval, ordered after all uses, before it");
    holder.barriers.erase(found);
  }
  Now now{&state, &state.groupOf(lane), lane, self};
  now.writes = true;
  now.holder = &holder;
  accessLane(now, holder.shared, event.offset, 8);
  BarrierObject &object = holder.barriers[event.offset];
  object.id = nextBarrier++;
  object.init = self;
}

/// mbarrier.inval: nobody else may use the object now or later.
void Sanitizer::endBarrier(WarpState &state, const Op &op,
                           const MBarrierEvent &event, BarrierObject &object) {
  unsigned lane = firstLane(event.mask);
  CtaState &holder = stateOf(*event.cta);
  Touch self = touch(state, op, lane);
  LaneGroup &group = state.groupOf(lane);
  uint32_t known =
      at(group.known.base, actorKey(ActorKind::MBarrier, object.id), 0);
  if (object.inFlight || known < object.lastBytes) {
    Touch user = object.lastUse;
    for (size_t i = records.size(); i-- > 0;)
      if (records[i].barrierCta == &holder &&
          records[i].barrierOffset == event.offset) {
        user = Touch::async(i, 0);
        break;
      }
    report("mbarrier-invalidated-in-use", CheckLevel::Error, "mbarrier",
           event.offset, user ? user : object.init, self,
           "mbarrier.inval while a copy that counts on it may be on its way: "
           "expected a wait for its phase before");
  } else if (object.users) {
    auto mine = std::make_shared<Clock>();
    if (group.known.base)
      *mine = *group.known.base;
    mine->raise(actorKey(ActorKind::Warp, state.id), 1u << lane, state.epoch);
    if (!mine->covers(*object.users) && object.lastUse)
      report("mbarrier-invalidated-in-use", CheckLevel::Error, "mbarrier",
             event.offset, object.lastUse, self,
             "mbarrier.inval is not ordered after all uses of the mbarrier: "
             "expected a barrier between them");
  }
  // The object's own bytes are no data: take its mark away first.
  holder.shared.visit(event.offset, 8, pool,
                      [&](ShadowCell &cell, uint64_t, unsigned) {
                        dropReads(cell);
                        cell.write = self;
                      });
  holder.barriers.erase(event.offset);
}

void Sanitizer::addArrival(BarrierObject &object, const Knowledge &known,
                           Scope scope, bool remote) {
  if (!remote) {
    object.local.acquire(known);
    return;
  }
  if (scope != Scope::Cta) {
    object.remote.acquire(known);
    return;
  }
  object.remote.acquireRelaxed(known);
  join(object.remote.narrowRemote, known.base);
  join(object.remote.narrowRemote, known.narrowRemote);
}

void Sanitizer::completePhase(BarrierObject &object, Touch by) {
  ++object.phase;
  object.doneLocal.acquire(object.local);
  object.doneRemote.acquire(object.remote);
  object.local = object.remote = Knowledge();
  auto done = std::make_shared<Clock>();
  if (object.doneLocal.base)
    *done = *object.doneLocal.base;
  done->raise(actorKey(ActorKind::MBarrier, object.id), object.phase);
  object.doneLocal.base = done;
  object.observed = false;
  object.completed = by;
}

void Sanitizer::arrive(WarpState &state, const MBarrierEvent &event,
                       BarrierObject &object, Touch self) {
  bool remote = event.cta != state.warp->cta;
  if (event.order == Order::Relaxed) {
    Knowledge some;
    some.acquireRelaxed(release(state, event.mask));
    const Knowledge &known = state.groupOf(firstLane(event.mask)).known;
    join(some.base, known.fenced[remote]);
    addArrival(object, some, event.scope, remote);
  } else {
    addArrival(object, release(state, event.mask), event.scope, remote);
  }
  if (event.completedPhase)
    completePhase(object, self);
}

void Sanitizer::reportOverrun(CheckLevel at, uint32_t offset,
                              const BarrierObject &object) {
  report("mbarrier-phase-overrun", at, "mbarrier", offset, object.beforeOverrun,
         object.overrun,
         "arrival of a phase while nobody has seen the phase before it "
         "complete: expected a wait between them");
}

/// A grid that cannot end waits for a phase that went by: what was only
/// possible before is the reason now.
void Sanitizer::reportMissedPhases(const Grid &grid) {
  if (!grid.deadlocked)
    return;
  for (auto &cta : ctas)
    for (auto &state : cta->warps) {
      for (const Wait &wait : state->warp->awaited) {
        if (!wait.barrier)
          continue;
        auto object = cta->barriers.find(*wait.barrier & SharedOffsetMask);
        if (object == cta->barriers.end())
          continue;
        if (object->second.overrun)
          reportOverrun(CheckLevel::Error, object->first, object->second);
        else
          reportMissedPhase(*state, wait.lanes, object->first, object->second);
      }
    }
}

/// A wait by parity cannot tell a phase from the next but one: lanes of
/// `waiting` that have not seen the last two complete wait for one that went
/// by.
void Sanitizer::reportMissedPhase(WarpState &state, uint32_t waiting,
                                  uint32_t offset,
                                  const BarrierObject &object) {
  ActorKey phases = actorKey(ActorKind::MBarrier, object.id);
  for (const Split &split : state.warp->others) {
    if (!(split.mask & waiting))
      continue;
    unsigned lane = firstLane(split.mask & waiting);
    const LaneGroup &group = state.groupOf(lane);
    uint32_t seen = at(group.known.base, phases, 0);
    if (group.seen)
      for (const Knowledge &known : group.seen->known)
        seen = std::max(seen, at(known.base, phases, 0));
    if (seen + 2 > object.phase)
      continue;
    const Op &op = split.frame->code->ops[split.pc];
    report("mbarrier-phase-overrun", CheckLevel::Error, "mbarrier", offset,
           touch(state, op, lane), object.completed,
           "wait for a phase that went by, and the next as well: expected an "
           "arrival that awaits what each waiter has seen");
    return;
  }
}

void Sanitizer::observe(WarpState &state, const MBarrierEvent &event,
                        BarrierObject &object) {
  object.observed = true;
  ActorKey phases = actorKey(ActorKind::MBarrier, object.id);
  uint32_t epoch = epochOf(state);
  update(state, event.mask, [&](LaneGroup &group) {
    if (at(group.known.base, phases, 0) < object.phase) {
      LaneEpochs &learned = state.observed[object.id];
      for (uint32_t left = group.mask; left; left &= left - 1)
        learned[firstLane(left)] = epoch;
    }
    if (event.order == Order::Relaxed) {
      group.known.acquireRelaxed(object.doneLocal);
      group.known.acquireRelaxed(object.doneRemote);
      auto seen = group.seen ? std::make_shared<Seen>(*group.seen)
                             : std::make_shared<Seen>();
      seen->known[0].acquire(object.doneLocal);
      seen->known[1].acquire(object.doneRemote);
      group.seen = seen;
      return;
    }
    group.known.acquire(object.doneLocal);
    if (event.scope != Scope::Cta) {
      group.known.acquire(object.doneRemote);
      return;
    }
    group.known.acquireRelaxed(object.doneRemote);
    join(group.known.narrowRemote, object.doneRemote.base);
    join(group.known.narrowRemote, object.doneRemote.narrowRemote);
  });
}

void Sanitizer::mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) {
  WarpState &state = stateOf(warp);
  if (event.kind == MBarrierEvent::Init) {
    initBarrier(state, op, event);
    return;
  }
  if (event.kind == MBarrierEvent::TestFalse)
    return;
  unsigned lane = firstLane(event.mask);
  CtaState &holder = stateOf(*event.cta);
  if (&holder != state.cta) {
    Now now{&state, &state.groupOf(lane), lane, touch(state, op, lane)};
    now.holder = &holder;
    checkStarted(now, holder, event.offset);
  }
  BarrierObject *object = barrierAt(state, op, lane, holder, event.offset);
  if (!object)
    return;
  Touch self = touch(state, op, lane);
  switch (event.kind) {
  case MBarrierEvent::Invalidate:
    endBarrier(state, op, event, *object);
    return;
  case MBarrierEvent::TestTrue:
    observe(state, event, *object);
    break;
  case MBarrierEvent::Arrive:
  case MBarrierEvent::ArriveDrop:
    if (!object->observed && object->phase && !object->overrun) {
      object->beforeOverrun = object->lastUse ? object->lastUse : object->init;
      object->overrun = self;
      reportOverrun(CheckLevel::Strict, event.offset, *object);
    }
    object->observed = true;
    arrive(state, event, *object, self);
    break;
  default:
    if (event.completedPhase)
      completePhase(*object, self);
    break;
  }
  object->lastUse = self;
  auto users = std::make_shared<Clock>();
  if (object->users)
    *users = *object->users;
  users->raise(actorKey(ActorKind::Warp, state.id), event.mask, self.epoch());
  object->users = users;
}

/// One arrival too many while copies that the phase counts are on their way
/// belongs to the next phase.
bool Sanitizer::arrivalFault(Warp &warp, const Op &op, unsigned lane, Cta &cta,
                             uint32_t offset) {
  CtaState &holder = stateOf(cta);
  auto found = holder.barriers.find(offset);
  if (found == holder.barriers.end() || !found->second.inFlight)
    return false;
  for (size_t i = records.size(); i-- > 0;) {
    const AsyncRecord &record = records[i];
    if (record.done || record.barrierCta != &holder ||
        record.barrierId != found->second.id)
      continue;
    report("mbarrier-phase-overrun", CheckLevel::Error, "mbarrier", offset,
           Touch::async(i, 0), touch(stateOf(warp), op, lane),
           "arrival for the next phase while a copy that this one counts may "
           "be on its way: expected a wait for the phase between them");
    return true;
  }
  return false;
}

void Sanitizer::unitBarrier(uint64_t token, const MBarrierEvent &event) {
  if (!event.cta || !event.cta->observer)
    return;
  CtaState &holder = stateOf(*event.cta);
  auto found = holder.barriers.find(event.offset);
  if (found == holder.barriers.end())
    return;
  BarrierObject &object = found->second;
  Touch unit;
  if (token & 1) {
    object.local.acquire(commits[token >> 1]);
  } else if (token) {
    AsyncRecord &record = records[(token >> 1) - 1];
    unit = Touch::async((token >> 1) - 1, 0);
    if (record.barrierCta == &holder && record.barrierOffset == event.offset) {
      record.barrier = object.id;
      record.phase = object.phase + 1;
      object.lastBytes = record.phase;
      if (object.inFlight)
        --object.inFlight;
    }
  }
  if (event.completedPhase)
    completePhase(object, unit);
}
