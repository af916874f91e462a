// RUN: fp8-opt %s --fp8-plan="recipe=delayed" --fp8-quantize --fp8-thread-state --fp8-verify-conversion | FileCheck %s

// A public function that is also called, and stands before its callers: the
// public one takes the whole state, callers use a private copy with slices.

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: tensor<2xf32> {fp8.state = "multiplier"}
// CHECK-SAME: tensor<i1> {fp8.state = "update"}
// CHECK: fp8.update

// CHECK-LABEL: func.func private @layer_fp8(
// CHECK-SAME: tensor<2xf32> {fp8.state = "multiplier"}, %{{.*}}: tensor<2xi32> {fp8.state = "count"}) -> (tensor<8x8xbf16>, tensor<2xf32> {fp8.state = "amax"}, tensor<2xi8> {fp8.state = "amax_flags"})
// CHECK-NOT: fp8.update
func.func @layer(%x: tensor<8x8xbf16>, %v: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x8xbf16>
  %c = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %y = linalg.matmul {fp8.role = "fprop", fp8.lhs_role = "activation", fp8.rhs_role = "weight"} ins(%x, %v : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%c : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %y : tensor<8x8xbf16>
}

// CHECK-LABEL: func.func @pair(
// CHECK-SAME: tensor<4xf32> {fp8.state = "multiplier"}
// CHECK: call @layer_fp8
// CHECK: call @layer_fp8
// CHECK-LABEL: func.func private @pair_fp8(
// CHECK: call @layer_fp8
// CHECK: call @layer_fp8
func.func @pair(%x: tensor<8x8xbf16>, %v: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %0 = call @layer(%x, %v) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = call @layer(%0, %w) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %1 : tensor<8x8xbf16>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<6xf32> {fp8.state = "multiplier"}
// CHECK: call @layer_fp8
// CHECK: call @pair_fp8
func.func @main(%x: tensor<8x8xbf16>, %v: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %0 = call @layer(%x, %v) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = call @pair(%0, %v, %v) : (tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %1 : tensor<8x8xbf16>
}
