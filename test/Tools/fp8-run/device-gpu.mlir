// The GPU that a user names is the one that kernels are scheduled for.
// RUN: fp8-run %s --target=sm_90a --device=emu --check=none --recipe=bf16 --fill=zeros --mlir-print-ir-after=fp8-device-select-contractions 2>&1 | FileCheck %s --check-prefix=H100
// RUN: fp8-run %s --target=sm_90a --device=emu --check=none --recipe=bf16 --fill=zeros --gpu=h20 --mlir-print-ir-after=fp8-device-select-contractions 2>&1 | FileCheck %s --check-prefix=H20
// RUN: not fp8-run %s --target=sm_90a --device=emu --gpu=h300 --fill=zeros 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// H100: schedule = #cta.schedule<tile = [128, 64, 64]
// H20: schedule = #cta.schedule<tile = [64, 32, 64]
// UNKNOWN: error: --gpu=h300: unknown device
func.func @main(%x: tensor<1024x64xbf16>, %w: tensor<1024x64xbf16>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1024x64xbf16>, tensor<1024x64xbf16>) outs(%f : tensor<1024x1024xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
