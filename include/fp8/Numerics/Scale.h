//===- Scale.h - Scales from amaxes, in every mode --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How six numerics modes turn an amax into the factor of the cast
// (`multiplier`) and the factor that decodes (`scale`). They are two numbers:
// 1/(1/s) is not s for 14 % of the BF16 amaxes. All arithmetic is f32, rounded
// to nearest, one operation at a time.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_SCALE_H
#define FP8_NUMERICS_SCALE_H

#include "fp8/Numerics/Amax.h"
#include "fp8/Numerics/Format.h"

#include <optional>

namespace fp8::numerics {

/// A set of rules that some system uses.
enum class Mode : uint8_t {
  /// Transformer Engine's casts, from the finite amax; NaN and infinities are
  /// reported as flags and never reach a scale.
  Safe,
  /// Transformer Engine's fused kernels exactly: an infinite amax gives
  /// multiplier 1 (current) or the previous one (delayed); NaN is dropped.
  TE,
  /// flax fp8_ops: the stored scale divides, no FLT_MAX clamp.
  Flax,
  /// OCP MX 1.0: scale 2^(floor(log2 amax) - emax), may saturate elements.
  OCP,
  /// torchao float8 (f32 scales) and MX (E8M0 scales).
  TorchAO,
  /// DeepGEMM: scale = max(amax, 1e-4) / max; the cast divides.
  DeepGEMM
};

/// How an E8M0 scale is derived from a block's amax. The names in brackets are
/// the columns of the conformance table (unittests/Numerics/ScaleTest.cpp).
enum class E8M0Rule : uint8_t {
  /// rn(amax * rn(1/max)) rounded up; infinity gives 0xFE [TE, JAX].
  Up,
  /// The same, but infinity gives 0xFF [torchao RCEIL].
  RCeil,
  /// floor(log2 amax) - emax; may saturate elements [OCP, torchao FLOOR].
  Floor,
  /// amax rounded to the element's mantissa first, then Floor [torchao EVEN].
  Even,
  /// ceil(log2 amax) - emax [torchao CEIL].
  Ceil,
  /// The smallest scale under which amax still rounds to a finite code: the
  /// "464 rule" for E4M3FN [TOSA].
  NoOverflow,
  /// rn(amax / max) rounded up, byte clamped to [1, 254]; infinity gives 0xFE
  /// [DeepGEMM].
  UpClamped
};

/// What the cast multiplies by, and what the decoder multiplies by.
/// In modes where castDivides(), the cast is rn(x / scale) and `multiplier` is
/// only the rounded reciprocal, for information.
struct ScalePair {
  float multiplier = 1.0f;
  float scale = 1.0f;
};

/// Options of scaleFromAmax. The defaults are each mode's own.
struct ScaleOptions {
  /// The target maximum is maxFinite * 2^-margin. Within [-64, 64].
  int margin = 0;
  /// Rounds to a power of two such that nothing overflows (multiplier down,
  /// scale up).
  bool pow2 = false;
  /// Lower bound of the amax; unset: 0 for Safe, TE, Flax and OCP, 1e-12 for
  /// TorchAO, 1e-4 for DeepGEMM.
  std::optional<float> epsilon;
  /// What a multiplier that overflows to infinity becomes (Safe and TE):
  /// FLT_MAX per tensor, the input type's largest number in TE's block kernels.
  float overflow = 3.40282346638528859812e+38f;
  /// Kept when the amax gives no scale (0, or not finite), in the modes that
  /// keep one. {1, 1} is current scaling.
  ScalePair previous;
};

/// The lower bound that `options` and the defaults of `mode` put on an amax.
float effectiveEpsilon(Mode mode, const ScaleOptions &options);

/// The single number that a mode's own amax operator would have produced from
/// the tensor: NaN is dropped by Safe and TE and kept by the others, infinity
/// is dropped by Safe alone.
float amaxSeenBy(Mode mode, Amax amax);

/// The f32 scale of a tensor or block whose amax is `amax`.
///
///   Safe, TE   S = rn(max * 2^-margin / amax), infinity -> options.overflow,
///              pow2: mantissa cleared; {S, rn(1/S)}. amax 0: previous.
///              TE: infinite amax: previous.
///   Flax       sf = rn(rn(max / amax) / 2^margin); scale = rn(1/sf); the cast
///              divides. amax 0 or not finite: sf = rn(1/previous.scale).
///   OCP        scale = 2^(floor(log2 amax) - emax + margin) clamped to E8M0's
///              range; not finite: NaN.
///   TorchAO    S = rn(max * 2^-margin / max(amax, eps)), pow2: mantissa
///   cleared;
///              infinity gives 0, NaN gives NaN; {S, rn(1/S)}.
///   DeepGEMM   scale = rn(max(amax, eps) / (max * 2^-margin)), pow2: up to a
///              power of two, at least 2^-126; the cast divides.
///
/// Safe alone also keeps a multiplier from falling under FLT_MIN (a margin can
/// push it there), so that its reciprocal is finite.
ScalePair scaleFromAmax(Amax amax, Format format, Mode mode,
                        const ScaleOptions &options = {});

/// scaleFromAmax on the number that the mode's amax operator gave: NaN and
/// infinity allowed.
ScalePair scaleFromRawAmax(float amax, Format format, Mode mode,
                           const ScaleOptions &options = {});

/// The E8M0 rule that a mode uses by default: Up (Safe, TE, Flax), Floor (OCP,
/// TorchAO), UpClamped (DeepGEMM).
E8M0Rule defaultE8M0Rule(Mode mode);

/// The E8M0 byte for a block amax under `rule`; NaN and infinity as the rule
/// says. `epsilon` bounds the amax from below. 0 gives byte 0 (after epsilon).
uint8_t e8m0FromRawAmax(float amax, Format format, E8M0Rule rule,
                        float epsilon = 0.0f);

/// The same from an Amax, as `mode` sees it, with the mode's epsilon.
uint8_t e8m0FromAmax(Amax amax, Format format, Mode mode, E8M0Rule rule,
                     const ScaleOptions &options = {});

/// The pair for an E8M0 scale byte: {2^(127 - b), 2^(b - 127)}. Byte 254 has
/// the subnormal multiplier 2^-127 (not flushed), byte 255 is NaN in both.
ScalePair pairFromE8M0(uint8_t code);

/// True in the modes whose cast is rn(x / scale) instead of rn(x * multiplier).
inline bool castDivides(Mode mode) {
  return mode == Mode::Flax || mode == Mode::DeepGEMM;
}

/// The code of one element: the f32 product (or quotient) and encode().
inline uint8_t quantize(float x, ScalePair pair, Mode mode, Format format,
                        bool saturate = true) {
  float scaled = castDivides(mode) ? x / pair.scale : x * pair.multiplier;
  return encode(scaled, format, saturate);
}

/// The value of one code: rn(decode(code) * scale), canonical NaN.
inline float dequantize(uint8_t code, float scale, Format format) {
  return canonicalize(decode(code, format) * scale);
}

} // namespace fp8::numerics

#endif // FP8_NUMERICS_SCALE_H
