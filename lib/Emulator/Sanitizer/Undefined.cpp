//===- Undefined.cpp - values that nobody gave ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register is undefined per lane as a whole; single bytes are known where
// prmt, mov (a vector's elements, too), selp and and make them, since LLVM
// fills a vector's unused bytes with registers that nobody wrote. It comes from
// a register that may be read before it is written, or from memory never
// written, and spreads through operations (products: UndefinedProducts.cpp),
// calls and returns until a branch, an address or a store uses it. What
// exchanges values between lanes gives defined results here, but for shuffles:
// such values are never reported wrongly, some are lost.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "../Exec/Access.h"
#include "../Exec/Move.h"
#include "../Exec/Shuffle.h"

#include "llvm/ADT/STLExtras.h"

using namespace fp8::emulator;
using llvm::StringRef;

/// Lanes of `mask` enter a frame.
void Sanitizer::startUndefined(WarpState &state, const Frame &frame,
                               uint32_t mask) {
  // What an earlier call left in the same frame is gone.
  llvm::SmallVector<uint32_t, 8> old;
  for (auto &[where, lanes] : state.undefined)
    if (where.first == &frame)
      old.push_back(where.second);
  for (uint32_t row : old)
    setUndefined(state, &frame, row, mask, 0);
  for (uint32_t row : frame.code->undefinedRows)
    setUndefined(state, &frame, row, mask, mask);
  state.warp->tainted = !state.undefined.empty();
}

uint32_t Sanitizer::undefinedLanes(WarpState &state, const Frame *frame,
                                   uint32_t row) {
  if (row == NoRegister || (row & ConstantBit))
    return 0;
  return state.undefined.lookup({frame, row});
}

void Sanitizer::setUndefined(WarpState &state, const Frame *frame, uint32_t row,
                             uint32_t mask, uint32_t lanes) {
  auto bytes = state.undefinedBytes.find({frame, row});
  if (bytes != state.undefinedBytes.end()) {
    uint32_t left = 0;
    for (uint32_t &byte : bytes->second) {
      byte = (byte & ~mask) | (lanes & mask);
      left |= byte;
    }
    if (!left)
      state.undefinedBytes.erase(bytes);
  }
  auto found = state.undefined.find({frame, row});
  if (found == state.undefined.end()) {
    if (lanes & mask)
      state.undefined[{frame, row}] = lanes & mask;
    return;
  }
  found->second = (found->second & ~mask) | (lanes & mask);
  if (!found->second)
    state.undefined.erase(found);
}

/// The lanes for each byte of a row.
ByteLanes Sanitizer::undefinedBytes(WarpState &state, const Frame *frame,
                                    uint32_t row) {
  uint32_t all = undefinedLanes(state, frame, row);
  auto found = state.undefinedBytes.find({frame, row});
  if (all && found != state.undefinedBytes.end())
    return found->second;
  ByteLanes every;
  every.fill(all);
  return every;
}

/// Sets which bytes of the lanes of `mask` are undefined.
void Sanitizer::setUndefinedBytes(WarpState &state, const Frame *frame,
                                  uint32_t row, uint32_t mask,
                                  const ByteLanes &bytes) {
  ByteLanes merged = undefinedBytes(state, frame, row);
  uint32_t any = 0;
  for (unsigned i = 0; i < merged.size(); ++i) {
    merged[i] = (merged[i] & ~mask) | (bytes[i] & mask);
    any |= merged[i];
  }
  setUndefined(state, frame, row, mask, any);
  if (any)
    state.undefinedBytes[{frame, row}] = merged;
}

/// Bytes of the result of an instruction that moves bytes, chooses or masks
/// them; false for any other.
bool Sanitizer::bytewise(WarpState &state, const Op &op, StringRef text,
                         ByteLanes &result) {
  const Warp &warp = *state.warp;
  if (text.starts_with("mov.")) {
    result = undefinedBytes(state, warp.frame, op.a);
    return true;
  }
  bool permutes = text == "prmt.b32", selects = text.starts_with("selp.");
  bool masks = text == "and.b32" || text == "and.b64";
  if ((!permutes && !masks && !selects) ||
      (!masks && undefinedLanes(state, warp.frame, op.c)) ||
      (selects && (op.c & ConstantBit)))
    return false;
  ByteLanes a = undefinedBytes(state, warp.frame, op.a);
  ByteLanes b = undefinedBytes(state, warp.frame, op.b);
  if (selects) {
    uint32_t chosen = predicate(warp, op.c);
    for (auto [to, x, y] : llvm::zip_equal(result, a, b))
      to = (chosen & x) | (~chosen & y);
    return true;
  }
  unsigned size = text.ends_with("64") ? 8 : 4;
  auto valueOf = [&](uint32_t number, unsigned lane) -> uint64_t {
    return size == 8 ? row<uint64_t>(warp, number)[lane]
                     : row<uint32_t>(warp, number)[lane];
  };
  result = {};
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < size; ++i) {
      bool undefined;
      if (permutes) {
        unsigned from = valueOf(op.c, lane) >> (4 * i) & 7;
        const ByteLanes &source = from < 4 ? a : b;
        undefined = source[from % 4] >> lane & 1;
      } else {
        bool x = a[i] >> lane & 1, y = b[i] >> lane & 1;
        bool zeroX = !x && !(valueOf(op.a, lane) >> (8 * i) & 0xff);
        bool zeroY = !y && !(valueOf(op.b, lane) >> (8 * i) & 0xff);
        undefined = (x || y) && !zeroX && !zeroY;
      }
      result[i] |= uint32_t(undefined) << lane;
    }
  return true;
}

/// A move between a register and its elements: each byte keeps its own mark.
void Sanitizer::moveElements(WarpState &state, const Op &op,
                             const VectorMove &move, uint32_t mask) {
  const Frame *frame = state.warp->frame;
  if (op.d == NoRegister) {
    // A copy: an element may be the register itself.
    ByteLanes whole = undefinedBytes(state, frame, op.a);
    for (auto [k, row] : llvm::enumerate(move.rows)) {
      if (row == NoRegister)
        continue;
      ByteLanes part = {};
      for (unsigned i = 0; i < move.bytes; ++i)
        part[i] = whole[k * move.bytes + i];
      setUndefinedBytes(state, frame, row, mask, part);
    }
    return;
  }
  ByteLanes whole = {};
  for (auto [k, row] : llvm::enumerate(move.rows)) {
    ByteLanes part = undefinedBytes(state, frame, row);
    for (unsigned i = 0; i < move.bytes; ++i)
      whole[k * move.bytes + i] = part[i];
  }
  setUndefinedBytes(state, frame, op.d, mask, whole);
}

/// Whether the result of an instruction does not follow from its own lane's
/// operands alone.
static bool crossesLanes(StringRef text) {
  for (const char *prefix : {"vote", "match", "redux", "ldmatrix", "movmatrix",
                             "tcgen05", "ld", "activemask", "elect"})
    if (text.starts_with(prefix))
      return true;
  return false;
}

/// Whether others see what an instruction does, besides its results.
static bool hasEffect(StringRef text) {
  for (const char *prefix :
       {"st", "red.", "atom.", "cp.", "mbarrier", "bar", "fence", "wgmma",
        "tcgen05", "exit", "setmaxnreg", "tensormap"})
    if (text.starts_with(prefix))
      return true;
  return false;
}

/// Whether all registers that an instruction reads say what it does: sizes,
/// counts, coordinates, descriptors. Data are none of them.
static bool isSteered(StringRef text) {
  // Reductions over the threads of a barrier take a predicate.
  if (text.contains(".red."))
    return text.starts_with("cp.");
  for (const char *prefix :
       {"cp.", "mbarrier", "bar.", "barrier.", "tcgen05.mma", "tcgen05.cp",
        "tcgen05.alloc", "tcgen05.dealloc", "tcgen05.commit", "tensormap",
        "st.bulk"})
    if (text.starts_with(prefix))
      return true;
  return false;
}

/// Lanes that a shuffle gives a value of `undefined` lanes.
static uint32_t shuffled(const Warp &warp, const Op &op, uint32_t undefined) {
  const auto *b = row<uint32_t>(warp, op.b);
  const auto *c = row<uint32_t>(warp, op.c);
  uint32_t result = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    bool inside = false;
    unsigned from = shuffleSource(static_cast<Shuffle>(op.aux), lane, b[lane],
                                  c[lane], inside);
    result |= (undefined >> from & 1) << lane;
  }
  return result;
}

void Sanitizer::reportUndefined(WarpState &state, const Op &op, uint32_t lanes,
                                const char *what) {
  Touch self = touch(state, op, firstLane(lanes));
  Touch from = state.undefinedFrom;
  report("uninitialised", CheckLevel::Error, "registers", 0, from ? from : self,
         from ? self : Touch(),
         std::string(what) +
             " depends on a value that was never written: expected a write "
             "of the register or memory before it is read");
}

/// Who executes an instruction together with whom, and who waits for whom.
void Sanitizer::memberMask(Warp &warp, const Op &op, uint32_t mask) {
  WarpState &state = stateOf(warp);
  uint32_t where = fp8::emulator::infoOf(warp, op).memberMask;
  if (uint32_t lanes = undefinedLanes(state, warp.frame, where) & mask)
    reportUndefined(state, op, lanes, "a member mask");
}

void Sanitizer::propagate(WarpState &state, const Op &op, uint32_t mask) {
  Warp &warp = *state.warp;
  const OpInfo &info = fp8::emulator::infoOf(warp, op);
  StringRef text = info.text;
  // Calls hand over values by themselves (callValues).
  if (text.starts_with("call") || text.starts_with("ret"))
    return;
  auto lanesOf = [&](uint32_t row) {
    return undefinedLanes(state, warp.frame, row);
  };
  uint32_t guard = lanesOf(op.guard) & warp.active;
  if (guard && ((op.flags & BranchFlag) || hasEffect(text)))
    reportUndefined(state, op, guard,
                    (op.flags & BranchFlag) ? "a branch" : "a guard");
  // Written or not, the result has no value.
  uint32_t from = guard, address = 0;
  for (uint32_t row : info.addresses)
    address |= lanesOf(row) & mask;
  if (address)
    reportUndefined(state, op, address, "an address");
  // Other instructions with one come to memberMask before their lanes wait.
  if (text.starts_with("bar.warp"))
    memberMask(warp, op, mask);
  if (text.starts_with("mma") || text.starts_with("wgmma")) {
    propagateProduct(state, op, mask);
    warp.tainted = !state.undefined.empty();
    return;
  }
  if (text.starts_with("selp") && !(op.c & ConstantBit)) {
    uint32_t chosen = predicate(warp, op.c);
    from |=
        (chosen & lanesOf(op.a)) | (~chosen & lanesOf(op.b)) | lanesOf(op.c);
  } else {
    for (uint32_t row : info.reads)
      from |= lanesOf(row);
  }
  from &= mask | guard;
  if ((from & mask) && isSteered(text) && !text.starts_with("bar.warp"))
    reportUndefined(state, op, from & mask, "an operand");
  const VectorMove *move = vectorMove(op);
  if (move && from && !guard) {
    moveElements(state, op, *move, mask);
    warp.tainted = !state.undefined.empty();
    return;
  }
  ByteLanes bytes;
  if (from && !guard && info.writes.size() == 1 &&
      bytewise(state, op, text, bytes)) {
    setUndefinedBytes(state, warp.frame, info.writes[0], mask, bytes);
    warp.tainted = !state.undefined.empty();
    return;
  }
  bool stores = text.starts_with("st.") || text.starts_with("red.") ||
                text.starts_with("atom.");
  if (stores && (from & mask) && !text.contains(".local") &&
      !text.contains(".param"))
    reportUndefined(state, op, from, "a store");
  if (text.starts_with("shfl"))
    from = shuffled(warp, op, lanesOf(op.a)) & mask;
  else if (crossesLanes(text) || stores)
    from = 0;
  for (uint32_t row : info.writes) {
    setUndefined(state, warp.frame, row, mask | (from & guard), from);
    // The predicate of a shuffle does not depend on values.
    if (text.starts_with("shfl"))
      from = 0;
  }
  warp.tainted = !state.undefined.empty();
}

/// Bytes of a load that nobody wrote make the registers undefined.
void Sanitizer::loadUndefined(WarpState &state, const Op &op, unsigned lane,
                              uint64_t bytes) {
  Warp &warp = *state.warp;
  const OpInfo &info = fp8::emulator::infoOf(warp, op);
  if (!StringRef(info.text).starts_with("ld.") ||
      StringRef(info.text).contains(".b128"))
    return;
  const auto &memory = op.as<MemoryOp>();
  for (unsigned k = 0; k < memory.count; ++k) {
    uint64_t part = ((uint64_t(1) << memory.bytes) - 1) << k * memory.bytes;
    if (!(bytes & part) || memory.rows[k] == NoRegister)
      continue;
    setUndefined(state, warp.frame, memory.rows[k], 1u << lane, 1u << lane);
    state.undefinedFrom = touch(state, op, lane);
    warp.tainted = true;
  }
}

/// Which of the bytes at a global address were never written; with `writes`
/// they are from now on.
uint64_t Sanitizer::undefinedGlobal(Allocation &allocation, uint64_t address,
                                    uint32_t bytes, bool writes) {
  if (!allocation.startsUndefined || !allocation.contains(address, bytes))
    return 0;
  if (allocation.defined.empty())
    allocation.defined.resize(allocation.size);
  uint8_t *at = allocation.defined.data() + (address - allocation.base);
  if (writes) {
    memset(at, 1, bytes);
    return 0;
  }
  uint64_t result = 0;
  for (uint32_t i = 0; i < bytes && i < 64; ++i)
    result |= uint64_t(!at[i]) << i;
  return result;
}

/// The marks of a lane's local memory, which grows with the depth of calls.
static uint8_t *localMarks(WarpState &state, unsigned lane) {
  const Warp &warp = *state.warp;
  if (state.localStride != warp.localStride) {
    std::vector<uint8_t> grown(size_t(warp.localStride) * 32);
    for (unsigned i = 0; i < 32 && state.localStride; ++i)
      memcpy(grown.data() + size_t(i) * warp.localStride,
             state.localDefined.data() + size_t(i) * state.localStride,
             state.localStride);
    state.localDefined = std::move(grown);
    state.localStride = warp.localStride;
  }
  return state.localDefined.data() + size_t(lane) * state.localStride;
}

/// The same for local memory of a lane.
uint64_t Sanitizer::undefinedLocal(WarpState &state, unsigned lane,
                                   uint64_t address, uint32_t bytes,
                                   bool writes) {
  uint8_t *at = localMarks(state, lane) + address;
  if (writes) {
    memset(at, 1, bytes);
    return 0;
  }
  uint64_t result = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    result |= uint64_t(!at[i]) << i;
  return result;
}

void Sanitizer::callValues(Warp &warp, const Op &op, uint32_t mask,
                           const Frame &from, const Frame &to, bool returns,
                           llvm::ArrayRef<CallValue> values) {
  WarpState &state = stateOf(warp);
  if (!returns)
    startUndefined(state, to, mask);
  for (const CallValue &value : values) {
    uint32_t lanes =
        value.fromRegister ? undefinedLanes(state, &from, value.from) : 0;
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned lane = firstLane(left);
      uint8_t *marks = localMarks(state, lane);
      if (value.fromRegister) {
        if (!value.toRegister)
          memset(marks + value.to, !(lanes >> lane & 1), value.bytes);
        continue;
      }
      const uint8_t *given = marks + value.from;
      if (!value.toRegister)
        memmove(marks + value.to, given, value.bytes);
      else if (std::find(given, given + value.bytes, 0) != given + value.bytes)
        lanes |= 1u << lane;
    }
    if (value.toRegister)
      setUndefined(state, &to, value.to, mask, lanes);
  }
  warp.tainted = !state.undefined.empty();
}

/// A store to local memory hands on values that nobody gave.
void Sanitizer::storeUndefined(WarpState &state, const Op &op, unsigned lane,
                               uint64_t address) {
  Warp &warp = *state.warp;
  StringRef text = fp8::emulator::infoOf(warp, op).text;
  if (!text.starts_with("st.") || text.contains(".b128"))
    return;
  const auto &memory = op.as<MemoryOp>();
  uint8_t *marks = localMarks(state, lane) + address;
  for (unsigned k = 0; k < memory.count; ++k)
    if (undefinedLanes(state, warp.frame, memory.rows[k]) >> lane & 1)
      memset(marks + k * memory.bytes, 0, memory.bytes);
}
