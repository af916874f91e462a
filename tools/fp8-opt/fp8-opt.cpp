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

#include "fp8/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::fp8::registerAllFP8Dialects(registry);
  mlir::fp8::registerAllFP8Passes();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "FP8 optimizer driver\n", registry));
}
