//===- Check.cpp - whether an access is ordered after earlier ones --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell keeps the last write and the reads since, of each thread the newest:
// what is ordered after that read is ordered after the thread's older ones.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "../Exec/Access.h"

using namespace fp8::emulator;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// What a clock knows of a lane, or of any lane of its warp where the warp acts
/// as one.
static uint32_t atAny(const ClockRef &clock, ActorKey key, unsigned lane,
                      bool anyLane) {
  if (!anyLane)
    return at(clock, key, lane);
  return clock ? clock->most(key) : 0;
}

bool Sanitizer::isComplete(const WarpState &state, const ClockRef &base,
                           unsigned lane, const AsyncRecord &record,
                           unsigned issuer, bool write) {
  bool own = state.id == record.warp && lane == issuer;
  switch (record.kind) {
  case AsyncKind::CpAsync:
    return (own && state.copies[lane] >= record.sequence) ||
           at(base, record.key, issuer) >= record.sequence;
  case AsyncKind::BulkLoad:
  case AsyncKind::Cancel:
    return record.phase &&
           at(base, actorKey(ActorKind::MBarrier, record.barrier), 0) >=
               record.phase;
  case AsyncKind::BulkStore: {
    const LaneEpochs &done = write ? state.bulkWrite : state.bulkRead;
    ActorKey key = actorKey(write ? ActorKind::BulkWrite : ActorKind::BulkRead,
                            record.warp);
    return (own && done[lane] >= record.sequence) ||
           at(base, key, issuer) >= record.sequence;
  }
  default:
    return at(base, record.key, issuer) >= record.sequence;
  }
}

/// An asynchronous access after a generic one that is ordered before it.
Verdict Sanitizer::proxyOrder(Now &now, ActorKey key, unsigned lane,
                              uint32_t epoch, bool collective, bool sameThread,
                              bool isCopy, uint32_t writerCta) {
  unsigned space = !now.holder                      ? Knowledge::Global
                   : writerCta == now.holder->index ? Knowledge::SharedCta
                                                    : Knowledge::SharedCluster;
  const WarpState &state = *now.state;
  if (sameThread) {
    const LaneEpochs &own =
        isCopy ? state.copiesFenced[space] : state.fence[space];
    return own[lane] >= epoch ? Verdict::Ordered : Verdict::NoFence;
  }
  const Knowledge &known = now.group->known;
  if (atAny(known.proxied[space], key, lane, collective) < epoch)
    return Verdict::NoFence;
  if (!now.holder || now.holder != state.cta || writerCta != state.cta->index)
    return Verdict::Ordered;
  return atAny(known.proxiedOwn, key, lane, collective) >= epoch
             ? Verdict::Ordered
             : Verdict::FenceElsewhere;
}

/// An access of an earlier grid of a programmatic chain.
Verdict Sanitizer::otherGrid(const Now &now, uint32_t warp) {
  size_t grid = &gridOf(warp) - grids.data();
  return at(now.group->known.base, actorKey(ActorKind::Grid, grid), 0)
             ? Verdict::Ordered
             : Verdict::OtherGrid;
}

/// Elements are aligned: those of one size overlap completely or not at all.
Verdict Sanitizer::strongOrder(const Now &now, uint32_t warp, Scope scope,
                               unsigned elementBytes) const {
  if (elementBytes != now.elementBytes)
    return Verdict::MixedSizes;
  return scopesMeet(*now.state->cta, now.scope, warps[warp].cta, scope)
             ? Verdict::Ordered
             : Verdict::Narrow;
}

/// Whether a write is of another lane by the very execution of now's
/// instruction. One that it made before, in a loop, did not write these bytes
/// for a lane in front.
bool Sanitizer::isTogether(const Now &now, Touch earlier) const {
  if (!now.access || earlier.isAsync() ||
      earlier.warpEpoch() != now.self.warpEpoch() ||
      earlier.op() != now.self.op() || earlier.lane() >= now.lane ||
      !(now.access->mask >> earlier.lane() & 1))
    return false;
  // All of them in one space: the rank of shared memory is part of both.
  uint64_t own = now.access->addresses[now.lane];
  uint64_t other = now.access->addresses[earlier.lane()];
  uint64_t where = own + (now.where - now.address);
  return where - other < now.access->bytes;
}

Verdict Sanitizer::orderGeneric(Now &now, Touch earlier, bool earlierWrites) {
  uint32_t warp = earlier.warp();
  const Knowledge &known = now.group->known;
  if (warp < grids.back().firstWarp)
    return otherGrid(now, warp);
  const OpRecord &op = ops[earlier.op()];
  WarpState &state = *now.state;
  bool same = state.id == warp && earlier.lane() == now.lane;
  bool sameWarp = state.id == warp;
  // One of them wins, the result is defined.
  if (isTogether(now, earlier))
    return Verdict::Ordered;
  ActorKey key = actorKey(ActorKind::Warp, warp);
  bool collective = op.collective || ops[opIdOf(now.self)].collective;
  bool ordered =
      same || (sameWarp && collective) ||
      atAny(known.base, key, earlier.lane(), op.collective) >= earlier.epoch();
  if (!ordered) {
    if (op.strong && now.strong)
      return strongOrder(now, warp, op.scope, op.elementBytes);
    if (at(known.narrowRemote, key, earlier.lane()) >= earlier.epoch())
      return Verdict::NarrowRemote;
    if (at(known.narrow, key, earlier.lane()) >= earlier.epoch())
      return Verdict::Narrow;
    return Verdict::Unordered;
  }
  if (!now.record || now.record->kind == AsyncKind::CpAsync ||
      now.record->isGeneric || now.isMap)
    return Verdict::Ordered;
  return proxyOrder(now, key, earlier.lane(), earlier.epoch(), op.collective,
                    same, false, warps[warp].cta);
}

Verdict Sanitizer::orderAsync(Now &now, Touch earlier, bool earlierWrites) {
  const AsyncRecord &record = records[earlier.index()];
  const Knowledge &known = now.group->known;
  if (record.warp < grids.back().firstWarp)
    return otherGrid(now, record.warp);
  // Reductions of one proxy are relaxed atomics of gpu scope.
  if (record.reduces && now.record && now.record->reduces && earlierWrites &&
      record.isGeneric == now.record->isGeneric)
    return Verdict::Ordered;
  auto complete = [&](const ClockRef &clock) {
    return isComplete(*now.state, clock, now.lane, record, earlier.lane(),
                      earlierWrites);
  };
  bool ordered = complete(known.base);
  // A store to global memory and a reduction of the generic proxy are strong:
  // who does not await them may still be strong, too.
  if (!ordered && record.scope != Scope::None && earlierWrites && now.strong)
    return strongOrder(now, record.warp, record.scope, record.elementBytes);
  if (!ordered)
    return complete(known.narrowRemote) ? Verdict::NarrowRemote
           : complete(known.narrow)     ? Verdict::Narrow
                                        : Verdict::NotComplete;
  bool generic = record.kind == AsyncKind::CpAsync;
  if (!generic || !now.record || now.record->kind == AsyncKind::CpAsync ||
      now.record->isGeneric)
    return Verdict::Ordered;
  bool same = now.state->id == record.warp && earlier.lane() == now.lane;
  return proxyOrder(now, record.key, earlier.lane(), record.sequence, false,
                    same, true, warps[record.warp].cta);
}

Verdict Sanitizer::order(Now &now, Touch earlier, bool earlierWrites) {
  return earlier.isAsync() ? orderAsync(now, earlier, earlierWrites)
                           : orderGeneric(now, earlier, earlierWrites);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Whether a later access that is ordered after the one of now is ordered
/// after `earlier` as well, for the reader sets.
bool Sanitizer::isOrdered(Now &now, Touch earlier) {
  if (earlier.isAsync() != now.self.isAsync())
    return false;
  if (earlier.isAsync()) {
    const AsyncRecord &a = records[earlier.index()];
    const AsyncRecord &b = records[now.self.index()];
    return a.key && a.key == b.key && earlier.lane() == now.self.lane();
  }
  return earlier.warp() == now.self.warp() && earlier.lane() == now.self.lane();
}

void Sanitizer::addToSet(Now &now, ReaderSet &set) {
  Reader *victim = nullptr;
  for (Reader &reader : set) {
    if (now.self.isAsync() || reader.touch.isAsync()) {
      if (isOrdered(now, reader.touch)) {
        reader.touch = now.self;
        return;
      }
      continue;
    }
    if (reader.touch.warpEpoch() == now.self.warpEpoch() &&
        reader.touch.op() == now.self.op()) {
      reader.lanes |= 1u << now.lane;
      return;
    }
    if (reader.touch.warp() == now.self.warp())
      reader.lanes &= ~(1u << now.lane);
    if (!reader.lanes)
      victim = &reader;
  }
  Reader fresh{now.self, 1u << now.lane};
  if (victim) {
    *victim = fresh;
    return;
  }
  // Of many blocks that read one address, some stand for all.
  if (!now.holder && set.size() >= 8) {
    set[now.self.bits % set.size()] = fresh;
    return;
  }
  set.push_back(fresh);
}

void Sanitizer::addRead(Now &now, ShadowCell &cell) {
  if (!cell.read || (!cell.read.isSet() && isOrdered(now, cell.read))) {
    cell.read = now.self;
    return;
  }
  if (!cell.read.isSet()) {
    uint32_t index = pool.take();
    pool[index].push_back({cell.read, 1u << cell.read.lane()});
    cell.read = Touch::set(index);
  }
  addToSet(now, pool[cell.read.setIndex()]);
}

void Sanitizer::dropReads(ShadowCell &cell) {
  if (cell.read.isSet())
    pool.give(cell.read.setIndex());
  cell.read = Touch();
}

void Sanitizer::visitCell(Now &now, ShadowCell &cell, uint64_t address,
                          unsigned size) {
  now.where = address;
  if (Touch write = cell.write; write && !(write == now.orderedWrite)) {
    bool known = !now.record && !write.isAsync() &&
                 write.warpEpoch() == now.orderedEpoch;
    if (!known || ops[write.op()].init) {
      Verdict verdict = order(now, write, true);
      bool barrier = !write.isAsync() && ops[write.op()].init &&
                     !ops[now.self.isAsync() ? 0 : now.self.op()].init;
      if (verdict == Verdict::Unordered && sawLast(now, write))
        verdict = Verdict::Ordered;
      if (verdict != Verdict::Ordered || barrier) {
        conflict(now, write, true, address, size);
      } else if (!isTogether(now, write) && !isStrong(write)) {
        now.orderedWrite = write;
        if (!now.record && !write.isAsync() &&
            write.warp() >= grids.back().firstWarp && now.group->known.base &&
            now.group->known.base->base(
                actorKey(ActorKind::Warp, write.warp())) >= write.epoch())
          now.orderedEpoch = write.warpEpoch();
      }
    }
    if (!now.strong && isStrong(write))
      visitOlder(now, write, address, size);
  }
  // Another lane of the instruction was there for all of them.
  if (now.writes && now.holder && LLVM_UNLIKELY(!now.holder->twins.empty()) &&
      !isTogether(now, cell.write))
    visitTwins(now, address, size);
  if (!now.writes) {
    if (!cell.write && now.holder && !now.record)
      now.undefined |= ((uint64_t(1) << size) - 1) << (address - now.address);
    else if (now.record)
      (cell.write ? now.written : now.unwritten) = true;
    addRead(now, cell);
    return;
  }
  if (cell.read.isSet()) {
    for (const Reader &reader : pool[cell.read.setIndex()])
      for (uint32_t left = reader.lanes; left; left &= left - 1) {
        Touch read = reader.touch;
        if (!read.isAsync())
          read.bits = (read.bits & ~uint64_t(31)) | firstLane(left);
        if (order(now, read, false) != Verdict::Ordered) {
          conflict(now, read, false, address, size);
          break;
        }
        if (read.isAsync())
          break;
      }
  } else if (cell.read && order(now, cell.read, false) != Verdict::Ordered) {
    conflict(now, cell.read, false, address, size);
  }
  if (now.strong)
    keepStrongReads(now, cell);
  else
    dropReads(cell);
  if (now.strong && cell.write && isStrong(cell.write))
    keepOlder(now, cell.write);
  cell.write = now.self;
}

/// Bits of the bytes [address, address + size) in their block of 16.
static uint16_t twinBytes(uint64_t address, unsigned size) {
  return ((1u << size) - 1) << (address % 16);
}

void Sanitizer::visitTwins(Now &now, uint64_t address, unsigned size) {
  auto found = now.holder->twins.find(address / 16);
  if (found == now.holder->twins.end())
    return;
  // What is ordered behind this write is so behind those before it. A conflict
  // may add one.
  uint16_t bytes = twinBytes(address, size);
  llvm::SmallVector<Touch, 2> unordered;
  llvm::erase_if(found->second, [&](Twin &twin) {
    if (!(twin.bytes & bytes))
      return false;
    if (order(now, twin.store, true) == Verdict::Ordered)
      twin.bytes &= ~bytes;
    else
      unordered.push_back(twin.store);
    return !twin.bytes;
  });
  if (found->second.empty())
    now.holder->twins.erase(found);
  for (Touch other : unordered)
    conflict(now, other, true, address, size);
}

void Sanitizer::accessLane(Now &now, ShadowMemory &memory, uint64_t address,
                           uint32_t bytes) {
  now.address = address;
  now.undefined = 0;
  memory.visit(address, bytes, pool,
               [&](ShadowCell &cell, uint64_t where, unsigned size) {
                 visitCell(now, cell, where, size);
               });
}

void Sanitizer::checkStarted(Now &now, CtaState &holder, uint64_t address) {
  if (at(now.group->known.inits, actorKey(ActorKind::Block, holder.index), 0))
    return;
  report("dsmem-before-start", CheckLevel::Error, "distributed shared", address,
         now.self, Touch(),
         "access to shared memory of a block that need not have started: "
         "expected a cluster barrier, or an edge from that block, before it");
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// Kind of a conflict with a copy or a matrix product that may still run.
Sanitizer::Kind Sanitizer::pendingKind(AsyncKind earlier, bool earlierWrites,
                                       bool nowWrites, bool isMap) {
  const char *edge = "a wait for its completion, and an edge from there";
  if (earlier == AsyncKind::BulkStore)
    edge = earlierWrites ? "cp.async.bulk.wait_group (without .read), and an "
                           "edge from there"
                         : "cp.async.bulk.wait_group.read, and an edge from "
                           "there";
  else if (earlier == AsyncKind::CpAsync)
    edge = "cp.async.wait_group of the issuing thread, and an edge from there";
  else if (earlier == AsyncKind::BulkLoad || earlier == AsyncKind::Cancel)
    edge = "a wait for the phase of the mbarrier that counts it";
  else if (earlier == AsyncKind::Wgmma)
    edge = "wgmma.wait_group, and an edge from there";
  else
    edge = "tcgen05.commit and a wait on its mbarrier";
  if (isMap)
    return {"descriptor-modified-in-use", CheckLevel::Error, edge};
  if (!earlierWrites)
    return {"overwrite-while-read", CheckLevel::Error, edge};
  if (nowWrites)
    return {"overwrite-before-copy-complete", CheckLevel::Error, edge};
  return {"read-before-copy-complete", CheckLevel::Error, edge};
}

/// Whether a generic read belongs to the phase before the one that a load
/// fills: the reader had waited for its barrier, and nothing orders the load
/// after that.
bool Sanitizer::isLateReader(const Now &now, const AsyncRecord &record) const {
  const WarpState &reader = *now.state;
  auto found = reader.observed.find(record.barrierId);
  if (now.record || !record.barrierCta || !record.issuePhase ||
      found == reader.observed.end() || !found->second[now.lane] ||
      record.warp == reader.id)
    return false;
  return at(record.known, actorKey(ActorKind::Warp, reader.id), now.lane) <
         found->second[now.lane];
}

/// A conflict with an operation that is not known complete.
Sanitizer::Kind Sanitizer::notComplete(const Now &now,
                                       const AsyncRecord &record,
                                       bool earlierWrites) const {
  bool load = record.kind == AsyncKind::BulkLoad && earlierWrites;
  if (load && !now.writes && isLateReader(now, record))
    return {"shared-race", CheckLevel::Error,
            "a barrier, or an arrival that the copy waits for, between them"};
  if (load && now.record && now.record->kind == AsyncKind::BulkLoad &&
      record.barrierCta && record.barrierCta == now.record->barrierCta &&
      record.barrierId == now.record->barrierId &&
      record.issuePhase < now.record->issuePhase)
    return {"mbarrier-phase-overrun", CheckLevel::Error,
            "a wait for the phase of the mbarrier before the next is begun"};
  bool edits = !now.record &&
               llvm::StringRef(infoOf(now.self).text).starts_with("tensormap");
  return pendingKind(record.kind, earlierWrites, now.writes, edits);
}

static const char *verb(bool writes, bool atomic) {
  return atomic ? "atomic operation" : writes ? "write" : "read";
}

/// An asynchronous access after a generic one without a proxy fence.
Sanitizer::Kind Sanitizer::fenceKind(const Now &now, Touch earlier,
                                     bool earlierWrites) const {
  bool crossCta = ctaOf(earlier) != now.state->cta->index;
  Kind kind{"missing-proxy-fence", CheckLevel::Error,
            "fence.proxy.async by the writers, then the edge"};
  if (!earlierWrites) {
    kind.missing = "fence.proxy.async by the readers, then the edge";
    if (now.record->kind != AsyncKind::Cancel)
      kind.level = CheckLevel::Strict;
    // Stores to global memory after generic reads: no rule asks for it.
    if (!now.holder)
      kind.name = nullptr;
    return kind;
  }
  if (!now.holder && crossCta)
    kind.level = CheckLevel::Strict;
  // Where the fence belongs across blocks of a cluster is an open question.
  if (now.holder && (crossCta || now.holder != now.state->cta))
    kind.name = nullptr;
  return kind;
}

Sanitizer::Kind Sanitizer::kindOf(const Now &now, Touch earlier,
                                  bool earlierWrites, Verdict verdict) const {
  const AsyncRecord *record =
      earlier.isAsync() ? &records[earlier.index()] : nullptr;
  const Kind mixed{
      "mixed-proxy-atomic", CheckLevel::Strict,
      "an edge: atomics of two proxies are not atomic to each other"};
  switch (verdict) {
  case Verdict::Ordered:
    break;
  case Verdict::Unordered:
    if (now.record && now.record->reduces && now.writes &&
        ops[opIdOf(earlier)].atomic)
      return mixed;
    return {now.holder ? "shared-race" : "global-race", CheckLevel::Error,
            "a barrier, or a release and an acquire, between them"};
  case Verdict::NotComplete:
    if (record->reduces && now.strong && now.atomic)
      return mixed;
    if (record->kind == AsyncKind::Release)
      return record->reduces && now.record && now.record->reduces
                 ? mixed
                 : Kind{
                       "global-race", CheckLevel::Error,
                       "an acquire that sees the earlier one, which may arrive "
                       "late, and an edge from there"};
    return notComplete(now, *record, earlierWrites);
  case Verdict::NoFence:
    return fenceKind(now, earlier, earlierWrites);
  case Verdict::FenceElsewhere:
    if (!earlierWrites)
      break;
    return {"proxy-fence-placement", CheckLevel::Strict,
            "fence.proxy.async in the writing thread, before the edge"};
  case Verdict::NarrowRemote:
    return {"scope-too-narrow", CheckLevel::Strict,
            ".cluster scope of the mbarrier operations between them"};
  case Verdict::Narrow:
    return {"scope-too-narrow", CheckLevel::Error,
            "a scope that holds both threads"};
  case Verdict::MixedSizes:
    return {now.holder ? "shared-race" : "global-race", CheckLevel::Error,
            "an edge between them, or one size: strong accesses that overlap "
            "in part are a race"};
  case Verdict::OtherGrid:
    return {"pdl-missing-wait", CheckLevel::Error,
            "griddepcontrol.wait, which covers the earlier grid, before it"};
  }
  return {nullptr, CheckLevel::None, nullptr};
}

/// The payload of a plain store, if an operation is one.
static const MemoryOp *plainStore(const OpRecord &record) {
  llvm::StringRef text = record.code->info[record.index].text;
  if (record.strong || record.atomic || !text.starts_with("st.") ||
      text.starts_with("st.async") || text.starts_with("st.bulk"))
    return nullptr;
  const auto &memory = record.code->ops[record.index].as<MemoryOp>();
  return memory.bytes <= 8 ? &memory : nullptr;
}

/// Whether a store finds in [address, address + size) of its block's shared
/// memory the values that it writes, left there by a store of elements of the
/// same size. This race is one of uniform size, for which PTX's axioms hold
/// (limitations on mixed-size data-races): every read gets that value.
bool Sanitizer::repeatsStore(const Now &now, Touch earlier, uint64_t address,
                             unsigned size) const {
  if (!now.access || !now.writes || now.record || earlier.isAsync() ||
      now.holder != now.state->cta || ctaOf(earlier) != now.holder->index)
    return false;
  const MemoryOp *before = plainStore(ops[earlier.op()]);
  const MemoryOp *memory = plainStore(ops[now.self.op()]);
  if (!before || !memory || before->bytes != memory->bytes)
    return false;
  const Warp &warp = *now.state->warp;
  const uint8_t *found = now.holder->cta->shared.data() + address;
  for (uint32_t left = now.access->mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    uint64_t start = now.access->addresses[lane] & SharedOffsetMask;
    for (uint64_t i = 0; i < size; ++i) {
      uint64_t offset = address + i - start;
      if (offset >= now.access->bytes)
        continue;
      uint32_t operand = memory->rows[offset / memory->bytes];
      uint64_t value = memory->bytes == 8 ? row<uint64_t>(warp, operand)[lane]
                                          : row<uint32_t>(warp, operand)[lane];
      if (found[i] != uint8_t(value >> 8 * (offset % memory->bytes)))
        return false;
    }
  }
  return true;
}

void Sanitizer::conflict(Now &now, Touch earlier, bool earlierWrites,
                         uint64_t address, unsigned size) {
  Verdict verdict = order(now, earlier, earlierWrites);
  bool generic = !earlier.isAsync();
  bool barrier = generic && ops[earlier.op()].init && earlierWrites;
  Kind kind = barrier ? Kind{"mbarrier-reinit-in-use", CheckLevel::Error,
                             "mbarrier.inval before the bytes are used "
                             "otherwise"}
                      : kindOf(now, earlier, earlierWrites, verdict);
  if (verdict == Verdict::Unordered && earlierWrites && !barrier &&
      repeatsStore(now, earlier, address, size)) {
    kind.level = CheckLevel::Strict;
    kind.missing = "a barrier between them, though both write the same value";
    // The cell forgets it, and the next writer need not come after both.
    llvm::SmallVector<Twin, 2> &twins = now.holder->twins[address / 16];
    Twin *twin = llvm::find_if(
        twins, [&](const Twin &twin) { return twin.store == earlier; });
    if (twin == twins.end())
      twin = &twins.emplace_back(Twin{earlier, 0});
    twin->bytes |= twinBytes(address, size);
  }
  if (!kind.name || !isNews(kind.name, kind.level, earlier, now.self))
    return;
  const char *memory =
      !now.holder ? "global"
      : now.holder != now.state->cta || ctaOf(earlier) != now.holder->index
          ? "distributed shared"
          : "shared";
  bool wasAtomic = generic && earlierWrites && ops[earlier.op()].atomic;
  report(kind.name, kind.level, memory, address, earlier, now.self,
         std::string(verb(now.writes, now.atomic)) + " of " + memory +
             " memory is not ordered after the " +
             (barrier ? "mbarrier.init" : verb(earlierWrites, wasAtomic)) +
             " before it: expected " + kind.missing);
}

void Sanitizer::checkMap(Now &now, uint64_t map) {
  Touch edit;
  global.visit(map, 128, pool, [&](ShadowCell &cell, uint64_t, unsigned) {
    if (cell.write && !cell.write.isAsync() &&
        cell.write.warp() >= grids.back().firstWarp)
      edit = cell.write;
  });
  auto found = maps.find(map);
  bool acquired = false, editSeen = false;
  if (found != maps.end())
    for (const MapState::Acquire &acquire : found->second.acquires) {
      bool before =
          (acquire.warp == now.state->id && acquire.lane == now.lane) ||
          at(now.group->known.base, actorKey(ActorKind::Warp, acquire.warp),
             acquire.lane) >= acquire.epoch;
      if (!before)
        continue;
      acquired = true;
      bool seen =
          edit &&
          ((acquire.warp == edit.warp() && acquire.lane == edit.lane() &&
            acquire.epoch >= edit.epoch()) ||
           at(acquire.base, actorKey(ActorKind::Warp, edit.warp()),
              edit.lane()) >= edit.epoch());
      editSeen |= seen;
    }
  if (!edit) {
    if (!acquired)
      report("missing-tensormap-fence", CheckLevel::Strict,
             "global (descriptor)", map, now.self, Touch(),
             "use of a tensor map in global memory: expected "
             "fence.proxy.tensormap::generic.acquire on it before");
    return;
  }
  const WarpState *editor = warps[edit.warp()].state;
  bool released = !editor || editor->mapRelease[edit.lane()] >= edit.epoch();
  if (editSeen && released)
    return;
  report("missing-tensormap-fence", CheckLevel::Error, "global (descriptor)",
         map, edit, now.self,
         std::string("use of a tensor map after its edit: expected "
                     "fence.proxy.tensormap::generic.") +
             (released ? "acquire on it before the use"
                       : "release behind the edit"));
}
