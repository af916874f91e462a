//===- MBarrier.cpp - mbarrier instructions -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state machine is the engine's (MBarrier.h) and lies in shared memory.
// try_wait blocks until the phase ends, which PTX allows; test_wait answers at
// once and gives way when the answer is no.
//
//===----------------------------------------------------------------------===//

#include "MemoryFamily.h"

#include "../Exec/Async.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {
enum class Action : uint8_t {
  Init,
  Invalidate,
  ExpectTx,
  CompleteTx,
  Arrive,
  Test,
  Try
};

struct BarrierAccess {
  MemoryOp memory;
  Action action = Action::Init;
  MBarrierArrival arrival;
  bool hasExpectTx = false;
  bool parity = false;
  /// Count, bytes, token or parity.
  uint32_t value = NoRegister;
  bool valueWide = false;
  /// Count of .expect_tx forms does not exist; second value is unused.
  uint32_t token = NoRegister;
};
} // namespace

/// Shared address of a lane's operand; false for another space.
static bool sharedAddress(const MemoryOp &memory, uint64_t address,
                          uint32_t &out) {
  if (memory.space == Space::None && !isSharedWindow(address))
    return false;
  out = static_cast<uint32_t>(address);
  return true;
}

static const char *kindOf(MBarrierFault fault) {
  switch (fault) {
  case MBarrierFault::NotInitialized:
    return "mbarrier-uninitialised";
  case MBarrierFault::TxOverflow:
  case MBarrierFault::TxUnderflow:
  case MBarrierFault::TxNegative:
    return "mbarrier-tx-underflow";
  case MBarrierFault::StaleToken:
    return "mbarrier-phase-overrun";
  case MBarrierFault::TooManyArrivals:
    return "mbarrier-too-many-arrivals";
  default:
    return "barrier-count";
  }
}

static MBarrierResult apply(const BarrierAccess &access, uint64_t &word,
                            uint64_t value) {
  switch (access.action) {
  case Action::Init:
    return mbarrierInit(word, value);
  case Action::Invalidate:
    return mbarrierInvalidate(word);
  case Action::ExpectTx:
    return mbarrierExpectTx(word, value);
  case Action::CompleteTx:
    return mbarrierCompleteTx(word, value);
  default: {
    MBarrierArrival arrival = access.arrival;
    if (access.hasExpectTx)
      arrival.expectTx = value;
    else if (access.value != NoRegister)
      arrival.count = value;
    return mbarrierArrive(word, arrival);
  }
  }
}

static MBarrierEvent::Kind eventKind(const BarrierAccess &access) {
  switch (access.action) {
  case Action::Init:
    return MBarrierEvent::Init;
  case Action::Invalidate:
    return MBarrierEvent::Invalidate;
  case Action::ExpectTx:
    return MBarrierEvent::ExpectTx;
  case Action::CompleteTx:
    return MBarrierEvent::CompleteTx;
  default:
    return access.arrival.drop ? MBarrierEvent::ArriveDrop
                               : MBarrierEvent::Arrive;
  }
}

static uint64_t *wordOf(Warp &warp, const Op &op, unsigned lane,
                        const MemoryOp &memory, uint64_t address,
                        uint32_t &where) {
  uint64_t *word = nullptr;
  if (sharedAddress(memory, address, where))
    word = barrierWord(*warp.cta, where);
  if (!word)
    fault(warp, op, 1u << lane, address & 7 ? "misaligned" : "out-of-bounds",
          "shared", address,
          "expected an mbarrier of 8 aligned bytes in shared memory");
  return word;
}

static void notify(Warp &warp, const Op &op, const BarrierAccess &access,
                   MBarrierEvent::Kind kind, uint32_t where, uint32_t mask,
                   uint64_t value, bool completed) {
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor)
    return;
  MBarrierEvent event{kind,
                      access.memory.order,
                      access.memory.scope,
                      ctaOfShared(*warp.cta, where),
                      where & SharedOffsetMask,
                      mask,
                      static_cast<uint32_t>(value),
                      completed};
  monitor->mbarrier(warp, op, event);
}

/// Whether the monitor knows why an arrival is one too many; then the cluster
/// stops.
static bool reportedByMonitor(Warp &warp, const Op &op, unsigned lane,
                              uint32_t where) {
  Grid &grid = *warp.cta->grid;
  Cta *holder = ctaOfShared(*warp.cta, where);
  if (!grid.monitor || !holder ||
      !grid.monitor->arrivalFault(warp, op, lane, *holder,
                                  where & SharedOffsetMask))
    return false;
  const OpInfo &info = infoOf(warp, op);
  stop(*warp.cta->cluster, info.line,
       info.text + ": " + describe(MBarrierFault::TooManyArrivals));
  return true;
}

static Step runBarrierAccess(Warp &warp, const Op &op, uint32_t mask) {
  const auto &access = op.as<BarrierAccess>();
  std::array<uint64_t, 32> address;
  computeAddresses(warp, op.a, access.memory.wide, op.imm, address);
  // Lanes that did the same to the same barrier.
  uint32_t together = 0, last = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint32_t where = 0;
    uint64_t *word = wordOf(warp, op, i, access.memory, address[i], where);
    if (!word)
      return Step::Fault;
    uint64_t value =
        access.value == NoRegister ? 0 : row<uint32_t>(warp, access.value)[i];
    MBarrierResult result = apply(access, *word, value);
    if (result.fault == MBarrierFault::TooManyArrivals &&
        reportedByMonitor(warp, op, i, where))
      return Step::Fault;
    if (result.fault != MBarrierFault::None)
      return fault(warp, op, 1u << i, kindOf(result.fault), "shared", where,
                   infoOf(warp, op).text + ": " + describe(result.fault));
    if (together && where != last) {
      notify(warp, op, access, eventKind(access), last, together, value, false);
      together = 0;
    }
    together |= 1u << i;
    last = where;
    if (result.completedPhase || !(left & (left - 1))) {
      notify(warp, op, access, eventKind(access), where, together, value,
             result.completedPhase);
      together = 0;
    }
    if (access.token != NoRegister)
      destination<uint64_t>(warp, access.token)[i] = result.token;
    if (result.completedPhase)
      wakeCta(*ctaOfShared(*warp.cta, where));
  }
  ++warp.cta->cluster->progress;
  return Step::Next;
}

static Step runBarrierWait(Warp &warp, const Op &op, uint32_t mask) {
  const auto &access = op.as<BarrierAccess>();
  std::array<uint64_t, 32> address;
  computeAddresses(warp, op.a, access.memory.wide, op.imm, address);
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint32_t where = 0;
    uint64_t *word = wordOf(warp, op, i, access.memory, address[i], where);
    if (!word)
      return Step::Fault;
    MBarrierFault faulty = MBarrierFault::None;
    uint64_t value = access.valueWide ? row<uint64_t>(warp, access.value)[i]
                                      : row<uint32_t>(warp, access.value)[i];
    bool passed = access.parity ? mbarrierTestParity(*word, value & 1, faulty)
                                : mbarrierTestToken(*word, value, faulty);
    if (faulty != MBarrierFault::None)
      return fault(warp, op, 1u << i, kindOf(faulty), "shared", where,
                   infoOf(warp, op).text + ": " + describe(faulty));
    if (passed)
      done |= 1u << i;
    else if (!done) {
      MBarrierState state = decodeMBarrier(*word);
      setWait(warp,
              "mbarrier at " + std::to_string(where) + " in phase " +
                  std::to_string(state.phase) + " has " +
                  std::to_string(state.pending) +
                  " pending arrivals and transaction count " +
                  std::to_string(state.txCount),
              where);
    }
  }
  if (!done && access.action == Action::Try)
    return Step::Retry;
  // A poll that failed says what it waits for where it never ends.
  if (done == mask || !warp.cta->grid->probing)
    clearWait(warp);
  setPredicate(warp, op.d, mask, done);
  if (warp.cta->grid->monitor)
    for (uint32_t left = done; left;) {
      uint32_t where = 0, other = 0, same = 0;
      sharedAddress(access.memory, address[firstLane(left)], where);
      for (uint32_t rest = left; rest; rest &= rest - 1)
        if (sharedAddress(access.memory, address[firstLane(rest)], other) &&
            other == where)
          same |= rest & -rest;
      left &= ~same;
      notify(warp, op, access, MBarrierEvent::TestTrue, where, same, 0, false);
    }
  return done == mask ? Step::Next : Step::Yield;
}

static Step runPendingCount(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint64_t>(warp, op.a);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1)
    d[firstLane(left)] = mbarrierPendingCount(a[firstLane(left)]);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool finishAccess(Context &c, BarrierAccess access, unsigned at,
                         Op out) {
  if (!memoryAddress(c, c.operand(at), access.memory, out))
    return false;
  out.extra = c.function.keep(access);
  c.emit(out);
  return true;
}

static bool decodeWait(Context &c, BarrierAccess access) {
  access.parity = c.take("parity");
  unsigned most = access.action == Action::Try ? 4 : 3;
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  if (!c.finishQualifiers() || !c.count(3, most))
    return false;
  Op out;
  out.run = runBarrierWait;
  c.setEffects(PollsBarrier);
  access.valueWide = !access.parity;
  uint32_t hint;
  if (!c.predicateDestination(c.operand(0), out.d) ||
      !c.source(c.operand(2), access.parity ? Type::U32 : Type::B64,
                access.value) ||
      (c.inst.operands.size() == 4 && !c.source(c.operand(3), Type::U32, hint)))
    return false;
  return finishAccess(c, access, 1, out);
}

static bool decodeArrive(Context &c, BarrierAccess access) {
  access.arrival.noComplete = c.take("noComplete");
  access.hasExpectTx = c.take("expect_tx");
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  if (!c.finishQualifiers() || !c.count(1, 3))
    return false;
  unsigned at = c.operand(0).kind == Operand::Kind::Address ? 0 : 1;
  if (c.inst.operands.size() <= at)
    return c.fail("expected an [address]");
  bool hasValue = c.inst.operands.size() > at + 1;
  if (c.inst.operands.size() > at + 2 || (access.hasExpectTx && !hasValue))
    return c.fail("expected " + llvm::Twine(at + 2) + " operands");
  Op out;
  out.run = runBarrierAccess;
  if ((at && c.operand(0).kind != Operand::Kind::Sink &&
       !c.destination(c.operand(0), 8, access.token)) ||
      (hasValue && !c.source(c.operand(at + 1), Type::U32, access.value)))
    return false;
  return finishAccess(c, access, at, out);
}

static bool decodeMBarrier(Context &c) {
  BarrierAccess access;
  if (c.take("pending_count")) {
    Op out;
    out.run = runPendingCount;
    c.setEffects();
    if (c.takeType() != Type::B64)
      return c.fail("expected .b64");
    if (!c.values(out, 4, Type::B64))
      return false;
    c.emit(out);
    return true;
  }
  // "arrive" before "expect_tx": arrive.expect_tx has both.
  int which =
      c.takeOneOf({"arrive", "arrive_drop", "init", "inval", "expect_tx",
                   "complete_tx", "test_wait", "try_wait"});
  if (which < 0)
    return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
  takeOrder(c, access.memory);
  takeSpace(c, access.memory);
  if (access.memory.space != Space::None &&
      access.memory.space != Space::Shared)
    return c.fail("expected shared memory");
  constexpr Action actions[] = {
      Action::Arrive,   Action::Arrive,     Action::Init, Action::Invalidate,
      Action::ExpectTx, Action::CompleteTx, Action::Test, Action::Try};
  access.action = actions[which];
  access.arrival.drop = which == 1;
  // The defaults of PTX: release or acquire at .cta.
  if (access.memory.order == Order::Weak)
    access.memory.order = which >= 6 ? Order::Acquire : Order::Release;
  if (access.memory.scope == Scope::None)
    access.memory.scope = Scope::Cta;
  if (which >= 6)
    return decodeWait(c, access);
  if (which <= 1)
    return decodeArrive(c, access);
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  bool hasValue = access.action != Action::Invalidate;
  Op out;
  out.run = runBarrierAccess;
  if (!c.finishQualifiers() || !c.count(hasValue ? 2 : 1) ||
      (hasValue && !c.source(c.operand(1), Type::U32, access.value)))
    return false;
  return finishAccess(c, access, 0, out);
}

static const InstructionRow rows[] = {
    {"mbarrier",
     "mbarrier.{init,inval,expect_tx,complete_tx,arrive{.noComplete}"
     "{.expect_tx},arrive_drop,test_wait{.parity},try_wait{.parity}}{.sem}"
     "{.scope}{.shared::cta,.shared::cluster}.b64; mbarrier.pending_count.b64",
     "-", decodeMBarrier},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::mbarrierRows() { return rows; }
