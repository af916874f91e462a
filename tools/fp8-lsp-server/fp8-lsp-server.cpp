//===- fp8-lsp-server.cpp - Language server for our dialects --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-lsp-server that also knows the dialects of this project.
//
//===----------------------------------------------------------------------===//

#include "fp8/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fp8::registerAllFP8Dialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
