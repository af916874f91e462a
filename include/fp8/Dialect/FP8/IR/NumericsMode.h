//===- NumericsMode.h - The dialect's modes in Numerics' words --*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_NUMERICSMODE_H
#define FP8_DIALECT_FP8_IR_NUMERICSMODE_H

#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Numerics/Scale.h"

namespace mlir::fp8 {

/// What `mode` is called where its rules are: passes ask fp8/Numerics/Scale.h
/// what a mode does.
inline ::fp8::numerics::Mode toNumerics(NumericsMode mode) {
  switch (mode) {
  case NumericsMode::Safe:
    return ::fp8::numerics::Mode::Safe;
  case NumericsMode::TE:
    return ::fp8::numerics::Mode::TE;
  case NumericsMode::Flax:
    return ::fp8::numerics::Mode::Flax;
  case NumericsMode::OCP:
    return ::fp8::numerics::Mode::OCP;
  case NumericsMode::TorchAO:
    return ::fp8::numerics::Mode::TorchAO;
  case NumericsMode::DeepGEMM:
    return ::fp8::numerics::Mode::DeepGEMM;
  }
  llvm_unreachable("all modes are covered");
}

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_NUMERICSMODE_H
