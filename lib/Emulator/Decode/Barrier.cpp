//===- Barrier.cpp - barriers of warps, blocks and clusters ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane arrives once, remembers the phase, and passes when the phase has
// ended. Threads that ended count as arrived where PTX says so: at barriers
// over the whole block and at the cluster barrier.
//
//===----------------------------------------------------------------------===//

#include "MemoryFamily.h"

using namespace fp8::emulator;
using ptx::Type;

//===----------------------------------------------------------------------===//
// bar.warp.sync
//===----------------------------------------------------------------------===//

/// The member masks of a split that waits at bar.warp.sync.
static const uint32_t *membersOf(const Split &split) {
  const Code &code = *split.frame->code;
  uint32_t operand = code.ops[split.pc].a;
  const uint8_t *base =
      operand & ConstantBit ? code.constants.data() : split.frame->regs;
  return reinterpret_cast<const uint32_t *>(base + (operand & ~63u));
}

/// Lanes wait as Together splits until all that their member mask names are at
/// some bar.warp.sync with the same mask, not necessarily the same one. Lanes
/// of one instruction may have masks of their own, of which some are complete.
static Step runWarpSync(Warp &warp, const Op &op, uint32_t mask) {
  auto waits = [](const Split &split) {
    return split.state == SplitState::Together &&
           split.frame->code->ops[split.pc].run == runWarpSync;
  };
  if (warp.cta->grid->monitor)
    checkMembers(warp, op, mask);
  const uint32_t *members = row<uint32_t>(warp, op.a);
  uint32_t passed = 0;
  for (uint32_t left = mask; left;) {
    uint32_t own = members[firstLane(left)] & warp.alive;
    uint32_t here = lanesWithMembers(warp, members, left, own);
    left &= ~here;
    for (const Split &split : warp.others)
      if (waits(split))
        here |= lanesWithMembers(warp, membersOf(split), split.mask, own);
    if (own & ~here)
      continue;
    if (Monitor *monitor = warp.cta->grid->monitor)
      monitor->warpSync(warp, op, own);
    passed |= here;
  }
  for (size_t i = warp.others.size(); i-- > 0;) {
    Split split = warp.others[i];
    uint32_t stay = split.mask & ~passed;
    if (stay == split.mask)
      continue;
    warp.others[i] = {split.pc + 1, split.mask & passed, split.frame,
                      SplitState::Ready};
    if (stay)
      warp.others.push_back({split.pc, stay, split.frame, split.state});
  }
  // Those with a false guard do not wait.
  uint32_t goOn = warp.active & (~mask | passed);
  warp.active &= ~goOn;
  parkSplit(warp, SplitState::Together);
  warp.active = goOn;
  ++warp.pc;
  if (!warp.others.empty()) {
    parkSplit(warp, SplitState::Ready);
    selectSplit(warp);
  }
  return Step::Jump;
}

static bool decodeWarpSync(Context &c) {
  Op out;
  if (!c.take("sync"))
    return c.fail("expected bar.warp.sync");
  if (!c.finishQualifiers() || !c.count(1) ||
      !c.source(c.operand(0), Type::B32, out.a))
    return false;
  c.info.memberMask = out.a;
  out.run = runWarpSync;
  c.setEffects();
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// bar, barrier
//===----------------------------------------------------------------------===//

namespace {
struct BarrierCall {
  bool arrive = false;
  /// 0 none, 1 popc, 2 and, 3 or.
  uint8_t reduce = 0;
  bool negated = false;
};
} // namespace

/// Ends the phase of a barrier when all expected threads are there.
static void checkBarrier(Cta &cta, NamedBarrier &barrier) {
  if (!barrier.arrived)
    return;
  // Without a count every warp that is alive takes part, counted as 32.
  uint32_t expected = barrier.expected;
  if (!expected)
    for (const auto &warp : cta.warps)
      expected += warp->alive ? 32 : 0;
  if (barrier.arrived < expected)
    return;
  ++barrier.generation;
  barrier.lastPopulation = barrier.population;
  barrier.lastAll = barrier.all;
  barrier.lastAny = barrier.any;
  barrier.arrived = barrier.population = barrier.expected = 0;
  barrier.all = true;
  barrier.any = false;
  wakeCta(cta);
}

static Step badBarrier(Warp &warp, const Op &op, uint32_t mask,
                       const std::string &message) {
  return fault(warp, op, mask, "barrier-count", "none", 0, message);
}

/// Threads that count for `lanes` of a warp: lanes that do not exist or have
/// ended arrive with the last one that does.
static uint32_t arrivals(const Warp &warp, uint32_t lanes) {
  return warp.alive & ~lanes ? __builtin_popcount(lanes) : 32;
}

static Step runBarrier(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<BarrierCall>();
  unsigned lead = firstLane(mask);
  uint32_t id = row<uint32_t>(warp, op.a)[lead];
  uint32_t count = op.b == NoRegister ? 0 : row<uint32_t>(warp, op.b)[lead];
  Cta &cta = *warp.cta;
  if (id >= NumBarriers)
    return badBarrier(warp, op, mask,
                      "expected a barrier of 0 to 15, found " +
                          std::to_string(id));
  if (count % 32 || (op.b != NoRegister && count == 0))
    return badBarrier(warp, op, mask,
                      "expected a thread count that is a multiple of 32, "
                      "found " +
                          std::to_string(count));
  NamedBarrier &barrier = cta.barriers[id];
  uint32_t &waiting = warp.waitingBarrier[id];
  uint32_t fresh = mask & ~waiting;
  Monitor *monitor = cta.grid->monitor;
  if (fresh) {
    if (barrier.arrived && barrier.expected != count)
      return badBarrier(warp, op, fresh,
                        "barrier " + std::to_string(id) + " expects " +
                            std::to_string(barrier.expected) +
                            " threads, this instruction says " +
                            std::to_string(count));
    barrier.expected = count;
    for (uint32_t left = fresh; left; left &= left - 1)
      warp.barrierPhase[id][firstLane(left)] = barrier.generation;
    if (call.reduce) {
      uint32_t p = predicate(warp, op.c);
      p = (call.negated ? ~p : p) & fresh;
      barrier.population += __builtin_popcount(p);
      barrier.all &= p == fresh;
      barrier.any |= p != 0;
    }
    barrier.arrived += arrivals(warp, fresh | waiting) -
                       (waiting ? __builtin_popcount(waiting) : 0);
    if (count && barrier.arrived > count)
      return badBarrier(warp, op, fresh,
                        "barrier " + std::to_string(id) + " expects " +
                            std::to_string(count) + " threads, found " +
                            std::to_string(barrier.arrived));
    waiting |= fresh;
    if (monitor)
      monitor->barrierArrive(warp, op, id, fresh);
    checkBarrier(cta, barrier);
  }
  if (call.arrive) {
    waiting &= ~mask;
    return Step::Next;
  }
  if (warp.barrierPhase[id][lead] == barrier.generation) {
    setWait(warp, "barrier " + std::to_string(id) + " has " +
                      std::to_string(barrier.arrived) + " of " +
                      std::to_string(count ? count : cta.aliveThreads) +
                      " threads");
    return Step::Retry;
  }
  waiting &= ~mask;
  clearWait(warp);
  if (monitor)
    monitor->barrierPass(warp, op, id, mask);
  if (call.reduce == 1) {
    auto *d = destination<uint32_t>(warp, op.d);
    for (uint32_t left = mask; left; left &= left - 1)
      d[firstLane(left)] = barrier.lastPopulation;
  } else if (call.reduce) {
    bool value = call.reduce == 2 ? barrier.lastAll : barrier.lastAny;
    setPredicate(warp, op.d, mask, value ? ~0u : 0);
  }
  return Step::Next;
}

static bool decodeReduction(Context &c, BarrierCall &call, Op &out,
                            unsigned &next) {
  int which = c.takeOneOf({"popc", "and", "or"});
  if (which < 0)
    return c.fail("expected .popc, .and or .or");
  call.reduce = which + 1;
  Type type = c.takeType();
  if (type != (which == 0 ? Type::U32 : Type::Pred))
    return c.fail("expected .popc.u32, .and.pred or .or.pred");
  next = 1;
  return !c.inst.operands.empty() &&
         (which == 0 ? c.destination(c.operand(0), 4, out.d)
                     : c.predicateDestination(c.operand(0), out.d));
}

static bool decodeCtaBarrier(Context &c, bool aligned) {
  BarrierCall call;
  Op out;
  c.take("cta");
  int what = c.takeOneOf({"sync", "arrive", "red"});
  if (what < 0)
    return c.fail("expected .sync, .arrive or .red");
  call.arrive = what == 1;
  unsigned next = 0;
  if (what == 2 && !decodeReduction(c, call, out, next))
    return false;
  aligned |= c.take("aligned");
  if (!c.finishQualifiers() ||
      !c.count(next + 1 + call.arrive + (call.reduce ? 1 : 0),
               next + 2 + (call.reduce ? 1 : 0)))
    return false;
  if (!c.source(c.operand(next++), Type::U32, out.a))
    return false;
  unsigned last = c.inst.operands.size() - (call.reduce ? 1 : 0);
  if (next < last) {
    if (!c.source(c.operand(next), Type::U32, out.b))
      return false;
    ++next;
  }
  if (call.reduce && !c.predicateSource(c.operand(next), out.c, call.negated))
    return false;
  out.run = runBarrier;
  out.extra = c.function.keep(call);
  if (aligned)
    c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

static void checkCluster(Cluster &cluster) {
  uint32_t alive = 0;
  for (auto &cta : cluster.ctas)
    alive += cta->aliveThreads;
  if (!cluster.arrived || cluster.arrived < alive)
    return;
  ++cluster.generation;
  cluster.arrived = 0;
  wakeCluster(cluster);
}

void fp8::emulator::onExit(Warp &warp, uint32_t mask) {
  Cta &cta = *warp.cta;
  for (unsigned id = 0; id < NumBarriers; ++id) {
    // The lanes that ended were the last that their warp's barrier missed.
    uint32_t waiting = warp.waitingBarrier[id];
    if (waiting && waiting == warp.alive)
      cta.barriers[id].arrived += 32 - __builtin_popcount(waiting);
    if (cta.barriers[id].arrived)
      checkBarrier(cta, cta.barriers[id]);
  }
  checkCluster(*cta.cluster);
  // A split of the warp may wait for the lanes that ended.
  for (Split &split : warp.others)
    if (split.state == SplitState::Together)
      split.state = SplitState::Ready;
}

static Step runClusterArrive(Warp &warp, const Op &op, uint32_t mask) {
  Cluster &cluster = *warp.cta->cluster;
  if (warp.clusterArrived & mask)
    return fault(warp, op, mask & warp.clusterArrived, "barrier-count", "none",
                 0, "second barrier.cluster.arrive without a wait between");
  warp.clusterArrived |= mask;
  for (uint32_t left = mask; left; left &= left - 1)
    warp.clusterPhase[firstLane(left)] = cluster.generation;
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->clusterArrive(warp, op, mask, static_cast<Order>(op.aux));
  cluster.arrived += __builtin_popcount(mask);
  checkCluster(cluster);
  return Step::Next;
}

static Step runClusterWait(Warp &warp, const Op &op, uint32_t mask) {
  Cluster &cluster = *warp.cta->cluster;
  unsigned lead = firstLane(mask);
  if ((warp.clusterArrived & mask) != mask)
    return fault(warp, op, mask & ~warp.clusterArrived, "barrier-count", "none",
                 0, "barrier.cluster.wait without an arrive");
  if (warp.clusterPhase[lead] == cluster.generation) {
    setWait(warp, "the cluster barrier has " + std::to_string(cluster.arrived) +
                      " arrivals");
    return Step::Retry;
  }
  warp.clusterArrived &= ~mask;
  clearWait(warp);
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->clusterPass(warp, op, mask, static_cast<Order>(op.aux));
  return Step::Next;
}

static bool decodeClusterBarrier(Context &c) {
  bool arrive = c.take("arrive");
  if (!arrive && !c.take("wait"))
    return c.fail("expected .arrive or .wait");
  Op out;
  Order order = arrive ? Order::Release : Order::Acquire;
  if (arrive && c.take("relaxed"))
    order = Order::Relaxed;
  else
    c.take(arrive ? "release" : "acquire");
  bool aligned = c.take("aligned");
  if (!c.require(c.target().hasClusters, "clusters") || !c.finishQualifiers() ||
      !c.count(0))
    return false;
  out.run = arrive ? runClusterArrive : runClusterWait;
  out.aux = static_cast<uint16_t>(order);
  if (aligned)
    c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

static bool decodeBar(Context &c) {
  if (c.take("warp"))
    return decodeWarpSync(c);
  return decodeCtaBarrier(c, true);
}

static bool decodeBarrier(Context &c) {
  if (c.take("cluster"))
    return decodeClusterBarrier(c);
  return decodeCtaBarrier(c, false);
}

static const InstructionRow rows[] = {
    {"bar",
     "bar{.cta}.{sync,arrive}; bar{.cta}.red.{popc.u32,and.pred,"
     "or.pred}; bar.warp.sync",
     "-", decodeBar},
    {"barrier",
     "barrier{.cta}.{sync,arrive,red}{.aligned}; "
     "barrier.cluster.arrive{.release,.relaxed}{.aligned}; "
     "barrier.cluster.wait{.acquire}{.aligned}",
     "-", decodeBarrier},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::barrierRows() { return rows; }
