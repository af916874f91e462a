//===- BlockScale.cpp - E8M0 scales from block amaxes ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seven rules by which systems turn a block's amax into a power of two.
// They work on the f32 fields of the amax; an amax below the f32 normal range
// is far below the smallest scale and always gives byte 0.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Scale.h"

using namespace fp8::numerics;

namespace {

constexpr uint32_t kMantissaMask = 0x7FFFFFu;

uint32_t exponentField(float value) { return (toBits(value) >> 23) & 0xFFu; }
uint32_t mantissaField(float value) { return toBits(value) & kMantissaMask; }

/// The byte of 2^(field - 127 - emax + extra), clamped at the low end; the
/// subnormal field 0 lies below it.
uint8_t byteFrom(uint32_t field, Format format, bool extra) {
  int code = static_cast<int>(field) - info(format).maxExponent + extra;
  return static_cast<uint8_t>(code < 0 ? 0 : code);
}

uint8_t roundUp(float amax, Format format) {
  float reciprocal = 1.0f / maxFinite(format);
  return encodeE8M0(amax * reciprocal, E8M0Rounding::Up, /*saturate=*/true);
}

uint8_t roundEven(float amax, Format format) {
  // Half a unit of the element's mantissa; the carry may reach infinity.
  uint32_t half = 1u << (22 - info(format).mantissaBits);
  float rounded = fromBits(toBits(amax) + half);
  if (!isFinite(rounded))
    return kNaNE8M0;
  return byteFrom(exponentField(rounded), format, false);
}

uint8_t noOverflow(float amax, Format format) {
  // The last number that rounds to a finite code lies half a step above the
  // largest one: 464 itself does (448 is even), 61440 does not (57344 is odd).
  uint32_t mantissa = mantissaField(amax);
  bool beyond = format == Format::E4M3FN ? mantissa > mantissaField(464.0f)
                                         : mantissa >= mantissaField(61440.0f);
  return byteFrom(exponentField(amax), format, beyond);
}

uint8_t upClamped(float amax, Format format) {
  float scale = amax / maxFinite(format);
  uint32_t code = exponentField(scale) + (mantissaField(scale) != 0);
  return static_cast<uint8_t>(code < 1 ? 1 : code > 254 ? 254 : code);
}

} // namespace

E8M0Rule fp8::numerics::defaultE8M0Rule(Mode mode) {
  switch (mode) {
  case Mode::OCP:
  case Mode::TorchAO:
    return E8M0Rule::Floor;
  case Mode::DeepGEMM:
    return E8M0Rule::UpClamped;
  case Mode::Safe:
  case Mode::TE:
  case Mode::Flax:
    break;
  }
  return E8M0Rule::Up;
}

uint8_t fp8::numerics::e8m0FromRawAmax(float amax, Format format, E8M0Rule rule,
                                       float epsilon) {
  if (amax < epsilon)
    amax = epsilon;
  if (rule == E8M0Rule::Up)
    return roundUp(amax, format);
  if (rule == E8M0Rule::UpClamped)
    return upClamped(amax, format);
  if (!isFinite(amax))
    return kNaNE8M0;
  switch (rule) {
  case E8M0Rule::RCeil:
    return roundUp(amax, format);
  case E8M0Rule::Floor:
    return byteFrom(exponentField(amax), format, false);
  case E8M0Rule::Ceil:
    return byteFrom(exponentField(amax), format, mantissaField(amax) != 0);
  case E8M0Rule::Even:
    return roundEven(amax, format);
  case E8M0Rule::NoOverflow:
    return noOverflow(amax, format);
  case E8M0Rule::Up:
  case E8M0Rule::UpClamped:
    break;
  }
  return kNaNE8M0;
}

uint8_t fp8::numerics::e8m0FromAmax(Amax amax, Format format, Mode mode,
                                    E8M0Rule rule,
                                    const ScaleOptions &options) {
  return e8m0FromRawAmax(amaxSeenBy(mode, amax), format, rule,
                         effectiveEpsilon(mode, options));
}

ScalePair fp8::numerics::pairFromE8M0(uint8_t code) {
  if (code == kNaNE8M0)
    return {fromBits(kNaN32), fromBits(kNaN32)};
  float multiplier = code == 254
                         ? 0x1p-127f
                         : fromBits(static_cast<uint32_t>(254 - code) << 23);
  return {multiplier, decodeE8M0(code)};
}
