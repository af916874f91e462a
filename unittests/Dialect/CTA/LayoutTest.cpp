//===- LayoutTest.cpp - Swizzles, descriptors, fragments ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected numbers come from an independent model of the hardware's
// layouts; the properties (bijections, bank conflicts) are checked over whole
// tiles.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/CTA/IR/Layout.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir::cta;

TEST(LayoutTest, SwizzleVectors) {
  struct Row {
    uint64_t address, at128, at64, at32;
  };
  for (const Row &row :
       {Row{0x90, 0x80, 0x80, 0x80}, Row{0x3a0, 0x3d0, 0x390, 0x3b0},
        Row{0x7f0, 0x780, 0x7c0, 0x7e0}}) {
    EXPECT_EQ(swizzleAddress(row.address, 128), row.at128);
    EXPECT_EQ(swizzleAddress(row.address, 64), row.at64);
    EXPECT_EQ(swizzleAddress(row.address, 32), row.at32);
    EXPECT_EQ(swizzleAddress(row.address, 0), row.address);
  }
}

TEST(LayoutTest, SwizzleIsABijectionThatRepeats) {
  for (unsigned swizzle : {32u, 64u, 128u}) {
    std::set<uint64_t> seen;
    for (uint64_t address = 0; address < 8192; ++address) {
      uint64_t swizzled = swizzleAddress(address, swizzle);
      EXPECT_TRUE(seen.insert(swizzled).second);
      uint64_t moved = address + swizzleRepeat(swizzle);
      EXPECT_EQ(swizzleAddress(moved, swizzle),
                swizzled + swizzleRepeat(swizzle));
    }
    EXPECT_EQ(*seen.rbegin(), 8191u);
  }
}

TEST(LayoutTest, EightLinesHitEightBankGroups) {
  std::set<uint64_t> groups;
  for (uint64_t line = 0; line < 8; ++line)
    groups.insert(swizzleAddress(line * 128 + 32, 128) / 16 % 8);
  EXPECT_EQ(groups.size(), 8u);
}

TEST(LayoutTest, TensorMemoryVectors) {
  EXPECT_EQ(tcgen05Descriptor(0, 128), 0x4000404000010000u);
  EXPECT_EQ(tcgen05Descriptor(0, 64), 0x8000402000010000u);
  EXPECT_EQ(tcgen05Descriptor(0x8400, 32), 0xC000401000010840u);
  auto e4 = Tcgen05Format::E4M3, e5 = Tcgen05Format::E5M2;
  EXPECT_EQ(tcgen05Instruction(128, 256, e4, e4), 0x08400010u);
  EXPECT_EQ(tcgen05Instruction(64, 112, e4, e4), 0x041C0010u);
  EXPECT_EQ(tcgen05Instruction(128, 128, e5, e4), 0x08200090u);
}

TEST(LayoutTest, DescriptorVectors) {
  EXPECT_EQ(wgmmaDescriptor(0x8400, 128), 0x4000004000010840u);
  EXPECT_EQ(wgmmaDescriptor(0, 128), 0x4000004000010000u);
  EXPECT_EQ(wgmmaDescriptor(0, 64), 0x8000002000010000u);
  EXPECT_EQ(wgmmaDescriptor(0, 32), 0xC000001000010000u);
  EXPECT_EQ(wgmmaDescriptor(0x8400, 64), 0x8000002000010840u);
  EXPECT_EQ(wgmmaDescriptor(0x8400, 32), 0xC000001000010840u);
}

TEST(LayoutTest, AccumulatorVectors) {
  EXPECT_EQ(accumulatorElement(1, 5, 7), std::make_pair(25u, 11u));
  EXPECT_EQ(accumulatorElement(3, 31, 127), std::make_pair(63u, 255u));
}

TEST(LayoutTest, AccumulatorCoversTheTile) {
  for (unsigned columns : {8u, 112u, 256u}) {
    std::set<std::pair<unsigned, unsigned>> seen;
    for (unsigned warp = 0; warp < 4; ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned reg = 0; reg < columns / 2; ++reg)
          seen.insert(accumulatorElement(warp, lane, reg));
    EXPECT_EQ(seen.size(), 64u * columns);
    EXPECT_EQ(*seen.rbegin(), std::make_pair(63u, columns - 1));
  }
}

/// The addresses that the lowering of cta.store computes - one XOR with a value
/// per thread - are the swizzled addresses of the elements.
TEST(LayoutTest, StorePatternIsTheSwizzle) {
  for (unsigned swizzle : {32u, 64u, 128u})
    for (unsigned size : {2u, 4u})
      for (unsigned warp = 0; warp < 4; ++warp)
        for (unsigned lane = 0; lane < 32; ++lane) {
          unsigned quad = lane / 4;
          unsigned pattern = (((quad * swizzle) >> 7) & (swizzle / 16 - 1))
                             << 4;
          pattern ^= 2 * (lane % 4) * size;
          for (unsigned reg = 0; reg < 64; reg += 2) {
            unsigned j = reg / 2, byte = 8 * (j / 2) * size;
            unsigned computed = (16 * warp + quad) * swizzle +
                                (byte / swizzle * 64 + 8 * (j % 2)) * swizzle +
                                (pattern ^ (byte % swizzle));
            auto [row, column] = accumulatorElement(warp, lane, reg);
            unsigned offset = column * size;
            uint64_t plain = offset / swizzle * 64 * swizzle + row * swizzle +
                             offset % swizzle;
            EXPECT_EQ(computed, swizzleAddress(plain, swizzle));
          }
        }
}
