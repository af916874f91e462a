//===- JitHarness.h - Run text on the CPU -----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function given as text on the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_CONVERSION_JITHARNESS_H
#define FP8_UNITTESTS_CONVERSION_JITHARNESS_H

#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace mlir::fp8::testing {

/// Compiles @main of `text` and keeps it callable.
class CompiledText {
public:
  explicit CompiledText(const std::string &text) : context(makeRegistry()) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return;
    auto func = module->lookupSymbol<func::FuncOp>("main");
    SmallVector<RankedTensorType> types;
    for (Type type : func.getArgumentTypes())
      types.push_back(cast<RankedTensorType>(type));
    auto compiled = CPUProgram::compile(*module, "main", types);
    EXPECT_TRUE(succeeded(compiled));
    if (succeeded(compiled))
      program = std::move(*compiled);
  }

  void run(ArrayRef<const void *> args, ArrayRef<void *> results) {
    llvm::Error error = program->run(args, results);
    EXPECT_FALSE(static_cast<bool>(error));
    llvm::consumeError(std::move(error));
  }

private:
  static DialectRegistry makeRegistry();

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<CPUProgram> program;
};

inline DialectRegistry CompiledText::makeRegistry() {
  DialectRegistry registry;
  registerCPUDialects(registry);
  registry.insert<FP8Dialect>();
  return registry;
}

} // namespace mlir::fp8::testing

#endif // FP8_UNITTESTS_CONVERSION_JITHARNESS_H
