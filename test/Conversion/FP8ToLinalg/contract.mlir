// A product of codes reads them as it reads bf16: by extensions in its body,
// which become arithmetic where loops run them and nowhere else.
// RUN: fp8-opt %s --fp8-to-linalg | FileCheck %s
// RUN: fp8-opt %s --fp8-to-linalg --canonicalize --fp8-cpu-mark-contractions | FileCheck %s
// RUN: fp8-opt %s --fp8-to-linalg --fp8-expand-math | FileCheck %s --check-prefix=EXPANDED

// CHECK-LABEL: func.func @codes(
// CHECK: linalg.generic {{.*}}{fp8.cpu_contract = array<i64: 1, 128>}
// CHECK: ^bb0(%[[A:.*]]: f8E4M3FN, %[[B:.*]]: f8E5M2, %[[SA:.*]]: f32, %[[SB:.*]]: f32, %[[ACC:.*]]: bf16):
// CHECK-NEXT: %[[X:.*]] = arith.extf %[[A]] : f8E4M3FN to f32
// CHECK-NEXT: %[[Y:.*]] = arith.extf %[[B]] : f8E5M2 to f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[SA]], %[[SB]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[P]], %[[S]] : f32
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[ACC]] : bf16 to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[WIDE]], %[[Q]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
// EXPANDED-LABEL: func.func @codes(
// EXPANDED-NOT: arith.extf %{{.*}} : f8
func.func @codes(%a: tensor<8x32xf8E4M3FN>, %b: tensor<16x32xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>) -> tensor<8x16xbf16> {
  %e = tensor.empty() : tensor<8x16xbf16>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<8x32xf8E4M3FN>, tensor<16x32xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<8x16xbf16>) {accumulation = #fp8.accum<model = hopper, promote = 128>, transpose_rhs} -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}
