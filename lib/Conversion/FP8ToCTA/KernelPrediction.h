//===- KernelPrediction.h - Cost of a contraction ---------------*- C++ -*-===//
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
  /// Launches beside it: copies of operands in another layout that it causes,
  /// and what an amax needs before and after.
  double others = 0;
  /// Its share of the casts of its operands: what a cast and its amax take,
  /// over the number of products that read the codes.
  double casts = 0;
  /// The same product on bf16 operands.
  double bf16 = 0;
};

/// Bytes of `value`; 0 where its shape is not static.
int64_t getStaticBytes(Value value);

/// An operand of a contraction: a copy of it in another layout is counted where
/// the contraction is the one that causes it, and its share of what makes it.
struct PredictedOperand {
  Value value;
  bool isCopied;
  /// Microseconds.
  double casts = 0;
};

/// Prediction of `problem`, which is not refused, with its best schedule.
KernelPrediction predictKernel(const GemmProblem &problem,
                               ArrayRef<PredictedOperand> operands,
                               const ::fp8::target::TargetInfo &target,
                               const ::fp8::target::DeviceInfo &device);

/// Appends the figures to a remark: predicted_us (kernel and other launches),
/// casts_us, predicted_bf16_us, bound, runner_up, moved_bytes.
void addPrediction(remark::detail::InFlightRemark &remark,
                   const KernelPrediction &prediction);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_KERNELPREDICTION_H
