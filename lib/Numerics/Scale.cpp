//===- Scale.cpp - f32 scales from amaxes, in every mode ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per formula of Scale.h, each a chain of single f32 operations,
// so that a kernel in any language can reproduce it.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Scale.h"

#include <cmath>
#include <limits>

using namespace fp8::numerics;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float clearMantissa(float value) {
  return fromBits(toBits(value) & 0xFF800000u);
}

/// maxFinite * 2^-margin; exact, as |margin| <= 64.
float target(Format format, const ScaleOptions &options) {
  return std::ldexp(maxFinite(format), -options.margin);
}

/// `amax` bounded from below; NaN passes through, as in torch.clamp and in
/// `if (amax < eps)`.
float atLeast(float amax, float epsilon) {
  return amax < epsilon ? epsilon : amax;
}

ScalePair fromMultiplier(float multiplier) {
  return {canonicalize(multiplier), canonicalize(1.0f / multiplier)};
}

ScalePair scaleTE(float amax, Format format, bool safe,
                  const ScaleOptions &options) {
  if (!isFinite(amax) || amax == 0.0f)
    return options.previous;
  float multiplier = target(format, options) / amax;
  if (isInf(multiplier))
    multiplier = options.overflow;
  if (safe && multiplier < std::numeric_limits<float>::min())
    multiplier = std::numeric_limits<float>::min();
  if (options.pow2)
    multiplier = clearMantissa(multiplier);
  return fromMultiplier(multiplier);
}

ScalePair scaleFlax(float amax, Format format, const ScaleOptions &options) {
  float factor = (maxFinite(format) / amax) / std::ldexp(1.0f, options.margin);
  if (!(amax > 0.0f) || !isFinite(amax))
    factor = 1.0f / options.previous.scale;
  if (options.pow2 && !isNaN(factor))
    factor = clearMantissa(factor);
  return fromMultiplier(factor);
}

ScalePair scaleOCP(float amax, Format format, const ScaleOptions &options) {
  uint8_t code = e8m0FromRawAmax(amax, format, E8M0Rule::Floor);
  if (code == kNaNE8M0)
    return pairFromE8M0(code);
  int shifted = code + options.margin;
  return pairFromE8M0(static_cast<uint8_t>(shifted < 0     ? 0
                                           : shifted > 254 ? 254
                                                           : shifted));
}

ScalePair scaleTorchAO(float amax, Format format, const ScaleOptions &options) {
  float multiplier = target(format, options) / amax;
  if (options.pow2 && !isNaN(multiplier))
    multiplier = clearMantissa(multiplier);
  return fromMultiplier(multiplier);
}

ScalePair scaleDeepGEMM(float amax, Format format,
                        const ScaleOptions &options) {
  float scale = amax / target(format, options);
  if (options.pow2) {
    // The exponent, plus one unless the scale is a power of two already, within
    // E8M0's normal bytes; infinity and NaN end at 2^127 as in DeepGEMM.
    uint32_t field = (toBits(scale) >> 23) + ((toBits(scale) & 0x7FFFFFu) != 0);
    field = field < 1 ? 1 : field > 254 ? 254 : field;
    scale = fromBits(field << 23);
  }
  return {canonicalize(1.0f / scale), canonicalize(scale)};
}

} // namespace

float fp8::numerics::effectiveEpsilon(Mode mode, const ScaleOptions &options) {
  if (options.epsilon)
    return *options.epsilon;
  switch (mode) {
  case Mode::TorchAO:
    return 1e-12f;
  case Mode::DeepGEMM:
    return 1e-4f;
  case Mode::Safe:
  case Mode::TE:
  case Mode::Flax:
  case Mode::OCP:
    break;
  }
  return 0.0f;
}

float fp8::numerics::amaxSeenBy(Mode mode, Amax amax) {
  if (mode == Mode::Safe)
    return amax.value;
  if (mode != Mode::TE && amax.hasNaN())
    return fromBits(kNaN32);
  return amax.hasInf() ? kInfinity : amax.value;
}

ScalePair fp8::numerics::scaleFromRawAmax(float amax, Format format, Mode mode,
                                          const ScaleOptions &options) {
  amax = atLeast(amax, effectiveEpsilon(mode, options));
  switch (mode) {
  case Mode::Safe:
    return scaleTE(amax, format, /*safe=*/true, options);
  case Mode::TE:
    return scaleTE(amax, format, /*safe=*/false, options);
  case Mode::Flax:
    return scaleFlax(amax, format, options);
  case Mode::OCP:
    return scaleOCP(amax, format, options);
  case Mode::TorchAO:
    return scaleTorchAO(amax, format, options);
  case Mode::DeepGEMM:
    return scaleDeepGEMM(amax, format, options);
  }
  return {};
}

ScalePair fp8::numerics::scaleFromAmax(Amax amax, Format format, Mode mode,
                                       const ScaleOptions &options) {
  return scaleFromRawAmax(amaxSeenBy(mode, amax), format, mode, options);
}
