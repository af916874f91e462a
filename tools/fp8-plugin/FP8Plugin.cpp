//===- FP8Plugin.cpp - The dialects and passes for a stock mlir-opt -------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded by --load-dialect-plugin and --load-pass-plugin. It shares libMLIR.so
// with the program: a second MLIR inside would have type ids of its own.
//
//===----------------------------------------------------------------------===//

#include "fp8/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FP8", LLVM_VERSION_STRING,
          [](::mlir::DialectRegistry *registry) {
            ::mlir::fp8::registerAllFP8Dialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FP8", LLVM_VERSION_STRING,
          [] { ::mlir::fp8::registerAllFP8Passes(); }};
}
