//===- Interpreter.cpp - run one warp -------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over decoded instructions, and the splits of a diverged warp. The
// current split lives in the warp itself (pc, active, frame); all others in
// `others`, and no two Ready ones have the same frame and pc.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace fp8::emulator;

const OpInfo &fp8::emulator::infoOf(const Warp &warp, const Op &op) {
  const Code &code = *warp.frame->code;
  return code.info[&op - code.ops.data()];
}

AccessSite fp8::emulator::siteOf(const Warp &warp, const Op &op,
                                 unsigned lane) {
  return siteOf(warp, infoOf(warp, op), lane);
}

AccessSite fp8::emulator::siteOf(const Warp &warp, const OpInfo &info,
                                 unsigned lane) {
  const Grid &grid = *warp.cta->grid;
  AccessSite site;
  site.ptxLine = info.line;
  site.file = grid.program->module->filePath(info.loc.file).str();
  site.line = info.loc.line;
  site.access = info.text;
  site.thread = {warp.cta->id.x,    warp.cta->id.y,    warp.cta->id.z,
                 warp.tid[0][lane], warp.tid[1][lane], warp.tid[2][lane]};
  return site;
}

Step fp8::emulator::fault(Warp &warp, const Op &op, uint32_t mask,
                          const char *kind, const char *memory,
                          uint64_t address, const std::string &message) {
  Finding finding;
  finding.kind = kind;
  finding.memory = memory;
  finding.a = siteOf(warp, op, firstLane(mask));
  finding.address = address;
  finding.message = message;
  stop(*warp.cta->cluster, std::move(finding));
  return Step::Fault;
}

void fp8::emulator::stop(Cluster &cluster, Finding finding) {
  if (cluster.stopped)
    return;
  stop(cluster, finding.a.ptxLine, finding.kind + ": " + finding.message);
  cluster.finding = std::move(finding);
}

void fp8::emulator::stop(Cluster &cluster, uint32_t line,
                         const std::string &why) {
  if (cluster.stopped)
    return;
  cluster.fault = cluster.grid->program->module->name + ":" +
                  std::to_string(line) + ": " + why;
  cluster.stopped = true;
}

void fp8::emulator::enterFrame(Warp &warp, Frame *frame) {
  warp.frame = frame;
  if (!frame)
    return;
  warp.base[0] = frame->regs;
  warp.base[1] = const_cast<uint8_t *>(frame->code->constants.data());
}

/// Merges into the current split all that wait for it, and sets where to stop
/// for the next one.
static void absorb(Warp &warp) {
  warp.nextStop = ~0u;
  for (size_t i = 0; i < warp.others.size();) {
    Split &split = warp.others[i];
    bool same = split.frame == warp.frame;
    if (split.state == SplitState::Ready && same && split.pc == warp.pc) {
      warp.active |= split.mask;
      warp.others.erase(warp.others.begin() + i);
      continue;
    }
    if (split.state == SplitState::Ready && same && split.pc > warp.pc)
      warp.nextStop = std::min(warp.nextStop, split.pc);
    ++i;
  }
}

/// Whether `a` goes before `b`: deeper calls first, then the smaller pc.
static bool precedes(const Split &a, const Split &b) {
  if (a.frame->depth != b.frame->depth)
    return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

bool fp8::emulator::selectSplit(Warp &warp) {
  for (SplitState state : {SplitState::Ready, SplitState::Polling}) {
    Split *best = nullptr;
    for (Split &split : warp.others)
      if (split.state == state && (!best || precedes(split, *best)))
        best = &split;
    if (!best)
      continue;
    // A round of polls is over: all of them may run again.
    if (state == SplitState::Polling)
      for (Split &split : warp.others)
        if (split.state == SplitState::Polling)
          split.state = SplitState::Ready;
    warp.pc = best->pc;
    warp.active = best->mask;
    enterFrame(warp, best->frame);
    warp.others.erase(best);
    absorb(warp);
    return true;
  }
  warp.active = 0;
  return false;
}

void fp8::emulator::parkSplit(Warp &warp, SplitState state) {
  if (warp.active)
    warp.others.push_back({warp.pc, warp.active, warp.frame, state});
  warp.active = 0;
}

void fp8::emulator::divert(Warp &warp, uint32_t taken, uint32_t target,
                           uint32_t other) {
  uint32_t rest = warp.active & ~taken;
  if (rest)
    warp.others.push_back({other, rest, warp.frame, SplitState::Ready});
  warp.active = taken;
  warp.pc = target;
  if (!warp.others.empty()) {
    parkSplit(warp, SplitState::Ready);
    selectSplit(warp);
  }
}

void fp8::emulator::wake(Warp &warp) {
  for (Split &split : warp.others)
    if (split.state == SplitState::Blocked)
      split.state = SplitState::Ready;
  if (warp.queued || !warp.alive)
    return;
  warp.queued = true;
  warp.cta->cluster->ready.push_back(&warp);
}

void fp8::emulator::wakeCta(Cta &cta) {
  ++cta.cluster->progress;
  for (auto &warp : cta.warps)
    wake(*warp);
}

void fp8::emulator::wakeCluster(Cluster &cluster) {
  for (auto &cta : cluster.ctas)
    wakeCta(*cta);
}

/// Lanes of `mask` that the guard lets execute.
static uint32_t guarded(const Warp &warp, const Op &op, uint32_t mask) {
  if (op.guard == NoRegister)
    return mask;
  uint32_t bits = predicate(warp, op.guard);
  return mask & (op.guardNegated ? ~bits : bits);
}

/// Active lanes for which all are here that must execute a collective `op`
/// with them: those of the warp, or of each lane's own member mask.
static uint32_t completeLanes(const Warp &warp, const Op &op) {
  if (op.flags & AlignedFlag)
    return (warp.active & warp.alive) == warp.alive ? warp.active : 0;
  const OpInfo &info = infoOf(warp, op);
  if (info.memberMask == NoRegister)
    return warp.active;
  const uint32_t *members = row<uint32_t>(warp, info.memberMask);
  uint32_t runs = guarded(warp, op, warp.active), complete = 0;
  for (uint32_t left = runs; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    complete |= uint32_t(!(members[lane] & warp.alive & ~runs)) << lane;
  }
  return complete | (warp.active & ~runs);
}

/// Gathers the lanes of a collective instruction. True when some can execute it
/// now, and others wait on; else the split was parked.
static bool gather(Warp &warp, const Op &op) {
  for (size_t i = 0; i < warp.others.size();) {
    Split &split = warp.others[i];
    bool joins = split.frame == warp.frame && split.pc == warp.pc &&
                 (split.state == SplitState::Together ||
                  split.state == SplitState::Ready);
    if (!joins) {
      ++i;
      continue;
    }
    warp.active |= split.mask;
    warp.others.erase(warp.others.begin() + i);
  }
  uint32_t complete = completeLanes(warp, op);
  uint32_t rest = warp.active & ~complete;
  warp.active = rest;
  parkSplit(warp, SplitState::Together);
  warp.active = complete;
  return complete != 0;
}

uint32_t fp8::emulator::lanesWithMembers(const Warp &warp,
                                         const uint32_t *members, uint32_t mask,
                                         uint32_t own) {
  uint32_t out = 0;
  for (uint32_t left = mask; left; left &= left - 1)
    if ((members[firstLane(left)] & warp.alive) == own)
      out |= left & -left;
  return out;
}

/// Executes a collective instruction for each member mask among its lanes: the
/// tiles of a warp have masks of their own.
static Step runCollective(Warp &warp, const Op &op, uint32_t mask) {
  const OpInfo &info = infoOf(warp, op);
  if (info.memberMask == NoRegister)
    return op.run(warp, op, mask);
  std::array<uint32_t, 32> members;
  memcpy(members.data(), row<uint32_t>(warp, info.memberMask), 128);
  Step step = Step::Next;
  for (uint32_t left = mask; left && step == Step::Next;) {
    uint32_t own = members[firstLane(left)] & warp.alive;
    uint32_t group = lanesWithMembers(warp, members.data(), left, own);
    step = op.run(warp, op, group);
    left &= ~group;
  }
  return step;
}

static Step execute(Warp &warp, const Op &op, uint32_t mask) {
  return LLVM_UNLIKELY(op.flags & CollectiveFlag)
             ? runCollective(warp, op, mask)
             : op.run(warp, op, mask);
}

static void reportLanes(const Warp &warp, const OpInfo &info, unsigned lane,
                        const char *kind, const llvm::Twine &message) {
  Device &device = *warp.cta->grid->device;
  if (device.options().check == CheckLevel::None)
    return;
  Finding finding;
  finding.kind = kind;
  finding.memory = "none";
  finding.a = siteOf(warp, info, lane);
  finding.message = message.str();
  device.findings().add(std::move(finding));
}

/// An .aligned instruction without lanes of its warp: `found` execute it.
static void reportDivergence(const Warp &warp, const OpInfo &info,
                             uint32_t found, uint32_t expected) {
  reportLanes(warp, info, firstLane(found), "aligned-divergent",
              "expected all lanes of the warp at an .aligned instruction, "
              "found " +
                  llvm::Twine(__builtin_popcount(found)) + " of " +
                  llvm::Twine(__builtin_popcount(expected)));
}

/// A lane that executes a collective instruction is a member of its own mask,
/// and those that its mask names execute it with the same mask (PTX ISA,
/// shfl.sync, elect.sync and their like: undefined otherwise).
void fp8::emulator::checkMembers(const Warp &warp, const Op &op,
                                 uint32_t mask) {
  const OpInfo &info = infoOf(warp, op);
  if (info.memberMask == NoRegister)
    return;
  const uint32_t *members = row<uint32_t>(warp, info.memberMask);
  // Nearly always all have one mask, of themselves.
  uint32_t first = mask ? members[firstLane(mask)] : 0, differ = mask & ~first;
  for (uint32_t left = mask; left; left &= left - 1)
    differ |= members[firstLane(left)] ^ first;
  if (!differ)
    return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    std::string text = "lane " + std::to_string(lane);
    if (!(members[lane] >> lane & 1)) {
      reportLanes(warp, info, lane, "member-mask",
                  text + " is not in its own member mask 0x" +
                      llvm::utohexstr(members[lane]) +
                      ": expected a mask of the lanes that execute this");
      return;
    }
    for (uint32_t rest = mask & members[lane]; rest; rest &= rest - 1) {
      unsigned other = firstLane(rest);
      if (!((members[other] ^ members[lane]) & warp.alive))
        continue;
      reportLanes(warp, info, lane, "member-mask",
                  text + " has the member mask 0x" +
                      llvm::utohexstr(members[lane]) + ", and lane " +
                      std::to_string(other) + ", which that names, 0x" +
                      llvm::utohexstr(members[other]) +
                      ": expected one mask in all lanes of it");
      return;
    }
  }
}

/// An .aligned instruction that not all lanes of the warp execute: some are
/// off by its guard, or have ended. Those count as arrived at a barrier; any
/// other instruction is undefined without them.
static void checkAligned(Warp &warp, const Op &op, uint32_t mask) {
  bool barrier = llvm::StringRef(infoOf(warp, op).text).starts_with("bar");
  if (mask && (mask != warp.active || !barrier))
    reportDivergence(warp, infoOf(warp, op), mask,
                     barrier ? warp.alive : warp.started);
}

/// Checks of an instruction that lanes execute together; `forced`: they were
/// reported already.
static void checkTogether(Warp &warp, const Op &op, uint32_t mask,
                          bool forced) {
  if ((op.flags & AlignedFlag) && !forced &&
      LLVM_UNLIKELY(mask != warp.started))
    checkAligned(warp, op, mask);
  if (op.flags & CollectiveFlag)
    checkMembers(warp, op, mask);
}

/// The guard of an .aligned instruction is false in the whole current split.
/// Whether that is wrong shows later: lanes that wait there may be in another
/// round of a loop.
static void noteSkip(Warp &warp) {
  std::array<uint32_t, 32> &skips = warp.skips[{warp.frame, warp.pc}];
  for (uint32_t left = warp.active; left; left &= left - 1)
    ++skips[firstLane(left)];
}

/// Lanes of `mask` end. Others that wait for them at an .aligned instruction
/// which they passed by with a false guard, one time more than those did, are
/// diverged: they will not come back.
static void reportSkipped(const Warp &warp, uint32_t mask) {
  for (const Split &split : warp.others) {
    auto found = warp.skips.find({split.frame, split.pc});
    if (split.state != SplitState::Together || found == warp.skips.end())
      continue;
    uint32_t most = 0;
    for (uint32_t left = mask; left; left &= left - 1)
      most = std::max(most, found->second[firstLane(left)]);
    if (most > found->second[firstLane(split.mask)])
      reportDivergence(warp, split.frame->code->info[split.pc], split.mask,
                       warp.alive);
  }
}

void fp8::emulator::exitLanes(Warp &warp, uint32_t mask) {
  if (LLVM_UNLIKELY(!warp.skips.empty()))
    reportSkipped(warp, mask);
  warp.alive &= ~mask;
  warp.active &= ~mask;
  Cta &cta = *warp.cta;
  cta.aliveThreads -= __builtin_popcount(mask);
  ++cta.cluster->progress;
  if (warp.alive || !warp.registers)
    return;
  cta.freeRegisters += warp.registers;
  warp.registers = 0;
  wakeCta(cta);
}

/// Nothing can run, but lanes wait for others at an .aligned instruction: the
/// warp is diverged there. Reports it and lets them go. False when no split
/// waits so.
bool fp8::emulator::releaseDiverged(Warp &warp) {
  for (Split &split : warp.others) {
    if (split.state != SplitState::Together)
      continue;
    const Op &op = split.frame->code->ops[split.pc];
    if (!(op.flags & AlignedFlag))
      continue;
    Split chosen = split;
    warp.released = true;
    warp.others.erase(&split);
    warp.pc = chosen.pc;
    warp.active = chosen.mask;
    enterFrame(warp, chosen.frame);
    reportDivergence(warp, infoOf(warp, op), chosen.mask, warp.alive);
    return true;
  }
  return false;
}

/// Whether the others can still come to a Together split by themselves.
static bool hasBlocked(const Warp &warp) {
  for (const Split &split : warp.others)
    if (split.state == SplitState::Blocked ||
        split.state == SplitState::Ordered)
      return true;
  return false;
}

static bool hasReady(const Warp &warp) {
  for (const Split &split : warp.others)
    if (split.state == SplitState::Ready)
      return true;
  return false;
}

/// The current split waits for its turn, together with others that wait there.
static void awaitTurn(Warp &warp) {
  if (!warp.waits)
    warp.cta->cluster->waiting.push_back(&warp);
  warp.waits = true;
  for (Split &split : warp.others)
    if (split.state == SplitState::Ordered && split.pc == warp.pc &&
        split.frame == warp.frame) {
      split.mask |= warp.active;
      warp.active = 0;
      return;
    }
  parkSplit(warp, SplitState::Ordered);
}

bool fp8::emulator::beginTurn(Warp &warp, uint64_t random) {
  auto isOrdered = [](const Split &split) {
    return split.state == SplitState::Ordered;
  };
  size_t count = llvm::count_if(warp.others, isOrdered);
  warp.waits = false;
  if (!count)
    return false;
  parkSplit(warp, SplitState::Ready);
  Split *chosen = llvm::find_if(warp.others, isOrdered);
  for (size_t skip = random % count; skip; --skip)
    chosen = std::find_if(chosen + 1, warp.others.end(), isOrdered);
  warp.pc = chosen->pc;
  warp.active = chosen->mask;
  enterFrame(warp, chosen->frame);
  warp.others.erase(chosen);
  absorb(warp);
  if (count > 1) {
    warp.cta->cluster->waiting.push_back(&warp);
    warp.waits = true;
  }
  warp.hasTurn = true;
  return true;
}

/// The current split waits or gives way; a warp that has nothing else to do
/// ends its turn.
static void giveWay(Warp &warp, Step step, uint64_t &budget) {
  if (step == Step::Jump)
    return;
  if (step == Step::Retry) {
    parkSplit(warp, SplitState::Blocked);
    return;
  }
  if (step == Step::Order) {
    awaitTurn(warp);
    return;
  }
  warp.pc += step == Step::Yield;
  parkSplit(warp, SplitState::Polling);
  if (!hasReady(warp))
    budget = 0;
}

static void countOp(const Code &code, uint32_t pc, uint32_t mask) {
  code.counts.resize(code.ops.size());
  code.counts[pc].first += __builtin_popcount(mask);
  ++code.counts[pc].second;
}

/// Notes an operation that a warp has done; attempts do not count. True when
/// the split should give way.
static bool noteOp(Warp &warp, const Code &code, uint32_t pc, uint32_t mask,
                   Step step) {
  if (step == Step::Retry || step == Step::Order)
    return false;
  const Grid &grid = *warp.cta->grid;
  if (mask && grid.device->collectStatistics)
    countOp(code, pc, mask);
  return grid.probing && step != Step::Fault && probeOp(warp, code, pc, mask);
}

template <bool Notes, bool Watch>
static bool runLoop(Warp &warp, uint64_t budget) {
  Grid &grid = *warp.cta->grid;
  uint64_t executed = 0;
  bool canGoOn = true;
  bool forced = warp.released;
  warp.released = false;
  if (!warp.active && !selectSplit(warp)) {
    canGoOn = !hasBlocked(warp) && releaseDiverged(warp);
    forced = canGoOn;
    warp.released = false;
  }
  warp.polls = 0;
  while (canGoOn) {
    if (LLVM_UNLIKELY(warp.pc >= warp.nextStop)) {
      parkSplit(warp, SplitState::Ready);
      selectSplit(warp);
    }
    const Op &op = warp.frame->code->ops[warp.pc];
    uint32_t mask = warp.active;
    if (op.guard != NoRegister) {
      uint32_t bits = predicate(warp, op.guard);
      mask &= op.guardNegated ? ~bits : bits;
      if (mask == 0) {
        if (Watch && LLVM_UNLIKELY(warp.tainted))
          grid.monitor->watched(warp, op, 0);
        if (Watch && LLVM_UNLIKELY(op.flags & AlignedFlag))
          noteSkip(warp);
        if (Notes && grid.probing)
          probeOp(warp, *warp.frame->code, warp.pc, 0);
        ++warp.pc;
        ++executed;
        continue;
      }
    }
    Step step;
    if (Watch && (op.flags & CollectiveFlag) && LLVM_UNLIKELY(warp.tainted))
      grid.monitor->memberMask(warp, op, mask);
    if (LLVM_UNLIKELY(op.flags & (AlignedFlag | CollectiveFlag)) && !forced &&
        !gather(warp, op)) {
      step = Step::Jump;
    } else {
      if (op.flags & (AlignedFlag | CollectiveFlag)) {
        mask = guarded(warp, op, warp.active);
        if (Watch)
          checkTogether(warp, op, mask, forced);
      }
      forced = false;
      const Code &code = *warp.frame->code;
      uint32_t pc = warp.pc;
      if (Watch && LLVM_UNLIKELY((op.flags & WatchFlag) || warp.tainted))
        grid.monitor->watched(warp, op, mask);
      step = execute(warp, op, mask);
      ++executed;
      if (Notes && noteOp(warp, code, pc, mask, step)) {
        // Others of the warp run first; a step that goes on does so later.
        warp.pc += step == Step::Next || step == Step::Yield;
        parkSplit(warp, SplitState::Polling);
        step = Step::Jump;
      }
    }
    if (LLVM_LIKELY(step == Step::Next)) {
      ++warp.pc;
      continue;
    }
    if (step == Step::Fault)
      return false;
    giveWay(warp, step, budget);
    if (executed >= budget)
      break;
    if (!warp.active && !selectSplit(warp)) {
      canGoOn = warp.alive && !hasBlocked(warp) && releaseDiverged(warp);
      forced = canGoOn;
      warp.released = false;
    }
  }
  warp.cta->cluster->clock += executed;
  if (Watch)
    grid.monitor->turn(warp, executed);
  return canGoOn;
}

bool fp8::emulator::runWarp(Warp &warp, uint64_t budget) {
  const Grid &grid = *warp.cta->grid;
  bool notes = grid.device->collectStatistics || grid.probing;
  if (grid.monitor)
    return notes ? runLoop<true, true>(warp, budget)
                 : runLoop<false, true>(warp, budget);
  return notes ? runLoop<true, false>(warp, budget)
               : runLoop<false, false>(warp, budget);
}
