//===- ApproxMath.cpp - Functions that a GPU approximates -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here flushes subnormal numbers: only forms without .ftz are built. A
// division is div.full, which is as fast to a few instructions as div.approx
// and, unlike that, right for divisors above 2^126, too.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/ApproxMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using mlir::fp8::ApproxFunction;

static constexpr double kLn2 = 0.69314718055994530942;
static constexpr double kLog2E = 1.4426950408889634074;
static constexpr double kLog10Of2 = 0.30102999566398119521;
static constexpr double kOneOver2Pi = 0.15915494309189533577;

static Value constant(OpBuilder &b, Location loc, double value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}

static Value mul(OpBuilder &b, Location loc, Value x, double factor) {
  return arith::MulFOp::create(b, loc, x, constant(b, loc, factor));
}

/// A call of an LLVM intrinsic of f32.
static Value call(OpBuilder &b, Location loc, StringRef name,
                  ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, b.getF32Type(),
                                       b.getStringAttr(name), operands)
      .getResults();
}

static Value exp2(OpBuilder &b, Location loc, Value x) {
  return call(b, loc, "llvm.nvvm.ex2.approx.f32", x);
}

static Value log2(OpBuilder &b, Location loc, Value x) {
  return call(b, loc, "llvm.nvvm.lg2.approx.f", x);
}

/// `x` less a multiple of 2 pi, in [-pi, pi], where sin.approx and cos.approx
/// are within 2^-20.5. Not for magnitudes above 2^20: too few bits are left.
static Value reduceAngle(OpBuilder &b, Location loc, Value x) {
  // Adding this rounds to an integer. Of the parts of 2 pi, the first two have
  // so few bits that the differences are exact.
  Value bias = constant(b, loc, 0x1.8p23);
  Value n = math::FmaOp::create(b, loc, x, constant(b, loc, kOneOver2Pi), bias);
  n = arith::SubFOp::create(b, loc, n, bias);
  for (double part : {0x1.92p2, 0x1.fb6p-10, -0x1.777a5cp-23})
    x = math::FmaOp::create(b, loc, n, constant(b, loc, -part), x);
  return x;
}

static constexpr ApproxFunction kFunctions[] = {
    {"math.exp",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return exp2(b, loc, mul(b, loc, x[0], kLog2E));
     }},
    {"math.exp2", [](OpBuilder &b, Location loc,
                     ValueRange x) { return exp2(b, loc, x[0]); }},
    {"math.log",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return mul(b, loc, log2(b, loc, x[0]), kLn2);
     }},
    {"math.log2", [](OpBuilder &b, Location loc,
                     ValueRange x) { return log2(b, loc, x[0]); }},
    {"math.log10",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return mul(b, loc, log2(b, loc, x[0]), kLog10Of2);
     }},
    {"math.tanh",
     [](OpBuilder &b, Location loc, ValueRange x) -> Value {
       // There is no intrinsic of NVVM for it.
       return LLVM::TanhOp::create(b, loc, b.getF32Type(), x[0],
                                   LLVM::FastmathFlags::afn);
     }},
    {"math.rsqrt",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return call(b, loc, "llvm.nvvm.rsqrt.approx.f", x);
     }},
    {"math.sqrt",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return call(b, loc, "llvm.nvvm.sqrt.approx.f", x);
     }},
    {"math.sin",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return call(b, loc, "llvm.nvvm.sin.approx.f", reduceAngle(b, loc, x[0]));
     }},
    {"math.cos",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return call(b, loc, "llvm.nvvm.cos.approx.f", reduceAngle(b, loc, x[0]));
     }},
    {"arith.divf",
     [](OpBuilder &b, Location loc, ValueRange x) {
       return call(b, loc, "llvm.nvvm.div.full", x);
     }},
};

const ApproxFunction *mlir::fp8::findApproxFunction(Operation *op) {
  if (op->getNumResults() != 1)
    return nullptr;
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  if (!type || type.getWidth() > 32)
    return nullptr;
  StringRef name = op->getName().getStringRef();
  const ApproxFunction *found = llvm::find_if(
      kFunctions, [&](const ApproxFunction &f) { return f.op == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}
