//===- Machine.h - warps, CTAs and decoded code -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State of a running grid. A register is a row of 32 lanes: predicates are a
// 32-bit mask, registers of up to 32 bits a row of uint32_t (narrower ones zero
// extended), 64-bit ones a row of uint64_t, 128-bit ones two such rows (low
// words first). An instruction is one call of a handler for all lanes of a
// mask.
//
// Divergence: a warp is a set of splits (pc, mask, frame). Code is laid out so
// that a smaller pc never post-dominates a larger one outside its loop; running
// the split with the smallest pc of the deepest call therefore reconverges at
// the earliest point. A split that waits or polls gives way to the others.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_MACHINE_H
#define FP8_LIB_EMULATOR_EXEC_MACHINE_H

#include "fp8/Emulator/Emulator.h"
#include "fp8/Emulator/Monitor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>

namespace fp8::emulator {

struct Warp;
struct Cta;
struct Cluster;
struct Grid;
struct Op;
struct Code;
class Crew;
class Probe;

/// What a handler tells the interpreter loop.
enum class Step : uint8_t {
  Next,  ///< continue at pc + 1
  Jump,  ///< pc and mask of the warp are set
  Retry, ///< the split waits at this pc; something must wake it
  Yield, ///< done, but give way (a poll that failed)
  Order, ///< not done: waits for its turn among the clusters
  Fault, ///< the launch stops
};

using Handler = Step (*)(Warp &warp, const Op &op, uint32_t mask);

inline constexpr uint32_t NoRegister = 0xffffffff;
/// Bit 0 of an operand: the row lies in the constant pool.
inline constexpr uint32_t ConstantBit = 1;

/// A decoded instruction. d, a, b, c are byte offsets of rows (multiples of
/// 64).
struct Op {
  Handler run = nullptr;
  uint32_t d = NoRegister, a = NoRegister, b = NoRegister, c = NoRegister;
  uint32_t guard = NoRegister;
  uint32_t target = 0;
  int32_t imm = 0;
  uint16_t aux = 0;
  bool guardNegated = false;
  /// Bits of OpFlags.
  uint8_t flags = 0;
  /// Side data, typed by the handler; owned by the Code.
  const void *extra = nullptr;

  template <typename T>
  const T &as() const {
    return *static_cast<const T *>(extra);
  }
};

enum OpFlags : uint8_t {
  /// All lanes of the warp must execute it together (.aligned).
  AlignedFlag = 1,
  /// `b`... the member mask is in OpInfo; lanes in it execute together.
  CollectiveFlag = 2,
  /// The handler needs the lanes that its guard turns off, too.
  BranchFlag = 4,
  /// Reads or writes registers of a wgmma: the monitor sees it.
  WatchFlag = 8,
  /// One of several operations of an instruction, but not its last.
  PartFlag = 16,
};

/// What an operation does besides writing its registers. Set when it is
/// decoded, for who looks for loops without end (Livelock.h).
enum OpEffects : uint8_t {
  /// Nothing but what the other bits say, and the way of its lanes. What has
  /// not this bit may do anything.
  KnownEffects = 1,
  ReadsMemory = 2,
  /// Its handler counts a change of bytes that others see as progress.
  WritesMemory = 4,
  /// Looks at an mbarrier.
  PollsBarrier = 8,
  CallsFunction = 16,
};

/// What messages need of an Op.
struct OpInfo {
  uint32_t line = 0;
  ptx::SourceLoc loc;
  /// Opcode with qualifiers.
  std::string text;
  /// Operand of a collective instruction's member mask (an operand code).
  uint32_t memberMask = NoRegister;
  /// Bits of OpEffects.
  uint8_t effects = 0;
  /// Register rows of the instruction's operands; bases of addresses apart.
  llvm::SmallVector<uint32_t, 4> reads, writes;
  llvm::SmallVector<uint32_t, 1> addresses;
};

/// A variable in the local frame of a function.
struct FrameVariable {
  uint32_t offset, size;
};

/// A decoded function.
struct Code {
  const ptx::Function *source = nullptr;
  std::string name;
  std::vector<Op> ops;
  std::vector<OpInfo> info;
  /// Constant pool: rows as in a register file.
  std::vector<uint8_t> constants;
  uint32_t frameBytes = 0;
  /// Rows of the frame, in order; the next one tells the size.
  std::vector<uint32_t> rows;
  uint32_t entry = 0;
  uint32_t localBytes = 0;
  /// Rows that some path reads before it writes them.
  std::vector<uint32_t> undefinedRows;
  /// Formal parameters and results: local variables of this frame, or, when
  /// in .reg space, a register.
  struct Formal {
    bool isRegister;
    uint32_t where; ///< local offset or register row
    uint32_t size;
    uint32_t registers; ///< bytes of the row's element: 4 or 8
  };
  std::vector<Formal> params, results;
  std::vector<std::shared_ptr<void>> extras;
  /// Executed threads and warps per op, while statistics are collected.
  mutable std::vector<std::pair<uint64_t, uint64_t>> counts;

  // Kernels only.
  std::vector<ParameterLayout> kernelParams;
  uint32_t paramBytes = 0;
  uint32_t staticShared = 0;
  /// Largest count of a setmaxnreg in the body; 0: it has none.
  uint32_t setRegisters = 0;
};

/// A variable of module scope.
struct GlobalVariable {
  const ptx::Variable *source = nullptr;
  /// Generic address once loaded; shared variables: offset.
  uint64_t address = 0;
};

class Program {
public:
  const ptx::Module *module = nullptr;
  const Target *target = nullptr;
  std::vector<std::unique_ptr<Code>> functions;
  llvm::StringMap<unsigned> functionIndex;
  /// .global and .const variables, one allocation for all of a program; the
  /// offset of each in it.
  std::vector<std::pair<const ptx::Variable *, uint64_t>> globals;
  uint64_t globalBytes = 0;
  /// Handed out when the program is decoded, so that addresses are constants;
  /// the device maps it at load.
  uint64_t globalBase = 0;
  bool loaded = false;
  /// Constants that hold offsets in the global block until load.
  struct Relocation {
    Code *code;
    uint32_t offset;
    bool wide;
  };
  std::vector<Relocation> relocations;
  std::vector<std::shared_ptr<void>> owned;
};

/// One call's registers and local variables. A frame is shared by all lanes
/// that came through the same call path.
struct Frame {
  const Code *code = nullptr;
  Frame *parent = nullptr;
  uint32_t returnPc = 0;
  const Op *call = nullptr;
  uint32_t depth = 0;
  uint32_t localBase = 0;
  std::vector<uint64_t> storage;
  uint8_t *regs = nullptr;
  llvm::SmallVector<std::unique_ptr<Frame>, 0> children;
};

enum class SplitState : uint8_t {
  Ready,
  Polling,  ///< spins; runs again when no other split can
  Blocked,  ///< retries its instruction when the warp is woken
  Together, ///< waits for other lanes at a collective instruction
  Ordered,  ///< waits for its turn at a globally ordered operation
};

struct Split {
  uint32_t pc = 0;
  uint32_t mask = 0;
  Frame *frame = nullptr;
  SplitState state = SplitState::Ready;
};

/// What lanes of a warp wait for: for messages, and the address of the mbarrier
/// where it is one.
struct Wait {
  uint32_t lanes = 0;
  std::string reason;
  std::optional<uint32_t> barrier;
};

/// Number of named barriers of a CTA.
inline constexpr unsigned NumBarriers = 16;

struct Warp {
  Warp();
  ~Warp();

  /// Registers of the current frame, and its constant pool.
  uint8_t *base[2] = {nullptr, nullptr};
  uint32_t pc = 0;
  uint32_t active = 0;
  /// The loop stops in front of this pc to look for splits to merge.
  uint32_t nextStop = ~0u;
  Frame *frame = nullptr;
  Cta *cta = nullptr;
  /// Lanes that exist, and those that have not exited.
  uint32_t started = 0, alive = 0;
  unsigned index = 0;
  llvm::SmallVector<Split, 4> others;
  std::unique_ptr<Frame> root;
  /// tid.x, tid.y, tid.z rows.
  alignas(64) std::array<std::array<uint32_t, 32>, 3> tid;
  std::vector<uint8_t> local;
  uint32_t localStride = 0;
  Allocation *lastAllocation = nullptr;
  bool queued = false;
  /// The current split was let go at an .aligned instruction though lanes
  /// are missing.
  bool released = false;
  uint32_t polls = 0;
  /// Registers of a thread, where Grid::entryRegisters is known.
  uint32_t registers = 0;
  /// It is the warp's turn to do one globally ordered operation.
  bool hasTurn = false;
  /// In its cluster's list of warps that wait for such a turn.
  bool waits = false;
  /// Per lane: groups of cp.async and bulk copies, see Async.h.
  std::array<uint32_t, 32> cpAsyncCommitted = {};
  /// Barrier the lanes of the warp wait in: generation seen at arrival, per
  /// barrier and lane.
  std::array<std::array<uint32_t, 32>, NumBarriers> barrierPhase;
  uint32_t waitingBarrier[NumBarriers] = {};
  /// Lanes that arrived at the cluster barrier and have not waited yet.
  uint32_t clusterArrived = 0;
  std::array<uint32_t, 32> clusterPhase = {};
  /// What its lanes wait for; no lane is in two of them.
  llvm::SmallVector<Wait, 1> awaited;
  /// How often each lane passed by an .aligned instruction with a false guard
  /// in a split where no guard was true, by frame and pc.
  std::map<std::pair<const Frame *, uint32_t>, std::array<uint32_t, 32>> skips;
  /// The monitor's record of the warp.
  void *observer = nullptr;
  /// The monitor wants to see every operation: registers without a value.
  bool tainted = false;
  /// Watches for a loop without end, while Grid::probing.
  std::unique_ptr<Probe> probe;
};

/// A named barrier.
struct NamedBarrier {
  uint32_t expected = 0;
  uint32_t arrived = 0;
  uint32_t generation = 0;
  /// Reduction of the phase being built and of the last complete one.
  uint32_t population = 0, lastPopulation = 0;
  bool all = true, any = false, lastAll = true, lastAny = false;
};

struct Cta {
  Grid *grid = nullptr;
  Cluster *cluster = nullptr;
  Dim3 id{0, 0, 0};
  uint32_t rank = 0;
  uint32_t sm = 0;
  std::vector<uint8_t> shared;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<NamedBarrier, NumBarriers> barriers;
  uint32_t threads = 0;
  uint32_t aliveThreads = 0;
  /// Registers per thread that its warps gave back, summed over warps.
  uint32_t freeRegisters = 0;
  /// State of asynchronous units and tensor memory (Async.h), made on use.
  std::shared_ptr<void> async, tensor;
  /// The monitor's record of the block.
  void *observer = nullptr;
};

/// Work that completes on its own; returns when done.
struct AsyncWork {
  std::function<void()> complete;
};

/// Blocks that share memory, and their schedule: one host thread at a time runs
/// a cluster, and nothing here depends on what other clusters do meanwhile.
struct Cluster {
  Grid *grid = nullptr;
  Dim3 id{0, 0, 0};
  std::vector<std::unique_ptr<Cta>> ctas;
  /// Cluster barrier.
  uint32_t generation = 0;
  uint32_t arrived = 0;

  std::vector<Warp *> ready;
  /// Warps that wait for a turn at a globally ordered operation.
  std::vector<Warp *> waiting;
  /// Asynchronous operations, and those that other clusters can observe.
  std::vector<AsyncWork> pending, ordered;
  std::mt19937_64 random;
  /// Grows whenever something happened that could end a poll.
  uint64_t progress = 0;
  /// Turns that ended for their length only.
  uint64_t longTurns = 0;
  /// Turns of warps in the present slice.
  uint64_t turns = 0;
  uint64_t clock = 0;
  /// Why the cluster stopped; the finding may be the monitor's.
  bool stopped = false;
  std::string fault;
  std::optional<Finding> finding;
};

struct Grid {
  Device *device = nullptr;
  Program *program = nullptr;
  const Code *kernel = nullptr;
  Dim3 gridDim, blockDim, clusterDim{1, 1, 1};
  bool hasClusters = false;
  /// Started with programmatic stream serialisation.
  bool programmatic = false;
  uint32_t dynamicShared = 0, sharedBytes = 0;
  /// Registers of a thread at its start, as allocated; 0: not known.
  uint32_t entryRegisters = 0;
  uint64_t paramBase = 0;
  Allocation *params = nullptr;
  uint64_t nextCluster = 0, clusterCount = 0;
  std::vector<std::unique_ptr<Cluster>> resident;
  /// Order of the clusters' turns.
  std::mt19937_64 random;
  uint64_t seed = 0;
  uint64_t progress = 0, longTurns = 0;
  uint64_t clock = 0;
  /// Probes of warps are on (Livelock.h): which time, and the clock when
  /// something last changed.
  bool probing = false;
  uint64_t episode = 0, quietSince = 0;
  uint64_t gridId = 0;
  Monitor *monitor = nullptr;
  bool stopped = false;
  /// It stopped because nothing could go on.
  bool deadlocked = false;
  std::string fault;
};

//===----------------------------------------------------------------------===//
// Access to rows
//===----------------------------------------------------------------------===//

template <typename T>
[[gnu::always_inline]] inline const T *row(const Warp &warp, uint32_t operand) {
  return reinterpret_cast<const T *>(warp.base[operand & ConstantBit] +
                                     (operand & ~63u));
}

template <typename T>
[[gnu::always_inline]] inline T *destination(Warp &warp, uint32_t operand) {
  return reinterpret_cast<T *>(warp.base[0] + operand);
}

[[gnu::always_inline]] inline uint32_t predicate(const Warp &warp,
                                                 uint32_t operand) {
  return *reinterpret_cast<const uint32_t *>(warp.base[operand & ConstantBit] +
                                             (operand & ~63u));
}

/// Sets the lanes of `mask` in a predicate.
[[gnu::always_inline]] inline void setPredicate(Warp &warp, uint32_t operand,
                                                uint32_t mask, uint32_t value) {
  if (operand == NoRegister)
    return;
  uint32_t &bits = *reinterpret_cast<uint32_t *>(warp.base[0] + operand);
  bits = (bits & ~mask) | (value & mask);
}

/// The current split waits no more.
inline void clearWait(Warp &warp) {
  for (size_t i = warp.awaited.size(); i-- > 0;) {
    warp.awaited[i].lanes &= ~warp.active;
    if (!warp.awaited[i].lanes)
      warp.awaited.erase(warp.awaited.begin() + i);
  }
}

/// Notes what the current split waits for.
inline void setWait(Warp &warp, std::string reason,
                    std::optional<uint32_t> barrier = std::nullopt) {
  clearWait(warp);
  warp.awaited.push_back({warp.active, std::move(reason), barrier});
}

/// What lanes of `mask` wait for; null: nothing that is known.
inline const Wait *waitOf(const Warp &warp, uint32_t mask) {
  for (const Wait &wait : warp.awaited)
    if (wait.lanes & mask)
      return &wait;
  return nullptr;
}

/// First lane of a non-empty mask.
inline unsigned firstLane(uint32_t mask) { return __builtin_ctz(mask); }

//===----------------------------------------------------------------------===//
// Interpreter and scheduler (Interpreter.cpp, Scheduler.cpp)
//===----------------------------------------------------------------------===//

/// Lanes `taken` of the current split continue at `target`, the rest of it at
/// `other`.
void divert(Warp &warp, uint32_t taken, uint32_t target, uint32_t other);
/// Chooses the split to run, merging equal ones. False when none can run.
bool selectSplit(Warp &warp);
/// Current split becomes one of `others` in `state`.
void parkSplit(Warp &warp, SplitState state);
/// Lanes of `mask` whose member mask names `own` of the lanes that live.
uint32_t lanesWithMembers(const Warp &warp, const uint32_t *members,
                          uint32_t mask, uint32_t own);
/// Reports lanes of `mask` that are not in their own member mask, or that one
/// names which has another.
void checkMembers(const Warp &warp, const Op &op, uint32_t mask);
/// Makes `frame` current.
void enterFrame(Warp &warp, Frame *frame);
/// Registers of a new frame and the rows that it starts with.
void initializeFrame(Warp &warp, Frame &frame);
/// Barriers and the like after lanes ended (Barrier.cpp).
void onExit(Warp &warp, uint32_t mask);
/// Ends lanes of the current split.
void exitLanes(Warp &warp, uint32_t mask);
/// Nothing can run, but lanes wait at an .aligned instruction: reports the
/// divergence and makes them current. False when no split waits so.
bool releaseDiverged(Warp &warp);
/// Puts the warp back into the ready list and its blocked splits back to work.
void wake(Warp &warp);
void wakeCta(Cta &cta);
void wakeCluster(Cluster &cluster);

/// Runs the warp until it blocks, yields or ends; false when it cannot go on.
bool runWarp(Warp &warp, uint64_t budget);
/// Makes a split that waits at a globally ordered operation current, for one
/// turn; drawn by `random`. False when there is none.
bool beginTurn(Warp &warp, uint64_t random);
/// Ends the turn of the operation that the warp did. True when it had one: then
/// the warp gives way.
inline bool endTurn(Warp &warp) {
  bool had = warp.hasTurn;
  warp.hasTurn = false;
  return had;
}

/// Coordinates of a cluster in the grid of clusters, in the order of their
/// numbers (Start.cpp).
Dim3 clusterPlace(const Grid &grid, uint64_t number);
/// A new cluster's warps, registers and memory (Start.cpp).
std::unique_ptr<Cluster> makeCluster(Grid &grid, uint64_t number);
/// Runs one cluster by itself: until it has ended, waits for its turn or for
/// others, or has had its share (Scheduler.cpp).
void runSlice(Cluster &cluster);
/// Work of the cluster that is left: warps or asynchronous operations.
bool isDone(const Cluster &cluster);

/// The kernel of that name, or null.
const Code *findKernel(const Program &program, llvm::StringRef name);

/// The checks of DeviceOptions::check (Sanitizer/).
std::unique_ptr<Monitor> makeSanitizer(Device &device);

/// Takes the counts of the program's operations out of it (Statistics.cpp).
void collectMix(const Program &program, Statistics &counts);
/// Registers of a thread when the kernel starts, where PTX determines them:
/// ptxas gives a kernel with setmaxnreg what its bounds allow. 0 elsewhere
/// (Registers.cpp).
uint32_t entryRegisters(const Code &kernel);
/// Adds the counts of one launch to those of others.
void addStatistics(Statistics &to, const Statistics &from);

/// Clusters that the device holds at once.
uint64_t maxResident(const Grid &grid);
/// Runs the grid to its end; clusters in parallel on the threads of `crew`, or
/// one after the other without one.
llvm::Error runGrid(Grid &grid, Crew *crew);

/// Stops the cluster for a reason that a finding tells.
void stop(Cluster &cluster, Finding finding);
/// Stops the cluster for a reason that the monitor reports itself.
void stop(Cluster &cluster, uint32_t line, const std::string &why);

/// Reports a fault at `op` for the first lane of `mask` and stops the grid.
Step fault(Warp &warp, const Op &op, uint32_t mask, const char *kind,
           const char *memory, uint64_t address, const std::string &message);
/// Site of an access for findings.
AccessSite siteOf(const Warp &warp, const OpInfo &info, unsigned lane);
AccessSite siteOf(const Warp &warp, const Op &op, unsigned lane);
/// Notes an operation for the warp's probe, with no lanes for one that its
/// guard turned off. True when the split should give way (Livelock.cpp).
bool probeOp(Warp &warp, const Code &code, uint32_t pc, uint32_t mask);
/// Notes an access for the warp's probe.
void probeAccess(Warp &warp, ptx::Space space, uint64_t address);
/// The info record of an op of the current frame.
const OpInfo &infoOf(const Warp &warp, const Op &op);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_MACHINE_H
