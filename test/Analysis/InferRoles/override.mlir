// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// What the user wrote stands, and counts as true for the other contractions: here a
// gradient, so that what depends on it is one.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @given(
func.func @given(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %v: tensor<8x8xbf16>, %y: tensor<8x8xbf16>) -> (tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %af = linalg.matmul {fp8.role = "dgrad", fp8.lhs_role = "activation", fp8.rhs_role = "weight"} ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  // CHECK-SAME: multiplies a gradient with argument 2
  %bf = linalg.matmul ins(%a, %v : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = arith.truncf %bf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "weight", fp8.rhs_role = "activation", fp8.role = "fprop"
  %cf = linalg.matmul {fp8.lhs_role = "weight", fp8.rhs_role = "activation"} ins(%v, %y : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = arith.truncf %cf : tensor<8x8xf32> to tensor<8x8xbf16>
  return %b, %c : tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @attention(
func.func @attention(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "activation", fp8.role = "attention"
  // CHECK-SAME: given
  %af = linalg.matmul {fp8.role = "attention"} ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  return %a : tensor<8x8xbf16>
}
