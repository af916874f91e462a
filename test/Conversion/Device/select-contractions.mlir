// RUN: fp8-opt --fp8-device-select-contractions %s | FileCheck %s

// Several dimensions are one; only an operand in another order is copied.
// CHECK-LABEL: func.func @heads
// CHECK-SAME: (%[[Q:.*]]: memref<2x9x3x24xbf16>, %[[K:.*]]: memref<2x3x11x24xbf16>, %[[OUT:.*]]: memref<2x3x9x11xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<2x3x9x24xbf16>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[Q]] : {{.*}}) outs(%[[COPY]] :
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @fp8_matrix::@gemm_6x9x11x24_bf16_bf16_f32_hopper_promote128
// CHECK-SAME: args(%[[COPY]] : memref<2x3x9x24xbf16>, %[[K]] : memref<2x3x11x24xbf16>, %[[OUT]] : memref<2x3x9x11xf32>)
func.func @heads(%q: memref<2x9x3x24xbf16>, %k: memref<2x3x11x24xbf16>, %out: memref<2x3x9x11xf32>) {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, j, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<2x9x3x24xbf16>, memref<2x3x11x24xbf16>) outs(%out : memref<2x3x9x11xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// An operand with k outside is transposed by a kernel.
// CHECK-LABEL: func.func @turned
// CHECK-SAME: (%[[A:.*]]: memref<16x8xbf16>, %[[B:.*]]: memref<16x24xbf16>, %[[OUT:.*]]: memref<24x8xbf16>)
// CHECK: gpu.launch_func @fp8_matrix::@transpose_1x16x24_bf16
// CHECK: gpu.launch_func @fp8_matrix::@transpose_1x16x8_bf16
// CHECK: gpu.launch_func @fp8_matrix::@gemm_24x8x16_bf16_bf16_bf16_hopper blocks
// CHECK-SAME: %[[OUT]] : memref<24x8xbf16>)
func.func @turned(%a: memref<16x8xbf16>, %b: memref<16x24xbf16>, %out: memref<24x8xbf16>) {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 0>,
      indexing_maps = [affine_map<(n, m, k) -> (k, n)>, affine_map<(n, m, k) -> (k, m)>, affine_map<(n, m, k) -> (n, m)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %a : memref<16x24xbf16>, memref<16x8xbf16>) outs(%out : memref<24x8xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %acc: bf16):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %wa = arith.extf %acc : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %wa, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}

// Few tiles of a deep sum of parts: blocks share it in new memory, and count
// themselves in words that are cleared before.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[A:.*]]: memref<16x16384xbf16>, %[[B:.*]]: memref<24x16384xbf16>, %[[OUT:.*]]: memref<16x24xf32>)
// CHECK: %[[PARTIALS:.*]] = memref.alloc() : memref<[[#]]xf32>
// CHECK: %[[COUNTERS:.*]] = memref.alloc() : memref<2xi32>
// CHECK: gpu.launch_func @fp8_matrix::@clear_2 {{.*}}args(%[[COUNTERS]] : memref<2xi32>)
// CHECK: gpu.launch_func @fp8_matrix::@gemm_16x24x16384_bf16_bf16_f32_hopper_split4096_split8192 blocks
// CHECK-SAME: args(%[[A]] : memref<16x16384xbf16>, %[[B]] : memref<24x16384xbf16>, %[[OUT]] : memref<16x24xf32>, %[[PARTIALS]] : memref<[[#]]xf32>, %[[COUNTERS]] : memref<2xi32>)
func.func @parts(%a: memref<16x16384xbf16>, %b: memref<24x16384xbf16>, %out: memref<16x24xf32>) {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 0, 4096, 8192>,
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x16384xbf16>, memref<24x16384xbf16>) outs(%out : memref<16x24xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// A sum in sequential f32 has no matrix kernel.
// CHECK-LABEL: func.func @sequential
// CHECK-NOT: gpu.launch_func
// CHECK: linalg.generic {{.*}} attrs = {fp8.cpu_contract = array<i64: 0, 0>, fp8.no_kernel = "expected 8-bit operands or both bf16, found f32 and f32"}
func.func @sequential(%a: memref<16x8xf32>, %b: memref<8x24xf32>, %out: memref<16x24xf32>) {
  linalg.generic {fp8.cpu_contract = array<i64: 0, 0>,
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x8xf32>, memref<8x24xf32>) outs(%out : memref<16x24xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}
