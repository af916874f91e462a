//===- Arith.cpp - Scalar float arithmetic --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lane of every float instruction: unpack, operate exactly, pack once. The
// warp-wide loops of ArithLanes.cpp are bit-equal to this file.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Arith.h"

#include <cmath>
#include <cstring>

namespace fp8::emulator {

static const FloatFormat &elementFormat(FloatType type) {
  switch (type) {
  case FloatType::F16:
  case FloatType::F16x2:
    return F16Format;
  case FloatType::BF16:
  case FloatType::BF16x2:
    return BF16Format;
  case FloatType::F32:
  case FloatType::F32x2:
    return F32Format;
  case FloatType::F64:
    return F64Format;
  }
  return F32Format;
}

static uint64_t signBit(const FloatFormat &f) {
  return uint64_t(1) << (f.width() - 1);
}

static Real makeNaN() {
  Real r;
  r.kind = Real::NaN;
  return r;
}

/// The value as a double: exact for every element format.
static double toDouble(const Real &r) {
  switch (r.kind) {
  case Real::NaN:
    return NAN;
  case Real::Infinity:
    return r.negative ? -HUGE_VAL : HUGE_VAL;
  case Real::Zero:
    return r.negative ? -0.0 : 0.0;
  case Real::Finite:
    break;
  }
  PackOptions o;
  uint64_t bits = pack(r, F64Format, o);
  double d;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

static Real fromDouble(double d) {
  uint64_t bits;
  std::memcpy(&bits, &d, sizeof bits);
  return unpack(bits, F64Format);
}

static double tanhExact(double x) {
  double magnitude = x < 0 ? -x : x;
  if (magnitude < 0.05) {
    double q = x * x;
    return x * (1 + q * (-1.0 / 3 +
                         q * (2.0 / 15 + q * (-17.0 / 315 + q * 62.0 / 2835))));
  }
  if (magnitude > 20)
    return x < 0 ? -1 : 1;
  double e = exp2Exact(2 * magnitude * 1.44269504088896340736);
  double t = (e - 1) / (e + 1);
  return x < 0 ? -t : t;
}

static Real approximate(FloatOp op, const Real &a) {
  double x = toDouble(a), sine, cosine;
  bool infinite = a.kind == Real::Infinity;
  switch (op) {
  case FloatOp::SinApprox:
  case FloatOp::CosApprox:
    if (op == FloatOp::SinApprox && a.kind == Real::Zero)
      return a;
    sinCosExact(x, sine, cosine);
    return fromDouble(op == FloatOp::SinApprox ? sine : cosine);
  case FloatOp::Lg2Approx:
    if (a.kind == Real::Zero)
      return fromDouble(-HUGE_VAL);
    if (a.kind == Real::NaN || a.negative)
      return makeNaN();
    return infinite ? a : fromDouble(log2Exact(x));
  case FloatOp::Ex2Approx:
    return fromDouble(exp2Exact(x));
  case FloatOp::TanhApprox:
    return a.kind == Real::Finite ? fromDouble(tanhExact(x))
                                  : fromDouble(infinite ? (x < 0 ? -1 : 1) : x);
  default:
    return makeNaN();
  }
}

static Real divideApproximately(const Real &a, const Real &b) {
  double divisor = toDouble(b);
  double magnitude = divisor < 0 ? -divisor : divisor;
  // PTX: for 2^126 < |b| < 2^128 the quotient is 0, or NaN if a is infinite.
  if (b.kind != Real::Finite || magnitude <= 0x1p126)
    return divide(a, b);
  if (a.kind == Real::Infinity || a.kind == Real::NaN)
    return makeNaN();
  Real zero;
  zero.negative = a.negative != b.negative;
  return zero;
}

static Real reciprocalRoot(const Real &a) {
  Real one = fromInteger(false, 1);
  return divide(one, squareRoot(a));
}

/// The exact (or sticky, or approximated) result before rounding.
static Real compute(FloatOp op, Rounding rounding, const Real &a, const Real &b,
                    const Real &c) {
  switch (op) {
  case FloatOp::Add:
    return add(a, b, rounding);
  case FloatOp::Sub:
    return add(a, negate(b), rounding);
  case FloatOp::Mul:
    return multiply(a, b);
  case FloatOp::Fma:
    return fusedMultiplyAdd(a, b, c, rounding);
  case FloatOp::Div:
  case FloatOp::DivFull:
    return divide(a, b);
  case FloatOp::DivApprox:
    return divideApproximately(a, b);
  case FloatOp::Rcp:
  case FloatOp::RcpApprox:
    return divide(fromInteger(false, 1), a);
  case FloatOp::Sqrt:
  case FloatOp::SqrtApprox:
    return squareRoot(a);
  case FloatOp::RsqrtApprox:
    return reciprocalRoot(a);
  default:
    return approximate(op, a);
  }
}

/// Sign-magnitude order with -0 < +0; neither operand is NaN.
static bool lessThan(uint64_t a, uint64_t b, uint64_t sign) {
  bool na = a & sign, nb = b & sign;
  if (na != nb)
    return na;
  return na ? (a & ~sign) > (b & ~sign) : a < b;
}

static uint64_t flushBits(uint64_t v, const FloatFormat &f, bool ftz) {
  if (!ftz || unpack(v, f, true).kind != Real::Zero)
    return v;
  return v & signBit(f);
}

static uint64_t minMax(bool takeMin, const FloatFormat &f, const FloatMode &m,
                       uint64_t a, uint64_t b) {
  uint64_t sign = signBit(f);
  a = flushBits(a, f, m.ftz);
  b = flushBits(b, f, m.ftz);
  uint64_t signs = (a ^ b) & sign;
  bool nanA = unpack(a, f).kind == Real::NaN;
  bool nanB = unpack(b, f).kind == Real::NaN;
  if ((nanA && nanB) || (m.nan && (nanA || nanB)))
    return pack(makeNaN(), f, PackOptions());
  if (m.abs || m.xorsign) {
    a &= ~sign;
    b &= ~sign;
  }
  uint64_t r;
  if (nanA || nanB)
    r = nanA ? b : a;
  else
    r = lessThan(a, b, sign) == takeMin ? a : b;
  return m.xorsign ? r | signs : r;
}

static uint64_t testProperty(FloatOp op, const FloatFormat &f, uint64_t a) {
  Real r = unpack(a, f);
  uint64_t exponent = (a & ~signBit(f)) >> f.mantissaBits;
  bool finite = r.kind == Real::Zero || r.kind == Real::Finite;
  switch (op) {
  case FloatOp::TestFinite:
    return finite;
  case FloatOp::TestInfinite:
    return r.kind == Real::Infinity;
  case FloatOp::TestNumber:
    return r.kind != Real::NaN;
  case FloatOp::TestNotANumber:
    return r.kind == Real::NaN;
  case FloatOp::TestNormal:
    return finite && exponent;
  default: // TestSubnormal; zero counts as subnormal, as in PTX
    return finite && !exponent;
  }
}

static uint64_t evaluateElement(FloatOp op, FloatType type,
                                const FloatFormat &f, const FloatMode &m,
                                uint64_t a, uint64_t b, uint64_t c) {
  switch (op) {
  case FloatOp::Neg:
    return flushBits(a, f, m.ftz) ^ signBit(f);
  case FloatOp::Abs:
    return flushBits(a, f, m.ftz) & ~signBit(f);
  case FloatOp::Copysign:
    return (b & ~signBit(f)) | (a & signBit(f));
  case FloatOp::Min:
  case FloatOp::Max:
    return minMax(op == FloatOp::Min, f, m, a, b);
  case FloatOp::Min3:
  case FloatOp::Max3:
    return minMax(op == FloatOp::Min3, f, m,
                  minMax(op == FloatOp::Min3, f, m, a, b), c);
  default:
    break;
  }
  if (op >= FloatOp::TestFinite)
    return testProperty(op, f, a);
  PackOptions o;
  o.rounding = m.rounding;
  o.flush = m.ftz;
  o.saturate = m.sat;
  o.relu = m.relu;
  // .oob: the fill value of an out-of-bounds load makes the result zero.
  constexpr uint64_t OutOfBounds16 = 0x7fff;
  if (m.oob && (a == OutOfBounds16 || b == OutOfBounds16))
    return 0;
  Real r = compute(op, m.rounding, unpack(a, f, m.ftz), unpack(b, f, m.ftz),
                   unpack(c, f, m.ftz));
  uint64_t bits = pack(r, f, o);
  // The f64 approximations deliver only the upper 32 bits.
  bool upperOnly =
      op == FloatOp::RcpApprox || (op == FloatOp::RsqrtApprox && m.ftz);
  if (type == FloatType::F64 && upperOnly)
    bits &= ~uint64_t(0xffffffff);
  return bits;
}

uint64_t evaluate(FloatOp op, FloatType type, const FloatMode &mode, uint64_t a,
                  uint64_t b, uint64_t c) {
  const FloatFormat &f = elementFormat(type);
  unsigned width = f.width();
  bool packed = type == FloatType::F16x2 || type == FloatType::BF16x2 ||
                type == FloatType::F32x2;
  if (!packed) {
    uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    return evaluateElement(op, type, f, mode, a & mask, b & mask, c & mask);
  }
  uint64_t mask = (uint64_t(1) << width) - 1;
  uint64_t low =
      evaluateElement(op, type, f, mode, a & mask, b & mask, c & mask);
  uint64_t high = evaluateElement(op, type, f, mode, (a >> width) & mask,
                                  (b >> width) & mask, (c >> width) & mask);
  return low | high << width;
}

bool compare(Compare op, FloatType type, bool ftz, uint64_t a, uint64_t b) {
  const FloatFormat &f = elementFormat(type);
  double x = toDouble(unpack(a, f, ftz)), y = toDouble(unpack(b, f, ftz));
  bool unordered = x != x || y != y;
  switch (op) {
  case Compare::Eq:
    return x == y;
  case Compare::Ne:
    return !unordered && x != y;
  case Compare::Lt:
    return x < y;
  case Compare::Le:
    return x <= y;
  case Compare::Gt:
    return x > y;
  case Compare::Ge:
    return x >= y;
  case Compare::EqU:
    return unordered || x == y;
  case Compare::NeU:
    return unordered || x != y;
  case Compare::LtU:
    return unordered || x < y;
  case Compare::LeU:
    return unordered || x <= y;
  case Compare::GtU:
    return unordered || x > y;
  case Compare::GeU:
    return unordered || x >= y;
  case Compare::Num:
    return !unordered;
  case Compare::Nan:
    return unordered;
  }
  return false;
}

} // namespace fp8::emulator
