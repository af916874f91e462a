//===- ExpandMath.cpp - Math functions to arithmetic ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function is a range reduction, a polynomial and a reconstruction, built
// from operations that IEEE 754 defines to the bit. Polynomials are minimax
// fits for f32 and Taylor series where the work is done in f64.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/ExpandMath/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <limits>

namespace mlir::fp8 {
#define GEN_PASS_DEF_EXPANDMATH
#include "fp8/Conversion/ExpandMath/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

static constexpr double kLn2 = 0.69314718055994530942;
static constexpr double kLog2E = 1.4426950408889634074;
static constexpr float kInf = std::numeric_limits<float>::infinity();

//===----------------------------------------------------------------------===//
// A small vocabulary over values of one float type and its integer twin
//===----------------------------------------------------------------------===//

namespace {
class Ops {
public:
  /// `like` gives the shape; `bits` (32 or 64) the float type of the work.
  Ops(OpBuilder &b, Location loc, Type like, unsigned bits = 32)
      : b(b), loc(loc), bits(bits) {
    Type element = bits == 32 ? Type(b.getF32Type()) : Type(b.getF64Type());
    fp = reshape(like, element);
    integer = reshape(like, b.getIntegerType(bits));
  }

  Value c(double value) {
    auto element = cast<FloatType>(getElementTypeOrSelf(fp));
    return constant(fp, b.getFloatAttr(element, value));
  }
  Value ci(int64_t value) {
    return constant(integer,
                    b.getIntegerAttr(getElementTypeOrSelf(integer), value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value addi(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subi(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value andi(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value ori(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value shl(Value x, int n) { return arith::ShLIOp::create(b, loc, x, ci(n)); }
  Value shrs(Value x, int n) {
    return arith::ShRSIOp::create(b, loc, x, ci(n));
  }
  Value asInt(Value x) { return arith::BitcastOp::create(b, loc, integer, x); }
  Value asFloat(Value x) { return arith::BitcastOp::create(b, loc, fp, x); }
  Value fromInt(Value x) { return arith::SIToFPOp::create(b, loc, fp, x); }
  Value cmp(arith::CmpFPredicate p, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, p, x, y);
  }
  Value lt(Value x, Value y) { return cmp(arith::CmpFPredicate::OLT, x, y); }
  Value gt(Value x, Value y) { return cmp(arith::CmpFPredicate::OGT, x, y); }
  Value eq(Value x, Value y) { return cmp(arith::CmpFPredicate::OEQ, x, y); }
  Value nan(Value x) { return cmp(arith::CmpFPredicate::UNO, x, x); }
  Value eqi(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  /// `magnitude` with the sign bit of `sign`.
  Value withSign(Value magnitude, Value sign) {
    int64_t top = bits == 32 ? int64_t(INT32_MIN) : INT64_MIN;
    return asFloat(ori(asInt(abs(magnitude)), andi(asInt(sign), ci(top))));
  }
  /// c[0] + x * (c[1] + x * (...)), each step one fma.
  Value poly(Value x, ArrayRef<double> coefficients) {
    Value sum = c(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, c(coefficient));
    return sum;
  }
  /// Adding this number rounds a float to an integer in its low bits.
  double roundingBias() const { return bits == 32 ? 0x1.8p23 : 0x1.8p52; }
  /// 2^n for integers n in the normal range.
  Value exp2i(Value n) {
    return asFloat(
        shl(addi(n, ci(bits == 32 ? 127 : 1023)), bits == 32 ? 23 : 52));
  }
  Value convert(Value x) {
    Type from = getElementTypeOrSelf(x.getType());
    if (from.getIntOrFloatBitWidth() == bits)
      return x;
    if (bits == 64)
      return arith::ExtFOp::create(b, loc, fp, x);
    return arith::TruncFOp::create(b, loc, fp, x);
  }

private:
  Value constant(Type type, TypedAttr element) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      element = DenseElementsAttr::get(shaped, Attribute(element));
    return arith::ConstantOp::create(b, loc, element);
  }
  static Type reshape(Type like, Type element) {
    if (auto shaped = dyn_cast<ShapedType>(like))
      return shaped.clone(element);
    return element;
  }

  OpBuilder &b;
  Location loc;
  unsigned bits;
  Type fp, integer;
};
} // namespace

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

namespace {
/// x = n * ln 2 + r with |r| <= ln(2)/2; n as an integer.
struct ExpReduction {
  Value n, r;
};
} // namespace

static ExpReduction reduceExp(Ops &o, Value x) {
  Value biased = o.fma(x, o.c(kLog2E), o.c(o.roundingBias()));
  Value n = o.sub(biased, o.c(o.roundingBias()));
  // The high part has so few bits that n times it is exact.
  Value r = o.fma(n, o.c(-0x1.62e4p-1), x);
  r = o.fma(n, o.c(-(kLn2 - 0x1.62e4p-1)), r);
  Value bits = o.subi(o.asInt(biased), o.asInt(o.c(o.roundingBias())));
  return {bits, r};
}

/// (exp(r) - 1 - r) / r^2 on |r| <= ln(2)/2.
static Value expTail(Ops &o, Value r) {
  return o.poly(r, {5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2,
                    8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4});
}

/// y * 2^n in two exact-or-final steps, so that results may be subnormal.
static Value scaleByPower(Ops &o, Value y, Value n) {
  Value half = o.shrs(n, 1);
  return o.mul(o.mul(y, o.exp2i(half)), o.exp2i(o.subi(n, half)));
}

static Value clamp(Ops &o, Value x, double low, double high) {
  // Comparisons with NaN are false: NaN passes.
  x = o.select(o.lt(x, o.c(low)), o.c(low), x);
  return o.select(o.gt(x, o.c(high)), o.c(high), x);
}

static Value buildExp(Ops &o, Value x) {
  x = clamp(o, x, -104.0, 89.0);
  ExpReduction e = reduceExp(o, x);
  Value y = o.add(o.fma(expTail(o, e.r), o.mul(e.r, e.r), e.r), o.c(1.0));
  return scaleByPower(o, y, e.n);
}

static Value buildExpm1(Ops &o, Value x) {
  Value z = clamp(o, x, -30.0, 89.0);
  ExpReduction e = reduceExp(o, z);
  // 2^n (exp(r) - 1) + (2^n - 1); n = 128 is taken in two halves.
  Value m = o.fma(expTail(o, e.r), o.mul(e.r, e.r), e.r);
  Value half = o.exp2i(o.subi(e.n, o.ci(1)));
  Value y = o.fma(half, m, o.sub(half, o.c(0.5)));
  y = o.add(y, y);
  return o.select(o.eq(x, o.c(0.0)), x, y);
}

/// log(x) for positive normal x; k is added to the exponent.
static Value logOfNormal(Ops &o, Value bits, Value k) {
  // Significand in [sqrt(1/2), sqrt(2)).
  Value shifted = o.addi(bits, o.ci(0x3f800000 - 0x3f3504f3));
  k = o.addi(k, o.subi(o.shrs(shifted, 23), o.ci(127)));
  Value m =
      o.asFloat(o.addi(o.andi(shifted, o.ci(0x007fffff)), o.ci(0x3f3504f3)));
  Value f = o.sub(m, o.c(1.0));
  Value s = o.div(f, o.add(f, o.c(2.0)));
  Value z = o.mul(s, s);
  // log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2)))
  Value tail = o.mul(z, o.poly(z, {0.66666662693, 0.40000972152, 0.28498786688,
                                   0.24279078841}));
  Value half = o.mul(o.mul(f, f), o.c(0.5));
  Value e = o.fromInt(k);
  Value low = o.fma(s, o.add(half, tail), o.mul(e, o.c(9.0580006145e-6)));
  Value sum = o.add(o.sub(low, half), f);
  return o.fma(e, o.c(0.693138122558594), sum);
}

static Value buildLog(Ops &o, Value x) {
  Value small = o.lt(x, o.c(0x1p-126));
  Value scaled = o.select(small, o.mul(x, o.c(0x1p23)), x);
  Value y =
      logOfNormal(o, o.asInt(scaled), o.select(small, o.ci(-23), o.ci(0)));
  y = o.select(o.eq(x, o.c(kInf)), x, y);
  y = o.select(o.eq(x, o.c(0.0)), o.c(-kInf), y);
  Value invalid = o.either(o.lt(x, o.c(0.0)), o.nan(x));
  return o.select(invalid, o.c(std::nan("")), y);
}

static Value buildLog1p(Ops &o, Value x) {
  Value u = o.add(x, o.c(1.0));
  // What the addition lost, to first order.
  Value lost = o.sub(x, o.sub(u, o.c(1.0)));
  Value y = o.add(buildLog(o, u), o.div(lost, u));
  Value plain = o.either(o.eq(u, o.c(1.0)), o.eq(x, o.c(kInf)));
  y = o.select(plain, x, y);
  return o.select(o.eq(x, o.c(-1.0)), o.c(-kInf), y);
}

static Value buildTanh(Ops &o, Value x) {
  Value a = o.abs(x);
  Value z = o.mul(x, x);
  Value tail = o.mul(
      z, o.poly(z, {-3.33332819422e-1, 1.33314422036e-1, -5.37397155531e-2,
                    2.06390887954e-2, -5.70498872745e-3}));
  Value small = o.fma(tail, x, x);
  Value e = buildExp(o, o.add(a, a));
  Value large = o.sub(o.c(1.0), o.div(o.c(2.0), o.add(e, o.c(1.0))));
  return o.select(o.lt(a, o.c(0.625)), small, o.withSign(large, x));
}

static Value buildErf(Ops &o, Value x) {
  Value a = o.abs(x);
  Value z = o.mul(x, x);
  Value small = o.poly(z, {1.28379166e-1, -3.76125336e-1, 1.12819925e-1,
                           -2.67681349e-2, 4.99119423e-3, -5.96761703e-4});
  small = o.fma(small, x, x);
  // 1 - exp(-a - a P(a))
  Value t = o.select(o.gt(a, o.c(4.0)), o.c(4.0), a);
  Value p =
      o.poly(t, {-1.28717512e-1, -6.34846687e-1, -1.06777877e-1, 2.42546219e-2,
                 -3.88396438e-3, 3.83197126e-4, -1.72853470e-5});
  Value large = o.sub(o.c(1.0), buildExp(o, o.fma(p, t, o.neg(t))));
  Value y = o.select(o.gt(a, o.c(0.927734375)), o.withSign(large, x), small);
  return o.select(o.nan(x), o.c(std::nan("")), y);
}

//===----------------------------------------------------------------------===//
// By way of f64: sin, cos, pow and logarithms of other bases
//===----------------------------------------------------------------------===//

/// sin(x) (phase 0) or cos(x) (phase 1); `o` works on f32.
static Value buildSinCos(Ops &o, Ops &d, Value x, int phase) {
  Value wide = d.convert(x);
  Value biased =
      d.fma(wide, d.c(0.63661977236758134308), d.c(d.roundingBias()));
  Value n = d.sub(biased, d.c(d.roundingBias()));
  Value r = d.fma(n, d.c(-0x1.921fb54442d18p0), wide);
  r = d.fma(n, d.c(-0x1.1a62633145c07p-54), r);
  Value quadrant = d.addi(d.asInt(biased), d.ci(phase));
  // Beyond 2^50 nothing is left of the phase; keep the result in [-1, 1].
  r = clamp(o, o.convert(r), -0.7853982, 0.7853982);
  Value z = o.mul(r, r);
  Value sine = o.fma(
      o.mul(z, r),
      o.poly(z, {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4}), r);
  Value cosine = o.fma(o.mul(z, z),
                       o.poly(z, {4.166664568298827e-2, -1.388731625493765e-3,
                                  2.443315711809948e-5}),
                       o.fma(z, o.c(-0.5), o.c(1.0)));
  Value odd = d.eqi(d.andi(quadrant, d.ci(1)), d.ci(1));
  Value minus = d.eqi(d.andi(quadrant, d.ci(2)), d.ci(2));
  Value y = o.select(odd, cosine, sine);
  y = o.select(minus, o.neg(y), y);
  // Infinities and NaN have no sine; the reduction gave garbage or NaN.
  Value finite = o.lt(o.abs(x), o.c(kInf));
  return o.select(finite, y, o.c(std::nan("")));
}

/// ln(x) in f64 for the value of a positive f32 (never subnormal in f64).
static Value buildLog64(Ops &d, Value x) {
  constexpr int64_t kRootHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
  Value shifted = d.addi(d.asInt(x), d.ci(kOne - kRootHalf));
  Value k = d.subi(d.shrs(shifted, 52), d.ci(1023));
  Value m = d.asFloat(
      d.addi(d.andi(shifted, d.ci(0x000fffffffffffff)), d.ci(kRootHalf)));
  Value f = d.sub(m, d.c(1.0));
  Value s = d.div(f, d.add(f, d.c(2.0)));
  SmallVector<double> series; // atanh
  for (int i = 0; i < 11; ++i)
    series.push_back(2.0 / (2 * i + 1));
  Value y = d.mul(s, d.poly(d.mul(s, s), series));
  return d.fma(d.fromInt(k), d.c(kLn2), y);
}

/// ln(x) * factor, rounded once from f64.
static Value buildLogOfBase(Ops &o, Ops &d, Value x, double factor) {
  Value y = o.convert(d.mul(buildLog64(d, d.convert(x)), d.c(factor)));
  y = o.select(o.eq(x, o.c(kInf)), x, y);
  y = o.select(o.eq(x, o.c(0.0)), o.c(-kInf), y);
  Value invalid = o.either(o.lt(x, o.c(0.0)), o.nan(x));
  return o.select(invalid, o.c(std::nan("")), y);
}

/// exp(x) in f64, |x| clamped to what an f32 can hold.
static Value buildExp64(Ops &d, Value x) {
  x = clamp(d, x, -150.0, 150.0);
  Value biased = d.fma(x, d.c(kLog2E), d.c(d.roundingBias()));
  Value n = d.sub(biased, d.c(d.roundingBias()));
  Value r = d.fma(n, d.c(-kLn2), x);
  SmallVector<double> series{1.0};
  for (int i = 1; i < 13; ++i)
    series.push_back(series.back() / i);
  Value bits = d.subi(d.asInt(biased), d.asInt(d.c(d.roundingBias())));
  return d.mul(d.poly(r, series), d.exp2i(bits));
}

/// |x|^y with the special cases of C.
static Value buildPow(Ops &o, Ops &d, Value x, Value y) {
  Value a = o.abs(x);
  Value log = buildLog64(d, d.convert(a));
  log = d.select(d.eq(d.convert(a), d.c(0.0)), d.c(-kInf), log);
  log = d.select(d.eq(d.convert(a), d.c(kInf)), d.c(kInf), log);
  Value p = o.convert(buildExp64(d, d.mul(d.convert(y), log)));
  // An f32 of magnitude 2^24 or more is even.
  Value big =
      o.either(o.gt(o.abs(y), o.c(0x1p24)), o.eq(o.abs(y), o.c(0x1p24)));
  Value t = o.select(big, o.c(0.0), o.abs(y));
  Value low = o.add(t, o.c(0x1p23));
  Value isInteger =
      o.either(o.eq(o.sub(low, o.c(0x1p23)), t), o.gt(t, o.c(0x1p23)));
  Value parity = o.select(o.gt(t, o.c(0x1p23)), o.asInt(t), o.asInt(low));
  Value odd = o.both(o.eqi(o.andi(parity, o.ci(1)), o.ci(1)),
                     o.both(isInteger, o.lt(t, o.c(0x1p24))));
  Value negative =
      o.lt(o.asFloat(o.ori(o.andi(o.asInt(x), o.ci(int64_t(INT32_MIN))),
                           o.ci(0x3f800000))),
           o.c(0.0));
  p = o.select(o.both(negative, odd), o.neg(p), p);
  Value undefined = o.both(o.lt(x, o.c(0.0)), o.gt(x, o.c(-kInf)));
  Value nan = o.select(o.either(isInteger, big), p, o.c(std::nan("")));
  p = o.select(undefined, nan, p);
  p = o.select(o.either(o.nan(x), o.nan(y)), o.c(std::nan("")), p);
  Value infiniteY = o.eq(o.abs(y), o.c(kInf));
  Value one = o.either(o.eq(y, o.c(0.0)), o.eq(x, o.c(1.0)));
  one = o.either(one, o.both(o.eq(a, o.c(1.0)), infiniteY));
  return o.select(one, o.c(1.0), p);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

namespace {
/// Builds a function of `x`; `o` works on f32, `d` on f64.
using UnaryBuilder = Value (*)(Ops &o, Ops &d, Value x);

/// Replaces one f32 function by what `build` makes.
template <typename OpTy>
struct ExpandUnary final : OpRewritePattern<OpTy> {
  ExpandUnary(MLIRContext *context, UnaryBuilder build)
      : OpRewritePattern<OpTy>(context), build(build) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getResult()))
      return rewriter.notifyMatchFailure(op, "not f32");
    Ops o(rewriter, op.getLoc(), op.getType());
    Ops d(rewriter, op.getLoc(), op.getType(), 64);
    rewriter.replaceOp(op, build(o, d, op.getOperand()));
    return success();
  }

  UnaryBuilder build;
};

struct ExpandPow final : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getResult()))
      return rewriter.notifyMatchFailure(op, "not f32");
    Ops o(rewriter, op.getLoc(), op.getType());
    Ops d(rewriter, op.getLoc(), op.getType(), 64);
    rewriter.replaceOp(op, buildPow(o, d, op.getLhs(), op.getRhs()));
    return success();
  }
};

/// x^n: repeated squaring for a constant n, else a power with a float exponent
/// (exact: exponents beyond 2^24 are even).
struct ExpandPowInt final : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getResult()))
      return rewriter.notifyMatchFailure(op, "not f32");
    Ops o(rewriter, op.getLoc(), op.getType());
    APInt exponent;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&exponent)) ||
        exponent.abs().getActiveBits() > 16) {
      Value y = arith::SIToFPOp::create(rewriter, op.getLoc(), op.getType(),
                                        op.getRhs());
      rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), y);
      return success();
    }
    uint64_t n = exponent.abs().getZExtValue();
    Value result, square = op.getLhs();
    for (; n != 0; n >>= 1) {
      if (n & 1)
        result = result ? o.mul(result, square) : square;
      if (n > 1)
        square = o.mul(square, square);
    }
    if (!result)
      result = o.c(1.0);
    if (exponent.isNegative())
      result = o.div(o.c(1.0), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlir::fp8::populateExpandMathPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandUnary<math::ExpOp>>(
      context, [](Ops &o, Ops &d, Value x) -> Value { return buildExp(o, x); });
  patterns.add<ExpandUnary<math::Exp2Op>>(
      context, [](Ops &o, Ops &d, Value x) -> Value {
        return o.convert(buildExp64(d, d.mul(d.convert(x), d.c(kLn2))));
      });
  patterns.add<ExpandUnary<math::ExpM1Op>>(
      context,
      [](Ops &o, Ops &d, Value x) -> Value { return buildExpm1(o, x); });
  patterns.add<ExpandUnary<math::LogOp>>(
      context, [](Ops &o, Ops &d, Value x) -> Value { return buildLog(o, x); });
  patterns.add<ExpandUnary<math::Log1pOp>>(
      context,
      [](Ops &o, Ops &d, Value x) -> Value { return buildLog1p(o, x); });
  patterns.add<ExpandUnary<math::TanhOp>>(
      context,
      [](Ops &o, Ops &d, Value x) -> Value { return buildTanh(o, x); });
  patterns.add<ExpandUnary<math::ErfOp>>(
      context, [](Ops &o, Ops &d, Value x) -> Value { return buildErf(o, x); });
  patterns.add<ExpandUnary<math::RsqrtOp>>(
      context, [](Ops &o, Ops &d, Value x) -> Value {
        return o.div(o.c(1.0), o.sqrt(x));
      });
  patterns.add<ExpandUnary<math::SinOp>>(
      context,
      [](Ops &o, Ops &d, Value x) -> Value { return buildSinCos(o, d, x, 0); });
  patterns.add<ExpandUnary<math::CosOp>>(
      context,
      [](Ops &o, Ops &d, Value x) -> Value { return buildSinCos(o, d, x, 1); });
  patterns.add<ExpandUnary<math::Log2Op>>(
      context, [](Ops &o, Ops &d, Value x) -> Value {
        return buildLogOfBase(o, d, x, kLog2E);
      });
  patterns.add<ExpandUnary<math::Log10Op>>(
      context, [](Ops &o, Ops &d, Value x) -> Value {
        return buildLogOfBase(o, d, x, 0.43429448190325182765);
      });
  patterns.add<ExpandPow, ExpandPowInt>(context);
}

namespace {
/// A function of narrow floats is the f32 function, rounded once.
struct WidenMath final : RewritePattern {
  WidenMath(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  static Type widened(Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() >= 32)
      return type;
    Type f32 = Float32Type::get(type.getContext());
    if (auto shaped = dyn_cast<ShapedType>(type))
      return shaped.clone(f32);
    return f32;
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
      return failure();
    Type type = op->getResult(0).getType();
    bool changes = widened(type) != type;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Type wide = widened(operand.getType());
      changes |= wide != operand.getType();
      operands.push_back(
          wide == operand.getType()
              ? operand
              : arith::ExtFOp::create(rewriter, op->getLoc(), wide, operand)
                    .getResult());
    }
    if (!changes)
      return failure();
    Operation *wide =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                        widened(type), op->getAttrs());
    Value result = wide->getResult(0);
    if (result.getType() != type)
      result = arith::TruncFOp::create(rewriter, op->getLoc(), type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandMath final : mlir::fp8::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<WidenMath>(context);
    mlir::fp8::populateExpandMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
  }
};
} // namespace
