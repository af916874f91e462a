//===- FP8OpBase.td - What all fp8 operations share ----------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8OPBASE_TD
#define FP8_DIALECT_FP8_IR_FP8OPBASE_TD

include "fp8/Dialect/FP8/IR/FP8Types.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// An absent accumulation is `#fp8.accum<model = auto>`.
defvar accumulationDeclaration = [{
    /// The accumulation, or `auto` where none is given.
    ::mlir::fp8::AccumAttr getAccumulationOrAuto() {
      if (::mlir::fp8::AccumAttr accumulation = getAccumulationAttr())
        return accumulation;
      return ::mlir::fp8::AccumAttr::get((*this)->getContext(),
                                         ::mlir::fp8::AccumModel::Auto);
    }
  }];

class FP8_Op<string mnemonic, list<Trait> traits = []>
    : Op<FP8_Dialect, mnemonic, traits>;

#endif // FP8_DIALECT_FP8_IR_FP8OPBASE_TD
