//===- Driver.h - What fp8-compile and fp8-run share ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_DRIVER_H
#define FP8_PIPELINES_DRIVER_H

#include "fp8/Pipelines/Instrument.h"
#include "fp8/Pipelines/Report.h"
#include "fp8/Transforms/Recipes.h"

#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

namespace mlir::fp8 {

/// What a user chose about the conversion to FP8.
struct CompileOptions {
  RecipeOptions recipe;
  std::string target = "cpu";
  std::string accumulation = "auto";
  /// Whether sums that are left to the target may be split for the device.
  bool nondeterministicSplit = false;
  /// Device that the cost model is asked about: a name, JSON with its figures,
  /// or empty for the target's first.
  std::string gpu;
  /// Path of a schedule database and its text; empty without one, and the text
  /// where the file is not there yet.
  std::string scheduleDB, schedules;
  /// Text of a plan (`#fp8.plan<...>`) and the name of its file; empty: none.
  std::string planText, planName;
  /// Flags that the user gave, with their values: `recipe`, `format`, `margin`,
  /// `amax-history-len`, `amax-compute-algo`, `numerics`, `accumulation`,
  /// `target`. A plan has to agree with these, and beats what is not here.
  std::vector<std::pair<std::string, std::string>> given;
  /// Path of the assembler; empty: the one on PATH where one is needed.
  std::string ptxas;
  /// Whether functions of floats are approximate in kernels.
  bool approxMath = false;
  bool failOnFallback = false;
  /// Regular expressions; every contraction whose name matches must be FP8.
  std::vector<std::string> requireFP8;
  /// Whether the state of delayed scaling is read only.
  bool freezeState = false;
  /// Whether frozen weights are quantised in a function of their own.
  bool splitPrepare = false;
  /// Sees each of the pass managers.
  PassInstrumenter instrument;
};

/// Adds the passes that say how contractions add on a GPU target where they
/// leave it open, split for the device where `options` allow it; nothing for a
/// CPU.
void addRefineAccumulation(OpPassManager &pm, const CompileOptions &options);

/// Adds plan, refine-accumulation for a GPU, quantize, thread-state and
/// verify-conversion.
void buildFP8Pipeline(OpPassManager &pm, const CompileOptions &options);

/// Makes `--fp8-pipeline="recipe=R target=T ..."` known to mlir-opt-like tools.
void registerFP8Pipeline();

/// Why no program can be made for the target `name`; empty if one can.
std::string checkTarget(StringRef name);

/// Sets the plan of `--plan`, if there is one, on `module`, and checks that the
/// flags that were given agree with the plan that the module has then. It says
/// target and recipe, which `options` take from it. Emits one error.
LogicalResult adoptPlan(ModuleOp module, CompileOptions &options);

/// Says in `module`, if `options` do, that functions of floats are approximate
/// in its kernels (attribute `fp8.approx_math`).
void adoptApproxMath(ModuleOp module, const CompileOptions &options);

/// Rewrites `module` to FP8 as `options` say: afterwards it holds operations of
/// level (a) of the fp8 dialect. What a module holds of these already stays,
/// but for accumulations that it leaves to a GPU target. Decisions go to
/// `report`, which must be attached to the module's context. Emits one error
/// and fails otherwise.
LogicalResult compileToFP8(ModuleOp module, const CompileOptions &options,
                           const Report &report);

/// `--fail-on-fallback` and `--require-fp8` on what `report` says by now: a
/// kernel that could not be built makes a fallback later. Emits one error.
LogicalResult checkReport(ModuleOp module, const CompileOptions &options,
                          const Report &report);

/// The same options as command-line flags: constructing it registers them.
class CompileFlags {
public:
  CompileFlags();
  ~CompileFlags();

  /// The options, with the plan read. Prints nothing; one line on failure. What
  /// depends on the target is for checkDevice() to say.
  llvm::Expected<CompileOptions> get() const;

  /// What --gpu, --schedule-db and the like ask of the target, which a plan may
  /// have said (adoptPlan). One line on failure.
  llvm::Error checkDevice(const CompileOptions &options) const;

  /// Whether `--report` was given.
  bool wantsReport() const;

  /// `--emit-plan`, `--report`, `--report-file`: writes what was asked for,
  /// whole or not at all. Text and JSON go to `stderr` without a file.
  llvm::Error writeReports(ModuleOp module, const CompileOptions &options,
                           const Report &report) const;

private:
  struct Storage;
  static llvm::Error checkConversion(const Storage &storage);
  std::unique_ptr<Storage> storage;
};

} // namespace mlir::fp8

#endif // FP8_PIPELINES_DRIVER_H
