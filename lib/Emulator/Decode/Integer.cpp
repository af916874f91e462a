//===- Integer.cpp - integer, logic and move instructions -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opcodes that integers and floats share are decoded here and handed to
// decodeFloat by type.
//
//===----------------------------------------------------------------------===//

#include "MixedFloat.h"
#include "NarrowFamily.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

std::optional<IntType> fp8::emulator::integerType(Type type) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return IntType::U16;
  case Type::S16:
    return IntType::S16;
  case Type::B32:
  case Type::U32:
    return IntType::U32;
  case Type::S32:
    return IntType::S32;
  case Type::B64:
  case Type::U64:
    return IntType::U64;
  case Type::S64:
    return IntType::S64;
  default:
    return std::nullopt;
  }
}

std::optional<FloatType> fp8::emulator::floatType(Type type) {
  switch (type) {
  case Type::F16:
    return FloatType::F16;
  case Type::F16x2:
    return FloatType::F16x2;
  case Type::BF16:
    return FloatType::BF16;
  case Type::BF16x2:
    return FloatType::BF16x2;
  case Type::F32:
    return FloatType::F32;
  case Type::F64:
    return FloatType::F64;
  default:
    return std::nullopt;
  }
}

IntType fp8::emulator::moveType(unsigned bytes) {
  return bytes == 8 ? IntType::U64 : IntType::U32;
}

/// Result type of .wide.
static Type widened(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

/// d = op(operands...) with every operand of `type`; `types` overrides.
static bool simple(Context &c, IntOp op, Type type, unsigned operands,
                   Type resultType = Type::None, Type bType = Type::None,
                   Type cType = Type::None, uint16_t aux = 0) {
  std::optional<IntType> kind = integerType(type);
  Handler handler = kind ? selectInteger(op, *kind) : nullptr;
  if (!handler)
    return c.fail("unsupported type");
  Op out;
  out.run = handler;
  out.aux = aux;
  auto pick = [&](Type other) { return other == Type::None ? type : other; };
  const Type types[] = {type, pick(bType), pick(cType)};
  if (!c.values(out, ptx::sizeOf(pick(resultType)),
                llvm::ArrayRef(types, operands)))
    return false;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// Bits of aux of the extended-precision handlers.
enum CarryFlags : uint16_t { ReadCarry = 1, WriteCarry = 2, Subtract = 4 };

template <typename T>
static Step runCarry(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t carry = predicate(warp, CarryRow), out = 0;
  const T *a = row<T>(warp, op.a), *b = row<T>(warp, op.b);
  T *d = destination<T>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    T in = op.aux & ReadCarry ? carry >> i & 1 : 0;
    T first, sum;
    bool over;
    if (op.aux & Subtract) {
      over = __builtin_sub_overflow(a[i], b[i], &first);
      over |= __builtin_sub_overflow(first, in, &sum);
    } else {
      over = __builtin_add_overflow(a[i], b[i], &first);
      over |= __builtin_add_overflow(first, in, &sum);
    }
    d[i] = sum;
    out |= uint32_t(over) << i;
  }
  if (op.aux & WriteCarry)
    setPredicate(warp, CarryRow, mask, out);
  return Step::Next;
}

static bool carryOp(Context &c, Type type, uint16_t aux, uint32_t a, uint32_t b,
                    const Operand &d) {
  Op out;
  bool wide = ptx::sizeOf(type) == 8;
  out.run = wide ? runCarry<uint64_t> : runCarry<uint32_t>;
  out.aux = aux;
  out.a = a;
  out.b = b;
  if (!c.destination(d, ptx::sizeOf(type), out.d))
    return false;
  c.emit(out);
  return true;
}

/// add.cc, addc, sub.cc, subc.
static bool decodeCarry(Context &c, uint16_t aux) {
  if (c.take("cc"))
    aux |= WriteCarry;
  Type type = c.takeType();
  uint32_t a, b;
  if (ptx::sizeOf(type) < 4 || !integerType(type))
    return c.fail("expected a 32-bit or 64-bit integer type");
  return c.finishQualifiers() && c.count(3) &&
         c.source(c.operand(1), type, a) && c.source(c.operand(2), type, b) &&
         carryOp(c, type, aux, a, b, c.operand(0));
}

static bool decodeAddC(Context &c) { return decodeCarry(c, ReadCarry); }
static bool decodeSubC(Context &c) {
  return decodeCarry(c, ReadCarry | Subtract);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool addSub(Context &c, bool isAdd) {
  for (llvm::StringRef q : c.inst.qualifiers)
    if (q == "cc")
      return decodeCarry(c, isAdd ? 0 : Subtract);
  FloatOp floatOp = isAdd ? FloatOp::Add : FloatOp::Sub;
  if (c.take("f32x2"))
    return decodeFloat(c, floatOp, FloatType::F32x2, 2);
  bool u2 = c.take("u16x2"), s2 = !u2 && c.take("s16x2");
  if (u2 || s2) {
    if (!isAdd)
      return c.fail("unsupported type");
    Op out;
    out.run = selectInteger(IntOp::Add2, IntType::U16);
    if (!c.values(out, 4, {Type::B32, Type::B32}))
      return false;
    c.emit(out);
    return true;
  }
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type)) {
    if (Type half = type == Type::F32 ? c.takeType() : Type::None;
        half != Type::None)
      return decodeMixedFloat(c, floatOp, half, 2);
    return decodeFloat(c, floatOp, *kind, 2);
  }
  if (type == Type::S32 && c.take("sat"))
    return simple(c, isAdd ? IntOp::AddSat : IntOp::SubSat, type, 2);
  return simple(c, isAdd ? IntOp::Add : IntOp::Sub, type, 2);
}

static bool decodeAdd(Context &c) { return addSub(c, true); }
static bool decodeSub(Context &c) { return addSub(c, false); }

static bool decodeMul(Context &c) {
  if (c.take("f32x2"))
    return decodeFloat(c, FloatOp::Mul, FloatType::F32x2, 2);
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type))
    return decodeFloat(c, FloatOp::Mul, *kind, 2);
  if (c.take("wide"))
    return simple(c, IntOp::MulWide, type, 2, widened(type));
  if (c.take("hi"))
    return simple(c, IntOp::MulHi, type, 2);
  if (!c.take("lo"))
    return c.fail("expected .lo, .hi or .wide");
  return simple(c, IntOp::MulLo, type, 2);
}

/// mad.lo.cc, madc: a multiplication, then an addition with carry.
static bool madCarry(Context &c, uint16_t aux) {
  if (c.take("cc"))
    aux |= WriteCarry;
  bool high = c.take("hi");
  if (!high && !c.take("lo"))
    return c.fail("expected .lo or .hi");
  Type type = c.takeType();
  std::optional<IntType> kind = integerType(type);
  if (ptx::sizeOf(type) < 4 || !kind)
    return c.fail("expected a 32-bit or 64-bit integer type");
  Op product;
  product.run = selectInteger(high ? IntOp::MulHi : IntOp::MulLo, *kind);
  uint32_t addend;
  if (!c.finishQualifiers() || !c.count(4) ||
      !c.source(c.operand(1), type, product.a) ||
      !c.source(c.operand(2), type, product.b) ||
      !c.source(c.operand(3), type, addend))
    return false;
  product.d = c.function.newRow(ptx::sizeOf(type));
  c.emit(product);
  return carryOp(c, type, aux, product.d, addend, c.operand(0));
}

static bool decodeMadC(Context &c) { return madCarry(c, ReadCarry); }

static bool decodeMad(Context &c) {
  for (llvm::StringRef q : c.inst.qualifiers)
    if (q == "cc")
      return madCarry(c, 0);
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type))
    return decodeFloat(c, FloatOp::Fma, *kind, 3);
  if (c.take("wide"))
    return simple(c, IntOp::MadWide, type, 3, widened(type), Type::None,
                  widened(type));
  if (c.take("hi"))
    return simple(c, c.take("sat") ? IntOp::MadHiSat : IntOp::MadHi, type, 3);
  if (!c.take("lo"))
    return c.fail("expected .lo, .hi or .wide");
  return simple(c, IntOp::MadLo, type, 3);
}

static bool decodeSad(Context &c) {
  return simple(c, IntOp::Sad, c.takeType(), 3);
}

static bool decodeDiv(Context &c) {
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type)) {
    FloatOp op = c.take("approx") ? FloatOp::DivApprox
                 : c.take("full") ? FloatOp::DivFull
                                  : FloatOp::Div;
    return decodeFloat(c, op, *kind, 2);
  }
  return simple(c, IntOp::Div, type, 2);
}

static bool decodeRem(Context &c) {
  return simple(c, IntOp::Rem, c.takeType(), 2);
}

static bool minMax(Context &c, bool isMin) {
  bool u2 = c.take("u16x2"), s2 = !u2 && c.take("s16x2");
  if (u2 || s2) {
    bool relu = s2 && c.take("relu");
    IntOp op = isMin ? (relu ? IntOp::Min2Relu : IntOp::Min2)
                     : (relu ? IntOp::Max2Relu : IntOp::Max2);
    Op out;
    out.run = selectInteger(op, u2 ? IntType::U16 : IntType::S16);
    if (!c.values(out, 4, {Type::B32, Type::B32}))
      return false;
    c.emit(out);
    return true;
  }
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type)) {
    if (c.inst.operands.size() == 4)
      return decodeFloat(c, isMin ? FloatOp::Min3 : FloatOp::Max3, *kind, 3);
    return decodeFloat(c, isMin ? FloatOp::Min : FloatOp::Max, *kind, 2);
  }
  if (type == Type::S32 && c.take("relu"))
    return simple(c, isMin ? IntOp::MinRelu : IntOp::MaxRelu, type, 2);
  return simple(c, isMin ? IntOp::Min : IntOp::Max, type, 2);
}

static bool decodeMin(Context &c) { return minMax(c, true); }
static bool decodeMax(Context &c) { return minMax(c, false); }

static bool decodeAbs(Context &c) {
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type))
    return decodeFloat(c, FloatOp::Abs, *kind, 1);
  return simple(c, IntOp::Abs, type, 1);
}

static bool decodeNeg(Context &c) {
  Type type = c.takeType();
  if (std::optional<FloatType> kind = floatType(type))
    return decodeFloat(c, FloatOp::Neg, *kind, 1);
  return simple(c, IntOp::Neg, type, 1);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static bool decodePopc(Context &c) {
  return simple(c, IntOp::Popc, c.takeType(), 1, Type::U32);
}
static bool decodeClz(Context &c) {
  return simple(c, IntOp::Clz, c.takeType(), 1, Type::U32);
}
static bool decodeBrev(Context &c) {
  return simple(c, IntOp::Brev, c.takeType(), 1);
}
static bool decodeBfind(Context &c) {
  IntOp op = c.take("shiftamt") ? IntOp::BfindShift : IntOp::Bfind;
  return simple(c, op, c.takeType(), 1, Type::U32);
}
static bool decodeFns(Context &c) {
  return simple(c, IntOp::Fns, c.takeType(), 3);
}
static bool decodeBfe(Context &c) {
  return simple(c, IntOp::Bfe, c.takeType(), 3, Type::None, Type::U32,
                Type::U32);
}
static bool decodeBfi(Context &c) {
  Type type = c.takeType();
  std::optional<IntType> kind = integerType(type);
  Op out;
  out.run = kind ? selectInteger(IntOp::Bfi, *kind) : nullptr;
  if (!out.run)
    return c.fail("unsupported type");
  if (!c.finishQualifiers() || !c.count(5) ||
      !c.source(c.operand(1), type, out.a) ||
      !c.source(c.operand(2), type, out.b) ||
      !c.source(c.operand(3), Type::U32, out.c) ||
      !c.source(c.operand(4), Type::U32, out.target) ||
      !c.destination(c.operand(0), ptx::sizeOf(type), out.d))
    return false;
  c.emit(out);
  return true;
}
static bool decodeBmsk(Context &c) {
  bool wrap = c.take("wrap");
  if (!wrap && !c.take("clamp"))
    return c.fail("expected .clamp or .wrap");
  return simple(c, wrap ? IntOp::BmskWrap : IntOp::BmskClamp, c.takeType(), 2);
}
static bool decodeSzext(Context &c) {
  bool wrap = c.take("wrap");
  if (!wrap && !c.take("clamp"))
    return c.fail("expected .clamp or .wrap");
  return simple(c, wrap ? IntOp::SzextWrap : IntOp::SzextClamp, c.takeType(), 2,
                Type::None, Type::U32);
}

static uint16_t signs(Context &c) {
  Type a = c.takeType(), b = c.takeType();
  return (a == Type::S32 ? 1 : 0) | (b == Type::S32 ? 2 : 0);
}
static bool decodeDp4a(Context &c) {
  uint16_t aux = signs(c);
  return simple(c, IntOp::Dp4a, Type::U32, 3, Type::None, Type::None,
                Type::None, aux);
}
static bool decodeDp2a(Context &c) {
  bool high = c.take("hi");
  if (!high && !c.take("lo"))
    return c.fail("expected .lo or .hi");
  uint16_t aux = signs(c);
  return simple(c, high ? IntOp::Dp2aHi : IntOp::Dp2aLo, Type::U32, 3,
                Type::None, Type::None, Type::None, aux);
}

static bool decodeShl(Context &c) {
  return simple(c, IntOp::Shl, c.takeType(), 2, Type::None, Type::U32);
}
static bool decodeShr(Context &c) {
  return simple(c, IntOp::Shr, c.takeType(), 2, Type::None, Type::U32);
}
static bool decodeShf(Context &c) {
  bool left = c.take("l");
  if (!left && !c.take("r"))
    return c.fail("expected .l or .r");
  bool wrap = c.take("wrap");
  if (!wrap && !c.take("clamp"))
    return c.fail("expected .clamp or .wrap");
  IntOp op = left ? (wrap ? IntOp::ShfLeftWrap : IntOp::ShfLeftClamp)
                  : (wrap ? IntOp::ShfRightWrap : IntOp::ShfRightClamp);
  return simple(c, op, c.takeType(), 3);
}

static bool decodePrmt(Context &c) {
  Type type = c.takeType();
  int mode = c.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1;
  return simple(c, IntOp::Prmt, type, 3, Type::None, Type::None, Type::None,
                mode);
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

template <unsigned Which>
static Step runPredicateLogic(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t a = predicate(warp, op.a);
  uint32_t b = op.b == NoRegister ? 0 : predicate(warp, op.b);
  if (op.aux & 1)
    a = ~a;
  if (op.aux & 2)
    b = ~b;
  uint32_t value = Which == 0   ? a & b
                   : Which == 1 ? a | b
                   : Which == 2 ? a ^ b
                   : Which == 3 ? ~a
                                : a;
  setPredicate(warp, op.d, mask, value);
  return Step::Next;
}

template <unsigned Which>
static bool logic(Context &c, IntOp op, unsigned operands) {
  Type type = c.takeType();
  if (type != Type::Pred)
    return simple(c, op, type, operands);
  Op out;
  out.run = runPredicateLogic<Which>;
  bool notA = false, notB = false;
  if (!c.finishQualifiers() || !c.count(operands + 1) ||
      !c.predicateSource(c.operand(1), out.a, notA) ||
      (operands > 1 && !c.predicateSource(c.operand(2), out.b, notB)) ||
      !c.predicateDestination(c.operand(0), out.d))
    return false;
  out.aux = notA | notB << 1;
  c.emit(out);
  return true;
}

static bool decodeAnd(Context &c) { return logic<0>(c, IntOp::And, 2); }
static bool decodeOr(Context &c) { return logic<1>(c, IntOp::Or, 2); }
static bool decodeXor(Context &c) { return logic<2>(c, IntOp::Xor, 2); }
static bool decodeNot(Context &c) { return logic<3>(c, IntOp::Not, 1); }
static bool decodeCNot(Context &c) {
  return simple(c, IntOp::CNot, c.takeType(), 1);
}

/// p = (d != 0) BoolOp q.
static Step runLop3Predicate(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint32_t>(warp, op.a);
  uint32_t bits = 0, q = predicate(warp, op.b);
  for (unsigned i = 0; i < 32; ++i)
    bits |= uint32_t(a[i] != 0) << i;
  if (op.aux & 2)
    q = ~q;
  setPredicate(warp, op.d, mask, op.aux & 1 ? bits | q : bits & q);
  return Step::Next;
}

static bool decodeLop3(Context &c) {
  bool isOr = c.take("or");
  bool hasPredicate = isOr || c.take("and");
  if (c.takeType() != Type::B32)
    return c.fail("expected .b32");
  if (!c.finishQualifiers() || !c.count(hasPredicate ? 6 : 5))
    return false;
  Op out;
  out.run = selectInteger(IntOp::Lop3, IntType::U32);
  int64_t table;
  if (!c.source(c.operand(1), Type::B32, out.a) ||
      !c.source(c.operand(2), Type::B32, out.b) ||
      !c.source(c.operand(3), Type::B32, out.c) ||
      !c.immediate(c.operand(4), table))
    return false;
  out.aux = table & 0xff;
  const Operand &d = c.operand(0);
  bool isPair = d.kind == Operand::Kind::Pair;
  if (isPair != hasPredicate)
    return c.fail("expected d|p with a boolean operation only");
  if (!c.destination(isPair ? d.elements[0] : d, 4, out.d))
    return false;
  c.emit(out);
  if (!hasPredicate)
    return true;
  Op test;
  bool negated;
  test.run = runLop3Predicate;
  test.a = out.d;
  if (!c.predicateSource(c.operand(5), test.b, negated) ||
      !c.predicateDestination(d.elements[1], test.d))
    return false;
  test.aux = isOr | negated << 1;
  c.emit(test);
  return true;
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

static bool decodeSelp(Context &c) {
  Type type = c.takeType();
  Op out;
  bool negated;
  unsigned bytes = ptx::sizeOf(type);
  if (bytes < 2 || bytes > 8)
    return c.fail("unsupported type");
  out.run = selectInteger(IntOp::Selp, moveType(bytes));
  if (!c.finishQualifiers() || !c.count(4) ||
      !c.source(c.operand(1), type, out.a) ||
      !c.source(c.operand(2), type, out.b) ||
      !c.predicateSource(c.operand(3), out.c, negated) ||
      !c.destination(c.operand(0), bytes, out.d))
    return false;
  out.aux = negated;
  c.emit(out);
  return true;
}

/// Comparison operator by name; -1 when unknown. 0..5 ordered, 6..11 unordered,
/// 12 num, 13 nan; lo, ls, hi, hs are unsigned forms of lt, le, gt, ge.
static int takeCompare(Context &c) {
  int index =
      c.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                   "leu", "gtu", "geu", "num", "nan", "lo", "ls", "hi", "hs"});
  return index < 14 ? index : index - 12;
}

/// Emits the comparison of two operands into predicates `d` and `e`; boolean
/// combination as in finishCompare.
static bool emitCompare(Context &c, int compare, Type type, bool ftz,
                        const Operand &a, const Operand &b, Op out) {
  if (!c.source(a, type, out.a) || !c.source(b, type, out.b))
    return false;
  if (std::optional<IntType> kind = integerType(type)) {
    if (compare > 5 || ftz)
      return c.fail("unsupported comparison of integers");
    out.run = selectCompare(static_cast<IntCompare>(compare), *kind);
  } else if (std::optional<FloatType> kind = floatType(type)) {
    bool isDouble = type == Type::F64;
    if (!ftz && (isDouble || type == Type::F32)) {
      out.run = selectFloatCompare(compare, isDouble);
    } else {
      out.run = runFloatCompare;
      out.extra = c.function.keep(
          FloatCompare{static_cast<Compare>(compare), *kind, ftz});
    }
  } else {
    return c.fail("unsupported type");
  }
  c.emit(out);
  return true;
}

static bool decodeSetp(Context &c) {
  int compare = takeCompare(c);
  if (compare < 0)
    return c.fail("expected a comparison");
  Op out;
  out.imm = c.takeOneOf({"and", "or", "xor"}) + 1;
  bool ftz = c.take("ftz");
  Type type = c.takeType();
  if (!c.finishQualifiers() || !c.count(out.imm ? 4 : 3))
    return false;
  const Operand &d = c.operand(0);
  bool isPair = d.kind == Operand::Kind::Pair;
  out.target = NoRegister;
  bool negated = false;
  if (!c.predicateDestination(isPair ? d.elements[0] : d, out.d) ||
      (isPair && !c.predicateDestination(d.elements[1], out.target)) ||
      (out.imm && !c.predicateSource(c.operand(3), out.c, negated)))
    return false;
  out.aux = negated;
  if (type == Type::F16x2 || type == Type::BF16x2) {
    // Each half goes to its own predicate.
    if (!c.source(c.operand(1), Type::B32, out.a) ||
        !c.source(c.operand(2), Type::B32, out.b))
      return false;
    out.run = runFloatCompare;
    out.extra = c.function.keep(
        FloatCompare{static_cast<Compare>(compare), *floatType(type), ftz});
    c.emit(out);
    return true;
  }
  return emitCompare(c, compare, type, ftz, c.operand(1), c.operand(2), out);
}

/// Turns a predicate into the result of set.
static Step runSetResult(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t bits = predicate(warp, op.a);
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = bits >> i & 1 ? op.target : 0;
  }
  return Step::Next;
}

static bool decodeSet(Context &c) {
  int compare = takeCompare(c);
  if (compare < 0)
    return c.fail("expected a comparison");
  Op out;
  out.imm = c.takeOneOf({"and", "or", "xor"}) + 1;
  bool ftz = c.take("ftz");
  Type resultType = c.takeType(), type = c.takeType();
  bool packed = type == Type::F16x2 || type == Type::BF16x2;
  if (type == Type::None || (packed && resultType != type))
    return c.fail("unsupported type");
  if (!c.finishQualifiers() || !c.count(out.imm ? 4 : 3))
    return false;
  bool negated = false;
  out.d = c.function.newRow(0);
  out.target = NoRegister;
  if (out.imm && !c.predicateSource(c.operand(3), out.c, negated))
    return false;
  out.aux = negated;
  if (packed)
    return decodeSetPacked(
        c, {static_cast<Compare>(compare), *floatType(type), ftz}, out);
  if (!emitCompare(c, compare, type, ftz, c.operand(1), c.operand(2), out))
    return false;
  Op result;
  result.run = runSetResult;
  result.a = out.d;
  switch (resultType) {
  case Type::U32:
  case Type::S32:
    result.target = 0xffffffff;
    break;
  case Type::F32:
    result.target = 0x3f800000;
    break;
  case Type::F16:
    result.target = 0x3c00;
    break;
  case Type::BF16:
    result.target = 0x3f80;
    break;
  case Type::U16:
  case Type::S16:
    result.target = 0xffff;
    break;
  default:
    return c.fail("unsupported result type");
  }
  if (!c.destination(c.operand(0), ptx::sizeOf(resultType), result.d))
    return false;
  c.emit(result);
  return true;
}

/// d = c >= 0 ? a : b.
static bool decodeSlct(Context &c) {
  bool ftz = c.take("ftz");
  Type type = c.takeType(), condition = c.takeType();
  unsigned bytes = ptx::sizeOf(type);
  if ((condition != Type::S32 && condition != Type::F32) || bytes < 2 ||
      bytes > 8)
    return c.fail("unsupported type");
  if (!c.finishQualifiers() || !c.count(4))
    return false;
  Op test;
  test.d = c.function.newRow(0);
  test.target = NoRegister;
  Operand zero;
  zero.kind = Operand::Kind::Integer;
  if (!emitCompare(c, 5, condition, ftz, c.operand(3), zero, test))
    return false;
  Op out;
  out.run = selectInteger(IntOp::Selp, moveType(bytes));
  out.c = test.d;
  if (!c.source(c.operand(1), type, out.a) ||
      !c.source(c.operand(2), type, out.b) ||
      !c.destination(c.operand(0), bytes, out.d))
    return false;
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"add",
     "add{.sat|.cc}.{u16,u32,u64,s16,s32,s64}; .{u16x2,s16x2}; "
     "add{.rnd}{.ftz}{.sat}.{f16,f16x2,bf16,bf16x2,f32,f32x2,f64}; "
     "add{.rnd}{.sat}.f32.{f16,bf16}",
     "hardware", decodeAdd},
    {"addc", "addc{.cc}.{u32,s32,u64,s64}", "hardware", decodeAddC},
    {"sub",
     "sub{.sat|.cc}.{u16,u32,u64,s16,s32,s64}; "
     "sub{.rnd}{.ftz}{.sat}.{f16,f16x2,bf16,bf16x2,f32,f32x2,f64}; "
     "sub{.rnd}{.sat}.f32.{f16,bf16}",
     "hardware", decodeSub},
    {"subc", "subc{.cc}.{u32,s32,u64,s64}", "hardware", decodeSubC},
    {"mul",
     "mul.{lo,hi,wide}.{u16,u32,u64,s16,s32,s64}; "
     "mul{.rnd}{.ftz}{.sat}.{f16,f16x2,bf16,bf16x2,f32,f32x2,f64}",
     "hardware", decodeMul},
    {"mad",
     "mad.{lo,hi,wide}{.sat|.cc}.{u16,u32,u64,s16,s32,s64}; "
     "mad.rnd{.ftz}{.sat}.{f32,f64}",
     "hardware", decodeMad},
    {"madc", "madc.{lo,hi}{.cc}.{u32,s32,u64,s64}", "hardware", decodeMadC},
    {"mul24", "mul24.{lo,hi}.{u32,s32}", "hardware", decodeMul24},
    {"mad24", "mad24.{lo,hi}{.sat}.{u32,s32}", "hardware", decodeMad24},
    {"sad", "sad.{u16,u32,u64,s16,s32,s64}", "hardware", decodeSad},
    {"div",
     "div.{u16,u32,u64,s16,s32,s64}; div{.rnd}{.ftz}.{f32,f64}; "
     "div.{approx,full}{.ftz}.f32",
     "hardware; approx, full and x/0: assumed", decodeDiv},
    {"rem", "rem.{u16,u32,u64,s16,s32,s64}", "hardware; x%0: assumed",
     decodeRem},
    {"min",
     "min.{u16,u32,u64,s16,s32,s64}; min{.relu}.s32; "
     "min{.relu}.{u16x2,s16x2}; "
     "min{.ftz}{.NaN}{.xorsign.abs}.{f16,f16x2,bf16,bf16x2,f32,f64}; "
     "three inputs",
     "hardware", decodeMin},
    {"max", "as min", "hardware", decodeMax},
    {"abs", "abs.{s16,s32,s64}; abs{.ftz}.{f16,f16x2,bf16,bf16x2,f32,f64}",
     "hardware", decodeAbs},
    {"neg", "neg.{s16,s32,s64}; neg{.ftz}.{f16,f16x2,bf16,bf16x2,f32,f64}",
     "hardware", decodeNeg},
    {"popc", "popc.{b32,b64}", "hardware", decodePopc},
    {"clz", "clz.{b32,b64}", "hardware", decodeClz},
    {"brev", "brev.{b32,b64}", "hardware", decodeBrev},
    {"bfind", "bfind{.shiftamt}.{u32,u64,s32,s64}", "hardware", decodeBfind},
    {"fns", "fns.b32", "hardware", decodeFns},
    {"bfe", "bfe.{u32,u64,s32,s64}", "hardware", decodeBfe},
    {"bfi", "bfi.{b32,b64}", "hardware", decodeBfi},
    {"bmsk", "bmsk.{clamp,wrap}.b32", "hardware", decodeBmsk},
    {"szext", "szext.{clamp,wrap}.{u32,s32}", "hardware", decodeSzext},
    {"dp4a", "dp4a.{u32,s32}.{u32,s32}", "hardware", decodeDp4a},
    {"dp2a", "dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "hardware", decodeDp2a},
    {"and", "and.{pred,b16,b32,b64}", "hardware", decodeAnd},
    {"or", "or.{pred,b16,b32,b64}", "hardware", decodeOr},
    {"xor", "xor.{pred,b16,b32,b64}", "hardware", decodeXor},
    {"not", "not.{pred,b16,b32,b64}", "hardware", decodeNot},
    {"cnot", "cnot.{b16,b32,b64}", "hardware", decodeCNot},
    {"lop3", "lop3{.or|.and}.b32", "hardware", decodeLop3},
    {"shl", "shl.{b16,b32,b64}", "hardware", decodeShl},
    {"shr", "shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "hardware", decodeShr},
    {"shf", "shf.{l,r}.{clamp,wrap}.b32", "hardware", decodeShf},
    {"prmt", "prmt.b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "hardware",
     decodePrmt},
    {"selp", "selp.{b16,b32,b64,u*,s*,f32,f64}", "hardware", decodeSelp},
    {"setp",
     "setp.cmp{.and|.or|.xor}{.ftz}.{b16,b32,b64,u*,s*,f16,f16x2,bf16,"
     "bf16x2,f32,f64}",
     "hardware", decodeSetp},
    {"set",
     "set.cmp{.and|.or|.xor}{.ftz}.{u32,s32,f32,u16,s16,f16,bf16}.type; "
     "set.cmp{.and|.or|.xor}{.ftz}.{f16x2.f16x2,bf16x2.bf16x2}",
     "hardware", decodeSet},
    {"slct", "slct{.ftz}.type.{s32,f32}", "hardware", decodeSlct},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::integerRows() { return rows; }
