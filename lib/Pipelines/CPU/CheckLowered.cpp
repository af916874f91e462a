//===- CheckLowered.cpp - What had no lowering ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions leave what they do not know, and casts around it. The translation
// to LLVM IR would stumble over the first of either; here the operation that is
// the cause is named.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/CPU/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

/// Whether `op` is something that a translation to LLVM IR takes.
static bool isLowered(Operation *op) {
  StringRef name = op->getName().getDialectNamespace();
  return isa<ModuleOp>(op) || name == "llvm" || name == "nvvm" || name == "gpu";
}

LogicalResult mlir::fp8::checkLowered(ModuleOp module) {
  Operation *cause = nullptr, *follows = nullptr;
  module.walk([&](Operation *op) {
    if (isLowered(op))
      return WalkResult::advance();
    if (isa<UnrealizedConversionCastOp, func::FuncOp, func::ReturnOp>(op)) {
      follows = follows ? follows : op;
      return WalkResult::advance();
    }
    cause = op;
    return WalkResult::interrupt();
  });
  if (!cause && !follows)
    return success();
  StringRef help = ": it has no lowering to machine code; express it by other "
                   "operations, or add a lowering with --plugin";
  if (!cause)
    return follows->emitError("cannot compile a value of one of the types in '")
           << follows->getName() << "'" << help;
  auto error = cause->emitError("cannot compile '") << cause->getName() << "'";
  if (cause->getNumOperands() > 0)
    error << " of " << cause->getOperandTypes();
  if (cause->getNumResults() > 0)
    error << " to " << cause->getResultTypes();
  return error << help;
}
