//===- Swizzle.cpp - Shared-memory swizzles and matrix descriptors --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoding of matrix descriptors and the address of one element. The XOR acts
// on the final address, so advancing a start address inside an aligned atom is
// a plain addition, as kernels do.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Swizzle.h"

namespace fp8::emulator {

unsigned swizzleSpan(Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return 16;
  case Swizzle::B32:
    return 32;
  case Swizzle::B64:
    return 64;
  default:
    return 128;
  }
}

unsigned swizzleRepeat(Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return 16;
  case Swizzle::B32:
    return 256;
  case Swizzle::B64:
    return 512;
  default:
    return 1024;
  }
}

static MatrixDescriptor decodeCommon(uint64_t bits) {
  MatrixDescriptor d;
  d.start = static_cast<uint32_t>(bits & 0x3fff) << 4;
  d.leadingOffset = static_cast<uint32_t>((bits >> 16) & 0x3fff) << 4;
  d.strideOffset = static_cast<uint32_t>((bits >> 32) & 0x3fff) << 4;
  d.baseOffset = (bits >> 49) & 7;
  return d;
}

bool decodeHopperDescriptor(uint64_t bits, MatrixDescriptor &descriptor,
                            std::string &error) {
  descriptor = decodeCommon(bits);
  static constexpr Swizzle Modes[] = {Swizzle::None, Swizzle::B128,
                                      Swizzle::B64, Swizzle::B32};
  descriptor.swizzle = Modes[bits >> 62];
  constexpr uint64_t Defined = 0xC00E3FFF3FFF3FFFull;
  if (bits & ~Defined) {
    error = "matrix descriptor has reserved bits set";
    return false;
  }
  return true;
}

bool decodeBlackwellDescriptor(uint64_t bits, MatrixDescriptor &descriptor,
                               std::string &error) {
  descriptor = decodeCommon(bits);
  // Bits 46-48 are 1 by the document; Triton's kernels leave them 0 and run.
  if (((bits >> 46) & 7) > 1) {
    error = "matrix descriptor has version " +
            std::to_string((bits >> 46) & 7) +
            " in bits 46-48, expected 1 for tcgen05";
    return false;
  }
  descriptor.absoluteLeading = (bits >> 52) & 1;
  switch (bits >> 61) {
  case 0:
    descriptor.swizzle = Swizzle::None;
    return true;
  case 1:
    descriptor.swizzle = Swizzle::B128Atom32;
    return true;
  case 2:
    descriptor.swizzle = Swizzle::B128;
    return true;
  case 4:
    descriptor.swizzle = Swizzle::B64;
    return true;
  case 6:
    descriptor.swizzle = Swizzle::B32;
    return true;
  default:
    error = "matrix descriptor has undefined layout type " +
            std::to_string(bits >> 61) + " in bits 61-63";
    return false;
  }
}

uint32_t elementAddress(const MatrixDescriptor &d, bool kMajor,
                        unsigned elementBytes, unsigned mn, unsigned k) {
  unsigned span = swizzleSpan(d.swizzle), units = span / 16;
  bool plain = d.swizzle == Swizzle::None;
  // The contiguous dimension in bytes, split into 16-byte columns.
  unsigned along = (kMajor ? k : mn) * elementBytes;
  unsigned across = kMajor ? mn : k;
  unsigned column = along / 16, rows = 8;
  if (d.swizzle == Swizzle::B128Atom32 && !kMajor)
    rows = 4;
  // Rows of 48 bytes: the address of the span behind is given. They may begin
  // anywhere in theirs.
  if (d.absoluteLeading && kMajor && !plain) {
    column += d.start / 16 % units;
    uint32_t span0 = d.start & ~(span - 1);
    uint32_t first = column < units ? span0 : d.leadingOffset;
    uint32_t at =
        (first + across % rows * span + across / rows * d.strideOffset +
         column % units * 16 + along % 16) &
        0x3ffff;
    uint32_t moved = at - (uint32_t(d.baseOffset) << 7);
    return at ^ (moved ^ applySwizzle(moved, d.swizzle));
  }
  uint32_t groupStride = plain && !kMajor ? d.leadingOffset : d.strideOffset;
  uint32_t panelStride = plain && !kMajor ? d.strideOffset : d.leadingOffset;
  if (d.absoluteLeading)
    panelStride = (panelStride - d.start) & 0x3ffff;
  uint32_t address = d.start + (across % rows) * span +
                     (across / rows) * groupStride + (column % units) * 16 +
                     (column / units) * panelStride + along % 16;
  address &= 0x3ffff;
  uint32_t phase = address - (uint32_t(d.baseOffset) << 7);
  return address ^ (phase ^ applySwizzle(phase, d.swizzle));
}

} // namespace fp8::emulator
