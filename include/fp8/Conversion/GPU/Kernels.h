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

/// On a kernel's argument: a dictionary with its `name`, the `element` type and
/// number of `elements` of its buffer, and whether it is a `result`.
inline constexpr llvm::StringLiteral kArgumentAttr = "fp8.argument";
/// On a kernel: a dictionary that says what it computes.
inline constexpr llvm::StringLiteral kComputesAttr = "fp8.computes";

/// Sets kArgumentAttr of argument `index` of `kernel`.
void describeArgument(cta::KernelOp kernel, unsigned index, StringRef name,
                      Type element, int64_t elements, bool isResult);

/// Sets kComputesAttr of `kernel`.
void describeKernel(cta::KernelOp kernel, StringRef operation,
                    ArrayRef<std::pair<StringRef, int64_t>> numbers,
                    ArrayRef<std::pair<StringRef, StringRef>> words = {});

/// One matrix product, d = scale * (a x b), as its op states it; operands of
/// bf16 have no scale.
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

  /// Operands are codes with scales.
  bool isScaled() const { return !lhs.isBF16(); }
};

/// Why there is no kernel: one line for people. The report's code for all of
/// them is `no_kernel`.
using Refusal = std::string;

/// Why `target` has no kernel for `problem`, or nothing if it has one. What it
/// takes: static extents; 8-bit operands, or both bf16; k contiguous in both,
/// in rows of a multiple of 16 bytes, which TMA can address; f32 or bf16
/// results.
std::optional<Refusal> refuseGemm(const GemmProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// The interval after which sums are promoted, in elements of k; 0 for none.
int64_t getPromotion(const GemmProblem &problem,
                     const ::fp8::target::TargetInfo &target);

/// Whether the kernel writes its result through shared memory with TMA, which
/// takes rows of a multiple of 16 bytes; other results are written by threads.
bool storesWithTMA(const GemmProblem &problem);

/// The schedule that is used unless one is given. `problem` is not refused.
cta::ScheduleAttr chooseSchedule(const GemmProblem &problem,
                                 const ::fp8::target::TargetInfo &target,
                                 MLIRContext *context);

/// Builds the kernel of `problem` at `b`'s insertion point (in a gpu.module).
/// Arguments: tensor maps of a ([m, k]) and b ([n, k]); d ([m, n]), a tensor
/// map if storesWithTMA, else a pointer; for codes pointers to the f32 scales
/// of a and b. With a batch, a, b and d have it as their first dimension. Tile
/// t of the persistent loop goes to block t % gridDim.x. d = round(rn(acc *
/// rn(sa * sb))).
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
  /// The cast divides by the scale, as flax and DeepGEMM do.
  bool divide = false;
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

/// Matrices in the order that a product reads: transposed, or with
/// rows padded to a multiple of 16 bytes, or both. Of values, their codes.
struct PackProblem {
  /// Extents of the input, [batch, rows, columns]; ShapedType::kDynamic where
  /// unknown.
  int64_t batch = 1, rows = 0, columns = 0;
  /// Codes or bf16, kept as they are where `out` is the same; or bf16 or f32 to
  /// quantise.
  Type in;
  Type out;
  bool transpose = false;
  /// A transposing cast also writes the codes in the input's own order.
  bool keepPlain = false;

  /// Elements from one output row to the next: its length, aligned to 16 bytes.
  int64_t getPitch() const;
  /// Elements that make 16 bytes of the result.
  int64_t getChunk() const { return 128 / out.getIntOrFloatBitWidth(); }
};

/// Why `target` has no kernel for `problem`, or nothing if it has one.
std::optional<Refusal> refusePack(const PackProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// Builds the kernel of `problem`. Arguments are pointers: the input; for
/// values the f32 multiplier; the result ([batch, columns, pitch] if
/// transposed, else [batch, rows, pitch]), aligned to 16 bytes; with keepPlain
/// the codes in the input's order. Behind the end of a row the result has
/// zeros.
cta::KernelOp buildPackKernel(OpBuilder &b, Location loc, StringRef name,
                              const PackProblem &problem,
                              const ::fp8::target::TargetInfo &target);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_KERNELS_H
