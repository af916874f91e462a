//===- CTADialect.h - The cta dialect: types, attributes, ops ---*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations generated from the .td files of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTADIALECT_H
#define FP8_DIALECT_CTA_IR_CTADIALECT_H

#include "fp8/Dialect/FP8/IR/ElementBytes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace fp8::target {
struct TargetInfo;
} // namespace fp8::target

namespace mlir::cta {
using mlir::fp8::getElementBytes;
} // namespace mlir::cta

#include "fp8/Dialect/CTA/IR/CTADialect.h.inc"
#include "fp8/Dialect/CTA/IR/CTAEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fp8/Dialect/CTA/IR/CTAAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fp8/Dialect/CTA/IR/CTATypes.h.inc"

#define GET_OP_CLASSES
#include "fp8/Dialect/CTA/IR/CTAOps.h.inc"

#endif // FP8_DIALECT_CTA_IR_CTADIALECT_H
