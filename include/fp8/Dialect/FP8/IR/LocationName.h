//===- LocationName.h - What locations say to people ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locations nest; what counts is what is found first from the outside.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_LOCATIONNAME_H
#define FP8_DIALECT_FP8_IR_LOCATIONNAME_H

#include "mlir/IR/Location.h"

namespace mlir::fp8 {

/// The outermost name that `loc` gives; empty if there is none.
StringRef findName(Location loc);

/// The first place in a file that `loc` names, or null.
FileLineColLoc findFile(Location loc);

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_LOCATIONNAME_H
