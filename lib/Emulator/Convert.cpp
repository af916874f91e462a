//===- Convert.cpp - The cvt instruction ----------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One element at a time over exact values, except FP8 and E8M0, which are
// lib/Numerics' own. Invariant: for every pair the result is the exact source
// value rounded once.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Convert.h"

#include "fp8/Numerics/Format.h"

#include <cstring>

namespace fp8::emulator {

unsigned storageBits(NumberType type) {
  switch (type) {
  case NumberType::E2M1:
    return 4;
  case NumberType::U8:
  case NumberType::S8:
  case NumberType::E4M3:
  case NumberType::E5M2:
  case NumberType::E2M3:
  case NumberType::E3M2:
  case NumberType::UE8M0:
    return 8;
  case NumberType::U16:
  case NumberType::S16:
  case NumberType::F16:
  case NumberType::BF16:
    return 16;
  case NumberType::U32:
  case NumberType::S32:
  case NumberType::TF32:
  case NumberType::F32:
    return 32;
  case NumberType::U64:
  case NumberType::S64:
  case NumberType::F64:
    return 64;
  }
  return 0;
}

bool isFloat(NumberType type) { return type >= NumberType::F16; }

bool isSignedInteger(NumberType type) {
  return type == NumberType::S8 || type == NumberType::S16 ||
         type == NumberType::S32 || type == NumberType::S64;
}

const FloatFormat *formatOf(NumberType type) {
  switch (type) {
  case NumberType::F16:
    return &F16Format;
  case NumberType::BF16:
    return &BF16Format;
  case NumberType::TF32:
    return &TF32Format;
  case NumberType::F32:
    return &F32Format;
  case NumberType::F64:
    return &F64Format;
  case NumberType::E4M3:
    return &E4M3Format;
  case NumberType::E5M2:
    return &E5M2Format;
  case NumberType::E2M3:
    return &E2M3Format;
  case NumberType::E3M2:
    return &E3M2Format;
  case NumberType::E2M1:
    return &E2M1Format;
  default:
    return nullptr;
  }
}

uint32_t decodeUE8M0(uint8_t code) {
  return numerics::toBits(numerics::decodeE8M0(code));
}

/// The numeric value of the source operand.
static Real readSource(const Conversion &c, uint64_t value) {
  unsigned bits = storageBits(c.from);
  if (bits < 64)
    value &= (uint64_t(1) << bits) - 1;
  if (c.from == NumberType::UE8M0)
    return unpack(decodeUE8M0(value), F32Format);
  if (const FloatFormat *format = formatOf(c.from)) {
    // FP6 containers carry two unused upper bits.
    if (format->width() < 8)
      value &= (uint64_t(1) << format->width()) - 1;
    bool flush = c.ftz && c.from == NumberType::F32;
    return unpack(value, *format, flush);
  }
  bool negative = isSignedInteger(c.from) && (value >> (bits - 1));
  if (negative && bits < 64)
    value |= ~uint64_t(0) << bits;
  return fromInteger(negative, negative ? uint64_t(0) - value : value);
}

static uint64_t packInteger(const Conversion &c, const Real &value) {
  unsigned bits = storageBits(c.to);
  // PTX: NaN gives 0, but only the top bit set when the source is f64 or the
  // result has 64 bits.
  if (value.kind == Real::NaN && (c.from == NumberType::F64 || bits == 64))
    return uint64_t(1) << (bits - 1);
  return toInteger(value, bits, isSignedInteger(c.to), c.rounding);
}

static uint64_t integerToInteger(const Conversion &c, const Real &value,
                                 uint64_t raw) {
  unsigned bits = storageBits(c.to), from = storageBits(c.from);
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  if (c.sat)
    return toInteger(value, bits, isSignedInteger(c.to), Rounding::TowardZero);
  // Truncate, or extend by the signedness of the source.
  if (from < 64) {
    raw &= (uint64_t(1) << from) - 1;
    if (value.negative)
      raw |= ~uint64_t(0) << from;
  }
  return raw & mask;
}

/// UE8M0 has neither sign nor zero; the rule is lib/Numerics'.
static uint64_t packUE8M0(const Conversion &c, const Real &value) {
  PackOptions exact;
  // Sources are f32 or bf16, so this is exact.
  uint32_t bits = static_cast<uint32_t>(pack(value, F32Format, exact));
  float f = numerics::fromBits(bits);
  numerics::E8M0Rounding rounding = c.rounding == Rounding::Up
                                        ? numerics::E8M0Rounding::Up
                                    : c.rounding == Rounding::TowardZero
                                        ? numerics::E8M0Rounding::Down
                                        : numerics::E8M0Rounding::NearestEven;
  return numerics::encodeE8M0(f, rounding, c.satfinite);
}

/// Rounds to an integral value of the same format.
static Real roundIntegral(const Real &value, Rounding rounding) {
  if (value.kind != Real::Finite || value.exponent >= 0)
    return value;
  uint64_t magnitude =
      toInteger(value.negative ? negate(value) : value, 64, false,
                value.negative && rounding == Rounding::Down ? Rounding::Up
                : value.negative && rounding == Rounding::Up ? Rounding::Down
                                                             : rounding);
  Real r = fromInteger(value.negative, magnitude);
  r.negative = value.negative;
  return r;
}

/// FP8 to nearest: lib/Numerics decides, through f32 (every source is exact in
/// f32, except f64, which has no such conversion).
static uint64_t packFP8(const Conversion &c, const Real &value) {
  if (value.negative && c.relu && value.kind != Real::NaN)
    return 0;
  uint32_t bits = static_cast<uint32_t>(pack(value, F32Format, PackOptions()));
  return numerics::encode(numerics::fromBits(bits),
                          c.to == NumberType::E4M3 ? numerics::Format::E4M3FN
                                                   : numerics::Format::E5M2,
                          c.satfinite);
}

uint64_t convertElement(const Conversion &c, uint64_t value, uint32_t random,
                        unsigned randomBitCount) {
  Real source = readSource(c, value);
  const FloatFormat *format = formatOf(c.to);
  if (!format && c.to != NumberType::UE8M0)
    return isFloat(c.from) ? packInteger(c, source)
                           : integerToInteger(c, source, value);
  if (c.to == NumberType::UE8M0)
    return packUE8M0(c, source);
  bool isFP8 = c.to == NumberType::E4M3 || c.to == NumberType::E5M2;
  if (isFP8 && c.rounding == Rounding::NearestEven)
    return packFP8(c, source);
  if (c.integral)
    source = roundIntegral(source, c.rounding);
  PackOptions o;
  o.rounding = c.rounding;
  o.flush = c.ftz && c.to == NumberType::F32;
  o.saturate = c.sat;
  o.satfinite = c.satfinite;
  o.relu = c.relu;
  o.randomBits = random;
  o.randomBitCount = randomBitCount;
  return pack(source, *format, o);
}

/// The slice of rbits that element `i` (0 is the lowest) takes, and its width.
/// Assumed: f16x2 has 13 bits per element (at bits 16 and 0), bf16x2 16; the x4
/// forms have 8 per element.
static uint32_t randomSlice(const Conversion &c, uint32_t random, unsigned i,
                            unsigned &width) {
  if (c.elements == 4) {
    width = 8;
    return (random >> (8 * i)) & 0xff;
  }
  width = c.to == NumberType::F16 ? 13 : 16;
  return (random >> (16 * i)) & ((1u << width) - 1);
}

uint64_t convert(const Conversion &c, uint64_t a, uint64_t b, uint64_t e,
                 uint64_t f, uint32_t random) {
  bool stochastic = c.rounding == Rounding::Stochastic;
  if (c.elements == 1)
    return convertElement(c, a, random, stochastic ? 13 : 0);
  unsigned from = storageBits(c.from), to = storageBits(c.to);
  bool packedSource = from <= 16;
  const uint64_t sources[4] = {a, b, e, f};
  uint64_t result = 0;
  for (unsigned i = 0; i < c.elements; ++i) {
    unsigned width = 0;
    uint32_t slice = stochastic ? randomSlice(c, random, i, width) : 0;
    uint64_t element =
        packedSource ? a >> (i * from) : sources[c.elements - 1 - i];
    result |= convertElement(c, element, slice, width) << (i * to);
  }
  return result;
}

namespace {

float asFloat(uint32_t bits) { return numerics::fromBits(bits); }

/// Hot pairs without modifiers, one lane.
uint32_t f32PairToFP8(uint32_t a, uint32_t b, numerics::Format format) {
  return uint32_t(numerics::encode(asFloat(a), format, true)) << 8 |
         numerics::encode(asFloat(b), format, true);
}

uint32_t f32ToBF16(uint32_t v) {
  if ((v & 0x7fffffff) > 0x7f800000)
    return 0x7fff;
  return (v + 0x7fff + ((v >> 16) & 1)) >> 16;
}

} // namespace

void convertLanes(const Conversion &c, uint32_t mask, uint32_t *d,
                  const uint32_t *a, const uint32_t *b) {
  bool nearest = c.rounding == Rounding::NearestEven && !c.relu && !c.sat &&
                 !c.ftz && c.from == NumberType::F32 && c.elements <= 2;
  bool pair = nearest && c.elements == 2;
  bool toFP8 = pair && c.satfinite &&
               (c.to == NumberType::E4M3 || c.to == NumberType::E5M2);
  bool toBF16 = nearest && !c.satfinite && c.to == NumberType::BF16;
  numerics::Format fp8 = c.to == NumberType::E4M3 ? numerics::Format::E4M3FN
                                                  : numerics::Format::E5M2;
  for (unsigned i = 0; i < 32; ++i) {
    if (!((mask >> i) & 1))
      continue;
    if (toFP8)
      d[i] = f32PairToFP8(a[i], b[i], fp8);
    else if (toBF16 && pair)
      d[i] = f32ToBF16(a[i]) << 16 | f32ToBF16(b[i]);
    else if (toBF16)
      d[i] = f32ToBF16(a[i]);
    else
      d[i] = static_cast<uint32_t>(convert(c, a[i], b ? b[i] : 0));
  }
}

} // namespace fp8::emulator
