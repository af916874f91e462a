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

// -----

func.func private @amax(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> (tensor<64x64xf32>, tensor<f32>) attributes {fp8.fused} {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'fp8.amax'}}
  %m, %g = fp8.amax %a : tensor<64x64xbf16>
  return %0, %m : tensor<64x64xf32>, tensor<f32>
}

// -----

func.func private @codes(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %m: tensor<f32>) -> (tensor<64x64xf32>, tensor<64x64xf8E4M3FN>) attributes {fp8.fused} {
  %e = tensor.empty() : tensor<64x64xf32>
  %ec = tensor.empty() : tensor<64x64xf8E4M3FN>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'fp8.scaled_quantize'}}
  %q = fp8.scaled_quantize ins(%a, %m : tensor<64x64xbf16>, tensor<f32>) outs(%ec : tensor<64x64xf8E4M3FN>) -> tensor<64x64xf8E4M3FN>
  return %0, %q : tensor<64x64xf32>, tensor<64x64xf8E4M3FN>
}

// -----

func.func private @scalar(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %s: tensor<f32>) -> (tensor<64x64xf32>, tensor<f8E4M3FN>) attributes {fp8.fused} {
  %e = tensor.empty() : tensor<64x64xf32>
  %ec = tensor.empty() : tensor<f8E4M3FN>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  %m, %g = fp8.amax %0 : tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'fp8.scaled_quantize'}}
  %q = fp8.scaled_quantize ins(%m, %s : tensor<f32>, tensor<f32>) outs(%ec : tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %0, %q : tensor<64x64xf32>, tensor<f8E4M3FN>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func private @constant(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> attributes {fp8.fused} {
  %c = arith.constant dense<1.0> : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'linalg.generic'}}
  %y = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%0, %c : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %d: f32, %out: f32):
    %s = arith.addf %x, %d : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func private @apart(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {fp8.fused} {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  // expected-error @below {{expected one product on arguments and what fp8-fuse-epilogues moves with it, found 'linalg.generic'}}
  %y = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %0, %y : tensor<64x64xf32>, tensor<64x64xf32>
}
