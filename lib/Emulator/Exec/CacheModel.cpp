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

#include <queue>

using namespace fp8::emulator;

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
  requests.assign(grid.gridDim.count(), {});
}

void CacheModel::add(Warp &warp, uint64_t address, uint32_t bytes,
                     AccessKind kind) {
  const Dim3 &id = warp.cta->id, &dim = warp.cta->grid->gridDim;
  auto &own = requests[(uint64_t(id.z) * dim.y + id.y) * dim.x + id.x];
  if (!own.empty() && own.back().kind == kind &&
      own.back().address + own.back().bytes == address &&
      own.back().bytes < Cache::lineBytes)
    own.back().bytes += bytes;
  else
    own.push_back({address, bytes, kind});
}

void CacheModel::access(Warp &warp, const Op &op, const WarpAccess &access) {
  if (access.space != ptx::Space::Global)
    return;
  for (uint32_t left = access.mask; left; left &= left - 1)
    add(warp, access.addresses[firstLane(left)], access.bytes, access.kind);
}

uint64_t CacheModel::asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                                const AsyncIssue &issue) {
  for (const AsyncRange &range : issue.ranges)
    if (!issue.repeats && range.space == ptx::Space::Global)
      add(warp, range.address, range.bytes,
          issue.reduces ? AccessKind::Atomic : range.kind);
  return 0;
}

void CacheModel::gridEnd(Grid &grid) {
  // When a block's next request comes, in bytes, and which block that is.
  using Event = std::pair<uint64_t, size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t held = maxResident(grid) * grid.clusterDim.count();
  std::vector<size_t> position(requests.size(), 0);
  size_t started = 0;
  while (started < requests.size() && started < held)
    events.push({0, started++});
  Cache cache(bytes);
  while (!events.empty()) {
    auto [time, block] = events.top();
    events.pop();
    if (position[block] == requests[block].size()) {
      requests[block] = {};
      if (started < requests.size())
        events.push({time, started++});
      continue;
    }
    const Request &request = requests[block][position[block]++];
    cache.access(request.address, request.bytes, request.kind);
    events.push({time + request.bytes, block});
  }
  cache.flush();
  grid.device->statistics().bytes["device"] = cache.traffic();
}
