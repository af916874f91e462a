//===- Sanitizer.h - finds missing order in a running grid ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A monitor that tracks happens-before, not time: whatever order the seed drew,
// an access must be ordered after each earlier one that conflicts with it, by
// an edge that PTX defines. Threads of a warp that know the same form a lane
// group with one Knowledge; a thread's own accesses are implied. Asynchronous
// operations are checked and recorded when they are issued, since they may act
// at any time from then until their completion is known.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_SANITIZER_SANITIZER_H
#define FP8_LIB_EMULATOR_SANITIZER_SANITIZER_H

#include "Clock.h"
#include "Shadow.h"

#include "../Exec/Machine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace fp8::emulator {

struct VectorMove;

/// How far a fence reaches: its block, its cluster, any other block.
inline constexpr std::array<Scope, Knowledge::NumReaches> Reaches = {
    Scope::Cta, Scope::Cluster, Scope::Gpu};

/// What relaxed reads saw, by the reach that a fence behind them needs.
struct Seen {
  std::array<Knowledge, Reaches.size()> known;
};

/// Lanes of a warp that know the same.
struct LaneGroup {
  uint32_t mask = 0;
  Knowledge known;
  /// For a fence behind them.
  std::shared_ptr<const Seen> seen;
};

/// Commit groups of lanes: the last operation of each.
struct LaneCommits {
  std::array<llvm::SmallVector<uint32_t, 0>, 32> ends;
  LaneEpochs issued = {};
};

struct CtaState;

/// A register row of a call's frame.
using FrameRow = std::pair<const Frame *, uint32_t>;
/// Lanes for each byte of a register (up to 128 bits), lowest first.
using ByteLanes = std::array<uint32_t, 16>;

/// One register row of a wgmma operand.
struct WatchedRow {
  /// The last write by an instruction, and the warp's fences before it.
  uint32_t writer = ~0u;
  uint32_t fences = 0;
  bool plain = false;
  /// The last wgmma that reads or writes it, and whether it writes.
  uint32_t product = 0;
  uint32_t productOp = 0;
  bool accumulates = false;
};

struct WarpState {
  Warp *warp = nullptr;
  CtaState *cta = nullptr;
  uint32_t id = 0;
  /// Lanes that do not exist.
  uint32_t missing = 0;
  uint32_t epoch = 1;
  /// The next access starts a new epoch.
  bool bump = false;
  llvm::SmallVector<LaneGroup, 2> groups;
  const Code *code = nullptr;
  uint32_t codeBase = 0;

  /// Per lane: epoch of the last async-proxy fence per space, and cp.async
  /// known complete at it; of fence.mbarrier_init; of fence.proxy.tensormap
  /// release.
  std::array<LaneEpochs, Knowledge::NumProxied> fence = {}, copiesFenced = {};
  LaneEpochs initFence = {}, mapRelease = {};
  /// The same of release fences with at least a reach.
  std::array<LaneEpochs, Reaches.size()> releaseFence = {};
  /// Operations of the lane known complete.
  LaneEpochs copies = {}, bulkRead = {}, bulkWrite = {};
  /// Operations issued by the warp.
  uint32_t copiesIssued = 0, bulkIssued = 0, tensorIssued = 0;
  uint32_t loadsIssued = 0, storesIssued = 0;
  LaneEpochs tensorLast = {};
  std::unique_ptr<LaneCommits> copyCommits, bulkCommits;
  bool anyFence = false, anyInit = false, anyCopies = false, anyBulk = false;

  // wgmma of this warp.
  uint32_t products = 0, productsDone = 0;
  llvm::SmallVector<uint32_t, 4> productCommits;
  uint32_t wgmmaFences = 0, fencesAtCommit = 0;
  llvm::DenseMap<FrameRow, WatchedRow> rows;
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 2> registerChanges;

  /// Epochs in which lanes learned of a new phase of an mbarrier, by its id.
  llvm::DenseMap<uint32_t, LaneEpochs> observed;

  /// Lanes of a row without a value, and where that came from last.
  llvm::DenseMap<FrameRow, uint32_t> undefined;
  /// The same by byte, of rows of 32 bits where only some bytes are.
  llvm::DenseMap<FrameRow, ByteLanes> undefinedBytes;
  Touch undefinedFrom;
  /// A byte per byte of the lanes' local memory, and their distance.
  std::vector<uint8_t> localDefined;
  uint32_t localStride = 0;

  LaneGroup &groupOf(unsigned lane) {
    for (LaneGroup &group : groups)
      if (group.mask >> lane & 1)
        return group;
    return groups.front();
  }
};

/// What is left of a warp after its block ended.
struct WarpRecord {
  uint32_t cta = 0;
  Dim3 block{0, 0, 0};
  Dim3 blockDim;
  uint32_t index = 0;
  WarpState *state = nullptr;
};

struct BarrierObject {
  uint32_t id = 0;
  uint32_t phase = 0;
  bool observed = true;
  /// Arrivals of the phase that is open, from this block and from others, and
  /// those of all complete ones.
  Knowledge local, remote, doneLocal, doneRemote;
  /// Bytes on the way, and the last phase that counted some.
  uint32_t inFlight = 0, lastBytes = 0;
  Touch init, lastUse;
  /// The first arrival of a phase before anybody saw the one before complete,
  /// and the use before it.
  Touch beforeOverrun, overrun;
  /// What completed the last phase, where that is known.
  Touch completed;
  ClockRef users;
};

/// A phase of a barrier that threads pass by generation.
struct MeetingPoint {
  struct Phase {
    uint32_t generation = ~0u;
    Knowledge known;
  };
  std::array<Phase, 4> phases;
  Phase &at(uint32_t generation) { return phases[generation % 4]; }
};

/// The last strong write of a location; version 0 is none.
struct StrongWrite {
  uint32_t version = 0;
  uint32_t warp = ~0u, lane = 0, cta = 0;
  Scope scope = Scope::None;
  uint8_t bytes = 0;
};

/// One before it that need not have happened before.
struct OlderWrite {
  Touch touch;
  uint32_t version;
};

/// Who read what strong writes left: versions from `first` to `last`.
struct Observer {
  uint32_t warp, lane, epoch, first, last;
};

/// A location of strong accesses.
struct SyncLocation {
  struct Release {
    Knowledge known;
    Scope scope;
    uint32_t cta;
  };
  llvm::SmallVector<Release, 1> releases;
  /// Strong writes so far, and the first that atomics lead from to the last.
  uint32_t versions = 0, chain = 0;
  StrongWrite last;
  llvm::SmallVector<OlderWrite, 0> older;
  llvm::SmallVector<Observer, 0> observers;
};

/// What a store to global memory that is on its way releases there.
struct LateRelease {
  uint64_t address;
  SyncLocation::Release release;
};

/// A store that another one of the same value hides from the next writer, and
/// which bytes of the 16 from the address of the block on.
struct Twin {
  Touch store;
  uint16_t bytes;
};

struct TensorBlock {
  uint32_t column, columns;
  Touch site;
};

struct ClusterState;

struct CtaState {
  Cta *cta = nullptr;
  uint32_t index = 0;
  ClusterState *cluster = nullptr;
  std::vector<std::unique_ptr<WarpState>> warps;
  ShadowMemory shared;
  llvm::DenseMap<uint32_t, BarrierObject> barriers;
  std::unique_ptr<std::array<MeetingPoint, NumBarriers>> meetings;
  llvm::DenseMap<uint64_t, SyncLocation> locations;
  /// Cells of tensor memory: 8 blocks of 16 lanes x 512 columns, made on use.
  std::vector<ShadowCell> tensor;
  /// Of the same cells: lanes without a value.
  std::vector<uint16_t> tensorUndefined;
  /// Operands that agree with the copies that filled them.
  llvm::DenseSet<uint64_t> checkedOperands;
  llvm::SmallVector<TensorBlock, 2> allocations;
  /// By 16 bytes of shared memory: stores of the value that the last writer
  /// stored again, without an edge from them.
  llvm::DenseMap<uint64_t, llvm::SmallVector<Twin, 2>> twins;
  Knowledge exits;
  Touch lastExit;
  /// Cancellation requests that failed: their records.
  llvm::SmallVector<uint64_t, 1> failures;
};

struct ClusterState {
  MeetingPoint meeting;
  /// Relaxed arrivals of the same phases.
  MeetingPoint relaxed;
  llvm::SmallVector<CtaState *, 2> ctas;
};

/// An asynchronous operation.
struct AsyncRecord {
  AsyncKind kind;
  bool reduces = false, isGeneric = false, done = false;
  /// Of its writes, where they are strong: scope and bytes of an element.
  Scope scope = Scope::None;
  uint8_t elementBytes = 0;
  uint32_t warp = 0, epoch = 0, op = 0;
  /// Its place in the order of its pipeline.
  ActorKey key = 0;
  uint32_t sequence = 0;
  /// mbarrier that counts it; the phase, once it is complete.
  uint32_t barrier = 0, phase = 0;
  CtaState *barrierCta = nullptr;
  uint32_t barrierOffset = 0;
  /// The barrier's object and its phase when the operation was issued.
  uint32_t barrierId = 0, issuePhase = 0;
  /// What the issuing thread knew then.
  ClockRef known;
  std::optional<BoxLayout> box;
};

/// What the sanitizer learned of an instruction.
struct OpRecord {
  const Code *code = nullptr;
  uint32_t index = 0;
  Scope scope = Scope::None;
  uint8_t elementBytes = 0;
  bool strong = false, atomic = false, collective = false, init = false;
};

/// A tensor map in global memory that was edited or acquired.
struct MapState {
  struct Acquire {
    uint32_t warp, epoch;
    unsigned lane;
    ClockRef base;
  };
  llvm::SmallVector<Acquire, 4> acquires;
};

struct BoxOrigin;

struct GridRecord {
  const Program *program = nullptr;
  uint32_t firstWarp = 0;
  bool programmatic = false, waited = false, triggered = false;
};

enum class Verdict : uint8_t {
  Ordered,
  Unordered,
  NotComplete,
  NoFence,
  FenceElsewhere,
  NarrowRemote,
  Narrow,
  MixedSizes,
  OtherGrid
};

class Sanitizer final : public Monitor {
public:
  Sanitizer(Device &device, CheckLevel level) : device(device), level(level) {}

  void gridStart(Grid &grid) override;
  void gridEnd(Grid &grid) override;
  void ctaStart(Cta &cta) override;
  void ctaEnd(Cta &cta) override;
  void exit(Warp &warp, const Op &op, uint32_t mask) override;
  void access(Warp &warp, const Op &op, const WarpAccess &access) override;
  void fence(Warp &warp, const Op &op, const FenceEvent &event) override;
  void warpSync(Warp &warp, const Op &op, uint32_t mask) override;
  void barrierArrive(Warp &warp, const Op &op, unsigned id,
                     uint32_t mask) override;
  void barrierPass(Warp &warp, const Op &op, unsigned id,
                   uint32_t mask) override;
  void clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                     Order order) override;
  void clusterPass(Warp &warp, const Op &op, uint32_t mask,
                   Order order) override;
  void mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) override;
  bool arrivalFault(Warp &warp, const Op &op, unsigned lane, Cta &cta,
                    uint32_t offset) override;
  void callValues(Warp &warp, const Op &op, uint32_t mask, const Frame &from,
                  const Frame &to, bool returns,
                  llvm::ArrayRef<CallValue> values) override;
  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override;
  uint64_t asyncCommit(Warp &warp, const Op &op, unsigned lane,
                       bool tensor) override;
  void unitBarrier(uint64_t token, const MBarrierEvent &event) override;
  void asyncComplete(uint64_t token, bool failed) override;
  void groupCommit(Warp &warp, const Op &op, uint32_t mask, bool bulk) override;
  void groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                 uint32_t keep, bool readOnly) override;
  void wgmmaCommit(Warp &warp, const Op &op) override;
  void wgmmaWait(Warp &warp, const Op &op, uint32_t keep) override;
  void tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                   uint32_t columns) override;
  void tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                     uint32_t columns) override;
  void memberMask(Warp &warp, const Op &op, uint32_t mask) override;
  void watched(Warp &warp, const Op &op, uint32_t mask) override;

private:
  /// Who accesses now.
  struct Now {
    WarpState *state;
    LaneGroup *group;
    unsigned lane;
    Touch self;
    /// The operation, when it is asynchronous.
    const AsyncRecord *record = nullptr;
    bool writes = false, atomic = false, strong = false;
    Scope scope = Scope::None;
    uint8_t elementBytes = 0;
    /// Block of a shared address; null for global memory.
    CtaState *holder = nullptr;
    /// What the warp accesses, where it does so itself.
    const WarpAccess *access = nullptr;
    /// Last warp and epoch found ordered, to skip lookups.
    uint64_t orderedEpoch = 0;
    Touch orderedWrite = {};
    bool isMap = false;
    /// Bytes that a generic read found without a value; whether an
    /// asynchronous one found some.
    uint64_t undefined = 0, address = 0;
    /// The cell that is visited.
    uint64_t where = 0;
    bool unwritten = false, written = false;
  };

  // Threads (Sanitizer.cpp); strong accesses (Strong.cpp).
  WarpState &stateOf(Warp &warp) {
    return *static_cast<WarpState *>(warp.observer);
  }
  CtaState &stateOf(Cta &cta) { return *static_cast<CtaState *>(cta.observer); }
  uint32_t opOf(WarpState &state, const Op &op);
  uint32_t epochOf(WarpState &state);
  Touch touch(WarpState &state, const Op &op, unsigned lane) {
    return Touch::generic(state.id, epochOf(state), opOf(state, op), lane);
  }
  /// Adds what `lanes` of a group release.
  void release(WarpState &state, const LaneGroup &group, uint32_t lanes,
               Knowledge &out);
  Knowledge release(WarpState &state, uint32_t mask);
  /// Runs f on the groups of `mask`, split so that they hold no other lanes,
  /// and merges groups that know the same afterwards.
  template <typename F>
  void update(WarpState &state, uint32_t mask, F f);
  void acquire(WarpState &state, uint32_t mask, const Knowledge &from);
  void proxyFence(WarpState &state, uint32_t mask, unsigned spaces);
  void memoryFence(WarpState &state, uint32_t mask, Scope scope);
  void mapFence(WarpState &state, const Op &op, const FenceEvent &event,
                bool acquires);
  void gridWait(WarpState &state, uint32_t mask);
  void synchronizeLane(WarpState &state, const WarpAccess &access,
                       unsigned lane);
  void synchronize(WarpState &state, const WarpAccess &access, unsigned lane,
                   SyncLocation &location);
  /// Adds what a release gives at a location.
  static void publish(SyncLocation &location, SyncLocation::Release given);

  // Writes before the last (Strong.cpp).
  bool scopesMeet(const CtaState &a, Scope scopeA, uint32_t b,
                  Scope scopeB) const;
  void noteStrong(WarpState &state, const WarpAccess &access, unsigned lane,
                  SyncLocation &location);
  static void addObserver(SyncLocation &location, const Observer &seen);
  SyncLocation *locationOf(const Now &now, Touch write);
  bool isStrong(Touch write) const;
  bool isKnown(const Now &now, Touch write) const;
  bool isObserved(const Now &now, const SyncLocation &location,
                  uint32_t version) const;
  void keepOlder(const Now &now, Touch write);
  void visitOlder(Now &now, Touch write, uint64_t address, unsigned size);
  bool sawLast(const Now &now, Touch write);
  void keepStrongReads(const Now &now, ShadowCell &cell);

  // Checks (Check.cpp).
  void accessLane(Now &now, ShadowMemory &memory, uint64_t address,
                  uint32_t bytes);
  void visitCell(Now &now, ShadowCell &cell, uint64_t address, unsigned size);
  /// A write of [address, address + size), after stores that cells forgot.
  void visitTwins(Now &now, uint64_t address, unsigned size);
  void addRead(Now &now, ShadowCell &cell);
  void addToSet(Now &now, ReaderSet &set);
  void dropReads(ShadowCell &cell);
  bool isOrdered(Now &now, Touch earlier);
  bool isTogether(const Now &now, Touch earlier) const;
  Verdict order(Now &now, Touch earlier, bool earlierWrites);
  Verdict orderGeneric(Now &now, Touch earlier, bool earlierWrites);
  Verdict orderAsync(Now &now, Touch earlier, bool earlierWrites);
  /// Two strong accesses, of a warp and of now, without an edge: no race if
  /// they are morally strong.
  Verdict strongOrder(const Now &now, uint32_t warp, Scope scope,
                      unsigned elementBytes) const;
  Verdict proxyOrder(Now &now, ActorKey key, unsigned lane, uint32_t epoch,
                     bool collective, bool sameThread, bool isCopy,
                     uint32_t writerCta);
  /// Whether `known`, of a lane, holds the completion of an operation.
  static bool isComplete(const WarpState &state, const ClockRef &known,
                         unsigned lane, const AsyncRecord &record,
                         unsigned issuer, bool write);
  Verdict otherGrid(const Now &now, uint32_t warp);
  struct Kind {
    const char *name;
    CheckLevel level;
    const char *missing;
  };
  /// What to report, if anything (name null).
  Kind kindOf(const Now &now, Touch earlier, bool earlierWrites,
              Verdict verdict) const;
  Kind fenceKind(const Now &now, Touch earlier, bool earlierWrites) const;
  static Kind pendingKind(AsyncKind earlier, bool earlierWrites, bool nowWrites,
                          bool isMap);
  bool repeatsStore(const Now &now, Touch earlier, uint64_t address,
                    unsigned size) const;
  void conflict(Now &now, Touch earlier, bool earlierWrites, uint64_t address,
                unsigned size);
  Kind notComplete(const Now &now, const AsyncRecord &record,
                   bool earlierWrites) const;
  bool isLateReader(const Now &now, const AsyncRecord &record) const;
  void checkStarted(Now &now, CtaState &holder, uint64_t address);
  void checkMap(Now &now, uint64_t map);

  // Asynchronous operations (Async.cpp).
  void enqueue(WarpState &state, uint32_t mask, AsyncRecord &record);
  void attach(WarpState &state, const Op &op, unsigned lane, uint32_t barrier,
              AsyncRecord &record);
  /// Notes in `contents` whether it reads shared bytes that somebody wrote, and
  /// some that nobody did.
  struct Contents {
    bool written = false, unwritten = false;
  };
  void enterRange(WarpState &state, uint64_t index, const AsyncRange &range,
                  Contents &contents);
  void arriveRelease(uint64_t index);

  // Barriers (MBarriers.cpp).
  BarrierObject *barrierAt(WarpState &state, const Op &op, unsigned lane,
                           CtaState &holder, uint32_t offset);
  void initBarrier(WarpState &state, const Op &op, const MBarrierEvent &event);
  void endBarrier(WarpState &state, const Op &op, const MBarrierEvent &event,
                  BarrierObject &object);
  void arrive(WarpState &state, const MBarrierEvent &event,
              BarrierObject &object, Touch self);
  void observe(WarpState &state, const MBarrierEvent &event,
               BarrierObject &object);
  void completePhase(BarrierObject &object, Touch by);
  void reportOverrun(CheckLevel at, uint32_t offset,
                     const BarrierObject &object);
  void reportMissedPhases(const Grid &grid);
  void reportMissedPhase(WarpState &state, uint32_t waiting, uint32_t offset,
                         const BarrierObject &object);
  void addArrival(BarrierObject &object, const Knowledge &known, Scope scope,
                  bool remote);

  // Tensor memory (Tensor.cpp).
  void tensorAccess(WarpState &state, uint64_t index, unsigned lane,
                    const TensorRange &range);
  void tensorCell(WarpState &state, LaneGroup &group, uint64_t index,
                  unsigned lane, ShadowCell &cell, bool writes,
                  uint32_t address);
  void tensorConflict(WarpState &state, LaneGroup &group, uint64_t index,
                      unsigned lane, Touch earlier, bool earlierWrites,
                      bool writes, uint32_t address);
  void tensorWait(WarpState &state, uint32_t mask, bool loads);

  // Operands of products in shared memory (Operands.cpp).
  void checkOperand(WarpState &state, uint64_t index,
                    const SharedOperand &operand);
  void compareBox(uint64_t index, const SharedOperand &operand,
                  uint32_t address, unsigned mn, unsigned k, BoxOrigin &origin);

  // Registers (Registers.cpp).
  void watchProduct(WarpState &state, const Op &op, uint32_t mask);
  void checkProduct(WarpState &state, const Op &op, uint32_t mask,
                    bool accumulates);
  void setMaxRegisters(WarpState &state, const Op &op, const std::string &text,
                       uint32_t mask);
  void checkRegisterChanges(CtaState &cta);

  // Undefined values (Undefined.cpp, UndefinedProducts.cpp).
  void startUndefined(WarpState &state, const Frame &frame, uint32_t mask);
  uint32_t undefinedLanes(WarpState &state, const Frame *frame, uint32_t row);
  ByteLanes undefinedBytes(WarpState &state, const Frame *frame, uint32_t row);
  void setUndefinedBytes(WarpState &state, const Frame *frame, uint32_t row,
                         uint32_t mask, const ByteLanes &bytes);
  bool bytewise(WarpState &state, const Op &op, llvm::StringRef text,
                ByteLanes &result);
  void moveElements(WarpState &state, const Op &op, const VectorMove &move,
                    uint32_t mask);
  void setUndefined(WarpState &state, const Frame *frame, uint32_t row,
                    uint32_t mask, uint32_t lanes);
  void propagateProduct(WarpState &state, const Op &op, uint32_t mask);
  void setProduct(WarpState &state, llvm::ArrayRef<uint32_t> rows,
                  llvm::ArrayRef<uint32_t> elements, uint32_t mask);
  void wgmmaUndefined(WarpState &state, const Op &op, uint64_t index,
                      const AsyncIssue &issue, bool unwritten);
  void tensorUndefined(WarpState &state, const Op &op, const AsyncIssue &issue,
                       const Contents &contents);
  void tensorRegisters(WarpState &state, const Op &op, const AsyncIssue &issue);
  void tensorProduct(const AsyncIssue &issue);
  void propagate(WarpState &state, const Op &op, uint32_t mask);
  void reportUndefined(WarpState &state, const Op &op, uint32_t lanes,
                       const char *what);
  void loadUndefined(WarpState &state, const Op &op, unsigned lane,
                     uint64_t bytes);
  uint64_t undefinedGlobal(Allocation &allocation, uint64_t address,
                           uint32_t bytes, bool writes);
  uint64_t undefinedLocal(WarpState &state, unsigned lane, uint64_t address,
                          uint32_t bytes, bool writes);
  void storeUndefined(WarpState &state, const Op &op, unsigned lane,
                      uint64_t address);
  void accessLocal(WarpState &state, const Op &op, const WarpAccess &access);

  // Messages (Report.cpp).
  AccessSite siteOf(Touch touch) const;
  const GridRecord &gridOf(uint32_t warp) const;
  const OpInfo &infoOf(Touch touch) const;
  uint32_t ctaOf(Touch touch) const { return warps[warpOf(touch)].cta; }
  uint32_t warpOf(Touch touch) const {
    return touch.isAsync() ? records[touch.index()].warp : touch.warp();
  }
  uint32_t opIdOf(Touch touch) const {
    return touch.isAsync() ? records[touch.index()].op : touch.op();
  }
  uint64_t reportKey(const char *kind, CheckLevel at, Touch a, Touch b) const;
  /// Whether a finding would be a new one of this level: its text costs more
  /// than the check.
  bool isNews(const char *kind, CheckLevel at, Touch a, Touch b) const;
  void report(const char *kind, CheckLevel at, const char *memory,
              uint64_t address, Touch a, Touch b, const std::string &message);

  Device &device;
  CheckLevel level;
  llvm::DenseMap<const Code *, uint32_t> codeBase;
  std::vector<OpRecord> ops;
  std::vector<WarpRecord> warps;
  std::vector<GridRecord> grids;
  std::vector<AsyncRecord> records;
  /// What commits carry to a barrier, by token - records' tokens are even.
  std::vector<Knowledge> commits;
  /// By the number of their records, until they arrive.
  llvm::DenseMap<uint64_t, LateRelease> lateReleases;
  std::vector<std::unique_ptr<CtaState>> ctas;
  llvm::DenseMap<const Cluster *, std::unique_ptr<ClusterState>> clusters;
  ShadowMemory global;
  llvm::DenseMap<uint64_t, SyncLocation> locations;
  llvm::DenseMap<uint64_t, MapState> maps;
  ReaderPool pool;
  uint32_t nextBarrier = 0, nextRelease = 0;
  llvm::DenseSet<uint64_t> reported;
};

template <typename F>
void Sanitizer::update(WarpState &state, uint32_t mask, F f) {
  size_t count = state.groups.size();
  for (size_t i = 0; i < count; ++i) {
    uint32_t lanes = state.groups[i].mask & mask;
    if (!lanes)
      continue;
    if (lanes != state.groups[i].mask) {
      LaneGroup rest = state.groups[i];
      rest.mask &= ~lanes;
      state.groups[i].mask = lanes;
      state.groups.push_back(std::move(rest));
    }
    f(state.groups[i]);
  }
  if (state.groups.size() < 2)
    return;
  for (size_t i = 0; i < state.groups.size(); ++i)
    for (size_t k = i + 1; k < state.groups.size();) {
      LaneGroup &a = state.groups[i], &b = state.groups[k];
      if (a.seen != b.seen || !(a.known == b.known)) {
        ++k;
        continue;
      }
      a.mask |= b.mask;
      state.groups.erase(&b);
    }
}

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_SANITIZER_SANITIZER_H
