//===- Swizzle.h - Shared-memory swizzles and descriptors -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The address permutations that TMA, wgmma and tcgen05 share, and the 64-bit
// shared-memory matrix descriptors of Hopper and Blackwell.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_SWIZZLE_H
#define FP8_EMULATOR_SWIZZLE_H

#include <cstdint>
#include <string>

namespace fp8::emulator {

/// Values are those of CUtensorMapSwizzle.
enum class Swizzle : uint8_t {
  None = 0,
  B32 = 1,
  B64 = 2,
  B128 = 3,
  B128Atom32 = 4,      ///< 128 bytes, 32-byte atoms
  B128Atom32Flip8 = 5, ///< as above, 8-byte halves of each 16 bytes exchanged
                       ///< on odd rows
  B128Atom64 = 6       ///< 128 bytes, 64-byte atoms
};

/// Bytes of a row that the pattern permutes: 16, 32, 64 or 128.
unsigned swizzleSpan(Swizzle swizzle);
/// The alignment at which the pattern repeats: 16, 256, 512 or 1024 bytes.
unsigned swizzleRepeat(Swizzle swizzle);

/// Where the byte with linear (unswizzled) shared address `address` lies.
/// Involution on 16-byte units.
inline uint32_t applySwizzle(uint32_t address, Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return address;
  case Swizzle::B32:
    return address ^ ((address >> 3) & 0x10);
  case Swizzle::B64:
    return address ^ ((address >> 3) & 0x30);
  case Swizzle::B128:
    return address ^ ((address >> 3) & 0x70);
  case Swizzle::B128Atom32:
    return address ^ ((address >> 2) & 0x60);
  case Swizzle::B128Atom32Flip8:
    return address ^ ((address >> 2) & 0x60) ^ ((address >> 4) & 0x8);
  case Swizzle::B128Atom64:
    return address ^ ((address >> 1) & 0x40);
  }
  return address;
}

/// A decoded matrix descriptor. Offsets are in bytes.
struct MatrixDescriptor {
  uint32_t start = 0;           ///< shared address, 18 bits
  uint32_t leadingOffset = 0;   ///< LBO
  uint32_t strideOffset = 0;    ///< SBO
  uint8_t baseOffset = 0;       ///< 0..7
  bool absoluteLeading = false; ///< sm_103 LBO mode: LBO is an address
  Swizzle swizzle = Swizzle::None;
};

/// Hopper (wgmma): swizzle in bits 62-63. Returns false and a reason if a field
/// has a value that the hardware does not define.
bool decodeHopperDescriptor(uint64_t bits, MatrixDescriptor &descriptor,
                            std::string &error);
/// Blackwell (tcgen05): version in bits 46-48, layout in bits 61-63.
bool decodeBlackwellDescriptor(uint64_t bits, MatrixDescriptor &descriptor,
                               std::string &error);

/// Where element (mn, k) of an operand lies: the byte address, in the 18-bit
/// shared window, of the byte that holds it. `elementBytes` is 1, 2 or 4;
/// `kMajor` says which dimension is contiguous.
///
/// Canonical layouts, T = 16 / elementBytes (own restatement of the layouts of
/// PTX "matrix descriptor"): K-major: rows in groups of 8, row pitch = span,
/// groups SBO apart, 16-byte K columns adjacent (LBO apart without swizzle).
/// MN-major: 8 k rows (4 for 32-byte atoms) of `span` bytes, k groups SBO
/// apart, panels of span bytes along MN LBO apart (without swizzle: MN columns
/// SBO apart, k groups LBO apart).
uint32_t elementAddress(const MatrixDescriptor &descriptor, bool kMajor,
                        unsigned elementBytes, unsigned mn, unsigned k);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_SWIZZLE_H
