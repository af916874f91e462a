// RUN: fp8-opt %s -fp8-device-group-small | FileCheck %s
// RUN: fp8-opt %s -fp8-device-group-small -fp8-cpu-outline-kernels -fp8-device-map-threads | FileCheck %s --check-prefix=MAP

// The view goes in front; what is too large, and what the host does, ends a
// group; one alone is none.
// CHECK-LABEL: func.func @f
// CHECK: memref.subview
// CHECK-NEXT: scf.execute_region {
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {fp8.device_group}
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<4097xf32>)
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<16xf32>)
// CHECK-NEXT: memref.load
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: return

// Other threads may have written what an op reads: no argument is noalias.
// MAP: call @[[K:.*]](%arg0
// MAP: func.func private @[[K]](
// MAP-NOT: noalias
// MAP-SAME: fp8.device_grid = array<i64: 1, 256>
// MAP: nvvm.barrier0
// MAP: memref.store
// MAP: nvvm.barrier0
// MAP: memref.store
func.func @f(%x: memref<16xf32>, %large: memref<4097xf32>, %i: index) -> f32 {
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%x : memref<16xf32>)
  %v = memref.subview %x[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.fill ins(%c : f32) outs(%v : memref<8xf32, strided<[1], offset: 8>>)
  linalg.fill ins(%c : f32) outs(%large : memref<4097xf32>)
  linalg.fill ins(%c : f32) outs(%x : memref<16xf32>)
  %r = memref.load %x[%i] : memref<16xf32>
  linalg.fill ins(%c : f32) outs(%x : memref<16xf32>)
  return %r : f32
}
