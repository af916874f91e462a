//===- FP8.h - The fp8 dialect ----------------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, attributes and operations of the fp8 dialect. One header: they refer
// to each other.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8_H
#define FP8_DIALECT_FP8_IR_FP8_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fp8/Dialect/FP8/IR/FP8Dialect.h.inc"
#include "fp8/Dialect/FP8/IR/FP8Enums.h.inc"

#include "fp8/Dialect/FP8/IR/FP8AttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Types.h.inc"

#define GET_OP_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Ops.h.inc"

namespace mlir::fp8 {

/// True for the two storage types: f8E4M3FN and f8E5M2.
bool isStorageType(Type type);

/// True for a role of a contraction: fprop, refprop, dgrad, wgrad, attention,
/// dispatch, other.
bool isContractionRole(StringRef role);

/// True for a role of an operand: activation, weight, gradient, other.
bool isOperandRole(StringRef role);

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_FP8_H
