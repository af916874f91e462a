//===- WidenBF16.h - BF16 arithmetic beside wgmma ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_TARGET_PTX_WIDENBF16_H
#define FP8_LIB_TARGET_PTX_WIDENBF16_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fp8 {

/// Does the BF16 arithmetic (`+`, `-`, `*`, `/`, comparisons, minima and
/// maxima) of functions with `wgmma` in f32, rounded once an operation. Runs
/// after LLVM's optimizations, which turn it back.
void widenBF16(llvm::Module &module);

} // namespace mlir::fp8

#endif // FP8_LIB_TARGET_PTX_WIDENBF16_H
