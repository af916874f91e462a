//===- Amax.h - Largest magnitude with NaN and infinity flags ---*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The amax of a tensor: the largest *finite* |x|, and what else was seen
// as flag bits. Merging is a max and an or, so the order of elements, blocks
// and ranks never shows in the result.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_AMAX_H
#define FP8_NUMERICS_AMAX_H

#include "fp8/Numerics/Format.h"

#include <cstddef>

namespace fp8::numerics {

/// Flag bits of an amax.
enum AmaxFlags : uint8_t { AmaxNaN = 1, AmaxInf = 2 };

/// The largest finite magnitude (+0 if there is none) and AmaxFlags.
struct Amax {
  float value = 0.0f;
  uint8_t flags = 0;

  bool hasNaN() const { return flags & AmaxNaN; }
  bool hasInf() const { return flags & AmaxInf; }
};

inline bool operator==(Amax a, Amax b) {
  return toBits(a.value) == toBits(b.value) && a.flags == b.flags;
}

/// Takes one element in.
inline void accumulate(Amax &amax, float x) {
  uint32_t magnitude = toBits(x) & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u)
    amax.flags |= AmaxNaN;
  else if (magnitude == 0x7F800000u)
    amax.flags |= AmaxInf;
  else if (magnitude > toBits(amax.value))
    amax.value = fromBits(magnitude);
}

/// The amax of two disjoint sets of elements.
inline Amax merge(Amax a, Amax b) {
  return {a.value < b.value ? b.value : a.value,
          static_cast<uint8_t>(a.flags | b.flags)};
}

/// The amax of `count` contiguous elements.
Amax amax(const float *values, size_t count);
/// The same over BF16 elements.
Amax amaxBF16(const uint16_t *values, size_t count);

} // namespace fp8::numerics

#endif // FP8_NUMERICS_AMAX_H
