// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// One activation for three weights, as in query, key and value; the three weight
// gradients read it again, and its own gradient is a sum.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @step(
func.func @step(%x: tensor<8x8xbf16>, %w0: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>, %w3: tensor<8x8xbf16>) -> (tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %x0f = linalg.matmul ins(%x, %w0 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x0 = arith.truncf %x0f : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %x0 : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %qf = linalg.matmul ins(%h, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = arith.truncf %qf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %kf = linalg.matmul ins(%h, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %k = arith.truncf %kf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %vf = linalg.matmul ins(%h, %w3 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %v = arith.truncf %vf : tensor<8x8xf32> to tensor<8x8xbf16>
  %qk = arith.mulf %q, %k : tensor<8x8xbf16>
  %o = arith.mulf %qk, %v : tensor<8x8xbf16>
  %le = arith.extf %o : tensor<8x8xbf16> to tensor<8x8xf32>
  %li = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%li : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce {arith.addf} ins(%le : tensor<8x8xf32>) outs(%lz : tensor<f32>) dimensions = [0, 1]
  %gq = arith.mulf %k, %v : tensor<8x8xbf16>
  %gk = arith.mulf %q, %v : tensor<8x8xbf16>
  %gv = arith.mulf %q, %k : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dqf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %gq : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dq = arith.truncf %dqf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "activation", fp8.role = "wgrad"
  %dkf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%gk, %h : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dk = arith.truncf %dkf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dvf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %gv : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dv = arith.truncf %dvf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhqf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%gq, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dhq = arith.truncf %dhqf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhkf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%gk, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dhk = arith.truncf %dhkf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "weight", fp8.rhs_role = "gradient", fp8.role = "dgrad"
  %dhvf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%w3, %gv : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dhv = arith.truncf %dhvf : tensor<8x8xf32> to tensor<8x8xbf16>
  %s1 = arith.addf %dhq, %dhk : tensor<8x8xbf16>
  %dx0 = arith.mulf %s1, %x0 : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw0f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %dx0 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw0 = arith.truncf %dw0f : tensor<8x8xf32> to tensor<8x8xbf16>
  return %l, %dq, %dk, %dv, %dw0 : tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}
