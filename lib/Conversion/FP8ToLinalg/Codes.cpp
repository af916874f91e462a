//===- Codes.cpp - Codes by integer arithmetic ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between f32 and codes in integer arithmetic: no branch, no table,
// so that loops over them vectorise.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace {
/// What the bit manipulations need of a format.
struct CodeFormat {
  int mantissaBits, bias;
  int largest;  ///< Code of the largest finite number.
  int overflow; ///< Code that overflow gives without saturation.

  static CodeFormat get(Type storage) {
    if (isa<Float8E4M3FNType>(storage))
      return {3, 7, 0x7E, 0x7F};
    return {2, 15, 0x7B, 0x7C};
  }
  int shift() const { return 23 - mantissaBits; }
};

/// Integer and float arithmetic at one place.
class Builder32 {
public:
  Builder32(OpBuilder &b, Location loc) : b(b), loc(loc) {}
  Value i(int64_t v) {
    return arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(v)));
  }
  Value f(double v) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(v));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value andi(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value ori(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value shr(Value x, int n) { return arith::ShRUIOp::create(b, loc, x, i(n)); }
  Value shl(Value x, int n) { return arith::ShLIOp::create(b, loc, x, i(n)); }
  Value min(Value x, Value y) { return arith::MinUIOp::create(b, loc, x, y); }
  Value addf(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value mulf(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value bits(Value x) {
    return arith::BitcastOp::create(b, loc, b.getI32Type(), x);
  }
  Value asFloat(Value x) {
    return arith::BitcastOp::create(b, loc, b.getF32Type(), x);
  }
  Value ult(Value x, Value y) { return cmp(arith::CmpIPredicate::ult, x, y); }
  Value ugt(Value x, Value y) { return cmp(arith::CmpIPredicate::ugt, x, y); }
  Value eq(Value x, Value y) { return cmp(arith::CmpIPredicate::eq, x, y); }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }

private:
  Value cmp(arith::CmpIPredicate p, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, p, x, y);
  }
  OpBuilder &b;
  Location loc;
};
} // namespace

Value mlir::fp8::buildEncode(OpBuilder &builder, Location loc, Value value,
                             Type storage, bool saturate) {
  CodeFormat format = CodeFormat::get(storage);
  Builder32 b(builder, loc);
  Value bits = b.bits(value);
  Value sign = b.andi(b.shr(bits, 24), b.i(0x80));
  Value magnitude = b.andi(bits, b.i(0x7fffffff));
  // Normal codes: round the significand to nearest even in place, rebias.
  int shift = format.shift();
  Value odd = b.andi(b.shr(magnitude, shift), b.i(1));
  Value rounded = b.add(b.add(magnitude, odd), b.i((1 << (shift - 1)) - 1));
  Value normal = b.sub(b.shr(rounded, shift),
                       b.i((127 - format.bias) << format.mantissaBits));
  normal = b.min(normal, b.i(saturate ? format.largest : format.overflow));
  // Subnormal codes: adding a number whose last place is the smallest code
  // makes the addition round to codes.
  int smallest = 1 - format.bias - format.mantissaBits;
  uint32_t anchor = static_cast<uint32_t>(127 + smallest + 23) << 23;
  Value sum = b.addf(b.asFloat(magnitude), b.asFloat(b.i(anchor)));
  Value subnormal = b.sub(b.bits(sum), b.i(anchor));
  uint32_t minNormal = static_cast<uint32_t>(127 + 1 - format.bias) << 23;
  Value code = b.select(b.ult(magnitude, b.i(minNormal)), subnormal, normal);
  code = b.ori(code, sign);
  code = b.select(b.ugt(magnitude, b.i(0x7f800000)), b.i(0x7F), code);
  if (!saturate && format.overflow == 0x7F) // E4M3FN overflows to NaN: no sign
    code = b.select(b.eq(code, b.i(0xFF)), b.i(0x7F), code);
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), code);
}

Value mlir::fp8::buildDecode(OpBuilder &builder, Location loc, Value code,
                             Type storage) {
  CodeFormat format = CodeFormat::get(storage);
  Builder32 b(builder, loc);
  Value wide = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), code);
  Value sign = b.shl(b.andi(wide, b.i(0x80)), 24);
  Value magnitude = b.andi(wide, b.i(0x7f));
  // As an f32 (subnormal for subnormal codes) the bits are too small by the
  // difference of the biases; the product is exact.
  Value value = b.mulf(b.asFloat(b.shl(magnitude, format.shift())),
                       b.asFloat(b.i((127 + 127 - format.bias) << 23)));
  Value bits = b.bits(value);
  if (format.overflow == 0x7C)
    bits = b.select(b.eq(magnitude, b.i(0x7C)), b.i(0x7f800000), bits);
  bits = b.ori(bits, sign);
  Value isNaN = b.ugt(magnitude, b.i(format.overflow == 0x7C ? 0x7C : 0x7E));
  return b.asFloat(b.select(isNaN, b.i(0x7fc00000), bits));
}
