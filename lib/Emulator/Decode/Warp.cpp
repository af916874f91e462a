//===- Warp.cpp - instructions across the lanes of a warp -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter gathers the lanes of the member mask before a handler here
// runs (CollectiveFlag), so the mask is what executes together.
//
//===----------------------------------------------------------------------===//

#include "MemoryFamily.h"

#include "../Exec/Shuffle.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

/// The member mask operand makes the instruction collective.
static bool memberMask(Context &c, const Operand &operand) {
  if (!c.source(operand, Type::B32, c.info.memberMask))
    return false;
  c.flags |= CollectiveFlag;
  c.setEffects();
  return true;
}

//===----------------------------------------------------------------------===//
// shfl
//===----------------------------------------------------------------------===//

/// aux: mode. c: clamp and segment mask; target: predicate or NoRegister.
static Step runShuffle(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t a[32], valid = 0;
  memcpy(a, row<uint32_t>(warp, op.a), sizeof(a));
  const auto *b = row<uint32_t>(warp, op.b);
  const auto *c = row<uint32_t>(warp, op.c);
  uint32_t out[32];
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    bool inside = false;
    out[lane] = a[shuffleSource(static_cast<Shuffle>(op.aux), lane, b[lane],
                                c[lane], inside)];
    valid |= uint32_t(inside) << lane;
  }
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1)
    d[firstLane(left)] = out[firstLane(left)];
  setPredicate(warp, op.target, mask, valid);
  return Step::Next;
}

static bool decodeShfl(Context &c) {
  bool sync = c.take("sync");
  int mode = c.takeOneOf({"up", "down", "bfly", "idx"});
  if (!sync)
    return c.fail("expected .sync (targets before sm_70 are not supported)");
  if (mode < 0 || c.takeType() != Type::B32)
    return c.fail("expected .up, .down, .bfly or .idx and .b32");
  if (!c.finishQualifiers() || !c.count(5))
    return false;
  Op out;
  const Operand &d = c.operand(0);
  bool isPair = d.kind == Operand::Kind::Pair;
  out.target = NoRegister;
  if (!c.source(c.operand(1), Type::B32, out.a) ||
      !c.source(c.operand(2), Type::U32, out.b) ||
      !c.source(c.operand(3), Type::U32, out.c) ||
      !c.destination(isPair ? d.elements[0] : d, 4, out.d) ||
      (isPair && !c.predicateDestination(d.elements[1], out.target)) ||
      !memberMask(c, c.operand(4)))
    return false;
  out.run = runShuffle;
  out.aux = mode;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// vote, match, redux, activemask, elect
//===----------------------------------------------------------------------===//

/// aux: 0 all, 1 any, 2 uni, 3 ballot; bit 4: the predicate is negated.
static Step runVote(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t p = predicate(warp, op.a);
  if (op.aux & 16)
    p = ~p;
  p &= mask;
  switch (op.aux & 3) {
  case 0:
    setPredicate(warp, op.d, mask, p == mask ? ~0u : 0);
    break;
  case 1:
    setPredicate(warp, op.d, mask, p ? ~0u : 0);
    break;
  case 2:
    setPredicate(warp, op.d, mask, p == mask || p == 0 ? ~0u : 0);
    break;
  default: {
    auto *d = destination<uint32_t>(warp, op.d);
    for (uint32_t left = mask; left; left &= left - 1)
      d[firstLane(left)] = p;
  }
  }
  return Step::Next;
}

static bool decodeVote(Context &c) {
  if (!c.take("sync"))
    return c.fail("expected .sync (targets before sm_70 are not supported)");
  int mode = c.takeOneOf({"all", "any", "uni", "ballot"});
  Type type = c.takeType();
  if (mode < 0 || type != (mode == 3 ? Type::B32 : Type::Pred))
    return c.fail("expected .all.pred, .any.pred, .uni.pred or .ballot.b32");
  if (!c.finishQualifiers() || !c.count(3))
    return false;
  Op out;
  bool negated = false;
  if (!c.predicateSource(c.operand(1), out.a, negated) ||
      !(mode == 3 ? c.destination(c.operand(0), 4, out.d)
                  : c.predicateDestination(c.operand(0), out.d)) ||
      !memberMask(c, c.operand(2)))
    return false;
  out.run = runVote;
  out.aux = mode | negated << 4;
  c.emit(out);
  return true;
}

/// aux bit 0: all; target: predicate of all.
template <typename T>
static Step runMatch(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<T>(warp, op.a);
  auto *d = destination<uint32_t>(warp, op.d);
  uint32_t equal[32];
  bool all = true;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    equal[i] = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      if (a[firstLane(rest)] == a[i])
        equal[i] |= 1u << firstLane(rest);
    all &= equal[i] == mask;
  }
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = op.aux & 1 ? (all ? mask : 0) : equal[i];
  }
  setPredicate(warp, op.target, mask, all ? ~0u : 0);
  return Step::Next;
}

static bool decodeMatch(Context &c) {
  bool all = c.take("all");
  if (!all && !c.take("any"))
    return c.fail("expected .any or .all");
  if (!c.take("sync"))
    return c.fail("expected .sync");
  Type type = c.takeType();
  if (type != Type::B32 && type != Type::B64)
    return c.fail("expected .b32 or .b64");
  if (!c.finishQualifiers() || !c.count(3))
    return false;
  const Operand &d = c.operand(0);
  bool isPair = d.kind == Operand::Kind::Pair;
  Op out;
  out.target = NoRegister;
  if (!c.source(c.operand(1), type, out.a) ||
      !c.destination(isPair ? d.elements[0] : d, 4, out.d) ||
      (isPair && !c.predicateDestination(d.elements[1], out.target)) ||
      !memberMask(c, c.operand(2)))
    return false;
  out.run = type == Type::B64 ? runMatch<uint64_t> : runMatch<uint32_t>;
  out.aux = all;
  c.emit(out);
  return true;
}

namespace {
enum class Redux : uint16_t { Add, Min, Max, And, Or, Xor };
struct ReduxCall {
  Redux op;
  Type type;
  FloatMode mode;
};
} // namespace

static Step runRedux(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<ReduxCall>();
  const auto *a = row<uint32_t>(warp, op.a);
  uint32_t left = mask;
  uint32_t result = a[firstLane(left)];
  bool isFloat = call.type == Type::F32;
  if (isFloat)
    result = evaluate(call.op == Redux::Min ? FloatOp::Min : FloatOp::Max,
                      FloatType::F32, call.mode, result, result);
  for (left &= left - 1; left; left &= left - 1) {
    uint32_t value = a[firstLane(left)];
    bool isSigned = call.type == Type::S32;
    switch (call.op) {
    case Redux::Add:
      result += value;
      break;
    case Redux::And:
      result &= value;
      break;
    case Redux::Or:
      result |= value;
      break;
    case Redux::Xor:
      result ^= value;
      break;
    case Redux::Min:
    case Redux::Max: {
      if (isFloat) {
        result = evaluate(call.op == Redux::Min ? FloatOp::Min : FloatOp::Max,
                          FloatType::F32, call.mode, result, value);
        break;
      }
      bool less =
          isSigned ? static_cast<int32_t>(value) < static_cast<int32_t>(result)
                   : value < result;
      if (less == (call.op == Redux::Min) && value != result)
        result = value;
      break;
    }
    }
  }
  auto *d = destination<uint32_t>(warp, op.d);
  for (left = mask; left; left &= left - 1)
    d[firstLane(left)] = result;
  return Step::Next;
}

static bool decodeRedux(Context &c) {
  if (!c.take("sync"))
    return c.fail("expected .sync");
  int which = c.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  ReduxCall call;
  call.mode.abs = c.take("abs");
  call.mode.nan = c.take("NaN");
  call.type = c.takeType();
  if (which < 0)
    return c.fail("expected an operation");
  call.op = static_cast<Redux>(which);
  bool logic = which >= 3;
  bool minMax = which == 1 || which == 2;
  bool good = logic ? call.type == Type::B32
                    : call.type == Type::U32 || call.type == Type::S32 ||
                          (call.type == Type::F32 && minMax);
  if (!good || ((call.mode.abs || call.mode.nan) && call.type != Type::F32))
    return c.fail("unsupported type");
  const Target &target = c.target();
  if (call.type == Type::F32 &&
      !c.require(target.capability / 10 == 10 && target.isSpecific(),
                 "redux of .f32 (sm_100f)"))
    return false;
  Op out;
  if (!c.finishQualifiers() || !c.count(3) ||
      !c.source(c.operand(1), Type::B32, out.a) ||
      !c.destination(c.operand(0), 4, out.d) || !memberMask(c, c.operand(2)))
    return false;
  out.run = runRedux;
  out.extra = c.function.keep(call);
  c.emit(out);
  return true;
}

static Step runActiveMask(Warp &warp, const Op &op, uint32_t mask) {
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1)
    d[firstLane(left)] = mask;
  return Step::Next;
}

/// Which lanes are together depends on the schedule: no known effect.
static bool decodeActiveMask(Context &c) {
  Op out;
  if (c.takeType() != Type::B32)
    return c.fail("expected .b32");
  if (!c.values(out, 4, {}))
    return false;
  out.run = runActiveMask;
  c.emit(out);
  return true;
}

/// The first lane is the leader: hardware's choice is not documented.
static Step runElect(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t leader = firstLane(mask);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1)
    d[firstLane(left)] = leader;
  setPredicate(warp, op.target, mask, 1u << leader);
  return Step::Next;
}

static bool decodeElect(Context &c) {
  if (!c.take("sync"))
    return c.fail("expected .sync");
  if (!c.require(c.target().capability >= 90, "elect.sync") ||
      !c.finishQualifiers() || !c.count(2))
    return false;
  const Operand &d = c.operand(0);
  if (d.kind != Operand::Kind::Pair)
    return c.fail("expected d|p as the destination");
  Op out;
  if (!c.destination(d.elements[0], 4, out.d) ||
      !c.predicateDestination(d.elements[1], out.target) ||
      !memberMask(c, c.operand(1)))
    return false;
  out.run = runElect;
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"shfl", "shfl.sync.{up,down,bfly,idx}.b32", "hardware", decodeShfl},
    {"vote", "vote.sync.{all,any,uni}.pred; vote.sync.ballot.b32", "hardware",
     decodeVote},
    {"match", "match.{any,all}.sync.{b32,b64}", "hardware", decodeMatch},
    {"redux",
     "redux.sync.{add,min,max}.{u32,s32}; .{and,or,xor}.b32; "
     ".{min,max}{.abs}{.NaN}.f32",
     "hardware", decodeRedux},
    {"activemask", "activemask.b32", "assumed", decodeActiveMask},
    {"elect", "elect.sync (the first lane)", "assumed", decodeElect},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::warpRows() { return rows; }
