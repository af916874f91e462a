//===- CastKernel.cpp - Quantisation, element by element ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid-stride loop over chunks of 16 elements: 16-byte loads, one 16-byte
// store. The last n % 16 elements go to one thread each.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "GridStride.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

std::optional<Refusal> mlir::fp8::refuseCast(const CastProblem &problem,
                                             const TargetInfo &target) {
  if (std::optional<Refusal> refusal = refuseElements(problem.elements, target))
    return refusal;
  if (!isa<BFloat16Type, Float32Type>(problem.in) ||
      !isa<Float8E4M3FNType, Float8E5M2Type>(problem.out))
    return llvm::formatv("expected a cast of bf16 or f32 to 8 bits, found {0} "
                         "to {1}",
                         debugString(problem.in), debugString(problem.out))
        .str();
  if (!problem.saturate)
    return Refusal("the hardware's conversion saturates; a cast that does not "
                   "has no kernel");
  if (problem.divide)
    return Refusal("a cast that divides by its scale has no kernel");
  return std::nullopt;
}

/// Codes of `count` elements from element `index` on: loads of at most 16
/// bytes, one store.
static void castElements(ImplicitLocOpBuilder &b, ValueRange arguments,
                         Value index, Value multiplier,
                         const CastProblem &problem, int64_t count) {
  SmallVector<Value> parts =
      loadElements(b, arguments[0], problem.in, index, count);
  Value codes = cta::QuantizeOp::create(b, VectorType::get(count, problem.out),
                                        parts, multiplier);
  GlobalStoreOp::create(b, codes, arguments[2], index);
}

KernelOp mlir::fp8::buildCastKernel(OpBuilder &builder, Location loc,
                                    StringRef name, const CastProblem &problem,
                                    const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  int64_t chunks = problem.elements / kChunk;
  int64_t rest = problem.elements % kChunk;
  auto kernel = createStridingKernel(b, name, 3, chunks, target);
  describeArgument(kernel, 0, "input", problem.in, problem.elements, false);
  describeArgument(kernel, 1, "multiplier", b.getF32Type(), 1, false);
  describeArgument(kernel, 2, "result", problem.out, problem.elements, true);
  describeKernel(kernel, "quantize", {{"elements", problem.elements}});
  ValueRange arguments = kernel.getBody().getArguments();
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  auto thread = ThreadIndexOp::create(b);
  Value multiplier = loadForAll(b, thread, arguments[1]);
  forEachItem(b, thread, chunks, [&](Value item) {
    Value index = arith::MulIOp::create(b, item, i64(kChunk));
    castElements(b, arguments, index, multiplier, problem, kChunk);
  });
  forEachItem(b, thread, rest, [&](Value item) {
    Value index = arith::AddIOp::create(b, item, i64(chunks * kChunk));
    castElements(b, arguments, index, multiplier, problem, 1);
  });
  ReturnOp::create(b);
  return kernel;
}
