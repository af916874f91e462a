// RUN: fp8-opt %s -split-input-file -fp8-device-merge-clears | FileCheck %s

gpu.module @fp8_matrix {
  cta.kernel @clear_amax(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear", elements = 2 : i64}} {
    cta.return
  }
  cta.kernel @merge(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
  // CHECK: cta.kernel @clear_amax_2(
}

// Two are cleared together, before everything. The one in a loop is cleared in
// each of its turns; the one with a value before that stays.
// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[ALL:.*]] = memref.alloc() : memref<16xi8>
// CHECK-NEXT: cta.launch @fp8_matrix::@clear_amax_2[0] outs(%[[ALL]] : memref<16xi8>)
// CHECK: %[[AT_A:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = memref.view %[[ALL]][%[[AT_A]]][] : memref<16xi8> to memref<2xi32>
// CHECK: %[[AT_B:.*]] = arith.constant 8 : index
// CHECK: %[[B:.*]] = memref.view %[[ALL]][%[[AT_B]]][] : memref<16xi8> to memref<2xi32>
// CHECK: cta.launch @fp8_matrix::@merge[0] outs(%[[A]] :
// CHECK: cta.launch @fp8_matrix::@merge[0] outs(%[[B]] :
// CHECK: scf.for
// CHECK: cta.launch @fp8_matrix::@clear_amax[0]
// CHECK: memref.store %{{.*}}, %[[STORED:.*]][
// CHECK: cta.launch @fp8_matrix::@clear_amax[0] outs(%[[STORED]] :
func.func @f(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%a : memref<2xi32>)
  cta.launch @fp8_matrix::@merge[0] outs(%a : memref<2xi32>)
  %b = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%b : memref<2xi32>)
  cta.launch @fp8_matrix::@merge[0] outs(%b : memref<2xi32>)
  scf.for %i = %c0 to %n step %c1 {
    %c = memref.alloc() : memref<2xi32>
    cta.launch @fp8_matrix::@clear_amax[0] outs(%c : memref<2xi32>)
    cta.launch @fp8_matrix::@merge[0] outs(%c : memref<2xi32>)
  }
  %d = memref.alloc() : memref<2xi32>
  %one = arith.constant 1 : i32
  memref.store %one, %d[%c0] : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%d : memref<2xi32>)
  %r = memref.load %d[%c0] : memref<2xi32>
  return %r : i32
}

// -----

// Counters of blocks that share sums beside the words of an amax.
gpu.module @fp8_matrix {
  cta.kernel @clear_amax(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear", elements = 2 : i64}} {
    cta.return
  }
  cta.kernel @clear_6(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear", elements = 6 : i64}} {
    cta.return
  }
  cta.kernel @merge(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
  // CHECK: cta.kernel @clear_amax_4(
}

// CHECK-LABEL: func.func @counters
// CHECK-NEXT: %[[ALL:.*]] = memref.alloc() : memref<32xi8>
// CHECK-NEXT: cta.launch @fp8_matrix::@clear_amax_4[0] outs(%[[ALL]] : memref<32xi8>)
// CHECK: %[[AT_A:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ALL]][%[[AT_A]]][] : memref<32xi8> to memref<6xi32>
// CHECK: %[[AT_B:.*]] = arith.constant 24 : index
// CHECK: memref.view %[[ALL]][%[[AT_B]]][] : memref<32xi8> to memref<2xi32>
func.func @counters() {
  %a = memref.alloc() : memref<6xi32>
  cta.launch @fp8_matrix::@clear_6[0] outs(%a : memref<6xi32>)
  cta.launch @fp8_matrix::@merge[0] outs(%a : memref<6xi32>)
  %b = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%b : memref<2xi32>)
  cta.launch @fp8_matrix::@merge[0] outs(%b : memref<2xi32>)
  return
}

// -----

// No launch is left of the kernel that cleared each.
// CHECK-NOT: cta.kernel @clear_amax(
// CHECK: cta.kernel @two(
// CHECK: cta.kernel @clear_amax_2(
gpu.module @fp8_matrix {
  cta.kernel @clear_amax(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear", elements = 2 : i64}} {
    cta.return
  }
  cta.kernel @two(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear"}} {
    cta.return
  }
}
// What a launch reads, or writes besides, is not the words of an amax.
// CHECK-LABEL: func.func @unused
// CHECK: cta.launch @fp8_matrix::@clear_amax_2[0]
// CHECK: cta.launch @fp8_matrix::@two[0, 1] ins(
// CHECK: cta.launch @fp8_matrix::@two[0, 1] outs(
func.func @unused() {
  %a = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%a : memref<2xi32>)
  %b = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@clear_amax[0] outs(%b : memref<2xi32>)
  %c = memref.alloc() : memref<2xi32>
  %d = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@two[0, 1] ins(%c : memref<2xi32>) outs(%d : memref<2xi32>)
  %e = memref.alloc() : memref<2xi32>
  %f = memref.alloc() : memref<2xi32>
  cta.launch @fp8_matrix::@two[0, 1] outs(%e, %f : memref<2xi32>, memref<2xi32>)
  return
}
