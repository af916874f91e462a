// What does not matter for the failure goes; here the quantisation matters.
// RUN: fp8-reduce %s -reduction-tree='traversal-mode=0 test=%S/Inputs/has-quantize.sh' | FileCheck %s

// CHECK-NOT: func.func @other
// CHECK: fp8.quantize
// CHECK-NOT: func.func @other
func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>, %m: tensor<f32>, %s: tensor<f32>) -> !fp8.tensor<4xf8E4M3FN, f32, scale = <f32, block = *>> {
  %0 = fp8.quantize %x, %m, %s : tensor<4xf32>, tensor<f32> -> !fp8.tensor<4xf8E4M3FN, f32, scale = <f32, block = *>>
  return %0 : !fp8.tensor<4xf8E4M3FN, f32, scale = <f32, block = *>>
}
