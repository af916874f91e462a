//===- Packing.cpp - Operand panels of a blocked contraction --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoding is exact for every kind, so packing never changes a result.
//
//===----------------------------------------------------------------------===//

#include "Packing.h"

#include "MicroKernel.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

using namespace fp8::numerics;

namespace {

struct DecodeFP8 {
  const float *table;
  float operator()(const char *data, int64_t element) const {
    return table[static_cast<uint8_t>(data[element])];
  }
};

struct DecodeBF16 {
  float operator()(const char *data, int64_t element) const {
    uint16_t bits;
    std::memcpy(&bits, data + element * 2, sizeof(bits));
    return fromBF16(bits);
  }
};

struct DecodeF32 {
  float operator()(const char *data, int64_t element) const {
    float value;
    std::memcpy(&value, data + element * 4, sizeof(value));
    return value;
  }
};

typedef uint16_t Shorts __attribute__((vector_size(16)));

Shorts interleaveLow(Shorts a, Shorts b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

Shorts interleaveHigh(Shorts a, Shorts b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Transposes 8 x 8 elements: three rounds, each of which interleaves a row
/// with the one four further on.
void transpose(Shorts (&rows)[8]) {
  for (int round = 0; round < 3; ++round) {
    Shorts next[8];
    for (int i = 0; i < 4; ++i) {
      next[2 * i] = interleaveLow(rows[i], rows[i + 4]);
      next[2 * i + 1] = interleaveHigh(rows[i], rows[i + 4]);
    }
    std::copy(std::begin(next), std::end(next), std::begin(rows));
  }
}

/// The first `count` of four BF16 values that are the upper halves of words.
void storeWords(float *out, Shorts words, int64_t count) {
  if (count >= 4)
    std::memcpy(out, &words, sizeof(words));
  else if (count > 0)
    std::memcpy(out, &words, count * sizeof(float));
}

/// Packs the lanes from `first` of BF16 values whose depth is contiguous, eight
/// steps at a time; returns the steps that are done.
int64_t packTransposed(const OperandBlock &block, int64_t first, int64_t lanes,
                       int width, float *packed) {
  int64_t depth = block.depth / 8 * 8;
  for (int64_t lane = 0; lane < lanes; lane += 8) {
    int64_t count = std::min<int64_t>(8, lanes - lane);
    const char *source = block.data + 2 * (first + lane) * block.laneStride;
    for (int64_t p = 0; p < depth; p += 8) {
      Shorts rows[8] = {};
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(&rows[i], source + 2 * (i * block.laneStride + p),
                    sizeof(rows[i]));
      transpose(rows);
      for (int i = 0; i < 8; ++i) {
        float *out = packed + (p + i) * width + lane;
        storeWords(out, interleaveLow(Shorts{}, rows[i]), count);
        storeWords(out + 4, interleaveHigh(Shorts{}, rows[i]), count - 4);
      }
    }
  }
  return depth;
}

template <typename Decode>
void packWith(const OperandBlock &block, int width, int64_t paddedDepth,
              float *packed, Decode decode) {
  for (int64_t first = 0; first < block.lanes;
       first += width, packed += width * paddedDepth) {
    int64_t lanes = std::min<int64_t>(width, block.lanes - first);
    if (lanes < width || block.depth < paddedDepth)
      std::fill(packed, packed + width * paddedDepth, 0.0f);
    int64_t origin = first * block.laneStride;
    if (block.laneStride == 1) {
      for (int64_t p = 0; p < block.depth; ++p)
        for (int64_t lane = 0; lane < lanes; ++lane)
          packed[p * width + lane] =
              decode(block.data, origin + p * block.depthStride + lane);
      continue;
    }
    int64_t done = 0;
    if constexpr (std::is_same_v<Decode, DecodeBF16>)
      if (block.depthStride == 1)
        done = packTransposed(block, first, lanes, width, packed);
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t p = done; p < block.depth; ++p)
        packed[p * width + lane] =
            decode(block.data,
                   origin + lane * block.laneStride + p * block.depthStride);
  }
}

int exponentOf(float value, int minimum) {
  int field = static_cast<int>((toBits(value) >> 23) & 0xFFu);
  if (field == 0xFF)
    return kNonFiniteExponent;
  if (value == 0.0f)
    return kZeroExponent;
  return std::max(field - 127, minimum);
}

} // namespace

void fp8::numerics::packValues(const OperandBlock &block, int width,
                               int64_t paddedDepth, float *packed) {
  switch (block.kind) {
  case ElementKind::E4M3FN:
    return packWith(block, width, paddedDepth, packed,
                    DecodeFP8{decodeTable(Format::E4M3FN)});
  case ElementKind::E5M2:
    return packWith(block, width, paddedDepth, packed,
                    DecodeFP8{decodeTable(Format::E5M2)});
  case ElementKind::BF16:
    return packWith(block, width, paddedDepth, packed, DecodeBF16{});
  case ElementKind::F32:
    return packWith(block, width, paddedDepth, packed, DecodeF32{});
  }
}

void fp8::numerics::packExponents(const float *packed, int64_t count,
                                  int minimum, int16_t *exponents) {
  for (int64_t i = 0; i < count; ++i)
    exponents[i] = static_cast<int16_t>(exponentOf(packed[i], minimum));
}

void fp8::numerics::packExponentPairs(const float *packed, int64_t count,
                                      int minimum, int32_t *exponents) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t half =
        static_cast<uint32_t>(exponentOf(packed[i], minimum)) & 0xFFFFu;
    exponents[i] = static_cast<int32_t>(half | half << 16);
  }
}
