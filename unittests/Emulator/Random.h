//===- Random.h - Inputs for the emulator's tests ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small generator and the values that break things: zeros, subnormals,
// infinities, NaNs, neighbours of powers of two.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_EMULATOR_RANDOM_H
#define FP8_UNITTESTS_EMULATOR_RANDOM_H

#include <cstdint>
#include <cstring>
#include <random>

namespace fp8::emulator::test {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  uint64_t bits() { return engine(); }
  unsigned below(unsigned n) { return engine() % n; }
  /// Bits of a float with `exponent` and `mantissa` bits: one third special,
  /// one third near 1, one third anything.
  uint64_t floatBits(unsigned exponent, unsigned mantissa) {
    uint64_t all = (uint64_t(1) << exponent) - 1;
    uint64_t m = engine() & ((uint64_t(1) << mantissa) - 1);
    uint64_t sign = (engine() & 1) << (exponent + mantissa);
    switch (below(3)) {
    case 0: {
      uint64_t es[] = {0, 1, all, all - 1, all / 2, all / 2 - 1};
      uint64_t ms[] = {0, 1, (uint64_t(1) << mantissa) - 1, m,
                       uint64_t(1) << (mantissa - 1)};
      return sign | es[below(6)] << mantissa | ms[below(5)];
    }
    case 1:
      return sign | (all / 2 - 4 + below(8)) << mantissa | m;
    default:
      return engine() & ((uint64_t(2) << (exponent + mantissa)) - 1);
    }
  }
  uint32_t f32() { return static_cast<uint32_t>(floatBits(8, 23)); }

private:
  std::mt19937_64 engine;
};

inline float asFloat(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint32_t asBits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

} // namespace fp8::emulator::test

#endif // FP8_UNITTESTS_EMULATOR_RANDOM_H
