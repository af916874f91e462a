// A stock mlir-opt runs our passes by name, and knows our dialects.
// A program without the sanitizer cannot load libraries that have it.
// UNSUPPORTED: sanitizer

// RUN: mlir-opt %s --load-dialect-plugin=%fp8_lib/FP8Plugin.so --load-pass-plugin=%fp8_lib/FP8Plugin.so \
// RUN:   --pass-pipeline='builtin.module(fp8-pipeline{recipe=tensorwise})' | FileCheck %s

// It holds no MLIR of its own: that would have other type ids.
// RUN: llvm-nm -C --defined-only %fp8_lib/FP8Plugin.so | FileCheck %s --check-prefix=OWN
// OWN-NOT: mlir::Operation::create(

// CHECK-LABEL: func.func @main
// CHECK: fp8.contract
func.func @main(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
