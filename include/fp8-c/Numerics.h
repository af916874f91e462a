/*===- fp8-c/Numerics.h - C interface of the numerics library -------*- C
-*-===*\
|*                                                                            *|
|* Part of the FP8 project, under the Apache License v2.0 with LLVM           *|
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception        *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The rules of lib/Numerics over arrays, for other languages and for tests.  *|
|* Every function returns 0, or 1 and does nothing if an argument is not one  *|
|* of the listed values. Arrays hold `count` contiguous elements.             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FP8_C_NUMERICS_H
#define FP8_C_NUMERICS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FP8_NUMERICS_EXPORT __attribute__((visibility("default")))
#else
#define FP8_NUMERICS_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** 8-bit formats. */
enum { FP8_E4M3FN = 0, FP8_E5M2 = 1, FP8_E8M0 = 2 };
/** Element kinds of operands. */
enum { FP8_KIND_E4M3FN = 0, FP8_KIND_E5M2, FP8_KIND_BF16, FP8_KIND_F32 };
/** Numerics modes. */
enum {
  FP8_MODE_SAFE = 0,
  FP8_MODE_TE,
  FP8_MODE_FLAX,
  FP8_MODE_OCP,
  FP8_MODE_TORCHAO,
  FP8_MODE_DEEPGEMM
};
/** Rounding of conversions to E8M0. */
enum { FP8_E8M0_NEAREST = 0, FP8_E8M0_UP, FP8_E8M0_DOWN };
/** Rules of E8M0 scales. */
enum {
  FP8_RULE_UP = 0,
  FP8_RULE_RCEIL,
  FP8_RULE_FLOOR,
  FP8_RULE_EVEN,
  FP8_RULE_CEIL,
  FP8_RULE_NO_OVERFLOW,
  FP8_RULE_UP_CLAMPED
};
/** Accumulation models. */
enum {
  FP8_ACCUM_SEQ_F32 = 0,
  FP8_ACCUM_HOPPER,
  FP8_ACCUM_ADA,
  FP8_ACCUM_BLACKWELL,
  FP8_ACCUM_EXACT
};

/** values[i] = the exact value of codes[i]. */
FP8_NUMERICS_EXPORT int fp8_numerics_decode(const uint8_t *codes, size_t count,
                                            int format, float *values);

/** codes[i] = values[i] rounded to nearest, ties to even. */
FP8_NUMERICS_EXPORT int fp8_numerics_encode(const float *values, size_t count,
                                            int format, int saturate,
                                            uint8_t *codes);

/** codes[i] = values[i] converted to E8M0. */
FP8_NUMERICS_EXPORT int fp8_numerics_encode_e8m0(const float *values,
                                                 size_t count, int rounding,
                                                 int saturate, uint8_t *codes);

/** bits[i] = values[i] rounded to BF16. */
FP8_NUMERICS_EXPORT int fp8_numerics_to_bf16(const float *values, size_t count,
                                             uint16_t *bits);

/** The largest finite magnitude and the flags (bit 0 NaN, bit 1 infinity). */
FP8_NUMERICS_EXPORT int fp8_numerics_amax(const float *values, size_t count,
                                          float *amax, uint8_t *flags);

/** f32 scales from (amax, flags) pairs; previous multiplier and scale are 1. */
FP8_NUMERICS_EXPORT int
fp8_numerics_scale_from_amax(const float *amaxes, const uint8_t *flags,
                             size_t count, int format, int mode, int margin,
                             int pow2, float *multipliers, float *scales);

/** E8M0 scales from block amaxes, NaN and infinity included. */
FP8_NUMERICS_EXPORT int fp8_numerics_e8m0_from_amax(const float *amaxes,
                                                    size_t count, int format,
                                                    int rule, float epsilon,
                                                    uint8_t *codes);

/** codes[i] = the cast of values[i] with a scale pair in `mode`. */
FP8_NUMERICS_EXPORT int fp8_numerics_quantize(const float *values, size_t count,
                                              float multiplier, float scale,
                                              int mode, int format,
                                              uint8_t *codes);

/** One update of delayed scaling (modes safe, te, flax) for `slots` tensors.
    history is [length, slots], row 0 the open slot; the others are [slots].
    most_recent: 0 takes the maximum of the window. */
FP8_NUMERICS_EXPORT int
fp8_numerics_delayed_update(float *history, int64_t length, int64_t slots,
                            float *multipliers, int32_t *counts, uint8_t *flags,
                            int format, int mode, int most_recent, int margin);

/** out[m, n] (f32, row-major) = rn(acc * scale), acc the contraction of
    lhs [m, k] and rhs [k, n], both row-major, under an accumulation model;
    promote 0 is none; split holds split_count ascending positions in k. */
FP8_NUMERICS_EXPORT int
fp8_numerics_contract(const void *lhs, int lhs_kind, const void *rhs,
                      int rhs_kind, int64_t m, int64_t n, int64_t k,
                      float scale, int accum, int64_t promote,
                      const int64_t *split, size_t split_count, float *out);

#ifdef __cplusplus
}
#endif

#endif /* FP8_C_NUMERICS_H */
