//===- Plugins.h - Dialects of other projects -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--plugin=F` of our tools: what mlir-opt takes as --load-dialect-plugin and
// --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_PLUGINS_H
#define FP8_PIPELINES_PLUGINS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::fp8 {

/// Loads the libraries `paths` and adds their dialects to `registry`; returns
/// the names of these. A program that calls it has to export its symbols
/// (fp8_add_tool's PLUGINS), so that the plugins use its dialects and not
/// copies of their own. One line on failure.
llvm::Expected<std::vector<std::string>>
loadPlugins(ArrayRef<std::string> paths, DialectRegistry &registry);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_PLUGINS_H
