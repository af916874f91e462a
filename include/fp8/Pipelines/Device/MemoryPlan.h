//===- MemoryPlan.h - What memory programs need -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of a report on memory, without compiling any kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_DEVICE_MEMORYPLAN_H
#define FP8_PIPELINES_DEVICE_MEMORYPLAN_H

#include "fp8/Pipelines/Driver.h"

namespace mlir::fp8 {

/// Adds to `report` what memory each public function of `converted` needs on
/// the target of `options`, and what it needs when `original`, the module
/// before its conversion, is converted with recipe `bf16`. Both are left as
/// they are. A function that cannot be planned (dynamic sizes) gets a reason;
/// nothing fails. Detaches other reports from the context.
void reportMemory(ModuleOp converted, ModuleOp original,
                  const CompileOptions &options, Report &report);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_DEVICE_MEMORYPLAN_H
