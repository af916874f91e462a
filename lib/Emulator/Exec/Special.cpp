//===- Special.cpp - special registers ------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of names and one function of the values. Clocks count executed warp
// instructions, of the grid up to the round and of the cluster since: they
// grow, and equal seeds give equal values.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Decoder.h"

#include <optional>

using namespace fp8::emulator;

namespace {
enum Special : uint16_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  SmId,
  NSmId,
  GridId,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NClusterIdX,
  NClusterIdY,
  NClusterIdZ,
  ClusterCtaIdX,
  ClusterCtaIdY,
  ClusterCtaIdZ,
  ClusterNctaIdX,
  ClusterNctaIdY,
  ClusterNctaIdZ,
  ClusterCtaRank,
  ClusterNctaRank,
  IsExplicitCluster,
  LaneEq,
  LaneLe,
  LaneLt,
  LaneGe,
  LaneGt,
  Clock,
  ClockHi,
  Clock64,
  GlobalTimer,
  GlobalTimerLo,
  GlobalTimerHi,
  DynamicShared,
  TotalShared,
  AggregateShared,
  ReservedBegin,
  ReservedEnd,
  ReservedCap,
  ReservedOffset0,
  ReservedOffset1,
  Zero,
};

struct SpecialName {
  const char *name;
  Special which;
  uint8_t bytes;
};
} // namespace

static const SpecialName names[] = {
    {"%tid.x", TidX, 4},
    {"%tid.y", TidY, 4},
    {"%tid.z", TidZ, 4},
    {"%ntid.x", NtidX, 4},
    {"%ntid.y", NtidY, 4},
    {"%ntid.z", NtidZ, 4},
    {"%ctaid.x", CtaidX, 4},
    {"%ctaid.y", CtaidY, 4},
    {"%ctaid.z", CtaidZ, 4},
    {"%nctaid.x", NctaidX, 4},
    {"%nctaid.y", NctaidY, 4},
    {"%nctaid.z", NctaidZ, 4},
    {"%laneid", LaneId, 4},
    {"%warpid", WarpId, 4},
    {"%nwarpid", NWarpId, 4},
    {"%smid", SmId, 4},
    {"%nsmid", NSmId, 4},
    {"%gridid", GridId, 8},
    {"%clusterid.x", ClusterIdX, 4},
    {"%clusterid.y", ClusterIdY, 4},
    {"%clusterid.z", ClusterIdZ, 4},
    {"%nclusterid.x", NClusterIdX, 4},
    {"%nclusterid.y", NClusterIdY, 4},
    {"%nclusterid.z", NClusterIdZ, 4},
    {"%cluster_ctaid.x", ClusterCtaIdX, 4},
    {"%cluster_ctaid.y", ClusterCtaIdY, 4},
    {"%cluster_ctaid.z", ClusterCtaIdZ, 4},
    {"%cluster_nctaid.x", ClusterNctaIdX, 4},
    {"%cluster_nctaid.y", ClusterNctaIdY, 4},
    {"%cluster_nctaid.z", ClusterNctaIdZ, 4},
    {"%cluster_ctarank", ClusterCtaRank, 4},
    {"%cluster_nctarank", ClusterNctaRank, 4},
    {"%is_explicit_cluster", IsExplicitCluster, 4},
    {"%lanemask_eq", LaneEq, 4},
    {"%lanemask_le", LaneLe, 4},
    {"%lanemask_lt", LaneLt, 4},
    {"%lanemask_ge", LaneGe, 4},
    {"%lanemask_gt", LaneGt, 4},
    {"%clock", Clock, 4},
    {"%clock_hi", ClockHi, 4},
    {"%clock64", Clock64, 8},
    {"%globaltimer", GlobalTimer, 8},
    {"%globaltimer_lo", GlobalTimerLo, 4},
    {"%globaltimer_hi", GlobalTimerHi, 4},
    {"%dynamic_smem_size", DynamicShared, 4},
    {"%total_smem_size", TotalShared, 4},
    {"%aggr_smem_size", AggregateShared, 4},
    {"%reserved_smem_offset_begin", ReservedBegin, 4},
    {"%reserved_smem_offset_end", ReservedEnd, 4},
    {"%reserved_smem_offset_cap", ReservedCap, 4},
};

/// Registers that a driver or a profiler sets, and nothing here: zero.
static bool isUnset(llvm::StringRef name, unsigned &bytes) {
  unsigned number, most = 8;
  bytes = 4;
  if (name == "%current_graph_exec") {
    bytes = 8;
    return true;
  }
  if (name.consume_front("%envreg"))
    most = 32;
  else if (name.consume_front("%reserved_smem_offset_"))
    most = 2;
  else if (!name.consume_front("%pm"))
    return false;
  else if (name.consume_back("_64"))
    bytes = 8;
  return !name.getAsInteger(10, number) && number < most;
}

int fp8::emulator::findSpecial(llvm::StringRef name, unsigned &bytes) {
  if (isUnset(name, bytes))
    return Zero;
  for (const SpecialName &entry : names)
    if (name == entry.name) {
      bytes = entry.bytes;
      return entry.which;
    }
  return -1;
}

/// Component `i` of the extents, positions and sizes that come in x, y and z.
static uint32_t component(const Dim3 &d, unsigned i) {
  return i == 0 ? d.x : i == 1 ? d.y : d.z;
}

/// Where a block and its cluster are in the grid; nothing for other registers.
static std::optional<uint32_t> placeValue(const Cta &cta, Special which) {
  const Grid &grid = *cta.grid;
  const Dim3 &cluster = grid.clusterDim;
  auto among = [&](Special first) {
    return which >= first && which <= first + 2;
  };
  if (among(NtidX))
    return component(grid.blockDim, which - NtidX);
  if (among(CtaidX))
    return component(cta.id, which - CtaidX);
  if (among(NctaidX))
    return component(grid.gridDim, which - NctaidX);
  if (among(ClusterIdX))
    return component(cta.cluster->id, which - ClusterIdX);
  if (among(NClusterIdX))
    return component(grid.gridDim, which - NClusterIdX) /
           component(cluster, which - NClusterIdX);
  if (among(ClusterNctaIdX))
    return component(cluster, which - ClusterNctaIdX);
  if (which == ClusterCtaIdX)
    return cta.rank % cluster.x;
  if (which == ClusterCtaIdY)
    return cta.rank / cluster.x % cluster.y;
  if (which == ClusterCtaIdZ)
    return cta.rank / cluster.x / cluster.y;
  return std::nullopt;
}

/// Value for a whole warp; lanes differ only in laneValue.
static uint64_t uniformValue(const Warp &warp, Special which) {
  const Cta &cta = *warp.cta;
  const Grid &grid = *cta.grid;
  uint64_t clock = cta.cluster->clock;
  if (std::optional<uint32_t> place = placeValue(cta, which))
    return *place;
  switch (which) {
  case WarpId:
    return warp.index;
  case NWarpId:
    return grid.device->options().target->maxThreadsPerSM / 32;
  case SmId:
    return cta.sm;
  case NSmId:
    return grid.device->options().sms;
  case GridId:
    return grid.gridId;
  case ClusterCtaRank:
    return cta.rank;
  case ClusterNctaRank:
    return grid.clusterDim.count();
  case IsExplicitCluster:
    return grid.hasClusters ? ~0u : 0;
  case Clock:
    return static_cast<uint32_t>(clock);
  case ClockHi:
    return clock >> 32;
  case Clock64:
    return clock;
  case GlobalTimer:
    return clock;
  case GlobalTimerLo:
    return static_cast<uint32_t>(clock);
  case GlobalTimerHi:
    return clock >> 32;
  case DynamicShared:
    return grid.dynamicShared;
  case TotalShared:
  case AggregateShared:
    return grid.sharedBytes;
  case ReservedBegin:
    return 0;
  case ReservedEnd:
  case ReservedCap:
    return SharedReserved;
  default:
    return 0;
  }
}

static bool isPerLane(Special which) {
  return which <= TidZ || which == LaneId ||
         (which >= LaneEq && which <= LaneGt);
}

static uint32_t laneValue(const Warp &warp, Special which, unsigned lane) {
  uint32_t bit = 1u << lane;
  switch (which) {
  case TidX:
    return warp.tid[0][lane];
  case TidY:
    return warp.tid[1][lane];
  case TidZ:
    return warp.tid[2][lane];
  case LaneId:
    return lane;
  case LaneEq:
    return bit;
  case LaneLe:
    return bit | (bit - 1);
  case LaneLt:
    return bit - 1;
  case LaneGe:
    return ~(bit - 1);
  case LaneGt:
    return ~(bit | (bit - 1));
  default:
    return 0;
  }
}

template <typename T>
static Step runSpecial(Warp &warp, const Op &op, uint32_t mask) {
  auto which = static_cast<Special>(op.aux);
  if (which == Clock || which == Clock64 || which == GlobalTimer)
    ++warp.cta->cluster->clock;
  T *d = destination<T>(warp, op.d);
  bool perLane = isPerLane(which);
  T uniform = perLane ? 0 : static_cast<T>(uniformValue(warp, which));
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    d[lane] = perLane ? laneValue(warp, which, lane) : uniform;
  }
  return Step::Next;
}

Handler fp8::emulator::specialHandler(unsigned bytes) {
  return bytes == 8 ? runSpecial<uint64_t> : runSpecial<uint32_t>;
}

bool fp8::emulator::readsTimeRegister(const Op &op) {
  return (op.run == runSpecial<uint32_t> || op.run == runSpecial<uint64_t>) &&
         op.aux >= Clock && op.aux <= GlobalTimerHi;
}
