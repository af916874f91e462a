// RUN: fp8-opt %s --fp8-plan="recipe=tensorwise" --fp8-quantize --fp8-verify-conversion | FileCheck %s
// RUN: fp8-opt %s --fp8-plan="recipe=bf16" --fp8-quantize | FileCheck %s --check-prefix=BF16
// RUN: fp8-opt %s --fp8-plan="recipe=tensorwise" --fp8-quantize --fp8-expand-tensors | FileCheck %s --check-prefix=EXPAND

// A forward projection with batch and sequence dimensions: the activation is
// collapsed before quantising, the result expanded after.
// CHECK-LABEL: func.func @projection
// CHECK-SAME: %[[X:.*]]: tensor<2x8x64xbf16>, %[[W:.*]]: tensor<64x32xbf16>
// CHECK-DAG: %[[XM:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x8x64xbf16> into tensor<16x64xbf16>
// CHECK-DAG: %[[AX:.*]], %[[FX:.*]] = fp8.amax %[[X]]
// CHECK-DAG: %[[MX:.*]], %[[SX:.*]] = fp8.scale_from_amax %[[AX]], %[[FX]] {{.*}}storage = f8E4M3FN
// CHECK-DAG: %[[QX:.*]] = fp8.quantize %[[XM]], %[[MX]], %[[SX]]
// CHECK-DAG: %[[QW:.*]] = fp8.quantize %[[W]],
// CHECK: %[[Y:.*]] = fp8.contract %[[QX]], %[[QW]]
// CHECK-NOT: transpose
// CHECK: tensor.expand_shape %[[Y]]
// BF16-LABEL: func.func @projection
// BF16: fp8.contract {{.*}} tensor<16x64xbf16>, tensor<64x32xbf16> -> tensor<16x32xf32>
// BF16-NOT: fp8.quantize
// EXPAND-LABEL: func.func @projection
// EXPAND: fp8.scaled_quantize
// EXPAND: fp8.scaled_contract ins({{.*}} : tensor<16x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) scales({{.*}} : tensor<f32>, tensor<f32>) outs({{.*}} : tensor<16x32xf32>)
func.func @projection(%x: tensor<2x8x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<2x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, n, k) -> (a, b, k)>, affine_map<(a, b, n, k) -> (k, n)>, affine_map<(a, b, n, k) -> (a, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<2x8x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %0 = arith.extf %l : bf16 to f32
    %1 = arith.extf %r : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x32xf32>
  return %y : tensor<2x8x32xf32>
}

// A dynamic row dimension.
// CHECK-LABEL: func.func @dynamic
// CHECK: fp8.contract {{.*}} -> tensor<?x32xf32>
// EXPAND-LABEL: func.func @dynamic
// EXPAND: fp8.scaled_contract {{.*}} outs({{.*}} : tensor<?x32xf32>)
func.func @dynamic(%x: tensor<?x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %d = tensor.dim %x, %i : tensor<?x64xbf16>
  %e = tensor.empty(%d) : tensor<?x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// One activation for two weights is quantised once.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[X:.*]]: tensor<8x64xbf16>
// CHECK: fp8.quantize %[[X]],
// CHECK-NOT: fp8.quantize %[[X]],
// CHECK: fp8.contract
// CHECK: fp8.contract
func.func @shared(%x: tensor<8x64xbf16>, %a: tensor<64x32xbf16>, %b: tensor<64x32xbf16>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %a : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  %z = linalg.matmul ins(%x, %b : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y, %z : tensor<8x32xf32>, tensor<8x32xf32>
}

// An accumulator that is no zero fill prevents FP8: it stays, with its reason.
// CHECK-LABEL: func.func @accumulates
// CHECK: linalg.matmul {{.*}}reason_code = "accumulator_not_zero"
func.func @accumulates(%x: tensor<8x64xbf16>, %w: tensor<64x32xbf16>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
