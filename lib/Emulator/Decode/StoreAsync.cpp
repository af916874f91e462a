//===- StoreAsync.cpp - st.async, red.async and st.bulk -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores and reductions of registers: to the shared memory of a cluster, where
// they complete on an mbarrier, and to global memory, as releases of their
// thread. The values are read when the instruction is issued; each lane's bytes
// arrive on their own, in an order drawn from the seed. Both are accesses of
// the generic proxy.
//
//===----------------------------------------------------------------------===//

#include "StoreAsync.h"

#include "CopyFamily.h"

#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {
struct StoreAsync {
  MemoryOp memory, barrier;
  uint32_t barrierRow = NoRegister;
  int32_t barrierOffset = 0;
  /// The destination and the mbarrier have generic addresses.
  bool isGeneric = false;
  bool reduce = false;
  ReduceOp reduceOp = ReduceOp::Add;
  TensorType type = TensorType::U32;
};
} // namespace

/// The bytes that lane `i` stores.
static std::vector<uint8_t> valuesOf(const Warp &warp, const StoreAsync &store,
                                     unsigned i) {
  unsigned bytes = store.memory.bytes;
  std::vector<uint8_t> data(size_t(bytes) * store.memory.count);
  for (unsigned k = 0; k < store.memory.count; ++k) {
    uint8_t *to = data.data() + size_t(k) * bytes;
    if (bytes < 8) {
      memcpy(to, &row<uint32_t>(warp, store.memory.rows[k])[i], bytes);
      continue;
    }
    // 128 bits are two rows of words.
    for (unsigned half = 0; half < bytes / 8; ++half)
      memcpy(to + size_t(8) * half,
             &row<uint64_t>(warp, store.memory.rows[k])[32 * half + i], 8);
  }
  return data;
}

static void issue(Warp &warp, const Op &op, const StoreAsync &store, unsigned i,
                  uint32_t to, uint32_t signal) {
  Cta *cta = warp.cta;
  IssueSite site(warp, op, i);
  std::vector<uint8_t> data = valuesOf(warp, store, i);
  auto size = static_cast<uint32_t>(data.size());
  uint64_t token = 0;
  if (Monitor *monitor = cta->grid->monitor) {
    AsyncRange range{AccessKind::Write, Space::Shared, uint8_t(i), to, size};
    AsyncIssue event;
    event.reduces = store.reduce;
    event.isGeneric = true;
    if (store.reduce)
      event.scope = Scope::Cluster;
    event.elementBytes = store.memory.bytes;
    event.barrier = signal;
    event.ranges = range;
    token = monitor->asyncIssue(warp, op, 1u << i, event);
  }
  const StoreAsync *what = &store;
  schedule(*cta, [=] {
    uint8_t *target = sharedBytes(*cta, to, size);
    std::string error;
    if (!what->reduce)
      memcpy(target, data.data(), size);
    else if (!reduceElements(what->reduceOp, what->type, target, data.data(),
                             size, error))
      asyncFault(*cta, site, "descriptor-mismatch", "shared", to, error);
    finished(*cta, token);
    completeTx(*cta, site, signal, size, token);
    wakeCta(*ctaOfShared(*cta, to));
  });
}

static Step runStoreAsync(Warp &warp, const Op &op, uint32_t mask) {
  const auto &store = op.as<StoreAsync>();
  std::array<uint64_t, 32> to, signal;
  computeAddresses(warp, op.a, store.memory.wide, op.imm, to);
  computeAddresses(warp, store.barrierRow, store.barrier.wide,
                   store.barrierOffset, signal);
  uint32_t size = uint32_t(store.memory.bytes) * store.memory.count;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    auto where = static_cast<uint32_t>(to[i]);
    auto barrier = static_cast<uint32_t>(signal[i]);
    if (store.isGeneric &&
        !(isSharedWindow(to[i]) && isSharedWindow(signal[i])))
      return fault(warp, op, 1u << i, "out-of-bounds", "memory", to[i],
                   "expected generic addresses of shared memory");
    if (where & (size - 1))
      return fault(warp, op, 1u << i, "misaligned", "shared", where,
                   "expected an address that is a multiple of " +
                       std::to_string(size) + ", found 0x" +
                       llvm::utohexstr(where));
    if (!sharedBytes(*warp.cta, where, size))
      return badRange(warp, op, i, Space::Shared, where, size);
    if (where >> SharedRankShift != barrier >> SharedRankShift)
      return fault(warp, op, 1u << i, "descriptor-mismatch", "shared", barrier,
                   "expected the mbarrier in the block of the destination");
    issue(warp, op, store, i, where, barrier);
  }
  return Step::Next;
}

/// To global memory. Others see it as a release of its thread.
static Step runReleaseAsync(Warp &warp, const Op &op, uint32_t mask) {
  const auto &store = op.as<StoreAsync>();
  LanePointers at;
  if (!resolveOp(warp, op, mask, store.memory, at))
    return Step::Fault;
  if (at.space != Space::Global)
    return fault(warp, op, mask, "out-of-bounds", "memory",
                 at.address[firstLane(mask)],
                 "expected generic addresses of global memory");
  Cta *cta = warp.cta;
  const StoreAsync *what = &store;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    IssueSite site(warp, op, i);
    uint64_t to = at.address[i];
    std::vector<uint8_t> data = valuesOf(warp, store, i);
    uint64_t token = 0;
    if (Monitor *monitor = cta->grid->monitor) {
      AsyncRange range{AccessKind::Write, Space::Global, uint8_t(i), to,
                       uint32_t(data.size())};
      AsyncIssue event;
      event.kind = AsyncKind::Release;
      event.reduces = store.reduce;
      event.isGeneric = true;
      event.scope = store.memory.scope;
      event.elementBytes = store.memory.bytes;
      event.ranges = range;
      token = monitor->asyncIssue(warp, op, 1u << i, event);
    }
    scheduleOrdered(*cta, [=] {
      uint8_t *target = bytesAt(*cta, Space::Global, to, data.size());
      std::string error = "asynchronous store out of bounds";
      if (target && !what->reduce)
        memcpy(target, data.data(), data.size());
      else if (!target || !reduceElements(what->reduceOp, what->type, target,
                                          data.data(), data.size(), error))
        asyncFault(*cta, site, "out-of-bounds", "global", to, error);
      finished(*cta, token);
    });
  }
  return Step::Next;
}

/// Operation and type of red.async; only the pairs that PTX has.
static bool reduction(Context &c, StoreAsync &store, Type &type) {
  if (!takeReduction(c, store.reduceOp))
    return false;
  type = c.takeType();
  ReduceOp op = store.reduceOp;
  bool bits = op == ReduceOp::And || op == ReduceOp::Or || op == ReduceOp::Xor;
  bool wraps = op == ReduceOp::Inc || op == ReduceOp::Dec;
  bool ok = bits                ? type == Type::B32
            : type == Type::S32 ? !wraps
            : type == Type::U64 ? op == ReduceOp::Add
                                : type == Type::U32;
  if (!ok)
    return c.fail("unsupported operation for this type");
  store.type = *reductionType(type);
  store.memory.bytes = ptx::sizeOf(type);
  return true;
}

/// The registers of operand 1.
static bool valueRows(Context &c, StoreAsync &store, Type type) {
  const Operand &values = c.operand(1);
  llvm::ArrayRef<Operand> elements = values;
  if (values.kind == Operand::Kind::Vector)
    elements = values.elements;
  if (elements.size() != store.memory.count)
    return c.fail("expected " + llvm::Twine(store.memory.count) + " values");
  for (unsigned k = 0; k < store.memory.count; ++k)
    if (!c.source(elements[k], type, store.memory.rows[k]))
      return false;
  return true;
}

/// The types of st.async to global memory.
static bool isReleased(Type type) {
  switch (type) {
  case Type::B8:
  case Type::B16:
  case Type::B32:
  case Type::B64:
  case Type::U8:
  case Type::U16:
  case Type::U32:
  case Type::U64:
  case Type::S8:
  case Type::S16:
  case Type::S32:
  case Type::S64:
  case Type::F32:
  case Type::F64:
    return true;
  default:
    return false;
  }
}

/// Behind .async: {.mmio}.release.scope{.global}. Qualifiers may come in any
/// order, as ptxas takes them.
static bool decodeReleaseAsync(Context &c, StoreAsync &store) {
  MemoryOp &memory = store.memory;
  memory.order = Order::Release;
  memory.observed = false;
  memory.kind = store.reduce ? AccessKind::Atomic : AccessKind::Write;
  c.take("mmio");
  int scope = c.takeOneOf({"gpu", "sys"});
  if (!c.take("release"))
    return c.fail("expected .release");
  if (scope < 0)
    scope = c.takeOneOf({"gpu", "sys"});
  if (scope < 0)
    return c.fail("expected .gpu or .sys");
  memory.scope = scope == 0 ? Scope::Gpu : Scope::Sys;
  memory.space = c.take("global") ? Space::Global : Space::None;
  if (store.reduce &&
      (!takeReduction(c, store.reduceOp) || store.reduceOp != ReduceOp::Add))
    return c.fail("expected .add");
  Type type = c.takeType();
  memory.bytes = ptx::sizeOf(type);
  bool sums = type == Type::U32 || type == Type::S32 || type == Type::U64 ||
              type == Type::S64;
  if (store.reduce && !sums)
    return c.fail("expected .u32, .s32, .u64 or .s64");
  if (!isReleased(type))
    return c.fail("expected .b, .u or .s of 8 to 64 bits, .f32 or .f64");
  if (store.reduce)
    store.type = *reductionType(type);
  Op out;
  if (!c.require(c.target().capability >= 100,
                 "asynchronous stores to global memory (sm_100)") ||
      !c.finishQualifiers() || !c.count(2) ||
      !memoryAddress(c, c.operand(0), memory, out) ||
      !valueRows(c, store, type))
    return false;
  out.run = runReleaseAsync;
  out.extra = c.function.keep(store);
  c.emit(out);
  return true;
}

bool fp8::emulator::decodeStoreAsync(Context &c, bool reduce) {
  StoreAsync store;
  store.reduce = reduce;
  for (llvm::StringRef word : {"mmio", "release"})
    if (llvm::is_contained(c.inst.qualifiers, word))
      return decodeReleaseAsync(c, store);
  store.memory.space = store.barrier.space = Space::Shared;
  if (!reduce)
    c.takeOneOf({"weak", "cluster"});
  else if (!c.take("relaxed") || !c.take("cluster"))
    return c.fail("expected .relaxed.cluster or .release");
  store.isGeneric = !c.take("shared::cluster");
  if (!c.take("mbarrier::complete_tx::bytes"))
    return c.fail("expected .mbarrier::complete_tx::bytes");
  Type type;
  if (reduce ? !reduction(c, store, type) : !takeVector(c, store.memory, type))
    return false;
  if (store.memory.bytes < 4 || store.memory.bytes * store.memory.count > 16)
    return c.fail(
        "expected one, two or four values of at least 32 and together "
        "at most 128 bits");
  Op out, signal;
  if (!c.require(c.target().hasTMA, "asynchronous stores") ||
      !c.finishQualifiers() || !c.count(3) ||
      !memoryAddress(c, c.operand(0), store.memory, out) ||
      !memoryAddress(c, c.operand(2), store.barrier, signal) ||
      !valueRows(c, store, type))
    return false;
  store.barrierRow = signal.a;
  store.barrierOffset = signal.imm;
  out.run = runStoreAsync;
  out.extra = c.function.keep(store);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// st.bulk
//===----------------------------------------------------------------------===//

/// The largest size that PTX allows.
static constexpr uint64_t MaxBulkBytes = 16777216;

/// b: the size.
static Step runStoreBulk(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  LanePointers at;
  computeAddresses(warp, op.a, memory.wide, op.imm, at.address);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t size = memory.registerBytes == 8 ? row<uint64_t>(warp, op.b)[i]
                                              : row<uint32_t>(warp, op.b)[i];
    if (size % 8 || size > MaxBulkBytes)
      return fault(warp, op, 1u << i, "out-of-bounds", "shared", at.address[i],
                   "expected a size that is a multiple of 8 and at most "
                   "16777216, found " +
                       std::to_string(size));
    if (!size)
      continue;
    if (!resolve(warp, op, 1u << i, memory, size, 8, at))
      return Step::Fault;
    if (at.space != Space::Shared ||
        ctaOfShared(*warp.cta, static_cast<uint32_t>(at.address[i])) !=
            warp.cta)
      return fault(warp, op, 1u << i, "out-of-bounds", "memory", at.address[i],
                   "expected shared memory of the block");
    memset(at.host[i], 0, size);
    ++warp.cta->cluster->progress;
  }
  return Step::Next;
}

bool fp8::emulator::decodeStoreBulk(Context &c) {
  MemoryOp memory;
  memory.kind = AccessKind::Write;
  c.take("weak");
  memory.space = c.take("shared::cta") ? Space::Shared : Space::None;
  Op out;
  int64_t value;
  if (!c.require(c.target().capability >= 100, "st.bulk (sm_100)") ||
      !c.finishQualifiers() || !c.count(3) ||
      !memoryAddress(c, c.operand(0), memory, out) ||
      !c.immediate(c.operand(2), value))
    return false;
  if (value != 0)
    return c.fail("expected the value 0");
  const Operand &size = c.operand(1);
  Symbol *symbol =
      size.kind == Operand::Kind::Name ? c.function.lookup(size.name) : nullptr;
  memory.registerBytes = symbol && ptx::sizeOf(symbol->type) == 4 ? 4 : 8;
  if (!c.source(size, memory.registerBytes == 4 ? Type::U32 : Type::U64, out.b))
    return false;
  out.run = runStoreBulk;
  out.extra = c.function.keep(memory);
  c.emit(out);
  return true;
}
