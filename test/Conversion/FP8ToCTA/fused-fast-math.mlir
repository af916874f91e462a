// Fast-math flags of what joins a product change no bit: every operation rounds.
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --fuse-epilogues --emit=cta | FileCheck %s --check-prefix=CTA
// RUN: %python %S/Inputs/run_fused.py --bin %fp8_tools --seed 3 %s 64x64:bf16 64x64:bf16 64x64:f32 | FileCheck %s
// CHECK: 2 results have the same bits

// CTA: cta.kernel
// CTA: arith.divf %{{[0-9]+}}, %{{[0-9a-z]+}} : f32
// CTA: math.sqrt %{{[0-9]+}} : f32
// CTA: arith.truncf
// CTA-NEXT: arith.extf
#mn = affine_map<(m, n) -> (m, n)>
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %d: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %p = fp8.scaled_contract ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) {accumulation = #fp8.accum<model = hopper, promote = 64>, transpose_rhs} -> tensor<64x64xf32>
  %y:2 = linalg.generic {indexing_maps = [#mn, #mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %d : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e, %e : tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%x: f32, %z: f32, %out0: f32, %out1: f32):
    %t = arith.mulf %x, %z fastmath<contract> : f32
    %u = arith.addf %t, %z fastmath<contract> : f32
    %q = arith.divf %u, %z fastmath<fast> : f32
    %s = arith.mulf %q, %q fastmath<fast> : f32
    %r = math.sqrt %s fastmath<afn> : f32
    %n = arith.truncf %r fastmath<contract> : f32 to bf16
    %w = arith.extf %n fastmath<contract> : bf16 to f32
    linalg.yield %u, %w : f32, f32
  } -> (tensor<64x64xf32>, tensor<64x64xf32>)
  return %y#0, %y#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
