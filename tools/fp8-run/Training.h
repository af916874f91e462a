//===- Training.h - A compiled graph, one step or many ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles one function and runs it in a training loop: arguments from specs,
// results carried from step to step, scalars logged.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_FP8RUN_TRAINING_H
#define FP8_TOOLS_FP8RUN_TRAINING_H

#include "Executor.h"
#include "Inputs.h"
#include "Outputs.h"
#include "fp8/Pipelines/Instrument.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace mlir::fp8 {

/// What to run, as the command line says it.
struct TrainingOptions {
  int64_t steps = 1;
  /// `RESULT:ARG`: results that feed arguments of the next step.
  SmallVector<std::string> carries;
  /// `RESULT:F.csv`: a scalar per step.
  SmallVector<std::string> logs;
  /// Where it runs.
  DeviceOptions device;
  /// Threads that compile.
  unsigned threads = 1;
  /// Whether to print compile time and time per step to stderr.
  bool time = false;
  /// Sees each pass manager that compiles.
  PassInstrumenter instrument;
  /// Called before anything runs, when everything is compiled or has failed to.
  /// May be empty.
  std::function<llvm::Error(bool isCompiled)> afterCompile;
};

/// One buffer of a signature.
struct FlatType {
  Type type;
  unsigned index; ///< Of the argument or result that it belongs to.
};

/// The buffers behind a signature's types: for a `!fp8.tensor` its codes, then
/// its scales; one for any other type.
SmallVector<FlatType> flattenTypes(TypeRange types);

/// Compiles `func` of `module` for a device (consuming the module's contents)
/// and runs it on arguments made from `specs`, one per argument the user knows.
/// Delayed-scaling state starts empty (multipliers at 1) and is carried by
/// itself; every step is an optimizer step. Returns the last step's results.
llvm::Expected<SmallVector<Result>> runTraining(ModuleOp module,
                                                func::FuncOp func,
                                                SmallVector<InputSpec> specs,
                                                const TrainingOptions &options);

} // namespace mlir::fp8

#endif // FP8_TOOLS_FP8RUN_TRAINING_H
