// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// One weight used as it is and transposed, as an embedding and an output layer do.
// With a loss, the transposed use is forward because the loss depends on it. In an
// inference graph nothing shows a gradient, so the transposed use is forward too.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @train(
func.func @train(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %y: tensor<8x8xbf16>) -> (tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: only this one has a gradient
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: the loss depends on it; rhs is argument 1
  %of = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  %d = arith.subf %o, %y : tensor<8x8xbf16>
  %q = arith.mulf %d, %d : tensor<8x8xbf16>
  %le = arith.extf %q : tensor<8x8xbf16> to tensor<8x8xf32>
  %li = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%li : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce {arith.addf} ins(%le : tensor<8x8xf32>) outs(%lz : tensor<f32>) dimensions = [0, 1]
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "activation", fp8.role = "wgrad"
  %dw2f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%d, %h : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw2 = arith.truncf %dw2f : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhf = linalg.matmul ins(%d, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dh = arith.truncf %dhf : tensor<8x8xf32> to tensor<8x8xbf16>
  %dh2 = arith.mulf %dh, %h : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dw1f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %dh2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw1 = arith.truncf %dw1f : tensor<8x8xf32> to tensor<8x8xbf16>
  return %l, %dw2, %dw1 : tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @infer(
func.func @infer(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: this one is the right-hand side
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: no loss, and no gradient reaches it; rhs is argument 1
  %of = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  return %o : tensor<8x8xbf16>
}
