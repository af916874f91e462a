//===- Layout.cpp - Where elements of tiles and fragments lie -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering and the tests share these formulas; the tests also hold them
// against vectors from an independent model.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/CTA/IR/Layout.h"

using namespace mlir::cta;

uint64_t mlir::cta::swizzleAddress(uint64_t address, unsigned swizzle) {
  if (swizzle == 0)
    return address;
  // 2, 4 or 8 chunks of 16 bytes in a line.
  uint64_t chunkMask = swizzle / 16 - 1;
  return address ^ (((address >> 7) & chunkMask) << 4);
}

unsigned mlir::cta::swizzleRepeat(unsigned swizzle) {
  return swizzle == 0 ? 128 : 8 * swizzle;
}

uint64_t mlir::cta::wgmmaDescriptor(uint64_t address, unsigned swizzle) {
  uint64_t code = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  uint64_t groupPitch = 8 * swizzle;
  return ((address & 0x3FFFF) >> 4) | (uint64_t{1} << 16) |
         ((groupPitch >> 4) << 32) | (code << 62);
}

uint64_t mlir::cta::tcgen05Descriptor(uint64_t address, unsigned swizzle) {
  uint64_t code = swizzle == 128 ? 2 : swizzle == 64 ? 4 : 6;
  uint64_t groupPitch = 8 * swizzle;
  return ((address & 0x3FFFF) >> 4) | (uint64_t{1} << 16) |
         ((groupPitch >> 4) << 32) | (uint64_t{1} << 46) | (code << 61);
}

uint32_t mlir::cta::tcgen05Instruction(unsigned rows, unsigned columns,
                                       Tcgen05Format a, Tcgen05Format b) {
  return 1u << 4 | static_cast<uint32_t>(a) << 7 |
         static_cast<uint32_t>(b) << 10 | columns / 8 << 17 | rows / 16 << 24;
}

std::pair<unsigned, unsigned>
mlir::cta::accumulatorElement(unsigned warp, unsigned lane, unsigned reg) {
  return {16 * warp + lane / 4 + 8 * ((reg >> 1) & 1),
          8 * (reg >> 2) + 2 * (lane % 4) + (reg & 1)};
}
