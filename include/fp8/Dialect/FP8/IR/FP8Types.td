//===- FP8Types.td - Types of the fp8 dialect ----------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8TYPES_TD
#define FP8_DIALECT_FP8_IR_FP8TYPES_TD

include "fp8/Dialect/FP8/IR/FP8Attrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"

def FP8_TensorType : TypeDef<FP8_Dialect, "ScaledTensor"> {
  let mnemonic = "tensor";
  let summary = "scaled tensor: codes, scales and the rule that ties them";
  let description = [{
    `shape x storage` are the codes, the second type is the one they stand for,
    `scale` is the rule (see `#fp8.scale`): `value = code * scale of its block`.

    Constraints:
    - c1: the storage type is f8E4M3FN or f8E5M2
    - c2: the expressed type is bf16, f16 or f32
    - c3: the block shape has one extent per dimension
    - c4: a static dimension is not negative

    Example:
    ```mlir
    func.func private @f(!fp8.tensor<4096x1024xf8E4M3FN, bf16, scale = <f32, block = *x*>>)
    func.func private @g(!fp8.tensor<?x1024xf8E5M2, bf16, scale = <f32, block = 1x128, layout = compact_t<pad = 4>>>)
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "shape">:$shape,
    "::mlir::Type":$storageType,
    "::mlir::Type":$expressedType,
    "::mlir::fp8::ScaleAttr":$scale);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$storageType,
      "::mlir::Type":$expressedType, "::mlir::fp8::ScaleAttr":$scale), [{
      return $_get(storageType.getContext(), shape, storageType, expressedType,
                   scale);
    }]>
  ];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Builtin tensor of the codes.
    ::mlir::RankedTensorType getCodesType() const;
    /// Builtin tensor of the scales, in compact layout.
    ::mlir::RankedTensorType getScalesType() const;
    /// Builtin tensor that this value stands for.
    ::mlir::RankedTensorType getExpressedTensorType() const;
  }];
}

// What a contraction takes: a scaled tensor, or a plain one (the baseline,
// attention, fallbacks).
def FP8_ContractOperand : AnyTypeOf<[
  FP8_TensorType, RankedTensorOf<[BF16, F32]>]>;
def FP8_HighPrecisionTensor : RankedTensorOf<[BF16, F16, F32]>;
def FP8_F32Tensor : RankedTensorOf<[F32]>;
def FP8_FlagsTensor : RankedTensorOf<[I8]>;

#endif // FP8_DIALECT_FP8_IR_FP8TYPES_TD
