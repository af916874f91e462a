//===- Narrow.cpp - integers narrower than registers ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mul24 and mad24, and cvt.pack, which saturates two integers to 2 to 16 bits
// and packs them.
//
//===----------------------------------------------------------------------===//

#include "NarrowFamily.h"

#include <algorithm>

using namespace fp8::emulator;
using ptx::Type;

static bool takeHigh(Context &c, bool &high) {
  high = c.take("hi");
  return high || c.take("lo") || c.fail("expected .lo or .hi");
}

/// Decodes `operands` sources behind the destination for one lane loop.
static bool product(Context &c, IntOp which, Type type, unsigned operands,
                    Op &out) {
  if (type != Type::U32 && type != Type::S32)
    return c.fail("expected .u32 or .s32");
  out.run = selectInteger(which, *integerType(type));
  return c.values(out, 4, llvm::SmallVector<Type, 3>(operands, type));
}

bool fp8::emulator::decodeMul24(Context &c) {
  bool high;
  Op out;
  if (!takeHigh(c, high) ||
      !product(c, high ? IntOp::Mul24Hi : IntOp::Mul24Lo, c.takeType(), 2, out))
    return false;
  c.emit(out);
  return true;
}

bool fp8::emulator::decodeMad24(Context &c) {
  bool high;
  if (!takeHigh(c, high))
    return false;
  bool sat = high && c.take("sat");
  Type type = c.takeType();
  if (sat && type != Type::S32)
    return c.fail("expected .s32 with .sat");
  Op out;
  if (!product(c, high ? IntOp::Mad24Hi : IntOp::Mad24Lo, type, 3, out))
    return false;
  if (!sat) {
    c.emit(out);
    return true;
  }
  // The product fits, so that only the addition saturates.
  Op multiply, add;
  multiply.run = selectInteger(IntOp::Mul24Hi, IntType::S32);
  multiply.a = out.a;
  multiply.b = out.b;
  multiply.d = c.function.newRow(4);
  add.run = selectInteger(IntOp::AddSat, IntType::S32);
  add.a = multiply.d;
  add.b = out.c;
  add.d = out.d;
  c.emit(multiply);
  c.emit(add);
  return true;
}

namespace {
struct Pack {
  unsigned bits;
  int64_t least, most;
};
} // namespace

static Step runPack(Warp &warp, const Op &op, uint32_t mask) {
  const auto &pack = op.as<Pack>();
  uint32_t element = (1u << pack.bits) - 1;
  return lanewise<uint32_t, int32_t, int32_t, uint32_t>(
      warp, op, mask, [&](int32_t a, int32_t b, uint32_t c) {
        auto narrow = [&](int64_t value) {
          value = std::clamp(value, pack.least, pack.most);
          return static_cast<uint32_t>(value) & element;
        };
        uint32_t both = narrow(a) << pack.bits | narrow(b);
        return pack.bits == 16 ? both : both | c << 2 * pack.bits;
      });
}

bool fp8::emulator::decodeCvtPack(Context &c) {
  int which = c.takeOneOf({"u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"});
  if (!c.take("sat") || which < 0 || !c.take("s32"))
    return c.fail("expected cvt.pack.sat.{u,s}{2,4,8,16}.s32");
  Pack pack;
  pack.bits = 2u << which / 2;
  bool isSigned = which % 2;
  pack.least = isSigned ? -(int64_t(1) << (pack.bits - 1)) : 0;
  pack.most = (int64_t(1) << (pack.bits - isSigned)) - 1;
  bool joins = pack.bits < 16;
  if (joins && !c.take("b32"))
    return c.fail("expected .b32, the type of the third operand");
  Op out;
  const Type types[] = {Type::S32, Type::S32, Type::B32};
  if (!c.values(out, 4, llvm::ArrayRef(types, 2 + joins)))
    return false;
  out.run = runPack;
  out.extra = c.function.keep(pack);
  c.emit(out);
  return true;
}
