//===- ContractShape.h - Shape rules of contractions ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by fp8.contract and fp8.scaled_contract, whose shapes obey one rule.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_DIALECT_FP8_IR_CONTRACTSHAPE_H
#define FP8_LIB_DIALECT_FP8_IR_CONTRACTSHAPE_H

#include "fp8/Dialect/FP8/IR/FP8.h"

namespace mlir::fp8 {

/// Checks ranks, k, batch, m, n and split boundaries; emits at `op`.
LogicalResult verifyContractShape(Operation *op, ArrayRef<int64_t> lhs,
                                  ArrayRef<int64_t> rhs,
                                  ArrayRef<int64_t> result, bool transposeLhs,
                                  bool transposeRhs, AccumAttr accumulation);

} // namespace mlir::fp8

#endif // FP8_LIB_DIALECT_FP8_IR_CONTRACTSHAPE_H
