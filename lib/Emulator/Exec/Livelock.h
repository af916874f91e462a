//===- Livelock.h - lanes that loop for ever --------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is called endless only when that is proven: its lanes come back to a
// state that they had, while nothing in the grid changed memory or ended a
// wait. The state is what decides how the loop goes on: of the registers, those
// that reach a guard, an address or an effect of the operations that the loop
// executes. A poll that counts its rounds up to a limit, or looks at a clock,
// therefore never is. Probes run in episodes, when a grid has been quiet for
// long, each twice as long as the one before and after twice the time. Turns
// are short meanwhile: a long computation without a poll pays some percent.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_LIVELOCK_H
#define FP8_LIB_EMULATOR_EXEC_LIVELOCK_H

#include "Machine.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fp8::emulator {

/// Where proven lanes loop.
struct EndlessLoop {
  uint32_t lanes = 0;
  /// The last read of memory in the loop, or any operation of it.
  const Code *code = nullptr;
  uint32_t pc = 0;
  bool reads = false, hasAddress = false;
  ptx::Space space = ptx::Space::Global;
  uint64_t address = 0, value = 0;
  /// What it waits for, where that is no address.
  std::string reason;
};

/// What a warp did in the present episode.
class Probe {
public:
  explicit Probe(uint64_t episode) : episode(episode) {}

  uint64_t episode;
  llvm::SmallVector<EndlessLoop, 1> loops;
  /// Address of the last access, of its first lane.
  ptx::Space lastSpace = ptx::Space::None;
  uint64_t lastAddress = 0;
  /// A clock was read.
  bool readsTime = false;

  /// Lanes that loop for ever unless others change something.
  uint32_t proven() const { return lanes; }
  /// The operation at `pc` was executed, or skipped (no `mask`). True when the
  /// split should give way so that others of the warp can run.
  bool executed(Warp &warp, const Code &code, uint32_t pc, uint32_t mask);

private:
  struct Seen {
    llvm::BitVector ops;
    /// Operations that were only skipped.
    llvm::BitVector skipped;
    /// Rows, by number in Code::rows, that decide how the loop goes on.
    llvm::BitVector rows;
  };
  struct Snapshot {
    const Code *code = nullptr;
    uint32_t at = 0, pc = 0, active = 0;
    const Frame *frame = nullptr;
    std::vector<uint8_t> values;
  };

  void learn(const Code &code, uint32_t pc, bool skips);
  void findRows();
  void findRows(const Code &code, Seen &seen);
  bool visitState(const Warp &warp,
                  llvm::function_ref<bool(const void *, size_t)> visit) const;
  bool isBack(const Warp &warp, const Code &code, uint32_t pc) const;
  void take(const Warp &warp, const Code &code, uint32_t pc);
  bool meetsOthers(const Warp &warp, const Op &op) const;
  void prove(Warp &warp);
  void read(Warp &warp, const Code &code, uint32_t pc, uint32_t mask);

  llvm::DenseMap<const Code *, Seen> seen;
  const Code *lastCode = nullptr;
  Seen *lastSeen = nullptr;
  /// An operation whose effects are not known; a call; a store.
  bool unknown = false, calls = false, stores = false;
  bool stale = true;
  std::optional<Snapshot> snapshot;
  EndlessLoop last;
  uint64_t steps = 0, renewal = 0, interval = 64;
  uint32_t lanes = 0;
};

/// Decides, after each round of a grid, whether to probe.
class LivelockWatch {
public:
  /// `turns` of warps went by. True when all that still run loop for ever.
  bool afterRound(Grid &grid, uint64_t turns);

private:
  /// Turns of each warp that may run.
  static constexpr uint64_t firstGap = 64, firstLength = 4;

  uint64_t progress = 0, quiet = 0, probed = 0;
  uint64_t gap = firstGap, length = firstLength;
};

/// The finding for lanes that are proven to loop; nothing for others.
std::optional<Finding> describeLoop(Warp &warp, const Split &split);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_LIVELOCK_H
