//===- TMA.cpp - Tensor copies as lists of pieces -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Box walks. One row (innermost dimension) at a time is cut where it leaves the
// tensor and at the swizzle's granularity; rows follow each other densely in
// shared memory, out-of-bounds ones included.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/TMA.h"

#include "fp8/Emulator/Convert.h"
#include "fp8/Emulator/Float.h"

#include <algorithm>
#include <cstring>

namespace fp8::emulator {

static bool isPadded(TensorType t) {
  return t == TensorType::U4Align16 || t == TensorType::U6Align16;
}

/// Shared bytes of a row of `elements`.
static uint32_t rowBytes(const TensorMap &m, uint32_t elements) {
  return isPadded(m.type) ? elements : elements * elementBits(m.type) / 8;
}

/// Elements that a box takes along dimension i: traversal strides skip some,
/// but not in the innermost dimension without interleave.
static uint32_t boxCount(const TensorMap &m, unsigned i) {
  if (i == 0 && m.interleave == Interleave::None)
    return m.box[0];
  return (m.box[i] + m.elementStrides[i] - 1) / m.elementStrides[i];
}

uint32_t boxBytes(const TensorMap &m) {
  if (m.mode != TensorMap::Tiled)
    return rowBytes(m, m.channelsPerPixel) * m.pixelsPerColumn;
  uint32_t bytes = rowBytes(m, boxCount(m, 0));
  for (unsigned i = 1; i < m.rank; ++i)
    bytes *= boxCount(m, i);
  return bytes;
}

uint32_t gatherBytes(const TensorMap &m) { return 4 * rowBytes(m, m.box[0]); }

namespace {
/// Emits the pieces of one row after the other.
class RowWriter {
public:
  RowWriter(const TensorMap &m, uint32_t shared, std::vector<TMAPiece> &pieces)
      : map(m), cursor(shared), pieces(pieces) {
    bool flips = m.swizzle == Swizzle::B128Atom32Flip8;
    granule = m.swizzle == Swizzle::None ? 0 : flips ? 8 : 16;
  }

  /// A row of `elements` whose first has innermost coordinate `first`.
  /// `rowAddress` is where coordinate 0 lies; `inside` is false if an outer
  /// coordinate is out of bounds.
  void writeRow(uint64_t rowAddress, int64_t first, uint32_t elements,
                bool inside) {
    int64_t low = std::clamp<int64_t>(-first, 0, elements);
    int64_t high = std::clamp<int64_t>(
        static_cast<int64_t>(map.dims[0]) - first, low, elements);
    if (!inside)
      low = high = elements;
    emit(rowAddress, first, 0, low, false);
    emit(rowAddress, first, low, high, true);
    emit(rowAddress, first, high, elements, false);
    cursor += rowBytes(map, elements);
  }

private:
  /// Elements [begin, end) of the row at the cursor.
  void emit(uint64_t rowAddress, int64_t first, int64_t begin, int64_t end,
            bool inBounds) {
    if (begin == end)
      return;
    if (isPadded(map.type))
      return emitPadded(rowAddress, first, begin, end, inBounds);
    unsigned bits = elementBits(map.type);
    uint32_t from = begin * bits / 8, to = end * bits / 8;
    uint64_t global = rowAddress + (first + begin) * bits / 8;
    while (from < to) {
      uint32_t linear = cursor + from;
      uint32_t size = to - from;
      if (granule)
        size = std::min(size, granule - linear % granule);
      size = std::min(size, 0x8000u);
      pieces.push_back({global, applySwizzle(linear, map.swizzle),
                        static_cast<uint16_t>(size),
                        static_cast<uint16_t>(size), inBounds});
      from += size;
      global += size;
    }
  }

  /// 16 elements of 4 or 6 bits take 8 or 12 global and 16 shared bytes; tensor
  /// edges and coordinates are multiples of 16 elements here.
  void emitPadded(uint64_t rowAddress, int64_t first, int64_t begin,
                  int64_t end, bool inBounds) {
    unsigned bytes = 2 * elementBits(map.type);
    for (int64_t i = begin; i < end; i += 16)
      pieces.push_back({rowAddress + (first + i) / 16 * bytes,
                        applySwizzle(cursor + i, map.swizzle),
                        static_cast<uint16_t>(bytes), 16, inBounds});
  }

  const TensorMap &map;
  uint32_t cursor;
  uint32_t granule;
  std::vector<TMAPiece> &pieces;
};
} // namespace

static bool checkWalk(const TensorMap &m, TensorMap::Mode mode, uint32_t shared,
                      std::string &error) {
  if (!validateTensorMap(m, error))
    return false;
  if (m.mode != mode) {
    static constexpr const char *Names[] = {"a tiled", "an im2col",
                                            "a wide im2col"};
    error = std::string("expected ") + Names[mode] + " tensor map, got " +
            Names[m.mode] + " one";
    return false;
  }
  if (shared % TMASharedAlignment) {
    error = "expected a shared address that is a multiple of 128, got " +
            std::to_string(shared);
    return false;
  }
  return true;
}

/// Packed elements: units of 128 where padding is added, whole bytes else.
static bool checkInner(const TensorMap &m, int32_t coordinate,
                       std::string &error) {
  unsigned unit = isPadded(m.type)                 ? 128
                  : m.type == TensorType::U4Align8 ? 2
                                                   : 1;
  if (coordinate % static_cast<int32_t>(unit) == 0)
    return true;
  error = "expected an innermost coordinate that is a multiple of " +
          std::to_string(unit) + " for " +
          (unit == 2 ? "16U4_ALIGN8B" : "ALIGN16B types") + ", got " +
          std::to_string(coordinate);
  return false;
}

bool walkTile(const TensorMap &m, const int32_t *coordinates, uint32_t shared,
              std::vector<TMAPiece> &pieces, std::string &error) {
  pieces.clear();
  if (!checkWalk(m, TensorMap::Tiled, shared, error) ||
      !checkInner(m, coordinates[0], error))
    return false;
  RowWriter writer(m, shared, pieces);
  uint32_t index[5] = {};
  while (true) {
    uint64_t address = m.address;
    bool inside = true;
    for (unsigned i = 1; i < m.rank; ++i) {
      int64_t at =
          int64_t(coordinates[i]) + int64_t(index[i]) * m.elementStrides[i];
      inside &= at >= 0 && at < static_cast<int64_t>(m.dims[i]);
      address += at * static_cast<int64_t>(m.strides[i - 1]);
    }
    writer.writeRow(address, coordinates[0], boxCount(m, 0), inside);
    unsigned i = 1;
    while (i < m.rank && ++index[i] == boxCount(m, i))
      index[i++] = 0;
    if (i >= m.rank)
      return true;
  }
}

bool walkGather4(const TensorMap &m, int32_t column, const int32_t *rows,
                 uint32_t shared, std::vector<TMAPiece> &pieces,
                 std::string &error) {
  pieces.clear();
  if (!checkWalk(m, TensorMap::Tiled, shared, error) ||
      !checkInner(m, column, error))
    return false;
  if (m.rank != 2 || m.box[1] != 1) {
    error = "expected a tensor map of rank 2 with boxDim[1] = 1 for gather4 "
            "and scatter4, got rank " +
            std::to_string(m.rank) +
            " and boxDim[1] = " + std::to_string(m.box[1]);
    return false;
  }
  RowWriter writer(m, shared, pieces);
  for (unsigned i = 0; i < 4; ++i) {
    bool inside = rows[i] >= 0 && rows[i] < static_cast<int64_t>(m.dims[1]);
    uint64_t address =
        m.address + int64_t(rows[i]) * static_cast<int64_t>(m.strides[0]);
    writer.writeRow(address, column, m.box[0], inside);
  }
  return true;
}

bool walkIm2col(const TensorMap &m, const int32_t *coordinates,
                const uint16_t *offsets, uint32_t shared,
                std::vector<TMAPiece> &pieces, std::string &error) {
  pieces.clear();
  if (!checkWalk(m, TensorMap::Im2col, shared, error) ||
      !checkInner(m, coordinates[0], error))
    return false;
  RowWriter writer(m, shared, pieces);
  unsigned spatial = m.rank - 2;
  int64_t at[4]; // spatial dimensions, then the image
  for (unsigned i = 0; i < spatial + 1; ++i)
    at[i] = coordinates[i + 1];
  for (uint32_t pixel = 0; pixel < m.pixelsPerColumn; ++pixel) {
    uint64_t address = m.address;
    bool inside = true;
    for (unsigned i = 0; i < spatial + 1; ++i) {
      int64_t p = at[i] + (i < spatial ? offsets[i] : 0);
      inside &= p >= 0 && p < static_cast<int64_t>(m.dims[i + 1]);
      address += p * static_cast<int64_t>(m.strides[i]);
    }
    writer.writeRow(address, coordinates[0], m.channelsPerPixel, inside);
    // Next pixel of the bounding box; the image number counts without end.
    unsigned i = 0;
    for (; i < spatial; ++i) {
      at[i] += m.elementStrides[i + 1];
      if (at[i] <= static_cast<int64_t>(m.dims[i + 1]) - 1 + m.upperCorner[i])
        break;
      at[i] = m.lowerCorner[i];
    }
    if (i == spatial)
      ++at[spatial];
  }
  return true;
}

static unsigned widePixels(const TensorMap &m, const WideLoad &load) {
  return load.fixed ? 128 : m.pixelsPerColumn;
}

uint32_t wideBytes(const TensorMap &m, const WideLoad &load) {
  unsigned halos = load.fixed ? 4 : 1;
  return rowBytes(m, m.channelsPerPixel) *
         (widePixels(m, load) + halos * load.halo);
}

bool walkIm2colWide(const TensorMap &m, const int32_t *coordinates,
                    const WideLoad &load, uint32_t shared,
                    std::vector<TMAPiece> &pieces, std::string &error) {
  pieces.clear();
  if (!checkWalk(m, TensorMap::Im2colWide, shared, error) ||
      !checkInner(m, coordinates[0], error))
    return false;
  unsigned limit = load.fixed ? 32 : 512;
  if (load.halo >= limit || load.offset >= 32) {
    error = "expected wHalo below " + std::to_string(limit) +
            " and wOffset below 32, got " + std::to_string(load.halo) +
            " and " + std::to_string(load.offset);
    return false;
  }
  int64_t low = int64_t(m.lowerCorner[0]) + load.offset;
  int64_t high =
      static_cast<int64_t>(m.dims[1]) - 1 + m.upperCorner[0] + load.offset;
  int64_t w = int64_t(coordinates[1]) + load.offset;
  if (w > high) {
    error = "expected a first pixel in the bounding box or left of it, got " +
            std::to_string(coordinates[1]) + ", which is beyond " +
            std::to_string(high - load.offset);
    return false;
  }
  RowWriter writer(m, shared, pieces);
  unsigned image = m.rank - 1, count = widePixels(m, load);
  std::vector<std::pair<int64_t, int64_t>> walk(count + load.halo);
  int64_t n = coordinates[image];
  for (auto &pixel : walk) {
    pixel = {w, n};
    w += m.elementStrides[1];
    if (w > high) {
      w = low;
      ++n;
    }
  }
  auto write = [&](unsigned index) {
    int64_t at[5] = {};
    for (unsigned i = 2; i < image; ++i)
      at[i] = coordinates[i];
    at[1] = walk[index].first;
    at[image] = walk[index].second;
    uint64_t address = m.address;
    bool inside = true;
    for (unsigned i = 1; i < m.rank; ++i) {
      inside &= at[i] >= 0 && at[i] < static_cast<int64_t>(m.dims[i]);
      address += at[i] * static_cast<int64_t>(m.strides[i - 1]);
    }
    writer.writeRow(address, coordinates[0], m.channelsPerPixel, inside);
  };
  for (unsigned i = 0; i < count; ++i)
    write(i);
  for (unsigned i = 0; i < load.halo; ++i)
    for (unsigned end = load.fixed ? 32 : count; end <= count; end += 32)
      write(end + i);
  return true;
}

void fillOutOfBounds(const TensorMap &m, uint8_t *destination, unsigned bytes) {
  std::memset(destination, 0, bytes);
  if (m.oobFill == OobFill::Zero)
    return;
  // The value that fma.oob recognises: all ones below the sign.
  unsigned size = elementBits(m.type) / 8;
  for (unsigned i = 0; i < bytes; ++i)
    destination[i] = i % size == size - 1 ? 0x7f : 0xff;
}

void packStored(const TensorMap &m, uint8_t *data) {
  if (m.type != TensorType::U6Align16)
    return;
  // Four elements make three bytes.
  for (unsigned from = 0, to = 0; from < 16; from += 4) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; ++i)
      bits |= uint32_t(data[from + i] & 63) << (6 * i);
    for (unsigned i = 0; i < 3; ++i)
      data[to++] = bits >> (8 * i);
  }
}

void transformLoaded(const TensorMap &m, uint8_t *data, unsigned bytes) {
  bool flush = m.type == TensorType::F32FTZ || m.type == TensorType::TF32FTZ;
  bool tf32 = m.type == TensorType::TF32 || m.type == TensorType::TF32FTZ;
  if (!flush && !tf32)
    return;
  for (unsigned i = 0; i + 4 <= bytes; i += 4) {
    uint32_t v;
    std::memcpy(&v, data + i, 4);
    if (flush && !(v & 0x7f800000))
      v &= 0x80000000;
    // Rounding to TF32 on the way is to nearest even (assumed).
    if (tf32 && (v & 0x7f800000) != 0x7f800000)
      v = static_cast<uint32_t>(
          pack(unpack(v, F32Format), TF32Format, PackOptions()));
    std::memcpy(data + i, &v, 4);
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

template <typename T>
T reduceInteger(ReduceOp op, T d, T s) {
  switch (op) {
  case ReduceOp::Add:
    return static_cast<T>(static_cast<uint64_t>(d) + static_cast<uint64_t>(s));
  case ReduceOp::Min:
    return std::min(d, s);
  case ReduceOp::Max:
    return std::max(d, s);
  case ReduceOp::Inc:
    return d >= s ? 0 : d + 1;
  case ReduceOp::Dec:
    return d == 0 || d > s ? s : d - 1;
  case ReduceOp::And:
    return d & s;
  case ReduceOp::Or:
    return d | s;
  case ReduceOp::Xor:
    return d ^ s;
  }
  return d;
}

template <typename T>
void reduceIntegers(ReduceOp op, uint8_t *d, const uint8_t *s, unsigned bytes) {
  for (unsigned i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, d + i, sizeof(T));
    std::memcpy(&b, s + i, sizeof(T));
    a = reduceInteger(op, a, b);
    std::memcpy(d + i, &a, sizeof(T));
  }
}

uint64_t reduceFloat(ReduceOp op, const FloatFormat &f, uint64_t d,
                     uint64_t s) {
  Real a = unpack(d, f), b = unpack(s, f);
  if (op == ReduceOp::Add)
    return pack(add(a, b, Rounding::NearestEven), f, PackOptions());
  if (a.kind == Real::NaN || b.kind == Real::NaN)
    return b.kind == Real::NaN ? d : s;
  Real difference = add(a, negate(b), Rounding::NearestEven);
  bool less = difference.kind == Real::Zero ? a.negative : difference.negative;
  return less == (op == ReduceOp::Min) ? d : s;
}

void reduceFloats(ReduceOp op, const FloatFormat &f, uint8_t *d,
                  const uint8_t *s, unsigned bytes) {
  unsigned size = f.width() / 8;
  for (unsigned i = 0; i + size <= bytes; i += size) {
    uint64_t a = 0, b = 0;
    std::memcpy(&a, d + i, size);
    std::memcpy(&b, s + i, size);
    a = reduceFloat(op, f, a, b);
    std::memcpy(d + i, &a, size);
  }
}

/// PTX's table of .redop by type for cp.reduce.async.bulk.
bool isLegalReduction(ReduceOp op, TensorType type) {
  bool bitwise =
      op == ReduceOp::And || op == ReduceOp::Or || op == ReduceOp::Xor;
  switch (type) {
  case TensorType::F16:
  case TensorType::BF16:
    return op == ReduceOp::Add || op == ReduceOp::Min || op == ReduceOp::Max;
  case TensorType::F32:
  case TensorType::F64:
  case TensorType::F32FTZ:
    return op == ReduceOp::Add;
  case TensorType::U32:
    return true;
  case TensorType::S32:
  case TensorType::U64:
  case TensorType::S64:
    return op != ReduceOp::Inc && op != ReduceOp::Dec;
  case TensorType::U8:
  case TensorType::U16:
    return bitwise;
  default:
    return false;
  }
}

} // namespace

bool reduceElements(ReduceOp op, TensorType type, uint8_t *d, const uint8_t *s,
                    unsigned bytes, std::string &error) {
  if (!isLegalReduction(op, type)) {
    error = "the reduction does not exist for this element type";
    return false;
  }
  switch (type) {
  case TensorType::F16:
    reduceFloats(op, F16Format, d, s, bytes);
    return true;
  case TensorType::BF16:
    reduceFloats(op, BF16Format, d, s, bytes);
    return true;
  case TensorType::F32:
  case TensorType::F32FTZ:
    reduceFloats(op, F32Format, d, s, bytes);
    return true;
  case TensorType::F64:
    reduceFloats(op, F64Format, d, s, bytes);
    return true;
  case TensorType::U32:
    reduceIntegers<uint32_t>(op, d, s, bytes);
    return true;
  case TensorType::S32:
    reduceIntegers<int32_t>(op, d, s, bytes);
    return true;
  case TensorType::U64:
    reduceIntegers<uint64_t>(op, d, s, bytes);
    return true;
  case TensorType::S64:
    reduceIntegers<int64_t>(op, d, s, bytes);
    return true;
  default:
    reduceIntegers<uint8_t>(op, d, s, bytes);
    return true;
  }
}

} // namespace fp8::emulator
