//===- FP8ScaledOps.td - The same on builtin tensors ---------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Destination style, on tensors or (after bufferization) memrefs: what
// `--fp8-expand-tensors` produces and backends take.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8SCALEDOPS_TD
#define FP8_DIALECT_FP8_IR_FP8SCALEDOPS_TD

include "fp8/Dialect/FP8/IR/FP8OpBase.td"

def FP8_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

class FP8_ScaledOp<string mnemonic, list<Trait> traits = []>
    : FP8_Op<mnemonic, !listconcat([DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  code extraDpsDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

def FP8_ScaledQuantizeOp : FP8_ScaledOp<"scaled_quantize"> {
  let summary = "codes of a tensor, in destination style";
  let description = [{
    `fp8.quantize` on builtin tensors: `code = encode(rn(x * factor))`, RNE,
    saturating unless `saturate = false`, NaN to 0x7F. `factor` is the
    multiplier; with `divide` it is the scale and the cast `encode(rn(x / factor))`.

    *Numerics:* changes rounding and range.

    Constraints:
    - c1: `input` and `init` have the same shape
    - c2: `input` holds bf16, f16 or f32, `init` f8E4M3FN or f8E5M2
    - c3: `factor` is an f32 of rank 0
    - c4: all operands are tensors and there is one result of the type of `init`, or all are memrefs and there is none

    Example:
    ```mlir
    func.func @scaled_quantize(%x: tensor<8x64xbf16>, %m: tensor<f32>) -> tensor<8x64xf8E4M3FN> {
      %e = tensor.empty() : tensor<8x64xf8E4M3FN>
      %0 = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
      return %0 : tensor<8x64xf8E4M3FN>
    }
    ```
  }];
  let arguments = (ins FP8_TensorOrMemRef:$input,
                       FP8_TensorOrMemRef:$factor,
                       FP8_TensorOrMemRef:$init,
                       DefaultValuedAttr<BoolAttr, "true">:$saturate,
                       UnitAttr:$divide);
  let assemblyFormat = [{
    `ins` `(` $input `,` $factor `:` type($input) `,` type($factor) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = extraDpsDeclaration;
}

def FP8_ScaledDequantizeOp : FP8_ScaledOp<"scaled_dequantize"> {
  let summary = "values of codes, in destination style";
  let description = [{
    `fp8.dequantize` on builtin tensors: `value = round(code * scale)`.

    *Numerics:* one rounding.

    Constraints:
    - c1: `codes` and `init` have the same shape
    - c2: `codes` holds f8E4M3FN or f8E5M2, `init` bf16, f16 or f32
    - c3: `scale` is an f32 of rank 0
    - c4: all operands are tensors and there is one result of the type of `init`, or all are memrefs and there is none

    Example:
    ```mlir
    func.func @scaled_dequantize(%c: tensor<8x64xf8E5M2>, %s: tensor<f32>) -> tensor<8x64xbf16> {
      %e = tensor.empty() : tensor<8x64xbf16>
      %0 = fp8.scaled_dequantize ins(%c, %s : tensor<8x64xf8E5M2>, tensor<f32>) outs(%e : tensor<8x64xbf16>) -> tensor<8x64xbf16>
      return %0 : tensor<8x64xbf16>
    }
    ```
  }];
  let arguments = (ins FP8_TensorOrMemRef:$codes, FP8_TensorOrMemRef:$scale,
                       FP8_TensorOrMemRef:$init);
  let assemblyFormat = [{
    `ins` `(` $codes `,` $scale `:` type($codes) `,` type($scale) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = extraDpsDeclaration;
}

def FP8_ScaledContractOp : FP8_ScaledOp<"scaled_contract", [
    AttrSizedOperandSegments]> {
  let summary = "matrix product of codes or plain values, in destination style";
  let description = [{
    `fp8.contract` on builtin tensors: `init` is overwritten with
    `round(rn(acc * rn(sA * sB)))`, or `round(acc)` without `scales`. See
    `fp8.contract` for shapes, transposition and accumulation.

    *Numerics:* defined by `accumulation`.

    Constraints:
    - c1: `lhs`, `rhs` and `init` have rank 2, or all have rank 3
    - c2: the k dimensions agree
    - c3: batch, m and n of `init` agree with the operands
    - c4: operands hold f8E4M3FN or f8E5M2 (not both E5M2), or both bf16, or both f32; `init` holds bf16 or f32
    - c5: `scales` are given exactly for 8-bit operands, and are f32 of rank 0
    - c6: all operands are tensors and there is one result of the type of `init`, or all are memrefs and there is none
    - c7: split boundaries lie below a static k

    Example:
    ```mlir
    func.func @scaled_contract(%a: tensor<8x64xf8E4M3FN>, %b: tensor<32x64xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>) -> tensor<8x32xbf16> {
      %e = tensor.empty() : tensor<8x32xbf16>
      %0 = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xbf16>) {transpose_rhs} -> tensor<8x32xbf16>
      return %0 : tensor<8x32xbf16>
    }
    ```
  }];
  let arguments = (ins FP8_TensorOrMemRef:$lhs, FP8_TensorOrMemRef:$rhs,
    Optional<FP8_TensorOrMemRef>:$lhs_scale,
    Optional<FP8_TensorOrMemRef>:$rhs_scale,
    FP8_TensorOrMemRef:$init,
    OptionalAttr<FP8_AccumAttr>:$accumulation,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`scales` `(` $lhs_scale^ `,` $rhs_scale `:`
                  type($lhs_scale) `,` type($rhs_scale) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(extraDpsDeclaration, accumulationDeclaration);
}

#endif // FP8_DIALECT_FP8_IR_FP8SCALEDOPS_TD
