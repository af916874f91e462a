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

/// Merges the amax of the values at `input` into `words`.
static void reduceAmax(ImplicitLocOpBuilder &b, ThreadIndexOp thread,
                       const AmaxProblem &problem, Value input, Value words,
                       Value elements) {
  SmallVector<Value> own = forEachChunk(
      b, thread, problem.elements, elements, startAmax(b, /*isTaken=*/true),
      [&](Value index, int64_t count, ValueRange carried) {
        return foldAmax(b, loadElements(b, input, problem.in, index, count),
                        carried);
      });
  MergeAmaxOp::create(b, own[0], own[1], words);
}

KernelOp mlir::fp8::buildReduceAmaxKernel(OpBuilder &builder, Location loc,
                                          StringRef name,
                                          const AmaxProblem &problem,
                                          const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  bool hasCount = problem.warmup != 0;
  bool isDynamic = ShapedType::isDynamic(problem.elements);
  SmallVector<Type> sizes(isDynamic, b.getI64Type());
  KernelOp kernel = createStridingKernel(
      b, name, 2 + hasCount, countChunks(problem.elements), target, sizes);
  describeArgument(kernel, 0, "input", problem.in, problem.elements, false);
  if (hasCount)
    describeArgument(kernel, 1, "count", b.getI32Type(), 1, false);
  describeArgument(kernel, 1 + hasCount, "result", b.getI32Type(), 2, true);
  SmallVector<std::pair<StringRef, int64_t>> numbers;
  if (hasCount)
    numbers.emplace_back("warmup", problem.warmup);
  describeElements(kernel, "reduce_amax", problem.elements, numbers);
  auto arguments = kernel.getBody().getArguments();
  Value elements = isDynamic ? arguments.back() : Value();
  auto thread = ThreadIndexOp::create(b);
  if (hasCount) {
    Value count = arith::BitcastOp::create(b, b.getI32Type(),
                                           loadForAll(b, thread, arguments[1]));
    Value limit =
        arith::ConstantIntOp::create(b, b.getI32Type(), problem.warmup);
    Value isWarmup =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, count, limit);
    auto ifOp = scf::IfOp::create(b, isWarmup, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    reduceAmax(b, thread, problem, arguments[0], arguments[2], elements);
  } else {
    reduceAmax(b, thread, problem, arguments[0], arguments[1], elements);
  }
  ReturnOp::create(b);
  return kernel;
}
