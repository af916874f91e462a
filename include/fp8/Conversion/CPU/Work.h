//===- Work.h - How much a kernel runs --------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowering to loops tells the code generator about a function.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_WORK_H
#define FP8_CONVERSION_CPU_WORK_H

#include "llvm/ADT/StringRef.h"

namespace mlir::fp8 {

/// The attribute of a function of loops: an i64, about how many operations one
/// call runs. Set by --fp8-cpu-linalg-to-loops.
inline constexpr llvm::StringLiteral kCPUWorkAttr = "fp8.cpu_work";

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_WORK_H
