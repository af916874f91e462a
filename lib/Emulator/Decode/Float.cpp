//===- Float.cpp - floating-point instructions ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic is the float engine's (Arith.h); round-to-nearest f32 and f64
// without flags take the vector loops of Lanes.inc, which give the same bits.
//
//===----------------------------------------------------------------------===//

#include "MixedFloat.h"

#include "fp8/Emulator/Float.h"

using namespace fp8::emulator;
using ptx::Type;

namespace {
struct FloatCall32 {
  FloatMode mode;
  LaneFunction32 function;
};
struct FloatCall64 {
  FloatMode mode;
  LaneFunction64 function;
};
} // namespace

template <typename Call, typename T>
static Step runFloat(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<Call>();
  call.function(call.mode, mask, destination<T>(warp, op.d), row<T>(warp, op.a),
                op.b == NoRegister ? nullptr : row<T>(warp, op.b),
                op.c == NoRegister ? nullptr : row<T>(warp, op.c));
  return Step::Next;
}

Rounding fp8::emulator::takeRounding(Context &c, bool &given) {
  int index = c.takeOneOf({"rn", "rz", "rm", "rp"});
  given = index >= 0;
  constexpr Rounding all[] = {Rounding::NearestEven, Rounding::TowardZero,
                              Rounding::Down, Rounding::Up};
  return given ? all[index] : Rounding::NearestEven;
}

static Type rowType(FloatType type) {
  switch (type) {
  case FloatType::F16:
  case FloatType::BF16:
    return Type::B16;
  case FloatType::F16x2:
  case FloatType::BF16x2:
    return Type::B32;
  case FloatType::F32:
    return Type::F32;
  case FloatType::F32x2:
    return Type::B64;
  case FloatType::F64:
    return Type::F64;
  }
  return Type::None;
}

/// The vector loop for an operation, or null.
static Handler fastLoop(FloatOp op, FloatType type, const FloatMode &mode) {
  bool plain = mode.rounding == Rounding::NearestEven && !mode.ftz &&
               !mode.sat && !mode.relu && !mode.oob;
  if (!plain || (type != FloatType::F32 && type != FloatType::F64))
    return nullptr;
  bool isDouble = type == FloatType::F64;
  switch (op) {
  case FloatOp::Add:
    return selectFastFloat(FastFloat::Add, isDouble);
  case FloatOp::Sub:
    return selectFastFloat(FastFloat::Sub, isDouble);
  case FloatOp::Mul:
    return selectFastFloat(FastFloat::Mul, isDouble);
  case FloatOp::Fma:
    return selectFastFloat(FastFloat::Fma, isDouble);
  default:
    return nullptr;
  }
}

bool fp8::emulator::decodeFloat(Context &c, FloatOp op, FloatType type,
                                unsigned operands) {
  FloatMode mode;
  bool given;
  mode.rounding = takeRounding(c, given);
  mode.ftz = c.take("ftz");
  mode.sat = c.take("sat");
  mode.relu = op == FloatOp::Fma && c.take("relu");
  mode.oob = op == FloatOp::Fma && c.take("oob");
  bool isMinMax = op == FloatOp::Min || op == FloatOp::Max ||
                  op == FloatOp::Min3 || op == FloatOp::Max3;
  if (isMinMax) {
    mode.nan = c.take("NaN");
    mode.xorsign = c.take("xorsign");
    mode.abs = c.take("abs");
    if (given)
      return c.fail("expected no rounding");
  }
  bool half = type != FloatType::F32 && type != FloatType::F64 &&
              type != FloatType::F32x2;
  if (half && given && mode.rounding != Rounding::NearestEven)
    return c.fail("expected .rn for this type");
  if (type == FloatType::F64 && (mode.ftz || mode.sat))
    return c.fail("expected no .ftz or .sat with .f64");
  if ((op == FloatOp::Neg || op == FloatOp::Abs) && mode.sat)
    return c.fail("expected no .sat");
  Op out;
  Type operandType = rowType(type);
  if (!c.values(out, ptx::sizeOf(operandType),
                llvm::SmallVector<Type, 3>(operands, operandType)))
    return false;
  out.run = fastLoop(op, type, mode);
  if (!out.run && ptx::sizeOf(operandType) == 8) {
    out.run = runFloat<FloatCall64, uint64_t>;
    out.extra =
        c.function.keep(FloatCall64{mode, selectLanes64(op, type, mode)});
  } else if (!out.run) {
    out.run = runFloat<FloatCall32, uint32_t>;
    out.extra =
        c.function.keep(FloatCall32{mode, selectLanes32(op, type, mode)});
  }
  c.emit(out);
  return true;
}

static Step runWiden(Warp &warp, const Op &op, uint32_t mask) {
  const FloatFormat &from = op.aux ? BF16Format : F16Format;
  const auto *a = row<uint32_t>(warp, op.a);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = pack(unpack(a[i], from), F32Format, PackOptions());
  }
  return Step::Next;
}

bool fp8::emulator::decodeMixedFloat(Context &c, FloatOp op, Type half,
                                     unsigned operands) {
  if (half != Type::F16 && half != Type::BF16)
    return c.fail("expected .f16 or .bf16 behind .f32");
  if (!c.require(c.target().capability >= 100, "mixed-precision arithmetic"))
    return false;
  FloatMode mode;
  bool given;
  mode.rounding = takeRounding(c, given);
  mode.sat = c.take("sat");
  if (!c.finishQualifiers() || !c.count(operands + 1))
    return false;
  Op out;
  uint32_t *rows[] = {&out.a, &out.b, &out.c};
  for (unsigned i = 0; i + 1 < operands; ++i) {
    Op widen;
    widen.run = runWiden;
    widen.aux = half == Type::BF16;
    if (!c.source(c.operand(i + 1), Type::B16, widen.a))
      return false;
    *rows[i] = widen.d = c.function.newRow(4);
    c.emit(widen);
  }
  if (!c.source(c.operand(operands), Type::F32, *rows[operands - 1]) ||
      !c.destination(c.operand(0), 4, out.d))
    return false;
  out.run = runFloat<FloatCall32, uint32_t>;
  out.extra = c.function.keep(
      FloatCall32{mode, selectLanes32(op, FloatType::F32, mode)});
  c.emit(out);
  return true;
}

Step fp8::emulator::runFloatCompare(Warp &warp, const Op &op, uint32_t mask) {
  const auto &how = op.as<FloatCompare>();
  bool isDouble = how.type == FloatType::F64;
  bool isPair = how.type == FloatType::F16x2 || how.type == FloatType::BF16x2;
  FloatType type = how.type == FloatType::F16x2    ? FloatType::F16
                   : how.type == FloatType::BF16x2 ? FloatType::BF16
                                                   : how.type;
  uint32_t bits = 0, second = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t a =
        isDouble ? row<uint64_t>(warp, op.a)[i] : row<uint32_t>(warp, op.a)[i];
    uint64_t b =
        isDouble ? row<uint64_t>(warp, op.b)[i] : row<uint32_t>(warp, op.b)[i];
    if (isPair) {
      second |= uint32_t(compare(how.compare, type, how.ftz, a >> 16, b >> 16))
                << i;
      a &= 0xffff, b &= 0xffff;
    }
    bits |= uint32_t(compare(how.compare, type, how.ftz, a, b)) << i;
  }
  if (!isPair) {
    finishCompare(warp, op, mask, bits);
    return Step::Next;
  }
  Op low = op, high = op;
  low.target = NoRegister;
  high.d = op.target;
  high.target = NoRegister;
  finishCompare(warp, low, mask, bits);
  finishCompare(warp, high, mask, second);
  return Step::Next;
}

/// 1.0 (target) or 0 in the low half by predicate a, in the high half by b.
static Step runSetPacked(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t low = predicate(warp, op.a), high = predicate(warp, op.b);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] =
        (low >> i & 1 ? op.target : 0) | (high >> i & 1 ? op.target << 16 : 0);
  }
  return Step::Next;
}

bool fp8::emulator::decodeSetPacked(Context &c, FloatCompare compare, Op out) {
  out.target = c.function.newRow(0);
  out.run = runFloatCompare;
  out.extra = c.function.keep(compare);
  Op result;
  result.run = runSetPacked;
  result.a = out.d;
  result.b = out.target;
  result.target = compare.type == FloatType::F16x2 ? 0x3c00 : 0x3f80;
  if (!c.source(c.operand(1), Type::B32, out.a) ||
      !c.source(c.operand(2), Type::B32, out.b) ||
      !c.destination(c.operand(0), 4, result.d))
    return false;
  c.emit(out);
  c.emit(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

static bool decodeFma(Context &c) {
  if (c.take("f32x2"))
    return decodeFloat(c, FloatOp::Fma, FloatType::F32x2, 3);
  std::optional<FloatType> kind = floatType(c.takeType());
  if (!kind)
    return c.fail("unsupported type");
  bool rounded = false;
  for (llvm::StringRef q : c.inst.qualifiers)
    rounded |= q == "rn" || q == "rz" || q == "rm" || q == "rp";
  if (!rounded)
    return c.fail("expected a rounding");
  if (Type half = *kind == FloatType::F32 ? c.takeType() : Type::None;
      half != Type::None)
    return decodeMixedFloat(c, FloatOp::Fma, half, 3);
  return decodeFloat(c, FloatOp::Fma, *kind, 3);
}

static bool approximate(Context &c, FloatOp op) {
  if (!c.take("approx"))
    return c.fail("expected .approx");
  std::optional<FloatType> kind = floatType(c.takeType());
  if (!kind)
    return c.fail("unsupported type");
  bool wide = *kind == FloatType::F64;
  if (wide && (op != FloatOp::RsqrtApprox && op != FloatOp::RcpApprox))
    return c.fail("unsupported type");
  if (!wide)
    return decodeFloat(c, op, *kind, 1);
  // .ftz belongs to the name of the f64 forms.
  FloatMode mode;
  mode.ftz = c.take("ftz");
  Op out;
  if (!c.values(out, 8, Type::F64))
    return false;
  out.run = runFloat<FloatCall64, uint64_t>;
  out.extra =
      c.function.keep(FloatCall64{mode, selectLanes64(op, *kind, mode)});
  c.emit(out);
  return true;
}

static bool exactOrApproximate(Context &c, FloatOp exact, FloatOp approx) {
  for (llvm::StringRef q : c.inst.qualifiers)
    if (q == "approx")
      return approximate(c, approx);
  Type type = c.takeType();
  if (type != Type::F32 && type != Type::F64)
    return c.fail("unsupported type");
  return decodeFloat(c, exact, *floatType(type), 1);
}

static bool decodeRcp(Context &c) {
  return exactOrApproximate(c, FloatOp::Rcp, FloatOp::RcpApprox);
}
static bool decodeSqrt(Context &c) {
  return exactOrApproximate(c, FloatOp::Sqrt, FloatOp::SqrtApprox);
}
static bool decodeRsqrt(Context &c) {
  return approximate(c, FloatOp::RsqrtApprox);
}
static bool decodeSin(Context &c) { return approximate(c, FloatOp::SinApprox); }
static bool decodeCos(Context &c) { return approximate(c, FloatOp::CosApprox); }
static bool decodeLg2(Context &c) { return approximate(c, FloatOp::Lg2Approx); }
static bool decodeEx2(Context &c) { return approximate(c, FloatOp::Ex2Approx); }
static bool decodeTanh(Context &c) {
  return approximate(c, FloatOp::TanhApprox);
}

static bool decodeCopysign(Context &c) {
  Type type = c.takeType();
  if (type != Type::F32 && type != Type::F64)
    return c.fail("unsupported type");
  return decodeFloat(c, FloatOp::Copysign, *floatType(type), 2);
}

/// The engine gives 0 or 1; this makes a predicate of it.
static Step runToPredicate(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < 32; ++i) {
    bool set = op.aux ? row<uint64_t>(warp, op.a)[i] != 0
                      : row<uint32_t>(warp, op.a)[i] != 0;
    bits |= uint32_t(set) << i;
  }
  setPredicate(warp, op.d, mask, bits);
  return Step::Next;
}

static bool decodeTestp(Context &c) {
  int which = c.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = c.takeType();
  if (which < 0 || (type != Type::F32 && type != Type::F64))
    return c.fail("expected a test and .f32 or .f64");
  auto op = static_cast<FloatOp>(static_cast<int>(FloatOp::TestFinite) + which);
  bool wide = type == Type::F64;
  Op test;
  if (!c.finishQualifiers() || !c.count(2) ||
      !c.source(c.operand(1), type, test.a))
    return false;
  FloatMode mode;
  test.d = c.function.newRow(wide ? 8 : 4);
  if (wide) {
    test.run = runFloat<FloatCall64, uint64_t>;
    test.extra = c.function.keep(
        FloatCall64{mode, selectLanes64(op, FloatType::F64, mode)});
  } else {
    test.run = runFloat<FloatCall32, uint32_t>;
    test.extra = c.function.keep(
        FloatCall32{mode, selectLanes32(op, FloatType::F32, mode)});
  }
  c.emit(test);
  Op result;
  result.run = runToPredicate;
  result.a = test.d;
  result.aux = wide;
  if (!c.predicateDestination(c.operand(0), result.d))
    return false;
  c.emit(result);
  return true;
}

static const InstructionRow rows[] = {
    {"fma",
     "fma.rnd{.ftz}{.sat}{.relu}{.oob}.{f16,f16x2,bf16,bf16x2,f32,"
     "f32x2,f64}; fma.rnd{.sat}.f32.{f16,bf16}",
     "hardware", decodeFma},
    {"rcp", "rcp.rnd{.ftz}.{f32,f64}; rcp.approx{.ftz}.{f32,f64}",
     "hardware; approx: assumed", decodeRcp},
    {"sqrt", "sqrt.rnd{.ftz}.{f32,f64}; sqrt.approx{.ftz}.f32",
     "hardware; approx: assumed", decodeSqrt},
    {"rsqrt", "rsqrt.approx{.ftz}.{f32,f64}", "assumed", decodeRsqrt},
    {"sin", "sin.approx{.ftz}.f32", "assumed", decodeSin},
    {"cos", "cos.approx{.ftz}.f32", "assumed", decodeCos},
    {"lg2", "lg2.approx{.ftz}.f32", "assumed", decodeLg2},
    {"ex2", "ex2.approx{.ftz}.{f32,f16,f16x2,bf16,bf16x2}", "assumed",
     decodeEx2},
    {"tanh", "tanh.approx.{f32,f16,f16x2,bf16,bf16x2}", "assumed", decodeTanh},
    {"copysign", "copysign.{f32,f64}", "hardware", decodeCopysign},
    {"testp",
     "testp.{finite,infinite,number,notanumber,normal,subnormal}."
     "{f32,f64}",
     "hardware", decodeTestp},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::floatRows() { return rows; }
