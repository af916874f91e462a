//===- Shuffle.h - which lane a shuffle reads -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lane arithmetic of shfl.sync, for the instruction and for its monitor.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_SHUFFLE_H
#define FP8_LIB_EMULATOR_EXEC_SHUFFLE_H

#include <cstdint>

namespace fp8::emulator {

enum class Shuffle : uint16_t { Up, Down, Bfly, Idx };

/// The lane that `lane` reads: itself when the source is outside its segment,
/// which `inside` says. `b` is the lane or distance, `c` the clamp and segment
/// mask, as in PTX.
inline unsigned shuffleSource(Shuffle mode, int lane, uint32_t b, uint32_t c,
                              bool &inside) {
  int bval = b & 0x1f, cval = c & 0x1f, segment = c >> 8 & 0x1f;
  int minLane = lane & segment;
  int maxLane = minLane | (cval & ~segment);
  int j = lane;
  switch (mode) {
  case Shuffle::Up:
    j = lane - bval;
    inside = j >= maxLane;
    break;
  case Shuffle::Down:
    j = lane + bval;
    inside = j <= maxLane;
    break;
  case Shuffle::Bfly:
    j = lane ^ bval;
    inside = j <= maxLane;
    break;
  case Shuffle::Idx:
    j = minLane | (bval & ~segment);
    inside = j <= maxLane;
    break;
  }
  return inside ? j : lane;
}

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_SHUFFLE_H
