// RUN: fp8-opt %s --mlir-print-local-scope -fp8-device-bind-sizes --split-input-file | FileCheck %s
// RUN: fp8-opt %s --mlir-print-local-scope -fp8-device-bind-sizes -fp8-cpu-plan-buffers --split-input-file | FileCheck %s --check-prefix=PLAN

// Buffers become addresses; sizes that an operation takes for one are one, which
// is checked, and a result's is what the attribute says.
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[A:arg0]]: memref<1xf32>, %[[B:arg1]]: memref<1xf32>, %[[C:arg2]]: memref<1xf32>, %[[N:arg3]]: index, %[[M:arg4]]: index)
// CHECK-DAG: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1] : memref<1xf32> to memref<?x8xf32>
// CHECK-DAG: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1]
// CHECK-DAG: memref.reinterpret_cast %[[C]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1]
// CHECK-DAG: %[[SAME:.*]] = arith.cmpi eq, %[[N]], %[[M]] : index
// CHECK-DAG: cf.assert %[[SAME]], "expected equal sizes: dimension 0 of argument 0 and dimension 0 of argument 1"
// CHECK: memref.alloc(%[[N]]) : memref<?x8xf32>
// CHECK: linalg.add

// Buffers with one product of sizes share a part of the arena.
// PLAN-LABEL: func.func @f
// PLAN-SAME: %[[N:arg3]]: index
// PLAN-SAME: %[[ARENA:arg5]]: memref<1xi8>
// PLAN-SAME: fp8.arena_size = affine_map<()[s0, s1] -> (s0 * 128 + 64)>
// PLAN: memref.view %[[ARENA]]{{.*}} : memref<1xi8> to memref<16xf32>
// PLAN: memref.view %[[ARENA]]{{.*}} : memref<1xi8> to memref<1xf32>
// PLAN: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[N]], 8]
func.func @f(%a: memref<?x8xf32>, %b: memref<?x8xf32>, %c: memref<?x8xf32>) attributes {fp8.result_sizes = affine_map<()[s0, s1] -> (s1)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %b, %c0 : memref<?x8xf32>
  %s = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<16xf32>)
  %t = memref.alloc(%n) : memref<?x8xf32>
  linalg.add ins(%a, %b : memref<?x8xf32>, memref<?x8xf32>) outs(%t : memref<?x8xf32>)
  %u = memref.alloc(%n) : memref<?x8xf32>
  linalg.add ins(%t, %b : memref<?x8xf32>, memref<?x8xf32>) outs(%u : memref<?x8xf32>)
  memref.copy %u, %c : memref<?x8xf32> to memref<?x8xf32>
  return
}

// -----

// A product of sizes, and one that a loop carries.
// CHECK-LABEL: func.func @g
// CHECK-SAME: %[[B:arg2]]: index, %[[S:arg3]]: index
// CHECK: %[[R:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%[[B]], %[[S]]]
// CHECK: memref.alloc(%[[R]])
// PLAN-LABEL: func.func @g
// PLAN-SAME: fp8.arena_size = affine_map<()[s0, s1] -> ((s0 * s1) * 64 + 64)>
func.func @g(%a: memref<?x?x16xf32>, %b: memref<?x?x16xf32>) attributes {fp8.result_sizes = affine_map<()[s0, s1] -> (s0, s1)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = memref.collapse_shape %a [[0, 1], [2]] : memref<?x?x16xf32> into memref<?x16xf32>
  %n = memref.dim %v, %c0 : memref<?x16xf32>
  %t = memref.alloc(%n) : memref<?x16xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %t) -> memref<?x16xf32> {
    linalg.add ins(%x, %v : memref<?x16xf32>, memref<?x16xf32>) outs(%x : memref<?x16xf32>)
    scf.yield %x : memref<?x16xf32>
  }
  %w = memref.collapse_shape %b [[0, 1], [2]] : memref<?x?x16xf32> into memref<?x16xf32>
  memref.copy %r, %w : memref<?x16xf32> to memref<?x16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @static(%arg0: memref<8xf32>)
func.func @static(%a: memref<8xf32>) {
  return
}

// -----

// What a window or a slice reads has to be there.
// CHECK-LABEL: func.func @windows
// CHECK-DAG: cf.assert %{{.*}}, "expected s1 + 2 of the sizes to be at most dimension 0 of argument 0"
// CHECK-DAG: cf.assert %{{.*}}, "expected 5 to be at most dimension 0 of argument 0"
func.func @windows(%a: memref<?xf32>, %w: memref<3xf32>, %b: memref<?xf32>, %c: memref<4xf32>) {
  linalg.conv_1d ins(%a, %w : memref<?xf32>, memref<3xf32>) outs(%b : memref<?xf32>)
  %s = memref.subview %a[1] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %s, %c : memref<4xf32, strided<[1], offset: 1>> to memref<4xf32>
  return
}

// -----

// What a branch yields becomes an address too, with its sizes behind it.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: %[[N:arg[0-9]+]]: index)
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (memref<1xf32>)
// CHECK: scf.yield %{{.*}} : memref<1xf32>
// CHECK: memref.alloc(%[[N]])
// CHECK: scf.yield %{{.*}} : memref<1xf32>
// CHECK: memref.reinterpret_cast %[[IF]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1] : memref<1xf32> to memref<?x8xf32>
func.func @branches(%p: i1, %a: memref<?x8xf32>, %o: memref<?x8xf32>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (memref<?x8xf32>) {
    scf.yield %a : memref<?x8xf32>
  } else {
    %n = memref.dim %a, %c0 : memref<?x8xf32>
    %t = memref.alloc(%n) : memref<?x8xf32>
    linalg.add ins(%a, %a : memref<?x8xf32>, memref<?x8xf32>) outs(%t : memref<?x8xf32>)
    scf.yield %t : memref<?x8xf32>
  }
  memref.copy %r, %o : memref<?x8xf32> to memref<?x8xf32>
  return
}
