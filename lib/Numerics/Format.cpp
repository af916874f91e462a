//===- Format.cpp - FP8, E8M0 and BF16 encodings --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions in integer arithmetic on the f32 bits, so that the host's
// rounding and flush-to-zero modes have no say.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Format.h"

#include <array>

using namespace fp8::numerics;

namespace {

constexpr uint32_t kInf32 = 0x7F800000u;
constexpr int kMantissaBits32 = 23;
constexpr int kBias32 = 127;

constexpr FormatInfo kInfo[] = {
    {3, 7, -6, 8, 448.0f, 0x1p-6f, 0x1p-9f},
    {2, 15, -14, 15, 57344.0f, 0x1p-14f, 0x1p-16f},
    {0, 127, -127, 127, 0x1p127f, 0x1p-127f, 0x1p-127f},
};

/// The largest finite code of a signed format.
constexpr uint8_t maxCode(Format format) {
  return format == Format::E4M3FN ? 0x7E : 0x7B;
}

/// What a not saturating conversion makes of an overflow.
constexpr uint8_t overflowCode(Format format) {
  return format == Format::E4M3FN ? kNaN8 : 0x7C;
}

/// `value` divided by 2^shift, to nearest, ties to even.
uint32_t shiftRightRNE(uint32_t value, int shift) {
  if (shift >= 32)
    return 0;
  uint32_t kept = value >> shift;
  uint32_t rest = value & ((1u << shift) - 1);
  uint32_t half = 1u << (shift - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

float decodeSigned(uint8_t code, Format format) {
  const FormatInfo &facts = info(format);
  int mantissa = code & ((1 << facts.mantissaBits) - 1);
  int field = (code & 0x7F) >> facts.mantissaBits;
  uint32_t sign = static_cast<uint32_t>(code & 0x80) << 24;
  if (isNonFinite(code, format)) {
    bool isInfinity = format == Format::E5M2 && mantissa == 0;
    return fromBits(isInfinity ? sign | kInf32 : kNaN32);
  }
  // mantissa * 2^emin and (1 + mantissa) * 2^e are exact in f32.
  int significand = field ? mantissa | (1 << facts.mantissaBits) : mantissa;
  int exponent = (field ? field - facts.exponentBias : facts.minExponent) -
                 facts.mantissaBits;
  float power =
      fromBits(static_cast<uint32_t>(exponent + kBias32) << kMantissaBits32);
  return fromBits(toBits(static_cast<float>(significand) * power) | sign);
}

struct DecodeTables {
  std::array<std::array<float, 256>, 3> values;

  DecodeTables() {
    for (int format = 0; format < 3; ++format)
      for (int code = 0; code < 256; ++code)
        values[format][code] =
            decode(static_cast<uint8_t>(code), static_cast<Format>(format));
  }
};

} // namespace

const FormatInfo &fp8::numerics::info(Format format) {
  return kInfo[static_cast<int>(format)];
}

bool fp8::numerics::isNonFinite(uint8_t code, Format format) {
  switch (format) {
  case Format::E4M3FN:
    return (code & 0x7F) == 0x7F;
  case Format::E5M2:
    return (code & 0x7C) == 0x7C;
  case Format::E8M0:
    return code == kNaNE8M0;
  }
  return false;
}

float fp8::numerics::decodeE8M0(uint8_t code) {
  if (code == kNaNE8M0)
    return fromBits(kNaN32);
  if (code == 0)
    return 0x1p-127f;
  return fromBits(static_cast<uint32_t>(code) << kMantissaBits32);
}

float fp8::numerics::decode(uint8_t code, Format format) {
  return format == Format::E8M0 ? decodeE8M0(code) : decodeSigned(code, format);
}

const float *fp8::numerics::decodeTable(Format format) {
  static const DecodeTables tables;
  return tables.values[static_cast<int>(format)].data();
}

uint8_t fp8::numerics::encodeE8M0(float value, E8M0Rounding rounding,
                                  bool saturate) {
  uint32_t bits = toBits(value);
  uint8_t overflow = saturate ? 0xFE : kNaNE8M0;
  if (bits == 0x80000000u)
    return 0;
  if (isNaN(value) || (bits >> 31))
    return kNaNE8M0;
  if (bits == kInf32)
    return overflow;

  uint32_t field = bits >> kMantissaBits32;
  uint32_t mantissa = bits & 0x7FFFFFu;
  // Subnormal f32 numbers lie around 2^-127, which is mantissa 0x400000: they
  // have no leading one at a fixed place, so each rounding has its threshold.
  if (field == 0) {
    uint32_t limit = rounding == E8M0Rounding::Up            ? 0x400001u
                     : rounding == E8M0Rounding::NearestEven ? 0x600000u
                                                             : 0x800000u;
    return mantissa >= limit;
  }
  bool up = rounding == E8M0Rounding::Up            ? mantissa != 0
            : rounding == E8M0Rounding::NearestEven ? mantissa >= 0x400000u
                                                    : false;
  uint32_t code = field + up;
  return code > 0xFE ? overflow : static_cast<uint8_t>(code);
}

uint8_t fp8::numerics::encode(float value, Format format, bool saturate) {
  if (format == Format::E8M0)
    return encodeE8M0(value, E8M0Rounding::NearestEven, saturate);

  uint32_t bits = toBits(value);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint8_t sign = static_cast<uint8_t>((bits >> 24) & 0x80u);
  if (magnitude > kInf32)
    return kNaN8;

  const FormatInfo &facts = info(format);
  int dropped = kMantissaBits32 - facts.mantissaBits;
  int exponent = static_cast<int>(magnitude >> kMantissaBits32) - kBias32;
  uint32_t code;
  if (exponent >= facts.minExponent) {
    // Rounding the whole word lets a carry walk into the exponent.
    uint32_t rebias = static_cast<uint32_t>(kBias32 - facts.exponentBias)
                      << kMantissaBits32;
    code = shiftRightRNE(magnitude - rebias, dropped);
  } else {
    // f32 subnormals lack the leading one, but lie far below half a step.
    uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    code = shiftRightRNE(significand, dropped + facts.minExponent - exponent);
  }
  if (code > maxCode(format)) {
    uint8_t overflow = saturate ? maxCode(format) : overflowCode(format);
    return overflow == kNaN8 ? kNaN8 : overflow | sign;
  }
  return static_cast<uint8_t>(code) | sign;
}
