//===- Access.cpp - addresses to host memory ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fast cases are: all lanes in one global allocation, and all lanes in the
// CTA's own shared memory. Anything else is resolved lane by lane.
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;
using ptx::Space;

Monitor::~Monitor() = default;

void fp8::emulator::computeAddresses(const Warp &warp, uint32_t base, bool wide,
                                     int32_t offset,
                                     std::array<uint64_t, 32> &out) {
  auto add = static_cast<uint64_t>(static_cast<int64_t>(offset));
  if (wide) {
    const auto *a = row<uint64_t>(warp, base);
    for (unsigned i = 0; i < 32; ++i)
      out[i] = a[i] + add;
    return;
  }
  const auto *a = row<uint32_t>(warp, base);
  auto narrow = static_cast<uint32_t>(add);
  for (unsigned i = 0; i < 32; ++i)
    out[i] = static_cast<uint32_t>(a[i] + narrow);
}

bool fp8::emulator::awaitsTurn(const Warp &warp, const Op &op, uint32_t mask,
                               const MemoryOp &memory) {
  if (LLVM_LIKELY(!memory.ordered) || warp.hasTurn)
    return false;
  if (memory.space == Space::Global)
    return true;
  std::array<uint64_t, 32> address;
  computeAddresses(warp, op.a, memory.wide, op.imm, address);
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = address[firstLane(left)];
    if (!isSharedWindow(at) && !isLocalWindow(at))
      return true;
  }
  return false;
}

Cta *fp8::emulator::ctaOfShared(Cta &cta, uint32_t address) {
  uint32_t rank = address >> SharedRankShift;
  if (rank == cta.rank)
    return &cta;
  if (rank >= cta.cluster->ctas.size())
    return nullptr;
  return cta.cluster->ctas[rank].get();
}

uint8_t *fp8::emulator::sharedBytes(Cta &cta, uint32_t address,
                                    uint64_t bytes) {
  Cta *holder = ctaOfShared(cta, address);
  uint32_t offset = address & SharedOffsetMask;
  if (!holder || offset < SharedReserved ||
      offset + bytes > holder->shared.size())
    return nullptr;
  return holder->shared.data() + offset;
}

static const char *spaceName(Space space) {
  return space == Space::Shared  ? "shared"
         : space == Space::Local ? "local"
                                 : "global";
}

static const char *verb(AccessKind kind) {
  return kind == AccessKind::Read    ? "read"
         : kind == AccessKind::Write ? "write"
                                     : "atomic operation";
}

static bool outOfBounds(Warp &warp, const Op &op, unsigned lane, Space space,
                        AccessKind kind, uint64_t address, uint32_t bytes) {
  GlobalMemory &memory = warp.cta->grid->device->memory();
  std::string where = "0x" + llvm::utohexstr(address);
  const char *finding = "out-of-bounds";
  std::string message = std::string(verb(kind)) + " of " +
                        std::to_string(bytes) + " bytes at " +
                        spaceName(space) + " address " + where;
  if (space == Space::Shared) {
    message += ", beyond the " +
               std::to_string(warp.cta->shared.size() - SharedReserved) +
               " bytes of the block";
  } else if (space == Space::Global) {
    Allocation *near = memory.find(address);
    if (near && near->freed) {
      finding = "use-after-free";
      message += " in '" + near->name + "', which was freed";
    } else if (near) {
      message += ", past the end of '" + near->name + "'";
    } else {
      message += ", outside every buffer";
      for (const auto &allocation : memory.all())
        if (address >= allocation->base &&
            address - allocation->base < allocation->size + 4096)
          message +=
              ", " +
              std::to_string(address - allocation->base - allocation->size) +
              " bytes behind '" + allocation->name + "'";
    }
  }
  fault(warp, op, 1u << lane, finding, spaceName(space), address, message);
  return false;
}

/// One lane, any space.
static bool resolveLane(Warp &warp, const Op &op, unsigned lane,
                        const MemoryOp &memory, uint32_t bytes,
                        LanePointers &out, Space &space) {
  uint64_t &address = out.address[lane];
  space = memory.space;
  if (space == Space::None) {
    space = isSharedWindow(address)  ? Space::Shared
            : isLocalWindow(address) ? Space::Local
                                     : Space::Global;
    if (space != Space::Global)
      address = static_cast<uint32_t>(address);
  }
  if (space == Space::Shared) {
    address = static_cast<uint32_t>(address);
    out.host[lane] = sharedBytes(*warp.cta, address, bytes);
    Cta *holder = ctaOfShared(*warp.cta, address);
    if (holder && holder->aliveThreads == 0 && holder != warp.cta) {
      fault(warp, op, 1u << lane, "dsmem-after-exit", "shared", address,
            "access to shared memory of a block that has ended");
      return false;
    }
  } else if (space == Space::Local) {
    bool fits =
        address <= warp.localStride && bytes <= warp.localStride - address;
    out.host[lane] =
        fits ? warp.local.data() + size_t(lane) * warp.localStride + address
             : nullptr;
  } else {
    space = Space::Global;
    Allocation *found = warp.cta->grid->device->memory().find(address);
    bool fits = found && !found->freed && found->contains(address, bytes);
    if (fits && found->readOnly && memory.kind != AccessKind::Read) {
      fault(warp, op, 1u << lane, "out-of-bounds", "global", address,
            "write to constant memory '" + found->name + "'");
      return false;
    }
    out.host[lane] =
        fits ? found->bytes.get() + (address - found->base) : nullptr;
    if (fits)
      warp.lastAllocation = found;
  }
  if (!out.host[lane])
    return outOfBounds(warp, op, lane, space, memory.kind, address, bytes);
  return true;
}

/// All lanes of `mask` in one allocation: sets hosts.
static bool resolveGlobal(Warp &warp, uint32_t mask, const MemoryOp &memory,
                          uint32_t bytes, LanePointers &out) {
  Allocation *last = warp.lastAllocation;
  uint64_t first = out.address[firstLane(mask)];
  if (!last || last->freed || !last->contains(first, bytes)) {
    last = warp.cta->grid->device->memory().find(first);
    if (!last || last->freed)
      return false;
    warp.lastAllocation = last;
  }
  if (last->readOnly && memory.kind != AccessKind::Read)
    return false;
  if (bytes > last->size)
    return false;
  uint64_t base = last->base, room = last->size - bytes;
  uint8_t *host = last->bytes.get();
  uint32_t inside = 0;
  for (unsigned i = 0; i < 32; ++i) {
    uint64_t offset = out.address[i] - base;
    inside |= uint32_t(offset <= room) << i;
    out.host[i] = host + offset;
  }
  return (inside & mask) == mask;
}

/// All lanes of `mask` in the CTA's own shared memory: sets hosts.
static bool resolveShared(Warp &warp, uint32_t mask, uint32_t bytes,
                          LanePointers &out) {
  Cta &cta = *warp.cta;
  if (cta.shared.size() < SharedReserved + uint64_t(bytes))
    return false;
  uint32_t base = (cta.rank << SharedRankShift) + SharedReserved;
  uint32_t room = cta.shared.size() - SharedReserved - bytes;
  uint8_t *host = cta.shared.data() + SharedReserved;
  uint32_t inside = 0;
  for (unsigned i = 0; i < 32; ++i) {
    uint32_t offset = static_cast<uint32_t>(out.address[i]) - base;
    inside |= uint32_t(offset <= room) << i;
    out.host[i] = host + offset;
  }
  return (inside & mask) == mask;
}

/// Bytes moved, and passes over the 32 banks of shared memory. Wide accesses
/// go by halves or quarters of the warp; in each, lanes that want different
/// words of one bank take one pass each.
static void countAccess(Warp &warp, uint32_t mask, Space space,
                        const MemoryOp &memory, uint32_t bytes,
                        const LanePointers &at) {
  Statistics &counts = warp.cta->grid->device->statistics();
  const char *name = memory.space == Space::Param   ? "parameter"
                     : memory.space == Space::Const ? "constant"
                                                    : spaceName(space);
  Traffic &traffic = counts.bytes[name];
  uint64_t moved = uint64_t(bytes) * __builtin_popcount(mask);
  traffic.read += memory.kind == AccessKind::Write ? 0 : moved;
  traffic.written += memory.kind == AccessKind::Read ? 0 : moved;
  if (space != Space::Shared)
    return;
  ++counts.sharedAccesses;
  unsigned group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  for (unsigned first = 0; first < 32; first += group) {
    std::array<llvm::SmallVector<uint32_t, 4>, 32> banks;
    size_t passes = 0;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(mask >> lane & 1))
        continue;
      auto address = static_cast<uint32_t>(at.address[lane]);
      for (uint32_t word = address / 4; word <= (address + bytes - 1) / 4;
           ++word) {
        auto &words = banks[word % 32];
        if (!llvm::is_contained(words, word))
          words.push_back(word);
        passes = std::max(passes, words.size());
      }
    }
    counts.sharedWavefronts += passes;
    counts.sharedLeast += passes != 0;
  }
}

/// Tells who watches of lanes whose bytes lie in one memory, and one
/// allocation.
static void observe(Warp &warp, const Op &op, uint32_t mask, Space space,
                    const MemoryOp &memory, uint32_t bytes,
                    const LanePointers &at) {
  if (warp.cta->grid->device->collectStatistics)
    countAccess(warp, mask, space, memory, bytes, at);
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor || !memory.observed)
    return;
  WarpAccess access{memory.kind,  space, memory.order,      memory.scope, bytes,
                    memory.bytes, mask,  at.address.data(), at.contiguous};
  monitor->access(warp, op, access);
}

/// Lanes of `mask` one by one: where they lie, a group for each memory and
/// allocation. `first`: that of the first one.
static bool resolveLanes(Warp &warp, const Op &op, uint32_t mask,
                         const MemoryOp &memory, uint32_t bytes,
                         LanePointers &out, Space &first) {
  struct Group {
    Space space;
    Allocation *allocation;
    uint32_t lanes;
  };
  llvm::SmallVector<Group, 2> groups;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    Space space;
    if (!resolveLane(warp, op, lane, memory, bytes, out, space))
      return false;
    Allocation *allocation =
        space == Space::Global ? warp.lastAllocation : nullptr;
    auto *found = llvm::find_if(groups, [&](const Group &group) {
      return group.space == space && group.allocation == allocation;
    });
    if (found == groups.end())
      found = groups.insert(found, {space, allocation, 0});
    found->lanes |= left & -left;
  }
  // Local bytes of neighbouring lanes are apart.
  out.contiguous = false;
  out.space = first = groups.front().space;
  for (const Group &group : groups) {
    if (group.space != out.space)
      out.space = Space::None;
    if (group.allocation)
      warp.lastAllocation = group.allocation;
    observe(warp, op, group.lanes, group.space, memory, bytes, out);
  }
  return true;
}

bool fp8::emulator::resolve(Warp &warp, const Op &op, uint32_t mask,
                            const MemoryOp &memory, uint32_t bytes,
                            uint32_t align, LanePointers &out) {
  uint64_t all = 0;
  bool contiguous = mask == ~0u;
  if (contiguous) {
    uint64_t start = out.address[0], wrong = 0;
    for (unsigned i = 0; i < 32; ++i) {
      all |= out.address[i];
      wrong |= out.address[i] ^ (start + uint64_t(i) * bytes);
    }
    contiguous = wrong == 0;
  } else {
    for (uint32_t left = mask; left; left &= left - 1)
      all |= out.address[firstLane(left)];
  }
  if (all & (align - 1)) {
    for (uint32_t left = mask; left; left &= left - 1) {
      unsigned lane = firstLane(left);
      if (!(out.address[lane] & (align - 1)))
        continue;
      fault(warp, op, 1u << lane, "misaligned", "memory", out.address[lane],
            std::string(verb(memory.kind)) + " of " + std::to_string(bytes) +
                " bytes at address 0x" + llvm::utohexstr(out.address[lane]) +
                ", which is no multiple of " + std::to_string(align));
      return false;
    }
  }
  bool done = false;
  uint64_t first = out.address[firstLane(mask)];
  Space space = memory.space;
  if (space == Space::Shared) {
    done = resolveShared(warp, mask, bytes, out);
  } else if (space == Space::Global || space == Space::Const ||
             space == Space::Param ||
             (space == Space::None && !isSharedWindow(first) &&
              !isLocalWindow(first))) {
    space = Space::Global;
    done = resolveGlobal(warp, mask, memory, bytes, out);
  }
  out.contiguous = contiguous;
  out.space = space;
  if (done)
    observe(warp, op, mask, space, memory, bytes, out);
  else if (!resolveLanes(warp, op, mask, memory, bytes, out, space))
    return false;
  if (LLVM_UNLIKELY(warp.cta->grid->probing))
    probeAccess(warp, space, first);
  return true;
}
