//===- GemmChoice.cpp - Which products have a kernel ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every refusal says what was found and what a kernel needs. A product that is
// not refused has a schedule that fits the target (ScheduleChoice.cpp).
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::MatrixUnit;
using ::fp8::target::TargetInfo;

int64_t mlir::fp8::getTileDepth(const GemmProblem &problem) {
  int64_t size = getElementBytes(problem.lhs), line = problem.k * size;
  if (ShapedType::isDynamic(problem.k))
    return 128 / size;
  return (line <= 32 ? 32 : line <= 64 ? 64 : 128) / size;
}

int64_t mlir::fp8::getPromotion(const GemmProblem &problem,
                                const TargetInfo &target) {
  int64_t promote =
      problem.model == "auto" ? target.accumulation.promote : problem.promote;
  // One chain is the whole sum: nothing to add to.
  return !ShapedType::isDynamic(problem.k) && promote >= problem.k ? 0
                                                                   : promote;
}

/// Sizes of 2^31 and more, or of nothing.
static std::optional<Refusal> refuseSizes(ArrayRef<int64_t> extents) {
  for (int64_t extent : extents)
    if (extent < 1 || extent >= (int64_t{1} << 31))
      return llvm::formatv("expected sizes in 1..2^31-1, found {0}", extent)
          .str();
  return std::nullopt;
}

static std::optional<Refusal> refuseExtents(const GemmProblem &problem) {
  if (ShapedType::isDynamic(problem.n))
    return "expected a static n, found a dynamic size";
  int64_t batch = problem.batch.value_or(1);
  int64_t m = problem.m;
  int64_t k = problem.k, aligned = 16 / getElementBytes(problem.lhs);
  // What the launch decides, it answers for.
  m = ShapedType::isDynamic(m) ? 1 : m;
  k = ShapedType::isDynamic(k) ? aligned : k;
  batch = ShapedType::isDynamic(batch) ? 1 : batch;
  if (std::optional<Refusal> refusal = refuseSizes({m, problem.n, k}))
    return refusal;
  if (k % aligned != 0)
    return llvm::formatv("TMA needs rows of a multiple of 16 bytes: k is {0} "
                         "elements of {1}",
                         problem.k, debugString(problem.lhs))
        .str();
  if (batch < 1)
    return llvm::formatv("expected a batch of at least 1, found {0}", batch)
        .str();
  // Numbers of elements and tiles are i32 in kernels, offsets i64.
  int64_t tiles = llvm::divideCeil(m, 64);
  int64_t columns = llvm::divideCeil(problem.n, 8);
  if (llvm::MulOverflow(tiles, columns, tiles) ||
      llvm::MulOverflow(tiles, batch, tiles) || tiles >= (int64_t{1} << 31))
    return "expected fewer than 2^31 output tiles";
  return std::nullopt;
}

SmallVector<EpilogueOutput> mlir::fp8::getOutputs(const GemmProblem &problem) {
  if (problem.epilogue)
    return problem.epilogue->outputs;
  return {EpilogueOutput{problem.out, false}};
}

bool mlir::fp8::storesWithTMA(const GemmProblem &problem,
                              const EpilogueOutput &output) {
  return !output.isAmax &&
         problem.n * getElementBytes(output.element) % 16 == 0;
}

/// Types that the scalars of an epilogue may have; mathematical functions are
/// computed in f64.
static bool isScalarType(Type type) {
  return isa<Float64Type, Float32Type, BFloat16Type>(type) ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

/// Operations with the same bits on every machine: one rounding or none. Not
/// remf, which no machine has, and not fptosi, whose overflow differs; what
/// fp8-expand-math makes of functions is here.
static bool isExact(StringRef name) {
  return llvm::is_contained<StringRef>(
      {"arith.addf",    "arith.addi",  "arith.andi",     "arith.bitcast",
       "arith.cmpf",    "arith.cmpi",  "arith.constant", "arith.divf",
       "arith.extf",    "arith.extsi", "arith.extui",    "arith.maximumf",
       "arith.maxnumf", "arith.maxsi", "arith.maxui",    "arith.minimumf",
       "arith.minnumf", "arith.minsi", "arith.minui",    "arith.mulf",
       "arith.muli",    "arith.negf",  "arith.ori",      "arith.select",
       "arith.shli",    "arith.shrsi", "arith.shrui",    "arith.sitofp",
       "arith.subf",    "arith.subi",  "arith.truncf",   "arith.trunci",
       "arith.uitofp",  "arith.xori",  "math.absf",      "math.copysign",
       "math.fma",      "math.sqrt"},
      name);
}

/// Operations on bf16 that may be done in f32 and rounded; see cloneScalar.
static bool hasWideForm(StringRef name) {
  return llvm::is_contained<StringRef>(
      {"arith.addf", "arith.bitcast", "arith.cmpf", "arith.constant",
       "arith.divf", "arith.extf", "arith.maximumf", "arith.maxnumf",
       "arith.minimumf", "arith.minnumf", "arith.mulf", "arith.negf",
       "arith.select", "arith.subf", "arith.truncf", "math.absf",
       "math.copysign", "math.sqrt"},
      name);
}

bool mlir::fp8::isEpilogueOp(Operation &op) {
  StringRef name = op.getName().getStringRef();
  auto isNarrow = [](Type type) { return type.isBF16(); };
  bool narrow = llvm::any_of(op.getOperandTypes(), isNarrow) ||
                llvm::any_of(op.getResultTypes(), isNarrow);
  return isExact(name) && llvm::all_of(op.getOperandTypes(), isScalarType) &&
         llvm::all_of(op.getResultTypes(), isScalarType) &&
         (!narrow || hasWideForm(name));
}

static std::optional<Refusal> refuseBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (!isEpilogueOp(op))
      return llvm::formatv("an epilogue takes scalar arithmetic on f32 and "
                           "bf16, found '{0}'",
                           op.getName())
          .str();
  return std::nullopt;
}

static std::optional<Refusal> refuseEpilogue(const Epilogue &epilogue) {
  if (epilogue.outputs.size() > kMaxEpilogueOutputs)
    return llvm::formatv("expected at most {0} results, found {1}",
                         kMaxEpilogueOutputs, epilogue.outputs.size())
        .str();
  size_t matrices =
      llvm::count_if(epilogue.inputs, std::mem_fn(&EpilogueInput::isMatrix));
  if (matrices > kMaxEpilogueMatrices)
    return llvm::formatv("expected at most {0} matrices as inputs, found {1}",
                         kMaxEpilogueMatrices, matrices)
        .str();
  auto isPlain = [](Type type) { return isa<Float32Type, BFloat16Type>(type); };
  for (const EpilogueInput &input : epilogue.inputs)
    if (!isPlain(input.element))
      return llvm::formatv("expected inputs of f32 or bf16, found {0}",
                           debugString(input.element))
          .str();
  for (const EpilogueOutput &output : epilogue.outputs)
    if (!output.isAmax && !isPlain(output.element) &&
        !isStorageType(output.element))
      return llvm::formatv("expected results of f32, bf16 or codes, found {0}",
                           debugString(output.element))
          .str();
  return refuseBody(*epilogue.body);
}

static std::optional<Refusal> refuseAccumulation(const GemmProblem &problem,
                                                 const TargetInfo &target) {
  if (problem.model != "auto" && problem.model != target.accumulation.model)
    return llvm::formatv("accumulation '{0}' is not what {1} does ('{2}')",
                         problem.model, target.name, target.accumulation.model)
        .str();
  int64_t promote = getPromotion(problem, target);
  if (promote != 0 && target.hasTensorMemory())
    return llvm::formatv("promotion every {0} elements: sums in tensor memory "
                         "are one chain",
                         promote)
        .str();
  int64_t depth = getTileDepth(problem);
  int64_t step = kStepBytes / getElementBytes(problem.lhs);
  if (promote != 0 &&
      (promote % step != 0 || (promote % depth != 0 && depth % promote != 0)))
    return llvm::formatv("promotion every {0} elements does not fit: expected "
                         "a divisor of {1} in steps of {2}, or a multiple",
                         promote, depth, step)
        .str();
  return std::nullopt;
}

static std::optional<Refusal> refuseSplit(const GemmProblem &problem,
                                          const TargetInfo &target) {
  if (problem.split.empty())
    return std::nullopt;
  if (target.hasTensorMemory())
    return Refusal("a sum that is split over k: sums in tensor memory are one "
                   "chain");
  int64_t parts = static_cast<int64_t>(problem.split.size()) + 1;
  if (parts > kMaxSumParts)
    return llvm::formatv("expected a sum of at most {0} parts, found {1}",
                         kMaxSumParts, parts)
        .str();
  if (ShapedType::isDynamic(problem.k))
    return Refusal("expected a static k where the sum is split over it, found "
                   "a dynamic size");
  // Where k was dynamic, nothing has compared them yet.
  if (problem.split.back() >= problem.k)
    return llvm::formatv("a part of the sum starts at {0}: expected it below "
                         "k = {1}",
                         problem.split.back(), problem.k)
        .str();
  int64_t depth = getTileDepth(problem);
  for (int64_t boundary : problem.split)
    if (boundary % depth != 0)
      return llvm::formatv("a part of the sum starts at {0}: expected a "
                           "multiple of {1}, the depth of a tile",
                           boundary, depth)
          .str();
  return std::nullopt;
}

std::optional<Refusal> mlir::fp8::refuseGemm(const GemmProblem &problem,
                                             const TargetInfo &target) {
  bool known =
      target.matrixUnit == MatrixUnit::Wgmma || target.hasTensorMemory();
  if (!target.implemented || !known)
    return llvm::formatv("target {0} has no kernels yet", target.name).str();
  bool plain = problem.lhs.isBF16() && problem.rhs.isBF16();
  if (!plain && (!isStorageType(problem.lhs) || !isStorageType(problem.rhs)))
    return llvm::formatv("expected 8-bit operands or both bf16, found {0} and "
                         "{1}",
                         debugString(problem.lhs), debugString(problem.rhs))
        .str();
  if (!isa<Float32Type, BFloat16Type>(problem.out))
    return llvm::formatv("expected a result of f32 or bf16, found {0}",
                         debugString(problem.out))
        .str();
  if (problem.transposeLhs || !problem.transposeRhs)
    return llvm::formatv("the kernel needs k contiguous in both operands: "
                         "expected [m, k] x "
                         "[n, k], found {0} x {1}",
                         problem.transposeLhs ? "[k, m]" : "[m, k]",
                         problem.transposeRhs ? "[n, k]" : "[k, n]")
        .str();
  if (std::optional<Refusal> refusal = refuseExtents(problem))
    return refusal;
  if (ShapedType::isDynamic(problem.k) && target.hasTensorMemory())
    return Refusal("expected a static k, found a dynamic size: sums in tensor "
                   "memory start with a product");
  if (problem.epilogue) {
    if (problem.hasDynamicSizes())
      return Refusal("expected static sizes with a fused epilogue, found a "
                     "dynamic one");
    if (std::optional<Refusal> refusal = refuseEpilogue(*problem.epilogue))
      return refusal;
  }
  if (std::optional<Refusal> refusal = refuseAccumulation(problem, target))
    return refusal;
  return refuseSplit(problem, target);
}
