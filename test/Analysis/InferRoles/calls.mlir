// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// Layers in functions of their own, called once per layer. Seen from one layer, the
// backward function is as forward as the other; seen through the calls it is not.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @fwd_layer(
func.func @fwd_layer(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  return %h, %x : tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @bwd_layer(
func.func @bwd_layer(%sx: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %g: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "refprop"
  %af = linalg.matmul ins(%sx, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %g2 = arith.mulf %g, %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dxf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%g2, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dx = arith.truncf %dxf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%sx, %g2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = arith.truncf %dwf : tensor<8x8xf32> to tensor<8x8xbf16>
  return %dx, %dw : tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @step(
func.func @step(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>) -> (tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %h1:2 = func.call @fwd_layer(%x, %w1) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>)
  %h2:2 = func.call @fwd_layer(%h1#0, %w2) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>)
  %q = arith.mulf %h2#0, %h2#0 : tensor<8x8xbf16>
  %le = arith.extf %q : tensor<8x8xbf16> to tensor<8x8xf32>
  %li = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%li : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce {arith.addf} ins(%le : tensor<8x8xf32>) outs(%lz : tensor<f32>) dimensions = [0, 1]
  %d2:2 = func.call @bwd_layer(%h2#1, %w2, %h2#0) : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>)
  %d1:2 = func.call @bwd_layer(%h1#1, %w1, %d2#0) : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>)
  return %l, %d1#1, %d2#1 : tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>
}
