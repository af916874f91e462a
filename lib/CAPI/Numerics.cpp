//===- Numerics.cpp - C interface of the numerics library -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the enumerations and loops; no rule lives here.
//
//===----------------------------------------------------------------------===//

#include "fp8-c/Numerics.h"

#include "fp8/Numerics/ContractKernel.h"
#include "fp8/Numerics/DelayedScaling.h"
#include "fp8/Numerics/Scale.h"

using namespace fp8::numerics;

namespace {

constexpr int kInvalid = 1;

/// True when `value` names one of the enumerators from 0 to `last`.
template <typename Enum>
bool valid(int value, Enum last) {
  return value >= 0 && value <= static_cast<int>(last);
}

/// True for the two formats of data (E8M0 is one of scales).
bool isDataFormat(int format) { return valid(format, Format::E5M2); }

/// Beyond it, maxFinite * 2^-margin would not be exact.
bool isMargin(int margin) { return margin >= -64 && margin <= 64; }

} // namespace

int fp8_numerics_decode(const uint8_t *codes, size_t count, int format,
                        float *values) {
  if (!valid(format, Format::E8M0))
    return kInvalid;
  for (size_t i = 0; i < count; ++i)
    values[i] = decode(codes[i], static_cast<Format>(format));
  return 0;
}

int fp8_numerics_encode(const float *values, size_t count, int format,
                        int saturate, uint8_t *codes) {
  if (!valid(format, Format::E8M0))
    return kInvalid;
  for (size_t i = 0; i < count; ++i)
    codes[i] = encode(values[i], static_cast<Format>(format), saturate != 0);
  return 0;
}

int fp8_numerics_encode_e8m0(const float *values, size_t count, int rounding,
                             int saturate, uint8_t *codes) {
  if (!valid(rounding, E8M0Rounding::Down))
    return kInvalid;
  for (size_t i = 0; i < count; ++i)
    codes[i] = encodeE8M0(values[i], static_cast<E8M0Rounding>(rounding),
                          saturate != 0);
  return 0;
}

int fp8_numerics_to_bf16(const float *values, size_t count, uint16_t *bits) {
  for (size_t i = 0; i < count; ++i)
    bits[i] = toBF16(values[i]);
  return 0;
}

int fp8_numerics_amax(const float *values, size_t count, float *amaxValue,
                      uint8_t *flags) {
  Amax result = amax(values, count);
  *amaxValue = result.value;
  *flags = result.flags;
  return 0;
}

int fp8_numerics_scale_from_amax(const float *amaxes, const uint8_t *flags,
                                 size_t count, int format, int mode, int margin,
                                 int pow2, float *multipliers, float *scales) {
  if (!isDataFormat(format) || !valid(mode, Mode::DeepGEMM) ||
      !isMargin(margin))
    return kInvalid;
  ScaleOptions options;
  options.margin = margin;
  options.pow2 = pow2 != 0;
  for (size_t i = 0; i < count; ++i) {
    ScalePair pair =
        scaleFromAmax({amaxes[i], flags[i]}, static_cast<Format>(format),
                      static_cast<Mode>(mode), options);
    multipliers[i] = pair.multiplier;
    scales[i] = pair.scale;
  }
  return 0;
}

int fp8_numerics_e8m0_from_amax(const float *amaxes, size_t count, int format,
                                int rule, float epsilon, uint8_t *codes) {
  if (!isDataFormat(format) || !valid(rule, E8M0Rule::UpClamped))
    return kInvalid;
  for (size_t i = 0; i < count; ++i)
    codes[i] = e8m0FromRawAmax(amaxes[i], static_cast<Format>(format),
                               static_cast<E8M0Rule>(rule), epsilon);
  return 0;
}

int fp8_numerics_quantize(const float *values, size_t count, float multiplier,
                          float scale, int mode, int format, uint8_t *codes) {
  if (!isDataFormat(format) || !valid(mode, Mode::DeepGEMM))
    return kInvalid;
  for (size_t i = 0; i < count; ++i)
    codes[i] = quantize(values[i], {multiplier, scale}, static_cast<Mode>(mode),
                        static_cast<Format>(format));
  return 0;
}

int fp8_numerics_delayed_update(float *history, int64_t length, int64_t slots,
                                float *multipliers, int32_t *counts,
                                uint8_t *flags, int format, int mode,
                                int most_recent, int margin) {
  if (!isDataFormat(format) || !valid(mode, Mode::DeepGEMM) ||
      !supportsDelayed(static_cast<Mode>(mode)) || !isMargin(margin) ||
      length < 1)
    return kInvalid;
  DelayedOptions options;
  options.mode = static_cast<Mode>(mode);
  options.format = static_cast<Format>(format);
  options.algo = most_recent ? AmaxAlgo::MostRecent : AmaxAlgo::Max;
  options.margin = margin;
  for (int64_t i = 0; i < slots; ++i)
    update({history + i, length, slots, multipliers + i, counts + i, flags + i},
           options);
  return 0;
}

int fp8_numerics_contract(const void *lhs, int lhs_kind, const void *rhs,
                          int rhs_kind, int64_t m, int64_t n, int64_t k,
                          float scale, int accum, int64_t promote,
                          const int64_t *split, size_t split_count,
                          float *out) {
  if (!valid(lhs_kind, ElementKind::F32) ||
      !valid(rhs_kind, ElementKind::F32) || !valid(accum, AccumKind::Exact) ||
      m < 0 || n < 0 || k < 0)
    return kInvalid;
  ContractArgs args;
  args.m = m;
  args.n = n;
  args.k = k;
  args.lhs = {lhs, static_cast<ElementKind>(lhs_kind), 0, k, 1};
  args.rhs = {rhs, static_cast<ElementKind>(rhs_kind), 0, n, 1};
  args.out = {out, ElementKind::F32, 0, n, 1};
  args.scale = scale;
  args.model = {static_cast<AccumKind>(accum), promote, {}};
  if (split_count)
    args.model.split.assign(split, split + split_count);
  if (checkModel(args.model))
    return kInvalid;
  contract(args);
  return 0;
}
