//===- Plugin.cpp - What a program loads ----------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect for --plugin and --load-dialect-plugin, the passes by name for
// --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Rows", LLVM_VERSION_STRING,
          [](::mlir::DialectRegistry *registry) {
            registry->insert<rows::RowsDialect>();
            rows::registerBufferization(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Rows", LLVM_VERSION_STRING, [] {
            ::mlir::registerPass(rows::createToLinalgPass);
            ::mlir::registerPass(rows::createSelectPass);
            ::mlir::registerPass(rows::createToKernelPass);
          }};
}
