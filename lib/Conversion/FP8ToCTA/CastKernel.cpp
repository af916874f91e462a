//===- CastKernel.cpp - Quantisation, element by element ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid-stride loop over chunks of 16 elements: 16-byte loads, one 16-byte
// store. The last n % 16 elements go to one thread each. An amax is taken of
// what is loaded for the codes.
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
/// bytes, one store. Returns `words`, the thread's amax if there is one, with
/// the elements in it.
static SmallVector<Value> castElements(ImplicitLocOpBuilder &b,
                                       ValueRange arguments, Value index,
                                       Value multiplier,
                                       const CastProblem &problem,
                                       int64_t count, ValueRange words) {
  SmallVector<Value> parts =
      loadElements(b, arguments[0], problem.in, index, count);
  Value codes = cta::QuantizeOp::create(b, VectorType::get(count, problem.out),
                                        parts, multiplier);
  GlobalStoreOp::create(b, codes, arguments[2], index);
  return foldAmax(b, parts, words);
}

KernelOp mlir::fp8::buildCastKernel(OpBuilder &builder, Location loc,
                                    StringRef name, const CastProblem &problem,
                                    const TargetInfo &target) {
  ImplicitLocOpBuilder b(loc, builder);
  OpBuilder::InsertionGuard guard(builder);
  bool isDynamic = ShapedType::isDynamic(problem.elements);
  SmallVector<Type> sizes(isDynamic, b.getI64Type());
  auto kernel = createStridingKernel(
      b, name, 3 + problem.amax, countChunks(problem.elements), target, sizes);
  describeArgument(kernel, 0, "input", problem.in, problem.elements, false);
  describeArgument(kernel, 1, "multiplier", b.getF32Type(), 1, false);
  describeArgument(kernel, 2, "result", problem.out, problem.elements, true);
  if (problem.amax)
    describeArgument(kernel, 3, "amax", b.getI32Type(), 2, true);
  describeElements(kernel, "quantize", problem.elements);
  ValueRange arguments = kernel.getBody().getArguments();
  auto thread = ThreadIndexOp::create(b);
  Value multiplier = loadForAll(b, thread, arguments[1]);
  SmallVector<Value> words = forEachChunk(
      b, thread, problem.elements, isDynamic ? arguments.back() : Value(),
      startAmax(b, problem.amax),
      [&](Value index, int64_t count, ValueRange carried) {
        return castElements(b, arguments, index, multiplier, problem, count,
                            carried);
      });
  if (problem.amax)
    MergeAmaxOp::create(b, words[0], words[1], arguments[3]);
  ReturnOp::create(b);
  return kernel;
}
