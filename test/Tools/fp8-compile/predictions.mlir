// What the cost model expects of each kernel, on a device of choice.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=cta -o %t.sxm --report=text 2>&1 | FileCheck %s
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=cta -o %t.h20 --gpu=h20 --report=json 2>&1 | FileCheck %s --check-prefix=H20
// RUN: FileCheck %s --check-prefix=GRID --input-file=%t.h20
// RUN: echo '{"base": "h100-sxm", "launch": 1000}' > %t.json
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=cta -o %t.slow --gpu=%t.json --report=text 2>&1 | FileCheck %s --check-prefix=SLOW

// The large product: 1.1e12 operations at 1.979e15 a second are 556 us; promotion,
// and loads that two blocks share, take longer. The small one has the smallest
// tile, which occupies the most multiprocessors.
// CHECK: fp8 {{.*}} 1x8192x8192x8192
// CHECK: schedule<tile = [128, 128, 128], stages = 6, cluster = [2, 1]
// CHECK: predicted {{[67][0-9][0-9]\.[0-9]}} us and {{[0-9.]+}} us of casts, bf16 1{{[0-9]+}}.{{[0-9]}} us; {{[0-9]+}} bytes, bound by {{memory|tensor core}}; next tile 128x128x128, cluster 1x2:
// CHECK: excluded {{.*}} 1x64x64x8192
// CHECK: schedule<tile = [64, 32, 64]
// CHECK: predicted

// On an H20 arithmetic takes seven times as long, and more bytes move than the
// operands have.
// H20: "bound": "tensor core"
// H20: "copies": ""
// H20: "moved_bytes": {{[0-9]+}}
// H20: "predicted_bf16_us": {{[0-9]+}}
// H20: "predicted_us": {{[4-6][0-9][0-9][0-9]}}

// One launch: the cast writes its codes in the order that the kernel reads.
// SLOW-NOT: re-laid
// SLOW: predicted {{17[0-9][0-9]}}
// SLOW: bound by launch

// A persistent kernel has a block for each multiprocessor of the device.
// GRID: cta.kernel @gemm_8192x8192x8192
// GRID-SAME: blocks = 78 : i64
func.func @main(%x: tensor<8192x8192xbf16>, %w: tensor<8192x8192xbf16>, %s: tensor<64x8192xbf16>) -> (tensor<8192x8192xbf16>, tensor<64x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<8192x8192xbf16>
  %f0 = linalg.fill ins(%zero : bf16) outs(%e0 : tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) outs(%f0 : tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  %e1 = tensor.empty() : tensor<8192x64xbf16>
  %t = linalg.transpose ins(%s : tensor<64x8192xbf16>) outs(%e1 : tensor<8192x64xbf16>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<64x64xbf16>
  %f2 = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %z = linalg.matmul ins(%s, %t : tensor<64x8192xbf16>, tensor<8192x64xbf16>) outs(%f2 : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %y, %z : tensor<8192x8192xbf16>, tensor<64x64xbf16>
}
