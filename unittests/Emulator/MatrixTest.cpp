//===- MatrixTest.cpp - Matrix instructions from end to end ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are written into registers, shared and tensor memory by formulas
// stated here, small integers so that every summation rule is exact, and the
// result is compared with a plain triple loop.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Convert.h"
#include "fp8/Emulator/TensorCore.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

NumberType numberType(MMAType type) {
  switch (type) {
  case MMAType::E4M3:
    return NumberType::E4M3;
  case MMAType::E5M2:
    return NumberType::E5M2;
  case MMAType::E2M3:
    return NumberType::E2M3;
  case MMAType::E3M2:
    return NumberType::E3M2;
  case MMAType::E2M1:
    return NumberType::E2M1;
  case MMAType::F16:
    return NumberType::F16;
  case MMAType::BF16:
    return NumberType::BF16;
  default:
    return NumberType::TF32;
  }
}

uint32_t codeOf(int value, MMAType type) {
  if (isInteger(type))
    return value & 0xff;
  Conversion c;
  c.from = NumberType::F32;
  c.to = numberType(type);
  c.satfinite = true;
  return convertElement(c, asBits(float(value)));
}

/// A matrix of small integers that `type` has exactly.
struct Matrix {
  Matrix(unsigned rows, unsigned columns, MMAType type, Random &random)
      : columns(columns), type(type) {
    bool isUnsigned = type == MMAType::U8;
    for (unsigned i = 0; i < rows * columns; ++i)
      values.push_back(isUnsigned ? int(random.below(5))
                                  : int(random.below(9)) - 4);
    // E2M1 and E2M3 hold -4 .. 4 exactly, so do all others.
  }
  int at(unsigned r, unsigned c) const { return values[r * columns + c]; }
  uint32_t code(unsigned r, unsigned c) const { return codeOf(at(r, c), type); }
  unsigned columns;
  MMAType type;
  std::vector<int> values;
};

float dot(const Matrix &a, const Matrix &b, unsigned i, unsigned j) {
  int sum = 0;
  for (unsigned k = 0; k < a.columns; ++k)
    sum += a.at(i, k) * b.at(j, k);
  return sum;
}

/// Writes a matrix (mn x k) as a tile of shared memory: rows of `span` bytes.
/// Dense K-major: row pitch = span; MN-major: k rows of span bytes, panels of
/// span bytes along mn, `panel` bytes apart.
void writeTile(std::vector<uint8_t> &shared, uint32_t base, const Matrix &m,
               unsigned mn, unsigned k, Swizzle swizzle, bool kMajor,
               uint32_t panel) {
  unsigned bytes = codeBytes(m.type), span = swizzleSpan(swizzle);
  for (unsigned i = 0; i < mn; ++i)
    for (unsigned j = 0; j < k; ++j) {
      unsigned along = (kMajor ? j : i) * bytes, across = kMajor ? i : j;
      uint32_t linear;
      if (swizzle == Swizzle::None && kMajor) // core matrices, K halves apart
        linear = along / 16 * panel + across * 16 + along % 16;
      else
        linear = along / span * panel + across * span + along % span;
      uint32_t at = applySwizzle(base + linear, swizzle);
      uint32_t code = m.code(i, j);
      std::memcpy(&shared[at], &code, bytes);
    }
}

uint64_t hopperDescriptor(uint32_t base, Swizzle swizzle, uint32_t lbo,
                          uint32_t sbo) {
  static const uint64_t mode[] = {0, 3, 2, 1};
  return uint64_t(base >> 4) | uint64_t(lbo >> 4) << 16 |
         uint64_t(sbo >> 4) << 32 | mode[int(swizzle)] << 62;
}

uint64_t blackwellDescriptor(uint32_t base, Swizzle swizzle, uint32_t lbo,
                             uint32_t sbo) {
  static const uint64_t mode[] = {0, 6, 4, 2};
  return uint64_t(base >> 4) | uint64_t(lbo >> 4) << 16 |
         uint64_t(sbo >> 4) << 32 | uint64_t(1) << 46 |
         mode[int(swizzle)] << 61;
}

/// Distance between panels: room for 256 rows of a K half, or for 32 k rows.
uint32_t panelStride(Swizzle swizzle, bool kMajor) {
  return kMajor ? 0x2000 : 32 * swizzleSpan(swizzle);
}

/// LBO and SBO of the tiles that writeTile makes.
std::pair<uint32_t, uint32_t> offsets(Swizzle swizzle, bool kMajor,
                                      uint32_t panel) {
  uint32_t group = 8 * swizzleSpan(swizzle);
  if (swizzle == Swizzle::None && !kMajor)
    return {group, panel}; // the names exchange without swizzle
  return {panel, group};
}

struct Registers {
  explicit Registers(unsigned n) : words(n, std::vector<uint32_t>(32)) {
    for (auto &w : words)
      pointers.push_back(w.data());
  }
  uint32_t *const *data() { return pointers.data(); }
  std::vector<std::vector<uint32_t>> words;
  std::vector<uint32_t *> pointers;
};

void runWgmma(Wgmma w, Swizzle swizzle, uint64_t seed) {
  Random random(seed);
  unsigned k = wgmmaK(w);
  Matrix a(64, k, w.aType, random), b(w.n, k, w.bType, random);
  std::vector<uint8_t> shared(128 * 1024);
  const uint32_t baseA = 0x8400, baseB = 0x10000 + 0x400;
  uint32_t panelA = panelStride(swizzle, !w.transposeA);
  uint32_t panelB = panelStride(swizzle, !w.transposeB);
  writeTile(shared, baseA, a, 64, k, swizzle, !w.transposeA, panelA);
  writeTile(shared, baseB, b, w.n, k, swizzle, !w.transposeB, panelB);
  auto [lboA, sboA] = offsets(swizzle, !w.transposeA, panelA);
  auto [lboB, sboB] = offsets(swizzle, !w.transposeB, panelB);
  Registers regsA(16), d(4 * registersD(w));
  unsigned bytes = codeBytes(w.aType), e = 4 / bytes;
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4 * e; ++i) {
        unsigned r = i / e;
        unsigned row = 16 * warp + lane / 4 + 8 * (r & 1);
        unsigned kk = e * (lane % 4) + i % e + 4 * e * (r >> 1);
        regsA.words[warp * 4 + r][lane] |= a.code(row, kk)
                                           << (8 * bytes * (i % e));
      }
  std::string error;
  bool f16 = w.dType == MMAAccumulator::F16;
  bool integer = w.dType == MMAAccumulator::S32;
  for (bool accumulate : {false, true}) {
    ASSERT_TRUE(wgmma(w, {shared.data(), uint32_t(shared.size())},
                      hopperDescriptor(baseA, swizzle, lboA, sboA),
                      w.aInRegisters ? regsA.data() : nullptr,
                      hopperDescriptor(baseB, swizzle, lboB, sboB), accumulate,
                      d.data(), error))
        << error;
    for (unsigned warp = 0; warp < 4; ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < w.n / 2; ++i) {
          unsigned row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
          unsigned column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
          float want = dot(a, b, row, column) * (accumulate ? 2 : 1);
          if (w.negateA != w.negateB)
            want = -want;
          uint32_t bits;
          if (f16) {
            uint32_t word =
                d.words[warp * (w.n / 4) + i / 2][lane] >> (16 * (i % 2));
            bits = word & 0xffff;
            ASSERT_EQ(bits, codeOf(int(want), MMAType::F16));
          } else {
            bits = d.words[warp * (w.n / 2) + i][lane];
            ASSERT_EQ(bits, integer ? uint32_t(int(want))
                                    : asBits(want == 0 ? 0 : want))
                << "row " << row << " column " << column;
          }
        }
  }
}

const Swizzle Swizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64,
                            Swizzle::B128};

TEST(Wgmma, FP8InEverySwizzle) {
  uint64_t seed = 1;
  for (Swizzle swizzle : Swizzles)
    for (MMAAccumulator acc : {MMAAccumulator::F32, MMAAccumulator::F16})
      for (bool registers : {false, true})
        for (unsigned n : {8u, 24u, 136u, 256u}) {
          Wgmma w;
          w.n = n;
          w.bType = n == 24 ? MMAType::E5M2 : MMAType::E4M3;
          w.dType = acc;
          w.aInRegisters = registers;
          runWgmma(w, swizzle, seed++);
        }
}

TEST(Wgmma, SixteenBitTransposesAndNegations) {
  uint64_t seed = 100;
  for (MMAType type : {MMAType::BF16, MMAType::F16})
    for (Swizzle swizzle : Swizzles)
      for (bool ta : {false, true})
        for (bool tb : {false, true}) {
          Wgmma w;
          w.n = 64;
          w.aType = w.bType = type;
          w.transposeA = ta;
          w.transposeB = tb;
          w.negateA = ta;
          runWgmma(w, swizzle, seed++);
        }
}

TEST(Wgmma, Tf32AndIntegers) {
  Wgmma w;
  w.n = 40;
  w.aType = w.bType = MMAType::TF32;
  for (Swizzle swizzle : Swizzles)
    runWgmma(w, swizzle, 200);
  w.n = 48;
  w.aType = MMAType::S8;
  w.bType = MMAType::U8;
  w.dType = MMAAccumulator::S32;
  for (Swizzle swizzle : Swizzles)
    runWgmma(w, swizzle, 201);
}

TEST(Wgmma, RefusesWhatDoesNotExist) {
  std::string error;
  Wgmma w;
  w.n = 12;
  EXPECT_FALSE(isLegal(w, error));
  w.n = 16;
  w.transposeB = true;
  EXPECT_FALSE(isLegal(w, error));
  EXPECT_EQ(error, "wgmma transposes only 16-bit operands");
  w.transposeB = false;
  w.aType = MMAType::BF16;
  EXPECT_FALSE(isLegal(w, error));
  std::vector<uint8_t> shared(1024);
  Registers d(32);
  w.aType = MMAType::E4M3;
  EXPECT_FALSE(wgmma(w, {shared.data(), 1024},
                     hopperDescriptor(0, Swizzle::B128, 16, 1024), nullptr,
                     hopperDescriptor(0, Swizzle::B128, 16, 1024), false,
                     d.data(), error));
  EXPECT_NE(error.find("beyond the 1024 bytes"), std::string::npos);
}

TEST(Wgmma, FootprintIsWhatIsRead) {
  MatrixDescriptor d;
  d.start = 0x400;
  d.strideOffset = 1024;
  d.swizzle = Swizzle::B128;
  std::vector<uint32_t> chunks;
  operandFootprint(d, true, 1, 64, 32, chunks);
  EXPECT_EQ(chunks.size(), 128u);
  EXPECT_EQ(chunks.front(), 0x400u);
  EXPECT_LT(chunks.back(), 0x400u + 8192);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

void runMmaSync(MmaSync mma, uint64_t seed) {
  Random random(seed);
  Matrix a(mma.m, mma.k, mma.aType, random), b(mma.n, mma.k, mma.bType, random);
  Registers ra(registersA(mma)), rb(registersB(mma)), rc(registersC(mma)),
      rd(registersD(mma));
  auto place = [&](Registers &r, MMAType type, unsigned lane, unsigned i,
                   uint32_t code) {
    bool small = type == MMAType::E2M1 && mma.byteContainers;
    unsigned bits =
        type == MMAType::E2M1 && !mma.byteContainers ? 4 : 8 * codeBytes(type);
    unsigned e = 32 / bits;
    r.words[i / e][lane] |= (small ? code << 2 : code) << (bits * (i % e));
  };
  unsigned ea = 4 / codeBytes(mma.aType), eb = 4 / codeBytes(mma.bType);
  if (mma.aType == MMAType::E2M1 && !mma.byteContainers)
    ea = eb = 8;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < mma.m * mma.k / 32; ++i) {
      unsigned r = i / ea;
      place(ra, mma.aType, lane, i,
            a.code(lane / 4 + (r & 1) * 8,
                   lane % 4 * ea + i % ea + (r >> 1) * 4 * ea));
    }
    for (unsigned i = 0; i < mma.n * mma.k / 32; ++i)
      place(rb, mma.bType, lane, i,
            b.code(lane / 4, lane % 4 * eb + i % eb + i / eb * 4 * eb));
  }
  MmaScales scales;
  std::vector<uint32_t> sa(32), sb(32);
  // Scales 2^(row % 3) and 2^(column % 2), in byte 2 of threads 2, 3 and 1.
  for (unsigned lane = 0; lane < 32; ++lane) {
    sa[lane] =
        lane % 4 >= 2 ? (127 + (lane / 4 + lane % 2 * 8) % 3) << 16 : ~0u;
    sb[lane] = lane % 4 == 1 ? (127 + lane / 4 % 2) << 16 : ~0u;
  }
  scales = {sa.data(), sb.data(), 2, 1, 2, 1};
  std::string error;
  ASSERT_TRUE(
      mmaSync(mma, rd.data(), ra.data(), rb.data(), rc.data(), &scales, error))
      << error;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      float want = dot(a, b, row, column);
      if (mma.scale != MMAScale::None)
        want = std::ldexp(want, int(row % 3 + column % 2));
      uint32_t bits = mma.dType == MMAAccumulator::F16
                          ? (rd.words[i / 2][lane] >> (16 * (i % 2))) & 0xffff
                          : rd.words[i][lane];
      uint32_t expected =
          mma.dType == MMAAccumulator::F16   ? codeOf(int(want), MMAType::F16)
          : mma.dType == MMAAccumulator::S32 ? uint32_t(int(want))
                                             : asBits(want == 0 ? 0 : want);
      ASSERT_EQ(bits, expected) << "row " << row << " column " << column;
    }
}

TEST(MmaSync, AllTypes) {
  struct Case {
    MMAType a, b;
    unsigned k;
    MMAAccumulator d;
  };
  using A = MMAAccumulator;
  for (MMAArch arch : {MMAArch::Ampere, MMAArch::Hopper, MMAArch::Blackwell})
    for (Case c : {Case{MMAType::E4M3, MMAType::E5M2, 32, A::F32},
                   {MMAType::E4M3, MMAType::E4M3, 16, A::F32},
                   {MMAType::E5M2, MMAType::E5M2, 32, A::F16},
                   {MMAType::F16, MMAType::F16, 16, A::F16},
                   {MMAType::F16, MMAType::F16, 8, A::F32},
                   {MMAType::BF16, MMAType::BF16, 16, A::F32},
                   {MMAType::TF32, MMAType::TF32, 4, A::F32},
                   {MMAType::TF32, MMAType::TF32, 8, A::F32},
                   {MMAType::S8, MMAType::U8, 32, A::S32},
                   {MMAType::U8, MMAType::S8, 16, A::S32}}) {
      MmaSync mma;
      mma.arch = arch;
      mma.aType = c.a;
      mma.bType = c.b;
      mma.k = c.k;
      mma.cType = mma.dType = c.d;
      runMmaSync(mma, 300 + c.k);
    }
}

TEST(MmaSync, BlockScaledAndByteContainers) {
  MmaSync mma;
  mma.arch = MMAArch::Blackwell;
  mma.byteContainers = true;
  for (MMAType a : {MMAType::E4M3, MMAType::E2M1, MMAType::E2M3, MMAType::E3M2})
    for (MMAScale scale : {MMAScale::None, MMAScale::UE8M0}) {
      mma.aType = a;
      mma.bType = MMAType::E2M1;
      mma.scale = scale;
      runMmaSync(mma, 400);
    }
  std::string error;
  mma.k = 64;
  EXPECT_FALSE(isLegal(mma, error));
}

//===----------------------------------------------------------------------===//
// tcgen05
//===----------------------------------------------------------------------===//

struct Placement {
  unsigned cta, lane, column;
};

/// Where D lies, as documented for each M.
Placement place(unsigned group, bool ws, unsigned m, unsigned n, unsigned r,
                unsigned c) {
  if (group == 2 && m == 256)
    return {r / 128, r % 128, c};
  if (group == 2)
    return {r / 64, r % 64 + (c >= n / 2 ? 64 : 0), c % (n / 2)};
  if (m == 128)
    return {0, r, c};
  if (!ws)
    return {0, r / 16 * 32 + r % 16, c};
  if (m == 64)
    return {0, r + (c >= n / 2 ? 64 : 0), c % (n / 2)};
  return {0, r + c / (n / 4) * 32, c % (n / 4)};
}

uint32_t instructionDescriptor(unsigned m, unsigned n, unsigned a, unsigned b,
                               bool mnA, bool mnB) {
  return 1 << 4 | a << 7 | b << 10 | mnA << 15 | mnB << 16 | (n >> 3) << 17 |
         (m >> 4) << 24;
}

struct TcgenCase {
  TcgenKind kind;
  MMAType type;
  unsigned format, group, m, n;
  bool ws = false, tensorA = false, mnA = false, mnB = false;
  bool shiftA = false;
  uint64_t zeroColumns = 0;
};

/// The bits of a zero-column mask: runs of ones and of zeros in turns, begun
/// with the run that "first span" names and without the first "start count".
std::vector<bool> columnMask(uint64_t descriptor, unsigned m, unsigned n) {
  std::vector<bool> mask;
  for (unsigned part = 0; part < 128 / m; ++part) {
    std::vector<bool> bits;
    bool value = descriptor >> (32 + part) & 1;
    while (bits.size() < n + 256) {
      bits.insert(bits.end(), (descriptor >> (value ? 40 : 48) & 255) + 1,
                  value);
      value = !value;
    }
    auto first = bits.begin() + (descriptor >> (8 * part) & 255);
    mask.insert(mask.end(), first, first + n / (128 / m));
  }
  if (!(descriptor >> 39 & 1))
    mask.assign(n, false);
  return mask;
}

void runTcgen(const TcgenCase &c, Swizzle swizzle, uint64_t seed) {
  Random random(seed);
  TcgenMma mma;
  mma.kind = c.kind;
  mma.ctaGroup = c.group;
  mma.weightStationary = c.ws;
  mma.aInTensorMemory = c.tensorA;
  mma.shiftA = c.shiftA;
  TcgenDescriptor d;
  std::string error;
  // Shifts of up to 32 columns.
  uint32_t bits =
      instructionDescriptor(c.m, c.n, c.format, c.format, c.mnA, c.mnB) |
      uint32_t(c.zeroColumns ? 3 : 0) << 30;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
  unsigned shift = c.zeroColumns >> 56;
  Matrix a(c.m, d.k, c.type, random), b(c.n + shift, d.k, c.type, random);
  std::vector<uint8_t> shared[2];
  TensorMemory tensor[2];
  TcgenCTA ctas[2];
  const uint32_t baseA = 0x400, baseB = 0x10400;
  uint32_t panelA = panelStride(swizzle, !c.mnA);
  uint32_t panelB = panelStride(swizzle, !c.mnB);
  unsigned bytes = codeBytes(c.type);
  for (unsigned cta = 0; cta < c.group; ++cta) {
    shared[cta].resize(128 * 1024);
    unsigned rows = c.m / c.group, columns = c.n / c.group + shift;
    Matrix halfA = a, halfB = b;
    halfA.values.assign(a.values.begin() + cta * rows * d.k,
                        a.values.begin() + (cta + 1) * rows * d.k);
    halfB.values.assign(b.values.begin() + cta * columns * d.k,
                        b.values.begin() + (cta + 1) * columns * d.k);
    writeTile(shared[cta], baseA, halfA, rows, d.k, swizzle, !c.mnA, panelA);
    writeTile(shared[cta], baseB, halfB, columns, d.k, swizzle, !c.mnB, panelB);
    ctas[cta] = {{shared[cta].data(), uint32_t(shared[cta].size())},
                 &tensor[cta]};
    for (unsigned r = 0; r < rows && c.tensorA; ++r)
      for (unsigned k = 0; k < d.k; ++k) {
        bool spread = c.m == 64 && c.group == 1 && !c.ws;
        unsigned lane = spread ? r / 16 * 32 + r % 16 : r;
        unsigned byte = k * bytes;
        // Each part of D's columns has its copy.
        for (unsigned copy = 0; copy < (spread ? 1 : 128 / rows); ++copy)
          tensor[cta].at(lane + copy * rows, 480 + byte / 4) |=
              halfA.code(r, k) << (8 * (byte % 4));
      }
  }
  auto [lboA, sboA] = offsets(swizzle, !c.mnA, panelA);
  auto [lboB, sboB] = offsets(swizzle, !c.mnB, panelB);
  TcgenOperands operands;
  operands.d = 16;
  operands.addressA = 480;
  operands.descriptorA = blackwellDescriptor(baseA, swizzle, lboA, sboA);
  operands.descriptorB = blackwellDescriptor(baseB, swizzle, lboB, sboB);
  operands.zeroColumns = c.zeroColumns;
  std::vector<bool> zero = columnMask(c.zeroColumns, c.m, c.n);
  for (bool accumulate : {false, true}) {
    operands.accumulate = accumulate;
    ASSERT_TRUE(tcgenMma(mma, d, operands, ctas, error)) << error;
    for (unsigned r = 0; r < c.m; ++r)
      for (unsigned n = 0; n < c.n; ++n) {
        Placement at = place(c.group, c.ws, c.m, c.n, r, n);
        unsigned lastRow = c.m / c.group - 1;
        unsigned from = r + (c.shiftA && r % (lastRow + 1) != lastRow);
        float want =
            zero[n] ? 0 : dot(a, b, from, n + shift) * (accumulate ? 2 : 1);
        ASSERT_EQ(tensor[at.cta].at(at.lane, 16 + at.column),
                  asBits(want == 0 ? 0 : want))
            << "row " << r << " column " << n;
      }
  }
}

TEST(Tcgen05, ShapesGroupsAndSwizzles) {
  using K = TcgenKind;
  for (Swizzle swizzle : Swizzles) {
    for (TcgenCase c :
         {TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 128, 40},
          TcgenCase{K::F8F6F4, MMAType::E5M2, 1, 1, 64, 24},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 2, 256, 48},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 2, 128, 64},
          TcgenCase{K::F16, MMAType::BF16, 1, 1, 128, 32},
          TcgenCase{K::F16, MMAType::F16, 0, 2, 256, 64},
          TcgenCase{K::TF32, MMAType::TF32, 2, 1, 64, 16},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 64, 64, true},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 32, 128, true},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 128, 32, false, true},
          TcgenCase{K::F16, MMAType::BF16, 1, 2, 256, 32, false, true},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 64, 32, false, true},
          TcgenCase{K::F8F6F4, MMAType::E5M2, 1, 2, 128, 64, false, true},
          TcgenCase{K::F16, MMAType::F16, 0, 1, 64, 64, true, true},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 32, 128, true, true},
          TcgenCase{K::F8F6F4, MMAType::E4M3, 0, 1, 128, 128, false, false,
                    true, true},
          TcgenCase{K::F16, MMAType::BF16, 1, 1, 128, 64, false, false, true,
                    true}})
      runTcgen(c, swizzle, 500 + int(swizzle));
  }
}

TEST(Tcgen05, CopiesOfAThatDiffer) {
  std::vector<uint8_t> shared(64 * 1024);
  for (unsigned group : {1u, 2u}) {
    TcgenMma mma;
    mma.ctaGroup = group;
    mma.weightStationary = group == 1;
    mma.aInTensorMemory = true;
    TcgenDescriptor d;
    std::string error;
    ASSERT_TRUE(decodeTcgenDescriptor(
        mma, instructionDescriptor(64 * group, 64, 0, 0, false, false), d,
        error))
        << error;
    TensorMemory tensor[2];
    TcgenCTA ctas[2];
    for (unsigned cta = 0; cta < 2; ++cta)
      ctas[cta] = {{shared.data(), uint32_t(shared.size())}, &tensor[cta]};
    TcgenOperands operands;
    operands.addressA = 480;
    operands.descriptorB = blackwellDescriptor(0x400, Swizzle::B128, 16, 1024);
    ASSERT_TRUE(tcgenMma(mma, d, operands, ctas, error)) << error;
    tensor[group - 1].at(70, 487) = 1;
    EXPECT_FALSE(tcgenMma(mma, d, operands, ctas, error));
    EXPECT_EQ(error, "tcgen05.mma: operand A in lane 70 differs from lane 6: "
                     "expected a copy for each 64 lanes");
  }
}

TEST(Tcgen05, ShiftsRowsOfA) {
  for (unsigned group : {1u, 2u})
    runTcgen({TcgenKind::F8F6F4, MMAType::E4M3, 0, group, 128 * group, 32,
              false, true, false, false, true},
             Swizzle::B128, 700 + group);
}

TEST(Tcgen05, MasksAndShiftsColumnsOfB) {
  // The examples of the document, M = 128, 64 and 32, then anything.
  uint64_t generate = uint64_t(1) << 39, spans = uint64_t(0x0302) << 40;
  auto test = [](unsigned m, uint64_t descriptor, uint64_t seed) {
    runTcgen({TcgenKind::F8F6F4, MMAType::E4M3, 0, 1, m, 128, true, false,
              false, false, false, descriptor},
             Swizzle::B64, seed);
  };
  test(128, generate | spans, 800);
  test(64, generate | spans | uint64_t(1) << 32, 801);
  test(32,
       generate | spans | uint64_t(3) << 32 | 0x01020100 | uint64_t(2) << 56,
       802);
  Random random(std::random_device{}());
  for (unsigned i = 0; i < 20; ++i) {
    uint64_t bits = random.bits();
    // Not the reserved bits, and a shift of at most 16.
    bits = (bits & 0x00ffff8fffffffff) | uint64_t(random.below(17)) << 56;
    test(32u << random.below(3), bits, 810 + i);
  }
  TcgenDescriptor d;
  d.m = 64;
  d.n = 128;
  std::string mask0, mask1;
  for (unsigned i = 0; i < 10; ++i) {
    mask0 +=
        maskedColumn(d, generate | spans | uint64_t(1) << 32, i) ? '0' : '1';
    mask1 += maskedColumn(d, generate | spans | uint64_t(1) << 32, 64 + i)
                 ? '0'
                 : '1';
  }
  EXPECT_EQ(mask0, "1110000111");
  EXPECT_EQ(mask1, "0000111000");
}

TEST(Tcgen05, DescriptorVectors) {
  TcgenMma mma;
  TcgenDescriptor d;
  std::string error;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x08400010, d, error));
  EXPECT_EQ(d.m, 128u);
  EXPECT_EQ(d.n, 256u);
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x041C0010, d, error));
  EXPECT_EQ(d.m, 64u);
  EXPECT_EQ(d.n, 112u);
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x08200090, d, error));
  EXPECT_EQ(d.aType, MMAType::E5M2);
  EXPECT_EQ(d.bType, MMAType::E4M3);
  mma.ctaGroup = 2;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x10400010, d, error));
  EXPECT_EQ(d.m, 256u);
  mma.kind = TcgenKind::MXF8F6F4;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x70C00030, d, error)) << error;
  EXPECT_EQ(d.scaleIdA, 3u);
  EXPECT_EQ(d.scaleIdB, 3u);
  EXPECT_EQ(d.scale, MMAScale::UE8M0);
  mma.ctaGroup = 1;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x48BC0020, d, error));
  EXPECT_EQ(d.n, 240u);
  EXPECT_EQ(d.scaleIdA, 2u);
  EXPECT_FALSE(decodeTcgenDescriptor(mma, 0x041C0010, d, error)); // M 64
  mma.kind = TcgenKind::F8F6F4;
  EXPECT_FALSE(decodeTcgenDescriptor(mma, 0x08400014, d, error));
  EXPECT_EQ(error, "the instruction descriptor is of a sparse product: "
                   "expected one of a dense product");
  mma.sparse = true;
  ASSERT_TRUE(decodeTcgenDescriptor(mma, 0x08400014, d, error)) << error;
  EXPECT_EQ(d.k, 64u);
  EXPECT_EQ(tcgenKept(mma, d), 32u);
  EXPECT_FALSE(decodeTcgenDescriptor(mma, 0x08400015, d, error)); // selector
}

TEST(Tcgen05, BlockScalesComeFromTensorMemory) {
  Random random(600);
  for (unsigned group : {1u, 2u}) {
    TcgenMma mma;
    mma.kind = TcgenKind::MXF8F6F4;
    mma.ctaGroup = group;
    unsigned m = 128 * group, n = 80;
    TcgenDescriptor d;
    std::string error;
    // Scale ids 1 (A) and 2 (B).
    uint32_t bits =
        2 << 4 | (n >> 3) << 17 | 1 << 23 | (m >> 4) << 24 | 1 << 29;
    ASSERT_TRUE(decodeTcgenDescriptor(mma, bits, d, error)) << error;
    Matrix a(m, 32, MMAType::E4M3, random), b(n, 32, MMAType::E4M3, random);
    std::vector<uint8_t> shared[2];
    TensorMemory tensor[2];
    TcgenCTA ctas[2];
    for (unsigned cta = 0; cta < group; ++cta) {
      shared[cta].resize(64 * 1024);
      Matrix halfA = a, halfB = b;
      halfA.values.erase(halfA.values.begin(),
                         halfA.values.begin() + cta * 128 * 32);
      halfB.values.erase(halfB.values.begin(),
                         halfB.values.begin() + cta * (n / group) * 32);
      writeTile(shared[cta], 0x400, halfA, 128, 32, Swizzle::B128, true, 16);
      writeTile(shared[cta], 0x8400, halfB, n / group, 32, Swizzle::B128, true,
                16);
      ctas[cta] = {{shared[cta].data(), 64 * 1024}, &tensor[cta]};
      for (unsigned q = 0; q < 4; ++q) {
        for (unsigned r = 0; r < 128; ++r)
          tensor[cta].at(r % 32 + 32 * q, 300 + r / 32) = (125 + (r + cta) % 5)
                                                          << 8;
        for (unsigned c = 0; c < n; ++c)
          tensor[cta].at(c % 32 + 32 * q, 310 + c / 32) = (124 + c % 7) << 16;
      }
    }
    TcgenOperands operands;
    operands.descriptorA = blackwellDescriptor(0x400, Swizzle::B128, 16, 1024);
    operands.descriptorB = blackwellDescriptor(0x8400, Swizzle::B128, 16, 1024);
    operands.scaleA = 300;
    operands.scaleB = 310;
    ASSERT_TRUE(tcgenMma(mma, d, operands, ctas, error)) << error;
    for (unsigned r = 0; r < m; ++r)
      for (unsigned c = 0; c < n; ++c) {
        int exponent = int(r % 128 + r / 128) % 5 - 2 + int(c % 7) - 3;
        float want = std::ldexp(dot(a, b, r, c), exponent);
        ASSERT_EQ(tensor[r / 128].at(r % 128, c), asBits(want == 0 ? 0 : want));
      }
    // A scale that is not replicated is an error.
    tensor[0].at(64, 300) = 0;
    EXPECT_FALSE(tcgenMma(mma, d, operands, ctas, error));
    EXPECT_NE(error.find("replicated"), std::string::npos);
  }
}

TEST(Tcgen05, DisabledLanesAndInputScale) {
  TcgenMma mma;
  mma.kind = TcgenKind::F16;
  TcgenDescriptor d;
  std::string error;
  ASSERT_TRUE(decodeTcgenDescriptor(
      mma, instructionDescriptor(128, 16, 1, 1, false, false), d, error));
  std::vector<uint8_t> shared(64 * 1024);
  TensorMemory tensor;
  TcgenCTA cta{{shared.data(), 64 * 1024}, &tensor};
  for (unsigned lane = 0; lane < 128; ++lane)
    tensor.at(lane, 3) = asBits(8.0f);
  uint32_t disabled[4] = {2, 0, 0, 0};
  TcgenOperands operands;
  operands.descriptorA = blackwellDescriptor(0, Swizzle::B128, 16, 1024);
  operands.descriptorB = blackwellDescriptor(0x8000, Swizzle::B128, 16, 1024);
  operands.accumulate = true;
  operands.scaleInputD = 2;
  operands.disableLanes = disabled;
  ASSERT_TRUE(tcgenMma(mma, d, operands, &cta, error)) << error;
  EXPECT_EQ(tensor.at(0, 3), asBits(2.0f)); // zero operands: D / 4
  EXPECT_EQ(tensor.at(1, 3), asBits(8.0f));
  operands.d = 500;
  EXPECT_FALSE(tcgenMma(mma, d, operands, &cta, error));
}

} // namespace
