//===- GridControl.cpp - registers, dependent grids, work stealing --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches of one stream run one after the other, so a dependent grid's wait
// has nothing to wait for. clusterlaunchcontrol hands out clusters that have
// not started, from the front of the grid.
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

/// imm: the count; aux: 0 inc, 1 dec. Without a known number of registers at
/// entry ptxas ignores the instruction.
static Step runSetMaxNReg(Warp &warp, const Op &op, uint32_t mask) {
  Cta &cta = *warp.cta;
  auto count = static_cast<uint32_t>(op.imm);
  if (warp.registers && op.aux && count < warp.registers) {
    cta.freeRegisters += warp.registers - count;
    warp.registers = count;
    wakeCta(cta);
  }
  if (warp.registers && !op.aux && count > warp.registers) {
    uint32_t more = count - warp.registers;
    if (more > cta.freeRegisters) {
      setWait(warp, "setmaxnreg asks for " + std::to_string(more) +
                        " more registers per thread, other warps gave back " +
                        std::to_string(cta.freeRegisters));
      return Step::Retry;
    }
    clearWait(warp);
    cta.freeRegisters -= more;
    warp.registers = count;
  }
  return runMarker(warp, op, mask);
}

static bool decodeSetMaxNReg(Context &c) {
  Op out;
  int which = c.takeOneOf({"inc", "dec"});
  if (which < 0 || !c.take("sync") || !c.take("aligned"))
    return c.fail("expected .inc or .dec and .sync.aligned");
  if (c.takeType() != Type::U32)
    return c.fail("expected .u32");
  int64_t count;
  const Target &target = c.target();
  if (!c.require(target.capability >= 90 && target.isSpecific(),
                 "setmaxnreg (sm_90a, sm_100f, sm_120f)") ||
      !c.finishQualifiers() || !c.count(1) || !c.immediate(c.operand(0), count))
    return false;
  if (count < 24 || count > 256 || count % 8)
    return c.fail("expected 24 to 256 registers in steps of 8, found " +
                  llvm::Twine(count));
  c.flags |= AlignedFlag;
  out.aux = which;
  out.imm = count;
  out.run = runSetMaxNReg;
  Code &code = c.function.code;
  code.setRegisters = std::max(code.setRegisters, uint32_t(count));
  c.emit(out);
  return true;
}

static bool decodeGridDepControl(Context &c) {
  if (c.takeOneOf({"launch_dependents", "wait"}) < 0)
    return c.fail("expected .launch_dependents or .wait");
  return c.require(c.target().capability >= 90, "griddepcontrol") &&
         c.finishQualifiers() && c.count(0) && emitMarker(c);
}

//===----------------------------------------------------------------------===//
// clusterlaunchcontrol
//===----------------------------------------------------------------------===//

namespace {
struct TryCancel {
  MemoryOp response, barrier;
  uint32_t barrierRow = NoRegister;
  int32_t barrierOffset = 0;
  bool multicast = false;
};

/// Our encoding of the opaque response: word 0 is 1 when a cluster was taken,
/// words 1 to 3 its first block.
struct Response {
  uint32_t valid, x, y, z;
};
} // namespace

static Step runTryCancel(Warp &warp, const Op &op, uint32_t mask) {
  const auto &cancel = op.as<TryCancel>();
  std::array<uint64_t, 32> to, signal;
  computeAddresses(warp, op.a, cancel.response.wide, op.imm, to);
  computeAddresses(warp, cancel.barrierRow, cancel.barrier.wide,
                   cancel.barrierOffset, signal);
  Cta *cta = warp.cta;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    IssueSite site(warp, op, i);
    auto target = static_cast<uint32_t>(to[i]);
    auto barrier = static_cast<uint32_t>(signal[i]);
    bool multicast = cancel.multicast;
    size_t ranks = multicast ? cta->cluster->ctas.size() : 1;
    std::vector<uint64_t> tokens(ranks);
    for (size_t r = 0; r < ranks; ++r) {
      Monitor *monitor = cta->grid->monitor;
      if (!monitor)
        continue;
      uint32_t base = (multicast ? uint32_t(r) : target >> SharedRankShift)
                      << SharedRankShift;
      AsyncRange range{AccessKind::Write, Space::Shared, uint8_t(i),
                       base | (target & SharedOffsetMask), sizeof(Response)};
      AsyncIssue issue;
      issue.kind = AsyncKind::Cancel;
      issue.barrier = base | (barrier & SharedOffsetMask);
      issue.ranges = range;
      tokens[r] = monitor->asyncIssue(warp, op, 1u << i, issue);
    }
    scheduleOrdered(*cta, [=] {
      Grid &grid = *cta->grid;
      Response response{0, 0, 0, 0};
      if (grid.nextCluster < grid.clusterCount) {
        Dim3 place = clusterPlace(grid, grid.nextCluster++);
        const Dim3 &size = grid.clusterDim;
        response = {1, place.x * size.x, place.y * size.y, place.z * size.z};
      }
      for (size_t r = 0; r < ranks; ++r) {
        uint32_t base = (multicast ? uint32_t(r) : target >> SharedRankShift)
                        << SharedRankShift;
        uint8_t *at = sharedBytes(*cta, base | (target & SharedOffsetMask),
                                  sizeof(Response));
        if (!at) {
          asyncFault(*cta, site, "out-of-bounds", "shared", target,
                     "response outside shared memory");
          return;
        }
        memcpy(at, &response, sizeof(response));
        finished(*cta, tokens[r], !response.valid);
        completeTx(*cta, site, base | (barrier & SharedOffsetMask),
                   sizeof(Response), tokens[r]);
      }
    });
  }
  return Step::Next;
}

/// aux: 0 is_canceled, 1 + dimension, 4 all dimensions (rows of an extra).
static Step runQuery(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint64_t>(warp, op.a);
  uint32_t valid = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    Response response;
    memcpy(&response.valid, &a[i], 8);
    memcpy(&response.y, &a[32 + i], 8);
    valid |= uint32_t(response.valid == 1) << i;
    uint32_t values[3] = {response.x, response.y, response.z};
    if (op.aux >= 1 && op.aux <= 3)
      destination<uint32_t>(warp, op.d)[i] = values[op.aux - 1];
    if (op.aux == 4) {
      const auto &rows = op.as<std::array<uint32_t, 3>>();
      for (unsigned k = 0; k < 3; ++k)
        if (rows[k] != NoRegister)
          destination<uint32_t>(warp, rows[k])[i] = values[k];
    }
  }
  if (op.aux == 0)
    setPredicate(warp, op.d, mask, valid);
  return Step::Next;
}

static bool decodeQuery(Context &c) {
  Op out;
  out.run = runQuery;
  bool isCanceled = c.take("is_canceled");
  int which = -1;
  if (!isCanceled) {
    which = c.takeOneOf({"get_first_ctaid::x", "get_first_ctaid::y",
                         "get_first_ctaid::z", "get_first_ctaid"});
    if (which < 0)
      return c.fail("expected .is_canceled or .get_first_ctaid");
  }
  if (isCanceled ? !c.take("pred") : !(c.take("v4") || true))
    return c.fail("expected .pred");
  if (!isCanceled && !c.take("b32"))
    return c.fail("expected .b32");
  if (!c.take("b128"))
    return c.fail("expected .b128");
  out.aux = which + 1;
  if (!c.finishQualifiers() || !c.count(2) ||
      !c.source(c.operand(1), Type::B128, out.a))
    return false;
  if (isCanceled) {
    if (!c.predicateDestination(c.operand(0), out.d))
      return false;
  } else if (which < 3) {
    if (!c.destination(c.operand(0), 4, out.d))
      return false;
  } else {
    std::array<uint32_t, 3> rows = {NoRegister, NoRegister, NoRegister};
    const auto &list = c.operand(0).elements;
    if (list.size() != 4)
      return c.fail("expected a vector of four registers");
    for (unsigned k = 0; k < 3; ++k)
      if (list[k].kind != Operand::Kind::Sink &&
          !c.destination(list[k], 4, rows[k]))
        return false;
    out.extra = c.function.keep(rows);
  }
  c.emit(out);
  return true;
}

static bool decodeClc(Context &c) {
  if (!c.require(c.target().capability >= 100, "clusterlaunchcontrol"))
    return false;
  if (c.take("query_cancel"))
    return decodeQuery(c);
  TryCancel cancel;
  if (!c.take("try_cancel") || !c.take("async"))
    return c.fail("expected .try_cancel.async or .query_cancel");
  takeSpace(c, cancel.response);
  if (!c.take("mbarrier::complete_tx::bytes"))
    return c.fail("expected .mbarrier::complete_tx::bytes");
  cancel.multicast = c.take("multicast::cluster::all");
  if (!c.take("b128"))
    return c.fail("expected .b128");
  Op out, signal;
  if (!c.finishQualifiers() || !c.count(2) ||
      !memoryAddress(c, c.operand(0), cancel.response, out) ||
      !memoryAddress(c, c.operand(1), cancel.barrier, signal))
    return false;
  cancel.barrierRow = signal.a;
  cancel.barrierOffset = signal.imm;
  out.run = runTryCancel;
  out.extra = c.function.keep(cancel);
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"setmaxnreg",
     "setmaxnreg.{inc,dec}.sync.aligned.u32 (waits for registers where "
     "their number is known)",
     "-", decodeSetMaxNReg},
    {"griddepcontrol", "griddepcontrol.{launch_dependents,wait}", "-",
     decodeGridDepControl},
    {"clusterlaunchcontrol",
     "clusterlaunchcontrol.try_cancel.async{.space}.mbarrier::complete_tx::"
     "bytes{.multicast::cluster::all}.b128; clusterlaunchcontrol.query_cancel."
     "{is_canceled.pred,get_first_ctaid{::x,::y,::z}}.b128",
     "-", decodeClc},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::gridRows() { return rows; }
