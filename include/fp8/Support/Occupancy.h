//===- Occupancy.h - blocks that a multiprocessor holds ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's answers about occupancy and the blocks that the emulator keeps
// resident follow from the same counts, and so are computed in one place.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_SUPPORT_OCCUPANCY_H
#define FP8_SUPPORT_OCCUPANCY_H

#include "fp8/Support/DeviceLimits.h"

#include <algorithm>

namespace fp8::support {

/// What the blocks of a multiprocessor share; shared memory in bytes.
struct SMResources {
  uint64_t threads, blocks, sharedBytes;
};

inline uint64_t roundUp(uint64_t value, uint64_t step) {
  return (value + step - 1) / step * step;
}

/// Threads for which a block of `threads` threads takes registers: whole warps,
/// spread over four register files.
inline uint64_t threadsWithRegisters(uint64_t threads) {
  return roundUp(threads, 32 * 4);
}

/// Registers of a thread come in steps of 8.
inline constexpr uint64_t RegisterStep = 8;

/// 32-bit registers that a block of `threads` threads takes, each with
/// `perThread`.
inline uint64_t blockRegisters(uint64_t threads, uint64_t perThread) {
  return threadsWithRegisters(threads) * roundUp(perThread, RegisterStep);
}

/// Blocks that one multiprocessor holds at once; 0 when not even one fits.
/// `sharedBytes`: of a block, static and dynamic. `perThread`: registers of a
/// thread; 0: not known.
inline uint64_t residentBlocks(const SMResources &sm, uint64_t threads,
                               uint64_t sharedBytes, uint64_t perThread) {
  uint64_t whole = std::max<uint64_t>(32, roundUp(threads, 32));
  uint64_t blocks =
      std::min({sm.blocks, sm.threads / whole,
                sm.sharedBytes / (sharedBytes + ReservedSharedBytes)});
  if (perThread)
    blocks = std::min(blocks,
                      MaxBlockRegisters / blockRegisters(threads, perThread));
  return blocks;
}

} // namespace fp8::support

#endif // FP8_SUPPORT_OCCUPANCY_H
