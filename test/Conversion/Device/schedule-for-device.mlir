// The device that the pass is told is the one that kernels are scheduled for.
// RUN: fp8-opt %s -fp8-device-select-contractions | FileCheck %s --check-prefix=H100
// RUN: fp8-opt %s -fp8-device-select-contractions=device=h20 | FileCheck %s --check-prefix=H20
// RUN: not fp8-opt %s -fp8-device-select-contractions=device=b200 2>&1 | FileCheck %s --check-prefix=OTHER

// H100: schedule = #cta.schedule<tile = [128, 64, 64]
// H20: schedule = #cta.schedule<tile = [64, 32, 64]
// OTHER: error: fp8-device-select-contractions: device b200 is of target sm_100a
func.func @f(%a: memref<1024x1024xbf16>, %b: memref<1024x1024xbf16>, %out: memref<1024x1024xf32>) {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1024x1024xbf16>, memref<1024x1024xbf16>) outs(%out : memref<1024x1024xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}
