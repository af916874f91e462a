//===- Memory.cpp - loads, stores, addresses and fences -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cache operators and eviction hints have no effect on values and are accepted
// by name; an unknown one is an error like any other qualifier.
//
//===----------------------------------------------------------------------===//

#include "MemoryFamily.h"
#include "StoreAsync.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

//===----------------------------------------------------------------------===//
// Qualifiers
//===----------------------------------------------------------------------===//

void fp8::emulator::takeSpace(Context &c, MemoryOp &memory) {
  if (c.take("global"))
    memory.space = Space::Global;
  else if (c.take("shared") || c.take("shared::cta") ||
           c.take("shared::cluster"))
    memory.space = Space::Shared;
  else if (c.take("local"))
    memory.space = Space::Local;
  else if (c.take("const"))
    memory.space = Space::Const;
  else if (c.take("param") || c.take("param::entry") || c.take("param::func"))
    memory.space = Space::Param;
}

void fp8::emulator::takeOrder(Context &c, MemoryOp &memory) {
  c.take("mmio"); // always with .relaxed.sys, which say what matters here
  int order = c.takeOneOf(
      {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"});
  constexpr Order orders[] = {Order::Weak,    Order::Volatile, Order::Relaxed,
                              Order::Acquire, Order::Release,  Order::AcqRel,
                              Order::Sc};
  if (order >= 0)
    memory.order = orders[order];
  int scope = c.takeOneOf({"cta", "cluster", "gpu", "sys"});
  constexpr Scope scopes[] = {Scope::Cta, Scope::Cluster, Scope::Gpu,
                              Scope::Sys};
  if (scope >= 0)
    memory.scope = scopes[scope];
  if (memory.order == Order::Volatile)
    memory.scope = Scope::Sys;
}

bool fp8::emulator::takeCacheHints(Context &c) {
  c.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  c.takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
               "L1::evict_last", "L1::no_allocate"});
  c.takeOneOf({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  c.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  return c.take("L2::cache_hint");
}

/// Checks the cache policy operand at `index`.
static bool cachePolicy(Context &c, bool hint, unsigned index) {
  uint32_t ignored;
  return !hint || c.source(c.operand(index), Type::B64, ignored);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

template <typename M>
static M fetch(const uint8_t *from) {
  M value;
  memcpy(&value, from, sizeof(M));
  return value;
}

/// Value of an element as its register holds it.
template <typename M>
static uint64_t extend(M value, const MemoryOp &memory) {
  if (!memory.isSigned)
    return value;
  auto wide = static_cast<uint64_t>(
      static_cast<int64_t>(static_cast<std::make_signed_t<M>>(value)));
  return memory.registerBytes == 8
             ? wide
             : wide & ((uint64_t(1) << (8 * memory.registerBytes)) - 1);
}

template <typename M, typename R>
static void loadElement(Warp &warp, uint32_t mask, const MemoryOp &memory,
                        const LanePointers &at, unsigned k) {
  R *d = destination<R>(warp, memory.rows[k]);
  unsigned skip = k * sizeof(M);
  if (mask == ~0u && !memory.isSigned) {
    if (sizeof(M) == sizeof(R) && at.contiguous && memory.count == 1) {
      memcpy(d, at.host[0], 32 * sizeof(M));
      return;
    }
    for (unsigned i = 0; i < 32; ++i)
      d[i] = fetch<M>(at.host[i] + skip);
    return;
  }
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = static_cast<R>(extend(fetch<M>(at.host[i] + skip), memory));
  }
}

template <typename M>
static Step runLoad(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  if (awaitsTurn(warp, op, mask, memory))
    return Step::Order;
  LanePointers at;
  if (!resolveOp(warp, op, mask, memory, at))
    return Step::Fault;
  for (unsigned k = 0; k < memory.count; ++k) {
    if (memory.rows[k] == NoRegister)
      continue;
    if (memory.registerBytes == 8)
      loadElement<M, uint64_t>(warp, mask, memory, at, k);
    else
      loadElement<M, uint32_t>(warp, mask, memory, at, k);
  }
  if (endTurn(warp) || (memory.order != Order::Weak && countPoll(warp)))
    return Step::Yield;
  return Step::Next;
}

static Step runLoad128(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  if (awaitsTurn(warp, op, mask, memory))
    return Step::Order;
  LanePointers at;
  if (!resolveOp(warp, op, mask, memory, at))
    return Step::Fault;
  for (unsigned k = 0; k < memory.count; ++k) {
    auto *d = destination<uint64_t>(warp, memory.rows[k]);
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned i = firstLane(left);
      d[i] = fetch<uint64_t>(at.host[i] + 16 * k);
      d[32 + i] = fetch<uint64_t>(at.host[i] + 16 * k + 8);
    }
  }
  return endTurn(warp) ? Step::Yield : Step::Next;
}

/// A kernel parameter: the same for all lanes.
template <typename M>
static Step runLoadParam(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  const Grid &grid = *warp.cta->grid;
  uint64_t size = uint64_t(sizeof(M)) * memory.count;
  if (op.imm < 0 || uint64_t(op.imm) + size > grid.params->size)
    return fault(warp, op, mask, "out-of-bounds", "param", op.imm,
                 "read beyond the kernel's parameters");
  const uint8_t *from = grid.params->bytes.get() + op.imm;
  for (unsigned k = 0; k < memory.count; ++k) {
    if (memory.rows[k] == NoRegister)
      continue;
    uint64_t value = extend(fetch<M>(from + k * sizeof(M)), memory);
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned i = firstLane(left);
      if (memory.registerBytes == 8)
        destination<uint64_t>(warp, memory.rows[k])[i] = value;
      else
        destination<uint32_t>(warp, memory.rows[k])[i] = value;
    }
  }
  return Step::Next;
}

static Handler loadHandler(unsigned bytes, bool isParam) {
  switch (bytes) {
  case 1:
    return isParam ? runLoadParam<uint8_t> : runLoad<uint8_t>;
  case 2:
    return isParam ? runLoadParam<uint16_t> : runLoad<uint16_t>;
  case 4:
    return isParam ? runLoadParam<uint32_t> : runLoad<uint32_t>;
  case 8:
    return isParam ? runLoadParam<uint64_t> : runLoad<uint64_t>;
  default:
    return runLoad128;
  }
}

bool fp8::emulator::takeVector(Context &c, MemoryOp &memory, Type &type) {
  int vector = c.takeOneOf({"v2", "v4", "v8"});
  memory.count = vector < 0 ? 1 : 2 << vector;
  type = c.takeType();
  memory.bytes = ptx::sizeOf(type);
  if (type == Type::None || type == Type::Pred)
    return c.fail("expected a type");
  if (memory.bytes * memory.count > 32)
    return c.fail("expected at most 32 bytes");
  memory.isSigned = type == Type::S8 || type == Type::S16 || type == Type::S32;
  return true;
}

bool fp8::emulator::memoryAddress(Context &c, const Operand &operand,
                                  MemoryOp &memory, Op &out) {
  int64_t offset;
  if (operand.kind == Operand::Kind::Address && operand.elements.size() > 1)
    return c.fail("expected an address without coordinates");
  if (!c.address(operand, memory.space, out.a, memory.wide, offset))
    return false;
  out.imm = offset;
  return true;
}

void fp8::emulator::noteAccess(Context &c, const MemoryOp &memory) {
  // Parameters and constants that are read are as good as registers.
  bool constant =
      memory.kind == AccessKind::Read &&
      (memory.space == Space::Param || memory.space == Space::Const);
  uint8_t reads =
      memory.kind == AccessKind::Write || constant ? 0 : ReadsMemory;
  uint8_t writes = memory.kind == AccessKind::Read ? 0 : WritesMemory;
  c.setEffects(reads | writes);
}

/// The registers of a vector operand, or the one register.
static llvm::ArrayRef<Operand> elementsOf(const Operand &operand,
                                          unsigned count) {
  if (operand.kind == Operand::Kind::Vector)
    return operand.elements;
  return llvm::ArrayRef<Operand>(&operand, count == 1 ? 1 : 0);
}

static bool decodeLoad(Context &c) {
  MemoryOp memory;
  takeOrder(c, memory);
  takeSpace(c, memory);
  markOrdered(memory);
  c.take("nc");
  bool hint = takeCacheHints(c);
  Type type;
  if (!takeVector(c, memory, type) || !c.finishQualifiers() ||
      !c.count(hint ? 3 : 2) || !cachePolicy(c, hint, 2))
    return false;
  Op out;
  noteAccess(c, memory);
  if (!memoryAddress(c, c.operand(1), memory, out))
    return false;
  llvm::ArrayRef<Operand> elements = elementsOf(c.operand(0), memory.count);
  if (elements.size() != memory.count)
    return c.fail("expected " + llvm::Twine(memory.count) + " registers");
  memory.registerBytes = memory.bytes;
  for (unsigned k = 0; k < memory.count; ++k) {
    if (elements[k].kind == Operand::Kind::Sink)
      continue;
    if (!c.destination(elements[k], memory.bytes, memory.rows[k], true))
      return false;
    memory.registerBytes =
        std::max<uint8_t>(memory.registerBytes, c.registerBytes(elements[k]));
  }
  for (unsigned k = 0; k < memory.count; ++k)
    if (memory.rows[k] != NoRegister && memory.bytes != 16 &&
        (c.registerBytes(elements[k]) == 8) != (memory.registerBytes == 8))
      return c.fail("expected registers of one size");
  bool isParam = out.a == ParamBaseRow;
  out.run = loadHandler(memory.bytes, isParam);
  out.extra = c.function.keep(memory);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// The bytes of the lanes, where it matters whether a store changes them: a
/// poll may see that.
static llvm::SmallVector<uint8_t, 0> contents(const Warp &warp, uint32_t mask,
                                              const MemoryOp &memory,
                                              const LanePointers &at) {
  llvm::SmallVector<uint8_t, 0> bytes;
  if (memory.order == Order::Weak && LLVM_LIKELY(!warp.cta->grid->probing))
    return bytes;
  if (at.space != Space::Local)
    for (uint32_t left = mask; left; left &= left - 1) {
      const uint8_t *from = at.host[firstLane(left)];
      bytes.append(from, from + memory.bytes * memory.count);
    }
  return bytes;
}

template <typename M>
static Step runStore(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  if (awaitsTurn(warp, op, mask, memory))
    return Step::Order;
  LanePointers at;
  if (!resolveOp(warp, op, mask, memory, at))
    return Step::Fault;
  auto before = contents(warp, mask, memory, at);
  for (unsigned k = 0; k < memory.count; ++k) {
    unsigned skip = k * sizeof(M);
    if constexpr (sizeof(M) == 8) {
      const auto *a = row<uint64_t>(warp, memory.rows[k]);
      for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = firstLane(left);
        memcpy(at.host[i] + skip, &a[i], 8);
      }
    } else {
      const auto *a = row<uint32_t>(warp, memory.rows[k]);
      if (sizeof(M) == 4 && at.contiguous && memory.count == 1) {
        memcpy(at.host[0], a, 128);
        continue;
      }
      for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = firstLane(left);
        auto value = static_cast<M>(a[i]);
        memcpy(at.host[i] + skip, &value, sizeof(M));
      }
    }
  }
  if (before != contents(warp, mask, memory, at))
    ++warp.cta->cluster->progress;
  return endTurn(warp) ? Step::Yield : Step::Next;
}

static Step runStore128(Warp &warp, const Op &op, uint32_t mask) {
  const auto &memory = op.as<MemoryOp>();
  if (awaitsTurn(warp, op, mask, memory))
    return Step::Order;
  LanePointers at;
  if (!resolveOp(warp, op, mask, memory, at))
    return Step::Fault;
  auto before = contents(warp, mask, memory, at);
  for (unsigned k = 0; k < memory.count; ++k) {
    const auto *a = row<uint64_t>(warp, memory.rows[k]);
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned i = firstLane(left);
      memcpy(at.host[i] + 16 * k, &a[i], 8);
      memcpy(at.host[i] + 16 * k + 8, &a[32 + i], 8);
    }
  }
  if (before != contents(warp, mask, memory, at))
    ++warp.cta->cluster->progress;
  return endTurn(warp) ? Step::Yield : Step::Next;
}

static bool decodeStore(Context &c) {
  if (c.take("async"))
    return decodeStoreAsync(c, false);
  if (c.take("bulk"))
    return decodeStoreBulk(c);
  MemoryOp memory;
  memory.kind = AccessKind::Write;
  takeOrder(c, memory);
  takeSpace(c, memory);
  markOrdered(memory);
  bool hint = takeCacheHints(c);
  Type type;
  if (!takeVector(c, memory, type) || !c.finishQualifiers() ||
      !c.count(hint ? 3 : 2) || !cachePolicy(c, hint, 2))
    return false;
  Op out;
  if (!memoryAddress(c, c.operand(0), memory, out))
    return false;
  llvm::ArrayRef<Operand> elements = elementsOf(c.operand(1), memory.count);
  if (elements.size() != memory.count)
    return c.fail("expected " + llvm::Twine(memory.count) + " values");
  for (unsigned k = 0; k < memory.count; ++k)
    if (!c.source(elements[k], type, memory.rows[k], true))
      return false;
  noteAccess(c, memory);
  switch (memory.bytes) {
  case 1:
    out.run = runStore<uint8_t>;
    break;
  case 2:
    out.run = runStore<uint16_t>;
    break;
  case 4:
    out.run = runStore<uint32_t>;
    break;
  case 8:
    out.run = runStore<uint64_t>;
    break;
  default:
    out.run = runStore128;
    break;
  }
  out.extra = c.function.keep(memory);
  c.emit(out);
  return true;
}

/// prefetch and prefetchu touch no value; the address is still decoded.
static bool decodePrefetch(Context &c) {
  MemoryOp memory;
  takeSpace(c, memory);
  bool isMap = c.take("tensormap");
  if (!isMap &&
      c.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"}) < 0)
    return c.fail("expected a cache level");
  Op out;
  c.setEffects();
  return c.finishQualifiers() && c.count(1) &&
         memoryAddress(c, c.operand(0), memory, out);
}

/// discard and applypriority are hints on global memory; discard makes the
/// bytes undefined, which the emulator shows by leaving them.
static bool decodeApplyPriority(Context &c) {
  MemoryOp memory;
  takeSpace(c, memory);
  if (c.inst.opcode == "discard") {
    if (!c.take("L2"))
      return c.fail("expected .L2");
  } else if (!c.take("L2::evict_normal")) {
    return c.fail("expected .L2::evict_normal");
  }
  Op out;
  int64_t size;
  c.setEffects();
  return c.finishQualifiers() && c.count(2) &&
         memoryAddress(c, c.operand(0), memory, out) &&
         c.immediate(c.operand(1), size);
}

/// createpolicy gives an opaque value that only hints use.
static bool decodeCreatePolicy(Context &c) {
  bool converts = c.take("cvt") && c.take("L2");
  if (!converts && !c.take("range") && !c.take("fractional"))
    return c.fail("expected .fractional, .range or .cvt.L2");
  c.take("global");
  c.takeOneOf({"L2::evict_last", "L2::evict_normal", "L2::evict_first",
               "L2::evict_unchanged"});
  c.takeOneOf({"L2::evict_first", "L2::evict_unchanged"});
  if (c.takeType() != Type::B64)
    return c.fail("expected .b64");
  if (!c.finishQualifiers() || !c.count(1, 4))
    return false;
  Op out;
  out.run = selectInteger(IntOp::Move, IntType::U64);
  out.a = c.function.constant(0, true);
  if (!c.destination(c.operand(0), 8, out.d))
    return false;
  c.setEffects();
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Address conversion
//===----------------------------------------------------------------------===//

/// aux: 1 adds the window in target (high half), 0 keeps the low 32 bits.
static Step runCvta(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint64_t>(warp, op.a);
  auto *d = destination<uint64_t>(warp, op.d);
  uint64_t window = uint64_t(op.target) << 32;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = op.aux ? window | static_cast<uint32_t>(a[i])
                  : static_cast<uint32_t>(a[i]);
  }
  return Step::Next;
}

static bool decodeCvta(Context &c) {
  bool to = c.take("to");
  MemoryOp memory;
  takeSpace(c, memory);
  Type type = c.takeType();
  if (memory.space == Space::None)
    return c.fail("expected a state space");
  if (ptx::sizeOf(type) != 8)
    return c.fail("expected .u64");
  Op out;
  if (!c.values(out, 8, type))
    return false;
  c.setEffects();
  bool windowed = memory.space == Space::Shared || memory.space == Space::Local;
  out.run = windowed ? runCvta : selectInteger(IntOp::Move, IntType::U64);
  out.aux = windowed ? !to : 0;
  out.target =
      (memory.space == Space::Shared ? SharedWindow : LocalWindow) >> 32;
  c.emit(out);
  return true;
}

/// aux: the space, with 1 for shared::cta (own CTA only).
static Step runIsSpace(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint64_t>(warp, op.a);
  auto space = static_cast<Space>(op.target);
  uint32_t bits = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    bool in = false;
    if (space == Space::Shared) {
      in = isSharedWindow(a[i]) &&
           (!op.aux ||
            static_cast<uint32_t>(a[i]) >> SharedRankShift == warp.cta->rank);
    } else if (space == Space::Local) {
      in = isLocalWindow(a[i]);
    } else {
      Allocation *found = warp.cta->grid->device->memory().find(a[i]);
      bool isParam = found && found == warp.cta->grid->params;
      bool isConst = found && found->readOnly && !isParam;
      in = space == Space::Param ? isParam
           : space == Space::Const
               ? isConst
               : !isSharedWindow(a[i]) && !isLocalWindow(a[i]) && !isParam;
    }
    bits |= uint32_t(in) << i;
  }
  setPredicate(warp, op.d, mask, bits);
  return Step::Next;
}

static bool decodeIsSpace(Context &c) {
  MemoryOp memory;
  Op out;
  for (llvm::StringRef q : c.inst.qualifiers)
    out.aux = q == "shared" || q == "shared::cta";
  takeSpace(c, memory);
  if (memory.space == Space::None)
    return c.fail("expected a state space");
  if (!c.finishQualifiers() || !c.count(2) ||
      !c.source(c.operand(1), Type::U64, out.a) ||
      !c.predicateDestination(c.operand(0), out.d))
    return false;
  c.setEffects();
  out.run = runIsSpace;
  out.target = static_cast<uint32_t>(memory.space);
  c.emit(out);
  return true;
}

/// d = address a in the CTA of rank b.
template <typename T>
static Step runMapa(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<T>(warp, op.a);
  const auto *b = row<uint32_t>(warp, op.b);
  auto *d = destination<T>(warp, op.d);
  size_t ranks = warp.cta->cluster->ctas.size();
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    if (b[i] >= ranks)
      return fault(warp, op, 1u << i, "out-of-bounds", "shared", a[i],
                   "mapa to rank " + std::to_string(b[i]) +
                       " of a cluster of " + std::to_string(ranks));
    T offset = a[i] & SharedOffsetMask;
    T window = op.aux ? static_cast<T>(SharedWindow) : T(0);
    d[i] = window | T(b[i]) << SharedRankShift | offset;
  }
  return Step::Next;
}

static bool decodeMapa(Context &c) {
  MemoryOp memory;
  takeSpace(c, memory);
  Type type = c.takeType();
  unsigned bytes = ptx::sizeOf(type);
  if (bytes != 4 && bytes != 8)
    return c.fail("expected .u32 or .u64");
  Op out;
  if (!c.require(c.target().hasClusters, "clusters") ||
      !c.values(out, bytes, {type, Type::U32}))
    return false;
  c.setEffects();
  out.run = bytes == 8 ? runMapa<uint64_t> : runMapa<uint32_t>;
  out.aux = memory.space == Space::None;
  c.emit(out);
  return true;
}

/// d = rank of the CTA that holds a.
template <typename T>
static Step runGetRank(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<T>(warp, op.a);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1)
    d[firstLane(left)] =
        static_cast<uint32_t>(a[firstLane(left)]) >> SharedRankShift;
  return Step::Next;
}

static bool decodeGetRank(Context &c) {
  MemoryOp memory;
  takeSpace(c, memory);
  Type type = c.takeType();
  unsigned bytes = ptx::sizeOf(type);
  if (bytes != 4 && bytes != 8)
    return c.fail("expected .u32 or .u64");
  Op out;
  if (!c.require(c.target().hasClusters, "clusters") || !c.values(out, 4, type))
    return false;
  c.setEffects();
  out.run = bytes == 8 ? runGetRank<uint64_t> : runGetRank<uint32_t>;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

/// Memory is sequentially consistent here; only the monitor sees fences.
static Step runFence(Warp &warp, const Op &op, uint32_t mask) {
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor)
    return Step::Next;
  std::array<uint64_t, 32> address;
  bool hasAddress = op.a != NoRegister;
  if (hasAddress)
    computeAddresses(warp, op.a, op.aux, op.imm, address);
  monitor->fence(
      warp, op,
      {op.as<std::string>(), mask, hasAddress ? address.data() : nullptr});
  return Step::Next;
}

/// With the address of a tensor map: a row, whether it is wide, an offset.
static bool emitFence(Context &c, const Op &address = Op()) {
  std::string kind;
  for (llvm::StringRef q : c.inst.qualifiers)
    kind += "." + q.str();
  Op out = address;
  out.run = runFence;
  out.extra = c.function.keep(c.inst.opcode.str() + kind);
  c.setEffects();
  c.emit(out);
  return true;
}

static bool decodeMembar(Context &c) {
  if (c.takeOneOf({"cta", "gl", "sys"}) < 0)
    return c.fail("expected .cta, .gl or .sys");
  return c.finishQualifiers() && c.count(0) && emitFence(c);
}

/// fence.proxy.*: the map operand of tensormap fences is decoded, too.
static bool decodeFenceProxy(Context &c) {
  if (c.take("async")) {
    c.takeOneOf({"global", "shared::cta", "shared::cluster"});
    return c.finishQualifiers() && c.count(0) && emitFence(c);
  }
  if (c.take("alias"))
    return c.finishQualifiers() && c.count(0) && emitFence(c);
  if (c.take("async::generic")) {
    if (c.takeOneOf({"acquire", "release"}) < 0 ||
        c.takeOneOf({"sync_restrict::shared::cta",
                     "sync_restrict::shared::cluster"}) < 0 ||
        !c.take("cluster"))
      return c.fail("expected .acquire or .release with .sync_restrict");
    return c.finishQualifiers() && c.count(0) && emitFence(c);
  }
  if (!c.take("tensormap::generic"))
    return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
  bool acquire = c.take("acquire");
  if (!acquire && !c.take("release"))
    return c.fail("expected .acquire or .release");
  MemoryOp memory;
  takeOrder(c, memory);
  if (!c.finishQualifiers() || !c.count(acquire ? 2 : 0))
    return false;
  Op address;
  int64_t size;
  if (acquire && (!memoryAddress(c, c.operand(0), memory, address) ||
                  !c.immediate(c.operand(1), size)))
    return false;
  address.aux = memory.wide;
  return emitFence(c, address);
}

static bool decodeFence(Context &c) {
  if (c.take("proxy"))
    return decodeFenceProxy(c);
  if (c.take("mbarrier_init")) {
    if (!c.take("release") || !c.take("cluster"))
      return c.fail("expected .release.cluster");
    return c.finishQualifiers() && c.count(0) && emitFence(c);
  }
  int order = c.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  c.takeOneOf({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
  int scope = c.takeOneOf({"cta", "cluster", "gpu", "sys"});
  if (order < -1 || scope < 0)
    return c.fail("expected a scope");
  return c.finishQualifiers() && c.count(0) && emitFence(c);
}

static const InstructionRow rows[] = {
    {"ld",
     "ld{.weak,.volatile,.relaxed,.acquire,.mmio}{.scope}{.space}{.nc}"
     "{.cache hints}{.v2,.v4,.v8}.type",
     "-", decodeLoad},
    {"ldu", "as ld", "-", decodeLoad},
    {"st",
     "st{.weak,.volatile,.relaxed,.release,.mmio}{.scope}{.space}"
     "{.cache hints}{.v2,.v4,.v8}.type; "
     "st.async{.weak,.cluster}{.shared::cluster}.mbarrier::complete_tx::bytes"
     "{.v2,.v4}.type; st.async{.mmio}.release.{gpu,sys}{.global}.type; "
     "st.bulk{.weak}{.shared::cta}",
     "-", decodeStore},
    {"prefetch", "prefetch{.space}{.tensormap}.{L1,L2} (no effect)", "-",
     decodePrefetch},
    {"prefetchu", "prefetchu.L1 (no effect)", "-", decodePrefetch},
    {"applypriority", "applypriority{.global}.L2::evict_normal (no effect)",
     "-", decodeApplyPriority},
    {"discard", "discard{.global}.L2 (the bytes keep their values)", "-",
     decodeApplyPriority},
    {"createpolicy", "createpolicy.{fractional,range,cvt} (an opaque value)",
     "-", decodeCreatePolicy},
    {"cvta", "cvta{.to}.space.u64", "-", decodeCvta},
    {"isspacep", "isspacep.space", "-", decodeIsSpace},
    {"mapa", "mapa{.shared::cluster}.{u32,u64}", "-", decodeMapa},
    {"getctarank", "getctarank{.shared::cluster}.{u32,u64}", "-",
     decodeGetRank},
    {"membar", "membar.{cta,gl,sys}", "-", decodeMembar},
    {"fence",
     "fence{.sc,.acq_rel,.acquire,.release}.scope; "
     "fence.mbarrier_init.release.cluster; fence.proxy.{alias,async,"
     "async.space,tensormap::generic,async::generic}",
     "-", decodeFence},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::memoryRows() { return rows; }
