//===- Compare.h - The same inputs the other way ----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--compare`: what the other way is, and how far results are from it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_FP8RUN_COMPARE_H
#define FP8_TOOLS_FP8RUN_COMPARE_H

#include "Outputs.h"
#include "fp8/Pipelines/Driver.h"

namespace mlir::fp8 {

/// Changes `options` as `bf16`, `recipe:R`, `target:T` or `numerics:M` says.
/// Conditions on the conversion (`--fail-on-fallback`, `--require-fp8`) do not
/// hold for the other way. A plan fixes recipe, target and numerics: another
/// recipe drops it, the other two are an error with one. What no recipe can be
/// made of is an error; `context` is for its message.
llvm::Error applyComparison(StringRef text, CompileOptions &options,
                            MLIRContext &context);

/// Prints the relative L2 distance of each result from `references`, one line
/// each. Fails if one of them is above `maxError` or is NaN.
llvm::Error compareResults(llvm::raw_ostream &os, StringRef text,
                           ArrayRef<Result> results,
                           ArrayRef<Result> references, double maxError);

} // namespace mlir::fp8

#endif // FP8_TOOLS_FP8RUN_COMPARE_H
