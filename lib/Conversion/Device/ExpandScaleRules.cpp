//===- ExpandScaleRules.cpp - Scale rules as arithmetic -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device cannot call the Numerics library, so each of its rules is written
// out: one operation here for each f32 operation there, in the same order, with
// the library's own constants.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Numerics/Amax.h"
#include "fp8/Numerics/Scale.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEEXPANDSCALERULES
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
namespace numerics = ::fp8::numerics;
using numerics::Format;
using numerics::Mode;

namespace {

/// A multiplier and a scale.
struct Pair {
  Value multiplier, scale;
};

/// Options of a rule; see numerics::ScaleOptions.
struct Options {
  Mode mode;
  int32_t margin = 0;
  bool pow2 = false;
  Pair previous;
};

/// The rules over f32 values.
class Rules {
public:
  Rules(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Pair one() { return {f(1.0f), f(1.0f)}; }
  Pair stored(Value multiplier) {
    return {multiplier, canonicalize(div(f(1.0f), multiplier))};
  }
  Value amaxSeenBy(Mode mode, Value amax, Value flags);
  Pair fromRawAmax(Value amax, Value format, const Options &options);
  Value maxOf(Value a, Value c, bool keepNaN);
  Pair select(Value condition, Pair a, Pair c) {
    return {select(condition, a.multiplier, c.multiplier),
            select(condition, a.scale, c.scale)};
  }
  Value select(Value condition, Value a, Value c) {
    return arith::SelectOp::create(b, loc, condition, a, c);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value c) {
    return arith::CmpFOp::create(b, loc, predicate, a, c);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value c) {
    return arith::CmpIOp::create(b, loc, predicate, a, c);
  }
  Value f(float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  Value i(int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

private:
  Value bits(Value x) {
    return arith::BitcastOp::create(b, loc, b.getI32Type(), x);
  }
  Value fromBits(Value x) {
    return arith::BitcastOp::create(b, loc, b.getF32Type(), x);
  }
  Value div(Value a, Value c) { return arith::DivFOp::create(b, loc, a, c); }
  Value both(Value a, Value c) { return arith::AndIOp::create(b, loc, a, c); }
  Value either(Value a, Value c) { return arith::OrIOp::create(b, loc, a, c); }
  Value isNaN(Value x) { return compare(arith::CmpFPredicate::UNO, x, x); }
  /// |x| as bits.
  Value magnitude(Value x) { return both(bits(x), i(0x7fffffff)); }
  Value isInf(Value x) {
    return compare(arith::CmpIPredicate::eq, magnitude(x), i(0x7f800000));
  }
  Value isNotFinite(Value x) {
    return compare(arith::CmpIPredicate::uge, magnitude(x), i(0x7f800000));
  }
  Value nan() { return fromBits(i(numerics::kNaN32)); }
  Value canonicalize(Value x) { return select(isNaN(x), nan(), x); }
  Value clearMantissa(Value x) {
    return fromBits(both(bits(x), i(static_cast<int32_t>(0xFF800000u))));
  }
  /// One of two constants by the number of a format.
  Value byFormat(Value format, float e4m3, float e5m2) {
    Value isE4M3 = compare(arith::CmpIPredicate::eq, format,
                           i(static_cast<int32_t>(Format::E4M3FN)));
    return select(isE4M3, f(e4m3), f(e5m2));
  }
  Value maxFinite(Value format) {
    return byFormat(format, numerics::maxFinite(Format::E4M3FN),
                    numerics::maxFinite(Format::E5M2));
  }
  /// maxFinite * 2^-margin.
  Value target(Value format, int32_t margin) {
    return byFormat(format,
                    std::ldexp(numerics::maxFinite(Format::E4M3FN), -margin),
                    std::ldexp(numerics::maxFinite(Format::E5M2), -margin));
  }
  Pair fromMultiplier(Value multiplier) {
    return {canonicalize(multiplier), canonicalize(div(f(1.0f), multiplier))};
  }
  Value clamp(Value x, int32_t low, int32_t high) {
    x = arith::MaxSIOp::create(b, loc, x, i(low));
    return arith::MinSIOp::create(b, loc, x, i(high));
  }

  Pair scaleTE(Value amax, Value format, const Options &options);
  Pair scaleFlax(Value amax, Value format, const Options &options);
  Pair scaleOCP(Value amax, Value format, const Options &options);
  Pair scaleTorchAO(Value amax, Value format, const Options &options);
  Pair scaleDeepGEMM(Value amax, Value format, const Options &options);

  OpBuilder &b;
  Location loc;
};

} // namespace

Value Rules::amaxSeenBy(Mode mode, Value amax, Value flags) {
  if (mode == Mode::Safe)
    return amax;
  auto has = [&](int32_t flag) {
    return compare(arith::CmpIPredicate::ne, both(flags, i(flag)), i(0));
  };
  Value seen = select(has(numerics::AmaxInf),
                      f(std::numeric_limits<float>::infinity()), amax);
  return mode == Mode::TE ? seen : select(has(numerics::AmaxNaN), nan(), seen);
}

Value Rules::maxOf(Value a, Value c, bool keepNaN) {
  Value less = compare(arith::CmpFPredicate::OLT, a, c);
  Value result = select(either(isNaN(a), less), c, a);
  return keepNaN ? select(either(isNaN(a), isNaN(c)), nan(), result) : result;
}

Pair Rules::scaleTE(Value amax, Value format, const Options &options) {
  Value zero = compare(arith::CmpFPredicate::OEQ, amax, f(0.0f));
  Value multiplier = div(target(format, options.margin), amax);
  multiplier = select(isInf(multiplier), f(numerics::ScaleOptions().overflow),
                      multiplier);
  if (options.mode == Mode::Safe) {
    Value least = f(std::numeric_limits<float>::min());
    multiplier = select(compare(arith::CmpFPredicate::OLT, multiplier, least),
                        least, multiplier);
  }
  if (options.pow2)
    multiplier = clearMantissa(multiplier);
  return select(either(isNotFinite(amax), zero), options.previous,
                fromMultiplier(multiplier));
}

Pair Rules::scaleFlax(Value amax, Value format, const Options &options) {
  Value factor =
      div(div(maxFinite(format), amax), f(std::ldexp(1.0f, options.margin)));
  // Not above 0, or unordered.
  Value low = compare(arith::CmpFPredicate::ULE, amax, f(0.0f));
  factor = select(either(low, isNotFinite(amax)),
                  div(f(1.0f), options.previous.scale), factor);
  if (options.pow2)
    factor = select(isNaN(factor), factor, clearMantissa(factor));
  return fromMultiplier(factor);
}

Pair Rules::scaleOCP(Value amax, Value format, const Options &options) {
  Value field = arith::ShRUIOp::create(b, loc, magnitude(amax), i(23));
  Value isE4M3 = compare(arith::CmpIPredicate::eq, format,
                         i(static_cast<int32_t>(Format::E4M3FN)));
  Value top = select(isE4M3, i(numerics::info(Format::E4M3FN).maxExponent),
                     i(numerics::info(Format::E5M2).maxExponent));
  Value code = arith::SubIOp::create(b, loc, field, top);
  code = arith::MaxSIOp::create(b, loc, code, i(0));
  code = clamp(arith::AddIOp::create(b, loc, code, i(options.margin)), 0, 254);
  // 2^(127 - code) and 2^(code - 127); the smallest is subnormal.
  auto power = [&](Value exponent) {
    Value normal = arith::ShLIOp::create(b, loc, exponent, i(23));
    Value zero = compare(arith::CmpIPredicate::eq, exponent, i(0));
    return fromBits(select(zero, i(0x00400000), normal));
  };
  Value inverse = arith::SubIOp::create(b, loc, i(254), code);
  return select(isNotFinite(amax), Pair{nan(), nan()},
                Pair{power(inverse), power(code)});
}

Pair Rules::scaleTorchAO(Value amax, Value format, const Options &options) {
  Value multiplier = div(target(format, options.margin), amax);
  if (options.pow2)
    multiplier =
        select(isNaN(multiplier), multiplier, clearMantissa(multiplier));
  return fromMultiplier(multiplier);
}

Pair Rules::scaleDeepGEMM(Value amax, Value format, const Options &options) {
  Value scale = div(amax, target(format, options.margin));
  if (options.pow2) {
    Value field = arith::ShRUIOp::create(b, loc, bits(scale), i(23));
    Value rest =
        compare(arith::CmpIPredicate::ne, both(bits(scale), i(0x7FFFFF)), i(0));
    Value carry = arith::ExtUIOp::create(b, loc, b.getI32Type(), rest);
    field = clamp(arith::AddIOp::create(b, loc, field, carry), 1, 254);
    scale = fromBits(arith::ShLIOp::create(b, loc, field, i(23)));
  }
  return {canonicalize(div(f(1.0f), scale)), canonicalize(scale)};
}

Pair Rules::fromRawAmax(Value amax, Value format, const Options &options) {
  Value epsilon = f(numerics::effectiveEpsilon(options.mode, {}));
  amax =
      select(compare(arith::CmpFPredicate::OLT, amax, epsilon), epsilon, amax);
  switch (options.mode) {
  case Mode::Safe:
  case Mode::TE:
    return scaleTE(amax, format, options);
  case Mode::Flax:
    return scaleFlax(amax, format, options);
  case Mode::OCP:
    return scaleOCP(amax, format, options);
  case Mode::TorchAO:
    return scaleTorchAO(amax, format, options);
  case Mode::DeepGEMM:
    return scaleDeepGEMM(amax, format, options);
  }
  llvm_unreachable("all modes are covered");
}

/// The operand `index` of a call, if it is a constant of i32.
static std::optional<int32_t> findConstant(func::CallOp call, unsigned index) {
  APInt value;
  if (!call.getOperand(index).getType().isSignlessInteger(32) ||
      !matchPattern(call.getOperand(index), m_ConstantInt(&value)))
    return std::nullopt;
  return static_cast<int32_t>(value.getSExtValue());
}

/// The constant operand `index` of a call; expand() has seen that it is one.
static int32_t constantOf(func::CallOp call, unsigned index) {
  return *findConstant(call, index);
}

static Value choose(Pair pair, int32_t which) {
  return which == 0 ? pair.multiplier : pair.scale;
}

/// fp8_cpu_scale_from_amax(amax, flags, format, mode, margin, pow2, which)
static Value expandScaleFromAmax(func::CallOp call, Rules &rules) {
  Options options{static_cast<Mode>(constantOf(call, 3)), constantOf(call, 4),
                  constantOf(call, 5) != 0, rules.one()};
  Value amax =
      rules.amaxSeenBy(options.mode, call.getOperand(0), call.getOperand(1));
  return choose(rules.fromRawAmax(amax, call.getOperand(2), options),
                constantOf(call, 6));
}

/// fp8_cpu_delayed_scale(amax, flags, multiplier, count, format, mode, margin,
/// warmup, which)
static Value expandDelayedScale(func::CallOp call, Rules &rules) {
  auto mode = static_cast<Mode>(constantOf(call, 5));
  Pair pair = rules.stored(call.getOperand(2));
  if (mode == Mode::Safe) {
    Options options{mode, constantOf(call, 6), false, rules.one()};
    Pair current =
        rules.fromRawAmax(call.getOperand(0), call.getOperand(4), options);
    Value warm = rules.compare(arith::CmpIPredicate::slt, call.getOperand(3),
                               call.getOperand(7));
    pair = rules.select(warm, current, pair);
  }
  return choose(pair, constantOf(call, 8));
}

/// fp8_cpu_record(open, amax, flags, mode)
static Value expandRecord(func::CallOp call, Rules &rules) {
  auto mode = static_cast<Mode>(constantOf(call, 3));
  Value amax = rules.amaxSeenBy(mode, call.getOperand(1), call.getOperand(2));
  return rules.maxOf(call.getOperand(0), amax, mode == Mode::Flax);
}

/// fp8_cpu_update(window, multiplier, format, mode, margin)
static Value expandUpdate(func::CallOp call, Rules &rules) {
  auto mode = static_cast<Mode>(constantOf(call, 3));
  Value window = call.getOperand(0), multiplier = call.getOperand(1);
  Options options{mode, constantOf(call, 4), false, rules.stored(multiplier)};
  Value next =
      rules.fromRawAmax(window, call.getOperand(2), options).multiplier;
  if (mode == Mode::Flax)
    return next;
  Value unused =
      rules.compare(arith::CmpFPredicate::OEQ, window, rules.f(0.0f));
  return rules.select(unused, multiplier, next);
}

namespace {
/// A function of the library: the type of its call, which operands choose the
/// rule and have to be constants, a Mode among them, and its expansion.
struct Rule {
  StringRef name;
  unsigned operands, mode;
  SmallVector<unsigned, 5> constants;
  Value (*expand)(func::CallOp call, Rules &rules);
};
} // namespace

/// Replaces `call`, if it is of the library.
static LogicalResult expand(func::CallOp call) {
  static const Rule kRules[] = {
      {"fp8_cpu_scale_from_amax", 7, 3, {3, 4, 5, 6}, expandScaleFromAmax},
      {"fp8_cpu_delayed_scale", 9, 5, {5, 6, 8}, expandDelayedScale},
      {"fp8_cpu_record", 4, 3, {3}, expandRecord},
      {"fp8_cpu_update", 5, 3, {3, 4}, expandUpdate}};
  const Rule *rule = llvm::find_if(
      kRules, [&](const Rule &rule) { return rule.name == call.getCallee(); });
  if (rule == std::end(kRules))
    return success();
  if (call.getNumOperands() != rule->operands || call.getNumResults() != 1)
    return call.emitError("expected ")
           << rule->operands << " operands and a result";
  for (unsigned index : rule->constants)
    if (!findConstant(call, index))
      return call.emitError("expected operand ")
             << index << " to be constant and of i32";
  int32_t mode = constantOf(call, rule->mode);
  constexpr auto last = static_cast<int32_t>(Mode::DeepGEMM);
  if (mode < 0 || mode > last)
    return call.emitError("expected operand ")
           << rule->mode << " to be a mode from 0 to " << last << ", got "
           << mode;
  OpBuilder builder(call);
  Rules rules(builder, call.getLoc());
  call.getResult(0).replaceAllUsesWith(rule->expand(call, rules));
  call.erase();
  return success();
}

namespace {
struct DeviceExpandScaleRules final
    : mlir::fp8::impl::DeviceExpandScaleRulesBase<DeviceExpandScaleRules> {
  void runOnOperation() override {
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      if (failed(expand(call)))
        return signalPassFailure();
  }
};
} // namespace
