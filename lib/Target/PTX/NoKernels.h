//===- NoKernels.h - Nothing to emit ----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by what emits kernels as one text and as files.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_TARGET_PTX_NOKERNELS_H
#define FP8_LIB_TARGET_PTX_NOKERNELS_H

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fp8 {

/// The error of a module without kernels: at the first contraction that was
/// refused one, with the reason.
inline LogicalResult failWithoutKernels(ModuleOp module) {
  WalkResult refused = module.walk([](Operation *op) {
    auto reason = op->getAttrOfType<StringAttr>(kNoKernelAttr);
    if (!reason)
      return WalkResult::advance();
    op->emitError("the module has no kernel to emit; this contraction has "
                  "none: ")
        << reason.getValue();
    return WalkResult::interrupt();
  });
  if (refused.wasInterrupted())
    return failure();
  return module.emitError("the module has no kernel to emit");
}

} // namespace mlir::fp8

#endif // FP8_LIB_TARGET_PTX_NOKERNELS_H
