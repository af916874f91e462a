//===- FP8Dialect.td - The fp8 dialect -----------------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8DIALECT_TD
#define FP8_DIALECT_FP8_IR_FP8DIALECT_TD

include "mlir/IR/DialectBase.td"

def FP8_Dialect : Dialect {
  let name = "fp8";
  let cppNamespace = "::mlir::fp8";
  let summary = "Scaled 8-bit floating-point tensors and what is done with them";
  let description = [{
    A scaled tensor is one SSA value, `!fp8.tensor`: codes, scales, and the rule
    that ties them. Operations on it quantise, move, contract and dequantise;
    operations on builtin tensors hold the bookkeeping of a recipe (amax, scale,
    history). The `scaled_*` operations are the same on builtin tensors, in
    destination style: what `--fp8-expand-tensors` produces.

    Discardable attributes, all verified: on a contraction `fp8.role`,
    `fp8.lhs_role`, `fp8.rhs_role` (what it is in a training step; written by
    `--fp8-infer-roles`, or by the user, who wins) and `fp8.decision` (its plan
    entry); on a module `fp8.plan`; on a function `fp8.pair` (the forward
    function of a backward function exported apart) and `fp8.slots` (the table
    of delayed-scaling slots); on an argument or result `fp8.state`.
  }];
  let dependentDialects = ["tensor::TensorDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

#endif // FP8_DIALECT_FP8_IR_FP8DIALECT_TD
