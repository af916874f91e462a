//===- Format.h - FP8, E8M0 and BF16 encodings ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encode and decode of the 8-bit formats and of BF16, one value at a time.
// These functions are the definition: folders, kernels and the emulator either
// call them or are tested against them over every input.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_FORMAT_H
#define FP8_NUMERICS_FORMAT_H

#include <cstdint>
#include <cstring>

namespace fp8::numerics {

/// The 8-bit encodings. E4M3FN has no infinity and one NaN per sign; E5M2 is
/// IEEE-like; E8M0 is an unsigned power of two (OCP MX scale, 0xFF is NaN).
enum class Format : uint8_t { E4M3FN, E5M2, E8M0 };

/// Facts of a format. `minExponent` is the exponent of the smallest normal
/// number, which subnormal numbers share.
struct FormatInfo {
  int mantissaBits;
  int exponentBias;
  int minExponent;
  int maxExponent;
  float maxFinite;
  float minNormal;
  float minSubnormal;
};

/// The facts of `format`. For E8M0, which has neither sign nor subnormals,
/// minNormal and minSubnormal are both 2^-127.
const FormatInfo &info(Format format);

/// 448, 57344 or 2^127.
inline float maxFinite(Format format) { return info(format).maxFinite; }

/// The one NaN that this project writes into FP8 data of either format.
inline constexpr uint8_t kNaN8 = 0x7F;
/// The one NaN of E8M0.
inline constexpr uint8_t kNaNE8M0 = 0xFF;
/// The canonical NaNs of float results.
inline constexpr uint32_t kNaN32 = 0x7FC00000u;
inline constexpr uint16_t kNaNBF16 = 0x7FC0u;
/// What a tensor core returns for NaN in an f32 accumulator.
inline constexpr uint32_t kNaN32TensorCore = 0x7FFFFFFFu;

inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// `value` with any NaN replaced by kNaN32.
inline float canonicalize(float value) {
  return value == value ? value : fromBits(kNaN32);
}

inline bool isNaN(float value) { return value != value; }
inline bool isInf(float value) {
  return (toBits(value) & 0x7FFFFFFFu) == 0x7F800000u;
}
inline bool isFinite(float value) {
  return (toBits(value) & 0x7F800000u) != 0x7F800000u;
}

/// The exact value of a code. NaN codes give kNaN32.
float decode(uint8_t code, Format format);

/// A 256-entry table of decode(code, format), for inner loops.
const float *decodeTable(Format format);

/// True when `code` is a NaN or an infinity.
bool isNonFinite(uint8_t code, Format format);

/// Rounds `value` to nearest, ties to even.
///
/// E4M3FN and E5M2, saturating (PTX cvt.rn.satfinite): overflow and infinities
/// give the largest finite code of that sign. Not saturating (ml_dtypes, ONNX
/// saturate = 0): overflow gives NaN in E4M3FN, infinity in E5M2. NaN gives
/// kNaN8, without a sign, in both cases.
/// E8M0: encodeE8M0(value, E8M0Rounding::NearestEven, saturate).
uint8_t encode(float value, Format format, bool saturate);

/// Rounding of a conversion to E8M0.
enum class E8M0Rounding : uint8_t {
  /// To nearest. A tie (1.5 * 2^e) goes up, as in APFloat: the significand of
  /// a format without mantissa bits is always odd.
  NearestEven,
  /// Toward +infinity (PTX cvt.rp).
  Up,
  /// Toward zero (PTX cvt.rz).
  Down
};

/// Converts to E8M0. Zero of either sign and everything below 2^-127 gives byte
/// 0 (2^-127): the format has no zero. NaN and negative numbers give 0xFF.
/// Overflow and +infinity give 0xFE when saturating, else 0xFF.
uint8_t encodeE8M0(float value, E8M0Rounding rounding, bool saturate);

/// The f32 value 2^(code - 127); byte 0 is the subnormal 2^-127, 0xFF is NaN.
float decodeE8M0(uint8_t code);

/// Rounds to BF16, to nearest, ties to even. Overflow gives infinity, NaN gives
/// kNaNBF16.
inline uint16_t toBF16(float value) {
  uint32_t bits = toBits(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
    return kNaNBF16;
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

/// Exact. NaN payloads pass through.
inline float fromBF16(uint16_t bits) {
  return fromBits(static_cast<uint32_t>(bits) << 16);
}

/// `value` rounded to BF16 and back.
inline float roundToBF16(float value) { return fromBF16(toBF16(value)); }

} // namespace fp8::numerics

#endif // FP8_NUMERICS_FORMAT_H
