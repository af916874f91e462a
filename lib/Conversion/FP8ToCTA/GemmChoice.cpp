//===- GemmChoice.cpp - Which products have a kernel, and its schedule ----===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every refusal says what was found and what a kernel needs. A product that is
// not refused has a schedule that fits the target.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::MatrixUnit;
using ::fp8::target::TargetInfo;

static std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

static bool is8Bit(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static int64_t bytesOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }

/// Depth of a tile: one swizzled line, as short as k allows.
static int64_t tileDepth(const GemmProblem &problem) {
  int64_t size = bytesOf(problem.lhs), line = problem.k * size;
  return (line <= 32 ? 32 : line <= 64 ? 64 : 128) / size;
}

int64_t mlir::fp8::getPromotion(const GemmProblem &problem,
                                const TargetInfo &target) {
  int64_t promote =
      problem.model == "auto" ? target.accumulation.promote : problem.promote;
  // One chain is the whole sum: nothing to add to.
  return promote >= problem.k ? 0 : promote;
}

static std::optional<Refusal> refuseExtents(const GemmProblem &problem) {
  for (int64_t extent : {problem.m, problem.n, problem.k}) {
    if (ShapedType::isDynamic(extent))
      return "expected static sizes, found a dynamic one";
    if (extent < 1 || extent >= (int64_t{1} << 31))
      return llvm::formatv("expected sizes in 1..2^31-1, found {0}", extent)
          .str();
  }
  if (problem.k * bytesOf(problem.lhs) % 16 != 0)
    return llvm::formatv("TMA needs rows of a multiple of 16 bytes: k is {0} "
                         "elements of {1}",
                         problem.k, text(problem.lhs))
        .str();
  // Numbers of elements and tiles are i32 in kernels, offsets i64.
  int64_t batch = problem.batch.value_or(1);
  if (ShapedType::isDynamic(batch))
    return "expected static sizes, found a dynamic one";
  if (batch < 1)
    return llvm::formatv("expected a batch of at least 1, found {0}", batch)
        .str();
  int64_t tiles = llvm::divideCeil(problem.m, 64);
  int64_t columns = llvm::divideCeil(problem.n, 8);
  if (llvm::MulOverflow(tiles, columns, tiles) ||
      llvm::MulOverflow(tiles, batch, tiles) || tiles >= (int64_t{1} << 31))
    return "expected fewer than 2^31 output tiles";
  return std::nullopt;
}

bool mlir::fp8::storesWithTMA(const GemmProblem &problem) {
  return problem.n * bytesOf(problem.out) % 16 == 0;
}

static std::optional<Refusal> refuseAccumulation(const GemmProblem &problem,
                                                 const TargetInfo &target) {
  if (problem.hasSplit)
    return Refusal("a sum that is split over k has no kernel yet");
  if (problem.model != "auto" && problem.model != target.accumulation.model)
    return llvm::formatv("accumulation '{0}' is not what {1} does ('{2}')",
                         problem.model, target.name, target.accumulation.model)
        .str();
  int64_t promote = getPromotion(problem, target);
  int64_t depth = tileDepth(problem);
  int64_t step = 32 / bytesOf(problem.lhs);
  if (promote != 0 &&
      (promote % step != 0 || (promote % depth != 0 && depth % promote != 0)))
    return llvm::formatv("promotion every {0} elements does not fit: expected "
                         "a divisor of {1} in steps of {2}, or a multiple",
                         promote, depth, step)
        .str();
  return std::nullopt;
}

std::optional<Refusal> mlir::fp8::refuseGemm(const GemmProblem &problem,
                                             const TargetInfo &target) {
  if (!target.implemented || target.matrixUnit != MatrixUnit::Wgmma)
    return llvm::formatv("target {0} has no kernels yet", target.name).str();
  bool plain = problem.lhs.isBF16() && problem.rhs.isBF16();
  if (!plain && (!is8Bit(problem.lhs) || !is8Bit(problem.rhs)))
    return llvm::formatv("expected 8-bit operands or both bf16, found {0} and "
                         "{1}",
                         text(problem.lhs), text(problem.rhs))
        .str();
  if (!isa<Float32Type, BFloat16Type>(problem.out))
    return llvm::formatv("expected a result of f32 or bf16, found {0}",
                         text(problem.out))
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
  return refuseAccumulation(problem, target);
}

ScheduleAttr mlir::fp8::chooseSchedule(const GemmProblem &problem,
                                       const TargetInfo &target,
                                       MLIRContext *context) {
  int64_t consumers = problem.m <= 64 ? 1 : 2;
  int64_t tileM = 64 * consumers;
  // A line of the result tile is at least one 32-byte swizzle line.
  int64_t step = 32 / bytesOf(problem.out);
  int64_t tileN = std::min<int64_t>(128, llvm::alignTo(problem.n, step));
  int64_t tileK = tileDepth(problem);
  int64_t result = tileM * tileN * bytesOf(problem.out);
  int64_t stageBytes = (tileM + tileN) * tileK * bytesOf(problem.lhs);
  // Alignment padding and the ring's barriers fit in 2 KiB.
  int64_t stages = (target.sharedBytesPerBlock - result - 2048) / stageBytes;
  stages = std::clamp<int64_t>(stages, 2, 6);
  return ScheduleAttr::get(context, {tileM, tileN, tileK}, stages, {1, 1},
                           consumers, {40, 232}, Raster::along_m,
                           /*group=*/8, /*split=*/1);
}
