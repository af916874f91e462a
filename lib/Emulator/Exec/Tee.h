//===- Tee.h - two monitors of one grid -------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes each event to both: every virtual function of Monitor stands here, and
// test/Emulator/trace.test holds the reports with and without a second monitor
// against one another. Each monitor has names (tokens) of its own for
// asynchronous operations; the grid sees the tee's.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_TEE_H
#define FP8_LIB_EMULATOR_EXEC_TEE_H

#include "fp8/Emulator/Monitor.h"

#include "llvm/ADT/DenseMap.h"

namespace fp8::emulator {

class Tee final : public Monitor {
public:
  Tee(Monitor &first, Monitor &second) : first(first), second(second) {}

  void gridStart(Grid &grid) override { both(&Monitor::gridStart, grid); }
  void gridEnd(Grid &grid) override { both(&Monitor::gridEnd, grid); }
  void ctaStart(Cta &cta) override { both(&Monitor::ctaStart, cta); }
  void ctaEnd(Cta &cta) override { both(&Monitor::ctaEnd, cta); }
  void turn(Warp &warp, uint64_t instructions) override {
    both(&Monitor::turn, warp, instructions);
  }
  void exit(Warp &warp, const Op &op, uint32_t mask) override {
    both(&Monitor::exit, warp, op, mask);
  }
  void access(Warp &warp, const Op &op, const WarpAccess &access) override {
    both(&Monitor::access, warp, op, access);
  }
  void fence(Warp &warp, const Op &op, const FenceEvent &event) override {
    both(&Monitor::fence, warp, op, event);
  }
  void warpSync(Warp &warp, const Op &op, uint32_t mask) override {
    both(&Monitor::warpSync, warp, op, mask);
  }
  void barrierArrive(Warp &warp, const Op &op, unsigned id,
                     uint32_t mask) override {
    both(&Monitor::barrierArrive, warp, op, id, mask);
  }
  void barrierPass(Warp &warp, const Op &op, unsigned id,
                   uint32_t mask) override {
    both(&Monitor::barrierPass, warp, op, id, mask);
  }
  void clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                     Order order) override {
    both(&Monitor::clusterArrive, warp, op, mask, order);
  }
  void clusterPass(Warp &warp, const Op &op, uint32_t mask,
                   Order order) override {
    both(&Monitor::clusterPass, warp, op, mask, order);
  }
  void mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) override {
    both(&Monitor::mbarrier, warp, op, event);
  }
  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override {
    return join(first.asyncIssue(warp, op, mask, issue),
                second.asyncIssue(warp, op, mask, issue));
  }
  uint64_t asyncCommit(Warp &warp, const Op &op, unsigned lane,
                       bool tensor) override {
    return join(first.asyncCommit(warp, op, lane, tensor),
                second.asyncCommit(warp, op, lane, tensor));
  }
  void unitBarrier(uint64_t token, const MBarrierEvent &event) override {
    auto [a, b] = tokens.lookup(token);
    first.unitBarrier(a, event);
    second.unitBarrier(b, event);
  }
  void asyncComplete(uint64_t token, bool failed) override {
    auto [a, b] = tokens.lookup(token);
    first.asyncComplete(a, failed);
    second.asyncComplete(b, failed);
  }
  void groupCommit(Warp &warp, const Op &op, uint32_t mask,
                   bool bulk) override {
    both(&Monitor::groupCommit, warp, op, mask, bulk);
  }
  void groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                 uint32_t keep, bool readOnly) override {
    both(&Monitor::groupWait, warp, op, mask, bulk, keep, readOnly);
  }
  void wgmmaCommit(Warp &warp, const Op &op) override {
    both(&Monitor::wgmmaCommit, warp, op);
  }
  void wgmmaWait(Warp &warp, const Op &op, uint32_t keep) override {
    both(&Monitor::wgmmaWait, warp, op, keep);
  }
  void tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                   uint32_t columns) override {
    both(&Monitor::tensorAlloc, warp, op, column, columns);
  }
  void tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                     uint32_t columns) override {
    both(&Monitor::tensorDealloc, warp, op, column, columns);
  }
  bool arrivalFault(Warp &warp, const Op &op, unsigned lane, Cta &cta,
                    uint32_t offset) override {
    bool reported = first.arrivalFault(warp, op, lane, cta, offset);
    return second.arrivalFault(warp, op, lane, cta, offset) || reported;
  }
  void callValues(Warp &warp, const Op &op, uint32_t mask, const Frame &from,
                  const Frame &to, bool returns,
                  llvm::ArrayRef<CallValue> values) override {
    both(&Monitor::callValues, warp, op, mask, from, to, returns, values);
  }
  void memberMask(Warp &warp, const Op &op, uint32_t mask) override {
    both(&Monitor::memberMask, warp, op, mask);
  }
  void watched(Warp &warp, const Op &op, uint32_t mask) override {
    both(&Monitor::watched, warp, op, mask);
  }

private:
  template <typename... Formal, typename... Actual>
  void both(void (Monitor::*event)(Formal...), Actual &&...arguments) {
    (first.*event)(arguments...);
    (second.*event)(arguments...);
  }
  uint64_t join(uint64_t a, uint64_t b) {
    uint64_t token = tokens.size() + 1;
    tokens[token] = {a, b};
    return token;
  }

  Monitor &first, &second;
  llvm::DenseMap<uint64_t, std::pair<uint64_t, uint64_t>> tokens;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_TEE_H
