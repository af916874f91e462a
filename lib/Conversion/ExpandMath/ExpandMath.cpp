//===- ExpandMath.cpp - Math functions to arithmetic ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function is a range reduction, a polynomial and a reconstruction, built
// from operations that IEEE 754 defines to the bit. The work is done in f64
// to about 2^-48 and rounded once, so a result is the correctly rounded f32 in
// all but a few of ten million cases: one bit in an f32 can move a BF16 value,
// an amax and with it every code of a tensor.
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
static constexpr double kLn2High = 0x1.62e42feep-1;
static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
static constexpr double kLog2E = 1.4426950408889634074;
static constexpr double kTwoOverRootPi = 1.12837916709551257390;
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
// Functions in f64 of a widened f32
//===----------------------------------------------------------------------===//

static Value clamp(Ops &o, Value x, double low, double high) {
  // Comparisons with NaN are false: NaN passes.
  x = o.select(o.lt(x, o.c(low)), o.c(low), x);
  return o.select(o.gt(x, o.c(high)), o.c(high), x);
}

/// exp(x), |x| clamped to what an f32 can hold.
static Value buildExp(Ops &d, Value x) {
  x = clamp(d, x, -150.0, 150.0);
  // x = n ln 2 + r with |r| <= ln(2)/2.
  Value biased = d.fma(x, d.c(kLog2E), d.c(d.roundingBias()));
  Value n = d.sub(biased, d.c(d.roundingBias()));
  // The high part has so few bits that n times it is exact.
  Value r = d.fma(n, d.c(-kLn2High), x);
  r = d.fma(n, d.c(-kLn2Low), r);
  SmallVector<double> series{1.0};
  for (int i = 1; i < 14; ++i)
    series.push_back(series.back() / i);
  Value bits = d.subi(d.asInt(biased), d.asInt(d.c(d.roundingBias())));
  return d.mul(d.poly(r, series), d.exp2i(bits));
}

/// ln(x) for positive x (an f32 is never subnormal in f64).
static Value buildLogOfPositive(Ops &d, Value x) {
  constexpr int64_t kRootHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
  // Significand in [sqrt(1/2), sqrt(2)).
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

/// ln(x) * factor with the special cases of C.
static Value buildLog(Ops &d, Value x, double factor = 1.0) {
  Value y = d.mul(buildLogOfPositive(d, x), d.c(factor));
  y = d.select(d.eq(x, d.c(kInf)), x, y);
  y = d.select(d.eq(x, d.c(0.0)), d.c(-kInf), y);
  Value invalid = d.either(d.lt(x, d.c(0.0)), d.nan(x));
  return d.select(invalid, d.c(std::nan("")), y);
}

/// `general`, or near zero, where it cancels, the Taylor polynomial
/// x + x^2 (c[0] + x (c[1] + ...)).
static Value nearZero(Ops &d, Value x, Value general,
                      ArrayRef<double> coefficients) {
  Value series = d.fma(d.mul(x, x), d.poly(x, coefficients), x);
  // The sign of a zero is kept: x + 0 would lose that of -0.
  series = d.select(d.eq(x, d.c(0.0)), x, series);
  return d.select(d.lt(d.abs(x), d.c(0x1p-5)), series, general);
}

static Value buildExpm1(Ops &d, Value x) {
  Value y = d.sub(buildExp(d, x), d.c(1.0));
  SmallVector<double> series{1.0 / 2};
  for (int i = 3; i < 11; ++i)
    series.push_back(series.back() / i);
  return nearZero(d, x, y, series);
}

static Value buildLog1p(Ops &d, Value x) {
  Value y = buildLog(d, d.add(x, d.c(1.0)));
  SmallVector<double> series;
  for (int i = 2; i < 12; ++i)
    series.push_back((i % 2 ? 1.0 : -1.0) / i);
  return nearZero(d, x, y, series);
}

/// log1p(|x| + x^2 / (1 + sqrt(1 + x^2))), which cancels nowhere.
static Value buildAsinh(Ops &d, Value x) {
  Value a = d.abs(x), square = d.mul(a, a);
  Value root = d.sqrt(d.add(square, d.c(1.0)));
  Value y = buildLog1p(d, d.add(a, d.div(square, d.add(root, d.c(1.0)))));
  y = d.select(d.eq(a, d.c(kInf)), a, y);
  return d.select(d.nan(y), y, d.withSign(y, x));
}

/// log1p(t + sqrt(t) sqrt(t + 2)) with t = x - 1; a root of a negative number
/// makes it NaN below 1.
static Value buildAcosh(Ops &d, Value x) {
  Value t = d.sub(x, d.c(1.0));
  Value root = d.mul(d.sqrt(t), d.sqrt(d.add(t, d.c(2.0))));
  return buildLog1p(d, d.add(t, root));
}

/// log1p(2|x| / (1 - |x|)) / 2
static Value buildAtanh(Ops &d, Value x) {
  Value a = d.abs(x);
  Value ratio = d.div(d.add(a, a), d.sub(d.c(1.0), a));
  Value y = d.mul(d.c(0.5), buildLog1p(d, ratio));
  return d.select(d.nan(y), y, d.withSign(y, x));
}

/// exp(log|x| / 3) and one step of Newton's.
static Value buildCbrt(Ops &d, Value x) {
  Value a = d.abs(x);
  Value y = buildExp(d, d.mul(buildLog(d, a), d.c(1.0 / 3)));
  Value square = d.mul(y, y);
  Value step = d.div(d.fma(square, y, d.neg(a)), d.mul(square, d.c(3.0)));
  y = d.sub(y, step);
  Value itself = d.either(d.eq(a, d.c(0.0)), d.eq(a, d.c(kInf)));
  y = d.select(d.nan(y), y, d.withSign(y, x));
  return d.select(itself, x, y);
}

/// (exp(2|x|) - 1) / (exp(2|x|) + 1)
static Value buildTanh(Ops &d, Value x) {
  Value a = d.abs(x);
  Value e = buildExp(d, d.add(a, a));
  Value y = d.withSign(d.sub(d.c(1.0), d.div(d.c(2.0), d.add(e, d.c(1.0)))), x);
  return nearZero(d, x, y,
                  {0.0, -1.0 / 3, 0.0, 2.0 / 15, 0.0, -17.0 / 315, 0.0,
                   62.0 / 2835, 0.0, -1382.0 / 155925});
}

static Value buildErf(Ops &d, Value x) {
  Value a = d.abs(x);
  // Maclaurin's series below 1.
  SmallVector<double> series;
  double factorial = 1.0;
  for (int i = 0; i < 18; ++i) {
    factorial *= std::max(i, 1);
    series.push_back((i % 2 ? -kTwoOverRootPi : kTwoOverRootPi) /
                     (factorial * (2 * i + 1)));
  }
  Value small = d.mul(x, d.poly(d.mul(x, x), series));
  // 1 - exp(-a^2 + P((a - 2.5) / 1.5)), P interpolates ln erfcx on [1, 4] in
  // Chebyshev's points to 4e-15; beyond, 1 - erfc(4) rounds to 1 in f32.
  Value t = d.select(d.gt(a, d.c(4.0)), d.c(4.0), a);
  Value p = d.poly(
      d.mul(d.sub(t, d.c(2.5)), d.c(1.0 / 1.5)),
      {-1.556815272727264, -0.5290211264796096, 0.1262390995706418,
       -0.03664599549122367, 0.010962726801899365, -0.003196456661207304,
       0.000877429011512694, -0.0002179452956469456, 4.5337078640721684e-05,
       -5.996719691761667e-06, -7.270365388553484e-07, 9.474450316223449e-07,
       -4.559214965794174e-07, 1.6101359123192534e-07, -4.7009339859390536e-08,
       1.2616510502994056e-08, -1.4042598195374008e-09, -1.5126332934749754e-09,
       6.180734520680026e-10});
  Value large = d.sub(d.c(1.0), buildExp(d, d.fma(d.neg(t), t, p)));
  Value y = d.select(d.gt(a, d.c(1.0)), d.withSign(large, x), small);
  return d.select(d.nan(x), d.c(std::nan("")), y);
}

/// sin(x) (phase 0) or cos(x) (phase 1).
static Value buildSinCos(Ops &d, Value x, int phase) {
  Value biased = d.fma(x, d.c(0.63661977236758134308), d.c(d.roundingBias()));
  Value n = d.sub(biased, d.c(d.roundingBias()));
  Value r = d.fma(n, d.c(-0x1.921fb54442d18p0), x);
  r = d.fma(n, d.c(-0x1.1a62633145c07p-54), r);
  Value quadrant = d.addi(d.asInt(biased), d.ci(phase));
  // Beyond 2^50 nothing is left of the phase; keep the result in [-1, 1].
  r = clamp(d, r, -0.78539816339744831, 0.78539816339744831);
  SmallVector<double> sines{1.0}, cosines{1.0};
  for (int i = 1; i < 8; ++i) {
    sines.push_back(sines.back() / -(2.0 * i * (2 * i + 1)));
    cosines.push_back(cosines.back() / -(2.0 * i * (2 * i - 1)));
  }
  Value z = d.mul(r, r);
  Value sine = d.mul(r, d.poly(z, sines));
  Value cosine = d.poly(z, cosines);
  Value odd = d.eqi(d.andi(quadrant, d.ci(1)), d.ci(1));
  Value minus = d.eqi(d.andi(quadrant, d.ci(2)), d.ci(2));
  Value y = d.select(odd, cosine, sine);
  y = d.select(minus, d.neg(y), y);
  // Infinities and NaN have no sine; the reduction gave garbage or NaN.
  Value finite = d.lt(d.abs(x), d.c(kInf));
  return d.select(finite, y, d.c(std::nan("")));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// |x|^y with the special cases of C.
static Value buildPow(Ops &o, Ops &d, Value x, Value y) {
  Value a = o.abs(x);
  Value log = buildLogOfPositive(d, d.convert(a));
  log = d.select(d.eq(d.convert(a), d.c(0.0)), d.c(-kInf), log);
  log = d.select(d.eq(d.convert(a), d.c(kInf)), d.c(kInf), log);
  Value p = o.convert(buildExp(d, d.mul(d.convert(y), log)));
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
/// Builds a function of the f64 `x` with `d`, which works on f64.
using UnaryBuilder = Value (*)(Ops &d, Value x);

/// Replaces one f32 function by what `build` makes, rounded once.
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
    rewriter.replaceOp(op, o.convert(build(d, d.convert(op.getOperand()))));
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
  patterns.add<ExpandUnary<math::ExpOp>>(context, buildExp);
  patterns.add<ExpandUnary<math::ExpM1Op>>(context, buildExpm1);
  patterns.add<ExpandUnary<math::Log1pOp>>(context, buildLog1p);
  patterns.add<ExpandUnary<math::TanhOp>>(context, buildTanh);
  patterns.add<ExpandUnary<math::AsinhOp>>(context, buildAsinh);
  patterns.add<ExpandUnary<math::AcoshOp>>(context, buildAcosh);
  patterns.add<ExpandUnary<math::AtanhOp>>(context, buildAtanh);
  patterns.add<ExpandUnary<math::CbrtOp>>(context, buildCbrt);
  patterns.add<ExpandUnary<math::ErfOp>>(context, buildErf);
  patterns.add<ExpandUnary<math::Exp2Op>>(context, [](Ops &d, Value x) {
    return buildExp(d, d.mul(x, d.c(kLn2)));
  });
  patterns.add<ExpandUnary<math::LogOp>>(
      context, [](Ops &d, Value x) { return buildLog(d, x); });
  patterns.add<ExpandUnary<math::Log2Op>>(
      context, [](Ops &d, Value x) { return buildLog(d, x, kLog2E); });
  patterns.add<ExpandUnary<math::Log10Op>>(context, [](Ops &d, Value x) {
    return buildLog(d, x, 0.43429448190325182765);
  });
  patterns.add<ExpandUnary<math::RsqrtOp>>(
      context, [](Ops &d, Value x) { return d.div(d.c(1.0), d.sqrt(x)); });
  patterns.add<ExpandUnary<math::SinOp>>(
      context, [](Ops &d, Value x) { return buildSinCos(d, x, 0); });
  patterns.add<ExpandUnary<math::CosOp>>(
      context, [](Ops &d, Value x) { return buildSinCos(d, x, 1); });
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
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<WidenMath>(context);
    mlir::fp8::populateExpandFloatCastPatterns(patterns);
    mlir::fp8::populateExpandMathPatterns(patterns);
    SmallVector<Operation *> roots;
    if (only.empty())
      roots.push_back(getOperation());
    else
      getOperation()->walk([&](Operation *op) {
        if (op->hasAttr(only))
          roots.push_back(op);
      });
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (Operation *root : roots)
      if (failed(applyPatternsGreedily(root, frozen)))
        return signalPassFailure();
  }
};
} // namespace
