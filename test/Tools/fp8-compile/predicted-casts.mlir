// What casts and amaxes are predicted to take is what their kernels do. A launch
// takes 1000 us here, so that the figures count launches.
// RUN: echo '{"base": "h100-sxm", "launch": 1000}' > %t.json

// A pass for the amax, and a cast, of each operand; that of the left one is of
// another shape.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --gpu=%t.json --emit=kernels -o %t.kernels --report=json 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: "casts_us": 400{{[0-9]}}

// Delayed scaling: casts take the amax of the next step. What the first step
// reads besides is not what steps take.
// RUN: fp8-compile %s --recipe=delayed --numerics=te --target=sm_90a --gpu=%t.json --emit=kernels -o %t.kernels --report=json 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: fp8-compile %s --recipe=delayed --numerics=safe --target=sm_90a --gpu=%t.json --emit=kernels -o %t.kernels --report=json 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: "casts_us": 200{{[0-9]}}

// Nobody records an amax of frozen state. In a whole graph the loops that make
// the left operand of @plain encode it on the way: that cast is no launch.
// RUN: fp8-compile %s --recipe=delayed --numerics=te --freeze-state --target=sm_90a --gpu=%t.json --emit=kernels -o %t.kernels --report=json 2>&1 | FileCheck %s --check-prefixes=ONE,FROZEN
// FROZEN: "casts_us": 200{{[0-9]}}
// RUN: fp8-compile %s --recipe=delayed --numerics=te --freeze-state --target=sm_90a --gpu=%t.json --emit=obj --export-prefix=x_ -o %t.o --report=json 2>&1 | FileCheck %s --check-prefixes=ONE,LOOPS
// LOOPS: "casts_us": 100{{[0-9]}}

#abk = affine_map<(a, b, n, k) -> (a, b, k)>
#kn = affine_map<(a, b, n, k) -> (k, n)>
#abn = affine_map<(a, b, n, k) -> (a, b, n)>
func.func @main(%x: tensor<2x32x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<2x32x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %y = math.absf %x : tensor<2x32x64xbf16>
  %c = linalg.generic {indexing_maps = [#abk, #kn, #abn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%y, %w : tensor<2x32x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<2x32x64xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %wi = arith.extf %i : bf16 to f32
    %wj = arith.extf %j : bf16 to f32
    %p = arith.mulf %wi, %wj : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x32x64xf32>
  return %c : tensor<2x32x64xf32>
}

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @plain(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = math.absf %x : tensor<64x64xbf16>
  %c = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %wi = arith.extf %i : bf16 to f32
    %wj = arith.extf %j : bf16 to f32
    %p = arith.mulf %wi, %wj : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
