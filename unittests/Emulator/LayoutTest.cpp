//===- LayoutTest.cpp - Fragments, swizzles, descriptors ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts that kernels rely on: each formula is written again here, as the
// vendor's documents give it, together with worked values.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/MBarrier.h"
#include "fp8/Emulator/TensorCore.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <set>

using namespace fp8::emulator;
using namespace fp8::emulator::test;

namespace {

using Pair = std::pair<unsigned, unsigned>;
Pair pair(MatrixIndex i) { return {i.row, i.column}; }

TEST(Layout, WgmmaFragments) {
  EXPECT_EQ(pair(wgmmaFragmentD(1, 5, 7)), Pair(25, 11));
  EXPECT_EQ(pair(wgmmaFragmentD(3, 31, 127)), Pair(63, 255));
  // Byte 2 of register 3.
  EXPECT_EQ(pair(wgmmaFragmentA(MMAType::E4M3, 2, 9, 3 * 4 + 2)), Pair(42, 22));
  for (unsigned n : {8u, 112u, 256u}) {
    std::set<Pair> seen;
    for (unsigned w = 0; w < 4; ++w)
      for (unsigned l = 0; l < 32; ++l)
        for (unsigned i = 0; i < n / 2; ++i)
          seen.insert(pair(wgmmaFragmentD(w, l, i)));
    EXPECT_EQ(seen.size(), 64 * n);
    EXPECT_EQ(*seen.rbegin(), Pair(63, n - 1));
  }
  for (MMAType type : {MMAType::E4M3, MMAType::BF16, MMAType::TF32}) {
    unsigned k = 32 / codeBytes(type);
    std::set<Pair> seen;
    for (unsigned w = 0; w < 4; ++w)
      for (unsigned l = 0; l < 32; ++l)
        for (unsigned i = 0; i < k / 2; ++i)
          seen.insert(pair(wgmmaFragmentA(type, w, l, i)));
    EXPECT_EQ(seen.size(), 64 * k);
    EXPECT_EQ(*seen.rbegin(), Pair(63, k - 1));
  }
}

TEST(Layout, MmaSyncFragmentsCoverTheirMatrices) {
  struct Case {
    MMAType type;
    unsigned k;
  };
  for (Case c : {Case{MMAType::E4M3, 32},
                 {MMAType::E4M3, 16},
                 {MMAType::F16, 16},
                 {MMAType::BF16, 8},
                 {MMAType::TF32, 8},
                 {MMAType::TF32, 4},
                 {MMAType::S4, 64},
                 {MMAType::B1, 256},
                 {MMAType::F64, 16},
                 {MMAType::E2M1, 64}}) {
    MmaSync mma;
    mma.aType = mma.bType = c.type;
    mma.k = c.k;
    std::set<Pair> a, b;
    for (unsigned l = 0; l < 32; ++l) {
      for (unsigned i = 0; i < 16 * c.k / 32; ++i)
        a.insert(pair(fragmentA(mma, l, i)));
      for (unsigned i = 0; i < 8 * c.k / 32; ++i)
        b.insert(pair(fragmentB(mma, l, i)));
    }
    EXPECT_EQ(a.size(), 16 * c.k);
    EXPECT_EQ(*a.rbegin(), Pair(15, c.k - 1));
    EXPECT_EQ(b.size(), 8 * c.k);
    EXPECT_EQ(*b.rbegin(), Pair(c.k - 1, 7));
  }
  // The vendor's figures: 16-bit m16n8k16, a5 of lane 6 and b3 of lane 6.
  MmaSync half;
  half.aType = half.bType = MMAType::F16;
  half.k = 16;
  EXPECT_EQ(pair(fragmentA(half, 6, 5)), Pair(1, 13));
  EXPECT_EQ(pair(fragmentA(half, 6, 2)), Pair(9, 4));
  EXPECT_EQ(pair(fragmentB(half, 6, 3)), Pair(13, 1));
  EXPECT_EQ(pair(fragmentC(half, 6, 3)), Pair(9, 5));
  MmaSync fp8;
  EXPECT_EQ(pair(fragmentA(fp8, 6, 13)), Pair(9, 25));
  EXPECT_EQ(pair(fragmentB(fp8, 6, 5)), Pair(25, 1));
}

TEST(Layout, SwizzleVectors) {
  const unsigned in[] = {0x90, 0x3a0, 0x7f0};
  const unsigned b128[] = {0x80, 0x3d0, 0x780};
  const unsigned b64[] = {0x80, 0x390, 0x7c0};
  const unsigned b32[] = {0x80, 0x3b0, 0x7e0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(applySwizzle(in[i], Swizzle::B128), b128[i]);
    EXPECT_EQ(applySwizzle(in[i], Swizzle::B64), b64[i]);
    EXPECT_EQ(applySwizzle(in[i], Swizzle::B32), b32[i]);
  }
  for (int mode = 0; mode <= 6; ++mode) {
    std::set<uint32_t> seen;
    for (uint32_t a = 0; a < 4096; ++a) {
      uint32_t s = applySwizzle(a, Swizzle(mode));
      seen.insert(s);
      EXPECT_EQ(applySwizzle(s, Swizzle(mode)), a);
      EXPECT_EQ(s / 128, a / 128); // never leaves its row
    }
    EXPECT_EQ(seen.size(), 4096u);
  }
  // Eight rows of one 16-byte column fall into eight bank groups.
  std::set<uint32_t> groups;
  for (uint32_t row = 0; row < 8; ++row)
    groups.insert(applySwizzle(row * 128 + 32, Swizzle::B128) / 16 % 8);
  EXPECT_EQ(groups.size(), 8u);
}

TEST(Layout, DescriptorTemplates) {
  MatrixDescriptor d;
  std::string error;
  ASSERT_TRUE(decodeHopperDescriptor(0x4000004000010840, d, error));
  EXPECT_EQ(d.start, 0x8400u);
  EXPECT_EQ(d.strideOffset, 1024u);
  EXPECT_EQ(d.leadingOffset, 16u);
  EXPECT_EQ(d.swizzle, Swizzle::B128);
  ASSERT_TRUE(decodeHopperDescriptor(0x8000002000010840, d, error));
  EXPECT_EQ(d.swizzle, Swizzle::B64);
  ASSERT_TRUE(decodeHopperDescriptor(0xC000001000010840, d, error));
  EXPECT_EQ(d.swizzle, Swizzle::B32);
  EXPECT_EQ(d.strideOffset, 256u);
  ASSERT_TRUE(decodeBlackwellDescriptor(0x4000404000010840, d, error));
  EXPECT_EQ(d.swizzle, Swizzle::B128);
  ASSERT_TRUE(decodeBlackwellDescriptor(0x8000402000010840, d, error));
  EXPECT_EQ(d.swizzle, Swizzle::B64);
  ASSERT_TRUE(decodeBlackwellDescriptor(0x0000400800000840, d, error));
  EXPECT_EQ(d.strideOffset, 128u);
  // Triton leaves the version 0.
  EXPECT_TRUE(decodeBlackwellDescriptor(0x4000004000010840, d, error));
  EXPECT_FALSE(decodeBlackwellDescriptor(0x4000804000010840, d, error));
  EXPECT_NE(error.find("version"), std::string::npos);
  EXPECT_FALSE(decodeHopperDescriptor(0x4000404000010840, d, error));
}

TEST(Layout, KStepIsAPlainAddition) {
  MatrixDescriptor d;
  d.start = 0x8400;
  d.strideOffset = 1024;
  d.swizzle = Swizzle::B128;
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned k = 0; k < 32; ++k)
      for (unsigned step = 0; step < 4; ++step) {
        MatrixDescriptor moved = d;
        moved.start += 32 * step;
        EXPECT_EQ(
            elementAddress(moved, true, 1, row, k),
            applySwizzle(0x8400 + row * 128 + step * 32 + k, Swizzle::B128));
      }
}

TEST(Layout, BaseOffsetShiftsThePattern) {
  // A tile at an address that is no multiple of the repeat: with base offset
  // (start >> 7) & 7 the pattern starts at the tile.
  MatrixDescriptor d;
  d.start = 0x8400 + 0x180;
  d.strideOffset = 1024;
  d.swizzle = Swizzle::B128;
  d.baseOffset = 3;
  for (unsigned row = 0; row < 8; ++row)
    EXPECT_EQ(elementAddress(d, true, 1, row, 0),
              d.start + row * 128 + row * 16);
}

TEST(Layout, TensorMemoryLoadShapes) {
  // One register of all 32 threads of each shape, as documented.
  using S = TensorMemoryShape;
  for (unsigned t = 0; t < 32; ++t)
    for (unsigned r = 0; r < 8; ++r) {
      auto at = [&](S::Kind kind) {
        S s;
        s.kind = kind;
        s.count = 8;
        TensorAddress c = shapeCell(s, t, r);
        return Pair(c.lane, c.column);
      };
      EXPECT_EQ(at(S::L32x32b), Pair(t, r));
      EXPECT_EQ(at(S::L16x64b), Pair(t / 4 + 8 * (t % 2), t / 2 % 2 + 2 * r));
      EXPECT_EQ(at(S::L16x128b), Pair(t / 4 + 8 * (r % 2), t % 4 + r / 2 * 4));
      EXPECT_EQ(at(S::L16x256b),
                Pair(t / 4 + 8 * (r / 2 % 2), r % 2 + 2 * (t % 4) + r / 4 * 8));
    }
}

TEST(Layout, TensorMemoryRoundTrips) {
  Random random(1);
  using S = TensorMemoryShape;
  for (S::Kind kind : {S::L16x64b, S::L16x128b, S::L16x256b, S::L32x32b})
    for (unsigned count : {1u, 4u, 16u})
      for (bool pack : {false, true}) {
        S s;
        s.kind = kind;
        s.count = count;
        s.pack16 = pack;
        TensorMemory memory;
        unsigned n = registerCount(s);
        std::vector<std::vector<uint32_t>> in(n), out(n);
        std::vector<uint32_t *> pi, po;
        for (unsigned r = 0; r < n; ++r) {
          for (unsigned t = 0; t < 32; ++t)
            in[r].push_back(random.bits());
          out[r].resize(32);
          pi.push_back(in[r].data());
          po.push_back(out[r].data());
        }
        std::string error;
        uint32_t address = TensorAddress{32, 64}.encode();
        ASSERT_TRUE(storeTensorMemory(memory, s, address, pi.data(), error));
        ASSERT_TRUE(loadTensorMemory(memory, s, address, po.data(), error));
        EXPECT_EQ(in, out);
        // Exactly the announced rectangle was written.
        unsigned written = 0;
        for (unsigned l = 0; l < 128; ++l)
          for (unsigned c = 0; c < 512; ++c)
            written += memory.at(l, c) != 0;
        EXPECT_LE(written, laneCount(s) * columnCount(s));
        EXPECT_GE(written, laneCount(s) * columnCount(s) - 2);
      }
  S bad;
  bad.kind = S::L16x256b;
  bad.count = 64;
  std::string error;
  EXPECT_FALSE(isLegalShape(bad, error));
  TensorMemory memory;
  bad.count = 32;
  EXPECT_FALSE(loadTensorMemory(memory, bad, 300, nullptr, error));
}

TEST(Layout, TensorMemoryAllocator) {
  TensorMemory memory;
  EXPECT_EQ(memory.allocate(256), 0u);
  EXPECT_EQ(memory.allocate(32), 256u);
  EXPECT_EQ(memory.allocate(128), 384u);
  EXPECT_FALSE(memory.allocate(256));
  EXPECT_FALSE(memory.allocate(48));
  EXPECT_TRUE(memory.isAllocated(256, 32));
  EXPECT_FALSE(memory.isAllocated(256, 33));
  std::string error;
  EXPECT_FALSE(memory.deallocate(0, 128, error));
  EXPECT_NE(error.find("128 columns at column 0"), std::string::npos);
  EXPECT_TRUE(memory.deallocate(0, 256, error));
  EXPECT_FALSE(memory.deallocate(0, 256, error));
  EXPECT_EQ(memory.allocatedColumns(), 160u);
}

TEST(Layout, ScaleTilesLandAsTheMmaReadsThem) {
  // 128 rows x 4 scales in the 512-byte tile layout, copied by 32x128b.warpx4.
  std::vector<uint8_t> shared(4096);
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned k = 0; k < 4; ++k)
      shared[1024 + row % 32 * 16 + row / 32 * 4 + k] = row ^ (k << 6);
  MatrixDescriptor d;
  d.start = 1024;
  d.strideOffset = 128;
  TensorMemory memory;
  TensorCopy copy;
  std::string error;
  ASSERT_TRUE(
      copyToTensorMemory(copy, d, shared.data(), 4096, memory, 100, error));
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned quarter = 0; quarter < 4; ++quarter)
      for (unsigned k = 0; k < 4; ++k)
        EXPECT_EQ(memory.at(row % 32 + 32 * quarter, 100 + row / 32) >>
                          (8 * k) &
                      0xff,
                  (row ^ (k << 6)) & 0xff);
  std::vector<uint32_t> chunks;
  copyFootprint(copy, d, chunks);
  EXPECT_EQ(chunks.size(), 32u);
  d.start = 3968;
  EXPECT_FALSE(
      copyToTensorMemory(copy, d, shared.data(), 4096, memory, 0, error));
}

TEST(Layout, ShiftMovesRowsDown) {
  TensorMemory memory;
  for (unsigned lane = 0; lane < 128; ++lane)
    for (unsigned c = 0; c < 16; ++c)
      memory.at(lane, c) = lane * 100 + c;
  std::string error;
  ASSERT_TRUE(shiftDown(memory, TensorAddress{0, 4}.encode(), error));
  EXPECT_EQ(memory.at(0, 4), 104u);
  EXPECT_EQ(memory.at(30, 11), 3111u);
  EXPECT_EQ(memory.at(31, 5), 3105u);
  EXPECT_EQ(memory.at(32, 5), 3205u);
  EXPECT_EQ(memory.at(5, 3), 503u);
  EXPECT_FALSE(shiftDown(memory, TensorAddress{5, 4}.encode(), error));
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

MBarrierArrival arrival(uint32_t count, uint32_t tx = 0) {
  MBarrierArrival a;
  a.count = count;
  a.expectTx = tx;
  return a;
}

TEST(MBarrier, PhasesAndParity) {
  uint64_t bar = 0x123;
  MBarrierFault fault;
  EXPECT_EQ(mbarrierArrive(bar, arrival(1)).fault,
            MBarrierFault::NotInitialized);
  EXPECT_EQ(mbarrierInit(bar, 2).fault, MBarrierFault::None);
  EXPECT_TRUE(mbarrierTestParity(bar, true, fault)); // the phase before
  EXPECT_FALSE(mbarrierTestParity(bar, false, fault));
  MBarrierResult first = mbarrierArrive(bar, arrival(1));
  EXPECT_FALSE(first.completedPhase);
  EXPECT_EQ(mbarrierPendingCount(first.token), 2u);
  EXPECT_FALSE(mbarrierTestToken(bar, first.token, fault));
  EXPECT_TRUE(mbarrierArrive(bar, arrival(1)).completedPhase);
  EXPECT_TRUE(mbarrierTestToken(bar, first.token, fault));
  EXPECT_TRUE(mbarrierTestParity(bar, false, fault));
  EXPECT_FALSE(mbarrierTestParity(bar, true, fault));
  EXPECT_EQ(decodeMBarrier(bar).pending, 2u);
}

TEST(MBarrier, TransactionsHoldThePhase) {
  uint64_t bar;
  mbarrierInit(bar, 1);
  EXPECT_FALSE(mbarrierArrive(bar, arrival(1, 4096)).completedPhase);
  EXPECT_FALSE(mbarrierCompleteTx(bar, 4000).completedPhase);
  EXPECT_TRUE(mbarrierCompleteTx(bar, 96).completedPhase);
  // Bytes may complete before they are expected.
  EXPECT_EQ(mbarrierCompleteTx(bar, 64).fault, MBarrierFault::None);
  EXPECT_EQ(decodeMBarrier(bar).txCount, -64);
  EXPECT_TRUE(mbarrierArrive(bar, arrival(1, 64)).completedPhase);
  // More than expected never completes, and says so.
  mbarrierCompleteTx(bar, 64);
  MBarrierResult r = mbarrierArrive(bar, arrival(1, 32));
  EXPECT_FALSE(r.completedPhase);
  EXPECT_EQ(r.fault, MBarrierFault::TxNegative);
}

TEST(MBarrier, FaultsAreReported) {
  uint64_t bar;
  EXPECT_EQ(mbarrierInit(bar, 0).fault, MBarrierFault::CountOutOfRange);
  EXPECT_EQ(mbarrierInit(bar, 1 << 20).fault, MBarrierFault::CountOutOfRange);
  mbarrierInit(bar, 2);
  EXPECT_EQ(mbarrierArrive(bar, arrival(3)).fault,
            MBarrierFault::TooManyArrivals);
  mbarrierInit(bar, 1);
  EXPECT_EQ(mbarrierExpectTx(bar, (1 << 20) - 1).fault, MBarrierFault::None);
  EXPECT_EQ(mbarrierExpectTx(bar, 1).fault, MBarrierFault::TxOverflow);
  mbarrierInit(bar, 1);
  EXPECT_EQ(mbarrierCompleteTx(bar, (1 << 20) - 1).fault, MBarrierFault::None);
  EXPECT_EQ(mbarrierCompleteTx(bar, 1).fault, MBarrierFault::TxUnderflow);
  MBarrierArrival quiet = arrival(1);
  quiet.noComplete = true;
  mbarrierInit(bar, 1);
  EXPECT_EQ(mbarrierArrive(bar, quiet).fault, MBarrierFault::CompletedPhase);
  EXPECT_EQ(mbarrierInvalidate(bar).fault, MBarrierFault::None);
  EXPECT_EQ(mbarrierInvalidate(bar).fault, MBarrierFault::NotInitialized);
}

TEST(MBarrier, DropLowersLaterPhases) {
  uint64_t bar;
  mbarrierInit(bar, 3);
  MBarrierArrival drop = arrival(1);
  drop.drop = true;
  mbarrierArrive(bar, drop);
  EXPECT_TRUE(mbarrierArrive(bar, arrival(2)).completedPhase);
  EXPECT_EQ(decodeMBarrier(bar).pending, 2u);
}

/// A long random run against counters kept aside.
TEST(MBarrier, RandomRunMatchesPlainCounters) {
  Random random(7);
  uint64_t bar;
  mbarrierInit(bar, 5);
  int64_t pending = 5, tx = 0;
  bool phase = false;
  for (int i = 0; i < 20000; ++i) {
    switch (random.below(3)) {
    case 0: {
      uint32_t n = 1 + random.below(uint32_t(pending));
      uint32_t bytes = random.below(2) * 16;
      mbarrierArrive(bar, arrival(n, bytes));
      pending -= n;
      tx += bytes;
      break;
    }
    case 1:
      mbarrierExpectTx(bar, 16);
      tx += 16;
      break;
    default:
      if (tx <= 0)
        continue;
      mbarrierCompleteTx(bar, uint32_t(tx));
      tx = 0;
      break;
    }
    if (pending == 0 && tx != 0) { // let it complete
      mbarrierCompleteTx(bar, uint32_t(tx));
      tx = 0;
    }
    if (pending == 0) {
      pending = 5;
      phase = !phase;
    }
    MBarrierState s = decodeMBarrier(bar);
    ASSERT_EQ(s.pending, pending);
    ASSERT_EQ(s.txCount, tx);
    ASSERT_EQ(s.phase, phase);
  }
}

} // namespace
