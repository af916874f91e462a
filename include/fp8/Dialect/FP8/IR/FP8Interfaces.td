//===- FP8Interfaces.td - Interfaces of the fp8 dialect ------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8INTERFACES_TD
#define FP8_DIALECT_FP8_IR_FP8INTERFACES_TD

include "mlir/IR/OpBase.td"

def FP8_RecipeAttrInterface : AttrInterface<"RecipeAttrInterface"> {
  let cppNamespace = "::mlir::fp8";
  let description = [{
    What a recipe decides. Passes ask only this interface, so a downstream
    project adds a recipe by defining an attribute that implements it.
  }];
  let methods = [
    InterfaceMethod<"Name as in reports and `--recipe=`.",
      "::llvm::StringRef", "getRecipeName">,
    InterfaceMethod<"Whether contractions are quantised at all.",
      "bool", "quantizes">,
    InterfaceMethod<[{Storage type of an operand: `gradient` tells a gradient
      from an activation or weight.}],
      "::mlir::Type", "getStorageType", (ins "bool":$gradient)>,
    InterfaceMethod<[{Whether scales come from recorded amaxes of earlier steps,
      which makes state that has to be threaded through functions.}],
      "bool", "isStateful">,
    InterfaceMethod<"Whose scale rules apply.",
      "::mlir::fp8::NumericsMode", "getNumerics">
  ];
}

#endif // FP8_DIALECT_FP8_IR_FP8INTERFACES_TD
