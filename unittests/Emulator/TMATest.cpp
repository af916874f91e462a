//===- TMATest.cpp - Tensor maps and box walks ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks are checked element by element: every shared byte of the box must come
// from the global byte that the coordinates say, computed here by plain loops.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/TMA.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

TensorMap matrixMap(unsigned columns, unsigned rows, unsigned boxColumns,
                    unsigned boxRows, Swizzle swizzle) {
  TensorMap m;
  m.rank = 2;
  m.address = 0x10000;
  m.dims[0] = columns;
  m.dims[1] = rows;
  m.strides[0] = (columns + 15) / 16 * 16;
  m.box[0] = boxColumns;
  m.box[1] = boxRows;
  m.swizzle = swizzle;
  return m;
}

/// What the pieces deliver: for each shared byte its global address, -1 for
/// filled bytes, -2 for bytes not covered.
std::vector<int64_t> deliver(const std::vector<TMAPiece> &pieces,
                             uint32_t shared, uint32_t bytes) {
  std::vector<int64_t> out(bytes, -2);
  for (const TMAPiece &p : pieces)
    for (unsigned i = 0; i < p.sharedBytes; ++i) {
      uint32_t at = p.shared - shared + i;
      EXPECT_LT(at, bytes);
      EXPECT_EQ(out.at(at), -2) << "covered twice";
      out.at(at) = p.inBounds ? int64_t(p.global + i) : -1;
    }
  return out;
}

TEST(TMA, TilesOfEveryRankAndSwizzle) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    TensorMap m;
    m.rank = 1 + random.below(5);
    m.swizzle = Swizzle(random.below(7));
    static const TensorType types[] = {TensorType::U8, TensorType::BF16,
                                       TensorType::F32, TensorType::F64};
    m.type = types[random.below(4)];
    unsigned size = elementBits(m.type) / 8;
    unsigned span = m.swizzle == Swizzle::None ? 256 : swizzleSpan(m.swizzle);
    m.box[0] = std::min(256u, (1 + random.below(span / 16)) * 16 / size);
    m.address = 0x40000;
    uint64_t pitch = 0;
    for (unsigned i = 0; i < m.rank; ++i) {
      m.dims[i] = 1 + random.below(i ? 9 : 300);
      if (i)
        m.box[i] = 1 + random.below(5);
      m.elementStrides[i] = i ? 1 + random.below(3) : 1;
      pitch = i ? pitch * m.dims[i] : (m.dims[0] * size + 15) / 16 * 16;
      if (i < 4)
        m.strides[i] = pitch;
    }
    int32_t at[5];
    for (unsigned i = 0; i < m.rank; ++i)
      at[i] = int(random.below(unsigned(m.dims[i]) + 6)) - 3;
    std::vector<TMAPiece> pieces;
    std::string error;
    const uint32_t shared = 0x1c00;
    ASSERT_TRUE(walkTile(m, at, shared, pieces, error)) << error;
    std::vector<int64_t> got = deliver(pieces, shared, boxBytes(m) + 1024);
    uint32_t linear = 0;
    // Loops over the box, outermost dimension first.
    std::function<void(unsigned, uint64_t, bool)> visit = [&](unsigned dim,
                                                              uint64_t address,
                                                              bool inside) {
      unsigned step = m.elementStrides[dim];
      for (unsigned i = 0; i < m.box[dim]; i += step) {
        int64_t c = at[dim] + int64_t(i);
        bool in = inside && c >= 0 && c < int64_t(m.dims[dim]);
        uint64_t next =
            address + c * (dim ? int64_t(m.strides[dim - 1]) : int64_t(size));
        if (dim) {
          visit(dim - 1, next, in);
          continue;
        }
        for (unsigned b = 0; b < size; ++b, ++linear) {
          uint32_t where = applySwizzle(shared + linear, m.swizzle) - shared;
          ASSERT_EQ(got[where], in ? int64_t(next + b) : -1)
              << "byte " << linear << " swizzle " << int(m.swizzle);
        }
      }
    };
    visit(m.rank - 1, m.address, true);
    ASSERT_EQ(linear, boxBytes(m));
  }
}

TEST(TMA, GatherTakesFourRows) {
  TensorMap m = matrixMap(100, 50, 64, 1, Swizzle::B64);
  int32_t rows[4] = {7, 49, 50, -1};
  std::vector<TMAPiece> pieces;
  std::string error;
  ASSERT_TRUE(walkGather4(m, 48, rows, 0x400, pieces, error)) << error;
  EXPECT_EQ(gatherBytes(m), 256u);
  std::vector<int64_t> got = deliver(pieces, 0x400, 256);
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      bool in = r < 2 && 48 + c < 100;
      EXPECT_EQ(got[applySwizzle(0x400 + r * 64 + c, Swizzle::B64) - 0x400],
                in ? int64_t(0x10000 + rows[r] * 112 + 48 + c) : -1);
    }
  m.box[1] = 2;
  EXPECT_FALSE(walkGather4(m, 0, rows, 0x400, pieces, error));
}

TEST(TMA, Im2colWalksTheBoundingBox) {
  // NHWC 2 x 5 x 6 x 32 bytes, a 3x3 filter: box from -1 to dim - 2.
  TensorMap m;
  m.mode = TensorMap::Im2col;
  m.rank = 4;
  m.address = 0x20000;
  m.dims = {32, 6, 5, 2, 1};
  m.strides = {32, 192, 960, 0};
  m.lowerCorner = {-1, -1, 0};
  m.upperCorner = {-1, -1, 0};
  m.channelsPerPixel = 16;
  m.pixelsPerColumn = 40;
  std::string error;
  std::vector<TMAPiece> pieces;
  int32_t at[4] = {16, -1, -1, 0};
  for (uint16_t dw = 0; dw < 3; ++dw)
    for (uint16_t dh = 0; dh < 3; ++dh) {
      uint16_t offsets[2] = {dw, dh};
      ASSERT_TRUE(walkIm2col(m, at, offsets, 0, pieces, error)) << error;
      std::vector<int64_t> got = deliver(pieces, 0, boxBytes(m));
      unsigned pixel = 0;
      for (int n = 0; n < 2; ++n)
        for (int h = -1; h <= 3; ++h)
          for (int w = -1; w <= 4; ++w, ++pixel) {
            if (pixel >= 40)
              continue;
            int x = w + dw, y = h + dh;
            bool in = x >= 0 && x < 6 && y >= 0 && y < 5;
            int64_t address = 0x20000 + n * 960 + y * 192 + x * 32 + 16;
            for (unsigned c = 0; c < 16; ++c)
              ASSERT_EQ(got[pixel * 16 + c], in ? address + c : -1)
                  << "pixel " << pixel << " dw " << dw << " dh " << dh;
          }
    }
  EXPECT_FALSE(walkTile(m, at, 0, pieces, error));
}

TEST(TMA, WideIm2colHasItsHaloBehindThePixels) {
  // NHWC 3 x 2 x 5 x 64 bytes, a box from -1 to 3.
  TensorMap m;
  m.mode = TensorMap::Im2colWide;
  m.rank = 4;
  m.address = 0x20000;
  m.dims = {64, 5, 2, 3, 1};
  m.strides = {64, 320, 640, 0};
  m.swizzle = Swizzle::B64;
  m.lowerCorner = {-1, 0, 0};
  m.upperCorner = {-1, 0, 0};
  m.channelsPerPixel = 64;
  m.pixelsPerColumn = 6;
  std::string error;
  std::vector<TMAPiece> pieces;
  int32_t at[4] = {0, 2, 1, 0};
  auto pixelAt = [&](const WideLoad &load, unsigned row) {
    std::vector<int64_t> got = deliver(pieces, 0, wideBytes(m, load));
    return got[applySwizzle(row * 64, m.swizzle)];
  };
  auto address = [](int w, int n) { return 0x20000 + n * 640 + 320 + w * 64; };
  WideLoad load{false, 2, 1};
  ASSERT_TRUE(walkIm2colWide(m, at, load, 0, pieces, error)) << error;
  EXPECT_EQ(wideBytes(m, load), 8u * 64);
  // w = 3 and 4 of image 0, then 0 to 4 of image 1, then 0.
  int pixels[8][2] = {{3, 0}, {4, 0}, {0, 1}, {1, 1},
                      {2, 1}, {3, 1}, {4, 1}, {0, 2}};
  for (unsigned row = 0; row < 8; ++row)
    EXPECT_EQ(pixelAt(load, row), address(pixels[row][0], pixels[row][1]));
  // A row has five places; the walk begins at the fourth.
  m.dims[3] = 32;
  load = {true, 2, 0};
  ASSERT_TRUE(walkIm2colWide(m, at, load, 0, pieces, error)) << error;
  EXPECT_EQ(wideBytes(m, load), (128u + 8) * 64);
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned group = 0; group < 4; ++group) {
      unsigned index = 32 * (group + 1) + i + 3;
      int w = int(index % 5) - 1, n = index / 5;
      EXPECT_EQ(pixelAt(load, 128 + 4 * i + group), w < 0 ? -1 : address(w, n));
    }
  load.halo = 32;
  EXPECT_FALSE(walkIm2colWide(m, at, load, 0, pieces, error));
  load = {false, 512, 0};
  EXPECT_FALSE(walkIm2colWide(m, at, load, 0, pieces, error));
  load = {false, 0, 32};
  EXPECT_FALSE(walkIm2colWide(m, at, load, 0, pieces, error));
  at[1] = 4;
  EXPECT_FALSE(walkIm2colWide(m, at, WideLoad(), 0, pieces, error));
}

TEST(TMA, PaddedFourAndSixBitRows) {
  for (TensorType type : {TensorType::U4Align16, TensorType::U6Align16}) {
    TensorMap m = matrixMap(256, 3, 128, 2, Swizzle::B128);
    m.type = type;
    m.strides[0] = 192;
    int32_t at[2] = {128, 2};
    std::vector<TMAPiece> pieces;
    std::string error;
    ASSERT_TRUE(walkTile(m, at, 0, pieces, error)) << error;
    EXPECT_EQ(boxBytes(m), 256u);
    ASSERT_EQ(pieces.size(), 16u);
    unsigned bytes = type == TensorType::U4Align16 ? 8 : 12;
    EXPECT_EQ(pieces[1].global, 0x10000 + 2 * 192 + 8 * bytes + bytes);
    EXPECT_EQ(pieces[1].globalBytes, bytes);
    EXPECT_EQ(pieces[1].shared, 16u);
    EXPECT_TRUE(pieces[7].inBounds);
    EXPECT_FALSE(pieces[8].inBounds); // row 3
    at[0] = 64;
    EXPECT_FALSE(walkTile(m, at, 0, pieces, error));
  }
}

TEST(TMA, InnermostCoordinatesOfPackedElements) {
  std::vector<TMAPiece> pieces;
  std::string error;
  int32_t at[3] = {0, 0, 0}, rows[4] = {0, 1, 2, 3};
  uint16_t offsets[1] = {0};
  for (TensorType type : {TensorType::U4Align8, TensorType::U4Align16}) {
    int32_t unit = type == TensorType::U4Align8 ? 2 : 128;
    TensorMap tile = matrixMap(256, 4, 128, 1, Swizzle::None);
    tile.type = type;
    tile.strides[0] = 128;
    TensorMap image = tile;
    image.mode = TensorMap::Im2col;
    image.rank = 3;
    image.dims[2] = 2;
    image.strides[1] = 512;
    image.channelsPerPixel = 128;
    image.pixelsPerColumn = 2;
    for (int32_t c : {-unit, 0, unit, -1, 1, unit + 1}) {
      at[0] = c;
      bool good = c % unit == 0;
      EXPECT_EQ(walkTile(tile, at, 0, pieces, error), good) << c << error;
      EXPECT_EQ(walkGather4(tile, c, rows, 0, pieces, error), good) << c;
      EXPECT_EQ(walkIm2col(image, at, offsets, 0, pieces, error), good)
          << c << error;
    }
  }
}

TEST(TMA, StoresPackSixBits) {
  TensorMap m;
  m.type = TensorType::U6Align16;
  uint8_t data[16], packed[12] = {};
  for (unsigned i = 0; i < 16; ++i) {
    data[i] = uint8_t(37 * i + 5); // the upper two bits are padding
    for (unsigned bit = 0; bit < 6; ++bit)
      packed[(6 * i + bit) / 8] |= (data[i] >> bit & 1) << (6 * i + bit) % 8;
  }
  packStored(m, data);
  EXPECT_EQ(std::memcmp(data, packed, 12), 0);
  m.type = TensorType::U4Align16;
  std::memcpy(packed, data, 12);
  packStored(m, data);
  EXPECT_EQ(std::memcmp(data, packed, 12), 0);
}

TEST(TMA, FillAndTransform) {
  TensorMap m = matrixMap(64, 4, 64, 4, Swizzle::None);
  uint8_t bytes[8];
  m.type = TensorType::BF16;
  m.oobFill = OobFill::NaNRequestZeroFma;
  fillOutOfBounds(m, bytes, 8);
  uint16_t half;
  std::memcpy(&half, bytes + 2, 2);
  EXPECT_EQ(half, 0x7fff);
  uint32_t words[2] = {0x80000001, 0x3f801fff};
  m.type = TensorType::TF32FTZ;
  transformLoaded(m, reinterpret_cast<uint8_t *>(words), 8);
  EXPECT_EQ(words[0], 0x80000000u);
  EXPECT_EQ(words[1], 0x3f802000u);
}

TEST(TMA, Reductions) {
  std::string error;
  auto run = [&](ReduceOp op, TensorType type, auto d, auto s) {
    EXPECT_TRUE(reduceElements(op, type, reinterpret_cast<uint8_t *>(&d),
                               reinterpret_cast<const uint8_t *>(&s), sizeof d,
                               error))
        << error;
    return d;
  };
  EXPECT_EQ(run(ReduceOp::Add, TensorType::F32, 1.5f, 2.25f), 3.75f);
  EXPECT_EQ(run(ReduceOp::Min, TensorType::S32, -5, 3), -5);
  EXPECT_EQ(run(ReduceOp::Max, TensorType::U32, 0xfffffffbu, 3u), 0xfffffffbu);
  EXPECT_EQ(run(ReduceOp::Inc, TensorType::U32, 7u, 7u), 0u);
  EXPECT_EQ(run(ReduceOp::Dec, TensorType::U32, 0u, 9u), 9u);
  EXPECT_EQ(
      run(ReduceOp::Add, TensorType::BF16, uint16_t(0x3f80), uint16_t(0x3b80)),
      uint16_t(0x3f80)); // 1 + 2^-8: tie to even
  EXPECT_EQ(
      run(ReduceOp::Max, TensorType::F16, uint16_t(0xbc00), uint16_t(0x3800)),
      uint16_t(0x3800));
  EXPECT_EQ(
      run(ReduceOp::Min, TensorType::F16, uint16_t(0x7e00), uint16_t(0x3800)),
      uint16_t(0x3800));
  EXPECT_EQ(run(ReduceOp::Xor, TensorType::U64, ~0ull, 0xffull), ~0xffull);
  float f = 1;
  EXPECT_FALSE(reduceElements(ReduceOp::Min, TensorType::F32,
                              reinterpret_cast<uint8_t *>(&f),
                              reinterpret_cast<uint8_t *>(&f), 4, error));
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

TEST(TensorMap, RoundTripsAndDetectsChanges) {
  TensorMap m = matrixMap(4096, 100, 128, 64, Swizzle::B128);
  m.l2Promotion = 3;
  m.dims[1] = uint64_t(1) << 32;
  EncodedTensorMap e;
  std::string error;
  ASSERT_TRUE(encodeTensorMap(m, e, error)) << error;
  TensorMap back;
  ASSERT_TRUE(decodeTensorMap(e.bytes, back, error)) << error;
  EXPECT_EQ(back.dims, m.dims);
  EXPECT_EQ(back.strides[0], 4096u);
  EXPECT_EQ(back.box, m.box);
  EXPECT_EQ(back.swizzle, Swizzle::B128);
  EXPECT_EQ(back.address, m.address);
  e.bytes[40] ^= 1;
  EXPECT_FALSE(decodeTensorMap(e.bytes, back, error));
  EXPECT_EQ(error, "the tensor map was altered after it was encoded");
  EncodedTensorMap zero;
  EXPECT_FALSE(decodeTensorMap(zero.bytes, back, error));
}

/// Each rule of the driver, broken alone.
TEST(TensorMap, RefusesWhatTheDriverRefuses) {
  auto refuses = [](std::function<void(TensorMap &)> edit, const char *part) {
    TensorMap m = matrixMap(4096, 100, 128, 64, Swizzle::B128);
    edit(m);
    EncodedTensorMap e;
    std::string error;
    EXPECT_FALSE(encodeTensorMap(m, e, error)) << part;
    EXPECT_EQ(error.find("CUDA_ERROR_INVALID_VALUE: expected "), 0u) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  refuses([](TensorMap &m) { m.rank = 0; }, "rank");
  refuses([](TensorMap &m) { m.rank = 6; }, "rank");
  refuses([](TensorMap &m) { m.address = 8; }, "globalAddress");
  refuses([](TensorMap &m) { m.dims[1] = 0; }, "globalDim[1]");
  refuses([](TensorMap &m) { m.dims[0] = (uint64_t(1) << 32) + 1; },
          "globalDim[0]");
  refuses([](TensorMap &m) { m.strides[0] = 4100; }, "globalStrides[0]");
  refuses([](TensorMap &m) { m.strides[0] = uint64_t(1) << 40; },
          "globalStrides[0]");
  refuses([](TensorMap &m) { m.box[1] = 257; }, "boxDim[1]");
  refuses([](TensorMap &m) { m.box[1] = 0; }, "boxDim[1]");
  refuses([](TensorMap &m) { m.box[0] = 120; }, "multiple of 16 bytes");
  refuses([](TensorMap &m) { m.box[0] = 144; }, "at most 128 bytes");
  refuses([](TensorMap &m) { m.swizzle = Swizzle::B64; }, "at most 64 bytes");
  refuses([](TensorMap &m) { m.elementStrides[1] = 9; }, "elementStrides[1]");
  refuses([](TensorMap &m) { m.interleave = Interleave::B16; }, "rank 3");
  refuses([](TensorMap &m) { m.oobFill = OobFill::NaNRequestZeroFma; },
          "floating-point");
  refuses([](TensorMap &m) { m.l2Promotion = 4; }, "CUtensorMapL2promotion");
  refuses(
      [](TensorMap &m) {
        m.type = TensorType::U4Align16;
        m.box[0] = 64;
      },
      "boxDim[0] 128 for ALIGN16B");
  refuses([](TensorMap &m) { m.mode = TensorMap::Im2col; }, "rank 3 to 5");
}

TEST(TensorMap, ReplaceEditsOneField) {
  TensorMap m = matrixMap(4096, 100, 128, 64, Swizzle::B128);
  EncodedTensorMap e;
  std::string error;
  ASSERT_TRUE(encodeTensorMap(m, e, error));
  using F = TensorMapField;
  EXPECT_TRUE(
      replaceTensorMapField(e.bytes, F::GlobalAddress, 0, 0x30000, error));
  EXPECT_TRUE(replaceTensorMapField(e.bytes, F::GlobalDim, 1, 77, error));
  EXPECT_TRUE(replaceTensorMapField(e.bytes, F::GlobalStride, 0, 8192, error));
  EXPECT_TRUE(replaceTensorMapField(e.bytes, F::ElemType, 0, 10, error));
  EXPECT_TRUE(replaceTensorMapField(e.bytes, F::BoxDim, 0, 64, error));
  EXPECT_TRUE(replaceTensorMapField(e.bytes, F::SwizzleAtomicity, 0, 1, error));
  TensorMap back;
  ASSERT_TRUE(decodeTensorMap(e.bytes, back, error)) << error;
  EXPECT_EQ(back.address, 0x30000u);
  EXPECT_EQ(back.dims[1], 77u);
  EXPECT_EQ(back.strides[0], 8192u);
  EXPECT_EQ(back.type, TensorType::BF16);
  EXPECT_EQ(back.swizzle, Swizzle::B128Atom32);
  EXPECT_FALSE(replaceTensorMapField(e.bytes, F::BoxDim, 0, 257, error));
  EXPECT_FALSE(replaceTensorMapField(e.bytes, F::GlobalAddress, 0, 8, error));
  EXPECT_FALSE(replaceTensorMapField(e.bytes, F::GlobalStride, 4, 16, error));
}

} // namespace
