//===- MicroKernelBody.h - The kernels, over a vector width ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once by each MicroKernel<ISA>.cpp, which first defines kLanes (f32
// lanes of a register), kRows, fusedMultiplyAdd() and anyLane(). All lanes do
// the same arithmetic on every instruction set, and every operation is exact or
// rounds once, so the bits do not depend on kLanes.
//
// A file that includes this is compiled with its own target flags: everything
// here has internal linkage, and no standard library template is used, or the
// linker could pick an AVX copy of a function for a host without AVX.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_NUMERICS_MICROKERNELBODY_H
#define FP8_LIB_NUMERICS_MICROKERNELBODY_H

#include "MicroKernel.h"

#include <cstring>

// Loops over registers must unroll, or the registers become memory.
#if defined(__clang__)
#define FP8_UNROLL _Pragma("clang loop unroll(full)")
#else
#define FP8_UNROLL _Pragma("GCC unroll 32")
#endif

namespace {

using fp8::numerics::kHighestFastExponent;
using fp8::numerics::kLowestFastExponent;
using fp8::numerics::kNoProduct;
using fp8::numerics::MmaTile;

constexpr int kColumns = 2 * kLanes;

typedef uint32_t UnsignedVec __attribute__((vector_size(kLanes * 4)));
typedef int16_t ShortVec __attribute__((vector_size(kLanes * 4)));
typedef int16_t HalfShortVec __attribute__((vector_size(kLanes * 2)));
typedef double DoubleVec __attribute__((vector_size(kLanes * 8)));
typedef int64_t LongVec __attribute__((vector_size(kLanes * 8)));

template <typename V, typename T>
inline V load(const T *from) {
  V value;
  memcpy(&value, from, sizeof(V));
  return value;
}

template <typename V, typename T>
inline void store(T *to, V value) {
  memcpy(to, &value, sizeof(V));
}

template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// x - 0 is x for every x, also for -0.
inline FloatVec splat(float x) { return x - FloatVec{}; }

template <bool kFused>
inline FloatVec step(FloatVec a, FloatVec b, FloatVec acc) {
  if (kFused)
    return fusedMultiplyAdd(a, b, acc);
  FloatVec product = a * b;
  return acc + product;
}

template <bool kFused>
void chain(const float *a, const float *b, int64_t k, float *acc) {
  FloatVec c[kRows][2];
  FP8_UNROLL
  for (int r = 0; r < kRows; ++r)
    for (int h = 0; h < 2; ++h)
      c[r][h] = load<FloatVec>(acc + r * kColumns + h * kLanes);
  for (int64_t p = 0; p < k; ++p, a += kRows, b += kColumns) {
    FloatVec b0 = load<FloatVec>(b), b1 = load<FloatVec>(b + kLanes);
    FP8_UNROLL
    for (int r = 0; r < kRows; ++r) {
      FloatVec x = splat(a[r]);
      c[r][0] = step<kFused>(x, b0, c[r][0]);
      c[r][1] = step<kFused>(x, b1, c[r][1]);
    }
  }
  FP8_UNROLL
  for (int r = 0; r < kRows; ++r)
    for (int h = 0; h < 2; ++h)
      store(acc + r * kColumns + h * kLanes, c[r][h]);
}

/// 2^exponent in every lane; normal numbers only.
inline FloatVec powerOfTwo(IntVec exponent) {
  return bitCast<FloatVec>((exponent + 127) << 23);
}

/// The exponent of an accumulator: subnormals have -126, zero none, infinity
/// and NaN 128.
inline IntVec exponentOf(FloatVec c) {
  IntVec field = (bitCast<IntVec>(c) >> 23) & 0xFF;
  IntVec exponent = field - 127;
  exponent = exponent < -126 ? IntVec{} - 126 : exponent;
  return c == FloatVec{} ? IntVec{} + 2 * kNoProduct : exponent;
}

/// The largest product exponent of `kTerms` products, for all columns.
template <int kTerms>
inline ShortVec largestExponent(const int32_t *a, const int16_t *b) {
  ShortVec largest = bitCast<ShortVec>(IntVec{} + a[0]) + load<ShortVec>(b);
  for (int q = 1; q < kTerms; ++q) {
    ShortVec sum = bitCast<ShortVec>(IntVec{} + a[q * kRows]) +
                   load<ShortVec>(b + q * kColumns);
    largest = largest > sum ? largest : sum;
  }
  return largest;
}

/// Products that one 32-bit sum can take: 16 * 3.97 * 2^25 < 2^31.
template <int kTerms, int kFraction>
constexpr int groupSize() {
  return kFraction == 13 || kTerms < 16 ? kTerms : 16;
}

/// a + b, which may wrap: lanes that are out of range are redone.
inline IntVec addWrapping(IntVec a, IntVec b) {
  return bitCast<IntVec>(bitCast<UnsignedVec>(a) + bitCast<UnsignedVec>(b));
}

/// sum and c, cut to `kFraction` bits, added exactly and cut to `kOut` bits.
template <int kGroups, int kFraction, int kOut>
inline FloatVec finish(const IntVec (&sums)[kGroups], FloatVec c,
                       FloatVec toFixed, FloatVec fromFixed) {
  IntVec addend = __builtin_convertvector(c * toFixed, IntVec);
  if constexpr (kFraction == 13) {
    // Below 2^24: exact in f32.
    FloatVec sum =
        __builtin_convertvector(addWrapping(sums[0], addend), FloatVec);
    IntVec bits = bitCast<IntVec>(sum * fromFixed);
    return bitCast<FloatVec>(bits & ~((1 << (23 - kOut)) - 1));
  } else {
    static_assert(kOut == 23, "an f32 result");
    DoubleVec sum = __builtin_convertvector(addend, DoubleVec);
    for (int g = 0; g < kGroups; ++g)
      sum += __builtin_convertvector(sums[g], DoubleVec);
    LongVec bits = bitCast<LongVec>(sum) & ~((int64_t{1} << 29) - 1);
    return __builtin_convertvector(bitCast<DoubleVec>(bits), FloatVec) *
           fromFixed;
  }
}

/// Redoes the lanes of `bad` one by one.
inline FloatVec redoLanes(const MmaTile &tile, IntVec bad, const float *a,
                          const float *b, FloatVec c, FloatVec result) {
  for (int lane = 0; lane < kLanes; ++lane)
    if (bad[lane])
      result[lane] = tile.slowStep(tile.context, a, b + lane, c[lane]);
  return result;
}

/// One tensor-core sum for all columns of one row; c is the accumulator.
template <int kTerms, int kFraction, int kOut>
inline void mmaStep(const MmaTile &tile, int64_t p, int row, FloatVec (&c)[2]) {
  constexpr int kGroup = groupSize<kTerms, kFraction>();
  constexpr int kGroups = kTerms / kGroup;
  const float *a = tile.a + p * kRows + row;
  const float *b = tile.b + p * kColumns;
  ShortVec products = largestExponent<kTerms>(tile.aExponents + p * kRows + row,
                                              tile.bExponents + p * kColumns);

  IntVec bad[2];
  FloatVec toFixed[2], fromFixed[2];
  for (int h = 0; h < 2; ++h) {
    HalfShortVec half;
    memcpy(&half, reinterpret_cast<const char *>(&products) + h * sizeof(half),
           sizeof(half));
    IntVec exponent = __builtin_convertvector(half, IntVec);
    IntVec addend = exponentOf(c[h]);
    exponent = exponent > addend ? exponent : addend;
    bad[h] = (exponent > kHighestFastExponent) |
             ((exponent < kLowestFastExponent) & (exponent > kNoProduct));
    IntVec low = IntVec{} + kLowestFastExponent;
    IntVec high = IntVec{} + kHighestFastExponent;
    exponent = exponent < low ? low : exponent;
    exponent = exponent > high ? high : exponent;
    toFixed[h] = powerOfTwo(kFraction - exponent);
    fromFixed[h] = powerOfTwo(exponent - kFraction);
  }

  IntVec sums[2][kGroups] = {};
  for (int g = 0; g < kGroups; ++g)
    for (int q = g * kGroup; q < (g + 1) * kGroup; ++q) {
      FloatVec x = splat(a[q * kRows]);
      for (int h = 0; h < 2; ++h) {
        FloatVec product = x * load<FloatVec>(b + q * kColumns + h * kLanes);
        // The conversion cuts toward zero.
        sums[h][g] = addWrapping(
            sums[h][g], __builtin_convertvector(product * toFixed[h], IntVec));
      }
    }

  for (int h = 0; h < 2; ++h) {
    FloatVec result = finish<kGroups, kFraction, kOut>(
        sums[h], c[h], toFixed[h], fromFixed[h]);
    if (__builtin_expect(anyLane(bad[h]), 0))
      result = redoLanes(tile, bad[h], a, b + h * kLanes, c[h], result);
    c[h] = result;
  }
}

template <int kTerms, int kFraction, int kOut>
void mma(const MmaTile &tile) {
  for (int row = 0; row < kRows; ++row) {
    float *acc = tile.acc + row * kColumns;
    FloatVec c[2] = {load<FloatVec>(acc), load<FloatVec>(acc + kLanes)};
    for (int64_t p = 0; p < tile.k; p += kTerms)
      mmaStep<kTerms, kFraction, kOut>(tile, p, row, c);
    store(acc, c[0]);
    store(acc + kLanes, c[1]);
  }
}

/// Magnitudes order like integers.
fp8::numerics::MagnitudeRange range(const float *packed, int64_t count) {
  constexpr int32_t kInfinityBits = 0x7F800000, kLargestBits = 0x7FFFFFFF;
  IntVec smallest = kLargestBits - IntVec{}, largest = {};
  auto add = [&](IntVec bits) {
    IntVec magnitude = bits & kLargestBits;
    IntVec counts = (magnitude > 0) & (magnitude < kInfinityBits);
    IntVec low = (magnitude & counts) | (~counts & kLargestBits);
    IntVec high = magnitude & counts;
    IntVec less = low<smallest, more = high> largest;
    smallest = (low & less) | (smallest & ~less);
    largest = (high & more) | (largest & ~more);
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    add(load<IntVec>(packed + i));
  IntVec rest = {};
  for (int lane = 0; i + lane < count; ++lane)
    std::memcpy(reinterpret_cast<char *>(&rest) + 4 * lane, packed + i + lane,
                4);
  add(rest);
  fp8::numerics::MagnitudeRange result = {smallest[0], largest[0]};
  for (int lane = 1; lane < kLanes; ++lane) {
    result.smallest =
        smallest[lane] < result.smallest ? smallest[lane] : result.smallest;
    result.largest =
        largest[lane] > result.largest ? largest[lane] : result.largest;
  }
  return result;
}

constexpr fp8::numerics::MicroKernels kKernels = {
    kRows,
    kColumns,
    chain<true>,
    chain<false>,
    {mma<32, 13, 13>, mma<16, 13, 13>, mma<32, 25, 23>, mma<16, 25, 23>,
     mma<8, 24, 23>},
    range};

} // namespace

#endif // FP8_LIB_NUMERICS_MICROKERNELBODY_H
