//===- InitAll.h - Everything this project registers ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_INITALL_H
#define FP8_INITALL_H

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/ExpandMath/Passes.h"
#include "fp8/Conversion/Extension/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/Device/Code.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"

namespace mlir::fp8 {

/// Adds the dialects `fp8` and `cta` to `registry`.
inline void registerAllFP8Dialects(DialectRegistry &registry) {
  registry.insert<FP8Dialect, cta::CTADialect>();
}

/// Makes every pass and pipeline of the project known by name. Once a process.
inline void registerAllFP8Passes() {
  registerFP8TransformsPasses();
  registerFP8GPUConversionPasses();
  registerFP8CPUPasses();
  registerFP8DevicePasses();
  registerFP8ExpandMathPasses();
  registerFP8ExtensionPasses();
  registerFP8ToLinalgPasses();
  registerCPUPipeline();
  registerDevicePipeline();
  registerFP8Pipeline();
}

} // namespace mlir::fp8

#endif // FP8_INITALL_H
