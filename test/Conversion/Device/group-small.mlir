// RUN: fp8-opt %s -fp8-device-group-small | FileCheck %s
// RUN: fp8-opt %s -fp8-device-group-small -fp8-cpu-outline-kernels=mixed-nests -fp8-device-map-threads | FileCheck %s --check-prefix=MAP

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
// One barrier is between two ops, none before the first and after the last.
// MAP-NOT: nvvm.barrier0
// MAP: memref.store
// MAP: nvvm.barrier0
// MAP-NOT: nvvm.barrier0
// MAP: memref.store
// MAP-NOT: nvvm.barrier0
// MAP: return

// In a loop the barrier of its end is that of its start, too.
// MAP: func.func private @{{.*}}fp8.device_grid = array<i64: 1, 256>
// MAP: scf.for
// MAP-NOT: nvvm.barrier0
// MAP: memref.store
// MAP: nvvm.barrier0
// MAP-NOT: nvvm.barrier0
// MAP: memref.load
// MAP: scf.if
// MAP: memref.store
// MAP: nvvm.barrier0
// MAP-NOT: nvvm.barrier0
// MAP: return
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

func.func @loop(%x: memref<16xf32>, %y: memref<8xf32>, %z: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.exp ins(%z : memref<16xf32>) outs(%x : memref<16xf32>)
    %v = memref.load %x[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}
