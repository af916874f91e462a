//===- Passes.h - passes on BF16 graphs and the fp8 dialect ------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations generated from Passes.td, and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TRANSFORMS_PASSES_H
#define FP8_TRANSFORMS_PASSES_H

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <string>

namespace mlir::fp8 {

#define GEN_PASS_DECL
#include "fp8/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fp8/Transforms/Passes.h.inc"

} // namespace mlir::fp8

#endif // FP8_TRANSFORMS_PASSES_H
