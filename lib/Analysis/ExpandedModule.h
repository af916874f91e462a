//===- ExpandedModule.h - a module with its calls expanded -------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is called for several layers has different weights in each
// call. Analyses that need to tell calls apart run on a copy of the module in
// which every call is replaced by the body of its callee.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_EXPANDEDMODULE_H
#define FP8_LIB_ANALYSIS_EXPANDEDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::fp8 {

/// A module without calls to functions that have a body, as far as possible: a
/// recursive call stays, and so do calls once the copy has grown too large.
/// Functions that were expanded into all their callers are gone.
class ExpandedModule {
public:
  /// If `module` has no such calls, this is `module` itself and nothing is
  /// copied.
  explicit ExpandedModule(ModuleOp module);

  ModuleOp getModule() { return copy ? *copy : module; }

  /// The op of the original module that `op` is a copy of.
  Operation *getOriginal(Operation *op) const;

private:
  ModuleOp module;
  OwningOpRef<ModuleOp> copy;
  DenseMap<Operation *, Operation *> originals;
};

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_EXPANDEDMODULE_H
