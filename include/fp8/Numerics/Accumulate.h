//===- Accumulate.h - Accumulation models of a dot product ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bits of a dot product under each accumulation model, one output at a time
// and slowly: the reference that ContractKernel.h is bit-equal to.
//
// A tensor core adds a few products and the accumulator in one fixed-point
// sum: all terms are aligned to the largest exponent, cut (toward zero) to a
// number of fraction bits, added exactly, and the sum is cut again. Sources:
// MMA-Sim (arXiv 2511.10909) and Khattak and Mikaitis (arXiv 2512.07004), which
// agree; mmaemu replays H100 and RTX 4060 recordings with the FP8 models here.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_ACCUMULATE_H
#define FP8_NUMERICS_ACCUMULATE_H

#include "fp8/Numerics/Format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fp8::numerics {

/// Element type of an operand.
enum class ElementKind : uint8_t { E4M3FN, E5M2, BF16, F32 };

/// Bytes per element: 1, 1, 2, 4.
size_t sizeInBytes(ElementKind kind);
/// The value of the element at `data`, exactly.
float loadElement(const void *data, ElementKind kind);
inline bool isFP8(ElementKind kind) {
  return kind == ElementKind::E4M3FN || kind == ElementKind::E5M2;
}

/// What adds the products of one chain.
enum class AccumKind : uint8_t {
  /// acc = rn(acc + rn(a * b)), k ascending, from +0.
  SeqF32,
  /// Hopper wgmma.
  Hopper,
  /// Ada mma.sync (each instruction is two halves in sequence).
  Ada,
  /// Blackwell tcgen05 and sm_120 mma.
  Blackwell,
  /// The exact sum of a chain, rounded to f32 once, to nearest even.
  Exact
};

/// `#fp8.accum`: a model, promotion and splits.
///
/// K is cut at the split boundaries into parts; a part is cut every `promote`
/// elements into chains; every chain starts from +0. A part is the sum of its
/// chains, the result the sum of its parts: f32 additions, to nearest, in
/// ascending k.
struct AccumModel {
  AccumKind kind = AccumKind::SeqF32;
  /// Chain length in elements of k; 0: a part is one chain.
  int64_t promote = 0;
  /// Ascending positions in k where a new part starts, 0 not included. Those
  /// at or beyond K have no effect.
  std::vector<int64_t> split;
};

bool operator==(const AccumModel &a, const AccumModel &b);

/// What is wrong with a model, as one line (negative promotion, boundaries not
/// ascending or not multiples of the promotion interval); nothing if it is
/// fine.
std::optional<std::string> checkModel(const AccumModel &model);

/// The fixed-point adder of a tensor core for one operand family.
struct MmaUnit {
  /// Products per sum; the accumulator is one more term.
  int terms;
  /// Fraction bits kept below the largest exponent, the rest cut.
  int fractionBits;
  /// Fraction bits kept in the result, the rest cut: 13 (E8M13) or 23 (f32).
  int outputFractionBits;
};

/// The unit that multiplies `lhs` by `rhs` under `kind`, or nothing where the
/// rule is a plain one (SeqF32, Exact).
///
///                 FP8 x FP8        BF16 x BF16
///   Hopper        32, 13, 13       16, 25, 23
///   Ada           16, 13, 13        8, 24, 23
///   Blackwell     32, 25, 23       16, 25, 23
///
/// F32 operands and BF16 with FP8 have no such unit (TF32 rounds the operands,
/// which nobody asked for): they accumulate as SeqF32 in these models, with the
/// same promotion and splits.
std::optional<MmaUnit> mmaUnit(AccumKind kind, ElementKind lhs,
                               ElementKind rhs);

/// The exponent that a subnormal or the smallest normal number of `kind` has:
/// -6, -14, -126, -126.
int minExponent(ElementKind kind);

/// One sum of a tensor core: d = c + sum of a[i] * b[i], i < count <=
/// unit.terms, where a and b hold values of the two kinds.
///
/// Terms that are zero take no part in the largest exponent; a zero or fully
/// cut result is +0; where the IEEE value of the sum is not finite, the result
/// is that value, NaN as kNaN32TensorCore; a sum beyond f32 is an infinity.
float mmaStep(const MmaUnit &unit, const float *a, ElementKind aKind,
              const float *b, ElementKind bKind, int count, float c);

/// An exact sum of products of f32 numbers (and so of all operand kinds).
class ExactSum {
public:
  /// Adds a * b exactly. Non-finite operands are tracked as IEEE would.
  void addProduct(float a, float b);
  /// Adds one number exactly.
  void add(float c) { addProduct(c, 1.0f); }
  /// The sum rounded to f32, to nearest even; canonical NaN; an exact zero is
  /// +0.
  float round() const;

private:
  // Two's-complement digits of 32 bits in 64-bit cells (carries are deferred);
  // digit 0 has weight 2^-320, below the smallest product of two subnormals.
  static constexpr int kDigits = 20;
  static constexpr int kLowExponent = -320;
  int64_t digits[kDigits] = {};
  uint32_t pending = 0;
  bool sawNaN = false, sawPosInf = false, sawNegInf = false;
};

/// The dot product of two vectors of `k` elements, `aStride` and `bStride`
/// elements apart, under `model`. NaN results are kNaN32.
float dot(const void *a, int64_t aStride, ElementKind aKind, const void *b,
          int64_t bStride, ElementKind bKind, int64_t k,
          const AccumModel &model);

/// The same over operands already decoded to f32, starting every chain from +0
/// except the first of the first part, which starts from `init`.
float dotValues(const float *a, ElementKind aKind, const float *b,
                ElementKind bKind, int64_t k, const AccumModel &model,
                float init = 0.0f);

} // namespace fp8::numerics

#endif // FP8_NUMERICS_ACCUMULATE_H
