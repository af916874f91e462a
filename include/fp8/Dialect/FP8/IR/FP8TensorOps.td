//===- FP8TensorOps.td - Operations on scaled tensors --------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8TENSOROPS_TD
#define FP8_DIALECT_FP8_IR_FP8TENSOROPS_TD

include "fp8/Dialect/FP8/IR/FP8OpBase.td"

defvar quantizeNumerics = [{
    `code = encode(rn(x * multiplier))` in f32, round to nearest even; with
    `divide`, as flax and DeepGEMM cast, `encode(rn(x / scale))`. Finite
    and infinite overflow saturates to the largest finite code; NaN becomes
    0x7F in either format. With `saturate = false` E4M3FN overflow becomes NaN
    and E5M2 overflow infinity.}];

def FP8_QuantizeOp : FP8_Op<"quantize", [Pure]> {
  let summary = "quantise a tensor";
  let description = quantizeNumerics # [{

    *Numerics:* changes rounding and range.

    Constraints:
    - c1: input and result have the same shape
    - c2: the element type of the input is the expressed type of the result
    - c3: `multiplier` and `scale` have the scale shape of the result

    Example:
    ```mlir
    func.func @quantize(%x: tensor<?x64xbf16>, %m: tensor<f32>, %s: tensor<f32>) -> !fp8.tensor<?x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> {
      %0 = fp8.quantize %x, %m, %s : tensor<?x64xbf16>, tensor<f32> -> !fp8.tensor<?x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %0 : !fp8.tensor<?x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
    }
    ```
  }];
  let arguments = (ins FP8_HighPrecisionTensor:$input,
                       FP8_F32Tensor:$multiplier, FP8_F32Tensor:$scale,
                       DefaultValuedAttr<BoolAttr, "true">:$saturate,
                       UnitAttr:$divide);
  let results = (outs FP8_TensorType:$result);
  let assemblyFormat = [{
    $input `,` $multiplier `,` $scale attr-dict `:` type($input) `,`
    custom<SameType>(type($multiplier), type($scale)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def FP8_DequantizeOp : FP8_Op<"dequantize", [Pure,
    InferTypeOpAdaptor]> {
  let summary = "the value that a scaled tensor stands for";
  let description = [{
    `value = round(code * scale)` to the expressed type; the product is exact in
    f32 up to one rounding.

    *Numerics:* one rounding.

    Example:
    ```mlir
    func.func @dequantize(%q: !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>) -> tensor<8x64xbf16> {
      %0 = fp8.dequantize %q : !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>
      return %0 : tensor<8x64xbf16>
    }
    ```
  }];
  let arguments = (ins FP8_TensorType:$input);
  let results = (outs FP8_HighPrecisionTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def FP8_ContractOp : FP8_Op<"contract", [Pure]> {
  let summary = "matrix product of scaled or plain tensors";
  let description = [{
    `[batch x] m x k` times `[batch x] k x n`. `transpose_lhs` says that the
    left operand is stored `k x m`, `transpose_rhs` that the right one is stored
    `n x k`. Codes are multiplied and summed as `accumulation` says, `k`
    ascending from +0; then `result = round(rn(acc * rn(sA * sB)))` to the
    result type. Plain operands have no scale (no multiplication). Two BF16
    operands with a BF16 result mean f32 accumulation and one rounding.

    *Numerics:* defined by `accumulation`; one rounding for the scales, one for
    the result type.

    Constraints:
    - c1: both operands and the result have rank 2, or all have rank 3
    - c2: the k dimensions agree
    - c3: batch, m and n of the result agree with the operands
    - c4: both operands are scaled, or both are plain with one element type
    - c5: at most one operand is E5M2
    - c6: scales are per tensor
    - c7: split boundaries lie below a static k

    Example:
    ```mlir
    func.func @contract(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, %b: !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) -> tensor<8x32xf32> {
      %0 = fp8.contract %a, %b {transpose_rhs} : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> -> tensor<8x32xf32>
      return %0 : tensor<8x32xf32>
    }
    ```
  }];
  let arguments = (ins FP8_ContractOperand:$lhs, FP8_ContractOperand:$rhs,
    OptionalAttr<FP8_AccumAttr>:$accumulation,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs RankedTensorOf<[BF16, F32]>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = accumulationDeclaration;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def FP8_TransposeOp : FP8_Op<"transpose", [Pure,
    InferTypeOpAdaptor]> {
  let summary = "permute the dimensions of a scaled tensor";
  let description = [{
    Codes move; block extents and scales move with them.

    *Numerics:* exact.

    Constraints:
    - c1: `permutation` is a permutation of the dimensions
    - c2: the scale layout is compact, or the scale is per tensor

    Example:
    ```mlir
    func.func @transpose(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>) -> !fp8.tensor<64x8xf8E4M3FN, bf16, scale = <f32, block = 32x1>> {
      %0 = fp8.transpose %q [1, 0] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>
      return %0 : !fp8.tensor<64x8xf8E4M3FN, bf16, scale = <f32, block = 32x1>>
    }
    ```
  }];
  let arguments = (ins FP8_TensorType:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs FP8_TensorType:$result);
  let assemblyFormat = "$input $permutation attr-dict `:` type($input)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def FP8_ReshapeOp : FP8_Op<"reshape", [Pure]> {
  let summary = "reshape a per-tensor scaled tensor, row-major";
  let description = [{
    Codes keep their row-major order. Only where one scale stands for the whole
    tensor: a block boundary would not survive.

    *Numerics:* exact.

    Constraints:
    - c1: the scale is per tensor
    - c2: storage, expressed type and scale element type do not change
    - c3: static element counts agree
    - c4: at most one dimension of the result is dynamic

    Example:
    ```mlir
    func.func @reshape(%q: !fp8.tensor<2x4x64xf8E4M3FN, bf16, scale = <f32, block = *x*x*>>) -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> {
      %0 = fp8.reshape %q : !fp8.tensor<2x4x64xf8E4M3FN, bf16, scale = <f32, block = *x*x*>> to !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %0 : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
    }
    ```
  }];
  let arguments = (ins FP8_TensorType:$input);
  let results = (outs FP8_TensorType:$result);
  let assemblyFormat =
      "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def FP8_ExtractSliceOp : FP8_Op<"extract_slice", [Pure,
    InferTypeOpAdaptor]> {
  let summary = "a box of a scaled tensor";
  let description = [{
    Static offsets and sizes, unit strides. A per-tensor scale stays; with block
    scales the box has to start and end on block boundaries.

    *Numerics:* exact.

    Constraints:
    - c1: `offsets` and `sizes` have one entry per dimension
    - c2: the box lies inside static dimensions
    - c3: with blocks along a dimension, offset and size there are multiples of
      the extent (the size may end at the tensor's edge), `*` blocks need the whole dimension
    - c4: the scale layout is compact, or the scale is per tensor

    Example:
    ```mlir
    func.func @slice(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) -> !fp8.tensor<4x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> {
      %0 = fp8.extract_slice %q [4, 0] [4, 64] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %0 : !fp8.tensor<4x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
    }
    ```
  }];
  let arguments = (ins FP8_TensorType:$input, DenseI64ArrayAttr:$offsets,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs FP8_TensorType:$result);
  let assemblyFormat = "$input $offsets $sizes attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def FP8_PackOp : FP8_Op<"pack", [Pure]> {
  let summary = "make a scaled tensor of codes and scales";
  let description = [{
    The boundary between the two levels, and how codes from outside come in.

    *Numerics:* exact.

    Constraints:
    - c1: `codes` has the shape and storage type of the result
    - c2: `scales` has the scale shape and scale element type of the result

    Example:
    ```mlir
    func.func @pack(%c: tensor<8x64xf8E4M3FN>, %s: tensor<f32>) -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> {
      %0 = fp8.pack %c, %s : tensor<8x64xf8E4M3FN>, tensor<f32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %0 : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$codes, AnyRankedTensor:$scales);
  let results = (outs FP8_TensorType:$result);
  let assemblyFormat = [{
    $codes `,` $scales attr-dict `:` type($codes) `,` type($scales) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def FP8_UnpackOp : FP8_Op<"unpack", [Pure,
    InferTypeOpAdaptor]> {
  let summary = "codes and scales of a scaled tensor";
  let description = [{
    *Numerics:* exact.

    Example:
    ```mlir
    func.func @unpack(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
      %codes, %scales = fp8.unpack %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %codes, %scales : tensor<8x64xf8E4M3FN>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins FP8_TensorType:$input);
  let results = (outs AnyRankedTensor:$codes, AnyRankedTensor:$scales);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

#endif // FP8_DIALECT_FP8_IR_FP8TENSOROPS_TD
