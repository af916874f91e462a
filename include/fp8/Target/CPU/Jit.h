//===- Jit.h - Compile and call in process ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles modules of the LLVM dialect in process and calls their functions.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_CPU_JIT_H
#define FP8_TARGET_CPU_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::fp8 {

/// How much time compilation spends on code. No bit of a result depends on it.
enum class JitEffort {
  /// Code that runs once a step: no optimisation, the fast code generator.
  Straight,
  /// Small loops: scalar clean-up, no vectorisation.
  Small,
  /// Loops that a step spends its time in: LLVM's -O2.
  Full
};

/// One module of the LLVM dialect and the effort it is worth.
struct JitModule {
  ModuleOp module;
  JitEffort effort;
};

/// How modules are compiled. No option changes a bit of any result.
struct JitOptions {
  /// Threads that compile; at least 1.
  unsigned threads = 2;
};

/// Machine code of one module, in this process.
class Jit {
public:
  /// Compiles `modules`, each of the LLVM dialect only; symbols that one
  /// declares and another defines are linked, and the symbols in `externals`
  /// are known to all. Floating-point operations are never contracted or
  /// reordered.
  static llvm::Expected<std::unique_ptr<Jit>>
  create(ArrayRef<JitModule> modules, const llvm::StringMap<void *> &externals,
         const JitOptions &options);
  ~Jit();

  /// The address of function `name`, with the signature it has in the module.
  llvm::Expected<void *> lookup(StringRef name) const;

private:
  /// What does not link, as the session reports it: the error of a lookup names
  /// only the functions that need it.
  struct Reports;

  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> engine);

  /// The engine's session has a pointer to it.
  std::unique_ptr<Reports> reports;
  std::unique_ptr<llvm::orc::LLJIT> engine;
};

} // namespace mlir::fp8

#endif // FP8_TARGET_CPU_JIT_H
