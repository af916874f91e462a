//===- Rows.td - One operation of another project ----------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Rows_Dialect : Dialect {
  let name = "rows";
  let cppNamespace = "::rows";
  // What its lowerings create.
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::func::FuncDialect"
  ];
}

def Rows_QuantizeOp : Op<Rows_Dialect, "quantize",
                         [DestinationStyleOpInterface]> {
  let summary = "Quantise each row of a matrix by a scale of its own";
  let description = [{
    With amax(i) the largest finite |x(i, j)| of row i:

        scale(i)    = amax(i) / 448
        codes(i, j) = round(clamp(x(i, j) * (448 / amax(i)), -448, 448))

    rounded to nearest even. A row whose amax is below 2^-100 has scale 1. NaN
    stays NaN. On tensors the results are in the place of the inits; on buffers
    there are no results.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$codes, AnyShaped:$scales);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $input `outs` `(` $codes `,` $scales `)` attr-dict `:`
    type($input) `,` type($codes) `,` type($scales) (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, 1, 2);
    }
  }];
}
