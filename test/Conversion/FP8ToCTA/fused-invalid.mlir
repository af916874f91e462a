// What has fp8.fused and is not what fp8-fuse-epilogues makes is one error.
// RUN: fp8-opt %s --fp8-select-kernels --split-input-file --verify-diagnostics

// expected-error @below {{expected a body of one block in a function with 'fp8.fused'}}
func.func private @declared(tensor<64x64xbf16>) -> tensor<64x64xf32> attributes {fp8.fused}
func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %0 = func.call @declared(%a) : (tensor<64x64xbf16>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// expected-error @below {{expected a product in a function with 'fp8.fused'}}
func.func private @nothing(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fp8.fused} {
  return %a : tensor<64x64xf32>
}

// -----

func.func private @other(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fp8.fused} {
  %c = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'tensor.insert'}}
  %1 = tensor.insert %f into %0[%c, %c] : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// expected-error @below {{expected the results of the product and what follows it to be returned}}
func.func private @argument(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %e: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xbf16>) attributes {fp8.fused} {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  return %0, %a : tensor<64x64xf32>, tensor<64x64xbf16>
}
