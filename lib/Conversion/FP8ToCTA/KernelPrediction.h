//===- KernelPrediction.h - What a contraction is expected to cost -*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of a contraction's kernel remark.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOCTA_KERNELPREDICTION_H
#define FP8_LIB_CONVERSION_FP8TOCTA_KERNELPREDICTION_H

#include "fp8/Conversion/GPU/Kernels.h"

#include "mlir/IR/Remarks.h"

namespace mlir::fp8 {

/// Predicted times of one contraction, in microseconds.
struct KernelPrediction {
  /// Its kernel, with the one schedule and the next best.
  ScheduleChoice choice;
  std::optional<ScheduleChoice> next;
  /// Copies of operands in another layout that it causes.
  double copies = 0;
  /// Its share of the casts of its operands: what a cast and its amax take,
  /// over the number of products that read the codes.
  double casts = 0;
  /// The same product on bf16 operands.
  double bf16 = 0;
};

/// Prediction of `problem`, which is not refused, with its best schedule. The
/// operands are `lhs` and `rhs`, whose casts are counted; of those re-laid
/// first
/// (`copyLhs`, `copyRhs`) also the copy.
KernelPrediction predictKernel(const GemmProblem &problem, Value lhs, Value rhs,
                               bool copyLhs, bool copyRhs,
                               const ::fp8::target::TargetInfo &target,
                               const ::fp8::target::DeviceInfo &device);

/// Appends the figures to a remark: predicted_us (kernel and copies), casts_us,
/// predicted_bf16_us, bound, runner_up, moved_bytes.
void addPrediction(remark::detail::InFlightRemark &remark,
                   const KernelPrediction &prediction);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_KERNELPREDICTION_H
