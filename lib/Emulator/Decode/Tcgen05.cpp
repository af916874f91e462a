//===- Tcgen05.cpp - tensor memory and fifth-generation products ----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma (TensorMma.cpp), cp, shift and commit of a CTA go through one pipeline
// and complete in issue order. ld and st act at once, which every ordering that
// PTX allows permits; their waits order nothing more here. Arithmetic and
// layouts are the engine's (TensorCore.h, TensorMemory.h).
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"
#include "TensorChecks.h"
#include "TensorFamily.h"
#include "TensorReduce.h"

#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

bool fp8::emulator::takeGroup(Context &c, unsigned &group) {
  int which = c.takeOneOf({"cta_group::1", "cta_group::2"});
  if (which < 0)
    return c.fail("expected .cta_group::1 or .cta_group::2");
  group = which + 1;
  return true;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static Step runAlloc(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  Cta &cta = *warp.cta;
  unsigned lead = firstLane(mask);
  uint32_t columns = row<uint32_t>(warp, op.b)[lead];
  CtaAsync &state = asyncOf(cta);
  if (!checkGroup(warp, op, mask, op.aux))
    return Step::Fault;
  if (!TensorMemory::isLegalSize(columns))
    return fault(warp, op, mask, "tmem-out-of-range", "tensor", columns,
                 "expected a power of two of 32 to 512 columns, found " +
                     std::to_string(columns));
  if (state.relinquished)
    return fault(warp, op, mask, "tmem-alloc-after-relinquish", "tensor", 0,
                 "allocation after relinquish_alloc_permit");
  if (state.smallestAllocation && columns > state.smallestAllocation)
    return fault(warp, op, mask, "tmem-out-of-range", "tensor", columns,
                 "expected at most the " +
                     std::to_string(state.smallestAllocation) +
                     " columns of the allocation before, found " +
                     std::to_string(columns));
  LanePointers at;
  computeAddresses(warp, op.a, memory.wide, op.imm, at.address);
  uint32_t one = 1u << lead;
  std::optional<unsigned> column = tensorOf(cta).allocate(columns);
  if (!column) {
    setWait(warp,
            "no " + std::to_string(columns) + " free columns of tensor memory");
    return Step::Retry;
  }
  clearWait(warp);
  state.smallestAllocation = columns;
  if (!resolve(warp, op, one, memory, 4, 4, at))
    return Step::Fault;
  uint32_t address = *column;
  memcpy(at.host[lead], &address, 4);
  if (Monitor *monitor = cta.grid->monitor)
    monitor->tensorAlloc(warp, op, address, columns);
  ++cta.cluster->progress;
  return Step::Next;
}

static Step runDealloc(Warp &warp, const Op &op, uint32_t mask) {
  unsigned lead = firstLane(mask);
  uint32_t address = row<uint32_t>(warp, op.a)[lead];
  uint32_t columns = row<uint32_t>(warp, op.b)[lead];
  std::string error;
  if (!checkGroup(warp, op, mask, op.aux))
    return Step::Fault;
  if (!tensorOf(*warp.cta).deallocate(address & 0xffff, columns, error))
    return fault(warp, op, mask, "tmem-out-of-range", "tensor", address, error);
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->tensorDealloc(warp, op, address & 0xffff, columns);
  wakeCta(*warp.cta);
  return Step::Next;
}

static Step runRelinquish(Warp &warp, const Op &op, uint32_t mask) {
  if (!checkGroup(warp, op, mask, op.aux))
    return Step::Fault;
  asyncOf(*warp.cta).relinquished = true;
  return Step::Next;
}

static bool decodeAllocation(Context &c, int which) {
  unsigned group;
  if (!takeGroup(c, group) || !c.take("sync") || !c.take("aligned"))
    return c.fail("expected .cta_group::N.sync.aligned");
  c.flags |= AlignedFlag;
  Op out;
  out.aux = group;
  if (which == 2) {
    out.run = runRelinquish;
    if (!c.finishQualifiers() || !c.count(0))
      return false;
    c.emit(out);
    return true;
  }
  MemoryOp memory;
  memory.kind = AccessKind::Write;
  takeSpace(c, memory);
  if (c.takeType() != Type::B32)
    return c.fail("expected .b32");
  if (!c.finishQualifiers() || !c.count(2) ||
      !c.source(c.operand(1), Type::U32, out.b))
    return false;
  if (which == 1) {
    out.run = runDealloc;
    if (!c.source(c.operand(0), Type::B32, out.a))
      return false;
  } else {
    out.run = runAlloc;
    if (!memoryAddress(c, c.operand(0), memory, out))
      return false;
    out.extra = c.function.keep(memory);
  }
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// ld, st
//===----------------------------------------------------------------------===//

namespace {
struct TensorAccess {
  TensorMemoryShape shape;
  std::vector<uint32_t> rows;
};
} // namespace

/// Checks allocation and the warp's quarter of lanes.
static bool checkCells(Warp &warp, const Op &op, uint32_t mask,
                       const TensorMemoryShape &shape, uint32_t address) {
  TensorAddress at = TensorAddress::decode(address);
  unsigned quarter = 32 * (warp.index % 4);
  if (at.lane < quarter || at.lane + laneCount(shape) > quarter + 32) {
    fault(warp, op, mask, "tmem-wrong-quarter", "tensor", address,
          "warp " + std::to_string(warp.index) + " may use lanes " +
              std::to_string(quarter) + " to " + std::to_string(quarter + 31) +
              ", found lane " + std::to_string(at.lane));
    return false;
  }
  return checkColumns(warp, op, mask, warp.cta, address, columnCount(shape));
}

/// aux: 1 for a store.
static Step runTensorAccess(Warp &warp, const Op &op, uint32_t mask) {
  const auto &access = op.as<TensorAccess>();
  uint32_t address =
      row<uint32_t>(warp, op.a)[firstLane(mask)] + uint32_t(op.imm);
  if (!checkCells(warp, op, mask, access.shape, address))
    return Step::Fault;
  if (Monitor *monitor = warp.cta->grid->monitor) {
    TensorAddress at = TensorAddress::decode(address);
    TensorRange range{op.aux ? AccessKind::Write : AccessKind::Read,
                      warp.cta,
                      at.lane,
                      laneCount(access.shape),
                      at.column,
                      columnCount(access.shape)};
    AsyncIssue issue;
    issue.kind = op.aux ? AsyncKind::TensorStore : AsyncKind::TensorLoad;
    issue.tensor = range;
    issue.shape = &access.shape;
    issue.tensorAddress = address;
    issue.rows = access.rows;
    monitor->asyncIssue(warp, op, mask, issue);
  }
  std::string error;
  bool good;
  if (op.aux) {
    llvm::SmallVector<const uint32_t *, 128> registers;
    for (uint32_t where : access.rows)
      registers.push_back(row<uint32_t>(warp, where));
    good = storeTensorMemory(tensorOf(*warp.cta), access.shape, address,
                             registers.data(), error);
  } else {
    llvm::SmallVector<uint32_t *, 128> registers;
    for (uint32_t where : access.rows)
      registers.push_back(destination<uint32_t>(warp, where));
    good = loadTensorMemory(tensorOf(*warp.cta), access.shape, address,
                            registers.data(), error);
  }
  if (!good)
    return fault(warp, op, mask, "tmem-out-of-range", "tensor", address, error);
  return Step::Next;
}

/// [tensor-memory address] into row and offset.
bool fp8::emulator::tensorAddress(Context &c, const Operand &operand,
                                  uint32_t &where, int32_t &offset) {
  MemoryOp memory;
  memory.space = Space::Shared;
  Op out;
  if (!memoryAddress(c, operand, memory, out))
    return false;
  if (memory.wide)
    return c.fail("expected a 32-bit tensor-memory address");
  where = out.a;
  offset = out.imm;
  return true;
}

static bool takeShape(Context &c, TensorMemoryShape &shape) {
  int kind =
      c.takeOneOf({"16x64b", "16x128b", "16x256b", "32x32b", "16x32bx2"});
  int count =
      c.takeOneOf({"x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"});
  if (kind < 0 || count < 0)
    return c.fail("expected a shape and a count");
  shape.kind = static_cast<TensorMemoryShape::Kind>(kind);
  shape.count = 1u << count;
  return true;
}

static bool decodeTensorAccess(Context &c, bool isStore) {
  TensorAccess access;
  TensorReduction reduction;
  bool reduces = !isStore && c.take("red");
  if (!c.take("sync") || !c.take("aligned"))
    return c.fail("expected .sync.aligned");
  if (!takeShape(c, access.shape))
    return false;
  access.shape.pack16 = c.take(isStore ? "unpack::16b" : "pack::16b");
  if (reduces ? !takeReduction(c, reduction)
              : c.takeType() != Type::B32 && c.fail("expected .b32"))
    return false;
  bool split = access.shape.kind == TensorMemoryShape::L16x32bx2;
  if (reduces && (access.shape.count == 1 ||
                  !(split || access.shape.kind == TensorMemoryShape::L32x32b)))
    return c.fail("expected .32x32b or .16x32bx2 with a count from .x2 on");
  if (!c.finishQualifiers() || !c.count(2 + split + reduces))
    return false;
  unsigned registers = isStore ? 1 + split : 0;
  unsigned address = isStore ? 0 : 1 + reduces;
  if (split) {
    int64_t offset;
    if (!c.immediate(c.operand(isStore ? 1 : 2 + reduces), offset))
      return false;
    access.shape.halfSplitOffset = offset;
  }
  std::string error;
  if (!isLegalShape(access.shape, error))
    return c.fail(error);
  Op out;
  if (!tensorAddress(c, c.operand(address), out.a, out.imm) ||
      !vectorRows(c, c.operand(registers), registerCount(access.shape),
                  !isStore, access.rows))
    return false;
  uint32_t reduced = NoRegister;
  if (reduces && !c.destination(c.operand(1), 4, reduced))
    return false;
  reduction.rows = access.rows;
  out.run = runTensorAccess;
  out.aux = isStore;
  out.extra = c.function.keep(std::move(access));
  c.flags |= AlignedFlag;
  c.emit(out);
  if (reduces)
    emitReduction(c, std::move(reduction), reduced);
  return true;
}

//===----------------------------------------------------------------------===//
// cp, shift, commit
//===----------------------------------------------------------------------===//

namespace {
struct CopyCall {
  TensorCopy copy;
  unsigned group = 1;
};
} // namespace

/// Tells the monitor of a tcgen05.cp.
static uint64_t observe(Warp &warp, const Op &op, unsigned lane,
                        const TensorCopy &copy, llvm::ArrayRef<Cta *> ctas,
                        uint64_t bits, uint32_t address) {
  Monitor *monitor = warp.cta->grid->monitor;
  MatrixDescriptor descriptor;
  std::string error;
  if (!monitor || !decodeBlackwellDescriptor(bits, descriptor, error))
    return 0;
  std::vector<uint32_t> chunks;
  copyFootprint(copy, descriptor, chunks);
  std::vector<AsyncRange> ranges;
  std::vector<TensorRange> cells;
  TensorAddress at = TensorAddress::decode(address);
  bool few = copy.shape == TensorCopy::C4x256b;
  for (Cta *cta : ctas) {
    addChunks(*cta, lane, chunks, ranges);
    // All lanes, or one of each quarter.
    for (unsigned row = 0; row < (few ? 4u : 1u); ++row)
      cells.push_back(
          {AccessKind::Write, cta, (at.lane + 32 * row) % TensorMemoryLanes,
           few ? 1u : TensorMemoryLanes, at.column, copyRowBytes(copy) / 4});
  }
  AsyncIssue issue;
  issue.kind = AsyncKind::TensorCopy;
  issue.ranges = ranges;
  issue.tensor = cells;
  return monitor->asyncIssue(warp, op, 1u << lane, issue);
}

static Step runTensorCp(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<CopyCall>();
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    llvm::SmallVector<Cta *, 2> ctas;
    if (!groupOf(*warp.cta, call.group, ctas))
      return fault(warp, op, mask, "cluster-launch-invalid", "none", 0,
                   ".cta_group::2 needs a cluster of an even size");
    IssueSite site(warp, op, i);
    uint32_t address = row<uint32_t>(warp, op.a)[i] + uint32_t(op.imm);
    uint64_t bits = row<uint64_t>(warp, op.b)[i];
    Cta *cta = warp.cta;
    if (!checkGroup(warp, op, 1u << i, call.group) ||
        !checkColumns(warp, op, 1u << i, ctas, address,
                      copyRowBytes(call.copy) / 4))
      return Step::Fault;
    TensorCopy copy = call.copy;
    uint64_t token = observe(warp, op, i, copy, ctas, bits, address);
    schedulePipeline(*cta, asyncOf(*cta).tensorPipeline, [=] {
      MatrixDescriptor descriptor;
      std::string error;
      bool good = decodeBlackwellDescriptor(bits, descriptor, error);
      for (Cta *each : ctas)
        good = good && copyToTensorMemory(copy, descriptor, each->shared.data(),
                                          each->shared.size(), tensorOf(*each),
                                          address, error);
      if (!good)
        asyncFault(*cta, site, "descriptor-mismatch", "tensor", address, error);
      finished(*cta, token);
    });
  }
  return Step::Next;
}

static bool decodeTensorCp(Context &c) {
  CopyCall call;
  if (!takeGroup(c, call.group))
    return false;
  int shape =
      c.takeOneOf({"128x256b", "4x256b", "128x128b", "64x128b", "32x128b"});
  if (shape < 0)
    return c.fail("expected a shape");
  call.copy.shape = static_cast<TensorCopy::Shape>(shape);
  int multicast = c.takeOneOf({"warpx2::02_13", "warpx2::01_23", "warpx4"});
  call.copy.multicast = static_cast<TensorCopy::Multicast>(multicast + 1);
  bool needs = shape >= 3;
  if (needs != (multicast >= 0) || (shape == 4) != (multicast == 2))
    return c.fail("expected .warpx4 with .32x128b and .warpx2 with .64x128b");
  bool b8 = c.take("b8x16");
  int format = c.takeOneOf({"b6x16_p32", "b4x16_p64"});
  if (b8 != (format >= 0))
    return c.fail("expected .b8x16 with .b6x16_p32 or .b4x16_p64");
  call.copy.format = static_cast<TensorCopy::Format>(format + 1);
  Op out;
  MemoryOp memory;
  memory.space = Space::Shared;
  if (!c.finishQualifiers() || !c.count(2) ||
      !memoryAddress(c, c.operand(0), memory, out) ||
      !c.source(c.operand(1), Type::B64, out.b))
    return false;
  out.run = runTensorCp;
  out.extra = c.function.keep(call);
  c.emit(out);
  return true;
}

/// aux: the group.
static Step runShift(Warp &warp, const Op &op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    llvm::SmallVector<Cta *, 2> ctas;
    if (!groupOf(*warp.cta, op.aux, ctas))
      return fault(warp, op, mask, "cluster-launch-invalid", "none", 0,
                   ".cta_group::2 needs a cluster of an even size");
    IssueSite site(warp, op, i);
    uint32_t address = row<uint32_t>(warp, op.a)[i] + uint32_t(op.imm);
    Cta *cta = warp.cta;
    if (!checkGroup(warp, op, 1u << i, op.aux) ||
        !checkColumns(warp, op, 1u << i, ctas, address, 8))
      return Step::Fault;
    uint64_t token = 0;
    if (Monitor *monitor = cta->grid->monitor) {
      TensorAddress at = TensorAddress::decode(address);
      std::vector<TensorRange> cells;
      for (Cta *each : ctas)
        cells.push_back({AccessKind::Write, each, at.lane, 32, at.column, 8});
      AsyncIssue issue;
      issue.kind = AsyncKind::TensorShift;
      issue.tensor = cells;
      token = monitor->asyncIssue(warp, op, 1u << i, issue);
    }
    schedulePipeline(*cta, asyncOf(*cta).tensorPipeline, [=] {
      std::string error;
      for (Cta *each : ctas)
        if (!shiftDown(tensorOf(*each), address, error))
          asyncFault(*cta, site, "tmem-out-of-range", "tensor", address, error);
      finished(*cta, token);
    });
  }
  return Step::Next;
}

static bool decodeShift(Context &c) {
  unsigned group;
  MemoryOp memory;
  memory.space = Space::Shared;
  Op out;
  if (!takeGroup(c, group))
    return false;
  if (!c.take("down"))
    return c.fail("expected .down");
  if (!c.finishQualifiers() || !c.count(1) ||
      !memoryAddress(c, c.operand(0), memory, out))
    return false;
  out.run = runShift;
  out.aux = group;
  c.emit(out);
  return true;
}

/// b: CTA mask or NoRegister.
static Step runTensorCommit(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  std::array<uint64_t, 32> address;
  computeAddresses(warp, op.a, memory.wide, op.imm, address);
  Cta *cta = warp.cta;
  if (!checkGroup(warp, op, mask, op.aux))
    return Step::Fault;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    auto where = static_cast<uint32_t>(address[i]);
    IssueSite site(warp, op, i);
    uint32_t ranks =
        op.b == NoRegister ? 0 : row<uint32_t>(warp, op.b)[i] & 0xffff;
    bool multicast = op.b != NoRegister;
    uint64_t token = 0;
    if (Monitor *monitor = cta->grid->monitor)
      token = monitor->asyncCommit(warp, op, i, true);
    schedulePipeline(*cta, asyncOf(*cta).tensorPipeline, [=] {
      if (!multicast) {
        arriveOn(*cta, site, where, token);
        return;
      }
      uint32_t offset = where & SharedOffsetMask;
      for (uint32_t rest = ranks; rest; rest &= rest - 1)
        arriveOn(*cta, site, firstLane(rest) << SharedRankShift | offset,
                 token);
    });
  }
  return Step::Next;
}

static bool decodeTensorCommit(Context &c) {
  unsigned group;
  MemoryOp memory;
  if (!takeGroup(c, group))
    return false;
  if (!c.take("mbarrier::arrive::one"))
    return c.fail("expected .mbarrier::arrive::one");
  takeSpace(c, memory);
  bool multicast = c.take("multicast::cluster");
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  Op out;
  if (!c.finishQualifiers() || !c.count(1 + multicast) ||
      !memoryAddress(c, c.operand(0), memory, out) ||
      (multicast && !c.source(c.operand(1), Type::U16, out.b)))
    return false;
  out.run = runTensorCommit;
  out.aux = group;
  out.extra = c.function.keep(memory);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static bool decodeTcgen05(Context &c) {
  if (!c.require(c.target().hasTcgen05, "tcgen05 (sm_100a, sm_103a)"))
    return false;
  if (c.takeOneOf({"fence::before_thread_sync", "fence::after_thread_sync"}) >=
      0)
    return c.finishQualifiers() && c.count(0) && emitMarker(c);
  if (c.takeOneOf({"wait::ld", "wait::st"}) >= 0) {
    if (!c.take("sync") || !c.take("aligned"))
      return c.fail("expected .sync.aligned");
    c.flags |= AlignedFlag;
    return c.finishQualifiers() && c.count(0) && emitMarker(c);
  }
  int which = c.takeOneOf({"alloc", "dealloc", "relinquish_alloc_permit"});
  if (which >= 0)
    return decodeAllocation(c, which);
  if (c.take("ld"))
    return decodeTensorAccess(c, false);
  if (c.take("st"))
    return decodeTensorAccess(c, true);
  if (c.take("cp"))
    return decodeTensorCp(c);
  if (c.take("shift"))
    return decodeShift(c);
  if (c.take("commit"))
    return decodeTensorCommit(c);
  if (c.take("mma"))
    return decodeTensorMma(c);
  return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
}

static const InstructionRow rows[] = {
    {"tcgen05",
     "tcgen05.{alloc,dealloc,relinquish_alloc_permit}; tcgen05.{ld,st} of "
     "every shape, ld.red; tcgen05.cp; tcgen05.shift.down; "
     "tcgen05.mma{.ws}{.sp} of "
     "kind::{f16,tf32,f8f6f4,i8,mxf8f6f4,mxf4,mxf4nvf4}, cta_group::{1,2}, "
     "block_scale, collector, ashift; tcgen05.commit{.multicast}; "
     "tcgen05.{fence::before_thread_sync,fence::after_thread_sync,wait::ld,"
     "wait::st}",
     "model; sums and layouts of sparse products and of K = 96: assumed",
     decodeTcgen05},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::tcgenRows() { return rows; }
