// RUN: fp8-opt %s -fp8-select-kernels=target=sm_90a | FileCheck %s
// RUN: not fp8-opt %s -fp8-select-kernels=target=sm_90 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not fp8-opt %s -fp8-select-kernels=target=cpu 2>&1 | FileCheck %s --check-prefix=CPU

// PLAIN: error: fp8-select-kernels: target 'sm_90' lacks the instructions that FP8 kernels need: use 'sm_90a'
// CPU: error: fp8-select-kernels: expected a GPU target, got 'cpu'; see fp8-compile --list-targets

// Two equal products share a kernel.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: fp8.kernel = "gemm_256x128x512_f8E4M3FN_f8E5M2_bf16_auto", fp8.launches = [{arguments = ["lhs", "rhs", "result", "lhs_scale", "rhs_scale"], kernel = "gemm_256x128x512_f8E4M3FN_f8E5M2_bf16_auto"}]
func.func @shared(%a: tensor<256x512xf8E4M3FN>, %b: tensor<128x512xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>) -> (tensor<256x128xbf16>, tensor<256x128xbf16>) {
  %e = tensor.empty() : tensor<256x128xbf16>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<128x512xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<256x128xbf16>) {transpose_rhs} -> tensor<256x128xbf16>
  %1 = fp8.scaled_contract ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<128x512xf8E5M2>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<256x128xbf16>) {transpose_rhs} -> tensor<256x128xbf16>
  return %0, %1 : tensor<256x128xbf16>, tensor<256x128xbf16>
}

// CHECK-LABEL: func.func @cast
// CHECK: fp8.kernel = "cast_512_bf16_f8E4M3FN", fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_512_bf16_f8E4M3FN"}]
func.func @cast(%x: tensor<8x64xbf16>, %m: tensor<f32>) -> tensor<8x64xf8E4M3FN> {
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %0 = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %0 : tensor<8x64xf8E4M3FN>
}

// k is not contiguous in b: it is transposed first, once for both products; k is
// padded to 16.
// CHECK-LABEL: func.func @mn_major
// CHECK-SAME: fp8.scratch = array<i64: 14336, 14336>
// CHECK: fp8.launches = [{arguments = ["lhs", "scratch0"], kernel = "pad_1x128x100_f8E4M3FN"}, {arguments = ["rhs", "scratch1"], kernel = "transpose_1x100x128_f8E4M3FN"}, {arguments = ["scratch0", "scratch1", "result", "lhs_scale", "rhs_scale"], kernel = "gemm_128x128x112_f8E4M3FN_f8E4M3FN_f32_auto"}]
// CHECK: fp8.launches = [{arguments = ["scratch0", "scratch1", "result", "lhs_scale", "rhs_scale"], kernel = "gemm_128x128x112_f8E4M3FN_f8E4M3FN_f32_auto"}]
func.func @mn_major(%a: tensor<128x100xf8E4M3FN>, %b: tensor<100x128xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %e = tensor.empty() : tensor<128x128xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<128x100xf8E4M3FN>, tensor<100x128xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = fp8.scaled_contract ins(%a, %b : tensor<128x100xf8E4M3FN>, tensor<100x128xf8E4M3FN>) scales(%sb, %sa : tensor<f32>, tensor<f32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0, %1 : tensor<128x128xf32>, tensor<128x128xf32>
}

// The codes are read with k contiguous only: the cast writes them so, from its
// one read of the values, and nothing else.
// CHECK-LABEL: func.func @cast_transposed
// CHECK: fp8.launches = [{arguments = ["input", "multiplier", "scratch0"], kernel = "cast_transpose_1x96x128_bf16_f8E4M3FN"}]
// CHECK: fp8.launches = [{arguments = ["lhs", "scratch0", "result", "lhs_scale", "rhs_scale"], kernel = "gemm_128x128x96_f8E4M3FN_f8E4M3FN_f32_auto"}]
func.func @cast_transposed(%a: tensor<128x96xf8E4M3FN>, %x: tensor<96x128xbf16>, %m: tensor<f32>, %sa: tensor<f32>, %sb: tensor<f32>) -> tensor<128x128xf32> {
  %c = tensor.empty() : tensor<96x128xf8E4M3FN>
  %e = tensor.empty() : tensor<128x128xf32>
  %b = fp8.scaled_quantize ins(%x, %m : tensor<96x128xbf16>, tensor<f32>) outs(%c : tensor<96x128xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<128x96xf8E4M3FN>, tensor<96x128xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// Another product reads them as they are: one read, both orders.
// CHECK-LABEL: func.func @cast_both
// CHECK: fp8.launches = [{arguments = ["input", "multiplier", "scratch0", "result"], kernel = "cast_transpose_1x96x96_bf16_f8E4M3FN_both"}]
// CHECK: {arguments = ["scratch0", "rhs", "result", "lhs_scale", "rhs_scale"]
func.func @cast_both(%x: tensor<96x96xbf16>, %m: tensor<f32>, %s: tensor<f32>) -> tensor<96x96xf32> {
  %c = tensor.empty() : tensor<96x96xf8E4M3FN>
  %e = tensor.empty() : tensor<96x96xf32>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<96x96xbf16>, tensor<f32>) outs(%c : tensor<96x96xf8E4M3FN>) -> tensor<96x96xf8E4M3FN>
  %0 = fp8.scaled_contract ins(%q, %q : tensor<96x96xf8E4M3FN>, tensor<96x96xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<96x96xf32>) {transpose_lhs, transpose_rhs} -> tensor<96x96xf32>
  return %0 : tensor<96x96xf32>
}

// Plain products have kernels too; F32 ones do not.
// CHECK-LABEL: func.func @plain
// CHECK: fp8.kernel = "gemm_8x16x32_bf16_bf16_bf16_auto", fp8.launches = [{arguments = ["lhs", "rhs", "result"], kernel = "gemm_8x16x32_bf16_bf16_bf16_auto"}]
// CHECK: fp8.scaled_contract
// CHECK-NOT: fp8.kernel
// CHECK: return
func.func @plain(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %c: tensor<8x32xf32>, %d: tensor<16x32xf32>, %e: tensor<8x16xbf16>, %f: tensor<8x16xf32>) -> (tensor<8x16xbf16>, tensor<8x16xf32>) {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xbf16>) {transpose_rhs} -> tensor<8x16xbf16>
  %1 = fp8.scaled_contract ins(%c, %d : tensor<8x32xf32>, tensor<16x32xf32>) outs(%f : tensor<8x16xf32>) {transpose_rhs} -> tensor<8x16xf32>
  return %0, %1 : tensor<8x16xbf16>, tensor<8x16xf32>
}

// CHECK-LABEL: func.func @batched
// CHECK: fp8.kernel = "gemm_3x8x16x32_f8E4M3FN_f8E4M3FN_f32_auto"
func.func @batched(%a: tensor<3x8x32xf8E4M3FN>, %b: tensor<3x16x32xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<3x8x16xf32>) -> tensor<3x8x16xf32> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<3x8x32xf8E4M3FN>, tensor<3x16x32xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<3x8x16xf32>) {transpose_rhs} -> tensor<3x8x16xf32>
  return %0 : tensor<3x8x16xf32>
}

// m is a number of the launch: a kernel for each of up to four ranges of it.
// CHECK-LABEL: func.func @any_rows
// CHECK: fp8.launches = [{arguments = ["lhs", "rhs", "result", "lhs_scale", "rhs_scale", "m"], kernel = "gemm_anyx128x256_f8E4M3FN_f8E4M3FN_f32_auto_from1", m = array<i64: 1, {{[0-9]+}}>}, {{.*}}kernel = "gemm_anyx128x256_f8E4M3FN_f8E4M3FN_f32_auto_from{{[0-9]+}}", m = array<i64: {{[0-9]+}}, -9223372036854775808>}], fp8.sizes = {m = "lhs.0"}
func.func @any_rows(%a: tensor<?x256xf8E4M3FN>, %b: tensor<128x256xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<?x256xf8E4M3FN>, tensor<128x256xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<?x128xf32>) {transpose_rhs} -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// CHECK-LABEL: func.func @any_batch
// CHECK: fp8.launches = [{arguments = ["lhs", "rhs", "result", "lhs_scale", "rhs_scale", "batch"], kernel = "gemm_anyx64x128x256_f8E4M3FN_f8E4M3FN_f32_auto"}], fp8.sizes = {batch = "lhs.0"}
func.func @any_batch(%a: tensor<?x64x256xf8E4M3FN>, %b: tensor<?x128x256xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<?x64x128xf32>) -> tensor<?x64x128xf32> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<?x64x256xf8E4M3FN>, tensor<?x128x256xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<?x64x128xf32>) {transpose_rhs} -> tensor<?x64x128xf32>
  return %0 : tensor<?x64x128xf32>
}

// Copies need sizes: k is not contiguous in a.
// CHECK-LABEL: func.func @any_rows_turned
// CHECK-NOT: fp8.launches
func.func @any_rows_turned(%a: tensor<256x?xf8E4M3FN>, %b: tensor<128x256xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<256x?xf8E4M3FN>, tensor<128x256xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<?x128xf32>) {transpose_lhs, transpose_rhs} -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// The product has no kernel, so the codes are written as they are.
// CHECK-LABEL: func.func @cast_for_none
// CHECK: fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_32768_bf16_f8E4M3FN"}]
// CHECK-NOT: fp8.launches
func.func @cast_for_none(%a: tensor<256x?xf8E4M3FN>, %w: tensor<256x128xbf16>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %ec = tensor.empty() : tensor<256x128xf8E4M3FN>
  %b = fp8.scaled_quantize ins(%w, %sb : tensor<256x128xbf16>, tensor<f32>) outs(%ec : tensor<256x128xf8E4M3FN>) -> tensor<256x128xf8E4M3FN>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<256x?xf8E4M3FN>, tensor<256x128xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<?x128xf32>) {transpose_lhs} -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// The same where what is fused behind the product is the reason: five results.
// CHECK-LABEL: func.func @cast_for_none_fused
// CHECK: fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_2048_bf16_f8E4M3FN"}]
// CHECK-NOT: fp8.launches
#mn = affine_map<(m, n) -> (m, n)>
func.func private @five(%a: tensor<32x32xf8E4M3FN>, %b: tensor<32x64xf8E4M3FN>, %s: tensor<f32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) attributes {fp8.fused} {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<32x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %1:4 = linalg.generic {indexing_maps = [#mn, #mn, #mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<32x64xf32>) outs(%e, %e, %e, %e : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) {
  ^bb0(%x: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32):
    linalg.yield %x, %x, %x, %x : f32, f32, f32, f32
  } -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>)
  return %0, %1#0, %1#1, %1#2, %1#3 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
}
func.func @cast_for_none_fused(%a: tensor<32x32xf8E4M3FN>, %w: tensor<32x64xbf16>, %s: tensor<f32>) -> tensor<32x64xf32> {
  %ec = tensor.empty() : tensor<32x64xf8E4M3FN>
  %b = fp8.scaled_quantize ins(%w, %s : tensor<32x64xbf16>, tensor<f32>) outs(%ec : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  %0:5 = func.call @five(%a, %b, %s) : (tensor<32x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<f32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>)
  return %0#0 : tensor<32x64xf32>
}

// CHECK-LABEL: gpu.module @kernels
// CHECK: cta.kernel @gemm_256x128x512_f8E4M3FN_f8E5M2_bf16_auto
// CHECK-SAME: fp8.argument = {element = f8E4M3FN, elements = 131072 : i64, name = "lhs", result = false}
// CHECK-SAME: blocks = 16 : i64
// CHECK-SAME: fp8.computes = {batch = 1 : i64, k = 512 : i64, m = 256 : i64, model = "hopper", n = 128 : i64, operation = "contract", promote = 128 : i64}
// CHECK-SAME: schedule = #cta.schedule<tile = [64, 32, 128], stages = 6, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>
// CHECK-SAME: target = "sm_90a"
// CHECK: cta.role producer
// CHECK: cta.tma.load
// CHECK: cta.role consumer
// CHECK: cta.wgmma
// CHECK: cta.wait
// CHECK: cta.ring.release
// CHECK: arith.addf
// CHECK: cta.tma.store
// CHECK: cta.kernel @cast_512_bf16_f8E4M3FN
// CHECK: cta.quantize
// CHECK: cta.kernel @pad_1x128x100
// CHECK: cta.kernel @transpose_1x100x128
// CHECK: cta.kernel @gemm_128x128x112
// CHECK: cta.kernel @cast_transpose_1x96x128
// CHECK: cta.kernel @gemm_128x128x96
// CHECK: cta.kernel @cast_transpose_1x96x96_bf16_f8E4M3FN_both
// CHECK: cta.kernel @gemm_96x96x96
// CHECK: cta.kernel @gemm_8x16x32_bf16
// CHECK: cta.kernel @gemm_3x8x16x32
// CHECK: cta.tiles extents = [3, 1, 1]
// CHECK: cta.kernel @gemm_anyx128x256_f8E4M3FN_f8E4M3FN_f32_auto_from1(
// CHECK-SAME: !cta.tensor_map<?x256xf8E4M3FN
// CHECK: cta.tiles extents = [%{{.*}}, {{[0-9]+}}]
// CHECK: cta.kernel @gemm_anyx128x256
// CHECK: cta.kernel @gemm_anyx64x128x256
// CHECK: cta.tiles extents = [%{{.*}}, 1, {{[0-9]+}}]
// CHECK-NOT: cta.kernel @gemm
