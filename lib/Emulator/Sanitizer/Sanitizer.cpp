//===- Sanitizer.cpp - threads, fences and barriers -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each thread knows, and the operations that let threads know more. A
// release publishes the accesses of exactly the lanes that execute it.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

using namespace fp8::emulator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Grids and blocks
//===----------------------------------------------------------------------===//

void Sanitizer::gridStart(Grid &grid) {
  // A chain of dependent grids ends where its warps have no more names.
  uint64_t more =
      grid.gridDim.count() * llvm::divideCeil(grid.blockDim.count(), 32);
  size_t code = 0;
  for (const auto &function : grid.program->functions)
    code += codeBase.count(function.get()) ? 0 : function->ops.size();
  bool chained = grid.programmatic && !grids.empty() &&
                 warps.size() + more <= Touch::maxWarps &&
                 ops.size() + code <= Touch::maxOps;
  if (!chained) {
    global.clear();
    warps.clear();
    grids.clear();
    records.clear();
    commits.clear();
    lateReleases.clear();
    ops.clear();
    codeBase.clear();
    maps.clear();
  }
  locations.clear();
  ctas.clear();
  clusters.clear();
  reported.clear();
  grids.push_back(
      {grid.program, uint32_t(warps.size()), chained, false, false});
  for (const auto &code : grid.program->functions) {
    if (!codeBase.try_emplace(code.get(), ops.size()).second)
      continue;
    for (size_t i = 0; i < code->ops.size(); ++i) {
      StringRef text = code->info[i].text;
      OpRecord record;
      record.code = code.get();
      record.index = i;
      record.collective =
          text.starts_with("ldmatrix") || text.starts_with("stmatrix");
      record.init = text.starts_with("mbarrier.init");
      ops.push_back(record);
    }
  }
}

void Sanitizer::gridEnd(Grid &grid) {
  reportMissedPhases(grid);
  // A grid that never lets its dependents start early is ordered before them.
  if (!grids.back().triggered)
    grids.clear();
}

void Sanitizer::ctaStart(Cta &cta) {
  auto owned = std::make_unique<CtaState>();
  CtaState &state = *owned;
  state.cta = &cta;
  state.index = ctas.size();
  state.meetings = std::make_unique<std::array<MeetingPoint, NumBarriers>>();
  auto &cluster = clusters[cta.cluster];
  if (!cluster)
    cluster = std::make_unique<ClusterState>();
  state.cluster = cluster.get();
  cluster->ctas.push_back(&state);
  cta.observer = &state;
  auto started = std::make_shared<Clock>();
  started->raise(actorKey(ActorKind::Block, state.index), 1);
  for (auto &warp : cta.warps) {
    auto one = std::make_unique<WarpState>();
    one->warp = warp.get();
    one->cta = &state;
    one->id = warps.size();
    one->missing = ~warp->alive;
    LaneGroup all;
    all.mask = warp->alive;
    all.known.inits = started;
    one->groups.push_back(std::move(all));
    warp->observer = one.get();
    startUndefined(*one, *warp->root, warp->alive);
    warps.push_back(
        {state.index, cta.id, cta.grid->blockDim, warp->index, one.get()});
    state.warps.push_back(std::move(one));
  }
  ctas.push_back(std::move(owned));
}

void Sanitizer::exit(Warp &warp, const Op &op, uint32_t mask) {
  WarpState &state = stateOf(warp);
  CtaState &cta = *state.cta;
  Knowledge given = release(state, mask);
  cta.exits.acquire(given);
  // Barriers count the lanes as arrived: in the phases that are open now.
  auto join = [&](MeetingPoint &meeting, uint32_t generation) {
    MeetingPoint::Phase &phase = meeting.at(generation);
    if (phase.generation == generation)
      phase.known.acquire(given);
  };
  for (unsigned id = 0; id < NumBarriers; ++id)
    join((*cta.meetings)[id], warp.cta->barriers[id].generation);
  join(cta.cluster->meeting, warp.cta->cluster->generation);
  cta.lastExit = touch(state, op, firstLane(mask));
  state.bump = true;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

uint32_t Sanitizer::opOf(WarpState &state, const Op &op) {
  const Code *code = state.warp->frame->code;
  if (state.code != code) {
    state.code = code;
    state.codeBase = codeBase.lookup(code);
  }
  return state.codeBase + (&op - code->ops.data());
}

uint32_t Sanitizer::epochOf(WarpState &state) {
  if (state.bump && state.epoch + 1 < (1u << Touch::epochBits))
    ++state.epoch;
  state.bump = false;
  return state.epoch;
}

/// Raises the lanes of `lanes` to their own epochs.
static void raiseOwn(Clock &clock, ActorKey key, uint32_t lanes,
                     uint32_t missing, const LaneEpochs &epochs) {
  uint32_t least = ~0u, most = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t epoch = epochs[firstLane(left)];
    least = std::min(least, epoch);
    most = std::max(most, epoch);
  }
  if (!most)
    return;
  if (least == most)
    clock.raise(key, lanes | ((lanes | missing) == ~0u ? missing : 0), most);
  else
    clock.raise(key, lanes, epochs);
}

void Sanitizer::release(WarpState &state, const LaneGroup &group,
                        uint32_t lanes, Knowledge &out) {
  Knowledge own = group.known;
  ActorKey self = actorKey(ActorKind::Warp, state.id);
  ActorKey copies = actorKey(ActorKind::CpAsync, state.id);
  auto base = copyOf(own.base);
  bool whole = (lanes | state.missing) == ~0u;
  base->raise(self, whole ? ~0u : lanes, state.epoch);
  if (state.anyCopies)
    raiseOwn(*base, copies, lanes, state.missing, state.copies);
  if (state.anyBulk) {
    raiseOwn(*base, actorKey(ActorKind::BulkRead, state.id), lanes,
             state.missing, state.bulkRead);
    raiseOwn(*base, actorKey(ActorKind::BulkWrite, state.id), lanes,
             state.missing, state.bulkWrite);
  }
  own.base = base;
  if (state.anyFence) {
    auto add = [&](ClockRef &clock, unsigned space) {
      auto more = copyOf(clock);
      raiseOwn(*more, self, lanes, state.missing, state.fence[space]);
      if (state.anyCopies)
        raiseOwn(*more, copies, lanes, state.missing,
                 state.copiesFenced[space]);
      clock = more;
    };
    for (unsigned s = 0; s < Knowledge::NumProxied; ++s)
      add(own.proxied[s], s);
    add(own.proxiedOwn, Knowledge::SharedCta);
  }
  if (state.anyInit) {
    auto inits = copyOf(own.inits);
    raiseOwn(*inits, self, lanes, state.missing, state.initFence);
    own.inits = inits;
  }
  out.acquire(own);
}

Knowledge Sanitizer::release(WarpState &state, uint32_t mask) {
  Knowledge out;
  for (const LaneGroup &group : state.groups)
    if (uint32_t lanes = group.mask & mask)
      release(state, group, lanes, out);
  state.bump = true;
  return out;
}

void Sanitizer::acquire(WarpState &state, uint32_t mask,
                        const Knowledge &from) {
  update(state, mask, [&](LaneGroup &group) { group.known.acquire(from); });
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void Sanitizer::proxyFence(WarpState &state, uint32_t mask, unsigned spaces) {
  uint32_t epoch = epochOf(state);
  for (unsigned s = 0; s < Knowledge::NumProxied; ++s) {
    if (!(spaces >> s & 1))
      continue;
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned lane = firstLane(left);
      state.fence[s][lane] = epoch;
      state.copiesFenced[s][lane] = state.copies[lane];
    }
  }
  state.anyFence = true;
  update(state, mask, [&](LaneGroup &group) {
    for (unsigned s = 0; s < Knowledge::NumProxied; ++s)
      if (spaces >> s & 1)
        join(group.known.proxied[s], group.known.base);
  });
  state.bump = true;
}

void Sanitizer::memoryFence(WarpState &state, uint32_t mask, Scope scope) {
  uint32_t epoch = epochOf(state);
  for (uint32_t left = mask; left; left &= left - 1) {
    for (unsigned i = 0; i < Reaches.size() && scope >= Reaches[i]; ++i)
      state.releaseFence[i][firstLane(left)] = epoch;
  }
  update(state, mask, [&](LaneGroup &group) {
    std::shared_ptr<Seen> left;
    for (unsigned i = 0; group.seen && i < Reaches.size(); ++i) {
      const Knowledge &known = group.seen->known[i];
      if (scope >= Reaches[i]) {
        group.known.acquire(known);
        continue;
      }
      // A wider fence may come.
      if (!left)
        left = std::make_shared<Seen>();
      left->known[i] = known;
      join(group.known.narrow, known.base);
    }
    group.seen = left;
    for (unsigned i = 0; i < Reaches.size() && scope >= Reaches[i]; ++i)
      join(group.known.fenced[i], group.known.base);
  });
  state.bump = true;
}

void Sanitizer::mapFence(WarpState &state, const Op &op,
                         const FenceEvent &event, bool acquires) {
  uint32_t epoch = epochOf(state);
  for (uint32_t left = event.mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    if (!acquires || !event.addresses) {
      state.mapRelease[lane] = epoch;
      continue;
    }
    // The acquire also takes part in synchronisation like any fence.
    MapState &map = maps[event.addresses[lane]];
    map.acquires.push_back(
        {state.id, epoch, lane, state.groupOf(lane).known.base});
  }
  state.bump = true;
}

/// griddepcontrol.wait: the grid before, and what its end implies.
void Sanitizer::gridWait(WarpState &state, uint32_t mask) {
  Knowledge ended;
  auto clock = std::make_shared<Clock>();
  size_t at = grids.size() - 1;
  grids[at].waited = true;
  bool covers = grids[at].programmatic;
  while (covers && at > 0) {
    --at;
    clock->raise(actorKey(ActorKind::Grid, at), 1);
    covers = grids[at].programmatic && grids[at].waited;
  }
  ended.base = clock;
  acquire(state, mask, ended);
}

static Scope scopeIn(StringRef text) {
  if (text.ends_with(".cta"))
    return Scope::Cta;
  if (text.ends_with(".cluster"))
    return Scope::Cluster;
  return text.ends_with(".sys") ? Scope::Sys : Scope::Gpu;
}

void Sanitizer::fence(Warp &warp, const Op &op, const FenceEvent &event) {
  WarpState &state = stateOf(warp);
  StringRef text = event.kind;
  uint32_t mask = event.mask;
  constexpr unsigned cta = 1u << Knowledge::SharedCta,
                     cluster = 1u << Knowledge::SharedCluster,
                     device = 1u << Knowledge::Global;
  if (text.consume_front("fence.proxy.")) {
    if (text == "async")
      proxyFence(state, mask, cta | cluster | device);
    else if (text == "async.global")
      proxyFence(state, mask, device);
    else if (text == "async.shared::cta")
      proxyFence(state, mask, cta);
    else if (text == "async.shared::cluster" ||
             text.starts_with("async::generic"))
      proxyFence(state, mask, cta | cluster);
    else if (text.starts_with("tensormap::generic")) {
      mapFence(state, op, event, event.addresses);
      memoryFence(state, mask, scopeIn(text));
    }
    return;
  }
  if (text.starts_with("fence.mbarrier_init")) {
    for (uint32_t left = mask; left; left &= left - 1)
      state.initFence[firstLane(left)] = epochOf(state);
    state.anyInit = true;
    state.bump = true;
    return;
  }
  if (text.starts_with("fence") || text.starts_with("membar")) {
    memoryFence(state, mask, scopeIn(text));
    return;
  }
  if (text.starts_with("tensormap.cp_fenceproxy")) {
    mapFence(state, op, event, false);
    return;
  }
  if (text.starts_with("wgmma.fence")) {
    ++state.wgmmaFences;
    return;
  }
  if (text == "griddepcontrol.wait")
    gridWait(state, mask);
  else if (text == "griddepcontrol.launch_dependents")
    grids.back().triggered = true;
  else if (text.starts_with("setmaxnreg"))
    setMaxRegisters(state, op, text.str(), mask);
  else if (text.starts_with("tcgen05.wait"))
    tensorWait(state, mask, text.contains("::ld"));
  else if (text.starts_with("tcgen05.fence::before"))
    update(state, mask, [](LaneGroup &group) {
      join(group.known.tensorReleased, group.known.tensor);
    });
  else if (text.starts_with("tcgen05.fence::after"))
    update(state, mask, [](LaneGroup &group) {
      join(group.known.tensorFenced, group.known.tensorReleased);
    });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Sanitizer::warpSync(Warp &warp, const Op &op, uint32_t mask) {
  WarpState &state = stateOf(warp);
  if (!(mask & (mask - 1)))
    return;
  Knowledge all = release(state, mask);
  acquire(state, mask, all);
}

void Sanitizer::barrierArrive(Warp &warp, const Op &op, unsigned id,
                              uint32_t mask) {
  WarpState &state = stateOf(warp);
  uint32_t generation = warp.cta->barriers[id].generation;
  MeetingPoint::Phase &phase = (*state.cta->meetings)[id].at(generation);
  if (phase.generation != generation)
    phase = {generation, state.cta->exits};
  phase.known.acquire(release(state, mask));
}

void Sanitizer::barrierPass(Warp &warp, const Op &op, unsigned id,
                            uint32_t mask) {
  WarpState &state = stateOf(warp);
  uint32_t generation = warp.barrierPhase[id][firstLane(mask)];
  MeetingPoint::Phase &phase = (*state.cta->meetings)[id].at(generation);
  acquire(state, mask, phase.known);
}

void Sanitizer::clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                              Order order) {
  WarpState &state = stateOf(warp);
  uint32_t generation = warp.cta->cluster->generation;
  ClusterState &cluster = *state.cta->cluster;
  MeetingPoint::Phase &strong = cluster.meeting.at(generation);
  if (strong.generation != generation) {
    strong = {generation, Knowledge()};
    for (CtaState *cta : cluster.ctas)
      strong.known.acquire(cta->exits);
  }
  MeetingPoint::Phase &relaxed = cluster.relaxed.at(generation);
  if (relaxed.generation != generation)
    relaxed = {generation, Knowledge()};
  MeetingPoint::Phase &phase = order == Order::Relaxed ? relaxed : strong;
  Knowledge given = release(state, mask);
  if (order == Order::Relaxed)
    phase.known.acquireRelaxed(given);
  else
    phase.known.acquire(given);
}

void Sanitizer::clusterPass(Warp &warp, const Op &op, uint32_t mask,
                            Order order) {
  WarpState &state = stateOf(warp);
  uint32_t generation = warp.clusterPhase[firstLane(mask)];
  ClusterState &cluster = *state.cta->cluster;
  for (MeetingPoint *meeting : {&cluster.meeting, &cluster.relaxed}) {
    MeetingPoint::Phase &phase = meeting->at(generation);
    if (phase.generation == generation)
      acquire(state, mask, phase.known);
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Sanitizer::accessLocal(WarpState &state, const Op &op,
                            const WarpAccess &access) {
  bool writes = access.kind != AccessKind::Read;
  for (uint32_t left = access.mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    if (uint64_t bytes = undefinedLocal(state, lane, access.addresses[lane],
                                        access.bytes, writes))
      loadUndefined(state, op, lane, bytes);
    if (writes && state.warp->tainted)
      storeUndefined(state, op, lane, access.addresses[lane]);
  }
}

void Sanitizer::access(Warp &warp, const Op &op, const WarpAccess &access) {
  if (access.space == ptx::Space::Local) {
    accessLocal(stateOf(warp), op, access);
    return;
  }
  bool shared = access.space == ptx::Space::Shared;
  if (!shared && (!warp.lastAllocation || warp.lastAllocation->readOnly))
    return;
  WarpState &state = stateOf(warp);
  uint32_t number = opOf(state, op);
  OpRecord &record = ops[number];
  record.strong = access.order != Order::Weak;
  record.atomic = access.kind == AccessKind::Atomic;
  record.scope = access.scope;
  record.elementBytes = access.elementBytes;
  uint32_t epoch = epochOf(state);
  Now now{&state, nullptr, 0, Touch()};
  now.writes = access.kind != AccessKind::Read;
  now.atomic = record.atomic;
  now.strong = record.strong;
  now.scope = access.scope;
  now.elementBytes = access.elementBytes;
  now.access = &access;
  for (uint32_t left = access.mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    uint64_t address = access.addresses[lane];
    LaneGroup *group = &state.groupOf(lane);
    if (group != now.group) {
      now.group = group;
      now.orderedEpoch = 0;
      now.orderedWrite = Touch();
    }
    now.lane = lane;
    now.self = Touch::generic(state.id, epoch, number, lane);
    if (!shared) {
      accessLane(now, global, address, access.bytes);
      if (uint64_t bytes = undefinedGlobal(*warp.lastAllocation, address,
                                           access.bytes, now.writes))
        loadUndefined(state, op, lane, bytes);
      continue;
    }
    Cta *holder = warp.cta->cluster->ctas[address >> SharedRankShift].get();
    now.holder = static_cast<CtaState *>(holder->observer);
    if (now.holder != state.cta)
      checkStarted(now, *now.holder, address);
    accessLane(now, now.holder->shared, address & SharedOffsetMask,
               access.bytes);
    if (now.undefined && !record.collective)
      loadUndefined(state, op, lane, now.undefined);
  }
  if (record.strong)
    for (uint32_t left = access.mask; left; left &= left - 1)
      synchronizeLane(state, access, firstLane(left));
}

std::unique_ptr<Monitor> fp8::emulator::makeSanitizer(Device &device) {
  return std::make_unique<Sanitizer>(device, device.options().check);
}
