//===- MBarrier.cpp - The mbarrier state machine --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: an operation never leaves a state that encodeMBarrier could not
// have made; what does not fit is clamped and reported as a fault.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/MBarrier.h"

namespace fp8::emulator {

const char *describe(MBarrierFault fault) {
  switch (fault) {
  case MBarrierFault::None:
    return "no fault";
  case MBarrierFault::NotInitialized:
    return "the mbarrier is not initialized";
  case MBarrierFault::CountOutOfRange:
    return "the arrival count is not in 1 .. 1048575";
  case MBarrierFault::TooManyArrivals:
    return "more arrivals than the phase expects";
  case MBarrierFault::TxOverflow:
    return "the transaction count exceeds 1048575";
  case MBarrierFault::TxUnderflow:
    return "the transaction count falls below -1048575";
  case MBarrierFault::TxNegative:
    return "more bytes completed than the phase expects";
  case MBarrierFault::CompletedPhase:
    return "an arrival with .noComplete completed the phase";
  case MBarrierFault::StaleToken:
    return "the token is of neither the current nor the previous phase";
  }
  return "";
}

bool isLiveMBarrier(uint64_t bits) { return bits >> 62 == 2; }

MBarrierState decodeMBarrier(uint64_t bits) {
  MBarrierState s;
  s.pending = bits & MBarrierMaxCount;
  s.expected = (bits >> 20) & MBarrierMaxCount;
  s.txCount =
      static_cast<int32_t>(static_cast<uint32_t>(bits >> 40) << 11) >> 11;
  s.phase = (bits >> 61) & 1;
  return s;
}

uint64_t encodeMBarrier(const MBarrierState &s) {
  return uint64_t(s.pending) | uint64_t(s.expected) << 20 |
         uint64_t(static_cast<uint32_t>(s.txCount) & 0x1fffff) << 40 |
         uint64_t(s.phase) << 61 | uint64_t(2) << 62;
}

static MBarrierResult faulty(MBarrierFault fault) {
  MBarrierResult r;
  r.fault = fault;
  return r;
}

/// Starts the next phase if nothing is pending any more.
static void completeIfDone(MBarrierState &s, MBarrierResult &r) {
  if (s.pending)
    return;
  if (s.txCount < 0)
    r.fault = MBarrierFault::TxNegative;
  if (s.txCount)
    return;
  s.phase = !s.phase;
  s.pending = s.expected;
  r.completedPhase = true;
}

MBarrierResult mbarrierInit(uint64_t &bits, uint32_t count) {
  if (count == 0 || count > MBarrierMaxCount)
    return faulty(MBarrierFault::CountOutOfRange);
  MBarrierState s;
  s.pending = s.expected = count;
  bits = encodeMBarrier(s);
  return MBarrierResult();
}

MBarrierResult mbarrierInvalidate(uint64_t &bits) {
  MBarrierResult r;
  if (!isLiveMBarrier(bits))
    r.fault = MBarrierFault::NotInitialized;
  bits = 0;
  return r;
}

static void addTx(MBarrierState &s, int64_t delta, MBarrierResult &r) {
  constexpr int64_t Limit = MBarrierMaxCount;
  int64_t tx = s.txCount + delta;
  if (tx > Limit || tx < -Limit) {
    r.fault = tx > 0 ? MBarrierFault::TxOverflow : MBarrierFault::TxUnderflow;
    tx = tx > 0 ? Limit : -Limit;
  }
  s.txCount = static_cast<int32_t>(tx);
}

MBarrierResult mbarrierExpectTx(uint64_t &bits, uint32_t bytes) {
  if (!isLiveMBarrier(bits))
    return faulty(MBarrierFault::NotInitialized);
  MBarrierResult r;
  MBarrierState s = decodeMBarrier(bits);
  addTx(s, bytes, r);
  bits = encodeMBarrier(s);
  return r;
}

MBarrierResult mbarrierCompleteTx(uint64_t &bits, uint32_t bytes) {
  if (!isLiveMBarrier(bits))
    return faulty(MBarrierFault::NotInitialized);
  MBarrierResult r;
  MBarrierState s = decodeMBarrier(bits);
  addTx(s, -int64_t(bytes), r);
  completeIfDone(s, r);
  bits = encodeMBarrier(s);
  return r;
}

MBarrierResult mbarrierArrive(uint64_t &bits, const MBarrierArrival &a) {
  if (!isLiveMBarrier(bits))
    return faulty(MBarrierFault::NotInitialized);
  if (a.count == 0 || a.count > MBarrierMaxCount)
    return faulty(MBarrierFault::CountOutOfRange);
  MBarrierResult r;
  r.token = bits;
  MBarrierState s = decodeMBarrier(bits);
  if (a.expectTx)
    addTx(s, a.expectTx, r);
  uint32_t count = a.count;
  if (count > s.pending) {
    r.fault = MBarrierFault::TooManyArrivals;
    count = s.pending;
  }
  if (a.drop)
    s.expected -= count < s.expected ? count : s.expected;
  s.pending -= count;
  completeIfDone(s, r);
  if (r.completedPhase && a.noComplete)
    r.fault = MBarrierFault::CompletedPhase;
  bits = encodeMBarrier(s);
  return r;
}

bool mbarrierTestToken(uint64_t bits, uint64_t token, MBarrierFault &fault) {
  // A parity is all that a token has of its phase, so a token that is an even
  // number of phases old cannot be told from a current one here; the caller,
  // which counts phases, can.
  fault = !isLiveMBarrier(bits)    ? MBarrierFault::NotInitialized
          : !isLiveMBarrier(token) ? MBarrierFault::StaleToken
                                   : MBarrierFault::None;
  return decodeMBarrier(bits).phase != decodeMBarrier(token).phase;
}

bool mbarrierTestParity(uint64_t bits, bool parity, MBarrierFault &fault) {
  fault = isLiveMBarrier(bits) ? MBarrierFault::None
                               : MBarrierFault::NotInitialized;
  return decodeMBarrier(bits).phase != parity;
}

uint32_t mbarrierPendingCount(uint64_t token) {
  return decodeMBarrier(token).pending;
}

} // namespace fp8::emulator
