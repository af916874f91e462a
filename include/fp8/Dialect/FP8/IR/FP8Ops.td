//===- FP8Ops.td - Operations of the fp8 dialect -------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Umbrella: one file per family.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8OPS_TD
#define FP8_DIALECT_FP8_IR_FP8OPS_TD

include "fp8/Dialect/FP8/IR/FP8ScaleOps.td"
include "fp8/Dialect/FP8/IR/FP8TensorOps.td"
include "fp8/Dialect/FP8/IR/FP8StateOps.td"
include "fp8/Dialect/FP8/IR/FP8ScaledOps.td"

#endif // FP8_DIALECT_FP8_IR_FP8OPS_TD
