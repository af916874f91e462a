// The report of an object, and of a run on a device, says which kernels there
// are, and a contraction in FP8 without one is a fallback, as for the kernels
// that --emit=ptx makes (no-kernel-fallback.mlir). On the CPU it is none.
// DEFINE: %{object} = fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_
// RUN: %{object} -o %t.o --report=text --report-file=%t.txt --fail-on-fallback
// RUN: FileCheck %s --input-file=%t.txt
// CHECK: 2 contractions, 1 fp8, 1 excluded, 0 fallback
// CHECK: fp8 {{.*}} product
// CHECK-NEXT: kernel gemm_{{.*}} #cta.schedule<
// CHECK-NEXT: predicted
// CHECK: excluded {{.*}} wide
// CHECK-NEXT: attention_default
// CHECK-NEXT: no_kernel: expected 8-bit operands or both bf16, found f32 and f32

// RUN: %{object} --accumulation=f32 -o %t.o --report=text --report-file=%t.txt
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.txt
// NONE: 2 contractions, 0 fp8, 1 excluded, 1 fallback
// NONE: fallback {{.*}} product
// NONE-NEXT: no_kernel: accumulation 'seq_f32' is not what sm_90a does ('hopper')

// RUN: not %{object} --accumulation=f32 --fail-on-fallback -o %t.no 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not fp8-run %s --recipe=tensorwise --target=sm_90a --device=emu --accumulation=f32 --fill=zeros --fail-on-fallback --output-dir=%t.no 2>&1 | FileCheck %s --check-prefix=FAIL
// FAIL: error: --fail-on-fallback: contraction 0 'product' is no FP8: no_kernel: accumulation
// RUN: not %{object} --accumulation=f32 --require-fp8=product -o %t.no 2>&1 | FileCheck %s --check-prefix=REQUIRE
// REQUIRE: error: --require-fp8=product: contraction 0 'product' is fallback: accumulation
// RUN: not ls %t.no
// RUN: fp8-run %s --recipe=tensorwise --target=sm_90a --device=cpu --accumulation=f32 --fill=zeros --fail-on-fallback
// RUN: fp8-run %s --recipe=tensorwise --target=sm_90a --device=emu --fill=zeros --report=text --report-file=%t.txt --fail-on-fallback
// RUN: FileCheck %s --input-file=%t.txt
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>, %v: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("product")
  %z = linalg.matmul {fp8.role = "attention"} ins(%v, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("wide")
  return %y, %z : tensor<64x64xf32>, tensor<64x64xf32>
}
