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

#include "llvm/ADT/DenseMap.h"

using namespace fp8::emulator;

namespace {
/// A thread of a block and its instruction; no instruction: nobody.
struct Site {
  const OpInfo *info = nullptr;
  uint32_t warp = 0, lane = 0;
};

constexpr uint32_t OffsetMask = (1u << 24) - 1;
} // namespace

class Watch::Recorder final : public Monitor {
public:
  void watch(uint64_t newBuffer, uint64_t newBytes, uint64_t newPitch,
             uint64_t newTarget) {
    buffer = newBuffer;
    bytes = newBytes;
    pitch = newPitch;
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
        note(*warp.cta, address, access.bytes, site);
      else
        write(*warp.cta, address, access.bytes, site);
    }
  }

  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override {
    if (issue.kind != AsyncKind::BulkStore || bytes == 0)
      return 0;
    Cta &cta = *warp.cta;
    std::vector<std::pair<uint64_t, uint32_t>> pieces;
    uint64_t first = ~uint64_t(0);
    bool hit = false;
    for (const AsyncRange &range : issue.ranges) {
      if (range.space != ptx::Space::Global || range.kind == AccessKind::Read ||
          !inside(range.address))
        continue;
      pieces.push_back({range.address, range.bytes});
      first = std::min(first, range.address);
      hit |= covers(range.address, range.bytes);
    }
    if (!hit)
      return 0;
    const OpInfo &copy = infoOf(warp, op);
    Site site = {&copy, warp.index, unsigned(firstLane(mask))};
    if (issue.box)
      if (const Site *origin = originOf(cta, *issue.box, first))
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

  /// A thread wrote shared memory, of its own block or of its cluster.
  void note(Cta &cta, uint64_t address, uint32_t size, const Site &site) {
    auto found = shared.find(&cta);
    uint32_t offset = address & OffsetMask;
    if (found == shared.end() || address >> 24 != cta.rank ||
        offset + size > found->second.size())
      return;
    std::fill_n(found->second.begin() + offset, size, site);
  }

  /// Who put the watched byte where a copy of the box took it from; `first` is
  /// the lowest address that the copy writes. Null if nobody did.
  const Site *originOf(Cta &cta, const BoxLayout &box, uint64_t first) const {
    uint64_t row = (target - first) / pitch, column = (target - first) % pitch;
    uint32_t linear = (box.base & OffsetMask) + row * box.rowBytes + column;
    uint32_t offset = applySwizzle(linear, box.swizzle);
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

  uint64_t buffer = 0, bytes = 0, pitch = 1, target = 0;
  std::optional<Writer> writer;
  /// The block whose stores are the tile of `writer`, while it runs.
  Cta *owner = nullptr;
  llvm::DenseMap<Cta *, std::vector<Site>> shared;
  llvm::DenseMap<Cta *, std::vector<std::pair<uint64_t, uint32_t>>> stored;
};

Watch::Watch() : recorder(std::make_unique<Recorder>()) {}
Watch::~Watch() = default;

Monitor &Watch::monitor() { return *recorder; }

void Watch::watch(uint64_t buffer, uint64_t bytes, uint64_t pitch,
                  uint64_t target) {
  recorder->watch(buffer, bytes, std::max<uint64_t>(pitch, 1), target);
}

std::optional<Writer> Watch::lastWriter() const {
  return recorder->lastWriter();
}
