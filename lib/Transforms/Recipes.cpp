//===- Recipes.cpp - Recipes and accumulation by name ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Transforms/Recipes.h"

#include "fp8/Target/TargetInfo.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::fp8;

FailureOr<Attribute>
mlir::fp8::getRecipe(MLIRContext *context, const RecipeOptions &options,
                     function_ref<InFlightDiagnostic()> emitError) {
  std::optional<RecipeFormat> format = symbolizeRecipeFormat(options.format);
  if (!format)
    return emitError() << "expected format hybrid or e4m3, got '"
                       << options.format << "'";
  std::optional<AmaxAlgo> algo = symbolizeAmaxAlgo(options.amaxComputeAlgo);
  if (!algo)
    return emitError() << "expected amax-compute-algo max or most_recent, got '"
                       << options.amaxComputeAlgo << "'";
  std::optional<NumericsMode> numerics =
      symbolizeNumericsMode(options.numerics);
  if (!numerics)
    return emitError() << "expected numerics safe, te, flax, ocp, torchao or "
                          "deepgemm, got '"
                       << options.numerics << "'";
  // Checked even where the recipe has no use for them.
  if (options.margin < -64 || options.margin > 64)
    return emitError() << "expected margin between -64 and 64, got "
                       << options.margin;
  if (options.amaxHistoryLen < 1)
    return emitError() << "expected amax-history-len of at least 1, got "
                       << options.amaxHistoryLen;
  StringRef name = options.recipe;
  if (name == "bf16")
    return Attribute(BF16Attr::get(context));
  if (name == "tensorwise" || name == "current")
    return Attribute(TensorwiseAttr::get(context, *format, *numerics));
  if (name != "delayed")
    return emitError() << "expected recipe delayed, tensorwise (alias current) "
                          "or bf16, got '"
                       << name << "'";
  if (*numerics != NumericsMode::Safe && *numerics != NumericsMode::TE &&
      *numerics != NumericsMode::Flax)
    return emitError() << "expected numerics safe, te or flax with recipe "
                          "delayed, got '"
                       << options.numerics << "'";
  auto recipe =
      DelayedAttr::getChecked(emitError, context, *format, options.margin,
                              options.amaxHistoryLen, *algo, *numerics);
  if (!recipe)
    return failure();
  return Attribute(recipe);
}

/// What `target` does where nothing was asked for; a CPU for unknown names.
static ::fp8::target::DefaultAccumulation getDefault(StringRef target) {
  std::string error;
  if (const auto *info = ::fp8::target::lookupTarget(target, error))
    return info->accumulation;
  return {"seq_f32", 0};
}

FailureOr<AccumAttr>
mlir::fp8::getAccumulation(MLIRContext *context, StringRef text,
                           StringRef target,
                           function_ref<InFlightDiagnostic()> emitError) {
  if (text == "auto")
    return AccumAttr::get(context, AccumModel::Auto);
  if (text == "f32")
    return AccumAttr::get(context, AccumModel::SeqF32);
  // A CPU has no tensor core; it runs Hopper's model.
  std::string error;
  const auto *info = ::fp8::target::lookupTarget(target, error);
  bool isCPU = info && !info->isGPU();
  AccumModel model =
      *symbolizeAccumModel(getDefault(isCPU ? "sm_90a" : target).model);
  if (text == "fast")
    return AccumAttr::get(context, model);
  int64_t promote = 0;
  StringRef rest = text;
  if (rest.consume_front("promote<") && rest.consume_back(">") &&
      !rest.getAsInteger(10, promote) && promote > 0 && promote % 32 == 0)
    return AccumAttr::get(context, model, promote, ArrayRef<int64_t>());
  std::string reason;
  if (text.starts_with("<")) {
    ScopedDiagnosticHandler quiet(context, [&](Diagnostic &diagnostic) {
      reason = diagnostic.str();
      return success();
    });
    if (auto given = dyn_cast_if_present<AccumAttr>(
            parseAttribute(("#fp8.accum" + text).str(), context)))
      return given;
  }
  InFlightDiagnostic failure = emitError();
  failure << "expected accumulation " << describeAccumulations() << "; got '"
          << text << "'";
  if (!reason.empty())
    failure << ": " << reason;
  return failure;
}

std::string mlir::fp8::describeAccumulations() {
  std::string text = "auto, fast, f32, promote<N> with N a positive multiple "
                     "of 32, or <model = M, promote = N, split = [K, ...]> "
                     "with M one of ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(
      llvm::seq<uint64_t>(0, getMaxEnumValForAccumModel() + 1), os,
      [&](uint64_t model) {
        os << stringifyAccumModel(static_cast<AccumModel>(model));
      });
  return text;
}

AccumAttr mlir::fp8::refineAccumulation(AccumAttr accumulation,
                                        StringRef target) {
  if (accumulation.getModel() != AccumModel::Auto)
    return accumulation;
  ::fp8::target::DefaultAccumulation chosen = getDefault(target);
  return AccumAttr::get(accumulation.getContext(),
                        *symbolizeAccumModel(chosen.model), chosen.promote,
                        ArrayRef<int64_t>());
}
