//===- StoreAsync.cpp - st.async and red.async ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores and reductions of registers to the shared memory of a cluster that
// complete on an mbarrier there. The values are read when the instruction is
// issued; each lane's bytes arrive on their own, in an order drawn from the
// seed. The forms for global memory and mmio are refused.
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
    uint64_t value = bytes == 8 ? row<uint64_t>(warp, store.memory.rows[k])[i]
                                : row<uint32_t>(warp, store.memory.rows[k])[i];
    memcpy(data.data() + size_t(k) * bytes, &value, bytes);
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
  store.type = type == Type::S32   ? TensorType::S32
               : type == Type::U64 ? TensorType::U64
                                   : TensorType::U32;
  store.memory.bytes = ptx::sizeOf(type);
  return ok || c.fail("unsupported operation for this type");
}

bool fp8::emulator::decodeStoreAsync(Context &c, bool reduce) {
  StoreAsync store;
  store.reduce = reduce;
  store.memory.space = store.barrier.space = Space::Shared;
  if (!reduce)
    c.take("weak");
  else if (!c.take("relaxed") || !c.take("cluster"))
    return c.fail("expected .relaxed.cluster");
  c.take("shared::cluster");
  if (!c.take("mbarrier::complete_tx::bytes"))
    return c.fail("expected .mbarrier::complete_tx::bytes");
  Type type;
  if (reduce ? !reduction(c, store, type) : !takeVector(c, store.memory, type))
    return false;
  if (store.memory.bytes < 4 || store.memory.bytes > 8 ||
      store.memory.count > 4)
    return c.fail("expected one, two or four values of 32 or 64 bits");
  Op out, signal;
  if (!c.require(c.target().hasTMA, "asynchronous stores") ||
      !c.finishQualifiers() || !c.count(3) ||
      !memoryAddress(c, c.operand(0), store.memory, out) ||
      !memoryAddress(c, c.operand(2), store.barrier, signal))
    return false;
  const Operand &values = c.operand(1);
  llvm::ArrayRef<Operand> elements = values;
  if (values.kind == Operand::Kind::Vector)
    elements = values.elements;
  if (elements.size() != store.memory.count)
    return c.fail("expected " + llvm::Twine(store.memory.count) + " values");
  for (unsigned k = 0; k < store.memory.count; ++k)
    if (!c.source(elements[k], type, store.memory.rows[k]))
      return false;
  store.barrierRow = signal.a;
  store.barrierOffset = signal.imm;
  out.run = runStoreAsync;
  out.extra = c.function.keep(store);
  c.emit(out);
  return true;
}
