// RUN: fp8-opt %s --mlir-print-local-scope -fp8-device-bind-sizes -fp8-device-select-contractions --split-input-file | FileCheck %s
// RUN: fp8-opt %s --mlir-print-local-scope -fp8-device-bind-sizes -fp8-device-select-contractions -fp8-cpu-plan-buffers -fp8-cpu-outline-kernels -fp8-device-map-threads --split-input-file | FileCheck %s --check-prefix=MAP

// Rows that the launch decides: the host takes the kernel whose range has them.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[M:arg3]]: index
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[M]] : index to i32
// CHECK: arith.cmpi uge, %[[M]], %c1
// CHECK: scf.if
// CHECK: %[[TILES:.*]] = arith.minui
// CHECK: gpu.launch_func @fp8_matrix::@gemm_anyx48x32_bf16_bf16_f32_hopper_promote128_from1 blocks in (%[[TILES]], %{{.*}}, %{{.*}}) {{.*}} args(%{{.*}}, %{{.*}}, %{{.*}}, %[[SIZE]] : i32)
// CHECK: scf.if
// CHECK: gpu.launch_func @fp8_matrix::@gemm_anyx48x32_bf16_bf16_f32_hopper_promote128_from257
func.func @rows(%a: memref<?x32xbf16>, %b: memref<48x32xbf16>, %c: memref<?x48xf32>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x32xbf16>, memref<48x32xbf16>) outs(%c : memref<?x48xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A sum over rows that the launch decides: both operands are re-laid.
// CHECK-LABEL: func.func @depth
// CHECK: %[[PITCH:.*]] = affine.apply affine_map<()[s0, s1] -> ((s0 ceildiv 8) * 8)>
// CHECK: memref.alloc(%[[PITCH]]) : memref<1x32x?xbf16>
// CHECK: gpu.launch_func @fp8_matrix::@transpose_1xanyx32_bf16
// CHECK: gpu.launch_func @fp8_matrix::@transpose_1xanyx48_bf16
// CHECK: %[[K:.*]] = arith.index_cast %[[PITCH]] : index to i32
// CHECK: gpu.launch_func @fp8_matrix::@gemm_32x48xany_bf16_bf16_f32_hopper_promote128 blocks {{.*}} args(%{{.*}}, %{{.*}}, %{{.*}}, %[[K]] : i32)
// CHECK: cta.kernel @gemm_32x48xany_bf16_bf16_f32_hopper_promote128(%{{.*}}: !cta.tensor_map<32x?xbf16
func.func @depth(%a: memref<?x32xbf16>, %b: memref<?x48xbf16>, %c: memref<32x48xf32>) attributes {fp8.result_sizes = affine_map<()[s0, s1] -> ()>} {
  linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x32xbf16>, memref<?x48xbf16>) outs(%c : memref<32x48xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Loops step over the grid; the host counts its blocks. The parts of a sum's
// tree are as long as the size says.
// MAP-LABEL: func.func @loops
// MAP: call @[[ADD:fp8_kernel_0]](%{{.*}}, %[[N:.*]], {{.*}})
// MAP: call @[[SUM:fp8_kernel_1]]
// MAP: func.func private @[[ADD]](
// MAP-SAME: fp8.device_blocks = affine_map<()[s0] -> ((s0 * 8) ceildiv 256)>
// MAP-SAME: fp8.device_grid = array<i64: 4096, 256>
// MAP: nvvm.read.ptx.sreg.nctaid.x
// MAP: scf.for
// MAP: func.func private @[[SUM]](
// MAP-SAME: fp8.device_grid = array<i64: 1, 32>
// MAP: affine.apply affine_map<()[s0] -> ((s0 floordiv 32) * 32)>
func.func @loops(%a: memref<?x8xf32>, %b: memref<?x8xf32>, %c: memref<f32>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
  linalg.add ins(%a, %a : memref<?x8xf32>, memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, m) -> (m, n)>, affine_map<(n, m) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<?x8xf32>) outs(%c : memref<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The host counts the elements of a launch on buffers.
// CHECK-LABEL: func.func @elements
// CHECK: %[[COUNT:.*]] = affine.apply affine_map<()[s0] -> (s0 * 8)>
// CHECK: %[[N:.*]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK: gpu.launch_func @fp8_matrix::@cast {{.*}} args(%{{.*}}, %{{.*}}, %{{.*}}, %[[N]] : i64)
gpu.module @fp8_matrix {
  cta.kernel @cast(%x: !llvm.ptr<1> {fp8.argument = {name = "input", element = bf16, elements = -9223372036854775808 : i64, result = false}},
                   %m: !llvm.ptr<1> {fp8.argument = {name = "multiplier", element = f32, elements = 1 : i64, result = false}},
                   %y: !llvm.ptr<1> {fp8.argument = {name = "result", element = f8E4M3FN, elements = -9223372036854775808 : i64, result = true}},
                   %n: i64 {fp8.argument = {name = "elements", element = i64, elements = 1 : i64, result = false}})
      attributes {target = "sm_90a", threads = 256 : i64, blocks = 64 : i64} {
    cta.return
  }
}
func.func @elements(%x: memref<?x8xbf16>, %m: memref<f32>, %y: memref<?x8xf8E4M3FN>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %r = memref.dim %x, %c0 : memref<?x8xbf16>
  %n = arith.muli %r, %c8 : index
  cta.launch @fp8_matrix::@cast[0, 1, 2, 3] ins(%x, %m : memref<?x8xbf16>, memref<f32>) outs(%y : memref<?x8xf8E4M3FN>) sizes(%n)
  return
}
