// Where code for a GPU is emitted, a contraction without a kernel is a fallback
// although others have one, and counts as one. On the level of fp8 it is not.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx -o %t.ptx --report=text --report-file=%t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx -o %t.ptx --report=json --report-file=%t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --fail-on-fallback --require-fp8=dynamic -o %t.mlir
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --fail-on-fallback -o %t.no 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=kernels --require-fp8=dynamic -o %t.no 2>&1 | FileCheck %s --check-prefix=REQUIRE
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --require-fp8=static -o %t.ptx
// RUN: not ls %t.no

// CHECK: 2 contractions, 1 fp8, 0 excluded, 1 fallback
// CHECK: fp8 {{.*}} static
// CHECK: fallback {{.*}} dynamic
// CHECK-NEXT: no_kernel: expected static n and k
// CHECK-NOT: no_kernel

// JSON: "name": "dynamic"
// JSON: "reason_code": "no_kernel"
// JSON: "status": "fallback"
// FAIL: error: --fail-on-fallback: contraction 1 'dynamic' is no FP8: no_kernel: expected static n and k
// REQUIRE: error: --require-fp8=dynamic: contraction 1 'dynamic' is fallback: expected static n and k
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>, %d: tensor<64x?xbf16>, %v: tensor<?x64xbf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("static")
  %z = linalg.matmul ins(%d, %v : tensor<64x?xbf16>, tensor<?x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("dynamic")
  return %y, %z : tensor<64x64xf32>, tensor<64x64xf32>
}
