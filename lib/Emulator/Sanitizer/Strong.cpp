//===- Strong.cpp - strong accesses, and what they let threads know -------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell keeps the last write. Strong writes need no edge between them, so what
// comes behind the last need not come behind the others: those stay with their
// location. Who reads a value strongly is ordered behind its write, though not
// behind what the writer did before (observation order), and behind the writes
// that atomics led from to it.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

using namespace fp8::emulator;

/// Of a location no more are kept; what is forgotten is not reported.
static constexpr size_t MostKept = 64;

void Sanitizer::publish(SyncLocation &location, SyncLocation::Release given) {
  // Who acquires it has to have a fence of its own to hand it on.
  given.known.fenced.fill(nullptr);
  for (SyncLocation::Release &release : location.releases)
    if (release.scope == given.scope &&
        (given.scope >= Scope::Gpu || release.cta == given.cta)) {
      release.known.acquire(given.known);
      return;
    }
  location.releases.push_back(std::move(given));
}

void Sanitizer::synchronize(WarpState &state, const WarpAccess &access,
                            unsigned lane, SyncLocation &location) {
  bool reads = access.kind != AccessKind::Write;
  bool writes = access.kind != AccessKind::Read;
  bool acquires = access.order == Order::Acquire ||
                  access.order == Order::AcqRel || access.order == Order::Sc;
  bool releases = access.order == Order::Release ||
                  access.order == Order::AcqRel || access.order == Order::Sc;
  auto includes = [&](Scope scope, uint32_t other) {
    if (scope >= Scope::Gpu || other == state.cta->index)
      return true;
    return scope == Scope::Cluster &&
           ctas[other]->cluster == state.cta->cluster;
  };
  if (reads && !location.releases.empty()) {
    Seen taken;
    for (const SyncLocation::Release &release : location.releases) {
      bool sameCluster = ctas[release.cta]->cluster == state.cta->cluster;
      Knowledge &known = taken.known[release.cta == state.cta->index ? 0
                                     : sameCluster                   ? 1
                                                                     : 2];
      if (includes(release.scope, release.cta) &&
          includes(access.scope, release.cta))
        known.acquire(release.known);
      else
        join(known.narrow, release.known.base);
    }
    update(state, 1u << lane, [&](LaneGroup &group) {
      auto seen = group.seen ? std::make_shared<Seen>(*group.seen)
                             : std::make_shared<Seen>();
      for (unsigned i = 0; i < taken.known.size(); ++i)
        if (acquires)
          group.known.acquire(taken.known[i]);
        else
          seen->known[i].acquire(taken.known[i]);
      if (!acquires)
        group.seen = seen;
    });
  }
  noteStrong(state, access, lane, location);
  if (!writes)
    return;
  if (access.kind == AccessKind::Write)
    location.releases.clear();
  uint32_t cta = state.cta->index;
  if (releases) {
    publish(location, {release(state, 1u << lane), access.scope, cta});
    return;
  }
  // Of two fences the wider one releases what was before it, the narrower one
  // more.
  const Knowledge known = state.groupOf(lane).known;
  for (unsigned i = Reaches.size(); i-- > 0;) {
    uint32_t epoch = state.releaseFence[i][lane];
    bool more = i + 1 == Reaches.size() ||
                epoch > state.releaseFence[i + 1][lane] ||
                known.fenced[i] != known.fenced[i + 1];
    if (!more || (!epoch && !known.fenced[i]))
      continue;
    Knowledge given = known;
    auto base = copyOf(known.fenced[i]);
    if (epoch)
      base->raise(actorKey(ActorKind::Warp, state.id), 1u << lane, epoch);
    given.base = base;
    // The widest reaches all threads that the store does.
    Scope scope = i + 1 == Reaches.size() ? access.scope
                                          : std::min(access.scope, Reaches[i]);
    publish(location, {std::move(given), scope, cta});
    state.bump = true;
  }
}

/// Each element of a vector synchronises by itself.
void Sanitizer::synchronizeLane(WarpState &state, const WarpAccess &access,
                                unsigned lane) {
  for (uint32_t at = 0; at < access.bytes; at += access.elementBytes) {
    uint64_t address = access.addresses[lane] + at;
    if (access.space != ptx::Space::Shared) {
      synchronize(state, access, lane, locations[address]);
      continue;
    }
    Cta *holder =
        state.warp->cta->cluster->ctas[address >> SharedRankShift].get();
    synchronize(state, access, lane,
                stateOf(*holder).locations[address & SharedOffsetMask]);
  }
}

//===----------------------------------------------------------------------===//
// Writes before the last
//===----------------------------------------------------------------------===//

/// Whether two accesses, of these blocks and scopes, are morally strong but for
/// their size.
bool Sanitizer::scopesMeet(const CtaState &a, Scope scopeA, uint32_t b,
                           Scope scopeB) const {
  auto includes = [&](Scope scope) {
    return scope >= Scope::Gpu || a.index == b ||
           (scope == Scope::Cluster && a.cluster == ctas[b]->cluster);
  };
  return includes(scopeA) && includes(scopeB);
}

void Sanitizer::noteStrong(WarpState &state, const WarpAccess &access,
                           unsigned lane, SyncLocation &location) {
  StrongWrite &last = location.last;
  bool follows = last.version && last.bytes == access.elementBytes &&
                 scopesMeet(*state.cta, access.scope, last.cta, last.scope);
  bool own = last.warp == state.id && last.lane == lane;
  if (access.kind != AccessKind::Write && follows && !own)
    addObserver(location,
                {state.id, lane, state.epoch, location.chain, last.version});
  if (access.kind == AccessKind::Read)
    return;
  uint32_t version = ++location.versions;
  if (access.kind == AccessKind::Write || !follows)
    location.chain = version;
  last = {version,      state.id,
          lane,         state.cta->index,
          access.scope, static_cast<uint8_t>(access.elementBytes)};
}

void Sanitizer::addObserver(SyncLocation &location, const Observer &seen) {
  auto &all = location.observers;
  // One that polls.
  for (const Observer &other : llvm::reverse(all))
    if (other.warp == seen.warp && other.lane == seen.lane) {
      if (other.last == seen.last)
        return;
      break;
    }
  if (all.size() == MostKept) {
    // Who knew of these writes by this one is not known any more.
    uint32_t last = all.front().last;
    llvm::erase_if(location.older, [&](const OlderWrite &write) {
      return write.version <= last;
    });
    all.erase(all.begin());
  }
  all.push_back(seen);
}

SyncLocation *Sanitizer::locationOf(const Now &now, Touch write) {
  unsigned bytes = write.isAsync() ? records[write.index()].elementBytes
                                   : ops[write.op()].elementBytes;
  auto &all = now.holder ? now.holder->locations : locations;
  auto found = all.find(now.where & ~uint64_t(bytes - 1));
  return found == all.end() ? nullptr : &found->second;
}

bool Sanitizer::isStrong(Touch write) const {
  return write.isAsync() ? records[write.index()].scope != Scope::None
                         : ops[write.op()].strong;
}

/// Whether the thread of now knows that a write happened, by base causality.
bool Sanitizer::isKnown(const Now &now, Touch write) const {
  const ClockRef &base = now.group->known.base;
  if (write.isAsync()) {
    const AsyncRecord &record = records[write.index()];
    return isComplete(*now.state, base, now.lane, record, write.lane(), true);
  }
  return write.warp() < grids.back().firstWarp ||
         (write.warp() == now.state->id && write.lane() == now.lane) ||
         at(base, actorKey(ActorKind::Warp, write.warp()), write.lane()) >=
             write.epoch();
}

/// Whether it knows of a version of the location by observation order.
bool Sanitizer::isObserved(const Now &now, const SyncLocation &location,
                           uint32_t version) const {
  const ClockRef &base = now.group->known.base;
  return llvm::any_of(location.observers, [&](const Observer &seen) {
    return seen.first <= version && version <= seen.last &&
           ((seen.warp == now.state->id && seen.lane == now.lane) ||
            at(base, actorKey(ActorKind::Warp, seen.warp), seen.lane) >=
                seen.epoch);
  });
}

/// A strong write in place of a strong one.
void Sanitizer::keepOlder(const Now &now, Touch write) {
  if (now.where % now.elementBytes || isTogether(now, write) ||
      isKnown(now, write))
    return;
  SyncLocation *location = locationOf(now, write);
  if (!location)
    return;
  // Behind the later write of a thread is behind the earlier one as well.
  auto &older = location->older;
  llvm::erase_if(older, [&](const OlderWrite &other) {
    return !other.touch.isAsync() && !write.isAsync() &&
           other.touch.warp() == write.warp() &&
           other.touch.lane() == write.lane();
  });
  if (older.size() == MostKept)
    older.erase(older.begin());
  older.push_back({write, write.isAsync() ? ~0u : location->last.version});
}

/// A weak access where the last write was strong.
void Sanitizer::visitOlder(Now &now, Touch write, uint64_t address,
                           unsigned size) {
  SyncLocation *location = locationOf(now, write);
  if (!location)
    return;
  for (const OlderWrite &other : location->older)
    if (!isKnown(now, other.touch) &&
        !isObserved(now, *location, other.version))
      conflict(now, other.touch, true, address, size);
  if (!now.writes)
    return;
  location->older.clear();
  location->observers.clear();
  location->last = StrongWrite();
}

/// What a strong read saw is behind its write, without an edge between threads.
bool Sanitizer::sawLast(const Now &now, Touch write) {
  if (now.strong || write.isAsync() || !ops[write.op()].strong)
    return false;
  const SyncLocation *location = locationOf(now, write);
  return location && location->last.warp == write.warp() &&
         location->last.lane == write.lane() &&
         isObserved(now, *location, location->last.version);
}

/// A strong write: what reads of the cell need not have happened before stay.
void Sanitizer::keepStrongReads(const Now &now, ShadowCell &cell) {
  auto stays = [&](Touch read, unsigned lane) {
    if (read.isAsync() || !ops[read.op()].strong)
      return false;
    read.bits = (read.bits & ~uint64_t(31)) | lane;
    return !isKnown(now, read);
  };
  if (!cell.read.isSet()) {
    if (cell.read && !stays(cell.read, cell.read.lane()))
      cell.read = Touch();
    return;
  }
  ReaderSet &set = pool[cell.read.setIndex()];
  llvm::erase_if(set, [&](Reader &reader) {
    for (uint32_t left = reader.lanes; left; left &= left - 1)
      if (!stays(reader.touch, firstLane(left)))
        reader.lanes &= ~(left & -left);
    return !reader.lanes;
  });
  if (set.empty())
    dropReads(cell);
}
