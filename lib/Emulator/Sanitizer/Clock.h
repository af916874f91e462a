//===- Clock.h - vector clocks over warps and units -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clock says, for each actor, up to which epoch its work is known to have
// happened. Actors are warps (with an epoch per lane where lanes differ),
// mbarrier objects (epoch: completed phases), pipelines of asynchronous work
// (epoch: operations), blocks and grids. Clocks are immutable once shared: a
// join makes a new one only when something is gained, so threads that know the
// same share one object. The actors of 128 neighbouring warps form a page, and
// clocks share their equal pages: a chain of atomics through thousands of
// blocks copies and compares one page a link.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_SANITIZER_CLOCK_H
#define FP8_LIB_EMULATOR_SANITIZER_CLOCK_H

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <memory>

namespace fp8::emulator {

/// What an actor is; the index counts actors of that kind.
enum class ActorKind : uint8_t {
  Warp,       ///< a warp's generic accesses, per lane
  CpAsync,    ///< a warp's cp.async, per lane
  BulkRead,   ///< source reads of a warp's bulk stores, per lane
  BulkWrite,  ///< destination writes of the same
  Wgmma,      ///< wgmma of a warpgroup (index: its first warp)
  Tcgen,      ///< tcgen05 mma, cp, shift that lanes of a warp issued, per lane
  TcgenLoad,  ///< tcgen05.ld of a warp
  TcgenStore, ///< tcgen05.st of a warp
  MBarrier,   ///< an mbarrier object's phases
  Release,    ///< a lane's asynchronous store to global memory
  Block,      ///< a CTA has started
  Grid        ///< a grid has ended
};

using ActorKey = uint32_t;
inline ActorKey actorKey(ActorKind kind, uint32_t index) {
  return index << 4 | static_cast<uint32_t>(kind);
}

using LaneEpochs = std::array<uint32_t, 32>;

/// The actors whose keys agree but for the lowest bits.
class ClockPage {
public:
  static constexpr unsigned keyBits = 11;

  uint32_t at(ActorKey key, unsigned lane) const;
  uint32_t most(ActorKey key) const;
  uint32_t base(ActorKey key) const;
  void raise(ActorKey key, uint32_t epoch);
  void raise(ActorKey key, uint32_t mask, const LaneEpochs &epochs);
  void join(const ClockPage &other);
  bool covers(const ClockPage &other) const;

private:
  struct Entry {
    ActorKey key;
    uint32_t base;
    /// Index in `lanes`, or -1 when no lane is beyond `base`.
    int32_t lanes;
  };
  const Entry *find(ActorKey key) const;
  Entry &get(ActorKey key);
  LaneEpochs &lanesOf(Entry &entry);
  /// Lifts the base to what all lanes have.
  void settle(Entry &entry);

  llvm::SmallVector<Entry, 8> entries; ///< by key
  llvm::SmallVector<LaneEpochs, 0> lanes;
};

class Clock {
public:
  /// Epoch of `lane` of an actor; 0 when nothing is known.
  uint32_t at(ActorKey key, unsigned lane) const {
    const ClockPage *page = find(key);
    return page ? page->at(key, lane) : 0;
  }
  /// Largest epoch of any lane.
  uint32_t most(ActorKey key) const {
    const ClockPage *page = find(key);
    return page ? page->most(key) : 0;
  }
  /// Epoch that all lanes have.
  uint32_t base(ActorKey key) const {
    const ClockPage *page = find(key);
    return page ? page->base(key) : 0;
  }

  void raise(ActorKey key, uint32_t epoch) { own(key).raise(key, epoch); }
  /// Lanes of `mask` rise to their epoch.
  void raise(ActorKey key, uint32_t mask, const LaneEpochs &epochs) {
    own(key).raise(key, mask, epochs);
  }
  /// Lanes of `mask` rise to `epoch`.
  void raise(ActorKey key, uint32_t mask, uint32_t epoch);
  void join(const Clock &other);
  /// Whether nothing in `other` is news.
  bool covers(const Clock &other) const;

private:
  struct Slot {
    uint32_t number;
    std::shared_ptr<ClockPage> page;
  };
  const ClockPage *find(ActorKey key) const;
  /// The page of a key, made if need be, that no other clock shares.
  ClockPage &own(ActorKey key);

  llvm::SmallVector<Slot, 2> slots; ///< by number
};

using ClockRef = std::shared_ptr<const Clock>;

/// A clock of its own with what `clock` says, if there is one.
inline std::shared_ptr<Clock> copyOf(const ClockRef &clock) {
  return clock ? std::make_shared<Clock>(*clock) : std::make_shared<Clock>();
}

/// Epoch of `lane`; 0 from a null clock.
inline uint32_t at(const ClockRef &clock, ActorKey key, unsigned lane) {
  return clock ? clock->at(key, lane) : 0;
}

/// into = join of both; cheap when one covers the other.
void join(ClockRef &into, const ClockRef &from);

/// All that a thread, or a place where threads meet, knows.
struct Knowledge {
  enum Proxied : uint8_t { SharedCta, SharedCluster, Global, NumProxied };

  /// Base causality.
  ClockRef base;
  /// What precedes some async-proxy fence for that space, and what precedes
  /// one of its own thread.
  std::array<ClockRef, NumProxied> proxied;
  ClockRef proxiedOwn;
  /// What precedes a fence that reaches the block, its cluster, any block: for
  /// relaxed stores behind it.
  static constexpr unsigned NumReaches = 3;
  std::array<ClockRef, NumReaches> fenced;
  /// Ordered only by edges whose scope is too narrow: of a remote mbarrier
  /// operation (tolerated widely), of anything else.
  ClockRef narrowRemote, narrow;
  /// mbarrier initialisations under fence.mbarrier_init, and blocks started.
  ClockRef inits;
  /// tcgen05: known by any synchronisation, fit for fence::after, and behind
  /// it.
  ClockRef tensor, tensorReleased, tensorFenced;

  /// Takes over what a release of `from` gives (tensorFenced stays private).
  void acquire(const Knowledge &from);
  /// Only what relaxed synchronisation gives.
  void acquireRelaxed(const Knowledge &from);
  /// Everything, as for lanes of one thread group that meet.
  bool operator==(const Knowledge &other) const;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_SANITIZER_CLOCK_H
