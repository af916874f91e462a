//===- Layout.h - Where elements of tiles and fragments lie -----*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions on integers: the swizzle of shared memory as TMA and matrix
// instructions do it, the descriptors of wgmma and tcgen05, and which element
// of an accumulator a thread holds in which register. No MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_LAYOUT_H
#define FP8_DIALECT_CTA_IR_LAYOUT_H

#include <cstdint>
#include <utility>

namespace mlir::cta {

/// Bytes of an operand's line that one matrix instruction takes: 32 codes, or
/// 16 elements of bf16.
inline constexpr int64_t kStepBytes = 32;

/// The address that holds what an unswizzled layout would have at `address`
/// (bytes, in shared memory). `swizzle` is 0, 32, 64 or 128 bytes. The XOR is
/// on the absolute address: bits 4.. get bits 7.. of the same number of 16-byte
/// chunks per line.
uint64_t swizzleAddress(uint64_t address, unsigned swizzle);

/// The number of low address bits that `swizzle` reads: a tile whose start is a
/// multiple of this many bytes has the pattern of one that starts at 0.
unsigned swizzleRepeat(unsigned swizzle);

/// wgmma's 64-bit descriptor of a K-major tile at `address` (bytes, below
/// 256 KiB) with `swizzle` 32, 64 or 128: start address in bits 0-13, leading
/// byte offset (ignored by the hardware, 1) in 16-29, the distance of 8-row
/// groups in 32-45, the swizzle code in 62-63.
uint64_t wgmmaDescriptor(uint64_t address, unsigned swizzle);

/// tcgen05's 64-bit descriptor of a K-major tile at `address` (bytes, below
/// 256 KiB) with `swizzle` 32, 64 or 128: the low fields are wgmma's, then the
/// version (1) in bits 46-48 and the swizzle code in 61-63.
uint64_t tcgen05Descriptor(uint64_t address, unsigned swizzle);

/// Operands of tcgen05.mma, as their instruction descriptor numbers them within
/// their kind.
enum class Tcgen05Format : unsigned { E4M3 = 0, E5M2 = 1, BF16 = 1 };

/// tcgen05's 32-bit instruction descriptor for a dense product of K-major
/// operands with an f32 accumulator of `rows` x `columns`: f32 in bits 4-5, the
/// formats in 7-9 and 10-12, columns / 8 in 17-22, rows / 16 in 24-28.
uint32_t tcgen05Instruction(unsigned rows, unsigned columns, Tcgen05Format a,
                            Tcgen05Format b);

/// (row, column) of f32 register `reg` of lane `lane` in warp `warp` of a
/// warpgroup, in a 64-row accumulator.
std::pair<unsigned, unsigned> accumulatorElement(unsigned warp, unsigned lane,
                                                 unsigned reg);

} // namespace mlir::cta

#endif // FP8_DIALECT_CTA_IR_LAYOUT_H
