// Preparing inlines, which folds: no fast-math flag may let a rounding go.
// RUN: fp8-compile %s --recipe=tensorwise --target=cpu --split-prepare | FileCheck %s
// CHECK: func.func @main
// CHECK: arith.truncf %{{.*}} : tensor<16x32xf32> to tensor<16x32xbf16>
// CHECK: arith.extf
func.func private @round(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = arith.truncf %x fastmath<contract> : tensor<16x32xf32> to tensor<16x32xbf16>
  %1 = arith.extf %0 fastmath<contract> : tensor<16x32xbf16> to tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}
func.func @main(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  %z = call @round(%y) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %z : tensor<16x32xf32>
}
