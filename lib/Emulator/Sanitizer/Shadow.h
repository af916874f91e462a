//===- Shadow.h - who touched which bytes last ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page covers 1024 bytes with cells of 16, 4 or 1 bytes; it starts with 16
// and splits when an access needs it. A cell holds the last write and the reads
// since then. Touches are packed: a generic access names warp, epoch, operation
// and lane; an asynchronous one an entry of the sanitizer's table.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_SANITIZER_SHADOW_H
#define FP8_LIB_EMULATOR_SANITIZER_SHADOW_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fp8::emulator {

/// A packed access; 0 is none.
struct Touch {
  uint64_t bits = 0;

  static constexpr unsigned laneBits = 5, opBits = 17, epochBits = 22,
                            warpBits = 18;
  static constexpr unsigned epochShift = laneBits + opBits,
                            warpShift = epochShift + epochBits;
  /// What one launch may have; the sanitizer is not run on more.
  static constexpr uint64_t maxWarps = uint64_t(1) << warpBits,
                            maxOps = uint64_t(1) << opBits;
  static constexpr uint64_t asyncFlag = uint64_t(1) << 63;
  static constexpr uint64_t setFlag = uint64_t(1) << 62;

  static Touch generic(uint32_t warp, uint32_t epoch, uint32_t op,
                       unsigned lane) {
    return {uint64_t(warp) << warpShift | uint64_t(epoch) << epochShift |
            uint64_t(op) << laneBits | lane};
  }
  static Touch async(uint64_t index, unsigned lane) {
    return {asyncFlag | index << laneBits | lane};
  }
  static Touch set(uint32_t index) { return {setFlag | index}; }

  explicit operator bool() const { return bits != 0; }
  bool isAsync() const { return bits & asyncFlag; }
  bool isSet() const { return !isAsync() && (bits & setFlag); }
  uint32_t setIndex() const { return static_cast<uint32_t>(bits); }
  uint64_t index() const { return (bits & ~asyncFlag) >> laneBits; }
  unsigned lane() const { return bits & ((1u << laneBits) - 1); }
  uint32_t op() const { return bits >> laneBits & ((1u << opBits) - 1); }
  uint32_t epoch() const {
    return bits >> epochShift & ((1u << epochBits) - 1);
  }
  uint32_t warp() const { return bits >> warpShift & ((1u << warpBits) - 1); }
  /// Warp and epoch together.
  uint64_t warpEpoch() const { return bits >> epochShift; }
  bool operator==(const Touch &other) const { return bits == other.bits; }
};

struct ShadowCell {
  Touch write, read;
};

/// One reader: for generic ones the lanes of one warp at one operation.
struct Reader {
  Touch touch;
  uint32_t lanes;
};
using ReaderSet = llvm::SmallVector<Reader, 4>;

/// Sets of readers, each owned by one cell.
class ReaderPool {
public:
  ReaderSet &operator[](uint32_t index) { return sets[index]; }
  uint32_t take();
  void give(uint32_t index);

private:
  std::vector<ReaderSet> sets;
  std::vector<uint32_t> unused;
};

inline constexpr unsigned ShadowPageBytes = 1024;

class ShadowPage {
public:
  ShadowPage() : cells(ShadowPageBytes >> 4) {}
  /// Cells of at most `bytes` at an offset with that alignment.
  void refine(unsigned alignment, ReaderPool &pool) {
    if (alignment & ((1u << shift) - 1))
      split(alignment, pool);
  }
  unsigned granule() const { return 1u << shift; }
  ShadowCell &cell(unsigned offset) { return cells[offset >> shift]; }

private:
  void split(unsigned alignment, ReaderPool &pool);
  std::vector<ShadowCell> cells;
  unsigned shift = 4;
};

/// Pages of an address space.
class ShadowMemory {
public:
  /// Calls f(cell, address, size) for each cell of [address, address + bytes).
  template <typename F>
  void visit(uint64_t address, uint64_t bytes, ReaderPool &pool, F f) {
    while (bytes) {
      ShadowPage &page = pageOf(address);
      unsigned offset = address % ShadowPageBytes;
      unsigned here =
          bytes < ShadowPageBytes - offset ? bytes : ShadowPageBytes - offset;
      page.refine(offset | here, pool);
      for (unsigned at = offset; at < offset + here; at += page.granule())
        f(page.cell(at), address - offset + at, page.granule());
      address += here;
      bytes -= here;
    }
  }
  void clear() {
    pages.clear();
    lastPage = nullptr;
  }
  /// All cells that hold something: f(cell, address).
  template <typename F>
  void all(F f) {
    for (auto &[number, page] : pages)
      for (unsigned at = 0; at < ShadowPageBytes; at += page->granule())
        f(page->cell(at), number * ShadowPageBytes + at);
  }

private:
  ShadowPage &pageOf(uint64_t address) {
    uint64_t number = address / ShadowPageBytes;
    if (lastPage && number == lastNumber)
      return *lastPage;
    auto &page = pages[number];
    if (!page)
      page = std::make_unique<ShadowPage>();
    lastNumber = number;
    lastPage = page.get();
    return *page;
  }
  llvm::DenseMap<uint64_t, std::unique_ptr<ShadowPage>> pages;
  uint64_t lastNumber = 0;
  ShadowPage *lastPage = nullptr;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_SANITIZER_SHADOW_H
