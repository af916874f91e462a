//===- Instrument.h - Watching passes from outside --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_INSTRUMENT_H
#define FP8_PIPELINES_INSTRUMENT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>

namespace mlir::fp8 {

/// Called with each pass manager before it runs and the name of its stage
/// (`fp8`, `kernels`, `ptx`, `tensors`, `cpu`, `device`, `loops`, `host`): may
/// add instrumentation. Empty: nothing is added.
using PassInstrumenter =
    std::function<LogicalResult(PassManager &pm, StringRef stage)>;

/// Runs the passes of `pm` on `module`, instrumented.
inline LogicalResult runStage(PassManager &pm, ModuleOp module, StringRef stage,
                              const PassInstrumenter &instrument) {
  if (instrument && failed(instrument(pm, stage)))
    return failure();
  return pm.run(module);
}

} // namespace mlir::fp8

#endif // FP8_PIPELINES_INSTRUMENT_H
