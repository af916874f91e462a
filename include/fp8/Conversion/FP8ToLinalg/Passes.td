//===- Passes.td - fp8 ops to linalg -----------------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_FP8TOLINALG_PASSES_TD
#define FP8_CONVERSION_FP8TOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def FP8ToLinalg : Pass<"fp8-to-linalg", "ModuleOp"> {
  let summary = "Lower fp8 ops on builtin tensors to linalg";
  let description = [{
    `fp8.scaled_quantize`, `fp8.scaled_dequantize` and `fp8.amax` become
    `linalg.generic` over integer and float arithmetic that vectorises.
    `fp8.scaled_contract` becomes a `linalg.generic` with the attribute
    `fp8.cpu_contract`, which the CPU contraction kernel runs; its body is one
    step of the sequential f32 model. The rules of scales and of delayed
    scaling become calls of scalar functions of the Numerics library
    (`fp8/Runtime/CPUScale.h`) in bodies. `fp8.barrier` goes away.

    *Numerics:* codes, values, amaxes and scales have the bits that the Numerics
    library gives.

    Example:

    ```mlir
    func.func @f(%c: tensor<4xf8E5M2>, %s: tensor<f32>) -> tensor<4xbf16> {
      %e = tensor.empty() : tensor<4xbf16>
      %1 = fp8.scaled_dequantize ins(%c, %s : tensor<4xf8E5M2>, tensor<f32>) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
      return %1 : tensor<4xbf16>
    }
    ```

    becomes

    ```mlir
    %1 = linalg.generic {...} ins(%c, %s : tensor<4xf8E5M2>, tensor<f32>) outs(%e : tensor<4xbf16>) {
    %bits = arith.bitcast %x : f8E5M2 to i8
    %scaled = arith.mulf %wide, %scale : f32
    %narrow = arith.truncf %scaled : f32 to bf16
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
}

#endif // FP8_CONVERSION_FP8TOLINALG_PASSES_TD
