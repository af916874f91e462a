//===- KernelInputs.h - What a kernel of loops takes ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule for who outlines operations and for who has to know before how many
// parameters the kernel gets.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_KERNELINPUTS_H
#define FP8_CONVERSION_CPU_KERNELINPUTS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fp8 {

/// The values from outside that a kernel made of operations is passed, and the
/// operations (views, constants) that it repeats instead.
class KernelInputs {
public:
  /// `localConstants`: constants in memory are repeated, too. `isPassed` names
  /// values that are passed though they could be repeated; it may be empty.
  explicit KernelInputs(bool localConstants,
                        llvm::function_ref<bool(Value)> isPassed = {})
      : localConstants(localConstants), isPassed(isPassed) {}

  /// Adds what `op` and its regions use.
  void add(Operation *op);

  const llvm::SetVector<Value> &getPassed() const { return passed; }
  /// In an order in which each comes after what it uses.
  const llvm::SetVector<Operation *> &getRepeated() const { return repeated; }

private:
  void addValue(Value value);

  bool localConstants;
  llvm::function_ref<bool(Value)> isPassed;
  llvm::SetVector<Value> passed;
  llvm::SetVector<Operation *> repeated;
};

/// Whether `view` is one element of a larger buffer, at a known place, that is
/// only computed with: its place is passed, so that kernels for several places
/// are one.
bool isPickedElement(memref::SubViewOp view);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_KERNELINPUTS_H
