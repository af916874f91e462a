//===- MicroKernel.h - Tiles of a contraction, per instruction set --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One output tile of rows x columns, over a run of k. Operands are packed: a is
// [k][rows], b is [k][columns], the accumulators are [rows][columns]. This
// header is seen by files that are compiled for instruction sets that the host
// may not have, so it must not contain inline functions.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_NUMERICS_MICROKERNEL_H
#define FP8_LIB_NUMERICS_MICROKERNEL_H

#include <cstdint>

namespace fp8::numerics {

// Packed exponents. A zero has one so low that any sum with it is below every
// product of non-zero numbers, a non-finite number one so high that any sum
// with it is above; sums of two fit 16 bits.
constexpr int16_t kZeroExponent = -8000;
constexpr int16_t kNonFiniteExponent = 15000;
/// No sum of exponents of non-zero operands lies below this.
constexpr int kNoProduct = -4000;
/// Largest exponents for which a tensor-core sum can be done in f32 steps: the
/// factors 2^(F - E) and 2^(E - F) are normal, and so is every result.
constexpr int kLowestFastExponent = -100;
constexpr int kHighestFastExponent = 120;

/// acc = rn(acc + a * b) along k.
using ChainKernel = void (*)(const float *a, const float *b, int64_t k,
                             float *acc);

/// A tensor-core sum of one output, with any operands. `a` and `b` point at the
/// first of the terms; `context` is MmaTile::context.
using SlowStep = float (*)(const void *context, const float *a, const float *b,
                           float c);

/// One tile under a tensor-core model.
struct MmaTile {
  const float *a;
  /// [k][rows], the exponent in both halves of the word.
  const int32_t *aExponents;
  const float *b;
  const int16_t *bExponents;
  /// A multiple of the unit's terms.
  int64_t k;
  float *acc;
  /// For lanes whose exponents leave the fast range.
  SlowStep slowStep;
  const void *context;
};

using MmaKernel = void (*)(const MmaTile &tile);

/// The magnitudes, as bits, of the finite non-zero elements among `count`:
/// smallest > largest if there are none. Infinities and NaN behave alike in
/// either order of rounding, so they do not count.
struct MagnitudeRange {
  int32_t smallest;
  int32_t largest;
};
using RangeKernel = MagnitudeRange (*)(const float *packed, int64_t count);

/// The kernels of one instruction set.
struct MicroKernels {
  int rows;
  int columns;
  /// With one rounding per step (fma); only for exact products.
  ChainKernel fused;
  /// Product and sum rounded separately.
  ChainKernel separate;
  /// The kernels of the units {32, 13, 13}, {16, 13, 13}, {32, 25, 23},
  /// {16, 25, 23} and {8, 24, 23}, in this order.
  MmaKernel mma[5];
  RangeKernel range;
};

const MicroKernels &portableKernels();
#if defined(__x86_64__)
const MicroKernels &avx2Kernels();
const MicroKernels &avx512Kernels();
#endif

} // namespace fp8::numerics

#endif // FP8_LIB_NUMERICS_MICROKERNEL_H
