//===- MmaSync.cpp - mma.sync fragments and execution ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments of all types follow one formula in the number of elements per
// 32-bit register; this file gathers them, runs the tile and scatters the
// result.
//
//===----------------------------------------------------------------------===//

#include "Sparse.h"

#include "fp8/Emulator/Float.h"

#include <cstring>

namespace fp8::emulator {

/// Bits that an element takes in a register.
static unsigned containerBits(const MmaSync &mma, MMAType type) {
  switch (type) {
  case MMAType::B1:
    return 1;
  case MMAType::S4:
  case MMAType::U4:
    return 4;
  case MMAType::E2M1:
    return mma.byteContainers ? 8 : 4;
  case MMAType::E2M3:
  case MMAType::E3M2:
    return 8;
  default:
    return 8 * codeBytes(type);
  }
}

/// Elements per 32-bit register; f64 has one per register pair.
static unsigned perRegister(const MmaSync &mma, MMAType type) {
  unsigned bits = containerBits(mma, type);
  return bits > 32 ? 1 : 32 / bits;
}

static unsigned wordsPerElement(MMAType type) {
  return type == MMAType::F64 ? 2 : 1;
}

/// Columns that a row of A keeps.
static unsigned keptK(const MmaSync &mma) {
  return mma.sparse ? mma.k / 2 : mma.k;
}

unsigned registersA(const MmaSync &mma) {
  return mma.m * keptK(mma) / 32 / perRegister(mma, mma.aType) *
         wordsPerElement(mma.aType);
}

unsigned registersB(const MmaSync &mma) {
  return mma.n * mma.k / 32 / perRegister(mma, mma.bType) *
         wordsPerElement(mma.bType);
}

static unsigned accumulatorRegisters(const MmaSync &mma, MMAAccumulator type) {
  unsigned elements = mma.m * mma.n / 32;
  return type == MMAAccumulator::F16   ? elements / 2
         : type == MMAAccumulator::F64 ? elements * 2
                                       : elements;
}

unsigned registersC(const MmaSync &mma) {
  return accumulatorRegisters(mma, mma.cType);
}

unsigned registersD(const MmaSync &mma) {
  return accumulatorRegisters(mma, mma.dType);
}

MatrixIndex fragmentA(const MmaSync &mma, unsigned lane, unsigned i) {
  unsigned e = perRegister(mma, mma.aType), r = i / e;
  unsigned group = lane / 4, thread = lane % 4;
  if (mma.m == 8) // one row per group
    return {group, thread * e + i % e + 4 * e * r};
  return {group + 8 * (r & 1), thread * e + i % e + 4 * e * (r >> 1)};
}

MatrixIndex fragmentB(const MmaSync &mma, unsigned lane, unsigned i) {
  unsigned e = perRegister(mma, mma.bType);
  return {(lane % 4) * e + i % e + 4 * e * (i / e), lane / 4};
}

MatrixIndex fragmentC(const MmaSync &mma, unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2), (lane % 4) * 2 + i % 2};
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isFP8OrLess(MMAType t) { return t <= MMAType::E2M1; }

/// The k values that PTX lists for m16n8 (and m8n8 where `m8`) of a type.
static bool isLegalK(const MmaSync &mma, bool m8) {
  unsigned k = mma.k;
  if (m8) {
    switch (mma.aType) {
    case MMAType::S8:
    case MMAType::U8:
      return k == 16;
    case MMAType::S4:
    case MMAType::U4:
      return k == 32;
    case MMAType::B1:
      return k == 128;
    case MMAType::F64:
      return k == 4;
    default:
      return false;
    }
  }
  switch (mma.aType) {
  case MMAType::F16:
  case MMAType::BF16:
    return k == 8 || k == 16;
  case MMAType::TF32:
    return k == 4 || k == 8;
  case MMAType::S8:
  case MMAType::U8:
    return k == 16 || k == 32;
  case MMAType::S4:
  case MMAType::U4:
    return k == 32 || k == 64;
  case MMAType::B1:
    return k == 128 || k == 256;
  case MMAType::F64:
    return k == 4 || k == 8 || k == 16;
  case MMAType::E4M3:
  case MMAType::E5M2:
    return k == 32 || (k == 16 && mma.scale == MMAScale::None);
  case MMAType::E2M1:
    return k == (mma.byteContainers ? 32u : 64u);
  default:
    return k == 32;
  }
}

static unsigned chunkOf(const MmaSync &mma) {
  bool bytes = containerBits(mma, mma.aType) >= 8;
  return sparseChunk(mma.aType,
                     bytes ? ElementPacking::Bytes : ElementPacking::Dense);
}

/// Whether it is the one with the larger K of two sparse forms.
static bool isWide(const MmaSync &mma) {
  return mma.k / chunkOf(mma) == (codeBytes(mma.aType) > 1 ? 8u : 16u);
}

/// Twice the K of dense forms.
static bool isLegalSparse(const MmaSync &mma) {
  if (mma.aType == MMAType::B1 || mma.aType == MMAType::F64 || mma.m != 16)
    return false;
  MmaSync dense = mma;
  dense.k /= 2;
  bool narrowFP8 = isFP8OrLess(mma.aType) && dense.k < 32;
  return mma.k % 4 == 0 && !narrowFP8 && isLegalK(dense, false);
}

static bool checkSelector(const MmaSync &mma, std::string &error) {
  bool bytes = codeBytes(mma.aType) == 1;
  unsigned choices = isWide(mma) ? (bytes ? 1 : 2) : (bytes ? 2 : 4);
  if (!mma.sparse || mma.selector < choices)
    return true;
  error = "expected a sparsity selector below " + std::to_string(choices) +
          " for this shape, found " + std::to_string(mma.selector);
  return false;
}

bool isLegal(const MmaSync &mma, std::string &error) {
  bool m8 = mma.m == 8;
  bool shape = (mma.m == 16 || m8) && mma.n == 8 &&
               (mma.sparse ? isLegalSparse(mma) : isLegalK(mma, m8));
  bool sameFamily =
      mma.aType == mma.bType ||
      (isFP8OrLess(mma.aType) && isFP8OrLess(mma.bType)) ||
      (isInteger(mma.aType) && isInteger(mma.bType) &&
       containerBits(mma, mma.aType) == containerBits(mma, mma.bType));
  MMAAccumulator d = mma.dType;
  bool accumulator = isInteger(mma.aType)        ? d == MMAAccumulator::S32
                     : mma.aType == MMAType::F64 ? d == MMAAccumulator::F64
                     : mma.aType == MMAType::BF16 ||
                             mma.aType == MMAType::TF32 ||
                             mma.scale != MMAScale::None
                         ? d == MMAAccumulator::F32
                         : d == MMAAccumulator::F32 || d == MMAAccumulator::F16;
  if (shape && sameFamily && accumulator)
    return checkSelector(mma, error);
  error = std::string(mma.sparse ? "no mma.sp of shape m"
                                 : "no mma.sync of shape m") +
          std::to_string(mma.m) + "n" + std::to_string(mma.n) + "k" +
          std::to_string(mma.k) + " has these types";
  return false;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// The bits of element i of a lane.
static uint64_t readElement(const MmaSync &mma, MMAType type,
                            const uint32_t *const *registers, unsigned lane,
                            unsigned i) {
  if (type == MMAType::F64)
    return registers[2 * i][lane] | uint64_t(registers[2 * i + 1][lane]) << 32;
  unsigned bits = containerBits(mma, type), e = 32 / bits;
  uint32_t word = registers[i / e][lane];
  if (bits == 32)
    return word;
  uint32_t value = (word >> (i % e * bits)) & ((1u << bits) - 1);
  // A 4-bit float in a byte lies in bits 2 to 5.
  return type == MMAType::E2M1 && bits == 8 ? (value >> 2) & 15 : value;
}

/// Codes of A (m x k) or B (n x k).
static std::vector<uint8_t> gatherFragments(const MmaSync &mma, bool isA,
                                            const uint32_t *const *registers) {
  MMAType type = isA ? mma.aType : mma.bType;
  unsigned bytes = codeBytes(type), rows = isA ? mma.m : mma.n;
  unsigned columns = isA ? keptK(mma) : mma.k, perLane = rows * columns / 32;
  std::vector<uint8_t> codes(size_t(rows) * columns * bytes);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < perLane; ++i) {
      MatrixIndex at = isA ? fragmentA(mma, lane, i) : fragmentB(mma, lane, i);
      unsigned row = isA ? at.row : at.column, k = isA ? at.column : at.row;
      uint64_t code = readElement(mma, type, registers, lane, i);
      std::memcpy(&codes[(size_t(row) * columns + k) * bytes], &code, bytes);
    }
  return codes;
}

/// Scale codes, rows x scaleVectors. A: the quad's thread pair that threadIdA
/// names holds rows g and g + 8; B: the thread that threadIdB names holds
/// column g. byteId is the first byte.
static std::vector<uint8_t> gatherScales(const MmaSync &mma,
                                         const MmaScales &scales, bool isA) {
  unsigned rows = isA ? mma.m : mma.n, count = mma.scaleVectors;
  std::vector<uint8_t> codes(rows * count);
  for (unsigned row = 0; row < rows; ++row) {
    unsigned lane = isA ? (row % 8) * 4 + scales.threadIdA * 2 + row / 8
                        : row * 4 + scales.threadIdB;
    unsigned first = isA ? scales.byteIdA : scales.byteIdB;
    const auto &words = isA ? scales.a : scales.b;
    uint32_t word = words[lane];
    for (unsigned i = 0; i < count; ++i)
      codes[row * count + i] = word >> (8 * (first + i));
  }
  return codes;
}

static bool checkScales(const MmaSync &mma, const MmaScales *s,
                        std::string &error) {
  if (mma.scale == MMAScale::None)
    return true;
  bool ok = s && s->threadIdA < 2 && s->threadIdB < 4 &&
            s->byteIdA + mma.scaleVectors <= 4 &&
            s->byteIdB + mma.scaleVectors <= 4 &&
            s->byteIdA % mma.scaleVectors == 0 &&
            s->byteIdB % mma.scaleVectors == 0;
  if (!ok)
    error = "byte-id or thread-id of a scale operand is out of range for "
            ".scale_vec::" +
            std::to_string(mma.scaleVectors) + "X";
  return ok;
}

/// C into the tile's accumulators, in the type of D.
static void loadAccumulators(const MmaSync &mma, const uint32_t *const *c,
                             uint32_t *d, uint64_t *d64) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0, n = mma.m * mma.n / 32; i < n; ++i) {
      MatrixIndex at = fragmentC(mma, lane, i);
      size_t index = at.row * mma.n + at.column;
      if (mma.cType == MMAAccumulator::F64) {
        d64[index] = c[2 * i][lane] | uint64_t(c[2 * i + 1][lane]) << 32;
        continue;
      }
      uint32_t value = mma.cType == MMAAccumulator::F16
                           ? (c[i / 2][lane] >> (16 * (i % 2))) & 0xffff
                           : c[i][lane];
      bool widen =
          mma.cType == MMAAccumulator::F16 && mma.dType == MMAAccumulator::F32;
      bool narrow =
          mma.cType == MMAAccumulator::F32 && mma.dType == MMAAccumulator::F16;
      if (widen)
        value = pack(unpack(value, F16Format), F32Format, PackOptions());
      if (narrow)
        value = pack(unpack(value, F32Format), F16Format, PackOptions());
      d[index] = value;
    }
}

static void storeAccumulators(const MmaSync &mma, uint32_t *const *registers,
                              const uint32_t *d, const uint64_t *d64) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0, n = mma.m * mma.n / 32; i < n; ++i) {
      MatrixIndex at = fragmentC(mma, lane, i);
      size_t index = at.row * mma.n + at.column;
      if (mma.dType == MMAAccumulator::F64) {
        registers[2 * i][lane] = static_cast<uint32_t>(d64[index]);
        registers[2 * i + 1][lane] = static_cast<uint32_t>(d64[index] >> 32);
      } else if (mma.dType == MMAAccumulator::F16) {
        uint32_t &word = registers[i / 2][lane];
        word = i % 2 ? (word & 0xffff) | d[index] << 16 : d[index] & 0xffff;
      } else {
        registers[i][lane] = d[index];
      }
    }
}

WarpMetadata warpMetadata(const MmaSync &mma) {
  return {chunkOf(mma),         mma.orderedMetadata, mma.k,
          codeBytes(mma.aType), isWide(mma),         mma.selector};
}

static bool keptColumns(const MmaSync &mma, const uint32_t *metadata,
                        std::vector<uint16_t> &columns, std::string &error) {
  WarpMetadata form = warpMetadata(mma);
  return expandMetadata(
      form.chunk, form.ordered, mma.m, mma.k,
      [&](unsigned row, unsigned n) {
        return warpNibble(form, metadata, row, n);
      },
      columns, error);
}

bool mmaSync(const MmaSync &mma, uint32_t *const *d, const uint32_t *const *a,
             const uint32_t *const *b, const uint32_t *const *c,
             const MmaScales *scales, std::string &error,
             const uint32_t *metadata) {
  if (!isLegal(mma, error) || !checkScales(mma, scales, error))
    return false;
  std::vector<uint16_t> kept;
  if (mma.sparse && !keptColumns(mma, metadata, kept, error))
    return false;
  std::vector<uint8_t> codesA = gatherFragments(mma, true, a);
  std::vector<uint8_t> codesB = gatherFragments(mma, false, b);
  std::vector<uint8_t> scalesA, scalesB;
  std::vector<uint32_t> tile(mma.m * mma.n);
  std::vector<uint64_t> tile64(mma.m * mma.n);
  loadAccumulators(mma, c, tile.data(), tile64.data());
  TileProblem p;
  p.m = mma.m;
  p.n = mma.n;
  p.k = keptK(mma);
  p.aType = mma.aType;
  p.bType = mma.bType;
  p.accumulator = mma.dType;
  p.model = mma.model;
  p.saturate = mma.saturate;
  p.bitOp = mma.bitOp;
  p.scale = mma.scale;
  p.rule =
      sumRule(mma.arch, MMAUnit::MmaSync, mma.aType, mma.dType, mma.scale, p.k);
  p.a = codesA.data();
  p.b = codesB.data();
  if (mma.scale != MMAScale::None) {
    scalesA = gatherScales(mma, *scales, true);
    scalesB = gatherScales(mma, *scales, false);
    p.scaleBlock = p.k / mma.scaleVectors;
    p.scaleA = scalesA.data();
    p.scaleB = scalesB.data();
  }
  p.d = tile.data();
  p.d64 = tile64.data();
  if (mma.sparse)
    multiplySparse(p, kept, mma.k);
  else
    multiplyTile(p);
  storeAccumulators(mma, d, tile.data(), tile64.data());
  return true;
}

} // namespace fp8::emulator
