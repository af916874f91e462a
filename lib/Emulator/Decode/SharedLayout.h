//===- SharedLayout.h - where shared variables lie --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel pays for the shared variables that it and the functions it may call
// use, not for those of other kernels of its module.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_SHAREDLAYOUT_H
#define FP8_LIB_EMULATOR_DECODE_SHAREDLAYOUT_H

#include "Decoder.h"

#include "llvm/ADT/DenseSet.h"

namespace fp8::emulator {

/// A device function is decoded once, so the variables that functions use have
/// one place for all kernels that may call them, first. The others of a kernel
/// lie behind them, and extern ones last.
class SharedLayout {
public:
  /// Plans the module; an error when a kernel has too much.
  llvm::Error place(ModuleContext &context);
  /// Sets the offsets for decoding `function`; returns the bytes of static
  /// variables that a block of it has.
  uint32_t enter(ModuleContext &context, const ptx::Function &function) const;

private:
  /// What the text of a function names.
  struct Uses {
    std::vector<const ptx::Variable *> variables;
    std::vector<const ptx::Function *> callees;
    /// Has a call through a register.
    bool callsAny = false;
  };
  struct Kernel {
    std::vector<std::pair<const ptx::Variable *, uint32_t>> places;
    /// Behind the static variables.
    uint64_t end = 0;
    bool hasDynamic = false;
    /// Extern variables lie where the functions that it may call expect them.
    bool sharesDynamic = false;
  };

  void collectUses(const ptx::Module &module);
  /// Device functions that may run for `function`.
  llvm::DenseSet<const ptx::Function *>
  reachedBy(const ptx::Module &module, const ptx::Function &function) const;
  uint64_t placeCommon(ModuleContext &context);
  Kernel plan(const ptx::Module &module, const ptx::Function &kernel,
              uint64_t commonEnd);

  llvm::DenseMap<const ptx::Function *, Uses> uses;
  /// Variables of device functions.
  llvm::DenseSet<const ptx::Variable *> common;
  /// Device functions that use extern variables.
  llvm::DenseSet<const ptx::Function *> dynamicUsers;
  llvm::DenseSet<const ptx::Variable *> dynamic;
  uint32_t dynamicAlign = 16;
  llvm::DenseMap<const ptx::Function *, Kernel> kernels;
  /// Largest end of the kernels that share the place of extern variables.
  uint64_t sharedEnd = 0;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_SHAREDLAYOUT_H
