// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// The first layer is computed again for the backward pass; the weight gradient reads
// the copy. Nothing but the results that use it tells the copy from the original.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @step(
func.func @step(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>) -> (tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %af = linalg.matmul ins(%x, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %of = linalg.matmul ins(%h, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  %q = arith.mulf %o, %o : tensor<8x8xbf16>
  %le = arith.extf %q : tensor<8x8xbf16> to tensor<8x8xf32>
  %li = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%li : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce {arith.addf} ins(%le : tensor<8x8xf32>) outs(%lz : tensor<f32>) dimensions = [0, 1]
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "refprop"
  // CHECK-SAME: repeats a forward contraction on the same values
  %a2f = linalg.matmul ins(%x, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a2 = arith.truncf %a2f : tensor<8x8xf32> to tensor<8x8xbf16>
  %h2 = math.tanh %a2 : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw2f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h2, %o : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw2 = arith.truncf %dw2f : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%o, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dh = arith.truncf %dhf : tensor<8x8xf32> to tensor<8x8xbf16>
  %da = arith.mulf %dh, %h2 : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw1f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %da : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw1 = arith.truncf %dw1f : tensor<8x8xf32> to tensor<8x8xbf16>
  return %l, %dw1, %dw2 : tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>
}
