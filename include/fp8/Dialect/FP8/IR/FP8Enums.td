//===- FP8Enums.td - Enumerations of the fp8 dialect ---------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8ENUMS_TD
#define FP8_DIALECT_FP8_IR_FP8ENUMS_TD

include "mlir/IR/EnumAttr.td"

def FP8_NumericsMode : I32Enum<"NumericsMode",
    "whose rules turn an amax into a scale", [
  I32EnumCase<"Safe", 0, "safe">, I32EnumCase<"TE", 1, "te">,
  I32EnumCase<"Flax", 2, "flax">, I32EnumCase<"OCP", 3, "ocp">,
  I32EnumCase<"TorchAO", 4, "torchao">, I32EnumCase<"DeepGEMM", 5, "deepgemm">
]> { let cppNamespace = "::mlir::fp8"; }

def FP8_ScaleLayout : I32Enum<"ScaleLayout", "how block scales lie in memory", [
  I32EnumCase<"Compact", 0, "compact">,
  I32EnumCase<"CompactT", 1, "compact_t">,
  I32EnumCase<"Tiled128x4", 2, "tiled128x4">
]> { let cppNamespace = "::mlir::fp8"; }

def FP8_AccumModel : I32Enum<"AccumModel", "how products are summed", [
  I32EnumCase<"Auto", 0, "auto">, I32EnumCase<"SeqF32", 1, "seq_f32">,
  I32EnumCase<"Hopper", 2, "hopper">, I32EnumCase<"Ada", 3, "ada">,
  I32EnumCase<"Blackwell", 4, "blackwell">
]> { let cppNamespace = "::mlir::fp8"; }

def FP8_AmaxAlgo : I32Enum<"AmaxAlgo", "how an amax history is reduced", [
  I32EnumCase<"Max", 0, "max">, I32EnumCase<"MostRecent", 1, "most_recent">
]> { let cppNamespace = "::mlir::fp8"; }

def FP8_RecipeFormat : I32Enum<"RecipeFormat",
    "formats of forward operands and gradients", [
  I32EnumCase<"Hybrid", 0, "hybrid">, I32EnumCase<"E4M3", 1, "e4m3">
]> { let cppNamespace = "::mlir::fp8"; }

#endif // FP8_DIALECT_FP8_IR_FP8ENUMS_TD
