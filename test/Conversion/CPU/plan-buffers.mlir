// RUN: fp8-opt %s --fp8-cpu-plan-buffers --mlir-print-local-scope --split-input-file --verify-diagnostics | FileCheck %s

// Two buffers that are never live together share memory.

// CHECK-LABEL: func.func @reuse
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<128xi8>) attributes {fp8.cpu_arena = 128 : i64}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[NEXT:.*]] = arith.constant 64 : index
// CHECK-DAG: memref.view %[[ARENA]][%[[ZERO]]][]
// CHECK-DAG: memref.view %[[ARENA]][%[[NEXT]]][]
// CHECK-DAG: memref.view %[[ARENA]][%[[ZERO]]][]
func.func @reuse(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A view keeps its buffer alive.

// CHECK-LABEL: func.func @views
// CHECK-SAME: memref<192xi8>
func.func @views(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %v = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  memref.copy %v, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A size that an index argument says is one; data says none.
// CHECK-LABEL: func.func @index
// CHECK-SAME: fp8.arena_size = affine_map<()[s0] -> (s0 * 64 + 64)>
func.func @index(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @dynamic(%i: memref<index>) {
  %n = memref.load %i[] : memref<index>
  // expected-error @+1 {{expected a buffer of static shape, got 'memref<?xf32>'; give the function static input shapes}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// A difference may be negative: -1 divided is 0 here, and -1 where quotients are
// floors.
func.func @truncated(%n: index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %less = arith.subi %n, %c5 : index
  %half = arith.divsi %less, %c2 : index
  %size = arith.addi %half, %c5 : index
  // expected-error @+1 {{expected a buffer of static shape, got 'memref<?xf32>'; give the function static input shapes}}
  %a = memref.alloc(%size) : memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @floored
// CHECK-SAME: fp8.arena_size = affine_map<()[s0] -> (((s0 - 5) floordiv 2 + 5) * 64 + 64)>
func.func @floored(%n: index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %less = arith.subi %n, %c5 : index
  %half = arith.floordivsi %less, %c2 : index
  %size = arith.addi %half, %c5 : index
  %a = memref.alloc(%size) : memref<?xf32>
  return
}
