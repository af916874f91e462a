// What the operation means, and its verifier.
// RUN: %fp8-opt %s --load-dialect-plugin=%rows --load-pass-plugin=%rows \
// RUN:   --pass-pipeline='builtin.module(rows-to-linalg)' --split-input-file --verify-diagnostics | %FileCheck %s

// CHECK-LABEL: func.func @quantize
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.generic
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.bitcast {{.*}} : i8 to f8E4M3FN
func.func @quantize(%x: tensor<4x8xbf16>, %codes: tensor<4x8xf8E4M3FN>,
    %scales: tensor<4xf32>) -> (tensor<4x8xf8E4M3FN>, tensor<4xf32>) {
  %0:2 = rows.quantize %x outs(%codes, %scales)
    : tensor<4x8xbf16>, tensor<4x8xf8E4M3FN>, tensor<4xf32>
    -> tensor<4x8xf8E4M3FN>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4xf32>
}

// -----

func.func @wrong_type(%x: tensor<4x8xf64>, %codes: tensor<4x8xf8E4M3FN>,
    %scales: tensor<4xf32>) {
  // expected-error @below {{expected f32 or bf16 values, got 'f64'}}
  %0:2 = rows.quantize %x outs(%codes, %scales)
    : tensor<4x8xf64>, tensor<4x8xf8E4M3FN>, tensor<4xf32>
    -> tensor<4x8xf8E4M3FN>, tensor<4xf32>
  return
}
