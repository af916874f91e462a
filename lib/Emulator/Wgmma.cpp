//===- Wgmma.cpp - Hopper's warpgroup matrix instructions -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async for a whole warpgroup at once: operands from descriptors or
// registers, accumulators in registers.
//
//===----------------------------------------------------------------------===//

#include "Sparse.h"

#include <cstring>

namespace fp8::emulator {

unsigned wgmmaKept(const Wgmma &w) {
  return w.aType == MMAType::B1 ? 256 : 32 / codeBytes(w.aType);
}

unsigned wgmmaK(const Wgmma &w) { return wgmmaKept(w) << w.sparse; }

unsigned registersD(const Wgmma &w) {
  return w.dType == MMAAccumulator::F16 ? w.n / 4 : w.n / 2;
}

MatrixIndex wgmmaFragmentD(unsigned warp, unsigned lane, unsigned i) {
  return {16 * warp + lane / 4 + 8 * ((i >> 1) & 1),
          8 * (i >> 2) + 2 * (lane % 4) + (i & 1)};
}

MatrixIndex wgmmaFragmentA(MMAType type, unsigned warp, unsigned lane,
                           unsigned i) {
  unsigned e = type == MMAType::B1 ? 32 : 4 / codeBytes(type), r = i / e;
  return {16 * warp + lane / 4 + 8 * (r & 1),
          (lane % 4) * e + i % e + 4 * e * (r >> 1)};
}

static bool isLegalTypes(const Wgmma &w) {
  bool fp8 = w.aType <= MMAType::E5M2 && w.bType <= MMAType::E5M2;
  bool byteInteger = (w.aType == MMAType::S8 || w.aType == MMAType::U8) &&
                     (w.bType == MMAType::S8 || w.bType == MMAType::U8);
  bool same = w.aType == w.bType;
  switch (w.dType) {
  case MMAAccumulator::F16:
    return fp8 || (same && w.aType == MMAType::F16);
  case MMAAccumulator::F32:
    return fp8 ||
           (same && (w.aType == MMAType::F16 || w.aType == MMAType::BF16 ||
                     w.aType == MMAType::TF32));
  case MMAAccumulator::S32:
    return byteInteger || (same && w.aType == MMAType::B1);
  default:
    return false;
  }
}

bool isLegal(const Wgmma &w, std::string &error) {
  if (!isLegalTypes(w)) {
    error = "no wgmma has these operand and accumulator types";
    return false;
  }
  // Integer and b1 forms have steps of 8 up to 32, then of 16.
  bool integer = isInteger(w.aType);
  bool legalN = w.n >= 8 && w.n <= 256 && w.n % 8 == 0 &&
                (!integer || w.n <= 32 || w.n % 16 == 0);
  if (!legalN) {
    error = "wgmma has no N of " + std::to_string(w.n) + " for these types";
    return false;
  }
  unsigned choices = codeBytes(w.aType) == 1 ? 1 : 2;
  if (w.sparse && (w.aType == MMAType::B1 || w.selector >= choices)) {
    error = w.aType == MMAType::B1
                ? "no sparse wgmma has these operand types"
                : "expected a sparsity selector below " +
                      std::to_string(choices) + " for this type, found " +
                      std::to_string(w.selector);
    return false;
  }
  bool sixteenBit = codeBytes(w.aType) == 2;
  if ((w.transposeA || w.transposeB) && !sixteenBit) {
    error = "wgmma transposes only 16-bit operands";
    return false;
  }
  if (w.transposeA && w.aInRegisters) {
    error = "wgmma cannot transpose an operand in registers";
    return false;
  }
  if ((w.negateA || w.negateB) && integer) {
    error = "integer wgmma cannot negate operands";
    return false;
  }
  return true;
}

static void gatherRegistersA(const Wgmma &w, const uint32_t *const *a,
                             uint8_t *codes) {
  unsigned k = wgmmaKept(w), bytes = codeBytes(w.aType);
  bool bits = w.aType == MMAType::B1;
  unsigned perLane = 64 * k / 128;
  unsigned e = bits ? 32 : 4 / bytes;
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < perLane; ++i) {
        MatrixIndex at = wgmmaFragmentA(w.aType, warp, lane, i);
        uint32_t word = a[warp * 4 + i / e][lane];
        uint32_t code =
            bits ? (word >> (i % 32)) & 1 : word >> (8 * bytes * (i % e));
        std::memcpy(codes + (size_t(at.row) * k + at.column) * bytes, &code,
                    bytes);
      }
}

static void loadAccumulators(const Wgmma &w, uint32_t *const *d,
                             std::vector<uint32_t> &tile) {
  unsigned registers = registersD(w);
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned i = 0; i < w.n / 2; ++i)
      for (unsigned lane = 0; lane < 32; ++lane) {
        MatrixIndex at = wgmmaFragmentD(warp, lane, i);
        uint32_t &cell = tile[at.row * w.n + at.column];
        cell =
            w.dType == MMAAccumulator::F16
                ? (d[warp * registers + i / 2][lane] >> (16 * (i & 1))) & 0xffff
                : d[warp * registers + i][lane];
      }
}

static void storeAccumulators(const Wgmma &w, uint32_t *const *d,
                              const std::vector<uint32_t> &tile) {
  unsigned registers = registersD(w);
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned i = 0; i < w.n / 2; ++i)
      for (unsigned lane = 0; lane < 32; ++lane) {
        MatrixIndex at = wgmmaFragmentD(warp, lane, i);
        uint32_t value = tile[at.row * w.n + at.column];
        if (w.dType != MMAAccumulator::F16) {
          d[warp * registers + i][lane] = value;
          continue;
        }
        uint32_t &word = d[warp * registers + i / 2][lane];
        word = i & 1 ? (word & 0xffff) | value << 16 : value & 0xffff;
      }
}

static bool gatherShared(const Wgmma &w, bool isA, const SharedView &shared,
                         uint64_t bits, uint8_t *codes, std::string &error) {
  MatrixDescriptor descriptor;
  if (!decodeHopperDescriptor(bits, descriptor, error))
    return false;
  OperandShape shape;
  shape.type = isA ? w.aType : w.bType;
  shape.packing =
      shape.type == MMAType::B1 ? ElementPacking::Dense : ElementPacking::Bytes;
  shape.kMajor = !(isA ? w.transposeA : w.transposeB);
  shape.mn = isA ? 64 : w.n;
  shape.k = isA ? wgmmaKept(w) : wgmmaK(w);
  // Where the second half of such rows lies is not documented.
  if (w.sparse && !isA && shape.kMajor && descriptor.swizzle == Swizzle::B32) {
    error = "expected another swizzle than 32 bytes for the 64 bytes of a row "
            "of a sparse product's B";
    return false;
  }
  return gatherOperand(shared, descriptor, shape, codes, error);
}

WarpMetadata warpMetadata(const Wgmma &w) {
  return {sparseChunk(w.aType, ElementPacking::Bytes),
          false,
          wgmmaK(w),
          codeBytes(w.aType),
          true,
          w.selector};
}

/// Each warp has the metadata of its 16 rows, in the layout of mma.sp.
static bool keptColumns(const Wgmma &w, const uint32_t *metadata,
                        std::vector<uint16_t> &columns, std::string &error) {
  WarpMetadata form = warpMetadata(w);
  return expandMetadata(
      form.chunk, form.ordered, 64, form.k,
      [&](unsigned row, unsigned n) {
        return warpNibble(form, metadata + 32 * (row / 16), row % 16, n);
      },
      columns, error);
}

bool wgmma(const Wgmma &w, const SharedView &shared, uint64_t descriptorA,
           const uint32_t *const *a, uint64_t descriptorB, bool scaleD,
           uint32_t *const *d, std::string &error, const uint32_t *metadata) {
  std::vector<uint16_t> kept;
  if (!isLegal(w, error) ||
      (w.sparse && !keptColumns(w, metadata, kept, error)))
    return false;
  unsigned k = wgmmaKept(w), bytes = codeBytes(w.aType);
  std::vector<uint8_t> codesA(64 * k * bytes), codesB(w.n * wgmmaK(w) * bytes);
  if (w.aInRegisters)
    gatherRegistersA(w, a, codesA.data());
  else if (!gatherShared(w, true, shared, descriptorA, codesA.data(), error))
    return false;
  if (!gatherShared(w, false, shared, descriptorB, codesB.data(), error))
    return false;
  std::vector<uint32_t> tile(64 * w.n);
  if (scaleD)
    loadAccumulators(w, d, tile);
  TileProblem p;
  p.m = 64;
  p.n = w.n;
  p.k = k;
  p.aType = w.aType;
  p.bType = w.bType;
  p.accumulator = w.dType;
  p.model = w.model;
  p.saturate = w.saturate;
  p.bitOp = w.bitOp;
  p.negateA = w.negateA;
  p.negateB = w.negateB;
  p.rule = sumRule(MMAArch::Hopper, MMAUnit::Wgmma, w.aType, w.dType,
                   MMAScale::None, k);
  p.a = codesA.data();
  p.b = codesB.data();
  p.d = tile.data();
  if (w.sparse)
    multiplySparse(p, kept, wgmmaK(w));
  else
    multiplyTile(p);
  storeAccumulators(w, d, tile);
  return true;
}

} // namespace fp8::emulator
