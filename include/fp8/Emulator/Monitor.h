//===- Monitor.h - what a checker of a running grid observes ----*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator calls these hooks in execution order when a monitor is set. One
// call covers a warp instruction or one step of an asynchronous unit. The
// default does nothing, so a checker overrides what it needs. Nothing is called
// when no monitor is set.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_MONITOR_H
#define FP8_EMULATOR_MONITOR_H

#include "fp8/Emulator/PTX.h"

#include <cstdint>

namespace fp8::emulator {

struct Warp;
struct Cta;
struct Op;
struct Grid;

enum class AccessKind : uint8_t { Read, Write, Atomic };
enum class Proxy : uint8_t { Generic, Async, Tensormap };
enum class Scope : uint8_t { None, Cta, Cluster, Gpu, Sys };
enum class Order : uint8_t {
  Weak,
  Volatile,
  Relaxed,
  Acquire,
  Release,
  AcqRel,
  Sc
};

/// Memory touched by one warp instruction.
struct WarpAccess {
  AccessKind kind = AccessKind::Read;
  /// Global, Shared or Local: resolved, never generic.
  ptx::Space space = ptx::Space::Global;
  Order order = Order::Weak;
  Scope scope = Scope::None;
  /// Bytes per lane.
  uint32_t bytes = 0;
  uint32_t mask = 0;
  /// Per lane: global address, shared address (rank << 24 | offset) or local
  /// offset.
  const uint64_t *addresses = nullptr;
};

/// Memory touched by an asynchronous operation. `token` is that of its issue.
struct AsyncAccess {
  uint64_t token = 0;
  AccessKind kind = AccessKind::Read;
  ptx::Space space = ptx::Space::Global;
  uint64_t address = 0;
  uint32_t bytes = 0;
  /// CTA of a shared address.
  Cta *cta = nullptr;
};

/// A fence; `kind` is its text behind "fence." (".proxy.async.shared::cta").
struct FenceEvent {
  llvm::StringRef kind;
  uint32_t mask;
};

/// An operation on an mbarrier object.
struct MBarrierEvent {
  enum Kind : uint8_t {
    Init,
    Invalidate,
    Arrive,
    ArriveDrop,
    ExpectTx,
    CompleteTx,
    TestFalse,
    TestTrue
  };
  Kind kind;
  Order order;
  Scope scope;
  /// CTA that holds the object, and its offset there.
  Cta *cta;
  uint32_t offset;
  uint32_t mask;
  /// Count of Init, Arrive; bytes of ExpectTx, CompleteTx; parity waited for.
  uint32_t value;
  bool completedPhase;
};

class Monitor {
public:
  virtual ~Monitor();

  virtual void gridStart(Grid &grid) {}
  virtual void gridEnd(Grid &grid) {}
  virtual void ctaStart(Cta &cta) {}
  virtual void ctaEnd(Cta &cta) {}
  /// Lanes of the warp ended.
  virtual void exit(Warp &warp, const Op &op, uint32_t mask) {}

  virtual void access(Warp &warp, const Op &op, const WarpAccess &access) {}
  virtual void fence(Warp &warp, const Op &op, const FenceEvent &event) {}
  /// Lanes of `mask` met at bar.warp.sync.
  virtual void warpSync(Warp &warp, const Op &op, uint32_t mask) {}
  /// Lanes arrived at barrier `id`; or passed it.
  virtual void barrierArrive(Warp &warp, const Op &op, unsigned id,
                             uint32_t mask) {}
  virtual void barrierPass(Warp &warp, const Op &op, unsigned id,
                           uint32_t mask) {}
  virtual void clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                             Order order) {}
  virtual void clusterPass(Warp &warp, const Op &op, uint32_t mask,
                           Order order) {}
  virtual void mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) {}
  /// An asynchronous operation of `lane`; `token` identifies it.
  virtual void asyncIssue(Warp &warp, const Op &op, unsigned lane,
                          uint64_t token) {}
  virtual void asyncAccess(const AsyncAccess &access) {}
  virtual void asyncComplete(uint64_t token) {}
  /// A wait_group of `lane` passed; operations with older tokens are done.
  virtual void groupWait(Warp &warp, const Op &op, uint32_t mask,
                         uint64_t token, bool readOnly) {}
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_MONITOR_H
