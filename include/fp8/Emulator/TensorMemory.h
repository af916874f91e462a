//===- TensorMemory.h - Blackwell tensor memory -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 lanes x 512 columns of 32 bits, its allocator, and the index maps of
// tcgen05.ld, st, cp and shift. Maps are separate from data, so that a checker
// can keep a shadow of the same shape.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TENSORMEMORY_H
#define FP8_EMULATOR_TENSORMEMORY_H

#include "fp8/Emulator/Swizzle.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fp8::emulator {

inline constexpr unsigned TensorMemoryLanes = 128;
inline constexpr unsigned TensorMemoryColumns = 512;

/// A tensor-memory address: lane in bits 16-31, column in bits 0-15.
struct TensorAddress {
  unsigned lane = 0;
  unsigned column = 0;
  static TensorAddress decode(uint32_t bits) {
    return {bits >> 16, bits & 0xffff};
  }
  uint32_t encode() const { return lane << 16 | column; }
};

/// The cells and the column allocator of one SM (one CTA of a cta_group).
class TensorMemory {
public:
  TensorMemory();

  uint32_t &at(unsigned lane, unsigned column) {
    return cells[lane * TensorMemoryColumns + column];
  }
  uint32_t at(unsigned lane, unsigned column) const {
    return cells[lane * TensorMemoryColumns + column];
  }
  /// Index of a cell, also for shadow arrays.
  static unsigned index(unsigned lane, unsigned column) {
    return lane * TensorMemoryColumns + column;
  }

  /// First free run of `columns` (a power of two, 32..512), aligned to its
  /// size; none if there is no room now (the instruction then blocks).
  std::optional<unsigned> allocate(unsigned columns);
  /// Frees exactly what an allocate returned; false and a reason otherwise.
  bool deallocate(unsigned column, unsigned columns, std::string &error);
  /// True if [column, column + count) is inside live allocations.
  bool isAllocated(unsigned column, unsigned count) const;
  /// True if some of [column, column + count) was allocated and is free again.
  bool wasFreed(unsigned column, unsigned count) const;
  /// Columns allocated now (leaks, at exit).
  unsigned allocatedColumns() const { return allocated.count(); }
  static bool isLegalSize(unsigned columns);

private:
  std::vector<uint32_t> cells;
  std::bitset<TensorMemoryColumns> allocated, freed;
  struct Block {
    unsigned column, columns;
  };
  std::vector<Block> blocks;
};

/// The access pattern of tcgen05.ld and tcgen05.st.
struct TensorMemoryShape {
  enum Kind : uint8_t { L16x64b, L16x128b, L16x256b, L32x32b, L16x32bx2 };
  Kind kind = L32x32b;
  /// .x1 ... .x128
  unsigned count = 1;
  /// .pack::16b (ld) or .unpack::16b (st): each register holds two 16-bit
  /// halves of neighbouring columns.
  bool pack16 = false;
  /// The second base column offset of .16x32bx2.
  unsigned halfSplitOffset = 0;
};

/// False and a reason if PTX has no such shape (e.g. .16x256b.x64).
bool isLegalShape(const TensorMemoryShape &shape, std::string &error);
/// Registers per thread.
unsigned registerCount(const TensorMemoryShape &shape);
/// Lanes (16 or 32) and columns that one access covers from its base address.
unsigned laneCount(const TensorMemoryShape &shape);
unsigned columnCount(const TensorMemoryShape &shape);
/// The cell, relative to the base, that register `reg` of `thread` (0..31)
/// holds. With pack16, `half` 0 and 1 select the two source columns.
TensorAddress shapeCell(const TensorMemoryShape &shape, unsigned thread,
                        unsigned reg, unsigned half = 0);

/// tcgen05.ld of one warp: registers[r][thread]. The address may not leave the
/// memory (checked) and the warp's lane quarter (the caller checks).
bool loadTensorMemory(const TensorMemory &memory,
                      const TensorMemoryShape &shape, uint32_t address,
                      uint32_t *const *registers, std::string &error);
bool storeTensorMemory(TensorMemory &memory, const TensorMemoryShape &shape,
                       uint32_t address, const uint32_t *const *registers,
                       std::string &error);

/// tcgen05.ld.red: as a load, and the min or max over the registers of each
/// thread (f32, u32 or s32 order) into reduced[thread].
enum class LoadReduction : uint8_t {
  MinF32,
  MaxF32,
  MinU32,
  MaxU32,
  MinS32,
  MaxS32
};
void reduceLoaded(LoadReduction op, bool absolute, bool propagateNaN,
                  unsigned count, const uint32_t *const *registers,
                  uint32_t *reduced);

/// tcgen05.cp: shape, replication and source format.
struct TensorCopy {
  enum Shape : uint8_t { C128x256b, C4x256b, C128x128b, C64x128b, C32x128b };
  enum Multicast : uint8_t { Once, WarpX2_02_13, WarpX2_01_23, WarpX4 };
  enum Format : uint8_t { Bytes, B6x16P32, B4x16P64 };
  Shape shape = C32x128b;
  Multicast multicast = WarpX4;
  Format format = Bytes;
};
/// Bytes that the source holds per row, and rows.
unsigned copyRows(const TensorCopy &copy);
unsigned copyRowBytes(const TensorCopy &copy);
/// Copies from shared memory; `size` bounds the shared window.
bool copyToTensorMemory(const TensorCopy &copy,
                        const MatrixDescriptor &descriptor,
                        const uint8_t *shared, uint32_t size,
                        TensorMemory &memory, uint32_t address,
                        std::string &error);
/// Shared byte ranges [address, address + 16) that the copy reads.
void copyFootprint(const TensorCopy &copy, const MatrixDescriptor &descriptor,
                   std::vector<uint32_t> &chunks);

/// tcgen05.shift.down: of the 32 lanes from that of `address` on (a multiple of
/// 32), 8 columns of lane i + 1 move to lane i; the last lane keeps its value.
bool shiftDown(TensorMemory &memory, uint32_t address, std::string &error);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TENSORMEMORY_H
