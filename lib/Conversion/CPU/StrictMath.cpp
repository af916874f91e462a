//===- StrictMath.cpp - No fast-math flags --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fast-math flags allow a compiler to change bits; folders of MLIR make use of
// them (a widening of a rounding with `contract` disappears), so they go first.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/FastMath.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUSTRICTMATH
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

namespace {
struct CPUStrictMath final : mlir::fp8::impl::CPUStrictMathBase<CPUStrictMath> {
  using CPUStrictMathBase::CPUStrictMathBase;

  void runOnOperation() override {
    mlir::fp8::dropFastMath(getOperation(), keepAFN
                                                ? arith::FastMathFlags::afn
                                                : arith::FastMathFlags::none);
  }
};
} // namespace
