//===- SparseTest.cpp - tcgen05.mma.sp of pairs of blocks -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A in tensor memory, of one and of two blocks: a dense matrix of small
// integers is drawn, pruned and packed here, and multiplied densely.
//
//===----------------------------------------------------------------------===//

#include "Random.h"

#include "fp8/Emulator/TensorCore.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

constexpr unsigned N = 64;
/// The column of the metadata of 16 and 32-bit types.
constexpr unsigned Selector = 1;

struct SparseCase {
  TcgenKind kind;
  unsigned group;
  /// Bits of an element in memory; columns of k; those that four bits describe.
  unsigned bits, k, chunk;
};

/// The code of -2 .. 2.
uint32_t codeOf(int value, unsigned bits) {
  static const uint32_t fp4[] = {0, 2, 4}, fp8[] = {0, 0x38, 0x40},
                        fp16[] = {0, 0x3c00, 0x4000},
                        fp32[] = {0, 0x3f800000, 0x40000000};
  const uint32_t *codes = bits == 4    ? fp4
                          : bits == 8  ? fp8
                          : bits == 16 ? fp16
                                       : fp32;
  uint32_t code = codes[std::abs(value)];
  return value < 0 ? code | 1u << (bits - 1) : code;
}

class SparseTensorTest : public ::testing::TestWithParam<SparseCase> {
protected:
  SparseTensorTest() : random(GetParam().bits + GetParam().group) {
    for (unsigned block = 0; block < c.group; ++block) {
      shared[block].resize(64 * 1024);
      ctas[block] = {{shared[block].data(), 64 * 1024}, &tensor[block]};
    }
  }

  /// The n-th four bits of a row's metadata. Lanes 8 apart share those of 16
  /// and 32-bit types: the second half of two rows is in the second lane.
  void addNibble(unsigned r, unsigned n, uint32_t nibble) {
    unsigned lane = r % 128, column = 400 + n / 8, shift = 4 * (n % 8);
    if (c.bits > 8) {
      lane = (lane & ~8u) | (n < 4 ? 0 : 8);
      column = 400 + Selector;
      shift = (r & 8 ? 16 : 0) + 4 * (n % 4);
    }
    tensor[r / 128].at(lane, column) |= nibble << shift;
  }

  /// Prunes row `r` of the dense A; puts what is kept, and where, into tensor
  /// memory.
  void addRow(unsigned r) {
    unsigned unit = std::max(c.chunk / 4, 1u), at = 0;
    for (unsigned n = 0; n < c.k / c.chunk; ++n) {
      unsigned low = random.below(3), high = low + 1 + random.below(3 - low);
      std::vector<unsigned> places = {low, high};
      if (c.chunk == 2)
        places = {low % 2};
      addNibble(r, n, c.chunk == 2 ? (low % 2 ? 14 : 4) : low | high << 2);
      for (unsigned place : places)
        for (unsigned j = 0; j < unit; ++j, ++at) {
          int value = int(random.below(5)) - 2;
          a[r][n * c.chunk + place * unit + j] = value;
          unsigned bit = at * c.bits;
          tensor[r / 128].at(r % 128, 440 + bit / 32) |= codeOf(value, c.bits)
                                                         << (bit % 32);
        }
    }
  }

  /// B's rows of 64 bytes with the 64-byte swizzle, half of them in each block.
  void addColumn(unsigned j) {
    unsigned rows = N / c.group;
    for (unsigned i = 0; i < c.k; ++i) {
      b[j][i] = int(random.below(5)) - 2;
      unsigned bit = i * c.bits;
      uint32_t code = codeOf(b[j][i], c.bits) << (bit % 8);
      for (unsigned byte = 0; byte < (c.bits + 7) / 8; ++byte) {
        uint32_t at = 0x400 + j % rows * 64 + bit / 8 + byte;
        shared[j / rows][applySwizzle(at, Swizzle::B64)] |= code >> (8 * byte);
      }
    }
  }

  const SparseCase &c = GetParam();
  Random random;
  int a[256][128] = {}, b[N][128] = {};
  std::vector<uint8_t> shared[2];
  TensorMemory tensor[2];
  TcgenCTA ctas[2];
};

TEST_P(SparseTensorTest, AgreesWithADenseProduct) {
  TcgenMma mma;
  mma.kind = c.kind;
  mma.ctaGroup = c.group;
  mma.sparse = mma.aInTensorMemory = true;
  bool scaled = c.kind >= TcgenKind::MXF8F6F4;
  unsigned m = 128 * c.group;
  uint32_t bits = 1u << 2 | (N >> 3) << 17;
  if (c.bits > 8)
    bits |= Selector;
  if (c.kind == TcgenKind::TF32)
    bits |= 2u << 7 | 2u << 10;
  bits |= scaled ? 1u << 7 | 1u << 10 | 1u << 23 | (m >> 7) << 27
                 : 1u << 4 | (m >> 4) << 24;
  TcgenDescriptor d;
  std::string error;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
  ASSERT_EQ(d.k, c.k);
  for (unsigned r = 0; r < m; ++r)
    addRow(r);
  for (unsigned j = 0; j < N; ++j)
    addColumn(j);
  // Two scales of 2 in each row, of which each covers half of k.
  for (unsigned block = 0; block < c.group; ++block)
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned column = 0; column < 8; ++column)
        tensor[block].at(lane, 420 + column) = 0x8080;
  TcgenOperands operands;
  operands.addressA = 440;
  operands.metadata = 400;
  operands.scaleA = 420;
  operands.scaleB = 424;
  // Address 0x400, groups of 8 rows 512 bytes apart, version, swizzle.
  operands.descriptorB = 0x400 >> 4 | uint64_t(512 >> 4) << 32 |
                         uint64_t(1) << 46 | uint64_t(4) << 61;
  ASSERT_TRUE(tcgenMma(mma, d, operands, ctas, error)) << error;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned j = 0; j < N; ++j) {
      int sum = 0;
      for (unsigned k = 0; k < c.k; ++k)
        sum += a[r][k] * b[j][k];
      float want = sum * (scaled ? 4.0f : 1.0f);
      ASSERT_EQ(tensor[r / 128].at(r % 128, j), asBits(want)) << r << " " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sparse, SparseTensorTest,
    ::testing::Values(SparseCase{TcgenKind::F8F6F4, 1, 8, 64, 4},
                      SparseCase{TcgenKind::F8F6F4, 2, 8, 64, 4},
                      SparseCase{TcgenKind::F16, 1, 16, 32, 4},
                      SparseCase{TcgenKind::F16, 2, 16, 32, 4},
                      SparseCase{TcgenKind::TF32, 1, 32, 16, 2},
                      SparseCase{TcgenKind::TF32, 2, 32, 16, 2},
                      SparseCase{TcgenKind::MXF4, 1, 4, 128, 8},
                      SparseCase{TcgenKind::MXF4, 2, 4, 128, 8}));

TEST(Sparse, ShapesWithoutAKnownPlaceOfMetadata) {
  TcgenDescriptor d;
  std::string error;
  auto refuses = [&](TcgenKind kind, unsigned group, bool stationary,
                     unsigned m, unsigned n) {
    TcgenMma mma;
    mma.kind = kind;
    mma.ctaGroup = group;
    mma.weightStationary = stationary;
    mma.sparse = true;
    uint32_t bits = 1u << 2 | n >> 3 << 17 | m >> 4 << 24;
    bits |= kind == TcgenKind::MXF8F6F4 ? 1u << 23 : 1u << 4;
    error.clear();
    return !decodeTcgenDescriptor(mma, bits, d, error);
  };
  const char *unknown = "the layout of its metadata is not known";
  EXPECT_TRUE(refuses(TcgenKind::F16, 1, false, 64, 64));
  EXPECT_NE(error.find(unknown), std::string::npos) << error;
  EXPECT_TRUE(refuses(TcgenKind::F8F6F4, 2, false, 128, 64));
  EXPECT_NE(error.find("expected M = 256"), std::string::npos) << error;
  EXPECT_FALSE(refuses(TcgenKind::F8F6F4, 2, false, 256, 64)) << error;
  for (unsigned m : {32, 64, 128})
    EXPECT_FALSE(refuses(TcgenKind::F16, 1, true, m, 128)) << error;
  // Of dense products only: N = 256 with .ws, M = 128 of a pair with scales.
  EXPECT_TRUE(refuses(TcgenKind::F16, 1, true, 64, 256));
  EXPECT_TRUE(refuses(TcgenKind::MXF8F6F4, 2, false, 128, 64));
  EXPECT_NE(error.find("do not exist"), std::string::npos) << error;
}

} // namespace
