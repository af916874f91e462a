//===- TensorMemory.cpp - Blackwell tensor memory -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocator and the index maps of tcgen05.ld, st, cp and shift.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/TensorMemory.h"

#include <algorithm>
#include <cstring>

namespace fp8::emulator {

TensorMemory::TensorMemory() : cells(TensorMemoryLanes * TensorMemoryColumns) {}

bool TensorMemory::isLegalSize(unsigned columns) {
  return columns >= 32 && columns <= 512 && !(columns & (columns - 1));
}

std::optional<unsigned> TensorMemory::allocate(unsigned columns) {
  if (!isLegalSize(columns))
    return std::nullopt;
  for (unsigned base = 0; base < TensorMemoryColumns; base += columns) {
    bool free = true;
    for (unsigned i = 0; i < columns && free; ++i)
      free = !allocated[base + i];
    if (!free)
      continue;
    for (unsigned i = 0; i < columns; ++i)
      allocated.set(base + i), freed.reset(base + i);
    blocks.push_back({base, columns});
    return base;
  }
  return std::nullopt;
}

bool TensorMemory::deallocate(unsigned column, unsigned columns,
                              std::string &error) {
  auto it = std::find_if(blocks.begin(), blocks.end(), [&](const Block &b) {
    return b.column == column && b.columns == columns;
  });
  if (it == blocks.end()) {
    error = "expected an allocation of " + std::to_string(columns) +
            " columns at column " + std::to_string(column) + ", found none";
    return false;
  }
  for (unsigned i = 0; i < columns; ++i)
    allocated.reset(column + i), freed.set(column + i);
  blocks.erase(it);
  return true;
}

bool TensorMemory::isAllocated(unsigned column, unsigned count) const {
  if (column + count > TensorMemoryColumns)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (!allocated[column + i])
      return false;
  return true;
}

bool TensorMemory::wasFreed(unsigned column, unsigned count) const {
  for (unsigned i = column; i < column + count && i < TensorMemoryColumns; ++i)
    if (freed[i])
      return true;
  return false;
}

/// Registers and columns of one repetition, and its lanes.
static unsigned registersPerUnit(TensorMemoryShape::Kind kind) {
  switch (kind) {
  case TensorMemoryShape::L16x128b:
    return 2;
  case TensorMemoryShape::L16x256b:
    return 4;
  default:
    return 1;
  }
}

static unsigned columnsPerUnit(TensorMemoryShape::Kind kind) {
  switch (kind) {
  case TensorMemoryShape::L16x64b:
    return 2;
  case TensorMemoryShape::L16x128b:
    return 4;
  case TensorMemoryShape::L16x256b:
    return 8;
  default:
    return 1;
  }
}

bool isLegalShape(const TensorMemoryShape &s, std::string &error) {
  unsigned largest = 128 / registersPerUnit(s.kind);
  if (s.count == 0 || (s.count & (s.count - 1)) || s.count > largest) {
    error = "expected a power of two up to .x" + std::to_string(largest) +
            " for this shape, got .x" + std::to_string(s.count);
    return false;
  }
  return true;
}

unsigned registerCount(const TensorMemoryShape &s) {
  return registersPerUnit(s.kind) * s.count;
}

unsigned laneCount(const TensorMemoryShape &s) {
  return s.kind == TensorMemoryShape::L32x32b ? 32 : 16;
}

unsigned columnCount(const TensorMemoryShape &s) {
  unsigned columns = columnsPerUnit(s.kind) * s.count * (s.pack16 ? 2 : 1);
  return s.kind == TensorMemoryShape::L16x32bx2
             ? std::max(columns, s.halfSplitOffset + columns)
             : columns;
}

/// The cell without packing.
static TensorAddress plainCell(const TensorMemoryShape &s, unsigned t,
                               unsigned r) {
  switch (s.kind) {
  case TensorMemoryShape::L32x32b:
    return {t, r};
  case TensorMemoryShape::L16x64b:
    return {t / 4 + 8 * (t % 2), (t / 2) % 2 + 2 * r};
  case TensorMemoryShape::L16x128b:
    return {t / 4 + 8 * (r % 2), t % 4 + 4 * (r / 2)};
  case TensorMemoryShape::L16x256b:
    return {t / 4 + 8 * ((r / 2) % 2), r % 2 + 2 * (t % 4) + 8 * (r / 4)};
  case TensorMemoryShape::L16x32bx2:
    return {t % 16, r};
  }
  return {};
}

TensorAddress shapeCell(const TensorMemoryShape &s, unsigned thread,
                        unsigned reg, unsigned half) {
  TensorAddress cell = plainCell(s, thread, reg);
  // Packing makes two neighbouring columns out of each column of the pattern.
  if (s.pack16)
    cell.column = 2 * cell.column + half;
  if (s.kind == TensorMemoryShape::L16x32bx2 && thread >= 16)
    cell.column += s.halfSplitOffset;
  return cell;
}

static bool checkRange(const TensorMemoryShape &s, TensorAddress base,
                       std::string &error) {
  if (!isLegalShape(s, error))
    return false;
  if (base.lane + laneCount(s) <= TensorMemoryLanes &&
      base.column + columnCount(s) <= TensorMemoryColumns)
    return true;
  error = "tensor memory access of " + std::to_string(laneCount(s)) +
          " lanes and " + std::to_string(columnCount(s)) + " columns at lane " +
          std::to_string(base.lane) + ", column " +
          std::to_string(base.column) + " leaves the 128 x 512 cells";
  return false;
}

bool loadTensorMemory(const TensorMemory &memory, const TensorMemoryShape &s,
                      uint32_t address, uint32_t *const *registers,
                      std::string &error) {
  TensorAddress base = TensorAddress::decode(address);
  if (!checkRange(s, base, error))
    return false;
  for (unsigned r = 0, n = registerCount(s); r < n; ++r) {
    for (unsigned t = 0; t < 32; ++t) {
      TensorAddress c = shapeCell(s, t, r);
      uint32_t value = memory.at(base.lane + c.lane, base.column + c.column);
      if (s.pack16)
        value = (value & 0xffff) |
                memory.at(base.lane + c.lane, base.column + c.column + 1) << 16;
      registers[r][t] = value;
    }
  }
  return true;
}

bool storeTensorMemory(TensorMemory &memory, const TensorMemoryShape &s,
                       uint32_t address, const uint32_t *const *registers,
                       std::string &error) {
  TensorAddress base = TensorAddress::decode(address);
  if (!checkRange(s, base, error))
    return false;
  for (unsigned r = 0, n = registerCount(s); r < n; ++r) {
    for (unsigned t = 0; t < 32; ++t) {
      TensorAddress c = shapeCell(s, t, r);
      uint32_t value = registers[r][t];
      uint32_t &cell = memory.at(base.lane + c.lane, base.column + c.column);
      cell = s.pack16 ? value & 0xffff : value;
      if (s.pack16)
        memory.at(base.lane + c.lane, base.column + c.column + 1) = value >> 16;
    }
  }
  return true;
}

namespace {
/// Order-preserving key of a reduction's operand.
int64_t orderKey(LoadReduction op, uint32_t v) {
  switch (op) {
  case LoadReduction::MinU32:
  case LoadReduction::MaxU32:
    return v;
  case LoadReduction::MinS32:
  case LoadReduction::MaxS32:
    return static_cast<int32_t>(v);
  default: // sign-magnitude, -0 below +0
    return v >> 31 ? -int64_t(v & 0x7fffffff) - 1 : int64_t(v);
  }
}
} // namespace

void reduceLoaded(LoadReduction op, bool absolute, bool propagateNaN,
                  unsigned count, const uint32_t *const *registers,
                  uint32_t *reduced) {
  bool isFloat = op == LoadReduction::MinF32 || op == LoadReduction::MaxF32;
  bool isMin = op == LoadReduction::MinF32 || op == LoadReduction::MinU32 ||
               op == LoadReduction::MinS32;
  for (unsigned t = 0; t < 32; ++t) {
    bool any = false, sawNaN = false;
    uint32_t best = 0;
    for (unsigned r = 0; r < count; ++r) {
      uint32_t v = registers[r][t];
      if (isFloat && (v & 0x7fffffff) > 0x7f800000) {
        sawNaN = true;
        continue;
      }
      if (isFloat && absolute)
        v &= 0x7fffffff;
      bool better = (orderKey(op, v) < orderKey(op, best)) == isMin &&
                    orderKey(op, v) != orderKey(op, best);
      if (!any || better)
        best = v;
      any = true;
    }
    reduced[t] = !any || (sawNaN && propagateNaN) ? 0x7fffffff : best;
  }
}

unsigned copyRows(const TensorCopy &c) {
  switch (c.shape) {
  case TensorCopy::C128x256b:
  case TensorCopy::C128x128b:
    return 128;
  case TensorCopy::C4x256b:
    return 4;
  case TensorCopy::C64x128b:
    return 64;
  case TensorCopy::C32x128b:
    return 32;
  }
  return 0;
}

unsigned copyRowBytes(const TensorCopy &c) {
  bool wide =
      c.shape == TensorCopy::C128x256b || c.shape == TensorCopy::C4x256b;
  return wide ? 32 : 16;
}

/// First destination lanes of source row `row`; `lanes` gets one to four.
static unsigned destinationLanes(const TensorCopy &c, unsigned row,
                                 unsigned (&lanes)[4]) {
  switch (c.multicast) {
  case TensorCopy::Once:
    // 4x256b: one row for each 32-lane quarter.
    lanes[0] = c.shape == TensorCopy::C4x256b ? row * 32 : row;
    return 1;
  case TensorCopy::WarpX4:
    for (unsigned i = 0; i < 4; ++i)
      lanes[i] = row + 32 * i;
    return 4;
  case TensorCopy::WarpX2_01_23: // first 32 rows to quarters 0 and 1
    lanes[0] = row % 32 + 64 * (row / 32);
    lanes[1] = lanes[0] + 32;
    return 2;
  case TensorCopy::WarpX2_02_13: // first 32 rows to quarters 0 and 2
    lanes[0] = row;
    lanes[1] = row + 64;
    return 2;
  }
  return 0;
}

/// Expands 16 packed 4 or 6-bit elements into 16 bytes: 00xxxx00 and 00xxxxxx.
static void expandElements(TensorCopy::Format format, uint8_t *bytes) {
  unsigned width = format == TensorCopy::B6x16P32 ? 6 : 4;
  unsigned shift = width == 4 ? 2 : 0;
  uint8_t source[16];
  std::memcpy(source, bytes, 16);
  for (unsigned i = 0; i < 16; ++i) {
    unsigned bit = i * width;
    unsigned pair = source[bit / 8];
    if (bit / 8 + 1 < 16)
      pair |= source[bit / 8 + 1] << 8;
    bytes[i] = ((pair >> (bit % 8)) & ((1u << width) - 1)) << shift;
  }
}

bool copyToTensorMemory(const TensorCopy &c, const MatrixDescriptor &descriptor,
                        const uint8_t *shared, uint32_t size,
                        TensorMemory &memory, uint32_t address,
                        std::string &error) {
  TensorAddress base = TensorAddress::decode(address);
  unsigned bytes = copyRowBytes(c);
  if (base.column + bytes / 4 > TensorMemoryColumns) {
    error = "tcgen05.cp to column " + std::to_string(base.column) +
            " leaves the 512 columns of tensor memory";
    return false;
  }
  for (unsigned row = 0; row < copyRows(c); ++row) {
    uint8_t data[32];
    for (unsigned chunk = 0; chunk < bytes; chunk += 16) {
      uint32_t at = elementAddress(descriptor, true, 1, row, chunk);
      if (at + 16 > size) {
        error = "tcgen05.cp reads shared address " + std::to_string(at) +
                " beyond the " + std::to_string(size) + " bytes of the block";
        return false;
      }
      std::memcpy(data + chunk, shared + at, 16);
      if (c.format != TensorCopy::Bytes)
        expandElements(c.format, data + chunk);
    }
    unsigned lanes[4];
    for (unsigned i = 0, n = destinationLanes(c, row, lanes); i < n; ++i) {
      unsigned lane = (base.lane + lanes[i]) % TensorMemoryLanes;
      std::memcpy(&memory.at(lane, base.column), data, bytes);
    }
  }
  return true;
}

void copyFootprint(const TensorCopy &c, const MatrixDescriptor &descriptor,
                   std::vector<uint32_t> &chunks) {
  chunks.clear();
  for (unsigned row = 0; row < copyRows(c); ++row)
    for (unsigned chunk = 0; chunk < copyRowBytes(c); chunk += 16)
      chunks.push_back(elementAddress(descriptor, true, 1, row, chunk));
  std::sort(chunks.begin(), chunks.end());
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
}

bool shiftDown(TensorMemory &memory, uint32_t address, std::string &error) {
  TensorAddress base = TensorAddress::decode(address);
  if (base.lane % 32 || base.lane >= TensorMemoryLanes ||
      base.column + 8 > TensorMemoryColumns) {
    error = "tcgen05.shift needs a lane that is a multiple of 32 and 8 "
            "columns, got lane " +
            std::to_string(base.lane) + ", column " +
            std::to_string(base.column);
    return false;
  }
  // The implicit shape is .31x256b: the lanes of a warp, but for the last.
  for (unsigned lane = base.lane; lane < base.lane + 31; ++lane)
    for (unsigned i = 0; i < 8; ++i)
      memory.at(lane, base.column + i) = memory.at(lane + 1, base.column + i);
  return true;
}

} // namespace fp8::emulator
