//===- FunctionPairs.h - forward and backward functions ----------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds out what the arguments of a backward function, which was exported apart
// from its forward function, are in the forward function.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_FUNCTIONPAIRS_H
#define FP8_LIB_ANALYSIS_FUNCTIONPAIRS_H

#include "RoleGraph.h"

namespace mlir::fp8 {

/// The pairs that `fp8.pair` declares. The arguments of a backward function are
/// gradients of the forward results and, before or after them, values that the
/// forward function saved: its last results (AOTAutograd), or its own
/// arguments. Where the types leave a choice, the one under which most
/// contractions of the backward function find a forward one is taken.
SmallVector<FunctionPair> findFunctionPairs(ModuleOp module);

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_FUNCTIONPAIRS_H
