// RUN: fp8-opt %s --fp8-cpu-outline-kernels | FileCheck %s

// What runs no iteration goes away; a buffer without elements is never an
// argument of a kernel.

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
// CHECK-NOT: fp8_kernel
func.func @empty(%a: memref<15x0xf32>, %b: memref<15x0xf32>, %c: memref<15xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<15x0xf32>) outs(%b : memref<15x0xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : memref<15x0xf32>) outs(%c : memref<15xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
