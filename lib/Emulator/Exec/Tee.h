//===- Tee.h - two monitors of one grid -------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes each event to both. Each monitor has names (tokens) of its own for
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

  void gridStart(Grid &grid) override {
    first.gridStart(grid);
    second.gridStart(grid);
  }
  void gridEnd(Grid &grid) override {
    first.gridEnd(grid);
    second.gridEnd(grid);
  }
  void ctaStart(Cta &cta) override {
    first.ctaStart(cta);
    second.ctaStart(cta);
  }
  void ctaEnd(Cta &cta) override {
    first.ctaEnd(cta);
    second.ctaEnd(cta);
  }
  void turn(Warp &warp, uint64_t instructions) override {
    first.turn(warp, instructions);
    second.turn(warp, instructions);
  }
  void exit(Warp &warp, const Op &op, uint32_t mask) override {
    first.exit(warp, op, mask);
    second.exit(warp, op, mask);
  }
  void access(Warp &warp, const Op &op, const WarpAccess &access) override {
    first.access(warp, op, access);
    second.access(warp, op, access);
  }
  void fence(Warp &warp, const Op &op, const FenceEvent &event) override {
    first.fence(warp, op, event);
    second.fence(warp, op, event);
  }
  void warpSync(Warp &warp, const Op &op, uint32_t mask) override {
    first.warpSync(warp, op, mask);
    second.warpSync(warp, op, mask);
  }
  void barrierArrive(Warp &warp, const Op &op, unsigned id,
                     uint32_t mask) override {
    first.barrierArrive(warp, op, id, mask);
    second.barrierArrive(warp, op, id, mask);
  }
  void barrierPass(Warp &warp, const Op &op, unsigned id,
                   uint32_t mask) override {
    first.barrierPass(warp, op, id, mask);
    second.barrierPass(warp, op, id, mask);
  }
  void clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                     Order order) override {
    first.clusterArrive(warp, op, mask, order);
    second.clusterArrive(warp, op, mask, order);
  }
  void clusterPass(Warp &warp, const Op &op, uint32_t mask,
                   Order order) override {
    first.clusterPass(warp, op, mask, order);
    second.clusterPass(warp, op, mask, order);
  }
  void mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) override {
    first.mbarrier(warp, op, event);
    second.mbarrier(warp, op, event);
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
    first.groupCommit(warp, op, mask, bulk);
    second.groupCommit(warp, op, mask, bulk);
  }
  void groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                 uint32_t keep, bool readOnly) override {
    first.groupWait(warp, op, mask, bulk, keep, readOnly);
    second.groupWait(warp, op, mask, bulk, keep, readOnly);
  }
  void wgmmaCommit(Warp &warp, const Op &op) override {
    first.wgmmaCommit(warp, op);
    second.wgmmaCommit(warp, op);
  }
  void wgmmaWait(Warp &warp, const Op &op, uint32_t keep) override {
    first.wgmmaWait(warp, op, keep);
    second.wgmmaWait(warp, op, keep);
  }
  void tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                   uint32_t columns) override {
    first.tensorAlloc(warp, op, column, columns);
    second.tensorAlloc(warp, op, column, columns);
  }
  void tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                     uint32_t columns) override {
    first.tensorDealloc(warp, op, column, columns);
    second.tensorDealloc(warp, op, column, columns);
  }
  void watched(Warp &warp, const Op &op, uint32_t mask) override {
    first.watched(warp, op, mask);
    second.watched(warp, op, mask);
  }

private:
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
