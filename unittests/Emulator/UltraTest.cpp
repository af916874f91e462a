//===- UltraTest.cpp - tcgen05.mma with K = 96 ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of 48 bytes that begin anywhere in the span of a swizzle, and scales
// that begin in one word and end in the next.
//
//===----------------------------------------------------------------------===//

#include "Random.h"

#include "fp8/Emulator/TensorCore.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

constexpr unsigned K = 96;

struct UltraCase {
  TcgenKind kind;
  unsigned group, n, block;
  /// Byte of the first scales.
  unsigned idA, idB;
  Swizzle swizzle;
  /// Where the rows begin in their span.
  uint32_t offset;
  bool aInTensorMemory = false;
};

/// Of -2 .. 2.
uint32_t codeOf(int value) {
  static const uint32_t codes[] = {0, 2, 4};
  return codes[std::abs(value)] | (value < 0 ? 8 : 0);
}

class UltraTest : public ::testing::TestWithParam<UltraCase> {
protected:
  UltraTest() : random(GetParam().offset + GetParam().block) {
    for (unsigned block = 0; block < c.group; ++block) {
      shared[block].resize(Second + 96 * 1024);
      ctas[block] = {{shared[block].data(), uint32_t(shared[block].size())},
                     &tensor[block]};
    }
  }

  static constexpr uint32_t BaseA = 0x400, BaseB = 0x8400, Second = 0x10000;
  static constexpr uint32_t ColumnA = 500;

  /// Draws a row and writes it where the descriptor of `base` says: the spans
  /// behind lie `Second` bytes further.
  void addRow(int *row, unsigned block, uint32_t base, unsigned r) {
    unsigned span = swizzleSpan(c.swizzle);
    for (unsigned k = 0; k < K; ++k) {
      row[k] = int(random.below(5)) - 2;
      unsigned byte = c.offset + k / 2;
      uint32_t at = base + byte % span;
      // Units of 8 rows, of which each 16 bytes of k have their own.
      at += c.swizzle == Swizzle::None
                ? byte / 16 * 128 + r % 8 * 16 + r / 8 * 384
                : r * span + byte / span * Second;
      shared[block][applySwizzle(at, c.swizzle)] |= codeOf(row[k])
                                                    << (4 * (k % 2));
    }
  }

  /// The same in the lane of a row of A: 12 columns from ColumnA on.
  void addTensorRow(int *row, unsigned r) {
    for (unsigned k = 0; k < K; ++k) {
      row[k] = int(random.below(5)) - 2;
      tensor[r / 128].at(r % 128, ColumnA + k / 8) |= codeOf(row[k])
                                                      << (4 * (k % 8));
    }
  }

  uint64_t descriptor(uint32_t base) const {
    unsigned span = swizzleSpan(c.swizzle);
    uint64_t out = uint64_t(1) << 46 | uint64_t(base + c.offset) >> 4;
    if (c.swizzle == Swizzle::None)
      return out | uint64_t(128 >> 4) << 16 | uint64_t(384 >> 4) << 32;
    static const uint64_t layouts[] = {0, 6, 4, 2};
    return out | uint64_t(base + Second) >> 4 << 16 |
           uint64_t(8 * span >> 4) << 32 | uint64_t(1) << 52 |
           layouts[int(c.swizzle)] << 61;
  }

  /// Scales of a row in all four quarters of the lanes: 2^power for each block
  /// of k. A word of all rows takes `stride` columns.
  void addScales(int *powers, TensorMemory &memory, uint32_t at, unsigned id,
                 unsigned stride, unsigned row) {
    for (unsigned i = 0; i < K / c.block; ++i)
      powers[i] = int(random.below(4)) - 1;
    putScales(powers, memory, at, id, stride, row);
  }

  void putScales(const int *powers, TensorMemory &memory, uint32_t at,
                 unsigned id, unsigned stride, unsigned row) {
    for (unsigned i = 0; i < K / c.block; ++i) {
      uint32_t code =
          c.kind == TcgenKind::MXF4 ? 127 + powers[i] : (7 + powers[i]) << 3;
      for (unsigned quarter = 0; quarter < 4; ++quarter)
        memory.at(row % 32 + 32 * quarter,
                  at + row / 32 + (id + i) / 4 * stride) |=
            code << (8 * ((id + i) % 4));
    }
  }

  const UltraCase &c = GetParam();
  Random random;
  int a[256][K] = {}, b[256][K] = {}, powersA[256][6] = {},
      powersB[256][6] = {};
  std::vector<uint8_t> shared[2];
  TensorMemory tensor[2];
  TcgenCTA ctas[2];
};

TEST_P(UltraTest, AgreesWithItsDefinition) {
  TcgenMma mma;
  mma.kind = c.kind;
  mma.ctaGroup = c.group;
  mma.scaleBlock = c.block;
  mma.hasK96 = true;
  mma.aInTensorMemory = c.aInTensorMemory;
  unsigned m = 128 * c.group;
  uint32_t bits = 1u << 31 | c.idA << 29 | (m >> 7) << 27 |
                  uint32_t(c.kind == TcgenKind::MXF4) << 23 | (c.n >> 3) << 17 |
                  1u << 10 | 1u << 7 | c.idB << 4;
  TcgenDescriptor d;
  std::string error;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
  ASSERT_EQ(d.k, K);
  for (unsigned r = 0; r < m; ++r) {
    if (c.aInTensorMemory)
      addTensorRow(a[r], r);
    else
      addRow(a[r], r / 128, BaseA, r % 128);
    addScales(powersA[r], tensor[r / 128], 300, c.idA, 4, r % 128);
  }
  for (unsigned j = 0; j < c.n; ++j) {
    unsigned rows = c.n / c.group;
    addRow(b[j], j / rows, BaseB, j % rows);
    // Each block has all of them.
    unsigned stride = (c.n + 127) / 128 * 4;
    addScales(powersB[j], tensor[0], 320, c.idB, stride, j);
    if (c.group == 2)
      putScales(powersB[j], tensor[1], 320, c.idB, stride, j);
  }
  TcgenOperands operands;
  operands.descriptorA = descriptor(BaseA);
  operands.addressA = ColumnA;
  operands.descriptorB = descriptor(BaseB);
  operands.scaleA = 300;
  operands.scaleB = 320;
  // Bits 30 and 31 repeat the byte.
  operands.scaleA |= c.idA << 30;
  ASSERT_TRUE(tcgenMma(mma, d, operands, ctas, error)) << error;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned j = 0; j < c.n; ++j) {
      float want = 0;
      for (unsigned k = 0; k < K; ++k)
        want += std::ldexp(float(a[r][k] * b[j][k]),
                           powersA[r][k / c.block] + powersB[j][k / c.block]);
      ASSERT_EQ(tensor[r / 128].at(r % 128, j), asBits(want)) << r << " " << j;
    }
  if (c.group == 1)
    return;
  for (unsigned lane = 0; lane < TensorMemoryLanes; ++lane)
    tensor[1].at(lane, 320 + c.idB / 4) ^= 0x01010101;
  EXPECT_FALSE(tcgenMma(mma, d, operands, ctas, error));
}

INSTANTIATE_TEST_SUITE_P(
    Ultra, UltraTest,
    ::testing::Values(
        UltraCase{TcgenKind::MXF4, 1, 64, 32, 0, 1, Swizzle::B128, 0},
        UltraCase{TcgenKind::MXF4, 1, 256, 32, 2, 3, Swizzle::B128, 96},
        UltraCase{TcgenKind::MXF4, 2, 128, 32, 3, 2, Swizzle::B64, 48},
        UltraCase{TcgenKind::MXF4NVF4, 1, 64, 16, 0, 2, Swizzle::None, 0},
        UltraCase{TcgenKind::MXF4NVF4, 1, 192, 16, 2, 0, Swizzle::B128, 112},
        UltraCase{TcgenKind::MXF4NVF4, 2, 256, 16, 2, 2, Swizzle::B32, 16},
        UltraCase{TcgenKind::MXF4, 1, 136, 32, 1, 3, Swizzle::B128, 64, true},
        UltraCase{TcgenKind::MXF4NVF4, 2, 64, 16, 0, 2, Swizzle::B64, 32,
                  true}));

TEST(Ultra, OnlyWhereTheTargetHasIt) {
  TcgenMma mma;
  mma.kind = TcgenKind::MXF4;
  TcgenDescriptor d;
  std::string error;
  uint32_t bits =
      1u << 31 | 1u << 27 | 1u << 23 | 8u << 17 | 1u << 10 | 1u << 7;
  EXPECT_FALSE(decodeTcgenDescriptor(mma, bits, d, error));
  EXPECT_NE(error.find("sm_103a"), std::string::npos);
  mma.hasK96 = true;
  EXPECT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
  mma.aInTensorMemory = true;
  EXPECT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
  EXPECT_EQ(operandAColumns(mma, d), 12u);
  mma.sparse = true;
  EXPECT_FALSE(decodeTcgenDescriptor(mma, bits | 4, d, error));
}

} // namespace
