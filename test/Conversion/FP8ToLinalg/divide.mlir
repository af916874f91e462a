// flax and DeepGEMM divide by the scale, the others multiply.
// RUN: fp8-compile %s --recipe=tensorwise --numerics=flax -o - | FileCheck %s --check-prefix=FP8
// RUN: fp8-compile %s --recipe=tensorwise --numerics=deepgemm -o - | FileCheck %s --check-prefix=FP8
// RUN: fp8-compile %s --recipe=tensorwise --numerics=te -o - | FileCheck %s --check-prefix=TE
// RUN: fp8-compile %s --recipe=tensorwise --numerics=flax -o - | fp8-opt --fp8-expand-tensors | FileCheck %s --check-prefix=SCALED
// RUN: fp8-compile %s --recipe=tensorwise --numerics=flax -o - | fp8-opt --fp8-expand-tensors --fp8-to-linalg | FileCheck %s --check-prefix=LINALG

// FP8: %[[M:.*]], %[[S:.*]] = fp8.scale_from_amax
// FP8: fp8.quantize %{{.*}}, %[[M]], %[[S]] {divide}
// TE-NOT: {divide}
// SCALED: %{{.*}}, %[[S:.*]] = fp8.scale_from_amax
// SCALED: fp8.scaled_quantize ins(%{{.*}}, %[[S]] : tensor<{{.*}}xbf16>, tensor<f32>) outs({{.*}}) {divide}
// LINALG: arith.divf
func.func @main(%a: tensor<4x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x16xbf16>, tensor<16x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
