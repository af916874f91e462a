//===- Compare.cpp - The same inputs the other way ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every distance is printed before the first that is too large is reported.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Pipelines/Tool.h"
#include "fp8/Transforms/Recipes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::fp8;

/// Checks the recipe that `text` makes of `options`.
static llvm::Error checkRecipe(StringRef text, const CompileOptions &options,
                               MLIRContext &context) {
  if (options.recipe.recipe == "none")
    return llvm::Error::success();
  context.loadDialect<FP8Dialect>(); // not every module has
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  if (succeeded(getRecipe(&context, options.recipe, [&] {
        return emitError(UnknownLoc::get(&context));
      })))
    return llvm::Error::success();
  return makeError("--compare=" + text + ": " + message);
}

llvm::Error mlir::fp8::applyComparison(StringRef text, CompileOptions &options,
                                       MLIRContext &context) {
  options.failOnFallback = false;
  options.requireFP8.clear();
  auto [kind, value] = text.split(':');
  if (text == "bf16" || (kind == "recipe" && !value.empty())) {
    options.recipe.recipe = text == "bf16" ? "bf16" : value.str();
    options.planText.clear();
    options.given = {{"recipe", options.recipe.recipe}};
    return checkRecipe(text, options, context);
  }
  if (value.empty() || (kind != "target" && kind != "numerics"))
    return makeError("--compare=" + text +
                     ": expected bf16, recipe:R, target:T or numerics:M");
  if (!options.planText.empty())
    return makeError("--compare=" + text +
                     ": expected no --plan, which fixes target and numerics; "
                     "use bf16 or recipe:R");
  if (kind == "numerics") {
    options.recipe.numerics = value.str();
    options.given = {{"numerics", value.str()}};
    return checkRecipe(text, options, context);
  }
  std::string error = checkTarget(value);
  if (!error.empty())
    return makeError("--compare=" + text + ": " + error);
  options.target = value.str();
  options.given = {{"target", value.str()}};
  return llvm::Error::success();
}

llvm::Error mlir::fp8::compareResults(llvm::raw_ostream &os, StringRef text,
                                      ArrayRef<Result> results,
                                      ArrayRef<Result> references,
                                      double maxError) {
  std::string failure;
  for (unsigned i = 0, e = results.size(); i < e; ++i) {
    double distance = relativeL2(results[i], references[i]);
    std::string line =
        llvm::formatv("{0}: relative L2 {1:e3} from {2}", i, distance, text);
    if (std::isnan(distance))
      line = llvm::formatv("{0}: relative L2 nan from {1}", i, text);
    os << line << "\n";
    if (!(distance <= maxError) && failure.empty())
      failure =
          llvm::formatv("result {0}, above --max-error={1:e3}", line, maxError);
  }
  os.flush();
  return failure.empty() ? llvm::Error::success() : makeError(failure);
}
