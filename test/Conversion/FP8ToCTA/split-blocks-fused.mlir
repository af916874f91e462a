// What follows a product whose parts are in blocks of their own is done once, by
// the block that adds them; kernels.json is all that a launcher needs.
// RUN: fp8-opt %s -pass-pipeline='builtin.module(func.func(fp8-expand-math),fp8-fuse-epilogues,fp8-select-kernels{target=sm_90a})' | FileCheck %s --check-prefix=LAUNCHES
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 1 %s 70x8192:f8E4M3FN 40x8192:f8E5M2 :f32 :f32 40:bf16 :f32 | FileCheck %s
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 2 %s 70x8192:f8E4M3FN 40x8192:f8E5M2 :f32 :f32 40:bf16 :f32 | FileCheck %s
// CHECK: 4 results have the same bits

// LAUNCHES: call @main_fused0
// LAUNCHES-SAME: kernel = "clear_4"}, {arguments = ["arg0", "arg1",
// LAUNCHES-SAME: kernel = "gemm_70x40x8192_{{[^"]*}}_split2048_split4096_split6144_fused
// LAUNCHES: split = 4>
#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>
func.func @main(%a: tensor<70x8192xf8E4M3FN>, %b: tensor<40x8192xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>, %bias: tensor<40xbf16>, %m: tensor<f32>) -> (tensor<70x40xbf16>, tensor<70x40xf8E5M2>, tensor<f32>, tensor<i8>) {
  %e = tensor.empty() : tensor<70x40xbf16>
  %zero = arith.constant 0.0 : bf16
  %p = fp8.scaled_contract ins(%a, %b : tensor<70x8192xf8E4M3FN>, tensor<40x8192xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<70x40xbf16>) {accumulation = #fp8.accum<model = hopper, promote = 128, split = [2048, 4096, 6144]>, transpose_rhs} -> tensor<70x40xbf16>
  %h = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<70x40xbf16>, tensor<40xbf16>) outs(%e : tensor<70x40xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    %r = arith.maximumf %sum, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<70x40xbf16>
  %codes = tensor.empty() : tensor<70x40xf8E5M2>
  %q = fp8.scaled_quantize ins(%h, %m : tensor<70x40xbf16>, tensor<f32>) outs(%codes : tensor<70x40xf8E5M2>) -> tensor<70x40xf8E5M2>
  %amax, %flags = fp8.amax %h : tensor<70x40xbf16>
  return %h, %q, %amax, %flags : tensor<70x40xbf16>, tensor<70x40xf8E5M2>, tensor<f32>, tensor<i8>
}
