//===- fp8-opt.cpp - mlir-opt with the fp8 passes -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything upstream mlir-opt knows, and the dialects and passes of this
// project.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Transforms/Passes.h"

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/ExpandMath/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<mlir::fp8::FP8Dialect, mlir::cta::CTADialect>();
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::fp8::registerFP8TransformsPasses();
  mlir::fp8::registerFP8GPUConversionPasses();
  mlir::fp8::registerFP8CPUPasses();
  mlir::fp8::registerFP8ExpandMathPasses();
  mlir::fp8::registerFP8ToLinalgPasses();
  mlir::fp8::registerCPUPipeline();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "FP8 optimizer driver\n", registry));
}
