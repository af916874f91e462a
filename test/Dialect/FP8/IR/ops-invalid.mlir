// RUN: fp8-opt %s -split-input-file -verify-diagnostics
// One case per numbered constraint of the operations.

// amax_c1
func.func @f(%x: tensor<4x4xbf16>) {
  // expected-error @+1 {{expected one block extent per dimension, got 1 for rank 2}}
  %a, %f = "fp8.amax"(%x) {block = array<i64: 2>} : (tensor<4x4xbf16>) -> (tensor<2x2xf32>, tensor<2x2xi8>)
  return
}
// -----
// scale_from_amax_c1
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected storage f8E4M3FN or f8E5M2, got 'f16'}}
  %m, %s = fp8.scale_from_amax %a, %f {numerics = #fp8<numerics te>, storage = f16} : tensor<f32>, tensor<i8>
  return
}
// -----
// scale_from_amax_c2
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected margin between -64 and 64, got 65}}
  %m, %s = fp8.scale_from_amax %a, %f {numerics = #fp8<numerics te>, storage = f8E5M2, margin = 65 : i64} : tensor<f32>, tensor<i8>
  return
}
// -----
// quantize_c1
func.func @f(%x: tensor<8x32xbf16>, %m: tensor<f32>) {
  // expected-error @+1 {{expected input and result of one shape}}
  %q = fp8.quantize %x, %m, %m : tensor<8x32xbf16>, tensor<f32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// quantize_c2
func.func @f(%x: tensor<8x64xf32>, %m: tensor<f32>) {
  // expected-error @+1 {{expected an input of the expressed type 'bf16', got 'f32'}}
  %q = fp8.quantize %x, %m, %m : tensor<8x64xf32>, tensor<f32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// quantize_c3
func.func @f(%x: tensor<8x64xbf16>, %m: tensor<2xf32>) {
  // expected-error @+1 {{expected multiplier and scale of shape}}
  %q = fp8.quantize %x, %m, %m : tensor<8x64xbf16>, tensor<2xf32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// contract_c1
func.func @f(%a: tensor<64xbf16>, %b: tensor<64xbf16>) {
  // expected-error @+1 {{expected operands and result of rank 2, or all of rank 3, got ranks 1, 1 and 1}}
  %r = fp8.contract %a, %b : tensor<64xbf16>, tensor<64xbf16> -> tensor<1xf32>
  return
}
// -----
// contract_c2
func.func @f(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, %b: !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected one k in both operands, got 64 and 32}}
  %r = fp8.contract %a, %b : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> -> tensor<8x64xf32>
  return
}
// -----
// contract_c3
func.func @f(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, %b: !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected a result of shape m x n as the operands say, got m = 8, n = 31 for m = 8, n = 32}}
  %r = fp8.contract %a, %b {transpose_rhs} : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> -> tensor<8x31xf32>
  return
}
// -----
// contract_c4
func.func @f(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, %b: tensor<32x64xbf16>) {
  // expected-error @+1 {{expected two scaled operands, or two plain ones of one element type}}
  %r = fp8.contract %a, %b {transpose_rhs} : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, tensor<32x64xbf16> -> tensor<8x32xf32>
  return
}
// -----
// contract_c5
func.func @f(%a: !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>, %b: !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected at most one f8E5M2 operand, got two}}
  %r = fp8.contract %a, %b {transpose_rhs} : !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>, !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>> -> tensor<8x8xf32>
  return
}
// -----
// contract_c6
func.func @f(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>, %b: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>) {
  // expected-error @+1 {{expected per-tensor scales}}
  %r = fp8.contract %a, %b {transpose_rhs} : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>, !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>> -> tensor<8x8xf32>
  return
}
// -----
// contract_c7
func.func @f(%a: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, %b: !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected split boundaries below k = 64, got 64}}
  %r = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, split = [64]>, transpose_rhs} : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> -> tensor<8x32xf32>
  return
}
// -----
// transpose_c1
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected a permutation of 2 dimensions}}
  %r = fp8.transpose %q [0, 0] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// transpose_c2
func.func @f(%q: !fp8.tensor<128x128xf8E4M3FN, bf16, scale = <f8E8M0FNU, block = 1x32, layout = tiled128x4>>) {
  // expected-error @+1 {{expected compact or per-tensor scales}}
  %r = "fp8.transpose"(%q) {permutation = array<i64: 0, 1>} : (!fp8.tensor<128x128xf8E4M3FN, bf16, scale = <f8E8M0FNU, block = 1x32, layout = tiled128x4>>) -> !fp8.tensor<128x128xf8E4M3FN, bf16, scale = <f8E8M0FNU, block = 1x32, layout = tiled128x4>>
  return
}
// -----
// reshape_c1
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>) {
  // expected-error @+1 {{expected per-tensor scales}}
  %r = fp8.reshape %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>> to !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// reshape_c2
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected input and result to differ in shape only}}
  %r = fp8.reshape %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> to !fp8.tensor<8x64xf8E5M2, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// reshape_c3
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected one element count, got 512 and 2048}}
  %r = fp8.reshape %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> to !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// reshape_c4
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected at most one dynamic dimension in the result, got 2}}
  %r = fp8.reshape %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> to !fp8.tensor<?x?xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// extract_slice_c1
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected one offset and one size for each of 2 dimensions}}
  %r = fp8.extract_slice %q [0] [8] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// extract_slice_c2
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) {
  // expected-error @+1 {{expected a box inside the tensor, got offset 4 and size 8 in a dimension of 8}}
  %r = fp8.extract_slice %q [4, 0] [8, 64] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// extract_slice_c3
func.func @f(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>) {
  // expected-error @+1 {{expected a box on block boundaries, got offset 8 and size 32 in a dimension of 64}}
  %r = fp8.extract_slice %q [0, 8] [8, 32] : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>
  return
}
// -----
// extract_slice_c4
func.func @f(%q: !fp8.tensor<128x128xf8E4M3FN, bf16, scale = <f8E8M0FNU, block = 1x32, layout = tiled128x4>>) {
  // expected-error @+1 {{expected compact or per-tensor scales}}
  %r = fp8.extract_slice %q [0, 0] [128, 128] : !fp8.tensor<128x128xf8E4M3FN, bf16, scale = <f8E8M0FNU, block = 1x32, layout = tiled128x4>>
  return
}
// -----
// pack_c1
func.func @f(%c: tensor<8x32xf8E4M3FN>, %s: tensor<f32>) {
  // expected-error @+1 {{expected codes of type}}
  %q = fp8.pack %c, %s : tensor<8x32xf8E4M3FN>, tensor<f32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// pack_c2
func.func @f(%c: tensor<8x64xf8E4M3FN>, %s: tensor<1xf32>) {
  // expected-error @+1 {{expected scales of type}}
  %q = fp8.pack %c, %s : tensor<8x64xf8E4M3FN>, tensor<1xf32> -> !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
  return
}
// -----
// delayed_scale_c1
func.func @f(%a: tensor<1xf32>, %f: tensor<1xi8>) {
  // expected-error @+1 {{expected tensors of rank 0}}
  %m, %s = fp8.delayed_scale %a, %f {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<1xf32>, tensor<1xi8>
  return
}
// -----
// delayed_scale_c2
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected a multiplier and a count in state, got one}}
  %m, %s = "fp8.delayed_scale"(%a, %f, %a) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>, operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<f32>, tensor<i8>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}
// -----
// delayed_scale_c3
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected warmup between 0 and 2^31 - 1, got -1}}
  %m, %s = fp8.delayed_scale %a, %f {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>, warmup = -1 : i64} : tensor<f32>, tensor<i8>
  return
}
// -----
// delayed_scale_c3
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected warmup between 0 and 2^31 - 1, got 2147483648}}
  %m, %s = fp8.delayed_scale %a, %f {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>, warmup = 2147483648 : i64} : tensor<f32>, tensor<i8>
  return
}
// -----
// delayed_scale_c4
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected numerics safe, te or flax, got ocp}}
  %m, %s = fp8.delayed_scale %a, %f {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics ocp>} : tensor<f32>, tensor<i8>
  return
}
// -----
// delayed_scale_c5
func.func @f(%a: tensor<f32>, %f: tensor<i8>) {
  // expected-error @+1 {{expected margin between -64 and 64, got 4294967296}}
  %m, %s = fp8.delayed_scale %a, %f {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>, margin = 4294967296 : i64} : tensor<f32>, tensor<i8>
  return
}
// -----
// record_c1
func.func @f(%h: tensor<16x2xf32>, %f: tensor<2xi8>, %a: tensor<3xf32>, %g: tensor<2xi8>) {
  // expected-error @+1 {{expected amax with one entry per history column}}
  %h1, %f1 = fp8.record %a, %g into %h, %f {numerics = #fp8<numerics te>} : tensor<3xf32>, tensor<2xi8>, tensor<16x2xf32>, tensor<2xi8>
  return
}
// -----
// update_c1
func.func @f(%h: tensor<16xf32>, %m: tensor<1xf32>, %c: tensor<1xi32>, %u: tensor<i1>) {
  // expected-error @+1 {{expected a history of rank 2}}
  %a, %b, %d = fp8.update %h, %m, %c if %u {algo = #fp8<amax_algo max>, numerics = #fp8<numerics te>, slots = [#fp8.slot<"x", id = 0, storage = f8E4M3FN>]} : tensor<16xf32>, tensor<1xf32>, tensor<1xi32>, tensor<i1>
  return
}
// -----
// update_c2
func.func @f(%h: tensor<16x1xf32>, %m: tensor<1xf32>, %c: tensor<1xi32>, %u: tensor<i1>) {
  // expected-error @+1 {{expected one #fp8.slot per history column, got 0 for 1}}
  %a, %b, %d = fp8.update %h, %m, %c if %u {algo = #fp8<amax_algo max>, numerics = #fp8<numerics te>, slots = []} : tensor<16x1xf32>, tensor<1xf32>, tensor<1xi32>, tensor<i1>
  return
}
// -----
// update_c3
func.func @f(%h: tensor<16x1xf32>, %m: tensor<1xf32>, %c: tensor<1xi32>, %u: tensor<i1>) {
  // expected-error @+1 {{expected margin between -64 and 64, got -4294967297}}
  %a, %b, %d = fp8.update %h, %m, %c if %u {algo = #fp8<amax_algo max>, numerics = #fp8<numerics te>, slots = [#fp8.slot<"x", id = 0, storage = f8E4M3FN>], margin = -4294967297 : i64} : tensor<16x1xf32>, tensor<1xf32>, tensor<1xi32>, tensor<i1>
  return
}
// -----
// merge_c1
func.func @f(%h: tensor<16xf32>) {
  // expected-error @+1 {{expected a history of rank 2}}
  %r = fp8.merge %h, %h : tensor<16xf32>
  return
}
// -----
// scaled_quantize_c1
func.func @f(%x: tensor<8x32xbf16>, %m: tensor<f32>, %e: tensor<8x64xf8E5M2>) {
  // expected-error @+1 {{expected input and init of one shape}}
  %r = fp8.scaled_quantize ins(%x, %m : tensor<8x32xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E5M2>) -> tensor<8x64xf8E5M2>
  return
}
// -----
// scaled_quantize_c2
func.func @f(%x: tensor<8xbf16>, %m: tensor<f32>, %e: tensor<8xi8>) {
  // expected-error @+1 {{expected bf16, f16 or f32 on one side and f8E4M3FN or f8E5M2 on the other}}
  %r = fp8.scaled_quantize ins(%x, %m : tensor<8xbf16>, tensor<f32>) outs(%e : tensor<8xi8>) -> tensor<8xi8>
  return
}
// -----
// scaled_quantize_c3
func.func @f(%x: tensor<8xbf16>, %m: tensor<1xf32>, %e: tensor<8xf8E5M2>) {
  // expected-error @+1 {{expected factor to be an f32 of rank 0}}
  %r = fp8.scaled_quantize ins(%x, %m : tensor<8xbf16>, tensor<1xf32>) outs(%e : tensor<8xf8E5M2>) -> tensor<8xf8E5M2>
  return
}
// -----
// scaled_quantize_c4
func.func @f(%x: tensor<8xbf16>, %m: tensor<f32>, %e: memref<8xf8E5M2>) {
  // expected-error @+1 {{expected tensors only or memrefs only}}
  fp8.scaled_quantize ins(%x, %m : tensor<8xbf16>, tensor<f32>) outs(%e : memref<8xf8E5M2>)
  return
}
// -----
// scaled_dequantize_c1
func.func @f(%x: tensor<8xf8E5M2>, %m: tensor<f32>, %e: tensor<4xbf16>) {
  // expected-error @+1 {{expected input and init of one shape}}
  %r = fp8.scaled_dequantize ins(%x, %m : tensor<8xf8E5M2>, tensor<f32>) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  return
}
// -----
// scaled_dequantize_c2
func.func @f(%x: tensor<8xf32>, %m: tensor<f32>, %e: tensor<8xbf16>) {
  // expected-error @+1 {{expected bf16, f16 or f32 on one side}}
  %r = fp8.scaled_dequantize ins(%x, %m : tensor<8xf32>, tensor<f32>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  return
}
// -----
// scaled_dequantize_c3
func.func @f(%x: tensor<8xf8E5M2>, %m: tensor<f64>, %e: tensor<8xbf16>) {
  // expected-error @+1 {{expected scale to be an f32 of rank 0}}
  %r = fp8.scaled_dequantize ins(%x, %m : tensor<8xf8E5M2>, tensor<f64>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  return
}
// -----
// scaled_dequantize_c4
func.func @f(%x: tensor<8xf8E5M2>, %m: tensor<f32>, %e: tensor<8xbf16>) {
  // expected-error @+1 {{expected one result of the type of the init}}
  fp8.scaled_dequantize ins(%x, %m : tensor<8xf8E5M2>, tensor<f32>) outs(%e : tensor<8xbf16>)
  return
}
// -----
// scaled_contract_c1
func.func @f(%a: tensor<64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected operands and result of rank 2, or all of rank 3}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xf32>)  -> tensor<8x32xf32>
  return
}
// -----
// scaled_contract_c2
func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<63x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected one k in both operands, got 64 and 63}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<63x32xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xf32>)  -> tensor<8x32xf32>
  return
}
// -----
// scaled_contract_c3
func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<9x32xf32>) {
  // expected-error @+1 {{expected a result of shape m x n}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<9x32xf32>)  -> tensor<9x32xf32>
  return
}
// -----
// scaled_contract_c4
func.func @f(%a: tensor<8x64xf8E5M2>, %b: tensor<64x32xf8E5M2>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected 8-bit operands (not both f8E5M2)}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E5M2>, tensor<64x32xf8E5M2>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xf32>)  -> tensor<8x32xf32>
  return
}
// -----
// scaled_contract_c5
func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected scales exactly for 8-bit operands}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) outs(%e : tensor<8x32xf32>)  -> tensor<8x32xf32>
  return
}
// -----
// scaled_contract_c6
func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected one result of the type of the init}}
  fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xf32>) 
  return
}
// -----
// scaled_contract_c7
func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f32>, %e: tensor<8x32xf32>) {
  // expected-error @+1 {{expected split boundaries below k = 64, got 128}}
  %r = fp8.scaled_contract ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x32xf32>) {accumulation = #fp8.accum<model = hopper, split = [128]>} -> tensor<8x32xf32>
  return
}
