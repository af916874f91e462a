//===- CacheModel.h - traffic behind the L2 cache ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What blocks ask of global memory, and what of it an L2 cache passes on to the
// device's memory. A model, for counters of a compiler's output: the cache is
// fully associative, of lines of 128 bytes in sectors of 32, evicts the line
// that was used longest ago, is empty when a launch starts and written back
// when it ends. A sector that is read and not there is fetched; one that is
// written is not. A warp's instruction asks for each sector once. Blocks that
// the device holds at once move equal numbers of bytes in equal time, and the
// next block starts where one has ended.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_CACHEMODEL_H
#define FP8_LIB_EMULATOR_EXEC_CACHEMODEL_H

#include "fp8/Emulator/Emulator.h"
#include "fp8/Emulator/Monitor.h"

#include "llvm/ADT/DenseMap.h"

#include <list>
#include <map>
#include <vector>

namespace fp8::emulator {

/// A cache of `bytes`, and what it exchanged with the memory behind it.
class Cache {
public:
  static constexpr uint64_t lineBytes = 128, sectorBytes = 32;

  explicit Cache(uint64_t bytes)
      : capacity(std::max<uint64_t>(1, bytes / lineBytes)) {}

  /// Accesses [address, address + bytes).
  void access(uint64_t address, uint64_t bytes, AccessKind kind);
  /// Writes everything back. Counts stay.
  void flush();
  const Traffic &traffic() const { return counts; }

private:
  /// Sectors that are there, and that the memory behind does not have yet.
  struct Line {
    uint64_t number;
    uint8_t valid = 0, dirty = 0;
  };
  void evict(const Line &line);

  uint64_t capacity;
  /// Last used first.
  std::list<Line> lines;
  llvm::DenseMap<uint64_t, std::list<Line>::iterator> index;
  Traffic counts;
};

/// Counts a launch's traffic behind the cache as that of "device" memory.
class CacheModel final : public Monitor {
public:
  /// Requests of one launch: more are an error of the launch.
  static constexpr uint64_t mostRequests = uint64_t(1) << 24;

  explicit CacheModel(uint64_t bytes) : bytes(bytes) {}

  void gridStart(Grid &grid) override;
  void gridEnd(Grid &grid) override;
  void access(Warp &warp, const Op &op, const WarpAccess &access) override;
  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override;

  /// Whether the launch asked for more than is kept.
  bool isFull() const { return count > mostRequests; }

private:
  struct Request {
    uint64_t address;
    uint32_t bytes;
    AccessKind kind;
    /// How often in a row, as by one that polls.
    uint64_t times;
  };
  void add(Warp &warp, uint64_t address, uint32_t bytes, AccessKind kind);
  /// What lanes of a warp ask for at once: each sector counts once.
  void addRequest(Warp &warp, llvm::SmallVectorImpl<uint64_t> &sectors,
                  AccessKind kind);

  uint64_t bytes, count = 0;
  /// By block, in the order of the grid.
  std::map<uint64_t, std::vector<Request>> requests;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_CACHEMODEL_H
