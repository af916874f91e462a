// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// Without a loss a contraction is a gradient only if something shows it: here the
// incoming gradient is an argument, and both gradients of each layer are there.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @vjp(
func.func @vjp(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>, %g: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: this one is the right-hand side
  %af = linalg.matmul ins(%x, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: no loss, and no gradient reaches it
  %of = linalg.matmul ins(%h, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%g, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dh = arith.truncf %dhf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw2f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %g : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw2 = arith.truncf %dw2f : tensor<8x8xf32> to tensor<8x8xbf16>
  %da = arith.mulf %dh, %h : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dxf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%da, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dx = arith.truncf %dxf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw1f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %da : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw1 = arith.truncf %dw1f : tensor<8x8xf32> to tensor<8x8xbf16>
  return %o, %dx, %dw1, %dw2 : tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @infer(
func.func @infer(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>) -> (tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %af = linalg.matmul ins(%w1, %x : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "weight", fp8.rhs_role = "activation", fp8.role = "fprop"
  // CHECK-SAME: lhs is argument 2
  %of = linalg.matmul ins(%w2, %a : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  return %o : tensor<8x8xbf16>
}
