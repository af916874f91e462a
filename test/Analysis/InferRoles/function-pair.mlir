// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// A backward function that was exported apart from its forward. Its arguments are
// what the forward saved, its last results, and then the incoming gradients; or the
// forward's own arguments after the incoming gradient. All have one type.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @fwd(
func.func @fwd(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
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
  // CHECK-SAME: its function has a backward function
  %of = linalg.matmul ins(%h, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = arith.truncf %of : tensor<8x8xf32> to tensor<8x8xbf16>
  return %o, %x, %h, %w1, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @bwd(
func.func @bwd(%sx: tensor<8x8xbf16>, %sh: tensor<8x8xbf16>, %sw1: tensor<8x8xbf16>, %sw2: tensor<8x8xbf16>, %g: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) attributes {fp8.pair = @fwd} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  // CHECK-SAME: sums over the output dimension of the forward weight
  %dhf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%g, %sw2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dh = arith.truncf %dhf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  // CHECK-SAME: sums over the rows of the forward activation
  %dw2f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%sh, %g : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw2 = arith.truncf %dw2f : tensor<8x8xf32> to tensor<8x8xbf16>
  %da = arith.mulf %dh, %sh : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dxf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%da, %sw1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dx = arith.truncf %dxf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "activation", fp8.role = "wgrad"
  %dw1f = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%da, %sx : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw1 = arith.truncf %dw1f : tensor<8x8xf32> to tensor<8x8xbf16>
  return %dx, %dw1, %dw2 : tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @layer(
func.func @layer(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  return %a : tensor<8x8xbf16>
}

// CHECK-LABEL: @layer_bwd(
func.func @layer_bwd(%g: tensor<8x8xbf16>, %x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>) attributes {fp8.pair = @layer} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "refprop"
  %rf = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = arith.truncf %rf : tensor<8x8xf32> to tensor<8x8xbf16>
  %g2 = arith.mulf %g, %r : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dxf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%g2, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dx = arith.truncf %dxf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = arith.truncf %dwf : tensor<8x8xf32> to tensor<8x8xbf16>
  return %dx, %dw : tensor<8x8xbf16>, tensor<8x8xbf16>
}
