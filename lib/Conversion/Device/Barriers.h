//===- Barriers.h - Barriers between operations of a block ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the mapping of threads: one block that runs several operations.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_DEVICE_BARRIERS_H
#define FP8_LIB_CONVERSION_DEVICE_BARRIERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fp8 {

/// Moves `op` to where the first thread of the block alone runs it; returns
/// that branch.
Operation *onOneThread(OpBuilder &b, Operation *op);

/// Everything that another thread of the block wrote is there after it.
void barrierAround(Operation *op);

/// Erases the barriers of the kernel `func` that order nothing: doubled ones,
/// and those at its start and end.
void eraseNeedlessBarriers(func::FuncOp func);

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_DEVICE_BARRIERS_H
