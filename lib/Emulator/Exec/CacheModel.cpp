//===- CacheModel.cpp - traffic behind the L2 cache -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests are kept per block while the grid runs and played at its end: the
// order in which the emulator runs blocks is no device's.
//
//===----------------------------------------------------------------------===//

#include "CacheModel.h"

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"

#include <queue>

using namespace fp8::emulator;

using Sectors = llvm::SmallVectorImpl<uint64_t>;

void Cache::evict(const Line &line) {
  counts.written += sectorBytes * llvm::popcount(line.dirty);
  index.erase(line.number);
}

void Cache::access(uint64_t address, uint64_t bytes, AccessKind kind) {
  for (uint64_t at = address, end = address + bytes; at < end;) {
    uint64_t number = at / lineBytes;
    uint64_t stop = std::min(end, (number + 1) * lineBytes);
    unsigned first = at % lineBytes / sectorBytes;
    unsigned last = (stop - 1) % lineBytes / sectorBytes;
    auto sectors = uint8_t((2u << last) - (1u << first));
    at = stop;
    auto [entry, isNew] = index.try_emplace(number);
    if (isNew) {
      lines.push_front({number});
      entry->second = lines.begin();
    } else {
      lines.splice(lines.begin(), lines, entry->second);
    }
    Line &line = lines.front();
    if (kind != AccessKind::Write)
      counts.read +=
          sectorBytes * llvm::popcount(uint8_t(sectors & ~line.valid));
    if (kind != AccessKind::Read)
      line.dirty |= sectors;
    line.valid |= sectors;
    if (lines.size() > capacity) {
      evict(lines.back());
      lines.pop_back();
    }
  }
}

void Cache::flush() {
  for (const Line &line : lines)
    evict(line);
  lines.clear();
}

void CacheModel::gridStart(Grid &grid) {
  requests.clear();
  count = 0;
}

void CacheModel::add(Warp &warp, uint64_t address, uint32_t bytes,
                     AccessKind kind) {
  const Dim3 &id = warp.cta->id, &dim = warp.cta->grid->gridDim;
  auto &own = requests[(uint64_t(id.z) * dim.y + id.y) * dim.x + id.x];
  if (!own.empty() && own.back().kind == kind) {
    Request &last = own.back();
    if (last.address == address && last.bytes == bytes) {
      ++last.times;
      return;
    }
    if (last.address + last.bytes == address && last.times == 1 &&
        last.bytes < Cache::lineBytes) {
      last.bytes += bytes;
      return;
    }
  }
  if (++count <= mostRequests)
    own.push_back({address, bytes, kind, 1});
}

/// The sectors of [address, address + bytes).
static void addSectors(uint64_t address, uint64_t bytes, Sectors &sectors) {
  for (uint64_t at = address / Cache::sectorBytes;
       at <= (address + bytes - 1) / Cache::sectorBytes; ++at)
    sectors.push_back(at);
}

void CacheModel::addRequest(Warp &warp, Sectors &sectors, AccessKind kind) {
  llvm::sort(sectors);
  sectors.erase(llvm::unique(sectors), sectors.end());
  for (size_t first = 0, end; first < sectors.size(); first = end) {
    for (end = first + 1; end < sectors.size(); ++end)
      if (sectors[end] != sectors[first] + (end - first))
        break;
    add(warp, sectors[first] * Cache::sectorBytes,
        (end - first) * Cache::sectorBytes, kind);
  }
}

void CacheModel::access(Warp &warp, const Op &op, const WarpAccess &access) {
  if (access.space != ptx::Space::Global)
    return;
  llvm::SmallVector<uint64_t, 64> sectors;
  for (uint32_t left = access.mask; left; left &= left - 1)
    addSectors(access.addresses[firstLane(left)], access.bytes, sectors);
  addRequest(warp, sectors, access.kind);
}

uint64_t CacheModel::asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                                const AsyncIssue &issue) {
  // Copies of lanes are one request of their warp.
  bool ofLanes = issue.kind == AsyncKind::CpAsync;
  llvm::SmallVector<uint64_t, 64> sectors;
  for (const AsyncRange &range : issue.ranges) {
    if (issue.repeats || range.space != ptx::Space::Global)
      continue;
    if (ofLanes)
      addSectors(range.address, range.bytes, sectors);
    else
      add(warp, range.address, range.bytes,
          issue.reduces ? AccessKind::Atomic : range.kind);
  }
  addRequest(warp, sectors, AccessKind::Read);
  return 0;
}

void CacheModel::gridEnd(Grid &grid) {
  if (isFull())
    return;
  std::vector<std::vector<Request>> blocks;
  blocks.reserve(requests.size());
  for (auto &[block, own] : requests)
    blocks.push_back(std::move(own));
  requests.clear();
  // When a block's next request comes, in bytes, and which block that is.
  using Event = std::pair<uint64_t, size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t held = maxResident(grid) * grid.clusterDim.count();
  std::vector<size_t> position(blocks.size(), 0);
  size_t started = 0;
  while (started < blocks.size() && started < held)
    events.push({0, started++});
  Cache cache(bytes);
  while (!events.empty()) {
    auto [time, block] = events.top();
    events.pop();
    if (position[block] == blocks[block].size()) {
      blocks[block] = {};
      if (started < blocks.size())
        events.push({time, started++});
      continue;
    }
    const Request &request = blocks[block][position[block]++];
    cache.access(request.address, request.bytes, request.kind);
    events.push({time + request.bytes * request.times, block});
  }
  cache.flush();
  grid.device->statistics().bytes["device"] = cache.traffic();
}
