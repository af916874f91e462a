//===- Atomic.cpp - atom and red ------------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of a warp go in lane order; warps in the order that the seed draws: for
// an operation of gpu or wider scope on global memory a warp waits for its
// turn.
//
//===----------------------------------------------------------------------===//

#include "MemoryFamily.h"
#include "StoreAsync.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {
enum class AtomicOp : uint8_t {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  Exch,
  Cas
};

struct AtomicCall {
  MemoryOp memory;
  AtomicOp op;
  Type type;
  std::array<uint32_t, 8> sources; ///< b
  uint32_t compare = NoRegister;   ///< of cas
  bool ftz = false;
};
} // namespace

template <typename T>
static T combine(AtomicOp op, T old, T value) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case AtomicOp::Add:
    return static_cast<T>(U(old) + U(value));
  case AtomicOp::Min:
    return std::min(old, value);
  case AtomicOp::Max:
    return std::max(old, value);
  case AtomicOp::And:
    return old & value;
  case AtomicOp::Or:
    return old | value;
  case AtomicOp::Xor:
    return old ^ value;
  case AtomicOp::Inc:
    return U(old) >= U(value) ? T(0) : static_cast<T>(old + 1);
  case AtomicOp::Dec:
    return old == 0 || U(old) > U(value) ? value : static_cast<T>(old - 1);
  case AtomicOp::Exch:
  case AtomicOp::Cas:
    return value;
  }
  return value;
}

/// New value of a memory cell of `call.type`.
static uint64_t update(const AtomicCall &call, uint64_t old, uint64_t value) {
  if (std::optional<FloatType> kind = floatType(call.type)) {
    if (call.op == AtomicOp::Exch || call.op == AtomicOp::Cas)
      return value;
    FloatMode mode;
    mode.ftz = call.ftz;
    FloatOp op = call.op == AtomicOp::Add   ? FloatOp::Add
                 : call.op == AtomicOp::Min ? FloatOp::Min
                                            : FloatOp::Max;
    return evaluate(op, *kind, mode, old, value);
  }
  switch (call.type) {
  case Type::S32:
    return static_cast<uint32_t>(combine<int32_t>(call.op, old, value));
  case Type::S64:
    return combine<int64_t>(call.op, old, value);
  case Type::B16:
  case Type::U16:
    return combine<uint16_t>(call.op, old, value);
  case Type::B64:
  case Type::U64:
    return combine<uint64_t>(call.op, old, value);
  default:
    return combine<uint32_t>(call.op, old, value);
  }
}

static uint64_t readRow(const Warp &warp, uint32_t operand, unsigned bytes,
                        unsigned lane) {
  return bytes == 8 ? row<uint64_t>(warp, operand)[lane]
                    : row<uint32_t>(warp, operand)[lane];
}

static Step runAtomic128(Warp &warp, const AtomicCall &call,
                         const LanePointers &at, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t old[2], value[2];
    memcpy(old, at.host[i], 16);
    for (unsigned h = 0; h < 2; ++h)
      value[h] = row<uint64_t>(warp, call.sources[0])[32 * h + i];
    bool swap = true;
    if (call.op == AtomicOp::Cas)
      for (unsigned h = 0; h < 2; ++h)
        swap &= old[h] == row<uint64_t>(warp, call.compare)[32 * h + i];
    if (swap && memcmp(old, value, 16) != 0) {
      memcpy(at.host[i], value, 16);
      ++warp.cta->cluster->progress;
    }
    if (call.memory.rows[0] != NoRegister)
      for (unsigned h = 0; h < 2; ++h)
        destination<uint64_t>(warp, call.memory.rows[0])[32 * h + i] = old[h];
  }
  return endTurn(warp) || countPoll(warp) ? Step::Yield : Step::Next;
}

static Step runAtomic(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<AtomicCall>();
  const MemoryOp &memory = call.memory;
  if (awaitsTurn(warp, op, mask, memory))
    return Step::Order;
  LanePointers at;
  if (!resolveOp(warp, op, mask, memory, at))
    return Step::Fault;
  bool changed = false;
  if (memory.bytes == 16)
    return runAtomic128(warp, call, at, mask);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    for (unsigned k = 0; k < memory.count; ++k) {
      uint8_t *cell = at.host[i] + k * memory.bytes;
      uint64_t old = 0;
      memcpy(&old, cell, memory.bytes);
      uint64_t value = readRow(warp, call.sources[k], memory.bytes, i);
      uint64_t result = update(call, old, value);
      if (call.op == AtomicOp::Cas &&
          old !=
              (readRow(warp, call.compare, memory.bytes, i) &
               (memory.bytes == 8 ? ~uint64_t(0)
                                  : (uint64_t(1) << (8 * memory.bytes)) - 1)))
        result = old;
      changed |= memcmp(&result, &old, memory.bytes) != 0;
      memcpy(cell, &result, memory.bytes);
      if (memory.rows[k] == NoRegister)
        continue;
      if (memory.bytes == 8)
        destination<uint64_t>(warp, memory.rows[k])[i] = old;
      else
        destination<uint32_t>(warp, memory.rows[k])[i] = old;
    }
  }
  if (changed)
    ++warp.cta->cluster->progress;
  return endTurn(warp) || countPoll(warp) ? Step::Yield : Step::Next;
}

/// Which operations exist for a type.
static bool isLegal(AtomicOp op, Type type, unsigned count) {
  bool isFloat = floatType(type).has_value();
  bool bits = type == Type::B32 || type == Type::B64;
  switch (op) {
  case AtomicOp::Add:
    return isFloat || type == Type::U32 || type == Type::S32 ||
           type == Type::U64;
  case AtomicOp::Min:
  case AtomicOp::Max:
    return type == Type::U32 || type == Type::S32 || type == Type::U64 ||
           type == Type::S64 ||
           (isFloat && type != Type::F64 && (type != Type::F32 || count > 1));
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    return bits;
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return type == Type::U32;
  case AtomicOp::Exch:
    return bits || type == Type::B128;
  case AtomicOp::Cas:
    return bits || type == Type::B16 || type == Type::B128;
  }
  return false;
}

static bool decodeAtomic(Context &c, bool hasResult) {
  AtomicCall call;
  MemoryOp &memory = call.memory;
  memory.kind = AccessKind::Atomic;
  memory.order = Order::Relaxed;
  memory.scope = Scope::Gpu;
  takeOrder(c, memory);
  takeSpace(c, memory);
  markOrdered(memory);
  bool hint = c.take("L2::cache_hint");
  int which = c.takeOneOf(
      {"add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"});
  if (which < 0)
    return c.fail("expected an operation");
  call.op = static_cast<AtomicOp>(which);
  bool noftz = c.take("noftz");
  if (!takeVector(c, memory, call.type))
    return false;
  if (!isLegal(call.op, call.type, memory.count))
    return c.fail("unsupported operation for this type");
  // PTX: .f32 additions on global memory flush subnormals.
  call.ftz = call.type == Type::F32 && memory.space != Space::Shared && !noftz;
  unsigned first = hasResult ? 1 : 0;
  bool isCas = call.op == AtomicOp::Cas;
  if (!c.finishQualifiers() || !c.count(first + 2 + isCas + hint))
    return false;
  Op out;
  if (!memoryAddress(c, c.operand(first), memory, out))
    return false;
  if (isCas && !c.source(c.operand(first + 1), call.type, call.compare))
    return false;
  auto vector = [&](const Operand &operand) -> llvm::ArrayRef<Operand> {
    if (operand.kind == Operand::Kind::Vector)
      return operand.elements;
    return operand;
  };
  llvm::ArrayRef<Operand> values = vector(c.operand(first + 1 + isCas));
  if (values.size() != memory.count)
    return c.fail("expected " + llvm::Twine(memory.count) + " values");
  for (unsigned k = 0; k < memory.count; ++k)
    if (!c.source(values[k], call.type, call.sources[k]))
      return false;
  if (hasResult && c.operand(0).kind != Operand::Kind::Sink) {
    llvm::ArrayRef<Operand> results = vector(c.operand(0));
    if (results.size() != memory.count)
      return c.fail("expected " + llvm::Twine(memory.count) + " results");
    for (unsigned k = 0; k < memory.count; ++k)
      if (!c.destination(results[k], memory.bytes, memory.rows[k]))
        return false;
  }
  noteAccess(c, memory);
  out.run = runAtomic;
  out.extra = c.function.keep(call);
  c.emit(out);
  return true;
}

static bool decodeAtom(Context &c) { return decodeAtomic(c, true); }
static bool decodeRed(Context &c) {
  if (c.take("async"))
    return decodeStoreAsync(c, true);
  return decodeAtomic(c, false);
}

static const InstructionRow rows[] = {
    {"atom",
     "atom{.sem}{.scope}{.space}.{add,min,max,and,or,xor,inc,dec,exch,"
     "cas}{.noftz}{.L2::cache_hint}{.v2,.v4,.v8}.{u32,s32,u64,s64,b16,"
     "b32,b64,b128,f16,f16x2,bf16,bf16x2,f32,f64}",
     "hardware", decodeAtom},
    {"red",
     "as atom, without result; red.async.relaxed.cluster{.shared::cluster}"
     ".mbarrier::complete_tx::bytes.{inc,dec,min,max,add,and,or,xor}."
     "{u32,s32,u64,b32}; red.async{.mmio}.release.{gpu,sys}{.global}.add."
     "{u32,s32,u64,s64}",
     "hardware", decodeRed},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::atomicRows() { return rows; }
