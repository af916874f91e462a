// A layer as PyTorch and as JAX write it: the weight with k contiguous, and not.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=fp8 -o - | FileCheck %s --check-prefix=FP8
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=cta -o - --report=text 2>%t.report | FileCheck %s --check-prefix=CTA
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.report
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: fp8-compile %s --recipe=delayed --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: rm -rf %t.kernels
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=kernels -o %t.kernels --report=json --report-file=%t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t.kernels/kernels.json
// RUN: %python %S/Inputs/run_kernels.py --emu ptx-emu --seed 1 %t.kernels | FileCheck %s --check-prefix=DONE
// RUN: %python %S/Inputs/run_kernels.py --emu ptx-emu --seed 2 %t.kernels | FileCheck %s --check-prefix=DONE

// FP8-COUNT-2: fp8.contract
// FP8-NOT: gpu.module

// CTA: gpu.module @kernels
// CTA: cta.kernel @
// CTA: cta.wgmma
// CTA-NOT: fp8.scaled

// LLVM: define {{.*}}ptx_kernel void @
// LLVM: wgmma.mma_async.sync.aligned

// PTX: .target sm_90a
// PTX: .visible .entry
// PTX: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e4m3.e4m3

// REPORT: 2 contractions, 2 fp8, 0 excluded, 0 fallback
// REPORT-COUNT-2: kernel gemm_{{.*}} #cta.schedule<
// JSON-COUNT-2: "name": "gemm_

// KERNELS: "version": 2
// DONE: operations agree
func.func @main(%x: tensor<40x64xbf16>, %w0: tensor<96x64xbf16>, %w1: tensor<96x33xbf16>) -> (tensor<40x33xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<64x96xbf16>
  %t0 = linalg.transpose ins(%w0 : tensor<96x64xbf16>) outs(%e0 : tensor<64x96xbf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<40x96xbf16>
  %f1 = linalg.fill ins(%zero : bf16) outs(%e1 : tensor<40x96xbf16>) -> tensor<40x96xbf16>
  %h = linalg.matmul ins(%x, %t0 : tensor<40x64xbf16>, tensor<64x96xbf16>) outs(%f1 : tensor<40x96xbf16>) -> tensor<40x96xbf16>
  %e2 = tensor.empty() : tensor<40x33xbf16>
  %f2 = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<40x33xbf16>) -> tensor<40x33xbf16>
  %y = linalg.matmul ins(%h, %w1 : tensor<40x96xbf16>, tensor<96x33xbf16>) outs(%f2 : tensor<40x33xbf16>) -> tensor<40x33xbf16>
  return %y : tensor<40x33xbf16>
}
