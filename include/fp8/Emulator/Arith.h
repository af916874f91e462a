//===- Arith.h - Scalar and warp-wide float arithmetic ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every float instruction of PTX that only computes, in every rounding mode
// with .ftz, .sat and .relu. `selectLanes` is meant for the decoder: it returns
// one function for a whole warp, once per instruction. Results are bit for bit
// those of the scalar `evaluate`.
//
// Evidence: add, sub, mul, fma, div.rnd, sqrt.rnd, rcp.rnd are IEEE 754 (grade
// hardware). The .approx forms are computed in double precision with own
// polynomials and rounded once: they are within 0.51 ulp of the exact result,
// which lies inside the bound that PTX documents for the hardware, but are not
// the hardware's bits (grade assumed).
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_ARITH_H
#define FP8_EMULATOR_ARITH_H

#include "fp8/Emulator/Float.h"

#include <array>
#include <cstdint>

namespace fp8::emulator {

inline constexpr unsigned WarpSize = 32;
using LaneMask = uint32_t;

enum class FloatType : uint8_t { F16, BF16, F16x2, BF16x2, F32, F32x2, F64 };

enum class FloatOp : uint8_t {
  Add,
  Sub,
  Mul,
  Fma,
  Div,       ///< div.rnd: correctly rounded
  DivApprox, ///< div.approx: 0 for finite a and |b| above 2^126
  DivFull,   ///< div.full
  Min,       ///< NaN only if both are (or any, with .NaN)
  Max,
  Min3, ///< three inputs
  Max3,
  Neg,
  Abs,
  Copysign,  ///< copysign.f32 d, a, b: sign of a, magnitude of b
  Rcp,       ///< rcp.rnd
  RcpApprox, ///< also rcp.approx.ftz.f64
  Sqrt,      ///< sqrt.rnd
  SqrtApprox,
  RsqrtApprox, ///< also rsqrt.approx.f64 and .ftz.f64
  SinApprox,
  CosApprox,
  Lg2Approx,
  Ex2Approx,
  TanhApprox,
  TestFinite, ///< testp.*: result 0 or 1
  TestInfinite,
  TestNumber,
  TestNotANumber,
  TestNormal,
  TestSubnormal
};

struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  /// min/max .NaN: a NaN input gives canonical NaN.
  bool nan = false;
  /// min/max .abs: compare and return magnitudes.
  bool abs = false;
  /// min/max .xorsign.abs: as .abs, sign is the xor of the input signs.
  bool xorsign = false;
  /// fma.oob: result is +0 when an operand is the out-of-bounds NaN.
  bool oob = false;
};

/// Result of one lane. Values are in the low bits of the words; packed types
/// hold two results. Unused operands are ignored.
uint64_t evaluate(FloatOp op, FloatType type, const FloatMode &mode, uint64_t a,
                  uint64_t b = 0, uint64_t c = 0);

/// Comparison operators of setp/set/slct on floats. The ...U forms are true
/// when an operand is NaN.
enum class Compare : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  EqU,
  NeU,
  LtU,
  LeU,
  GtU,
  GeU,
  Num,
  Nan
};

/// `a op b` for one element; `type` is scalar.
bool compare(Compare op, FloatType type, bool ftz, uint64_t a, uint64_t b);

/// One instruction over a warp: for each lane in `mask`, d[lane] = op(a[lane],
/// b[lane], c[lane]). Arrays have 32 entries and d may alias inputs; lanes
/// outside the mask keep d. Operands that the operation lacks may be null.
using LaneFunction32 = void (*)(const FloatMode &mode, LaneMask mask,
                                uint32_t *d, const uint32_t *a,
                                const uint32_t *b, const uint32_t *c);
using LaneFunction64 = void (*)(const FloatMode &mode, LaneMask mask,
                                uint64_t *d, const uint64_t *a,
                                const uint64_t *b, const uint64_t *c);

/// The function for an operation on F16..F32 (values of 16 or 32 bits in 32-bit
/// words). Never null for 32-bit types; the common ones (add, sub, mul, fma,
/// min, max, neg, abs in round-to-nearest without .ftz and .sat) are vector
/// loops.
LaneFunction32 selectLanes32(FloatOp op, FloatType type, const FloatMode &mode);

/// The same for F64 and F32x2.
LaneFunction64 selectLanes64(FloatOp op, FloatType type, const FloatMode &mode);

/// Deterministic double-precision helpers behind the approximations: relative
/// error below 2^-45 on the stated range, on any host.
double exp2Exact(double x);
double log2Exact(double x);
void sinCosExact(double x, double &sine, double &cosine);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_ARITH_H
