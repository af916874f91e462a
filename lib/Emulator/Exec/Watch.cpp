//===- Watch.cpp - Who wrote a byte ---------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps for each byte of a block's shared memory which thread wrote it last, so
// that a value that leaves by a copy still has a thread.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Watch.h"

#include "Machine.h"

#include "fp8/Emulator/TMA.h"

#include "llvm/ADT/DenseMap.h"

using namespace fp8::emulator;

namespace {
/// A thread of a block and its instruction; no instruction: nobody.
struct Site {
  const OpInfo *info = nullptr;
  uint32_t warp = 0, lane = 0;
};
} // namespace

class Watch::Recorder final : public Monitor {
public:
  void watch(uint64_t newBuffer, uint64_t newBytes, uint64_t newTarget) {
    buffer = newBuffer;
    bytes = newBytes;
    target = newTarget;
    writer.reset();
  }
  std::optional<Writer> lastWriter() const { return writer; }

  void ctaStart(Cta &cta) override {
    shared[&cta].assign(cta.shared.size(), {});
    stored[&cta].clear();
  }
  void ctaEnd(Cta &cta) override {
    // The tile of a block is complete only now.
    if (writer && !writer->isCopy && owner == &cta) {
      writer->tile = stored[&cta];
      owner = nullptr;
    }
    shared.erase(&cta);
    stored.erase(&cta);
  }

  void access(Warp &warp, const Op &op, const WarpAccess &access) override {
    if (access.kind == AccessKind::Read || access.space == ptx::Space::Local)
      return;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1))
        continue;
      uint64_t address = access.addresses[lane];
      Site site = {&infoOf(warp, op), warp.index, lane};
      if (access.space == ptx::Space::Shared)
        note(*warp.cta, static_cast<uint32_t>(address), access.bytes, site);
      else
        write(*warp.cta, address, access.bytes, site);
    }
  }

  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override {
    Cta &cta = *warp.cta;
    // What a unit writes there is no thread's any more.
    for (const AsyncRange &range : issue.ranges)
      if (range.space == ptx::Space::Shared && range.kind != AccessKind::Read)
        note(cta, static_cast<uint32_t>(range.address), range.bytes, Site());
    if (issue.kind == AsyncKind::Release) {
      for (const AsyncRange &range : issue.ranges)
        write(cta, range.address, range.bytes,
              {&infoOf(warp, op), warp.index, range.lane});
      return 0;
    }
    if (issue.kind != AsyncKind::BulkStore || bytes == 0)
      return 0;
    std::vector<std::pair<uint64_t, uint32_t>> pieces;
    bool hit = false;
    for (const AsyncRange &range : issue.ranges) {
      if (range.space != ptx::Space::Global || range.kind == AccessKind::Read ||
          !inside(range.address))
        continue;
      pieces.push_back({range.address, range.bytes});
      hit |= covers(range.address, range.bytes);
    }
    if (!hit)
      return 0;
    const OpInfo &copy = infoOf(warp, op);
    Site site = {&copy, warp.index, unsigned(firstLane(mask))};
    if (std::optional<uint32_t> source = sourceOf(issue))
      if (const Site *origin = siteAt(cta, *source))
        site = *origin;
    record(cta, site);
    writer->isCopy = true;
    writer->copyLine = copy.line;
    writer->tile = std::move(pieces);
    return 0;
  }

private:
  bool inside(uint64_t address) const {
    return address >= buffer && address < buffer + bytes;
  }
  bool covers(uint64_t address, uint64_t size) const {
    return target >= address && target < address + size;
  }

  /// Memory of a block of the cluster has a new writer.
  void note(Cta &cta, uint32_t address, uint32_t size, const Site &site) {
    uint32_t rank = address >> SharedRankShift;
    if (rank >= cta.cluster->ctas.size())
      return;
    auto found = shared.find(cta.cluster->ctas[rank].get());
    uint32_t offset = address & SharedOffsetMask;
    if (found == shared.end() || offset > found->second.size() ||
        size > found->second.size() - offset)
      return;
    std::fill_n(found->second.begin() + offset, size, site);
  }

  /// Where in the block's shared memory a copy takes the watched byte from.
  std::optional<uint32_t> sourceOf(const AsyncIssue &issue) const {
    for (const TMAPiece &piece : issue.pieces)
      if (piece.inBounds && target >= piece.global &&
          target - piece.global < piece.globalBytes)
        return (piece.shared + static_cast<uint32_t>(target - piece.global)) &
               SharedOffsetMask;
    // A bulk copy reads one range and writes another.
    if (!issue.pieces.empty() || issue.ranges.size() != 2)
      return std::nullopt;
    const AsyncRange &from = issue.ranges[0], &to = issue.ranges[1];
    return (from.address + (target - to.address)) & SharedOffsetMask;
  }

  /// Who wrote the byte of the block's shared memory last; null: nobody.
  const Site *siteAt(Cta &cta, uint32_t offset) const {
    auto found = shared.find(&cta);
    if (found == shared.end() || offset >= found->second.size() ||
        !found->second[offset].info)
      return nullptr;
    return &found->second[offset];
  }

  void write(Cta &cta, uint64_t address, uint32_t size, const Site &site) {
    if (bytes == 0 || !inside(address))
      return;
    auto &pieces = stored[&cta];
    if (!pieces.empty() &&
        pieces.back().first + pieces.back().second == address)
      pieces.back().second += size;
    else
      pieces.push_back({address, size});
    if (!covers(address, size))
      return;
    record(cta, site);
    owner = &cta;
  }

  void record(Cta &cta, const Site &site) {
    writer = Writer();
    writer->kernel = cta.grid->kernel->name;
    writer->block = {cta.id.x, cta.id.y, cta.id.z};
    writer->warp = site.warp;
    writer->lane = site.lane;
    writer->line = site.info->line;
    writer->instruction = site.info->text;
  }

  uint64_t buffer = 0, bytes = 0, target = 0;
  std::optional<Writer> writer;
  /// The block whose stores are the tile of `writer`, while it runs.
  Cta *owner = nullptr;
  llvm::DenseMap<Cta *, std::vector<Site>> shared;
  llvm::DenseMap<Cta *, std::vector<std::pair<uint64_t, uint32_t>>> stored;
};

Watch::Watch() : recorder(std::make_unique<Recorder>()) {}
Watch::~Watch() = default;

Monitor &Watch::monitor() { return *recorder; }

void Watch::watch(uint64_t buffer, uint64_t bytes, uint64_t target) {
  recorder->watch(buffer, bytes, target);
}

std::optional<Writer> Watch::lastWriter() const {
  return recorder->lastWriter();
}

class Launches::Recorder final : public Monitor {
public:
  void gridStart(Grid &grid) override { kernels.push_back(grid.kernel->name); }
  std::vector<std::string> kernels;
};

Launches::Launches() : recorder(std::make_unique<Recorder>()) {}
Launches::~Launches() = default;

Monitor &Launches::monitor() { return *recorder; }

const std::vector<std::string> &Launches::kernels() const {
  return recorder->kernels;
}
