//===- AmaxKernels.cpp - Before and after an amax is merged ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cta.amax merges into two 32-bit words, which the device's atomics can do;
// programs have a magnitude and flags of 8 bits.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "GridStride.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

/// Bytes of the two words.
static constexpr int64_t kAmaxBytes = 8;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI64Type(), value);
}

KernelOp mlir::fp8::buildClearKernel(OpBuilder &builder, Location loc,
                                     StringRef name, const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  KernelOp kernel = createStridingKernel(b, name, 1, 1, target);
  describeArgument(kernel, 0, "result", b.getI32Type(), 2, true);
  describeKernel(kernel, "clear", {{"elements", 2}});
  Value base = kernel.getBody().getArgument(0);
  auto type = VectorType::get(kAmaxBytes, b.getI8Type());
  Attribute zero = b.getI8IntegerAttr(0);
  TypedAttr all = DenseElementsAttr::get(type, ArrayRef<Attribute>(zero));
  Value zeros = arith::ConstantOp::create(b, all);
  forEachItem(b, ThreadIndexOp::create(b), 1, [&](Value) {
    GlobalStoreOp::create(b, zeros, base, constant(b, 0));
  });
  ReturnOp::create(b);
  return kernel;
}

KernelOp mlir::fp8::buildAmaxKernel(OpBuilder &builder, Location loc,
                                    StringRef name, const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  KernelOp kernel = createStridingKernel(b, name, 3, 1, target);
  describeArgument(kernel, 0, "input", b.getI32Type(), 2, false);
  describeArgument(kernel, 1, "result", b.getF32Type(), 1, true);
  describeArgument(kernel, 2, "result1", b.getI8Type(), 1, true);
  describeKernel(kernel, "amax", {{"elements", 1}});
  auto arguments = kernel.getBody().getArguments();
  forEachItem(b, ThreadIndexOp::create(b), 1, [&](Value) {
    Value zero = constant(b, 0);
    Value magnitude =
        GlobalLoadOp::create(b, b.getF32Type(), arguments[0], zero);
    GlobalStoreOp::create(b, magnitude, arguments[1], zero);
    // The low byte of the second word.
    Value flags = GlobalLoadOp::create(b, VectorType::get(1, b.getI8Type()),
                                       arguments[0], constant(b, 4));
    GlobalStoreOp::create(b, flags, arguments[2], zero);
  });
  ReturnOp::create(b);
  return kernel;
}
