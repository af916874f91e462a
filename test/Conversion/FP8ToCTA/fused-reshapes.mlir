// Batch and time are two dimensions in what follows a product, one in the
// product: the reshape moves behind the group, and a kernel gives the bits of
// the CPU path.
// RUN: fp8-opt %s -fp8-fuse-epilogues | FileCheck %s
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 1 %s 70x96:f8E4M3FN 40x96:f8E5M2 :f32 :f32 40:bf16 2x35x40:bf16 :f32 | FileCheck %s --check-prefix=BITS
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 2 %s 70x96:f8E4M3FN 40x96:f8E5M2 :f32 :f32 40:bf16 2x35x40:bf16 :f32 | FileCheck %s --check-prefix=BITS
// BITS: 4 results have the same bits

#btn = affine_map<(b, t, n) -> (b, t, n)>
#n = affine_map<(b, t, n) -> (n)>

// CHECK-LABEL: func.func private @main_fused0(
// CHECK: fp8.scaled_contract
// CHECK-COUNT-2: linalg.generic
// CHECK: fp8.scaled_quantize
// CHECK: return
// CHECK-LABEL: func.func @main(
// CHECK-NOT: linalg.generic
// CHECK: call @main_fused0
// CHECK: tensor.expand_shape
// CHECK: return
func.func @main(%a: tensor<70x96xf8E4M3FN>, %b: tensor<40x96xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>, %bias: tensor<40xbf16>, %r: tensor<2x35x40xbf16>, %m: tensor<f32>) -> (tensor<2x35x40xbf16>, tensor<70x40xf8E4M3FN>, tensor<f32>, tensor<i8>) {
  %e = tensor.empty() : tensor<70x40xf32>
  %p = fp8.scaled_contract ins(%a, %b : tensor<70x96xf8E4M3FN>, tensor<40x96xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<70x40xf32>) {accumulation = #fp8.accum<model = hopper, promote = 64>, transpose_rhs} -> tensor<70x40xf32>
  %rows = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 35, 40] : tensor<70x40xf32> into tensor<2x35x40xf32>
  %e3 = tensor.empty() : tensor<2x35x40xbf16>
  %h = linalg.generic {indexing_maps = [#btn, #n, #btn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%rows, %bias : tensor<2x35x40xf32>, tensor<40xbf16>) outs(%e3 : tensor<2x35x40xbf16>) {
  ^bb0(%x: f32, %c: bf16, %out: bf16):
    %narrow = arith.truncf %x : f32 to bf16
    %sum = arith.addf %narrow, %c : bf16
    linalg.yield %sum : bf16
  } -> tensor<2x35x40xbf16>
  %y = linalg.generic {indexing_maps = [#btn, #btn, #btn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h, %r : tensor<2x35x40xbf16>, tensor<2x35x40xbf16>) outs(%e3 : tensor<2x35x40xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    linalg.yield %sum : bf16
  } -> tensor<2x35x40xbf16>
  %flat = tensor.collapse_shape %y [[0, 1], [2]] : tensor<2x35x40xbf16> into tensor<70x40xbf16>
  %ec = tensor.empty() : tensor<70x40xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%flat, %m : tensor<70x40xbf16>, tensor<f32>) outs(%ec : tensor<70x40xf8E4M3FN>) -> tensor<70x40xf8E4M3FN>
  %amax, %flags = fp8.amax %flat : tensor<70x40xbf16>
  return %y, %q, %amax, %flags : tensor<2x35x40xbf16>, tensor<70x40xf8E4M3FN>, tensor<f32>, tensor<i8>
}
