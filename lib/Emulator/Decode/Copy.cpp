//===- Copy.cpp - cp.async and bulk copies --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor copies are in TensorCopy.cpp. A copy out of shared memory completes in
// two steps, reading its source and writing its destination, so that a missing
// wait of either kind shows.
//
//===----------------------------------------------------------------------===//

#include "CopyFamily.h"
#include "Counts.h"

#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

namespace {
struct CpAsync {
  MemoryOp from, to;
  uint32_t source = NoRegister;
  int32_t sourceOffset = 0;
  uint32_t size = 16;
  /// Row of src-size, or of the ignore-src predicate.
  uint32_t sourceSize = NoRegister, ignore = NoRegister;
  bool ignoreNegated = false;
};

/// One lane's copy.
struct LaneCopy {
  uint8_t *to;
  const uint8_t *from;
  uint32_t bytes;
};
} // namespace

static Step runCpAsync(Warp &warp, const Op &op, uint32_t mask) {
  const auto &copy = op.as<CpAsync>();
  LanePointers to, from;
  computeAddresses(warp, op.a, copy.to.wide, op.imm, to.address);
  computeAddresses(warp, copy.source, copy.from.wide, copy.sourceOffset,
                   from.address);
  std::array<uint32_t, 32> bytes;
  bytes.fill(copy.size);
  uint32_t reads = mask;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    if (copy.sourceSize != NoRegister)
      bytes[i] = row<uint32_t>(warp, copy.sourceSize)[i];
    if (copy.ignore != NoRegister) {
      bool skip = (predicate(warp, copy.ignore) >> i & 1) !=
                  uint32_t(copy.ignoreNegated);
      bytes[i] = skip ? 0 : copy.size;
    }
    if (bytes[i] > copy.size)
      return fault(warp, op, 1u << i, "out-of-bounds", "shared", to.address[i],
                   "expected a source size of at most " +
                       std::to_string(copy.size));
    if (!bytes[i])
      reads &= ~(1u << i);
  }
  if (!resolve(warp, op, mask, copy.to, copy.size, copy.size, to) ||
      (reads &&
       !resolve(warp, op, reads, copy.from, copy.size, copy.size, from)))
    return Step::Fault;
  auto lanes = std::make_shared<llvm::SmallVector<LaneCopy, 32>>();
  auto groups =
      std::make_shared<llvm::SmallVector<std::shared_ptr<AsyncGroup>, 32>>();
  CtaAsync &state = asyncOf(*warp.cta);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    lanes->push_back({to.host[i], from.host[i], bytes[i]});
    auto group = state.copies[threadOf(warp, i)].open();
    ++group->pending;
    groups->push_back(std::move(group));
  }
  Cta *cta = warp.cta;
  uint32_t size = copy.size;
  if (Monitor *monitor = cta->grid->monitor) {
    std::vector<AsyncRange> ranges;
    for (uint32_t left = mask; left; left &= left - 1) {
      uint8_t i = firstLane(left);
      if (bytes[i])
        ranges.push_back(
            {AccessKind::Read, Space::Global, i, from.address[i], bytes[i]});
      ranges.push_back(
          {AccessKind::Write, Space::Shared, i, to.address[i], size});
    }
    AsyncIssue issue;
    issue.kind = AsyncKind::CpAsync;
    issue.ranges = ranges;
    monitor->asyncIssue(warp, op, mask, issue);
  }
  schedule(*cta, [cta, lanes, groups, size] {
    for (const LaneCopy &lane : *lanes) {
      if (lane.bytes)
        memcpy(lane.to, lane.from, lane.bytes);
      memset(lane.to + lane.bytes, 0, size - lane.bytes);
    }
    for (auto &group : *groups)
      --group->pending;
    wakeCta(*cta);
  });
  return Step::Next;
}

static bool decodeCpAsync(Context &c) {
  CpAsync copy;
  bool cg = c.take("cg");
  if (!cg && !c.take("ca"))
    return c.fail("expected .ca or .cg");
  copy.to.space = Space::Shared;
  copy.to.kind = AccessKind::Write;
  copy.from.space = Space::Global;
  copy.to.observed = copy.from.observed = false;
  if (!(c.take("shared") || c.take("shared::cta")) || !c.take("global"))
    return c.fail("expected .shared.global");
  bool hint = c.take("L2::cache_hint");
  c.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  int64_t size;
  unsigned most = 4 + hint;
  if (!c.finishQualifiers() || !c.count(3 + hint, most) ||
      !c.immediate(c.operand(2), size))
    return false;
  if (size != 16 && (cg || (size != 4 && size != 8)))
    return c.fail("expected a size of " +
                  llvm::Twine(cg ? "16" : "4, 8 or 16") + " bytes");
  copy.size = size;
  Op out, from;
  if (!memoryAddress(c, c.operand(0), copy.to, out) ||
      !memoryAddress(c, c.operand(1), copy.from, from))
    return false;
  copy.source = from.a;
  copy.sourceOffset = from.imm;
  if (c.inst.operands.size() == most) {
    const Operand &extra = c.operand(3);
    Symbol *symbol = extra.kind == Operand::Kind::Name
                         ? c.function.lookup(extra.name)
                         : nullptr;
    bool isPredicate = symbol && symbol->type == Type::Pred;
    if (isPredicate ? !c.predicateSource(extra, copy.ignore, copy.ignoreNegated)
                    : !c.source(extra, Type::U32, copy.sourceSize))
      return false;
  }
  out.run = runCpAsync;
  out.extra = c.function.keep(copy);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static std::vector<GroupQueue> &queuesOf(Warp &warp, bool bulk) {
  CtaAsync &state = asyncOf(*warp.cta);
  return bulk ? state.bulk : state.copies;
}

/// aux: 1 for bulk.
static Step runCommit(Warp &warp, const Op &op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1)
    queuesOf(warp, op.aux)[threadOf(warp, firstLane(left))].commit();
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->groupCommit(warp, op, mask, op.aux);
  return Step::Next;
}

/// aux bit 0: bulk, bit 1: .read; imm: groups that may be open.
static Step runWaitGroup(Warp &warp, const Op &op, uint32_t mask) {
  bool bulk = op.aux & 1, reads = op.aux & 2;
  for (uint32_t left = mask; left; left &= left - 1) {
    GroupQueue &queue = queuesOf(warp, bulk)[threadOf(warp, firstLane(left))];
    if (!queue.isDone(op.imm, reads)) {
      setWait(warp, "copies of a group are not complete");
      return Step::Retry;
    }
  }
  clearWait(warp);
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->groupWait(warp, op, mask, bulk, op.imm, reads);
  return Step::Next;
}

/// cp.async.wait_all also commits what is open.
static Step runWaitAll(Warp &warp, const Op &op, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1)
    queuesOf(warp, false)[threadOf(warp, firstLane(left))].commit();
  for (uint32_t left = mask; left; left &= left - 1)
    if (!queuesOf(warp, false)[threadOf(warp, firstLane(left))].isDone(0,
                                                                       false))
      return Step::Retry;
  if (Monitor *monitor = warp.cta->grid->monitor) {
    monitor->groupCommit(warp, op, mask, false);
    monitor->groupWait(warp, op, mask, false, 0, false);
  }
  return Step::Next;
}

static bool decodeGroup(Context &c, bool bulk) {
  Op out;
  out.aux = bulk;
  if (c.take("commit_group")) {
    out.run = runCommit;
    if (!c.finishQualifiers() || !c.count(0))
      return false;
    c.emit(out);
    return true;
  }
  if (!bulk && c.take("wait_all")) {
    out.run = runWaitAll;
    c.setEffects();
    if (!c.finishQualifiers() || !c.count(0))
      return false;
    c.emit(out);
    return true;
  }
  if (!c.take("wait_group"))
    return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
  if (bulk && c.take("read"))
    out.aux |= 2;
  int64_t count;
  if (!c.finishQualifiers() || !c.count(1) || !c.immediate(c.operand(0), count))
    return false;
  if (count < 0 || count > INT32_MAX)
    return c.fail("expected a number of groups");
  out.imm = count;
  out.run = runWaitGroup;
  // A wait that passes changes nothing.
  c.setEffects();
  c.emit(out);
  return true;
}

/// cp.async.mbarrier.arrive: an arrival when the thread's earlier copies are
/// complete. aux: .noinc.
static Step runCpAsyncArrive(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  std::array<uint64_t, 32> address;
  computeAddresses(warp, op.a, memory.wide, op.imm, address);
  CtaAsync &state = asyncOf(*warp.cta);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    auto where = static_cast<uint32_t>(address[i]);
    uint64_t *word = barrierWord(*warp.cta, where);
    if (!word || !isLiveMBarrier(*word))
      return fault(warp, op, 1u << i, "mbarrier-uninitialised", "shared", where,
                   "expected an initialised mbarrier");
    if (!op.aux) {
      MBarrierState barrier = decodeMBarrier(*word);
      ++barrier.pending;
      *word = encodeMBarrier(barrier);
    }
    std::vector<std::shared_ptr<AsyncGroup>> earlier(
        state.copies[threadOf(warp, i)].groups.begin(),
        state.copies[threadOf(warp, i)].groups.end());
    IssueSite site(warp, op, i);
    Cta *cta = warp.cta;
    uint64_t token = 0;
    if (Monitor *monitor = cta->grid->monitor)
      token = monitor->asyncCommit(warp, op, i, false);
    // Copies issued later join a new group.
    state.copies[threadOf(warp, i)].commit();
    auto work = std::make_shared<std::function<void()>>();
    *work = [cta, site, where, earlier, work, token] {
      for (const auto &group : earlier)
        if (group->pending) {
          schedule(*cta, *work);
          return;
        }
      arriveOn(*cta, site, where, token);
      // The closure holds itself, and ends with its last copy.
      // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
      auto keep = work;
      *keep = nullptr;
    };
    schedule(*cta, *work);
  }
  return Step::Next;
}

static bool decodeCpAsyncArrive(Context &c) {
  MemoryOp memory;
  Op out;
  if (!c.take("arrive"))
    return c.fail("expected .arrive");
  out.aux = c.take("noinc");
  takeSpace(c, memory);
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  if (!c.finishQualifiers() || !c.count(1) ||
      !memoryAddress(c, c.operand(0), memory, out))
    return false;
  out.run = runCpAsyncArrive;
  out.extra = c.function.keep(memory);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// cp.async.bulk
//===----------------------------------------------------------------------===//

namespace {
struct BulkCopy {
  MemoryOp to, from, barrier;
  uint32_t source = NoRegister, barrierRow = NoRegister;
  int32_t sourceOffset = 0, barrierOffset = 0;
  uint32_t size = NoRegister, ctaMask = NoRegister;
  bool prefetch = false;
  bool reduce = false;
  ReduceOp reduceOp = ReduceOp::Add;
  TensorType type = TensorType::U32;
};
} // namespace

uint8_t *fp8::emulator::bytesAt(Cta &cta, Space space, uint64_t address,
                                uint64_t size) {
  if (space == Space::Shared ||
      (space == Space::None && isSharedWindow(address)))
    return sharedBytes(cta, static_cast<uint32_t>(address), size);
  return cta.grid->device->memory().translate(address, size);
}

Step fp8::emulator::badRange(Warp &warp, const Op &op, unsigned lane,
                             Space space, uint64_t address, uint64_t size) {
  bool shared = space == Space::Shared;
  return fault(warp, op, 1u << lane, "out-of-bounds",
               shared ? "shared" : "global", address,
               "copy of " + std::to_string(size) + " bytes at " +
                   (shared ? "shared" : "global") + " address 0x" +
                   llvm::utohexstr(address) + " is out of bounds");
}

/// One lane's bulk copy into shared memory of one or several CTAs.
static void issueLoad(Warp &warp, const Op &op, const BulkCopy &copy,
                      unsigned lane, uint64_t to, uint64_t from, uint32_t size,
                      uint32_t barrier) {
  Cta *cta = warp.cta;
  IssueSite site(warp, op, lane);
  uint32_t ranks = 0;
  if (copy.ctaMask != NoRegister)
    ranks = row<uint32_t>(warp, copy.ctaMask)[lane] & 0xffff;
  Space fromSpace = copy.from.space;
  countTransfer(warp, "bulk load", __builtin_popcount(ranks), size, size);
  bool repeats = false;
  auto one = [&](uint32_t target, uint32_t signal) {
    uint64_t token = 0;
    if (Monitor *monitor = cta->grid->monitor) {
      AsyncRange ranges[] = {
          {AccessKind::Read, fromSpace, uint8_t(lane), from, size},
          {AccessKind::Write, Space::Shared, uint8_t(lane), target, size}};
      AsyncIssue issue;
      issue.repeats = repeats;
      issue.barrier = signal;
      issue.ranges = ranges;
      token = monitor->asyncIssue(warp, op, 1u << lane, issue);
    }
    repeats = true;
    schedule(*cta, [=] {
      uint8_t *d = sharedBytes(*cta, target, size);
      const uint8_t *s = bytesAt(*cta, fromSpace, from, size);
      if (!d || !s) {
        asyncFault(*cta, site, "out-of-bounds", "shared", target,
                   "bulk copy out of bounds");
        return;
      }
      memmove(d, s, size);
      finished(*cta, token);
      completeTx(*cta, site, signal, size, token);
      wakeCta(*ctaOfShared(*cta, target));
    });
  };
  if (copy.ctaMask == NoRegister) {
    one(to, barrier);
    return;
  }
  for (; ranks; ranks &= ranks - 1) {
    uint32_t base = firstLane(ranks) << SharedRankShift;
    one(base | (to & SharedOffsetMask), base | (barrier & SharedOffsetMask));
  }
}

/// Out of shared memory, or a reduction: read, then write.
static void issueStore(Warp &warp, const Op &op, const BulkCopy &copy,
                       unsigned lane, uint64_t to, uint64_t from, uint32_t size,
                       std::optional<uint32_t> barrier) {
  Cta *cta = warp.cta;
  IssueSite site(warp, op, lane);
  std::shared_ptr<AsyncGroup> group;
  if (!barrier) {
    group = asyncOf(*cta).bulk[threadOf(warp, lane)].open();
    ++group->pending;
    ++group->reading;
  }
  // Between blocks nothing leaves shared memory.
  countTransfer(warp, copy.reduce ? "bulk reduce" : "bulk store", 0,
                copy.to.space == Space::Shared ? 0 : size, size);
  uint64_t token = 0;
  if (Monitor *monitor = cta->grid->monitor) {
    AsyncRange ranges[] = {
        {AccessKind::Read, Space::Shared, uint8_t(lane), from, size},
        {AccessKind::Write, copy.to.space, uint8_t(lane), to, size}};
    AsyncIssue issue;
    issue.kind = barrier ? AsyncKind::BulkLoad : AsyncKind::BulkStore;
    issue.reduces = copy.reduce;
    issue.barrier = barrier;
    issue.ranges = ranges;
    token = monitor->asyncIssue(warp, op, 1u << lane, issue);
  }
  const BulkCopy *what = &copy;
  schedule(*cta, [=] {
    const uint8_t *s = bytesAt(*cta, Space::Shared, from, size);
    auto data = std::make_shared<std::vector<uint8_t>>(s, s + size);
    if (group)
      --group->reading;
    wakeCta(*cta);
    bool isOrdered = what->reduce && what->to.space == Space::Global;
    auto *add = isOrdered ? scheduleOrdered : schedule;
    add(*cta, [=] {
      uint8_t *d = bytesAt(*cta, what->to.space, to, size);
      std::string error;
      if (!d)
        asyncFault(*cta, site, "out-of-bounds", "global", to,
                   "bulk copy out of bounds");
      else if (!what->reduce)
        memcpy(d, data->data(), size);
      else if (!reduceElements(what->reduceOp, what->type, d, data->data(),
                               size, error))
        asyncFault(*cta, site, "descriptor-mismatch", "global", to, error);
      if (group)
        --group->pending;
      finished(*cta, token);
      if (barrier)
        completeTx(*cta, site, *barrier, size, token);
      wakeCta(*cta);
    });
  });
}

static Step runBulk(Warp &warp, const Op &op, uint32_t mask) {
  const auto &copy = op.as<BulkCopy>();
  std::array<uint64_t, 32> to, from, barrier;
  if (!copy.prefetch)
    computeAddresses(warp, op.a, copy.to.wide, op.imm, to);
  computeAddresses(warp, copy.source, copy.from.wide, copy.sourceOffset, from);
  bool hasBarrier = copy.barrierRow != NoRegister;
  if (hasBarrier)
    computeAddresses(warp, copy.barrierRow, copy.barrier.wide,
                     copy.barrierOffset, barrier);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint32_t size = row<uint32_t>(warp, copy.size)[i];
    if (copy.prefetch)
      continue;
    if (size % 16 || (to[i] & 15) || (from[i] & 15))
      return fault(warp, op, 1u << i, "misaligned", "shared", to[i],
                   "expected addresses and a size that are multiples of 16, "
                   "found 0x" +
                       llvm::utohexstr(to[i]) + ", 0x" +
                       llvm::utohexstr(from[i]) + " and " +
                       std::to_string(size));
    if (!bytesAt(*warp.cta, copy.to.space, to[i], size))
      return badRange(warp, op, i, copy.to.space, to[i], size);
    if (!bytesAt(*warp.cta, copy.from.space, from[i], size))
      return badRange(warp, op, i, copy.from.space, from[i], size);
    bool load = copy.from.space != Space::Shared;
    if (load)
      issueLoad(warp, op, copy, i, to[i], from[i], size, barrier[i]);
    else
      issueStore(warp, op, copy, i, to[i], from[i], size,
                 hasBarrier ? std::optional<uint32_t>(barrier[i])
                            : std::nullopt);
  }
  return Step::Next;
}

/// Operation and type of a reduction.
bool fp8::emulator::takeReduction(Context &c, ReduceOp &op) {
  int which =
      c.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  if (which < 0)
    return c.fail("expected an operation");
  op = static_cast<ReduceOp>(which);
  return true;
}

std::optional<TensorType> fp8::emulator::reductionType(Type type) {
  switch (type) {
  case Type::U32:
  case Type::B32:
    return TensorType::U32;
  case Type::S32:
    return TensorType::S32;
  case Type::U64:
  case Type::B64:
    return TensorType::U64;
  case Type::S64:
    return TensorType::S64;
  case Type::F16:
    return TensorType::F16;
  case Type::BF16:
    return TensorType::BF16;
  case Type::F32:
    return TensorType::F32;
  case Type::F64:
    return TensorType::F64;
  default:
    return std::nullopt;
  }
}

static bool takeReductionType(Context &c, TensorType &type) {
  c.take("noftz");
  std::optional<TensorType> found = reductionType(c.takeType());
  if (!found)
    return c.fail("unsupported type");
  type = *found;
  return true;
}

/// cp{.reduce}.async.bulk without .tensor; destination and source spaces come
/// in this order.
static bool decodeBulk(Context &c, bool reduce) {
  BulkCopy copy;
  copy.reduce = reduce;
  if (c.take("prefetch")) {
    copy.prefetch = true;
    if (!c.take("L2") || !c.take("global"))
      return c.fail("expected .L2.global");
    copy.from.space = Space::Global;
  } else if (c.take("shared::cluster")) {
    copy.to.space = Space::Shared;
    copy.from.space = c.take("global") ? Space::Global : Space::Shared;
    if (copy.from.space == Space::Shared && !c.take("shared::cta"))
      return c.fail("expected .global or .shared::cta as the source");
  } else if (c.take("shared::cta")) {
    copy.to.space = Space::Shared;
    copy.from.space = Space::Global;
    // ".global.shared::cta" is a store.
    for (llvm::StringRef q : c.inst.qualifiers) {
      if (q == "global") {
        copy.to.space = Space::Global;
        copy.from.space = Space::Shared;
      }
      if (q == "global" || q == "shared::cta")
        break;
    }
    if (!c.take("global"))
      return c.fail("expected .global");
  } else {
    return c.fail("expected the spaces of destination and source");
  }
  bool barrier = c.take("mbarrier::complete_tx::bytes");
  bool group = c.take("bulk_group");
  if (!copy.prefetch && barrier == group)
    return c.fail("expected one completion mechanism");
  bool multicast = c.take("multicast::cluster");
  bool hint = c.take("L2::cache_hint");
  if (reduce &&
      (!takeReduction(c, copy.reduceOp) || !takeReductionType(c, copy.type)))
    return false;
  unsigned next = copy.prefetch ? 0 : 1;
  if (!c.require(c.target().hasTMA, "bulk copies") || !c.finishQualifiers() ||
      !c.count(next + 2 + barrier + multicast + hint))
    return false;
  Op out, from, signal;
  if (next && !memoryAddress(c, c.operand(0), copy.to, out))
    return false;
  if (!memoryAddress(c, c.operand(next), copy.from, from) ||
      !c.source(c.operand(next + 1), Type::U32, copy.size) ||
      (barrier &&
       !memoryAddress(c, c.operand(next + 2), copy.barrier, signal)) ||
      (multicast && !c.source(c.operand(next + 3), Type::U16, copy.ctaMask)))
    return false;
  copy.source = from.a;
  copy.sourceOffset = from.imm;
  if (barrier) {
    copy.barrierRow = signal.a;
    copy.barrierOffset = signal.imm;
  }
  out.run = runBulk;
  out.extra = c.function.keep(copy);
  c.emit(out);
  return true;
}

static bool decodeCp(Context &c) {
  bool reduce = c.take("reduce");
  if (!c.take("async"))
    return c.fail("expected .async");
  if (c.take("bulk")) {
    if (!reduce)
      for (llvm::StringRef q : c.inst.qualifiers)
        if (q == "commit_group" || q == "wait_group")
          return decodeGroup(c, true);
    if (c.take("tensor"))
      return decodeTensorCopy(c, reduce);
    return decodeBulk(c, reduce);
  }
  if (reduce)
    return c.fail("expected .bulk");
  if (c.take("mbarrier"))
    return decodeCpAsyncArrive(c);
  llvm::StringRef next = c.peek();
  if (next == "ca" || next == "cg")
    return decodeCpAsync(c);
  return decodeGroup(c, false);
}

static const InstructionRow rows[] = {
    {"cp",
     "cp.async.{ca,cg}.shared.global; cp.async.{commit_group,wait_group,"
     "wait_all,mbarrier.arrive{.noinc}}; cp.async.bulk between global, shared "
     "and cluster memory with mbarrier or bulk_group completion, multicast; "
     "cp.reduce.async.bulk; cp.async.bulk.prefetch; cp.async.bulk."
     "{commit_group,wait_group{.read}}; cp{.reduce}.async.bulk.tensor 1d to 5d "
     "tile, tile::gather4, tile::scatter4, im2col, im2col_no_offs, "
     "im2col::w, im2col::w::128; "
     "cp.async.bulk.prefetch.tensor",
     "-", decodeCp},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::copyRows() { return rows; }
