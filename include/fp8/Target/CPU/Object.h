//===- Object.h - Host code as an object file -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules of the LLVM dialect as one file that a linker takes.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_CPU_OBJECT_H
#define FP8_TARGET_CPU_OBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::fp8 {

/// The relocatable object of `modules`, each of the LLVM dialect only, linked
/// into one: position-independent code for any processor of this machine's
/// architecture, without contraction of floating-point operations. Internal
/// symbols of two modules may have one name; exported ones may not.
llvm::Expected<std::string> emitHostObject(ArrayRef<ModuleOp> modules);

} // namespace mlir::fp8

#endif // FP8_TARGET_CPU_OBJECT_H
