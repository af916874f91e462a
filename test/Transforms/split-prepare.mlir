// prepare gives the codes in the order that the target's kernels read: without
// it every call re-lays them.

// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --report=text -o %t.ptx --split-prepare 2>&1 | FileCheck %s --check-prefix=SPLIT --implicit-check-not=re-laid
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --split-prepare | FileCheck %s --check-prefix=IR
// RUN: fp8-compile %s --recipe=tensorwise --target=cpu --split-prepare | FileCheck %s --check-prefix=CPU

// SPLIT: kernel gemm_16x32x64

// IR: func.func @prepare(%[[W:.*]]: tensor<64x32xbf16>
// IR-SAME: -> !fp8.tensor<32x64xf8E4M3FN
// IR: %[[Q:.*]] = fp8.quantize %[[W]]
// IR: %[[T:.*]] = fp8.transpose %[[Q]] [1, 0]
// IR: return %[[T]]
// IR: func.func @main(%{{.*}}: tensor<16x64xbf16>
// IR-SAME: !fp8.tensor<32x64xf8E4M3FN, bf16, scale = <f32, block = *x*>> {fp8.prepared = 0 : i64}
// IR-SAME: attributes {fp8.prepare = @prepare}
// IR: fp8.contract
// IR-SAME: transpose_rhs

// CPU: func.func @prepare
// CPU-SAME: -> !fp8.tensor<64x32xf8E4M3FN

func.func @main(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
