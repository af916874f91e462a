//===- MBarrier.h - The mbarrier state machine ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 64-bit mbarrier object as a pure state machine. The state is what lies in
// shared memory, so that stray stores, missing initialisation and re-use show.
// Faults are data: an operation with a fault has still been applied as far as
// it makes sense, and the caller decides whether to report it.
//
// Encoding (own; the hardware's is opaque): bits 0-19 pending arrivals, 20-39
// expected arrivals, 40-60 transaction count (two's complement), 61 phase
// parity, 62-63 the value 2 in a live barrier.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_MBARRIER_H
#define FP8_EMULATOR_MBARRIER_H

#include <cstdint>

namespace fp8::emulator {

/// Largest arrival count and largest magnitude of the transaction count.
inline constexpr uint32_t MBarrierMaxCount = (1u << 20) - 1;

enum class MBarrierFault : uint8_t {
  None,
  NotInitialized,  ///< the 64 bits are not a live barrier
  CountOutOfRange, ///< count 0 or above 2^20 - 1
  TooManyArrivals, ///< more arrivals than are pending in this phase
  TxOverflow,      ///< transaction count above 2^20 - 1
  TxUnderflow,     ///< below -(2^20 - 1)
  TxNegative,      ///< all arrived, but more bytes completed than expected
  CompletedPhase,  ///< .noComplete would have completed the phase
  StaleToken       ///< token of a phase other than the current or previous
};

/// One phrase, lower case, for a message.
const char *describe(MBarrierFault fault);

struct MBarrierState {
  uint32_t pending = 0;
  uint32_t expected = 0;
  int32_t txCount = 0;
  bool phase = false;
};

bool isLiveMBarrier(uint64_t bits);
MBarrierState decodeMBarrier(uint64_t bits);
uint64_t encodeMBarrier(const MBarrierState &state);

struct MBarrierResult {
  MBarrierFault fault = MBarrierFault::None;
  /// This operation completed the current phase (waiters may go).
  bool completedPhase = false;
  /// The state before the arrival: what mbarrier.arrive returns.
  uint64_t token = 0;
};

MBarrierResult mbarrierInit(uint64_t &bits, uint32_t count);
/// Leaves a dead barrier (all zeros).
MBarrierResult mbarrierInvalidate(uint64_t &bits);
MBarrierResult mbarrierExpectTx(uint64_t &bits, uint32_t bytes);
MBarrierResult mbarrierCompleteTx(uint64_t &bits, uint32_t bytes);

struct MBarrierArrival {
  uint32_t count = 1;
  /// .expect_tx: added to the transaction count before the arrival.
  uint32_t expectTx = 0;
  /// mbarrier.arrive_drop: also lowers the expected count of later phases.
  bool drop = false;
  bool noComplete = false;
};
MBarrierResult mbarrierArrive(uint64_t &bits, const MBarrierArrival &arrival);

/// True if the phase that `token` was taken in is complete.
bool mbarrierTestToken(uint64_t bits, uint64_t token, MBarrierFault &fault);
/// True if the phase with this parity is complete, that is, if the current
/// phase has the other parity. A fresh barrier passes parity 1.
bool mbarrierTestParity(uint64_t bits, bool parity, MBarrierFault &fault);
/// mbarrier.pending_count of a token.
uint32_t mbarrierPendingCount(uint64_t token);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_MBARRIER_H
