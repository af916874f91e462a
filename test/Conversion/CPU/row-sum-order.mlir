// A sum whose innermost loop is reduced is a tree of 32 lanes, whatever layout
// its inputs have: fusion changes that and must not change the sum.
// RUN: fp8-opt %s --fp8-cpu-linalg-to-loops | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: memref.alloca() : memref<32xf32>
func.func @rows(%x: memref<3x70xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<3x70xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @columns_as_rows
// CHECK: memref.alloca() : memref<32xf32>
func.func @columns_as_rows(%x: memref<70x3xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<70x3xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @one_input
// CHECK: memref.alloca() : memref<32xf32>
func.func @one_input(%x: memref<70xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<70xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Contractions and sums over outer loops add in ascending order.
// CHECK-LABEL: func.func @contraction
// CHECK-NOT: memref.alloca
func.func @contraction(%x: memref<3xf32>, %y: memref<70xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : memref<3xf32>, memref<70xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func.func @columns
// CHECK-NOT: memref.alloca
func.func @columns(%x: memref<70x3xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<70x3xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  }
  return
}
