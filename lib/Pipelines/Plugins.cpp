//===- Plugins.cpp - Dialects of other projects ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library has to have dialects; its passes are registered where it has any.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Plugins.h"

#include "fp8/Pipelines/Tool.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;
using namespace mlir::fp8;

llvm::Expected<std::vector<std::string>>
mlir::fp8::loadPlugins(ArrayRef<std::string> paths, DialectRegistry &registry) {
  std::vector<std::string> names;
  for (const std::string &path : paths) {
    DialectRegistry own;
    auto dialects = DialectPlugin::load(path);
    if (!dialects)
      return makeError("--plugin=" + path + ": " +
                       llvm::toString(dialects.takeError()));
    dialects->registerDialectRegistryCallbacks(own);
    for (StringRef name : own.getDialectNames())
      names.push_back(name.str());
    own.appendTo(registry);
    auto passes = PassPlugin::load(path);
    if (passes)
      passes->registerPassRegistryCallbacks();
    else
      llvm::consumeError(passes.takeError());
  }
  return names;
}
