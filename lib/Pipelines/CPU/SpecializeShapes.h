//===- SpecializeShapes.h - Static shapes throughout a function -*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What run time knows of shapes, carried from the arguments to every operation.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_PIPELINES_CPU_SPECIALIZESHAPES_H
#define FP8_LIB_PIPELINES_CPU_SPECIALIZESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fp8 {

/// Makes types static as far as those of the arguments, behind tensor.cast,
/// tell them: in elementwise operations, branches and loops by rules of its
/// own, in all else by upstream's canonicalization. Emits an error where shapes
/// contradict each other.
LogicalResult specializeShapes(func::FuncOp func);

} // namespace mlir::fp8

#endif // FP8_LIB_PIPELINES_CPU_SPECIALIZESHAPES_H
