//===- Tcgen05.cpp - Blackwell's tensor-memory matrix instructions --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.mma: the instruction descriptor, where operands, accumulators and
// scales lie, and the execution over one or two CTAs. Layouts that only figures
// document (M = 32 and 64 with .ws, A in tensor memory for M = 64, metadata of
// a sparse A) are graded in the docs.
//
//===----------------------------------------------------------------------===//

#include "Sparse.h"

#include "fp8/Emulator/Float.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fp8::emulator {

//===----------------------------------------------------------------------===//
// Instruction descriptor
//===----------------------------------------------------------------------===//

static bool isBlockScaled(TcgenKind kind) {
  return kind >= TcgenKind::MXF8F6F4;
}

static bool isDense4(TcgenKind kind) {
  return kind == TcgenKind::MXF4 || kind == TcgenKind::MXF4NVF4;
}

/// The operand type of a 3-bit format field.
static bool decodeType(TcgenKind kind, unsigned field, MMAType &type) {
  static constexpr MMAType Small[] = {MMAType::E4M3, MMAType::E5M2,
                                      MMAType::E4M3, MMAType::E2M3,
                                      MMAType::E3M2, MMAType::E2M1};
  switch (kind) {
  case TcgenKind::F16:
    type = field ? MMAType::BF16 : MMAType::F16;
    return field <= 1;
  case TcgenKind::TF32:
    type = MMAType::TF32;
    return field == 2;
  case TcgenKind::I8:
    type = field ? MMAType::S8 : MMAType::U8;
    return field <= 1;
  case TcgenKind::F8F6F4:
  case TcgenKind::MXF8F6F4:
    if (field > 5 || field == 2)
      return false;
    type = Small[field];
    return true;
  case TcgenKind::MXF4:
  case TcgenKind::MXF4NVF4:
    type = MMAType::E2M1;
    return field == 1;
  }
  return false;
}

static bool decodeAccumulator(const TcgenMma &mma, unsigned field,
                              TcgenDescriptor &d) {
  switch (field) {
  case 0:
    d.dType = MMAAccumulator::F16;
    return mma.kind == TcgenKind::F16 || mma.kind == TcgenKind::F8F6F4;
  case 1:
    d.dType = MMAAccumulator::F32;
    return mma.kind != TcgenKind::I8;
  case 2:
    d.dType = MMAAccumulator::S32;
    return mma.kind == TcgenKind::I8;
  default:
    return false;
  }
}

static unsigned stepK(TcgenKind kind) {
  switch (kind) {
  case TcgenKind::F16:
    return 16;
  case TcgenKind::TF32:
    return 8;
  case TcgenKind::MXF4:
  case TcgenKind::MXF4NVF4:
    return 64;
  default:
    return 32;
  }
}

/// The step and the least value of N.
static unsigned stepN(const TcgenMma &mma, const TcgenDescriptor &d) {
  bool pair = mma.ctaGroup == 2;
  switch (mma.kind) {
  case TcgenKind::F16:
  case TcgenKind::TF32:
    return pair ? 32 : d.m == 64 ? 8 : 16;
  case TcgenKind::I8:
    return pair ? 32 : d.m == 64 && d.n <= 32 ? 8 : 16;
  default:
    return (pair ? 16 : 8) * (d.mnMajorB ? 2 : 1);
  }
}

static bool checkShape(const TcgenMma &mma, const TcgenDescriptor &d,
                       std::string &error) {
  bool legalM, legalN;
  if (mma.weightStationary) {
    legalM = mma.ctaGroup == 1 && (d.m == 32 || d.m == 64 || d.m == 128);
    legalN = d.n == 64 || d.n == 128 || (d.n == 256 && !mma.sparse);
  } else {
    unsigned large = 128 * mma.ctaGroup;
    bool whole = isBlockScaled(mma.kind) && (mma.ctaGroup == 1 || mma.sparse);
    legalM = d.m == large || (d.m == large / 2 && !whole);
    legalN = d.n && d.n <= 256 && d.n % stepN(mma, d) == 0;
  }
  if (legalM && legalN)
    return true;
  error = "the instruction descriptor has M = " + std::to_string(d.m) +
          " and N = " + std::to_string(d.n) +
          ", which do not exist for this kind and cta_group::" +
          std::to_string(mma.ctaGroup);
  return false;
}

static bool checkMajorness(const TcgenMma &mma, const TcgenDescriptor &d,
                           std::string &error) {
  if (isDense4(mma.kind) && (d.mnMajorA || d.mnMajorB)) {
    error = "4-bit block-scaled kinds need K-major operands";
    return false;
  }
  if (mma.aInTensorMemory && d.mnMajorA) {
    error = "an A operand in tensor memory is K-major";
    return false;
  }
  return true;
}

/// A column of metadata that lanes 8 apart share.
static bool sharesMetadata(TcgenKind kind) {
  return kind == TcgenKind::F16 || kind == TcgenKind::TF32;
}

/// Where metadata lie is known for full rows of lanes, and with .ws.
static bool checkSparse(const TcgenMma &mma, const TcgenDescriptor &d,
                        bool sparse, std::string &error) {
  if (sparse != mma.sparse) {
    error = std::string("the instruction descriptor is of a ") +
            (sparse ? "sparse" : "dense") + " product: expected one of a " +
            (mma.sparse ? "sparse" : "dense") + " product";
    return false;
  }
  if (!sparse)
    return true;
  if (!mma.weightStationary && d.m != 128 * mma.ctaGroup) {
    error = "tcgen05.mma.sp with M = " + std::to_string(d.m) +
            " is not implemented, for the layout of its metadata is not "
            "known: expected M = " +
            std::to_string(128 * mma.ctaGroup) + " or .ws";
    return false;
  }
  unsigned choices = sharesMetadata(mma.kind) ? 2 : 1;
  if (d.selector < choices)
    return true;
  error = "expected a sparsity selector below " + std::to_string(choices) +
          " for this kind, found " + std::to_string(d.selector);
  return false;
}

/// Scales begin at a byte of their word: one anywhere, two at half a word, four
/// fill it; three of K = 96 begin at any byte, six at every second.
static bool checkScales(const TcgenMma &mma, const TcgenDescriptor &d,
                        std::string &error) {
  if (!isBlockScaled(mma.kind))
    return true;
  bool block = mma.scaleBlock == 32 ||
               (mma.scaleBlock == 16 && mma.kind == TcgenKind::MXF4NVF4);
  unsigned count = block ? tcgenKept(mma, d) / mma.scaleBlock : 1;
  unsigned step = count == 3 ? 1 : count == 6 ? 2 : count;
  if (block && d.scaleIdA % step == 0 && d.scaleIdB % step == 0)
    return true;
  error = "tcgen05.mma: scale block " + std::to_string(mma.scaleBlock) +
          " or scale ids " + std::to_string(d.scaleIdA) + ", " +
          std::to_string(d.scaleIdB) + " do not exist for this kind";
  return false;
}

bool decodeTcgenDescriptor(const TcgenMma &mma, uint32_t bits,
                           TcgenDescriptor &d, std::string &error) {
  bool scaled = isBlockScaled(mma.kind);
  auto field = [&](unsigned at, unsigned width) {
    return (bits >> at) & ((1u << width) - 1);
  };
  if (!decodeType(mma.kind, field(7, 3), d.aType) ||
      !decodeType(mma.kind, field(10, isDense4(mma.kind) ? 2 : 3), d.bType)) {
    error = "the instruction descriptor has operand formats " +
            std::to_string(field(7, 3)) + " and " +
            std::to_string(field(10, 3)) + ", undefined for this kind";
    return false;
  }
  d.negateA = field(13, 1);
  d.negateB = field(14, 1);
  d.mnMajorA = field(15, 1);
  d.mnMajorB = field(16, 1);
  d.n = field(17, 6) << 3;
  d.m = field(24, 5) << 4;
  d.k = stepK(mma.kind) << mma.sparse;
  d.selector = field(0, 2);
  if (scaled) {
    d.dType = MMAAccumulator::F32;
    d.scaleIdB = field(4, 2);
    d.scaleIdA = field(29, 2);
    d.scale = field(23, 1) ? MMAScale::UE8M0 : MMAScale::UE4M3;
    if (isDense4(mma.kind))
      d.m = field(27, 2) << 7;
    if (field(31, 1)) {
      if (!mma.hasK96 || !isDense4(mma.kind) || mma.sparse) {
        error = "K = 96 is of dense kind::mxf4 and kind::mxf4nvf4 of sm_103a";
        return false;
      }
      d.k = 96;
    }
    if (mma.kind != TcgenKind::MXF4NVF4 && d.scale != MMAScale::UE8M0) {
      error = "only kind::mxf4nvf4 takes UE4M3 scales";
      return false;
    }
  } else {
    d.saturate = field(3, 1);
    d.maxShift = field(30, 2);
    if (!decodeAccumulator(mma, field(4, 2), d)) {
      error = "the instruction descriptor has accumulator format " +
              std::to_string(field(4, 2)) + ", undefined for this kind";
      return false;
    }
  }
  return checkShape(mma, d, error) && checkMajorness(mma, d, error) &&
         checkSparse(mma, d, field(2, 1), error) && checkScales(mma, d, error);
}

//===----------------------------------------------------------------------===//
// Layouts in tensor memory
//===----------------------------------------------------------------------===//

bool usesHalfLanes(const TcgenMma &mma, const TcgenDescriptor &d) {
  return d.m == 64 && mma.ctaGroup == 1 && !mma.weightStationary;
}

TcgenCell accumulatorCell(const TcgenMma &mma, const TcgenDescriptor &d,
                          unsigned row, unsigned column) {
  if (mma.ctaGroup == 2) {
    unsigned perCTA = d.m / 2, local = row % perCTA, cta = row / perCTA;
    if (d.m == 256)
      return {cta, local, column};
    unsigned half = d.n / 2;
    return {cta, local + 64 * (column / half), column % half};
  }
  if (d.m == 128)
    return {0, row, column};
  if (!mma.weightStationary) // 16 lanes of each quarter
    return {0, row % 16 + 32 * (row / 16), column};
  // M = 64: two halves of N, M = 32: four quarters, one below the other.
  unsigned parts = 128 / d.m, width = d.n / parts;
  return {0, row + d.m * (column / width), column % width};
}

unsigned accumulatorColumns(const TcgenMma &mma, const TcgenDescriptor &d) {
  if (mma.ctaGroup == 2)
    return d.m == 256 ? d.n : d.n / 2;
  return mma.weightStationary ? d.n / (128 / d.m) : d.n;
}

unsigned operandAColumns(const TcgenMma &mma, const TcgenDescriptor &d) {
  // 32 bytes of K per row: every kind; 48 of K = 96.
  return !mma.aInTensorMemory ? 0 : d.k == 96 ? 12 : 8;
}

/// Columns that hold one word of scales of each row.
static unsigned scaleStride(const TcgenMma &mma, const TcgenDescriptor &d,
                            bool isA) {
  return isA ? (d.m / mma.ctaGroup + 31) / 32 : (d.n + 127) / 128 * 4;
}

/// The scales of K = 96 go on in the next word.
std::vector<TcgenScales> scaleCells(const TcgenMma &mma,
                                    const TcgenDescriptor &d, bool isA) {
  std::vector<TcgenScales> cells;
  if (!isBlockScaled(mma.kind))
    return cells;
  unsigned first = isA ? d.scaleIdA : d.scaleIdB;
  unsigned last = first + tcgenKept(mma, d) / mma.scaleBlock - 1;
  unsigned rows = isA ? d.m / mma.ctaGroup : d.n;
  for (unsigned word = first / 4; word <= last / 4; ++word)
    for (unsigned row = 0; row < rows; row += 32)
      cells.push_back({word * scaleStride(mma, d, isA) + row / 32,
                       std::min(32u, rows - row)});
  return cells;
}

/// B has columns for a multiple of 128 rows, as CUTLASS allocates them.
static unsigned scaleColumns(const TcgenMma &mma, const TcgenDescriptor &d,
                             bool isA) {
  auto cells = scaleCells(mma, d, isA);
  unsigned stride = scaleStride(mma, d, isA);
  return cells.empty() ? 0 : (cells.back().column / stride + 1) * stride;
}

unsigned scaleColumnsA(const TcgenMma &mma, const TcgenDescriptor &d) {
  return scaleColumns(mma, d, true);
}

unsigned scaleColumnsB(const TcgenMma &mma, const TcgenDescriptor &d) {
  return scaleColumns(mma, d, false);
}

unsigned metadataColumns(const TcgenMma &mma) {
  return !mma.sparse ? 0 : sharesMetadata(mma.kind) ? 1 : 2;
}

uint32_t metadataAddress(const TcgenDescriptor &d, uint32_t operand) {
  return operand + d.selector;
}

unsigned tcgenKept(const TcgenMma &mma, const TcgenDescriptor &d) {
  return d.k >> mma.sparse;
}

/// The lane of A's row in tensor memory, within its CTA.
static unsigned operandALane(const TcgenMma &mma, const TcgenDescriptor &d,
                             unsigned row) {
  return usesHalfLanes(mma, d) ? row % 16 + 32 * (row / 16) : row;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static ElementPacking packingOf(const TcgenMma &mma, MMAType type) {
  if (isDense4(mma.kind))
    return ElementPacking::Dense;
  bool small =
      type == MMAType::E2M1 || type == MMAType::E2M3 || type == MMAType::E3M2;
  return small ? ElementPacking::Padded : ElementPacking::Bytes;
}

bool isPadded(const TcgenMma &mma, MMAType type) {
  return packingOf(mma, type) == ElementPacking::Padded;
}

namespace {
/// One tcgen05.mma being executed.
class Execution {
public:
  Execution(const TcgenMma &mma, const TcgenDescriptor &d,
            const TcgenOperands &operands, const TcgenCTA *ctas,
            std::string &error)
      : mma(mma), d(d), operands(operands), ctas(ctas), error(error) {}
  bool run();

private:
  bool checkColumns(const char *what, uint32_t address, unsigned count);
  bool checkAddresses();
  bool gatherShared(bool isA);
  bool gatherTensorA();
  uint32_t metadata(unsigned cta, unsigned lane, unsigned column);
  bool checkCopies(const char *what, uint32_t address, unsigned columns);
  bool gatherMetadata();
  void maskColumns();
  bool gatherScales(bool isA);
  bool readScale(bool isA, unsigned cta, unsigned row, unsigned i,
                 uint8_t &code);
  void loadAccumulators();
  void storeAccumulators();
  uint32_t &cell(unsigned row, unsigned column);

  const TcgenMma &mma;
  const TcgenDescriptor &d;
  const TcgenOperands &operands;
  const TcgenCTA *ctas;
  std::string &error;
  std::vector<uint8_t> codesA, codesB, scalesA, scalesB;
  std::vector<uint32_t> tile;
  std::vector<uint16_t> kept;
};
} // namespace

bool Execution::checkColumns(const char *what, uint32_t address,
                             unsigned count) {
  TensorAddress at = TensorAddress::decode(address);
  if (at.column + count <= TensorMemoryColumns && at.lane < TensorMemoryLanes)
    return true;
  error = std::string("tcgen05.mma: ") + what + " at column " +
          std::to_string(at.column) + " needs " + std::to_string(count) +
          " columns and leaves tensor memory";
  return false;
}

bool Execution::checkAddresses() {
  return checkColumns("the accumulator", operands.d,
                      accumulatorColumns(mma, d)) &&
         checkColumns("operand A", mma.aInTensorMemory ? operands.addressA : 0,
                      operandAColumns(mma, d)) &&
         checkColumns("the metadata of A",
                      metadataAddress(d, operands.metadata),
                      metadataColumns(mma)) &&
         checkColumns("the scales of A", scaleAddress(operands.scaleA),
                      scaleColumnsA(mma, d)) &&
         checkColumns("the scales of B", scaleAddress(operands.scaleB),
                      scaleColumnsB(mma, d));
}

bool Execution::gatherShared(bool isA) {
  MatrixDescriptor descriptor;
  if (!decodeBlackwellDescriptor(
          isA ? operands.descriptorA : operands.descriptorB, descriptor, error))
    return false;
  OperandShape shape;
  shape.type = isA ? d.aType : d.bType;
  shape.packing = packingOf(mma, shape.type);
  shape.kMajor = !(isA ? d.mnMajorA : d.mnMajorB);
  // Each CTA of a pair holds its half of the rows of A and of B.
  shape.mn = (isA ? d.m : d.n) / mma.ctaGroup;
  shape.k = isA ? tcgenKept(mma, d) : d.k;
  // Where the second half of such rows lies is not documented.
  if (mma.sparse && !isA && shape.kMajor &&
      descriptor.swizzle == Swizzle::B32) {
    error = "expected another swizzle than 32 bytes for the 64 bytes of a row "
            "of a sparse product's B";
    return false;
  }
  unsigned span = swizzleSpan(descriptor.swizzle);
  if (d.k == 96 && span > 16 && !descriptor.absoluteLeading &&
      descriptor.start % span + 48 > span) {
    error = "a row of 48 bytes leaves the swizzle's span: expected an absolute "
            "leading dimension in the matrix descriptor";
    return false;
  }
  // A shift of the columns of B reaches those behind.
  unsigned shift = isA ? 0 : operands.zeroColumns >> 56 & 63;
  shape.mn += shift;
  size_t part = size_t(shape.mn) * shape.k * codeBytes(shape.type);
  std::vector<uint8_t> &codes = isA ? codesA : codesB;
  codes.resize(part * mma.ctaGroup);
  for (unsigned cta = 0; cta < mma.ctaGroup; ++cta)
    if (!gatherOperand(ctas[cta].shared, descriptor, shape,
                       codes.data() + cta * part, error))
      return false;
  return true;
}

std::optional<unsigned> maskedColumn(const TcgenDescriptor &d,
                                     uint64_t zeroColumns, unsigned column) {
  auto byte = [&](unsigned at) { return unsigned(zeroColumns >> at & 255); };
  unsigned masks = 128 / d.m, size = d.n / masks, mask = column / size;
  // Runs of zeros and of columns in use take turns; the first ones are left
  // out. As in the document's examples, the field at 40 counts the zeros.
  unsigned zeros = byte(40) + 1, used = byte(48) + 1;
  if (zeroColumns >> 39 & 1) {
    bool zerosFirst = zeroColumns >> (32 + mask) & 1;
    unsigned at = (column % size + byte(8 * mask)) % (zeros + used);
    if (zerosFirst ? at < zeros : at >= used)
      return std::nullopt;
  }
  return column + (zeroColumns >> 56 & 63);
}

/// B with its columns shifted and those of the mask zero.
void Execution::maskColumns() {
  size_t bytes = size_t(d.k) * codeBytes(d.bType);
  std::vector<uint8_t> masked(size_t(d.n) * bytes);
  for (unsigned column = 0; column < d.n; ++column)
    if (auto from = maskedColumn(d, operands.zeroColumns, column))
      std::memcpy(&masked[column * bytes], &codesB[*from * bytes], bytes);
  codesB = std::move(masked);
}

bool Execution::gatherTensorA() {
  if (!checkCopies("operand A", operands.addressA, operandAColumns(mma, d)))
    return false;
  unsigned bytes = codeBytes(d.aType), rows = d.m / mma.ctaGroup;
  unsigned depth = tcgenKept(mma, d);
  TensorAddress base = TensorAddress::decode(operands.addressA);
  codesA.resize(size_t(d.m) * depth * bytes);
  bool dense = isDense4(mma.kind), small = d.aType == MMAType::E2M1;
  for (unsigned row = 0; row < d.m; ++row) {
    // .ashift: as tcgen05.shift would have left the rows.
    unsigned from = row % rows;
    if (mma.shiftA && from + 1 < rows)
      ++from;
    unsigned lane =
        (base.lane + operandALane(mma, d, from)) % TensorMemoryLanes;
    uint8_t data[48];
    std::memcpy(data, &ctas[row / rows].tensor->at(lane, base.column),
                4 * operandAColumns(mma, d));
    uint8_t *out = &codesA[size_t(row) * depth * bytes];
    if (!small) {
      std::memcpy(out, data, size_t(depth) * bytes);
      continue;
    }
    // Two per byte, or 00xxxx00 in a byte of their own.
    for (unsigned k = 0; k < depth; ++k)
      out[k] =
          dense ? (data[k / 2] >> (4 * (k % 2))) & 15 : (data[k] >> 2) & 15;
  }
  return true;
}

/// Where parts of D's columns lie below each other, each part of the lanes has
/// all rows of A.
bool Execution::checkCopies(const char *what, uint32_t address,
                            unsigned columns) {
  unsigned rows = d.m / mma.ctaGroup;
  if (mma.ctaGroup == 1 && !mma.weightStationary)
    return true;
  TensorAddress base = TensorAddress::decode(address);
  for (unsigned cta = 0; cta < mma.ctaGroup; ++cta)
    for (unsigned lane = rows; lane < TensorMemoryLanes; ++lane)
      for (unsigned column = base.column; column < base.column + columns;
           ++column) {
        const TensorMemory &memory = *ctas[cta].tensor;
        if (memory.at((base.lane + lane) % TensorMemoryLanes, column) ==
            memory.at((base.lane + lane % rows) % TensorMemoryLanes, column))
          continue;
        error = std::string("tcgen05.mma: ") + what + " in lane " +
                std::to_string(lane) + " differs from lane " +
                std::to_string(lane % rows) + ": expected a copy for each " +
                std::to_string(rows) + " lanes";
        return false;
      }
  return true;
}

uint32_t Execution::metadata(unsigned cta, unsigned lane, unsigned column) {
  TensorAddress base =
      TensorAddress::decode(metadataAddress(d, operands.metadata));
  return ctas[cta].tensor->at((base.lane + lane) % TensorMemoryLanes,
                              base.column + column);
}

/// Eight chunks of a row to a column, in the row's lane. Of 16 and 32-bit
/// elements one column has all: the lanes 8 apart hold halves of two rows,
/// which are 8 apart as well, each in half a word.
bool Execution::gatherMetadata() {
  unsigned rows = d.m / mma.ctaGroup;
  auto nibble = [&](unsigned row, unsigned n) {
    unsigned local = row % rows;
    if (!sharesMetadata(mma.kind))
      return metadata(row / rows, local, n / 8) >> (4 * (n % 8)) & 15;
    unsigned lane = local / 16 * 16 + 8 * (n / 4) + local % 8;
    unsigned shift = 16 * (local / 8 % 2) + 4 * (n % 4);
    return metadata(row / rows, lane, 0) >> shift & 15;
  };
  return checkCopies("the metadata of A", metadataAddress(d, operands.metadata),
                     metadataColumns(mma)) &&
         expandMetadata(sparseChunk(d.aType, packingOf(mma, d.aType)), true,
                        d.m, d.k, nibble, kept, error);
}

/// Scale `i` of a row: one 32-bit column per 32 rows, replicated in the four
/// lane quarters, the scale id selects the first byte.
bool Execution::readScale(bool isA, unsigned cta, unsigned row, unsigned i,
                          uint8_t &code) {
  TensorAddress base = TensorAddress::decode(
      scaleAddress(isA ? operands.scaleA : operands.scaleB));
  unsigned byte = (isA ? d.scaleIdA : d.scaleIdB) + i;
  unsigned column =
      base.column + row / 32 + byte / 4 * scaleStride(mma, d, isA);
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    uint32_t word = ctas[cta].tensor->at(row % 32 + 32 * quarter, column);
    uint8_t found = word >> (8 * (byte % 4));
    if (quarter && found != code) {
      error = "tcgen05.mma: the scale of row " + std::to_string(row) +
              " differs between lane quarters 0 and " +
              std::to_string(quarter) + "; scales must be replicated";
      return false;
    }
    code = found;
  }
  return true;
}

bool Execution::gatherScales(bool isA) {
  // A scale of a sparse product covers twice as many columns.
  unsigned rows = isA ? d.m : d.n;
  unsigned count = tcgenKept(mma, d) / mma.scaleBlock;
  unsigned perCTA = isA ? d.m / mma.ctaGroup : d.n;
  std::vector<uint8_t> &scales = isA ? scalesA : scalesB;
  scales.resize(size_t(rows) * count);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned i = 0; i < count; ++i)
      if (!readScale(isA, isA ? row / perCTA : 0, row % perCTA, i,
                     scales[size_t(row) * count + i]))
        return false;
  // Each block of a pair has the scales of all columns of B.
  for (unsigned row = 0; !isA && mma.ctaGroup == 2 && row < rows; ++row)
    for (unsigned i = 0; i < count; ++i) {
      uint8_t other = 0;
      if (!readScale(isA, 1, row, i, other))
        return false;
      if (other == scales[size_t(row) * count + i])
        continue;
      error = "tcgen05.mma: the scale of column " + std::to_string(row) +
              " of B differs between the blocks of the pair: expected a copy "
              "in each";
      return false;
    }
  return true;
}

uint32_t &Execution::cell(unsigned row, unsigned column) {
  TensorAddress base = TensorAddress::decode(operands.d);
  TcgenCell c = accumulatorCell(mma, d, row, column);
  return ctas[c.cta].tensor->at((base.lane + c.lane) % TensorMemoryLanes,
                                base.column + c.column);
}

void Execution::loadAccumulators() {
  tile.assign(size_t(d.m) * d.n, 0);
  if (!operands.accumulate)
    return;
  bool f16 = d.dType == MMAAccumulator::F16;
  const FloatFormat &format = f16 ? F16Format : F32Format;
  for (unsigned row = 0; row < d.m; ++row)
    for (unsigned column = 0; column < d.n; ++column) {
      uint32_t value = cell(row, column);
      if (f16)
        value &= 0xffff;
      if (operands.scaleInputD) {
        Real r = unpack(value, format);
        r.exponent -= static_cast<int>(operands.scaleInputD);
        value = static_cast<uint32_t>(pack(r, format, PackOptions()));
      }
      tile[size_t(row) * d.n + column] = value;
    }
}

void Execution::storeAccumulators() {
  TensorAddress base = TensorAddress::decode(operands.d);
  for (unsigned row = 0; row < d.m; ++row)
    for (unsigned column = 0; column < d.n; ++column) {
      TcgenCell c = accumulatorCell(mma, d, row, column);
      unsigned lane = (base.lane + c.lane) % TensorMemoryLanes;
      const uint32_t *disabled = operands.disableLanes;
      if (disabled && (disabled[c.cta * 4 + lane / 32] >> (lane % 32)) & 1)
        continue;
      cell(row, column) = tile[size_t(row) * d.n + column];
    }
}

bool Execution::run() {
  if (!checkAddresses())
    return false;
  if (!(mma.aInTensorMemory ? gatherTensorA() : gatherShared(true)))
    return false;
  if (!gatherShared(false) || (mma.sparse && !gatherMetadata()))
    return false;
  if (operands.zeroColumns)
    maskColumns();
  if (isBlockScaled(mma.kind) && (!gatherScales(true) || !gatherScales(false)))
    return false;
  loadAccumulators();
  TileProblem p;
  p.m = d.m;
  p.n = d.n;
  p.k = tcgenKept(mma, d);
  p.aType = d.aType;
  p.bType = d.bType;
  p.accumulator = d.dType;
  p.model = mma.model;
  p.saturate = d.saturate;
  p.negateA = d.negateA;
  p.negateB = d.negateB;
  p.scale = d.scale;
  p.scaleBlock = mma.scaleBlock;
  p.rule = sumRule(MMAArch::Blackwell, MMAUnit::Tcgen05, d.aType, d.dType,
                   d.scale, p.k);
  p.a = codesA.data();
  p.b = codesB.data();
  p.scaleA = isBlockScaled(mma.kind) ? scalesA.data() : nullptr;
  p.scaleB = isBlockScaled(mma.kind) ? scalesB.data() : nullptr;
  p.d = tile.data();
  if (mma.sparse)
    multiplySparse(p, kept, d.k);
  else
    multiplyTile(p);
  storeAccumulators();
  return true;
}

static bool checkForm(const TcgenMma &mma, const TcgenDescriptor &d,
                      const TcgenOperands &operands, std::string &error) {
  if (mma.shiftA && d.m != 128u * mma.ctaGroup) {
    error = "tcgen05.mma with .ashift needs M = " +
            std::to_string(128 * mma.ctaGroup) + ", found " +
            std::to_string(d.m);
    return false;
  }
  unsigned shift = operands.zeroColumns >> 56 & 63;
  // The descriptor's code for the largest shift: none, 8, 16, 32 columns.
  unsigned most =
      std::min(d.maxShift ? 4u << d.maxShift : 0u, d.m == 32 ? 16u : 32u);
  if (shift > most || (operands.zeroColumns >> 36 & 7) ||
      operands.zeroColumns >> 62) {
    error = "tcgen05.mma.ws: the zero-column mask has a shift of " +
            std::to_string(shift) + ", the most is " + std::to_string(most) +
            ", and its bits 36 to 38, 62 and 63 are 0";
    return false;
  }
  bool scalesInput = mma.kind == TcgenKind::F16 || mma.kind == TcgenKind::TF32;
  if (operands.scaleInputD > 15 || (operands.scaleInputD && !scalesInput)) {
    error = "scale-input-d is 0 to 15, for kind::f16 and kind::tf32 only";
    return false;
  }
  return true;
}

bool tcgenMma(const TcgenMma &mma, const TcgenDescriptor &descriptor,
              const TcgenOperands &operands, const TcgenCTA *ctas,
              std::string &error) {
  if (!checkForm(mma, descriptor, operands, error))
    return false;
  return Execution(mma, descriptor, operands, ctas, error).run();
}

} // namespace fp8::emulator
