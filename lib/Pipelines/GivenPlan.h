//===- GivenPlan.h - The plan that a user gave ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_PIPELINES_GIVENPLAN_H
#define FP8_LIB_PIPELINES_GIVENPLAN_H

#include "fp8/Pipelines/Driver.h"

namespace mlir::fp8 {

/// Sets the plan of `--plan`, if there is one, on `module`, and checks that the
/// module's plan agrees with the flags that were given. Emits one error.
LogicalResult attachPlan(ModuleOp module, const CompileOptions &options);

} // namespace mlir::fp8

#endif // FP8_LIB_PIPELINES_GIVENPLAN_H
