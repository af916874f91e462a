//===- Kernels.h - Kernels in the cta dialect -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which contractions and casts a GPU kernel can take, how they are scheduled,
// and their construction. Sizes and types only: callers bring their own ops.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_KERNELS_H
#define FP8_CONVERSION_GPU_KERNELS_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Target/TargetInfo.h"
#include "mlir/IR/Builders.h"

#include <optional>
#include <string>

namespace mlir::fp8 {

/// One matrix product, d = scale * (a x b), as its op states it.
struct GemmProblem {
  /// Extents; ShapedType::kDynamic where unknown. `batch` is absent for rank 2.
  std::optional<int64_t> batch;
  int64_t m = 0, n = 0, k = 0;
  /// Element types of a, b and d.
  Type lhs, rhs, out;
  /// Storage is [k, m] instead of [m, k]; [n, k] instead of [k, n].
  bool transposeLhs = false, transposeRhs = false;
  /// Accumulation model by name (`auto` is refined by the target).
  std::string model = "auto";
  /// Promotion interval in elements of k, 0 for none; unused with `auto`.
  int64_t promote = 0;
  /// The sum is split over k.
  bool hasSplit = false;
};

/// Why there is no kernel: one line for people. The report's code for all of
/// them is `no_kernel`.
using Refusal = std::string;

/// Why `target` has no kernel for `problem`, or nothing if it has one. What it
/// takes: rank 2, static extents, 8-bit operands that both have k contiguous,
/// rows of operands and result in multiples of 16 bytes, f32 or bf16 results.
std::optional<Refusal> refuseGemm(const GemmProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// The schedule that is used unless one is given. `problem` is not refused.
cta::ScheduleAttr chooseSchedule(const GemmProblem &problem,
                                 const ::fp8::target::TargetInfo &target,
                                 MLIRContext *context);

/// Builds the kernel of `problem` at `b`'s insertion point (in a gpu.module).
/// Arguments: tensor maps of a ([m, k]), b ([n, k]) and d ([m, n]); pointers to
/// the f32 scales of a and b. Tile t of the persistent loop goes to block
/// t % gridDim.x. d = round(rn(acc * rn(sa * sb))).
cta::KernelOp buildGemmKernel(OpBuilder &b, Location loc, StringRef name,
                              const GemmProblem &problem,
                              cta::ScheduleAttr schedule,
                              const ::fp8::target::TargetInfo &target);

/// Elementwise quantisation of `elements` values of type `in` to codes `out`.
struct CastProblem {
  /// Number of elements; ShapedType::kDynamic where unknown.
  int64_t elements = 0;
  Type in, out;
  bool saturate = true;
};

/// Why `target` has no kernel for `problem`, or nothing if it has one.
std::optional<Refusal> refuseCast(const CastProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// Builds the kernel of `problem`: arguments are pointers to the input, the f32
/// multiplier and the codes; input and codes are aligned to 16 bytes. Accesses
/// have 16 bytes but for the last elements; any grid covers all elements.
cta::KernelOp buildCastKernel(OpBuilder &b, Location loc, StringRef name,
                              const CastProblem &problem,
                              const ::fp8::target::TargetInfo &target);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_KERNELS_H
