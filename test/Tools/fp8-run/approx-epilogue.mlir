// What joins a product is not approximate, and so right for divisors for which
// LLVM's approximation of a division gives 0.
// RUN: fp8-run %s --device=emu --target=sm_90a --approx-math --input=ones --input=ones | FileCheck %s
// CHECK: 0: tensor<64x64xf32> norm 64{{$}}
#mn = affine_map<(m, n) -> (m, n)>
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %large = arith.constant 2.658455991569831746e+36 : f32
  %p = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {transpose_rhs} -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %g = arith.mulf %x, %large : f32
    %t = arith.divf %g, %g : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
