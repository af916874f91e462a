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
#include "fp8/Emulator/Swizzle.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>

namespace fp8::emulator {

struct Warp;
struct Cta;
struct Op;
struct Grid;
struct Frame;
struct TensorMemoryShape;
struct TMAPiece;
struct TcgenMma;
struct TcgenDescriptor;

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
  /// Bytes per lane, and of an element: a vector is one access for each.
  uint32_t bytes = 0;
  uint32_t elementBytes = 0;
  uint32_t mask = 0;
  /// Per lane: global address, shared address (rank << 24 | offset) or local
  /// offset.
  const uint64_t *addresses = nullptr;
  /// Lane i's bytes follow lane i - 1's, for all 32 lanes.
  bool contiguous = false;
};

/// The units that work on their own.
enum class AsyncKind : uint8_t {
  CpAsync,     ///< cp.async of lanes
  BulkLoad,    ///< bulk or tensor copy that completes on an mbarrier
  BulkStore,   ///< bulk or tensor copy or reduction of a bulk group
  Cancel,      ///< clusterlaunchcontrol.try_cancel
  Wgmma,       ///< one warp's part of a wgmma
  TensorMma,   ///< tcgen05.mma
  TensorCopy,  ///< tcgen05.cp
  TensorShift, ///< tcgen05.shift
  TensorLoad,  ///< tcgen05.ld
  TensorStore, ///< tcgen05.st
  /// A lane's st.async or red.async to global memory: a release, when it
  /// arrives, of what the lane did before the issue.
  Release
};

/// Bytes that an asynchronous operation will touch.
struct AsyncRange {
  AccessKind kind = AccessKind::Read;
  ptx::Space space = ptx::Space::Global;
  /// Lane that asked for it.
  uint8_t lane = 0;
  /// Global address, or shared address (rank << 24 | offset).
  uint64_t address = 0;
  uint32_t bytes = 0;
};

/// Cells of tensor memory that a tcgen05 operation touches.
struct TensorRange {
  AccessKind kind = AccessKind::Read;
  Cta *cta = nullptr;
  uint32_t lane = 0, lanes = 0, column = 0, columns = 0;
  /// Scales of a product: not all bytes of the cells need be read.
  bool isScale = false;
  /// Metadata of a sparse A of which lanes 8 apart have halves of both rows.
  bool isShared = false;
};

/// How a tensor copy lays its box out in shared memory: rows of `rowBytes`
/// (the innermost dimension) from `base` on, then permuted.
struct BoxLayout {
  uint32_t base = 0, rowBytes = 0;
  Swizzle swizzle = Swizzle::None;
};

/// An operand in shared memory as a matrix product reads it: element (mn, k)
/// lies at elementAddress(descriptor, kMajor, elementBytes, mn, k).
struct SharedOperand {
  MatrixDescriptor descriptor;
  bool kMajor = true;
  unsigned elementBytes = 1, mn = 0, k = 0;
  Cta *cta = nullptr;
  bool isA = false;
  /// Not all of these bytes are read, or not as they are: padding, and B with
  /// a zero-column mask.
  bool isPartial = false;
};

/// An asynchronous operation when it is issued.
struct AsyncIssue {
  AsyncKind kind = AsyncKind::BulkLoad;
  /// Its writes are relaxed atomic reductions.
  bool reduces = false;
  /// A multicast copy's part for one more receiver: its source is read once.
  bool repeats = false;
  /// Its accesses are of the generic proxy.
  bool isGeneric = false;
  /// Of its writes, where they are strong: scope and bytes of an element.
  Scope scope = Scope::None;
  uint32_t elementBytes = 0;
  /// A product that adds to its accumulators.
  bool accumulates = true;
  /// Shared address of the mbarrier that counts its bytes.
  std::optional<uint32_t> barrier;
  /// Global address of the tensor map; 0 for none and for one that lies in
  /// constant or parameter memory.
  uint64_t map = 0;
  llvm::ArrayRef<AsyncRange> ranges;
  llvm::ArrayRef<TensorRange> tensor;
  /// A tensor copy's box in shared memory.
  std::optional<BoxLayout> box;
  /// Which bytes of shared memory (offsets in the block) a tensor copy moves to
  /// or from which of global memory.
  llvm::ArrayRef<TMAPiece> pieces;
  /// A product's operands there.
  llvm::ArrayRef<SharedOperand> operands;
  /// tcgen05.ld and st: cells and registers of the warp.
  const TensorMemoryShape *shape = nullptr;
  uint32_t tensorAddress = 0;
  llvm::ArrayRef<uint32_t> rows;
  /// tcgen05.mma: what it is (D at tensorAddress), the blocks of its group, and
  /// a bit per lane of each that it does not write (four words; or none).
  const TcgenMma *mma = nullptr;
  const TcgenDescriptor *descriptor = nullptr;
  llvm::ArrayRef<Cta *> ctas;
  llvm::ArrayRef<uint32_t> disabled;
};

/// A value that a call or a return hands over. Registers are rows of the
/// frames' code, memory is a lane's local offset.
struct CallValue {
  bool fromRegister, toRegister;
  uint32_t from, to, bytes;
};

/// A fence; `kind` is its text behind "fence." (".proxy.async.shared::cta").
struct FenceEvent {
  llvm::StringRef kind;
  uint32_t mask;
  /// Per lane: the tensor map of a tensormap acquire, or null.
  const uint64_t *addresses = nullptr;
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
  /// The warp had a turn until now; `instructions` is what it executed.
  virtual void turn(Warp &warp, uint64_t instructions) {}
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
  /// `lane` arrived on a barrier that expects no more arrivals in this phase,
  /// which stops the grid. True when the monitor has reported why.
  virtual bool arrivalFault(Warp &warp, const Op &op, unsigned lane, Cta &cta,
                            uint32_t offset) {
    return false;
  }
  /// Lanes of `mask` issue an asynchronous operation; the result names it.
  virtual uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                              const AsyncIssue &issue) {
    return 0;
  }
  /// All tcgen05 work (or, if not `tensor`, all cp.async) of `lane` so far
  /// will arrive on a barrier; the result names it.
  virtual uint64_t asyncCommit(Warp &warp, const Op &op, unsigned lane,
                               bool tensor) {
    return 0;
  }
  /// A unit completes bytes on an mbarrier or arrives there.
  virtual void unitBarrier(uint64_t token, const MBarrierEvent &event) {}
  /// The operation has done all its accesses. `failed`: a cancellation that
  /// found no cluster.
  virtual void asyncComplete(uint64_t token, bool failed) {}
  /// A commit_group of cp.async, or of bulk copies.
  virtual void groupCommit(Warp &warp, const Op &op, uint32_t mask, bool bulk) {
  }
  /// A wait_group passed: of the groups of each lane at most `keep` are open.
  virtual void groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                         uint32_t keep, bool readOnly) {}
  /// wgmma.commit_group and wait_group of a warp.
  virtual void wgmmaCommit(Warp &warp, const Op &op) {}
  virtual void wgmmaWait(Warp &warp, const Op &op, uint32_t keep) {}
  /// Tensor memory [column, column + columns) was allocated or freed.
  virtual void tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                           uint32_t columns) {}
  virtual void tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                             uint32_t columns) {}
  /// Lanes of `mask` hand values from frame to frame: a call enters the frame
  /// `to`, or (`returns`) leaves the frame `from`.
  virtual void callValues(Warp &warp, const Op &op, uint32_t mask,
                          const Frame &from, const Frame &to, bool returns,
                          llvm::ArrayRef<CallValue> values) {}
  /// Lanes of a tainted warp come to an instruction that those of a member mask
  /// execute together; they may have to wait there.
  virtual void memberMask(Warp &warp, const Op &op, uint32_t mask) {}
  /// In front of an operation that touches registers of a wgmma of its
  /// function, and of every operation of a tainted warp.
  virtual void watched(Warp &warp, const Op &op, uint32_t mask) {}
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_MONITOR_H
