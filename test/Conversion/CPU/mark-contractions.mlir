// RUN: fp8-opt %s --fp8-cpu-mark-contractions --split-input-file | FileCheck %s

// The accumulator's type does not matter, widened operands are read narrow.

// CHECK-LABEL: func.func @matmul
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x8xbf16>, tensor<8x2xbf16>)
// CHECK-SAME: outs(%{{.*}} : tensor<4x2xbf16>)
// CHECK-SAME: fp8.cpu_contract = array<i64: 0, 0>
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x2xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x2xbf16>) -> tensor<4x2xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x2xbf16>) outs(%f : tensor<4x2xbf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// -----

// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @through_cast_and_transpose
// CHECK: linalg.generic {indexing_maps = [#[[$KM]],
// CHECK-SAME: ins(%arg0, %{{.*}} : tensor<4x8xbf16>, tensor<8x2xf32>)
// CHECK-SAME: fp8.cpu_contract
func.func @through_cast_and_transpose(%a: tensor<4x8xbf16>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<8x4xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xbf16>) outs(%t : tensor<8x4xf32>) {
  ^bb0(%x: bf16, %y: f32):
    %0 = arith.extf %x : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%wide, %b : tensor<8x4xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// A sum onto something else than zero is left to the loops.

// CHECK-LABEL: func.func @accumulates
// CHECK-NOT: fp8.cpu_contract
func.func @accumulates(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// No elements to contract: zero, which no later pass may take for an output
// that nothing writes. Also of a contraction that was marked before.

// CHECK-LABEL: func.func @empty_sum
// CHECK-NOT: linalg.generic
// CHECK-COUNT-2: linalg.fill ins(%{{.*}} : f32)
// CHECK-NEXT: return
func.func @empty_sum(%a: tensor<4x0xbf16>, %b: tensor<0x2xbf16>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x0xbf16>, tensor<0x2xbf16>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<4x2xf32>
  %1 = linalg.generic {fp8.cpu_contract = array<i64: 1, 128>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x0xbf16>, tensor<0x2xbf16>) outs(%e1 : tensor<4x2xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// A mark stays what it is, also over a fill; equal inputs were merged.

// CHECK-LABEL: func.func @marked
// CHECK: linalg.generic
// CHECK-SAME: fp8.cpu_contract = array<i64: 1, 128>
// CHECK: linalg.generic
// CHECK-SAME: fp8.cpu_contract = array<i64: 1, 32>
func.func @marked(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>, %c: tensor<4xf8E4M3FN>, %t: tensor<f32>) -> (tensor<4x2xf32>, tensor<bf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 1, 128>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xbf16>, tensor<8x2xbf16>) outs(%f : tensor<4x2xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  %g = tensor.empty() : tensor<bf16>
  %1 = linalg.generic {fp8.cpu_contract = array<i64: 1, 32>, indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%c, %t : tensor<4xf8E4M3FN>, tensor<f32>) outs(%g : tensor<bf16>) {
  ^bb0(%x: f8E4M3FN, %z: f32, %o: bf16):
    %w = arith.extf %x : f8E4M3FN to f32
    %p = arith.mulf %w, %w : f32
    %zz = arith.mulf %z, %z : f32
    %q = arith.mulf %p, %zz : f32
    %wo = arith.extf %o : bf16 to f32
    %s = arith.addf %wo, %q : f32
    %n = arith.truncf %s : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<bf16>
  return %0, %1 : tensor<4x2xf32>, tensor<bf16>
}
