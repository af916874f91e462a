//===- AmaxKernels.cpp - The largest magnitude of values ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads merge into two 32-bit words, which the device's atomics can do;
// programs have a magnitude and flags of 8 bits. Kernels before and after
// convert between the two.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "GridStride.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"

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
                                     StringRef name, const TargetInfo &target,
                                     int64_t words) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  int64_t items = words / 2;
  KernelOp kernel = createStridingKernel(b, name, 1, items, target);
  describeArgument(kernel, 0, "result", b.getI32Type(), words, true);
  describeKernel(kernel, "clear", {{"elements", words}});
  Value base = kernel.getBody().getArgument(0);
  auto type = VectorType::get(kAmaxBytes, b.getI8Type());
  Attribute zero = b.getI8IntegerAttr(0);
  TypedAttr all = DenseElementsAttr::get(type, ArrayRef<Attribute>(zero));
  Value zeros = arith::ConstantOp::create(b, all);
  forEachItem(b, ThreadIndexOp::create(b), items, [&](Value item) {
    Value at = arith::MulIOp::create(b, item, constant(b, kAmaxBytes));
    GlobalStoreOp::create(b, zeros, base, at);
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

std::optional<Refusal> mlir::fp8::refuseAmax(const AmaxProblem &problem,
                                             const TargetInfo &target) {
  if (std::optional<Refusal> refusal = refuseElements(problem.elements, target))
    return refusal;
  if (!isa<BFloat16Type, Float32Type>(problem.in))
    return llvm::formatv("expected values of bf16 or f32, found {0}",
                         debugString(problem.in))
        .str();
  return std::nullopt;
}

KernelOp mlir::fp8::buildReduceAmaxKernel(OpBuilder &builder, Location loc,
                                          StringRef name,
                                          const AmaxProblem &problem,
                                          const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  int64_t chunks = problem.elements / kChunk;
  KernelOp kernel = createStridingKernel(b, name, 2, chunks, target);
  describeArgument(kernel, 0, "input", problem.in, problem.elements, false);
  describeArgument(kernel, 1, "result", b.getI32Type(), 2, true);
  describeKernel(kernel, "reduce_amax", {{"elements", problem.elements}});
  auto arguments = kernel.getBody().getArguments();
  auto thread = ThreadIndexOp::create(b);
  auto fold = [&](Value index, int64_t count, ValueRange carried) {
    SmallVector<Value> parts =
        loadElements(b, arguments[0], problem.in, index, count);
    auto folded = FoldAmaxOp::create(b, parts, carried[0], carried[1]);
    return SmallVector<Value>(folded.getResults());
  };
  Value none = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  SmallVector<Value> words =
      forEachItem(b, thread, chunks, ValueRange{none, none},
                  [&](Value item, ValueRange carried) {
                    Value index =
                        arith::MulIOp::create(b, item, constant(b, kChunk));
                    return fold(index, kChunk, carried);
                  });
  words = forEachItem(b, thread, problem.elements % kChunk, words,
                      [&](Value item, ValueRange carried) {
                        Value index = arith::AddIOp::create(
                            b, item, constant(b, chunks * kChunk));
                        return fold(index, 1, carried);
                      });
  MergeAmaxOp::create(b, words[0], words[1], arguments[1]);
  ReturnOp::create(b);
  return kernel;
}
