//===- Recipes.h - Recipes and accumulation by name -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a command line says about a recipe, turned into attributes. Everything a
// user chose is in attributes from then on.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TRANSFORMS_RECIPES_H
#define FP8_TRANSFORMS_RECIPES_H

#include "fp8/Dialect/FP8/IR/FP8.h"

#include <string>

namespace mlir::fp8 {

/// Options that make up a recipe, as written.
struct RecipeOptions {
  std::string recipe = "delayed";
  std::string format = "hybrid";
  int64_t margin = 0;
  int64_t amaxHistoryLen = 16;
  std::string amaxComputeAlgo = "max";
  std::string numerics = "safe";
};

/// The recipe attribute; emits one error that lists the choices otherwise.
FailureOr<Attribute> getRecipe(MLIRContext *context,
                               const RecipeOptions &options,
                               function_ref<InFlightDiagnostic()> emitError);

/// `auto`, `f32` (seq_f32), `fast` (the tensor core's own model for the target,
/// no promotion), `promote<N>`, or an `#fp8.accum` as a plan has it, from its
/// `<` on. `target` decides the model of `fast` and `promote<N>`; a CPU takes
/// hopper's. Emits one error that lists them otherwise.
FailureOr<AccumAttr>
getAccumulation(MLIRContext *context, StringRef text, StringRef target,
                function_ref<InFlightDiagnostic()> emitError);

/// What getAccumulation takes, in one line.
std::string describeAccumulations();

/// What `auto` means on `target`: Hopper promotes every 128, a CPU without
/// target sums in seq_f32.
AccumAttr refineAccumulation(AccumAttr accumulation, StringRef target);

} // namespace mlir::fp8

#endif // FP8_TRANSFORMS_RECIPES_H
