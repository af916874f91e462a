// RUN: fp8-opt %s -fp8-fuse-epilogues=functions -fp8-expand-math=only=fp8.fused -fp8-select-kernels=whole-graph -fp8-device-launch-kernels | FileCheck %s

#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>

// One kernel has the product, the bias, the activation and the amax; the cast
// that waits for it writes the order that the next product reads, too.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[A:.*]]: tensor<32x64xbf16>, %[[B:.*]]: tensor<48x64xbf16>, %[[BIAS:.*]]: tensor<48xbf16>
// CHECK: %[[ZERO:.*]] = cta.launch @fp8_matrix::@clear_amax[0] outs(%{{.*}} : tensor<2xi32>) -> tensor<2xi32>
// CHECK: %[[Y:.*]]:2 = cta.launch @fp8_matrix::@gemm_32x48x64_bf16_bf16_bf16_auto_fused{{[0-9a-f]+}}[0, 1, 3, 4, 2] ins(%[[A]], %[[B]], %[[BIAS]] : {{.*}}) outs(%{{.*}}, %[[ZERO]] : tensor<32x48xbf16>, tensor<2xi32>)
// CHECK: tensor.extract_slice %[[Y]]#1[0] [1] [1] : tensor<2xi32> to tensor<i32>
// CHECK: %[[AMAX:.*]] = linalg.generic
// CHECK: arith.bitcast
// CHECK: tensor.extract_slice %[[Y]]#1[1] [1] [1] : tensor<2xi32> to tensor<i32>
// CHECK: %[[FLAGS:.*]] = linalg.generic
// CHECK: arith.trunci
// CHECK: %[[M:.*]], %[[S:.*]] = fp8.scale_from_amax %[[AMAX]], %[[FLAGS]]
// CHECK: %[[Q:.*]]:2 = cta.launch @fp8_matrix::@cast_transpose_1x32x48_bf16_f8E4M3FN_both[0, 1, 2, 3] ins(%[[Y]]#0, %[[M]] : {{.*}}) outs(%{{.*}}, %{{.*}} : tensor<1536xf8E4M3FN>, tensor<32x48xf8E4M3FN>)
// CHECK: cta.launch @fp8_matrix::@gemm_48x48x32_f8E4M3FN_f8E4M3FN_f32_auto[0, 1, 4, 2, 3] ins(%[[Q]]#0, %[[Q]]#0, %[[S]], %[[S]] :
// CHECK: return %{{.*}}, %[[Q]]#1
// CHECK-NOT: fp8.fused
func.func @layer(%a: tensor<32x64xbf16>, %b: tensor<48x64xbf16>, %bias: tensor<48xbf16>) -> (tensor<48x48xf32>, tensor<32x48xf8E4M3FN>) {
  %e = tensor.empty() : tensor<32x48xbf16>
  %p = fp8.scaled_contract ins(%a, %b : tensor<32x64xbf16>, tensor<48x64xbf16>) outs(%e : tensor<32x48xbf16>) {transpose_rhs} -> tensor<32x48xbf16>
  %y = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<32x48xbf16>, tensor<48xbf16>) outs(%e : tensor<32x48xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    %t = math.tanh %sum : bf16
    linalg.yield %t : bf16
  } -> tensor<32x48xbf16>
  %amax, %flags = fp8.amax %y : tensor<32x48xbf16>
  %m, %s = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
  %ec = tensor.empty() : tensor<32x48xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%y, %m : tensor<32x48xbf16>, tensor<f32>) outs(%ec : tensor<32x48xf8E4M3FN>) -> tensor<32x48xf8E4M3FN>
  %eg = tensor.empty() : tensor<48x48xf32>
  %g = fp8.scaled_contract ins(%q, %q : tensor<32x48xf8E4M3FN>, tensor<32x48xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%eg : tensor<48x48xf32>) {transpose_lhs} -> tensor<48x48xf32>
  return %g, %q : tensor<48x48xf32>, tensor<32x48xf8E4M3FN>
}

// An amax of an argument: read once.
// CHECK-LABEL: func.func @amax(
// CHECK: %[[W:.*]] = cta.launch @fp8_matrix::@amax_100_f32[0, 1] ins(%arg0 : tensor<10x10xf32>) outs(%{{.*}} : tensor<2xi32>)
// CHECK: tensor.extract_slice %[[W]][0] [1] [1]
// CHECK: tensor.extract_slice %[[W]][1] [1] [1]
func.func @amax(%x: tensor<10x10xf32>) -> (tensor<f32>, tensor<i8>) {
  %amax, %flags = fp8.amax %x : tensor<10x10xf32>
  return %amax, %flags : tensor<f32>, tensor<i8>
}

// Of delayed scaling: what the scale reads in its first steps, then the cast,
// which takes what is recorded into the same words.
// CHECK-LABEL: func.func @delayed(
// CHECK-SAME: %[[X:.*]]: tensor<10x10xf32>, %{{.*}}: tensor<f32>, %[[COUNT:.*]]: tensor<i32>
// CHECK: %[[ZERO:.*]] = cta.launch @fp8_matrix::@clear_amax[0]
// CHECK: %[[FIRST:.*]] = cta.launch @fp8_matrix::@amax_100_f32_below1[0, 1, 2] ins(%[[X]], %[[COUNT]] : tensor<10x10xf32>, tensor<i32>) outs(%[[ZERO]] : tensor<2xi32>)
// CHECK: tensor.extract_slice %[[FIRST]][0] [1] [1]
// CHECK: %[[M:.*]], %{{.*}} = fp8.delayed_scale
// CHECK: %[[Q:.*]]:2 = cta.launch @fp8_matrix::@cast_100_f32_f8E5M2_amax[0, 1, 2, 3] ins(%[[X]], %[[M]] : {{.*}}) outs(%{{.*}}, %[[FIRST]] : tensor<10x10xf8E5M2>, tensor<2xi32>)
// CHECK: tensor.extract_slice %[[Q]]#1[0] [1] [1]
// CHECK: tensor.extract_slice %[[Q]]#1[1] [1] [1]
// CHECK: return %[[Q]]#0,
func.func @delayed(%x: tensor<10x10xf32>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<10x10xf8E5M2>, tensor<f32>, tensor<i8>) {
  %amax, %flags = fp8.amax %x : tensor<10x10xf32>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E5M2>, numerics = #fp8<numerics safe>} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<10x10xf8E5M2>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<10x10xf32>, tensor<f32>) outs(%e : tensor<10x10xf8E5M2>) -> tensor<10x10xf8E5M2>
  return %q, %amax, %flags : tensor<10x10xf8E5M2>, tensor<f32>, tensor<i8>
}

// The loop that makes the values encodes them as well: nobody else reads them.
// CHECK-LABEL: func.func @plain_cast(
// CHECK: linalg.generic
// CHECK: fp8.scaled_quantize {{.*}} outs(%{{.*}} : tensor<32x48xf8E4M3FN>) ->
func.func @plain_cast(%x: tensor<32x48xbf16>, %m: tensor<f32>) -> tensor<32x48xf8E4M3FN> {
  %e = tensor.empty() : tensor<32x48xbf16>
  %y = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x48xbf16>) outs(%e : tensor<32x48xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %sum = arith.addf %in, %in : bf16
    linalg.yield %sum : bf16
  } -> tensor<32x48xbf16>
  %ec = tensor.empty() : tensor<32x48xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%y, %m : tensor<32x48xbf16>, tensor<f32>) outs(%ec : tensor<32x48xf8E4M3FN>) -> tensor<32x48xf8E4M3FN>
  return %q : tensor<32x48xf8E4M3FN>
}

// Sums in sequential f32 have no kernel: loops do it, which is worth no remark.
// CHECK-LABEL: func.func @sequential(
// CHECK: fp8.scaled_contract
func.func @sequential(%a: tensor<8x32xf32>, %b: tensor<16x32xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xf32>, tensor<16x32xf32>) outs(%e : tensor<8x16xf32>) {transpose_rhs} -> tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}

// Only what is launched is compiled.
// CHECK: gpu.module @fp8_matrix
// CHECK-NOT: cast_1536
// CHECK-COUNT-7: cta.kernel
// CHECK-NOT: cta.kernel
