// A product, its bias, GELU by tanh, a residual, and codes for the next product:
// one kernel, which gives the bits of the CPU path.
// RUN: fp8-opt %s -pass-pipeline='builtin.module(func.func(fp8-expand-math),fp8-fuse-epilogues)' | FileCheck %s --check-prefix=FUSED
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 1 %s 70x96:f8E4M3FN 40x96:f8E5M2 :f32 :f32 40:bf16 70x40:bf16 :f32 | FileCheck %s
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 2 %s 70x96:f8E4M3FN 40x96:f8E5M2 :f32 :f32 40:bf16 70x40:bf16 :f32 | FileCheck %s
// CHECK: 4 results have the same bits

// FUSED-LABEL: func.func private @main_fused0
// FUSED-NOT: math.tanh
// FUSED-LABEL: func.func @main(
// FUSED-NOT: linalg.generic
// FUSED: call @main_fused0
#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>
func.func @main(%a: tensor<70x96xf8E4M3FN>, %b: tensor<40x96xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>, %bias: tensor<40xbf16>, %r: tensor<70x40xbf16>, %m: tensor<f32>) -> (tensor<70x40xbf16>, tensor<70x40xf8E5M2>, tensor<f32>, tensor<i8>) {
  %e = tensor.empty() : tensor<70x40xbf16>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0.7978845608 : f32
  %c1 = arith.constant 0.044715 : f32
  %p = fp8.scaled_contract ins(%a, %b : tensor<70x96xf8E4M3FN>, tensor<40x96xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<70x40xbf16>) {accumulation = #fp8.accum<model = hopper, promote = 64>, transpose_rhs} -> tensor<70x40xbf16>
  %h = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<70x40xbf16>, tensor<40xbf16>) outs(%e : tensor<70x40xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    linalg.yield %sum : bf16
  } -> tensor<70x40xbf16>
  %g = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%h, %r : tensor<70x40xbf16>, tensor<70x40xbf16>) outs(%e : tensor<70x40xbf16>) {
  ^bb0(%v: bf16, %res: bf16, %out: bf16):
    %x = arith.extf %v : bf16 to f32
    %square = arith.mulf %x, %x : f32
    %cube = arith.mulf %square, %x : f32
    %small = arith.mulf %cube, %c1 : f32
    %inner = arith.addf %x, %small : f32
    %scaled = arith.mulf %inner, %c0 : f32
    %t = math.tanh %scaled : f32
    %gate = arith.addf %t, %one : f32
    %xh = arith.mulf %x, %half : f32
    %y = arith.mulf %xh, %gate : f32
    %narrow = arith.truncf %y : f32 to bf16
    %sum = arith.addf %narrow, %res : bf16
    linalg.yield %sum : bf16
  } -> tensor<70x40xbf16>
  %ec = tensor.empty() : tensor<70x40xf8E5M2>
  %q = fp8.scaled_quantize ins(%g, %m : tensor<70x40xbf16>, tensor<f32>) outs(%ec : tensor<70x40xf8E5M2>) -> tensor<70x40xf8E5M2>
  %amax, %flags = fp8.amax %g : tensor<70x40xbf16>
  return %g, %q, %amax, %flags : tensor<70x40xbf16>, tensor<70x40xf8E5M2>, tensor<f32>, tensor<i8>
}
