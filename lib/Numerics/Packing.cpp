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
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t p = 0; p < block.depth; ++p)
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
