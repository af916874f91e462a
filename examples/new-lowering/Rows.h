//===- Rows.h - One operation of another project ----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its passes, and the arithmetic that both lowerings share.
//
//===----------------------------------------------------------------------===//

#ifndef ROWS_ROWS_H
#define ROWS_ROWS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Pass/Pass.h"

#include "RowsDialect.h.inc"

#define GET_OP_CLASSES
#include "Rows.h.inc"

namespace rows {

/// Set on an operation that the target has a kernel for.
inline constexpr llvm::StringLiteral kKernelAttr = "rows.kernel";

/// What the operation means, as linalg: --rows-to-linalg.
std::unique_ptr<mlir::Pass> createToLinalgPass();
/// Marks operations for the kernel: --rows-select.
std::unique_ptr<mlir::Pass> createSelectPass();
/// Marked operations on buffers to launches of a kernel: --rows-to-kernel.
std::unique_ptr<mlir::Pass> createToKernelPass();

/// Makes the operation bufferizable.
void registerBufferization(mlir::DialectRegistry &registry);

/// The parts of the formula, on f32 numbers.
mlir::Value buildMagnitude(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value x);
mlir::Value buildScale(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value amax);
mlir::Value buildCode(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      mlir::Value amax, mlir::Type code);

} // namespace rows

#endif // ROWS_ROWS_H
