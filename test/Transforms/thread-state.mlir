// RUN: fp8-opt %s --fp8-plan="recipe=delayed numerics=te amax-history-len=4" --fp8-quantize --fp8-thread-state --fp8-verify-conversion | FileCheck %s
// RUN: fp8-opt %s --fp8-plan="recipe=delayed numerics=te" --fp8-quantize --fp8-thread-state=freeze | FileCheck %s --check-prefix=FREEZE

// The public function takes and returns the whole state, the callee slices.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<4xf32> {fp8.state = "multiplier"}
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4xi32> {fp8.state = "count"}
// CHECK-SAME: %[[H:[a-z0-9]+]]: tensor<4x4xf32> {fp8.state = "amax_history"}
// CHECK-SAME: %[[F:[a-z0-9]+]]: tensor<4xi8> {fp8.state = "flags"}
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<i1> {fp8.state = "update"}
// CHECK-SAME: -> (tensor<8x32xf32>, tensor<4x4xf32> {fp8.state = "amax_history"}, tensor<4xf32> {fp8.state = "multiplier"}, tensor<4xi32> {fp8.state = "count"}, tensor<4xi8> {fp8.state = "flags"})
// CHECK: %[[MS:.*]] = tensor.extract_slice %[[M]][1] [2] [1] : tensor<4xf32> to tensor<2xf32>
// CHECK: %[[CALL:.*]]:3 = call @layer({{.*}}, %[[MS]], %{{.*}})
// CHECK: tensor.insert_slice %[[CALL]]#1 into
// CHECK: fp8.record {{.*}} into %[[H]], %[[F]]
// CHECK: fp8.update {{.*}}, %[[M]], %[[C]] if %[[U]]
// FREEZE-LABEL: func.func @main
// FREEZE-SAME: -> tensor<8x32xf32>
// FREEZE-NOT: fp8.record
// FREEZE-NOT: fp8.update
func.func @main(%x: tensor<8x64xbf16>, %w: tensor<64x32xbf16>, %v: tensor<64x64xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %h = func.call @layer(%x, %v) : (tensor<8x64xbf16>, tensor<64x64xbf16>) -> tensor<8x64xbf16>
  %t = arith.negf %h : tensor<8x64xbf16>
  %y = linalg.matmul {fp8.role = "fprop", fp8.lhs_role = "activation", fp8.rhs_role = "weight"} ins(%t, %w : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func.func private @layer
// CHECK-SAME: tensor<2xf32> {fp8.state = "multiplier"}, %{{.*}}: tensor<2xi32> {fp8.state = "count"}) -> (tensor<8x64xbf16>, tensor<2xf32> {fp8.state = "amax"}, tensor<2xi8> {fp8.state = "amax_flags"})
// CHECK-NOT: fp8.update
func.func private @layer(%x: tensor<8x64xbf16>, %v: tensor<64x64xbf16>) -> tensor<8x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x64xbf16>
  %c = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x64xbf16>) -> tensor<8x64xbf16>
  %y = linalg.matmul {fp8.role = "fprop", fp8.lhs_role = "activation", fp8.rhs_role = "weight"} ins(%x, %v : tensor<8x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<8x64xbf16>) -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
