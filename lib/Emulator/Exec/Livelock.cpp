//===- Livelock.cpp - lanes that loop for ever ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A split of a warp is an automaton over its registers and memory. While memory
// stays as it is, a state that comes back comes back for ever. States are
// compared with one snapshot, which is renewed after twice the steps each time
// (Brent), so that loops of any length are found.
//
//===----------------------------------------------------------------------===//

#include "Livelock.h"

#include "../Decode/Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;

/// Others, or the lane's own way, depend on what it does.
static bool hasEffect(const Op &op, const OpInfo &info) {
  return (op.flags & BranchFlag) || info.writes.empty() ||
         (info.effects & (WritesMemory | CallsFunction));
}

//===----------------------------------------------------------------------===//
// Which registers matter
//===----------------------------------------------------------------------===//

void Probe::learn(const Code &code, uint32_t pc, bool skips) {
  if (&code != lastCode) {
    lastCode = &code;
    lastSeen = &seen[&code];
    lastSeen->ops.resize(code.ops.size());
    lastSeen->skipped.resize(code.ops.size());
  }
  Seen &known = *lastSeen;
  if (known.ops.test(pc) || (skips && known.skipped.test(pc)))
    return;
  (skips ? known.skipped : known.ops).set(pc);
  if (!skips) {
    uint8_t effects = code.info[pc].effects;
    unknown |= !(effects & KnownEffects);
    calls |= (effects & CallsFunction) != 0;
    stores |= (effects & (WritesMemory | CallsFunction)) != 0;
  }
  stale = true;
  snapshot.reset();
  // No snapshot as long as the loop shows new operations.
  renewal = steps + interval;
  lanes = 0;
  loops.clear();
}

/// Rows that reach a guard, an address or an effect of the operations seen.
void Probe::findRows(const Code &code, Seen &known) {
  known.rows.clear();
  known.rows.resize(code.rows.size());
  auto number = [&](uint32_t row) -> std::optional<size_t> {
    auto at = llvm::lower_bound(code.rows, row);
    if (row == NoRegister || (row & ConstantBit) || at == code.rows.end() ||
        *at != row)
      return std::nullopt;
    return at - code.rows.begin();
  };
  bool grew = true;
  auto mark = [&](uint32_t row) {
    std::optional<size_t> at = number(row);
    if (!at || known.rows.test(*at))
      return;
    known.rows.set(*at);
    grew = true;
  };
  auto matters = [&](uint32_t row) {
    std::optional<size_t> at = number(row);
    return at && known.rows.test(*at);
  };
  while (grew) {
    grew = false;
    for (unsigned pc : known.skipped.set_bits())
      if (hasEffect(code.ops[pc], code.info[pc]) ||
          llvm::any_of(code.info[pc].writes, matters))
        mark(code.ops[pc].guard);
    for (unsigned pc : known.ops.set_bits()) {
      const Op &op = code.ops[pc];
      const OpInfo &info = code.info[pc];
      llvm::for_each(info.addresses, mark);
      // Values pass through calls by ways that are not followed.
      if (calls)
        llvm::for_each(info.writes, mark);
      if (!hasEffect(op, info) && llvm::none_of(info.writes, matters))
        continue;
      mark(op.guard);
      mark(info.memberMask);
      llvm::for_each(info.reads, mark);
      // A clock that goes straight into such an operation is no register.
      unknown |= readsTimeRegister(op);
    }
  }
}

void Probe::findRows() {
  for (auto &[code, known] : seen)
    findRows(*code, known);
  stale = false;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Hands `visit` the state of the active lanes piece by piece, until it returns
/// false: the rows that matter, through all frames, and local memory where
/// something was stored. Whether it saw all of it.
bool Probe::visitState(
    const Warp &warp,
    llvm::function_ref<bool(const void *, size_t)> visit) const {
  for (const Frame *frame = warp.frame; frame; frame = frame->parent) {
    auto known = seen.find(frame->code);
    if (known == seen.end())
      continue;
    const std::vector<uint32_t> &rows = frame->code->rows;
    for (unsigned i : known->second.rows.set_bits()) {
      uint32_t end =
          i + 1 < rows.size() ? rows[i + 1] : frame->code->frameBytes;
      uint32_t size = end - rows[i];
      const uint8_t *data = frame->regs + rows[i];
      if (size < 128) {
        uint32_t bits = *reinterpret_cast<const uint32_t *>(data) & warp.active;
        if (!visit(&bits, sizeof(bits)))
          return false;
        continue;
      }
      // 128 bits are two rows of words.
      size_t word = size == 128 ? 4 : 8;
      for (size_t at = 0; at < size; at += 32 * word)
        for (uint32_t left = warp.active; left; left &= left - 1)
          if (!visit(data + at + firstLane(left) * word, word))
            return false;
    }
  }
  if (stores && warp.localStride)
    for (uint32_t left = warp.active; left; left &= left - 1)
      if (!visit(warp.local.data() + size_t(firstLane(left)) * warp.localStride,
                 warp.localStride))
        return false;
  return true;
}

/// Whether the warp is where the snapshot was taken, in the same state.
bool Probe::isBack(const Warp &warp, const Code &code, uint32_t pc) const {
  if (!snapshot || snapshot->at != pc || snapshot->code != &code ||
      snapshot->frame != warp.frame || snapshot->pc != warp.pc ||
      snapshot->active != warp.active)
    return false;
  // The state may have grown since: a call makes local memory larger.
  llvm::ArrayRef<uint8_t> was = snapshot->values;
  bool same = visitState(warp, [&](const void *now, size_t bytes) {
    if (bytes > was.size() || memcmp(was.data(), now, bytes) != 0)
      return false;
    was = was.drop_front(bytes);
    return true;
  });
  return same && was.empty();
}

void Probe::take(const Warp &warp, const Code &code, uint32_t pc) {
  snapshot = Snapshot{&code, pc, warp.pc, warp.active, warp.frame, {}};
  visitState(warp, [&](const void *now, size_t bytes) {
    const auto *data = static_cast<const uint8_t *>(now);
    snapshot->values.insert(snapshot->values.end(), data, data + bytes);
    return true;
  });
}

/// Notes the operation as the one that the loop waits at.
void Probe::read(Warp &warp, const Code &code, uint32_t pc, uint32_t mask) {
  const OpInfo &info = code.info[pc];
  bool reads = info.effects & (ReadsMemory | PollsBarrier);
  if (!reads && last.reads)
    return;
  last = EndlessLoop();
  last.code = &code;
  last.pc = pc;
  last.reads = reads;
  last.hasAddress = info.effects & ReadsMemory;
  last.space = lastSpace;
  last.address = lastAddress;
  const Wait *wait = waitOf(warp, mask);
  if (reads && !last.hasAddress && wait)
    last.reason = wait->reason;
  if (!last.hasAddress || info.writes.empty())
    return;
  auto row = llvm::lower_bound(code.rows, info.writes.front());
  uint32_t end = row + 1 < code.rows.end() ? row[1] : code.frameBytes;
  const uint8_t *data = warp.base[0] + *row;
  unsigned lane = firstLane(mask);
  if (end - *row == 128)
    last.value = reinterpret_cast<const uint32_t *>(data)[lane];
  else if (end - *row > 128)
    last.value = reinterpret_cast<const uint64_t *>(data)[lane];
}

void Probe::prove(Warp &warp) {
  last.lanes = warp.active;
  loops.push_back(last);
  lanes |= warp.active;
  last = EndlessLoop();
  snapshot.reset();
  renewal = steps;
}

/// Lanes of the snapshot met others, and may have their values from now on: the
/// state of the snapshot alone decides nothing.
bool Probe::meetsOthers(const Warp &warp, const Op &op) const {
  return snapshot && (op.flags & (AlignedFlag | CollectiveFlag)) &&
         (warp.active & snapshot->active) && (warp.active & ~snapshot->active);
}

bool Probe::executed(Warp &warp, const Code &code, uint32_t pc, uint32_t mask) {
  learn(code, pc, !mask);
  const Op &op = code.ops[pc];
  readsTime |= readsTimeRegister(op);
  if (unknown || !mask || !warp.active)
    return false;
  ++steps;
  if (warp.active & ~lanes)
    read(warp, code, pc, mask);
  if (isBack(warp, code, pc)) {
    prove(warp);
    return llvm::any_of(warp.others, [&](const Split &split) {
      bool runs = split.state == SplitState::Ready ||
                  split.state == SplitState::Polling;
      return runs && (split.mask & ~lanes);
    });
  }
  // The next one is taken here, where they are together.
  if (meetsOthers(warp, op)) {
    snapshot.reset();
    renewal = steps;
  }
  if (steps < renewal || !(warp.active & ~lanes))
    return false;
  if (snapshot)
    interval *= 2;
  renewal = steps + interval;
  if (stale)
    findRows();
  last = EndlessLoop();
  take(warp, code, pc);
  return false;
}

static Probe &probeOf(Warp &warp) {
  uint64_t episode = warp.cta->grid->episode;
  if (!warp.probe || warp.probe->episode != episode)
    warp.probe = std::make_unique<Probe>(episode);
  return *warp.probe;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Whether all lanes that can run are known to loop for ever.
static bool isEndless(const Warp &warp, uint64_t episode) {
  uint32_t running = warp.active;
  for (const Split &split : warp.others)
    if (split.state != SplitState::Blocked &&
        split.state != SplitState::Together)
      running |= split.mask;
  if (!running)
    return true;
  return warp.probe && warp.probe->episode == episode &&
         (running & ~warp.probe->proven()) == 0;
}

static bool isEndless(const Grid &grid) {
  return llvm::all_of(grid.resident, [&](const auto &cluster) {
    return cluster->pending.empty() && cluster->ordered.empty() &&
           llvm::all_of(cluster->ctas, [&](const auto &cta) {
             return llvm::all_of(cta->warps, [&](const auto &warp) {
               return !warp->alive || isEndless(*warp, grid.episode);
             });
           });
  });
}

static bool readsTime(const Grid &grid) {
  for (const auto &cluster : grid.resident)
    for (const auto &cta : cluster->ctas)
      for (const auto &warp : cta->warps)
        if (warp->probe && warp->probe->episode == grid.episode &&
            warp->probe->readsTime)
          return true;
  return false;
}

bool LivelockWatch::afterRound(Grid &grid, uint64_t turns) {
  if (grid.progress != progress) {
    progress = grid.progress;
    grid.quietSince = grid.clock;
    quiet = probed = 0;
    gap = firstGap;
    length = firstLength;
    grid.probing = false;
    return false;
  }
  quiet += turns;
  uint64_t warps = 0;
  for (const auto &cluster : grid.resident)
    warps += cluster->ready.size() + cluster->waiting.size();
  if (!grid.probing) {
    if (quiet < gap * (warps + 1))
      return false;
    grid.probing = true;
    ++grid.episode;
    probed = 0;
    return false;
  }
  if (isEndless(grid))
    return true;
  probed += turns;
  if (probed < length * (warps + 1))
    return false;
  // Who waits for a moment need not live through all the time until then.
  if (readsTime(grid))
    grid.clock += gap << 16;
  grid.probing = false;
  quiet = 0;
  gap *= 2;
  length *= 2;
  return false;
}

std::optional<Finding> fp8::emulator::describeLoop(Warp &warp,
                                                   const Split &split) {
  const Grid &grid = *warp.cta->grid;
  if (!warp.probe || warp.probe->episode != grid.episode)
    return std::nullopt;
  const EndlessLoop *loop =
      llvm::find_if(warp.probe->loops, [&](const EndlessLoop &found) {
        return found.lanes & split.mask;
      });
  if (loop == warp.probe->loops.end())
    return std::nullopt;
  enterFrame(warp, split.frame);
  Finding finding;
  finding.kind = "livelock";
  finding.memory = "none";
  const OpInfo &info = loop->code->info[loop->pc];
  finding.a = siteOf(warp, info, firstLane(split.mask));
  std::string since = " since warp instruction " +
                      std::to_string(grid.quietSince) + " of the grid";
  if (!loop->reads) {
    finding.message = "lanes loop for ever near " + info.text + since +
                      ": no register that the loop depends on changes";
    return finding;
  }
  finding.message = "lanes poll for ever at " + info.text;
  if (!loop->hasAddress) {
    finding.message += since + ": " + loop->reason;
    return finding;
  }
  bool shared = loop->space == ptx::Space::Shared;
  finding.memory = shared                              ? "shared"
                   : loop->space == ptx::Space::Global ? "global"
                                                       : "local";
  finding.address = loop->address;
  finding.message += std::string(": ") + finding.memory + " address 0x" +
                     llvm::utohexstr(loop->address) + " holds 0x" +
                     llvm::utohexstr(loop->value) + since +
                     ", and nothing that still runs changes it";
  return finding;
}

Warp::Warp() = default;
Warp::~Warp() = default;

bool fp8::emulator::probeOp(Warp &warp, const Code &code, uint32_t pc,
                            uint32_t mask) {
  return probeOf(warp).executed(warp, code, pc, mask);
}

void fp8::emulator::probeAccess(Warp &warp, ptx::Space space,
                                uint64_t address) {
  probeOf(warp).lastSpace = space;
  probeOf(warp).lastAddress = address;
}
