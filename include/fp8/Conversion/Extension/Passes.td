//===- Passes.td - Lowerings of other projects -------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_EXTENSION_PASSES_TD
#define FP8_CONVERSION_EXTENSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyLowerings : Pass<"fp8-apply-lowerings", "ModuleOp"> {
  let summary = "Run the lowerings that loaded dialects bring";
  let description = [{
    Asks every loaded dialect that implements `LoweringDialectInterface` for its
    passes of one stage and runs them. Stage `reference` says what operations
    mean, on tensors; `tensors` and `buffers` are a target's own lowerings,
    before and after bufferization. Without such a dialect nothing happens.

    *Numerics:* whatever the dialect defines; `fp8-check-lowering` holds stages
    `tensors` and `buffers` to the bits of `reference`.

    Example: with the plugin of `examples/new-lowering` loaded, stage
    `reference` turns

    ```
    %codes, %scales = rows.quantize %x : tensor<?x?xf32> -> ...
    ```

    into `linalg.generic` operations. Without one,

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```

    stays

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"stage", "stage", "std::string", "\"reference\"",
           "reference, tensors or buffers">,
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "GPU target of the stages that have one">,
  ];
}

#endif // FP8_CONVERSION_EXTENSION_PASSES_TD
