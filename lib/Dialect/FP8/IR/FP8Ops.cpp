//===- FP8Ops.cpp - Custom syntax and generated operation classes ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fp8;

static ParseResult parseSameType(OpAsmParser &parser, Type &first,
                                 Type &second) {
  if (parser.parseType(first))
    return failure();
  second = first;
  return success();
}

static void printSameType(OpAsmPrinter &printer, Operation *, Type first,
                          Type) {
  printer << first;
}

static ParseResult parseDelayedScaleResults(OpAsmParser &, Type amax,
                                            Type &multiplier, Type &scale) {
  multiplier = scale = amax;
  return success();
}

static void printDelayedScaleResults(OpAsmPrinter &, Operation *, Type, Type,
                                     Type) {}

#define GET_OP_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Ops.cpp.inc"
