//===- TensorCopy.cpp - cp.async.bulk.tensor and tensor maps --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The map is read when the instruction is issued; the bytes move when the copy
// completes. Which bytes is the engine's business (TMA.h).
//
//===----------------------------------------------------------------------===//

#include "CopyFamily.h"
#include "Counts.h"

#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {
enum class Load : uint8_t {
  Tile,
  Im2col,
  Im2colNoOffsets,
  Gather4,
  Scatter4,
  Im2colW,
  Im2colW128
};

struct TensorCopyOp {
  enum Kind : uint8_t { ToShared, ToGlobal, Reduce, Prefetch };
  Kind kind = ToShared;
  Load mode = Load::Tile;
  unsigned rank = 1;
  MemoryOp shared, map, barrier;
  uint32_t mapRow = NoRegister, barrierRow = NoRegister;
  int32_t mapOffset = 0, barrierOffset = 0;
  llvm::SmallVector<uint32_t, 5> coordinates;
  llvm::SmallVector<uint32_t, 3> offsets;
  uint32_t ctaMask = NoRegister;
  bool pair = false;
  ReduceOp reduceOp = ReduceOp::Add;
};
} // namespace

static bool isWide(Load mode) {
  return mode == Load::Im2colW || mode == Load::Im2colW128;
}

/// The pieces of lane `lane`'s copy at shared address `shared`, and how many
/// bytes it brings or takes there.
static bool pieces(const Warp &warp, const TensorCopyOp &copy, unsigned lane,
                   const TensorMap &map, uint32_t shared,
                   std::vector<TMAPiece> &out, uint32_t &bytes,
                   std::string &error) {
  int32_t at[5] = {};
  for (size_t i = 0; i < copy.coordinates.size(); ++i)
    at[i] = row<int32_t>(warp, copy.coordinates[i])[lane];
  uint16_t offsets[3] = {};
  for (size_t i = 0; i < copy.offsets.size(); ++i)
    offsets[i] = row<uint32_t>(warp, copy.offsets[i])[lane];
  if (copy.mode == Load::Gather4 || copy.mode == Load::Scatter4) {
    bytes = gatherBytes(map);
    return walkGather4(map, at[0], at + 1, shared, out, error);
  }
  if (map.rank != copy.rank) {
    error = "the map has rank " + std::to_string(map.rank) +
            ", the instruction " + std::to_string(copy.rank);
    return false;
  }
  if (isWide(copy.mode)) {
    WideLoad load{copy.mode == Load::Im2colW128, offsets[0], offsets[1]};
    bytes = wideBytes(map, load);
    return walkIm2colWide(map, at, load, shared, out, error);
  }
  bytes = boxBytes(map);
  if (copy.mode == Load::Tile)
    return walkTile(map, at, shared, out, error);
  return walkIm2col(map, at, offsets, shared, out, error);
}

static uint8_t *globalPiece(Cta &cta, const IssueSite &site,
                            const TMAPiece &piece) {
  uint8_t *host =
      cta.grid->device->memory().translate(piece.global, piece.globalBytes);
  if (!host)
    asyncFault(cta, site, "out-of-bounds", "global", piece.global,
               "tensor copy of " + std::to_string(piece.globalBytes) +
                   " bytes at 0x" + llvm::utohexstr(piece.global) +
                   " is outside every buffer: the map is larger than its "
                   "tensor");
  return host;
}

/// Moves a box into the CTA of `target`'s rank and completes its barrier.
static void loadBox(Cta &cta, const IssueSite &site, const TensorMap &map,
                    const std::vector<TMAPiece> &list, uint32_t base,
                    uint32_t signal, uint32_t bytes, uint64_t token) {
  for (const TMAPiece &piece : list) {
    uint8_t *to = sharedBytes(cta, base | piece.shared, piece.sharedBytes);
    if (!to) {
      asyncFault(cta, site, "out-of-bounds", "shared", base | piece.shared,
                 "tensor copy beyond the block's shared memory");
      return;
    }
    if (!piece.inBounds) {
      fillOutOfBounds(map, to, piece.sharedBytes);
      continue;
    }
    const uint8_t *from = globalPiece(cta, site, piece);
    if (!from)
      return;
    memcpy(to, from, piece.globalBytes);
    if (piece.sharedBytes > piece.globalBytes)
      memset(to + piece.globalBytes, 0, piece.sharedBytes - piece.globalBytes);
    transformLoaded(map, to, piece.globalBytes);
  }
  finished(cta, token);
  completeTx(cta, site, signal, bytes, token);
  if (Cta *holder = ctaOfShared(cta, base))
    wakeCta(*holder);
}

/// Tells the monitor of one copy: `base` is the rank of the shared bytes. What
/// follows from `list` is added to `issue`, and that loads have a barrier.
static uint64_t observe(Warp &warp, const Op &op, unsigned lane,
                        const std::vector<TMAPiece> &list, uint32_t base,
                        AsyncIssue issue) {
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor)
    return 0;
  AccessKind shared = issue.barrier ? AccessKind::Write : AccessKind::Read;
  AccessKind global = issue.barrier ? AccessKind::Read : AccessKind::Write;
  std::vector<AsyncRange> ranges;
  // Neighbouring pieces become one range.
  auto add = [&](AccessKind kind, Space space, uint64_t address,
                 uint32_t bytes) {
    for (size_t back = 1; back <= 2 && back <= ranges.size(); ++back) {
      AsyncRange &last = ranges[ranges.size() - back];
      if (last.space != space || last.address + last.bytes != address)
        continue;
      last.bytes += bytes;
      return;
    }
    ranges.push_back({kind, space, uint8_t(lane), address, bytes});
  };
  for (const TMAPiece &piece : list) {
    add(shared, Space::Shared, base | piece.shared, piece.sharedBytes);
    if (piece.inBounds)
      add(global, Space::Global, piece.global, piece.globalBytes);
  }
  issue.kind = issue.barrier ? AsyncKind::BulkLoad : AsyncKind::BulkStore;
  issue.ranges = ranges;
  issue.pieces = list;
  return monitor->asyncIssue(warp, op, 1u << lane, issue);
}

/// Bytes of the pieces outside and inside of shared memory.
static void countPieces(Warp &warp, const char *kind, unsigned receivers,
                        const std::vector<TMAPiece> &list) {
  uint64_t outside = 0, inside = 0;
  for (const TMAPiece &piece : list) {
    outside += piece.inBounds ? piece.globalBytes : 0;
    inside += piece.sharedBytes;
  }
  countTransfer(warp, kind, receivers, outside, inside);
}

/// Whether the box lies in shared memory as rows of whole bytes.
static bool isPlainBox(const TensorCopyOp &copy, const TensorMap &map) {
  bool dense = map.interleave == Interleave::None && elementBits(map.type) >= 8;
  for (unsigned i = 0; i < map.rank; ++i)
    dense &= map.elementStrides[i] == 1;
  return dense && copy.mode == Load::Tile;
}

static void issueLoad(Warp &warp, const Op &op, const TensorCopyOp &copy,
                      unsigned lane, const TensorMap &map, uint64_t mapAddress,
                      std::vector<TMAPiece> list, uint32_t bytes,
                      uint32_t shared, uint32_t barrier) {
  Cta *cta = warp.cta;
  IssueSite site(warp, op, lane);
  auto shares = std::make_shared<std::vector<TMAPiece>>(std::move(list));
  AsyncIssue issue;
  issue.map = mapAddress;
  if (isPlainBox(copy, map))
    issue.box = BoxLayout{shared & SharedOffsetMask,
                          map.box[0] * elementBits(map.type) / 8, map.swizzle};
  auto one = [&](uint32_t base, uint32_t signal) {
    issue.barrier = signal;
    uint64_t token = observe(warp, op, lane, *shares, base, issue);
    issue.repeats = true;
    schedule(*cta, [=] {
      loadBox(*cta, site, map, *shares, base, signal, bytes, token);
    });
  };
  if (copy.ctaMask == NoRegister) {
    countPieces(warp, "tensor load", 0, *shares);
    one(shared & ~SharedOffsetMask, barrier);
    return;
  }
  uint32_t ranks = row<uint32_t>(warp, copy.ctaMask)[lane] & 0xffff;
  countPieces(warp, "tensor load", __builtin_popcount(ranks), *shares);
  for (; ranks; ranks &= ranks - 1) {
    uint32_t rank = firstLane(ranks);
    // With .cta_group::2 the barrier is in the CTA of the same pair parity as
    // the one that was named.
    uint32_t holder = rank;
    if (copy.pair)
      holder = (rank & ~1u) | (barrier >> SharedRankShift & 1);
    one(rank << SharedRankShift,
        holder << SharedRankShift | (barrier & SharedOffsetMask));
  }
}

static void storeBox(Cta &cta, const IssueSite &site, const TensorCopyOp &copy,
                     const TensorMap &map, const std::vector<TMAPiece> &list,
                     std::vector<uint8_t> &data) {
  size_t at = 0;
  std::string error;
  for (const TMAPiece &piece : list) {
    if (piece.inBounds) {
      uint8_t *to = globalPiece(cta, site, piece);
      if (!to)
        return;
      packStored(map, data.data() + at);
      if (copy.kind != TensorCopyOp::Reduce)
        memcpy(to, data.data() + at, piece.globalBytes);
      else if (!reduceElements(copy.reduceOp, map.type, to, data.data() + at,
                               piece.globalBytes, error)) {
        asyncFault(cta, site, "descriptor-mismatch", "global", piece.global,
                   error);
        return;
      }
    }
    at += piece.sharedBytes;
  }
}

static void issueStore(Warp &warp, const Op &op, const TensorCopyOp &copy,
                       unsigned lane, const TensorMap &map, uint64_t mapAddress,
                       std::vector<TMAPiece> list) {
  Cta *cta = warp.cta;
  IssueSite site(warp, op, lane);
  auto shares = std::make_shared<std::vector<TMAPiece>>(std::move(list));
  auto group = asyncOf(*cta).bulk[threadOf(warp, lane)].open();
  ++group->pending;
  ++group->reading;
  uint32_t base = cta->rank << SharedRankShift;
  const TensorCopyOp *what = &copy;
  bool reduces = copy.kind == TensorCopyOp::Reduce;
  countPieces(warp, reduces ? "tensor reduce" : "tensor store", 0, *shares);
  AsyncIssue issue;
  issue.map = mapAddress;
  issue.reduces = reduces;
  uint64_t token = observe(warp, op, lane, *shares, base, issue);
  schedule(*cta, [=] {
    auto data = std::make_shared<std::vector<uint8_t>>();
    for (const TMAPiece &piece : *shares) {
      const uint8_t *from =
          sharedBytes(*cta, base | piece.shared, piece.sharedBytes);
      if (!from) {
        asyncFault(*cta, site, "out-of-bounds", "shared", piece.shared,
                   "tensor copy beyond the block's shared memory");
        return;
      }
      data->insert(data->end(), from, from + piece.sharedBytes);
    }
    --group->reading;
    wakeCta(*cta);
    auto *add = reduces ? scheduleOrdered : schedule;
    add(*cta, [=] {
      storeBox(*cta, site, *what, map, *shares, *data);
      --group->pending;
      finished(*cta, token);
      wakeCta(*cta);
    });
  });
}

static Step runTensorCopy(Warp &warp, const Op &op, uint32_t mask) {
  const auto &copy = op.as<TensorCopyOp>();
  std::array<uint64_t, 32> shared, maps, barrier;
  computeAddresses(warp, copy.mapRow, copy.map.wide, copy.mapOffset, maps);
  bool prefetches = copy.kind == TensorCopyOp::Prefetch;
  if (prefetches)
    shared.fill(0);
  else
    computeAddresses(warp, op.a, copy.shared.wide, op.imm, shared);
  if (copy.barrierRow != NoRegister)
    computeAddresses(warp, copy.barrierRow, copy.barrier.wide,
                     copy.barrierOffset, barrier);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    const uint8_t *bytes = bytesAt(*warp.cta, Space::Global, maps[i], 128);
    if (!bytes)
      return badRange(warp, op, i, Space::Global, maps[i], 128);
    TensorMap map;
    std::string error;
    std::vector<TMAPiece> list;
    auto where = static_cast<uint32_t>(shared[i]);
    uint32_t offset = where & SharedOffsetMask, size;
    if (!decodeTensorMap(bytes, map, error) ||
        !pieces(warp, copy, i, map, offset, list, size, error))
      return fault(warp, op, 1u << i, "descriptor-mismatch", "global", maps[i],
                   error);
    // It moves nothing that anybody sees.
    if (prefetches)
      continue;
    Allocation *holder = warp.cta->grid->device->memory().find(maps[i]);
    uint64_t inGlobal = holder && !holder->readOnly ? maps[i] : 0;
    if (copy.kind == TensorCopyOp::ToShared)
      issueLoad(warp, op, copy, i, map, inGlobal, std::move(list), size, where,
                barrier[i]);
    else
      issueStore(warp, op, copy, i, map, inGlobal, std::move(list));
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// [map, {coordinates}].
static bool mapOperand(Context &c, const Operand &operand, TensorCopyOp &copy) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 2 ||
      operand.elements[1].kind != Operand::Kind::Vector)
    return c.fail("expected [map, {coordinates}]");
  Op base;
  int64_t offset;
  Space space = Space::None;
  if (!c.address(operand, space, base.a, copy.map.wide, offset))
    return false;
  copy.mapRow = base.a;
  copy.mapOffset = offset;
  bool five = copy.mode == Load::Gather4 || copy.mode == Load::Scatter4;
  const auto &list = operand.elements[1].elements;
  if (list.size() != (five ? 5 : copy.rank))
    return c.fail("expected " + llvm::Twine(five ? 5 : copy.rank) +
                  " coordinates, found " + llvm::Twine(list.size()));
  for (const Operand &coordinate : list) {
    copy.coordinates.emplace_back();
    if (!c.source(coordinate, Type::S32, copy.coordinates.back()))
      return false;
  }
  return true;
}

/// im2col::w to the block's own shared memory is of sm_100, all else of the
/// wide modes of its "a" and "f" forms.
static bool checkWide(Context &c, const TensorCopyOp &copy, bool own) {
  if (!isWide(copy.mode))
    return true;
  if (copy.kind != TensorCopyOp::ToShared &&
      copy.kind != TensorCopyOp::Prefetch)
    return c.fail("expected a load or a prefetch with im2col::w");
  if (copy.rank < 3)
    return c.fail("expected .3d to .5d with im2col::w");
  bool plain = own && copy.mode == Load::Im2colW;
  return plain ? c.require(c.target().capability >= 100, "im2col::w (sm_100)")
               : c.require(c.target().hasTcgen05,
                           "im2col::w::128, and im2col::w to a cluster or as "
                           "a prefetch (sm_100a, sm_100f)");
}

static bool tensorQualifiers(Context &c, TensorCopyOp &copy, bool reduce,
                             bool &multicast, bool &hint) {
  bool prefetch = c.take("prefetch");
  int rank = c.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (rank < 0)
    return c.fail("expected .1d to .5d");
  copy.rank = rank + 1;
  bool own = false;
  if (prefetch) {
    copy.kind = TensorCopyOp::Prefetch;
    if (!c.take("L2") || !c.take("global"))
      return c.fail("expected .L2.global");
  } else {
    bool store = false;
    for (llvm::StringRef q : c.inst.qualifiers) {
      store = q == "global";
      if (store || q == "shared::cluster" || q == "shared::cta")
        break;
    }
    copy.kind = reduce  ? TensorCopyOp::Reduce
                : store ? TensorCopyOp::ToGlobal
                        : TensorCopyOp::ToShared;
    bool global = c.take("global");
    own = c.take("shared::cta");
    if (!global || !(own || c.take("shared::cluster")))
      return c.fail("expected the spaces of destination and source");
  }
  int mode = c.takeOneOf({"tile", "im2col", "im2col_no_offs", "tile::gather4",
                          "tile::scatter4", "im2col::w", "im2col::w::128"});
  copy.mode = mode < 0 ? Load::Tile : static_cast<Load>(mode);
  multicast = c.take("multicast::cluster");
  c.take("cta_group::1");
  copy.pair = c.take("cta_group::2");
  hint = c.take("L2::cache_hint");
  if (reduce && !takeReduction(c, copy.reduceOp))
    return false;
  bool load = copy.kind == TensorCopyOp::ToShared;
  if (load && !c.take("mbarrier::complete_tx::bytes"))
    return c.fail("expected .mbarrier::complete_tx::bytes");
  if (!load && !prefetch && !c.take("bulk_group"))
    return c.fail("expected .bulk_group");
  return c.require(c.target().hasTMA, "tensor copies") &&
         checkWide(c, copy, own) && c.finishQualifiers();
}

bool fp8::emulator::decodeTensorCopy(Context &c, bool reduce) {
  TensorCopyOp copy;
  copy.shared.space = Space::Shared;
  bool multicast, hint;
  if (!tensorQualifiers(c, copy, reduce, multicast, hint))
    return false;
  bool load = copy.kind == TensorCopyOp::ToShared;
  bool prefetch = copy.kind == TensorCopyOp::Prefetch;
  bool wide = isWide(copy.mode);
  bool hasOffsets = (copy.mode == Load::Im2col || wide) && (load || prefetch) &&
                    copy.rank > 2;
  unsigned operands = (prefetch ? 1 : 2) + load + hasOffsets + multicast + hint;
  if (!c.count(operands))
    return false;
  Op out;
  unsigned next = 0;
  if (load && !memoryAddress(c, c.operand(next++), copy.shared, out))
    return false;
  if (!mapOperand(c, c.operand(next++), copy))
    return false;
  if (!load && !prefetch &&
      !memoryAddress(c, c.operand(next++), copy.shared, out))
    return false;
  if (load) {
    Op signal;
    copy.barrier.space = Space::Shared;
    if (!memoryAddress(c, c.operand(next++), copy.barrier, signal))
      return false;
    copy.barrierRow = signal.a;
    copy.barrierOffset = signal.imm;
  }
  if (hasOffsets) {
    const Operand &list = c.operand(next++);
    unsigned count = wide ? 2 : copy.rank - 2;
    if (list.kind != Operand::Kind::Vector || list.elements.size() != count)
      return c.fail(wide
                        ? "expected {wHalo, wOffset}"
                        : "expected " + llvm::Twine(count) + " im2col offsets");
    for (const Operand &offset : list.elements) {
      copy.offsets.emplace_back();
      if (!c.source(offset, Type::U16, copy.offsets.back()))
        return false;
    }
  }
  if (multicast && !c.source(c.operand(next++), Type::U16, copy.ctaMask))
    return false;
  out.run = runTensorCopy;
  out.extra = c.function.keep(copy);
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// tensormap
//===----------------------------------------------------------------------===//

namespace {
struct MapReplace {
  MemoryOp memory;
  TensorMapField field;
  unsigned ordinal = 0;
  bool wide = false;
  uint32_t value = NoRegister;
};
} // namespace

static Step runReplace(Warp &warp, const Op &op, uint32_t mask) {
  const auto &replace = op.as<MapReplace>();
  LanePointers at;
  computeAddresses(warp, op.a, replace.memory.wide, op.imm, at.address);
  if (!resolve(warp, op, mask, replace.memory, 128, 128, at))
    return Step::Fault;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t value = replace.wide ? row<uint64_t>(warp, replace.value)[i]
                                  : row<uint32_t>(warp, replace.value)[i];
    std::string error;
    if (!replaceTensorMapField(at.host[i], replace.field, replace.ordinal,
                               value, error))
      return fault(warp, op, 1u << i, "descriptor-mismatch", "global",
                   at.address[i], error);
  }
  return Step::Next;
}

/// tensormap.cp_fenceproxy: copies 128 bytes from shared to global memory.
static Step runMapCopy(Warp &warp, const Op &op, uint32_t mask) {
  const auto *memory = &op.as<std::array<MemoryOp, 2>>()[0];
  LanePointers to, from;
  computeAddresses(warp, op.a, memory[0].wide, op.imm, to.address);
  computeAddresses(warp, op.b, memory[1].wide, static_cast<int32_t>(op.target),
                   from.address);
  if (!resolve(warp, op, mask, memory[0], 128, 128, to) ||
      !resolve(warp, op, mask, memory[1], 128, 128, from))
    return Step::Fault;
  // All lanes of the (aligned) warp copy the same map.
  for (uint32_t left = mask; left; left &= left - 1)
    memmove(to.host[firstLane(left)], from.host[firstLane(left)], 128);
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->fence(warp, op, {"tensormap.cp_fenceproxy", mask});
  return Step::Next;
}

static bool decodeMapCopy(Context &c) {
  std::array<MemoryOp, 2> memory;
  memory[0].space = Space::Global;
  memory[0].kind = AccessKind::Write;
  memory[1].space = Space::Shared;
  if (!c.take("global") || !(c.take("shared::cta") || c.take("shared")) ||
      !c.take("tensormap::generic") || !c.take("release") ||
      c.takeOneOf({"cta", "cluster", "gpu", "sys"}) < 0 || !c.take("sync") ||
      !c.take("aligned"))
    return c.fail("expected .global.shared::cta.tensormap::generic.release."
                  "scope.sync.aligned");
  int64_t size;
  Op out, from;
  if (!c.finishQualifiers() || !c.count(3) ||
      !memoryAddress(c, c.operand(0), memory[0], out) ||
      !memoryAddress(c, c.operand(1), memory[1], from) ||
      !c.immediate(c.operand(2), size))
    return false;
  if (size != 128)
    return c.fail("expected a size of 128");
  out.b = from.a;
  out.target = from.imm;
  out.run = runMapCopy;
  out.extra = c.function.keep(memory);
  c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

static bool decodeTensorMapOp(Context &c) {
  if (c.take("cp_fenceproxy"))
    return decodeMapCopy(c);
  if (!c.take("replace"))
    return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
  c.take("tile");
  int field = c.takeOneOf({"global_address", "rank", "box_dim", "global_dim",
                           "global_stride", "element_stride", "elemtype",
                           "interleave_layout", "swizzle_mode", "fill_mode",
                           "swizzle_atomicity"});
  if (field < 0)
    return c.fail("expected a field");
  MapReplace replace;
  replace.field = static_cast<TensorMapField>(field);
  replace.memory.kind = AccessKind::Write;
  takeSpace(c, replace.memory);
  if (!c.take("b1024"))
    return c.fail("expected .b1024");
  Type type = c.takeType();
  replace.wide = type == Type::B64;
  bool hasOrdinal = field >= 2 && field <= 5;
  int64_t ordinal = 0;
  Op out;
  if (!c.finishQualifiers() || !c.count(2 + hasOrdinal) ||
      !memoryAddress(c, c.operand(0), replace.memory, out) ||
      (hasOrdinal && !c.immediate(c.operand(1), ordinal)) ||
      !c.source(c.operand(1 + hasOrdinal), type, replace.value))
    return false;
  replace.ordinal = ordinal;
  out.run = runReplace;
  out.extra = c.function.keep(replace);
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"tensormap",
     "tensormap.replace.tile.{global_address,rank,box_dim,global_dim,"
     "global_stride,element_stride,elemtype,interleave_layout,swizzle_mode,"
     "fill_mode,swizzle_atomicity}{.space}.b1024.{b32,b64}; "
     "tensormap.cp_fenceproxy",
     "-", decodeTensorMapOp},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::tensorMapRows() { return rows; }
