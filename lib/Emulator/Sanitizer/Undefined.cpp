//===- Undefined.cpp - values that nobody gave ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register is undefined per lane as a whole. It comes from a register that
// may be read before it is written, or from memory never written, and spreads
// through operations until a branch, an address or a store uses it. What
// exchanges values between lanes, and matrix products, give defined results
// here: such values are never reported wrongly, but some are lost.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "../Exec/Access.h"

using namespace fp8::emulator;
using llvm::StringRef;

void Sanitizer::startUndefined(WarpState &state) {
  Warp &warp = *state.warp;
  for (uint32_t row : warp.root->code->undefinedRows)
    state.undefined[row] = warp.alive;
  warp.tainted = !state.undefined.empty();
}

void Sanitizer::setUndefined(WarpState &state, uint32_t row, uint32_t mask,
                             uint32_t lanes) {
  auto found = state.undefined.find(row);
  if (found == state.undefined.end()) {
    if (lanes & mask)
      state.undefined[row] = lanes & mask;
    return;
  }
  found->second = (found->second & ~mask) | (lanes & mask);
  if (!found->second)
    state.undefined.erase(found);
}

/// Whether the result of an instruction does not follow from its own lane's
/// operands alone.
static bool crossesLanes(StringRef text) {
  for (const char *prefix :
       {"shfl", "vote", "match", "redux", "mma", "wgmma", "ldmatrix",
        "movmatrix", "tcgen05", "ld", "call", "activemask", "elect"})
    if (text.starts_with(prefix))
      return true;
  return false;
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

void Sanitizer::propagate(WarpState &state, const Op &op, uint32_t mask) {
  Warp &warp = *state.warp;
  if (warp.frame != warp.root.get())
    return;
  const OpInfo &info = fp8::emulator::infoOf(warp, op);
  StringRef text = info.text;
  auto lanesOf = [&](uint32_t row) {
    return row == NoRegister || (row & ConstantBit)
               ? 0u
               : state.undefined.lookup(row);
  };
  uint32_t guard = lanesOf(op.guard);
  if ((op.flags & BranchFlag) && (guard & warp.active))
    reportUndefined(state, op, guard & warp.active, "a branch");
  uint32_t from = guard & mask, address = 0;
  for (uint32_t row : info.addresses)
    address |= lanesOf(row) & mask;
  if (address)
    reportUndefined(state, op, address, "an address");
  if (text.starts_with("selp") && !(op.c & ConstantBit)) {
    uint32_t chosen = predicate(warp, op.c);
    from |=
        (chosen & lanesOf(op.a)) | (~chosen & lanesOf(op.b)) | lanesOf(op.c);
  } else {
    for (uint32_t row : info.reads)
      from |= lanesOf(row);
  }
  from &= mask;
  bool stores = text.starts_with("st.") || text.starts_with("red.") ||
                text.starts_with("atom.");
  if (stores && from && !text.contains(".local") && !text.contains(".param"))
    reportUndefined(state, op, from, "a store");
  if (crossesLanes(text) || stores)
    from = 0;
  for (uint32_t row : info.writes)
    setUndefined(state, row, mask, from);
  warp.tainted = !state.undefined.empty();
}

/// Bytes of a load that nobody wrote make the registers undefined.
void Sanitizer::loadUndefined(WarpState &state, const Op &op, unsigned lane,
                              uint64_t bytes) {
  Warp &warp = *state.warp;
  const OpInfo &info = fp8::emulator::infoOf(warp, op);
  if (warp.frame != warp.root.get() ||
      !StringRef(info.text).starts_with("ld.") ||
      StringRef(info.text).contains(".b128"))
    return;
  const auto &memory = op.as<MemoryOp>();
  for (unsigned k = 0; k < memory.count; ++k) {
    uint64_t part = ((uint64_t(1) << memory.bytes) - 1) << k * memory.bytes;
    if (!(bytes & part) || memory.rows[k] == NoRegister)
      continue;
    state.undefined[memory.rows[k]] |= 1u << lane;
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

/// The same for local memory of a lane.
uint64_t Sanitizer::undefinedLocal(WarpState &state, unsigned lane,
                                   uint64_t address, uint32_t bytes,
                                   bool writes) {
  Warp &warp = *state.warp;
  if (state.localDefined.empty())
    state.localDefined.resize(warp.local.size());
  uint8_t *at =
      state.localDefined.data() + size_t(lane) * warp.localStride + address;
  if (writes) {
    memset(at, 1, bytes);
    return 0;
  }
  uint64_t result = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    result |= uint64_t(!at[i]) << i;
  return result;
}
