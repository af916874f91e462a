//===- Convert.cpp - cvt and mov ------------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine (Convert.h) has the numbers; this file has the operand shapes:
// packed destinations take two or four sources, packed sources give packed
// results.
//
//===----------------------------------------------------------------------===//

#include "NarrowFamily.h"

#include "../Exec/Move.h"

#include "fp8/Emulator/Convert.h"

#include "llvm/ADT/StringSwitch.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

//===----------------------------------------------------------------------===//
// cvt
//===----------------------------------------------------------------------===//

namespace {
/// A type of cvt: elements and bits of its register.
struct CvtType {
  NumberType type;
  uint8_t elements;
  uint8_t bytes;
};

/// Operands beyond a and b, and the random bits.
struct CvtExtra {
  Conversion conversion;
  uint32_t e = NoRegister, f = NoRegister, random = NoRegister;
  bool sourceWide = false, resultWide = false;
};
} // namespace

static std::optional<CvtType> parseCvtType(llvm::StringRef name) {
  using T = NumberType;
  using Maybe = std::optional<CvtType>;
  return llvm::StringSwitch<Maybe>(name)
      .Case("u8", CvtType{T::U8, 1, 1})
      .Case("s8", CvtType{T::S8, 1, 1})
      .Case("u16", CvtType{T::U16, 1, 2})
      .Case("s16", CvtType{T::S16, 1, 2})
      .Case("u32", CvtType{T::U32, 1, 4})
      .Case("s32", CvtType{T::S32, 1, 4})
      .Case("u64", CvtType{T::U64, 1, 8})
      .Case("s64", CvtType{T::S64, 1, 8})
      .Case("f16", CvtType{T::F16, 1, 2})
      .Case("bf16", CvtType{T::BF16, 1, 2})
      .Case("tf32", CvtType{T::TF32, 1, 4})
      .Case("f32", CvtType{T::F32, 1, 4})
      .Case("f64", CvtType{T::F64, 1, 8})
      .Case("f16x2", CvtType{T::F16, 2, 4})
      .Case("bf16x2", CvtType{T::BF16, 2, 4})
      .Case("e4m3x2", CvtType{T::E4M3, 2, 2})
      .Case("e5m2x2", CvtType{T::E5M2, 2, 2})
      .Case("e2m3x2", CvtType{T::E2M3, 2, 2})
      .Case("e3m2x2", CvtType{T::E3M2, 2, 2})
      .Case("e2m1x2", CvtType{T::E2M1, 2, 1})
      .Case("ue8m0x2", CvtType{T::UE8M0, 2, 2})
      .Case("e4m3x4", CvtType{T::E4M3, 4, 4})
      .Case("e5m2x4", CvtType{T::E5M2, 4, 4})
      .Case("e2m3x4", CvtType{T::E2M3, 4, 4})
      .Case("e3m2x4", CvtType{T::E3M2, 4, 4})
      .Case("e2m1x4", CvtType{T::E2M1, 4, 2})
      .Default(std::nullopt);
}

static Step runCvt(Warp &warp, const Op &op, uint32_t mask) {
  const auto &extra = op.as<CvtExtra>();
  auto read = [&](uint32_t operand, unsigned lane) -> uint64_t {
    if (operand == NoRegister)
      return 0;
    return extra.sourceWide ? row<uint64_t>(warp, operand)[lane]
                            : row<uint32_t>(warp, operand)[lane];
  };
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint32_t random =
        extra.random == NoRegister ? 0 : row<uint32_t>(warp, extra.random)[i];
    uint64_t value = convert(extra.conversion, read(op.a, i), read(op.b, i),
                             read(extra.e, i), read(extra.f, i), random);
    if (extra.resultWide)
      destination<uint64_t>(warp, op.d)[i] = value;
    else
      destination<uint32_t>(warp, op.d)[i] = value;
  }
  return Step::Next;
}

static Step runCvtLanes(Warp &warp, const Op &op, uint32_t mask) {
  const auto &extra = op.as<CvtExtra>();
  convertLanes(extra.conversion, mask, destination<uint32_t>(warp, op.d),
               row<uint32_t>(warp, op.a),
               op.b == NoRegister ? nullptr : row<uint32_t>(warp, op.b));
  return Step::Next;
}

/// Integer to integer without saturation: truncate or extend.
template <typename To, typename From>
static Step runResize(Warp &warp, const Op &op, uint32_t mask) {
  using Source = std::conditional_t<sizeof(From) == 8, uint64_t, uint32_t>;
  using Result = std::conditional_t<sizeof(To) == 8, uint64_t, uint32_t>;
  const Source *a = row<Source>(warp, op.a);
  Result *d = destination<Result>(warp, op.d);
  for (unsigned i = 0; i < 32; ++i) {
    auto value = static_cast<Result>(
        static_cast<std::make_unsigned_t<To>>(static_cast<From>(a[i])));
    d[i] = mask >> i & 1 ? value : d[i];
  }
  return Step::Next;
}

template <typename To>
static Handler resizeFrom(NumberType from) {
  switch (from) {
  case NumberType::U8:
    return runResize<To, uint8_t>;
  case NumberType::S8:
    return runResize<To, int8_t>;
  case NumberType::U16:
    return runResize<To, uint16_t>;
  case NumberType::S16:
    return runResize<To, int16_t>;
  case NumberType::U32:
    return runResize<To, uint32_t>;
  case NumberType::S32:
    return runResize<To, int32_t>;
  case NumberType::U64:
    return runResize<To, uint64_t>;
  case NumberType::S64:
    return runResize<To, int64_t>;
  default:
    return nullptr;
  }
}

/// Destination registers wider than an 8- or 16-bit result are sign or zero
/// extended, so the result type is widened to the register first.
static Handler resizeHandler(NumberType to, NumberType from) {
  switch (to) {
  case NumberType::U8:
    return resizeFrom<uint8_t>(from);
  case NumberType::S8:
    return resizeFrom<int8_t>(from);
  case NumberType::U16:
    return resizeFrom<uint16_t>(from);
  case NumberType::S16:
    return resizeFrom<int16_t>(from);
  case NumberType::U32:
    return resizeFrom<uint32_t>(from);
  case NumberType::S32:
    return resizeFrom<int32_t>(from);
  case NumberType::U64:
    return resizeFrom<uint64_t>(from);
  case NumberType::S64:
    return resizeFrom<int64_t>(from);
  default:
    return nullptr;
  }
}

/// Takes the rounding qualifiers into `conversion`. False after an error.
static bool cvtRounding(Context &c, Conversion &conversion, bool toFloat,
                        bool fromFloat) {
  int index = c.takeOneOf(
      {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna", "rs"});
  constexpr Rounding all[] = {
      Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up,
      Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up,
      Rounding::NearestAway, Rounding::Stochastic};
  if (index >= 0)
    conversion.rounding = all[index];
  bool integral = index >= 4 && index <= 7;
  if (integral && !fromFloat)
    return c.fail("expected no integer rounding of an integer");
  if (!integral && fromFloat && !toFloat)
    return c.fail("expected an integer rounding (.rni, .rzi, .rmi, .rpi)");
  conversion.integral = integral && toFloat;
  return true;
}

/// Sources of a packed destination, in the order of the operands: one register
/// for each, or a vector.
static bool cvtSources(Context &c, const CvtType &from, unsigned sources,
                       Type type, Op &out, CvtExtra &extra, unsigned &next) {
  uint32_t *where[] = {&out.a, &out.b, &extra.e, &extra.f};
  const Operand &first = c.operand(1);
  next = 2;
  if (first.kind == Operand::Kind::Vector) {
    if (first.elements.size() != sources)
      return c.fail("expected " + llvm::Twine(sources) + " sources");
    for (unsigned i = 0; i < sources; ++i)
      if (!c.source(first.elements[i], type, *where[i], true))
        return false;
    return true;
  }
  if (c.inst.operands.size() < 1 + sources)
    return c.fail("expected " + llvm::Twine(sources) + " sources");
  for (unsigned i = 0; i < sources; ++i)
    if (!c.source(c.operand(1 + i), type, *where[i], true))
      return false;
  next = 1 + sources;
  return true;
}

static Type registerType(const CvtType &type) {
  switch (type.bytes) {
  case 1:
    return Type::B8;
  case 2:
    return Type::B16;
  case 4:
    // Integer constants of float conversions are numbers.
    return type.type == NumberType::F32 ? Type::F32 : Type::B32;
  default:
    return type.type == NumberType::F64 ? Type::F64 : Type::B64;
  }
}

/// The types of result and source.
static bool cvtTypes(Context &c, std::optional<CvtType> &to,
                     std::optional<CvtType> &from) {
  for (llvm::StringRef q : c.inst.qualifiers) {
    std::optional<CvtType> type = parseCvtType(q);
    if (!type || !c.take(q))
      continue;
    if (!to)
      to = type;
    else if (!from)
      from = type;
    else
      return c.fail("expected two types");
  }
  return (to && from) ||
         c.fail("expected two types, found '." + c.peek() + "'");
}

/// Extends an integer result of type `from` to a register of `bytes`.
static void widenResult(Context &c, NumberType from, unsigned bytes,
                        uint32_t source, uint32_t destination) {
  bool isSigned = from == NumberType::S8 || from == NumberType::S16 ||
                  from == NumberType::S32;
  NumberType target =
      bytes == 8   ? (isSigned ? NumberType::S64 : NumberType::U64)
      : bytes == 4 ? (isSigned ? NumberType::S32 : NumberType::U32)
                   : (isSigned ? NumberType::S16 : NumberType::U16);
  Op widen;
  widen.run = resizeHandler(target, from);
  widen.a = source;
  widen.d = destination;
  c.emit(widen);
}

static bool decodeCvt(Context &c) {
  if (c.take("pack"))
    return decodeCvtPack(c);
  std::optional<CvtType> to, from;
  if (!cvtTypes(c, to, from))
    return false;
  CvtExtra extra;
  Conversion &conversion = extra.conversion;
  conversion.to = to->type;
  conversion.from = from->type;
  conversion.elements = to->elements;
  bool toFloat = isFloat(to->type) || to->type == NumberType::UE8M0;
  bool fromFloat = isFloat(from->type) || from->type == NumberType::UE8M0;
  if (!cvtRounding(c, conversion, toFloat, fromFloat))
    return false;
  conversion.ftz = c.take("ftz");
  conversion.sat = c.take("sat");
  conversion.satfinite = c.take("satfinite");
  conversion.relu = c.take("relu");
  if (!c.finishQualifiers() || !c.count(2, 6))
    return false;
  Op out;
  unsigned next = 2;
  unsigned sources = to->elements / from->elements;
  if (sources == 0 || to->elements % from->elements)
    return c.fail("expected as many source elements as results");
  bool wideSource = from->bytes == 8;
  if (!cvtSources(c, *from, sources, registerType(*from), out, extra, next))
    return false;
  if (conversion.rounding == Rounding::Stochastic) {
    if (c.inst.operands.size() <= next ||
        !c.source(c.operand(next), Type::B32, extra.random))
      return c.fail("expected random bits as the last operand");
    ++next;
  }
  if (c.inst.operands.size() != next)
    return c.fail("expected " + llvm::Twine(next) + " operands, found " +
                  llvm::Twine(c.inst.operands.size()));
  // An 8- or 16-bit integer result in a wider register is extended to it.
  unsigned registerSize = c.registerBytes(c.operand(0));
  bool extends = !toFloat && registerSize > to->bytes;
  if (!c.destination(c.operand(0), to->bytes, out.d, extends))
    return false;
  extra.sourceWide = wideSource;
  extra.resultWide = to->bytes == 8;
  uint32_t finalRow = out.d;
  // Convert to the result type first, then extend.
  if (extends)
    out.d = c.function.newRow(to->bytes);
  if (!toFloat && !fromFloat && !conversion.sat)
    out.run = resizeHandler(to->type, from->type);
  else if (sources <= 2 && !extra.sourceWide && !extra.resultWide &&
           extra.random == NoRegister)
    out.run = runCvtLanes;
  else
    out.run = runCvt;
  out.extra = c.function.keep(extra);
  c.emit(out);
  if (extends)
    widenResult(c, to->type, registerSize, out.d, finalRow);
  return true;
}

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

/// Bytes [at, at + n) of lane `i` of a register of `size` bytes.
static uint64_t readPart(const Warp &warp, uint32_t operand, unsigned size,
                         unsigned i, unsigned at) {
  if (size == 16)
    return row<uint64_t>(warp, operand)[32 * (at / 8) + i] >> (8 * (at % 8));
  if (size == 8)
    return row<uint64_t>(warp, operand)[i] >> (8 * at);
  return row<uint32_t>(warp, operand)[i] >> (8 * at);
}

static uint64_t lowBytes(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & ((uint64_t(1) << (8 * bytes)) - 1);
}

/// {elements} = a; aux is the size of a.
static Step runUnpack(Warp &warp, const Op &op, uint32_t mask) {
  const auto &move = op.as<VectorMove>();
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t values[8];
    for (unsigned k = 0; k < move.rows.size(); ++k)
      values[k] =
          lowBytes(readPart(warp, op.a, op.aux, i, k * move.bytes), move.bytes);
    for (unsigned k = 0; k < move.rows.size(); ++k) {
      if (move.rows[k] == NoRegister)
        continue;
      if (move.bytes == 8)
        destination<uint64_t>(warp, move.rows[k])[i] = values[k];
      else
        destination<uint32_t>(warp, move.rows[k])[i] = values[k];
    }
  }
  return Step::Next;
}

/// d = {elements}; aux is the size of d.
static Step runPack(Warp &warp, const Op &op, uint32_t mask) {
  const auto &move = op.as<VectorMove>();
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    uint64_t words[2] = {0, 0};
    for (unsigned k = 0; k < move.rows.size(); ++k) {
      uint64_t value = move.bytes == 8 ? row<uint64_t>(warp, move.rows[k])[i]
                                       : row<uint32_t>(warp, move.rows[k])[i];
      unsigned at = k * move.bytes;
      words[at / 8] |= lowBytes(value, move.bytes) << (8 * (at % 8));
    }
    if (op.aux <= 4) {
      destination<uint32_t>(warp, op.d)[i] = words[0];
      continue;
    }
    destination<uint64_t>(warp, op.d)[i] = words[0];
    if (op.aux == 16)
      destination<uint64_t>(warp, op.d)[32 + i] = words[1];
  }
  return Step::Next;
}

const VectorMove *fp8::emulator::vectorMove(const Op &op) {
  return op.run == runPack || op.run == runUnpack ? &op.as<VectorMove>()
                                                  : nullptr;
}

static Step runMove128(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint64_t>(warp, op.a);
  auto *d = destination<uint64_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    d[i] = a[i];
    d[32 + i] = a[32 + i];
  }
  return Step::Next;
}

static Step runMovePredicate(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t value = predicate(warp, op.a);
  setPredicate(warp, op.d, mask, op.aux ? ~value : value);
  return Step::Next;
}

static Type elementType(unsigned bytes) {
  return bytes == 1   ? Type::B8
         : bytes == 2 ? Type::B16
         : bytes == 4 ? Type::B32
                      : Type::B64;
}

static bool moveVector(Context &c, unsigned size) {
  bool unpack = c.operand(0).kind == Operand::Kind::Vector;
  const Operand &vector = unpack ? c.operand(0) : c.operand(1);
  unsigned count = vector.elements.size();
  VectorMove move;
  if ((count != 2 && count != 4) || size % count || size < count)
    return c.fail("expected two or four elements");
  move.bytes = size / count;
  Type type = elementType(move.bytes);
  Op out;
  out.aux = size;
  for (const Operand &element : vector.elements) {
    uint32_t where = NoRegister;
    if (unpack && element.kind == Operand::Kind::Sink) {
      move.rows.push_back(where);
      continue;
    }
    bool good = unpack ? c.destination(element, move.bytes, where)
                       : c.source(element, type, where);
    if (!good)
      return false;
    move.rows.push_back(where);
  }
  Type whole = size == 16 ? Type::B128 : elementType(size);
  if (unpack ? !c.source(c.operand(1), whole, out.a)
             : !c.destination(c.operand(0), size, out.d))
    return false;
  out.run = unpack ? runUnpack : runPack;
  out.extra = c.function.keep(std::move(move));
  c.emit(out);
  return true;
}

/// mov.v4: the components of a special register.
static bool moveComponents(Context &c) {
  Type type = c.takeType();
  const Operand &vector = c.operand(0);
  if (ptx::sizeOf(type) != 4 || vector.elements.size() != 4 ||
      c.operand(1).kind != Operand::Kind::Name)
    return c.fail("expected four 32-bit registers and a special register");
  for (unsigned i = 0; i < 4; ++i) {
    // The fourth is zero.
    std::string name = c.operand(1).name.str() + "." + "xyz"[i % 3];
    uint32_t from = c.function.constant(0, false);
    if (vector.elements[i].kind == Operand::Kind::Sink)
      continue;
    Op out;
    if ((i < 3 && !c.specialRegister(name, type, from)) ||
        !c.destination(vector.elements[i], 4, out.d))
      return false;
    out.run = selectInteger(IntOp::Move, IntType::U32);
    out.a = from;
    c.emit(out);
  }
  return true;
}

static bool decodeMov(Context &c) {
  if (c.take("v4"))
    return c.count(2) && moveComponents(c) && c.finishQualifiers();
  Type type = c.takeType();
  if (type == Type::None)
    return c.fail("expected a type");
  if (!c.finishQualifiers() || !c.count(2))
    return false;
  Op out;
  if (type == Type::Pred) {
    bool negated = false;
    out.run = runMovePredicate;
    if (!c.predicateSource(c.operand(1), out.a, negated) ||
        !c.predicateDestination(c.operand(0), out.d))
      return false;
    out.aux = negated;
    c.emit(out);
    return true;
  }
  unsigned bytes = ptx::sizeOf(type);
  if (c.operand(0).kind == Operand::Kind::Vector ||
      c.operand(1).kind == Operand::Kind::Vector)
    return moveVector(c, bytes);
  if (!c.source(c.operand(1), type, out.a) ||
      !c.destination(c.operand(0), bytes, out.d))
    return false;
  out.run =
      bytes == 16 ? runMove128 : selectInteger(IntOp::Move, moveType(bytes));
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"cvt",
     "cvt{.rnd}{.relu}{.satfinite}{.ftz}{.sat}.d.a between u8..s64, "
     "f16, bf16, tf32, f32, f64; packed f16x2, bf16x2, e4m3x2, e5m2x2, "
     "e2m3x2, e3m2x2, e2m1x2, ue8m0x2, x4 with .rs; "
     "cvt.pack.sat.{u,s}{2,4,8,16}.s32{.b32}",
     "hardware; .rs: assumed", decodeCvt},
    {"mov",
     "mov.{pred,b16,b32,b64,b128,u*,s*,f32,f64}, packing and unpacking "
     "vectors, special registers (also mov.v4), addresses",
     "-", decodeMov},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::convertRows() { return rows; }
