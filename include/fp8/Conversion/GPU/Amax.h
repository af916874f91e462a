//===- Amax.h - Who reads an amax -------------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by what chooses the kernels of an amax and what launches them.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_AMAX_H
#define FP8_CONVERSION_GPU_AMAX_H

#include "fp8/Dialect/FP8/IR/FP8.h"

namespace mlir::fp8 {

/// The only reader of `op` if it is a scale of delayed scaling, which needs no
/// amax once `warmup` steps were recorded; its count is there before `op`. Null
/// otherwise.
DelayedScaleOp getWarmupScale(AmaxOp op);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_AMAX_H
