//===- CTAHostOps.td - What the host does with kernels --------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches, outside of kernels. CTAOps.td includes this.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTAHOSTOPS_TD
#define FP8_DIALECT_CTA_IR_CTAHOSTOPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"

def CTA_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def CTA_LaunchOp : CTA_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel, in destination style";
  let description = [{
    Runs `kernel` with the grid that it is meant for. Number i of `parameters`
    says which operand the kernel's parameter i gets, counted over the inputs,
    then the inits, then the sizes, which kernels take that do not know how many
    elements there are. An init is updated: its elements may be read before they are
    written, and those that the kernel does not write stay.

    On tensors it is a value like any other, so that kernels are chosen before
    buffers are; then it launches on the buffers.

    *Numerics:* that of the kernel.

    Constraints:
    - (c1) inputs and inits are tensors and there is one result of the type of
      each init, or they are memrefs and there is none.
    - (c2) `parameters` names each operand once.
    - (c3) `kernel` is a `cta.kernel` with as many arguments.

    Example:

    ```mlir
    %0 = cta.launch @kernels::@cast[0, 1, 2] ins(%x, %m : tensor<64xbf16>, tensor<f32>) outs(%e : tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, DenseI32ArrayAttr:$parameters,
                       Variadic<CTA_TensorOrMemRef>:$inputs,
                       Variadic<CTA_TensorOrMemRef>:$inits,
                       Variadic<Index>:$sizes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `` $parameters (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $inits `:` type($inits) `)` (`sizes` `(` $sizes^ `)`)? attr-dict
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
  }];
}

#endif // FP8_DIALECT_CTA_IR_CTAHOSTOPS_TD
