//===- Access.h - addresses to host memory ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every access of a warp instruction to memory goes through resolve(): it finds
// the bytes, checks bounds and alignment always, and shows the access to the
// monitor when there is one and the access is the warp's own.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_ACCESS_H
#define FP8_LIB_EMULATOR_EXEC_ACCESS_H

#include "Machine.h"

#include "fp8/Emulator/Monitor.h"

namespace fp8::emulator {

/// What the handlers of memory instructions know of their access.
struct MemoryOp {
  /// None: generic.
  ptx::Space space = ptx::Space::None;
  AccessKind kind = AccessKind::Read;
  Order order = Order::Weak;
  Scope scope = Scope::None;
  /// Bytes of an element in memory, and their number.
  uint8_t bytes = 4;
  uint8_t count = 1;
  /// Bytes of a register.
  uint8_t registerBytes = 4;
  bool isSigned = false;
  /// Blocks of other clusters can observe its order, where it touches global
  /// memory.
  bool ordered = false;
  /// Address register has 64 bits.
  bool wide = true;
  /// The access is the warp's own. One that an asynchronous unit makes later is
  /// only looked up now: the monitor sees the issue of its operation.
  bool observed = true;
  std::array<uint32_t, 8> rows = {NoRegister, NoRegister, NoRegister,
                                  NoRegister, NoRegister, NoRegister,
                                  NoRegister, NoRegister};
};

/// Addresses of the lanes and where their bytes are.
struct LanePointers {
  alignas(64) std::array<uint64_t, 32> address;
  std::array<uint8_t *, 32> host;
  /// Lane i's bytes follow lane i - 1's, for all 32 lanes.
  bool contiguous = false;
  /// Resolved space; None where the lanes have several.
  ptx::Space space = ptx::Space::Global;
};

/// Base row + offset, per lane.
void computeAddresses(const Warp &warp, uint32_t base, bool wide,
                      int32_t offset, std::array<uint64_t, 32> &out);

/// Fills out.host for the lanes of `mask`; each touches `bytes` bytes aligned
/// to `align`. False after a fault.
bool resolve(Warp &warp, const Op &op, uint32_t mask, const MemoryOp &memory,
             uint32_t bytes, uint32_t align, LanePointers &out);

/// Computes and resolves in one step, for op.a + op.imm.
inline bool resolveOp(Warp &warp, const Op &op, uint32_t mask,
                      const MemoryOp &memory, LanePointers &out) {
  computeAddresses(warp, op.a, memory.wide, op.imm, out.address);
  uint32_t bytes = uint32_t(memory.bytes) * memory.count;
  return resolve(warp, op, mask, memory, bytes, bytes, out);
}

/// The CTA of this one's cluster that holds a shared address, or null.
Cta *ctaOfShared(Cta &cta, uint32_t address);

/// `bytes` at a shared address of the cluster, or null when out of bounds.
uint8_t *sharedBytes(Cta &cta, uint32_t address, uint64_t bytes);

/// A generic address inside the shared window.
inline bool isSharedWindow(uint64_t address) {
  return (address >> 32) == (SharedWindow >> 32);
}
inline bool isLocalWindow(uint64_t address) {
  return (address >> 32) == (LocalWindow >> 32);
}

/// A globally ordered operation on global memory whose turn has not come.
bool awaitsTurn(const Warp &warp, const Op &op, uint32_t mask,
                const MemoryOp &memory);

/// Sets MemoryOp::ordered: strong operations of gpu or wider scope.
inline void markOrdered(MemoryOp &memory) {
  memory.ordered =
      (memory.order != Order::Weak || memory.kind == AccessKind::Atomic) &&
      memory.scope >= Scope::Gpu &&
      (memory.space == ptx::Space::Global || memory.space == ptx::Space::None);
}

/// Counts a poll: true when the split should give way.
inline bool countPoll(Warp &warp) {
  if (++warp.polls < 16)
    return false;
  warp.polls = 0;
  return true;
}

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_ACCESS_H
