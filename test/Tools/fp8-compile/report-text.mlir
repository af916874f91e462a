// One line per name whatever is in it; and what is no matrix product has types,
// but no sizes.
// RUN: fp8-compile %s --recipe=tensorwise -o %t.mlir --report=text --report-file=%t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: fp8-compile %s --recipe=tensorwise -o %t.mlir --report=json --report-file=%t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// CHECK: fp8 {{.*}} two\nlines\x1B[0m
// CHECK-NEXT: fallback {{.*}} -x-x-x- bf16 bf16 conv
// JSON: "name": "two\nlines\u001b[0m"
// JSON: "bytes": null
// JSON: "k": null
// JSON: "name": "conv"
func.func @main(%x: tensor<8x16xbf16>, %w: tensor<16x8xbf16>, %image: tensor<1x6x6x4xbf16>, %filter: tensor<3x3x4x2xbf16>) -> (tensor<8x8xf32>, tensor<1x4x4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x8xbf16>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32> loc("two\0Alines\1B[0m")
  %e1 = tensor.empty() : tensor<1x4x4x2xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %c = linalg.conv_2d_nhwc_hwcf {fp8.role = "fprop", strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x6x6x4xbf16>, tensor<3x3x4x2xbf16>) outs(%f1 : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("conv")
  return %y, %c : tensor<8x8xf32>, tensor<1x4x4x2xf32>
}
