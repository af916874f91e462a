//===- FP8ScaleOps.td - Amax, scales, barrier ----------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8SCALEOPS_TD
#define FP8_DIALECT_FP8_IR_FP8SCALEOPS_TD

include "fp8/Dialect/FP8/IR/FP8OpBase.td"

def FP8_BarrierOp : FP8_Op<"barrier", [
    AllTypesMatch<["inputs", "outputs"]>]> {
  let summary = "identity that keeps a recomputed value a recomputed one";
  let description = [{
    Returns its operands. Nothing merges the two sides: an exporter writes it
    for JAX's `optimization_barrier`, which `jax.checkpoint` leaves so that the
    forward pass is computed again in the backward pass. It declares no effect
    interface, so neither CSE nor dead-code elimination touches it; lowering
    removes it.

    *Numerics:* exact.

    Example:
    ```mlir
    func.func @barrier(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
      %0 = fp8.barrier %x : tensor<4x8xbf16>
      return %0 : tensor<4x8xbf16>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 0;
}

def FP8_AmaxOp : FP8_Op<"amax", [Pure,
    InferTypeOpAdaptor]> {
  let summary = "largest finite magnitude, and whether NaN or Inf occurred";
  let description = [{
    `amax = max |x|` over the finite elements, 0 if there are none. `flags` has
    bit 0 set if a NaN and bit 1 if an infinity occurred. The result does not
    depend on the order of the reduction.

    One amax for the whole tensor (both results of rank 0), or one per block
    where `block` gives the extents (-1 is the whole dimension).

    *Numerics:* exact.

    Constraints:
    - c1: `block`, where given, has one positive or -1 extent per dimension

    Example:
    ```mlir
    func.func @amax(%x: tensor<?x64xbf16>) -> (tensor<f32>, tensor<i8>) {
      %amax, %flags = fp8.amax %x : tensor<?x64xbf16>
      return %amax, %flags : tensor<f32>, tensor<i8>
    }
    ```
  }];
  let arguments = (ins FP8_HighPrecisionTensor:$input,
                       OptionalAttr<DenseI64ArrayAttr>:$block);
  let results = (outs FP8_F32Tensor:$amax, FP8_FlagsTensor:$flags);
  let assemblyFormat = "$input (`block` $block^)? attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def FP8_ScaleFromAmaxOp : FP8_Op<"scale_from_amax", [Pure,
    AllTypesMatch<["amax", "multiplier", "scale"]>,
    AllShapesMatch<["amax", "flags"]>]> {
  let summary = "multiplier for the cast and scale for the value";
  let description = [{
    The rule of `numerics` for storage type `storage`, with `margin` (the
    multiplier is divided by `2^margin`) and, if `pow2`, rounded down to a power
    of two. Two results because `1 / (1 / s)` is not `s`: the cast multiplies by
    `multiplier`, the value is `code * scale`. All rules are in
    `fp8/Numerics/Scale.h`, which every lowering calls or is tested against.

    *Numerics:* one rounding for each result.

    Constraints:
    - c1: `storage` is f8E4M3FN or f8E5M2
    - c2: `margin` is between -64 and 64

    Example:
    ```mlir
    func.func @scale(%amax: tensor<f32>, %flags: tensor<i8>) -> (tensor<f32>, tensor<f32>) {
      %multiplier, %scale = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics te>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
      return %multiplier, %scale : tensor<f32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins FP8_F32Tensor:$amax, FP8_FlagsTensor:$flags,
                       TypeAttr:$storage, FP8_NumericsModeAttr:$numerics,
                       DefaultValuedAttr<I64Attr, "0">:$margin,
                       UnitAttr:$pow2);
  let results = (outs FP8_F32Tensor:$multiplier, FP8_F32Tensor:$scale);
  let assemblyFormat =
      "$amax `,` $flags attr-dict `:` type($amax) `,` type($flags)";
  let hasVerifier = 1;
}

#endif // FP8_DIALECT_FP8_IR_FP8SCALEOPS_TD
