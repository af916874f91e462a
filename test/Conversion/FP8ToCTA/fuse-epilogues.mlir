// RUN: fp8-opt %s -fp8-fuse-epilogues | FileCheck %s
// RUN: fp8-opt %s -fp8-fuse-epilogues -fp8-select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: not fp8-opt %s -fp8-fuse-epilogues=target=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: fp8-fuse-epilogues: expected a GPU target, got 'cpu'; see fp8-compile --list-targets

#btn = affine_map<(b, t, n) -> (b, t, n)>
#bn = affine_map<(b, t, n) -> (b, n)>
#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>

// Bias, the value in BF16, its amax and its codes.
// CHECK-LABEL: func.func private @all_fused0(
// CHECK-SAME: %{{.*}}: tensor<8x32xbf16>, %{{.*}}: tensor<16x32xbf16>, %{{.*}}: tensor<16xbf16>, %{{.*}}: tensor<f32>) -> (tensor<8x16xbf16>, tensor<f32>, tensor<i8>, tensor<8x16xf8E4M3FN>) attributes {fp8.fused}
// CHECK: fp8.scaled_contract
// CHECK: linalg.generic
// CHECK: fp8.amax
// CHECK: fp8.scaled_quantize
// CHECK-LABEL: func.func @all(
// CHECK: %{{.*}}:4 = call @all_fused0(%arg0, %arg1, %arg2, %arg3)
// CHECK-NEXT: return

// SELECT-LABEL: func.func @all(
// SELECT: fp8.launches = [{arguments = ["scratch0"], kernel = "clear_amax"}, {arguments = ["arg0", "arg1", "result0", "scratch0", "result3", "arg2", "arg3"], kernel = "[[$K:gemm_8x16x32_bf16_bf16_bf16_auto_fused[0-9a-f]+]]"}, {arguments = ["scratch0", "result1", "result2"], kernel = "amax"}]
func.func @all(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<16xbf16>, %m: tensor<f32>) -> (tensor<8x16xbf16>, tensor<f32>, tensor<i8>, tensor<8x16xf8E4M3FN>) {
  %e = tensor.empty() : tensor<8x16xbf16>
  %zero = arith.constant 0.0 : bf16
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xbf16>) {transpose_rhs} -> tensor<8x16xbf16>
  %y = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<8x16xbf16>, tensor<16xbf16>) outs(%e : tensor<8x16xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    %relu = arith.maximumf %sum, %zero : bf16
    linalg.yield %relu : bf16
  } -> tensor<8x16xbf16>
  %amax, %flags = fp8.amax %y : tensor<8x16xbf16>
  %ec = tensor.empty() : tensor<8x16xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%y, %m : tensor<8x16xbf16>, tensor<f32>) outs(%ec : tensor<8x16xf8E4M3FN>) -> tensor<8x16xf8E4M3FN>
  return %y, %amax, %flags, %q : tensor<8x16xbf16>, tensor<f32>, tensor<i8>, tensor<8x16xf8E4M3FN>
}

// A scale from this amax needs the whole product first: the cast stays outside.
// CHECK-LABEL: func.func private @current_fused0(
// CHECK-SAME: -> (tensor<8x16xbf16>, tensor<f32>, tensor<i8>)
// CHECK-LABEL: func.func @current(
// CHECK: call @current_fused0(
// CHECK: fp8.scale_from_amax
// CHECK: fp8.scaled_quantize
// SELECT-LABEL: func.func @current(
// SELECT: kernel = "cast_128_bf16_f8E4M3FN"
func.func @current(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>) -> tensor<8x16xf8E4M3FN> {
  %e = tensor.empty() : tensor<8x16xbf16>
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xbf16>) {transpose_rhs} -> tensor<8x16xbf16>
  %amax, %flags = fp8.amax %p : tensor<8x16xbf16>
  %mult, %scale = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics te>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
  %ec = tensor.empty() : tensor<8x16xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%p, %mult : tensor<8x16xbf16>, tensor<f32>) outs(%ec : tensor<8x16xf8E4M3FN>) -> tensor<8x16xf8E4M3FN>
  return %q : tensor<8x16xf8E4M3FN>
}

// The second sum's other operand depends on the product, and another reader of
// the product comes before it: only the first joins.
// CHECK-LABEL: func.func private @order_fused0(
// CHECK-COUNT-1: linalg.generic
// CHECK-LABEL: func.func @order(
// CHECK: call @order_fused0(
// CHECK: tensor.extract_slice
// CHECK: linalg.generic
func.func @order(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %r: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %e = tensor.empty() : tensor<8x16xbf16>
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xbf16>) {transpose_rhs} -> tensor<8x16xbf16>
  %y = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %r : tensor<8x16xbf16>, tensor<8x16xbf16>) outs(%e : tensor<8x16xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    linalg.yield %sum : bf16
  } -> tensor<8x16xbf16>
  %row = tensor.extract_slice %y[0, 0] [1, 16] [1, 1] : tensor<8x16xbf16> to tensor<16xbf16>
  %z = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%y, %row : tensor<8x16xbf16>, tensor<16xbf16>) outs(%e : tensor<8x16xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %out: bf16):
    %sum = arith.addf %x, %c : bf16
    linalg.yield %sum : bf16
  } -> tensor<8x16xbf16>
  return %z : tensor<8x16xbf16>
}

// A library function is no arithmetic; fp8-expand-math makes some of it.
// CHECK-LABEL: func.func @unknown(
// CHECK: fp8.scaled_contract
// CHECK: math.tanh
func.func @unknown(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xf32>) {transpose_rhs} -> tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %t = math.tanh %x : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// m is a number of the launch: nothing joins, as the function's destinations
// would need it.
// CHECK-LABEL: func.func @any_rows(
// CHECK-NOT: call
// CHECK: fp8.scaled_contract
// CHECK: fp8.amax
// CHECK: fp8.scaled_quantize
func.func @any_rows(%a: tensor<?x256xbf16>, %b: tensor<128x256xbf16>, %m: tensor<f32>, %e: tensor<?x128xf32>, %ec: tensor<?x128xf8E4M3FN>) -> (tensor<?x128xf32>, tensor<f32>, tensor<i8>, tensor<?x128xf8E4M3FN>) {
  %p = fp8.scaled_contract ins(%a, %b : tensor<?x256xbf16>, tensor<128x256xbf16>) outs(%e : tensor<?x128xf32>) {transpose_rhs} -> tensor<?x128xf32>
  %amax, %flags = fp8.amax %p : tensor<?x128xf32>
  %q = fp8.scaled_quantize ins(%p, %m : tensor<?x128xf32>, tensor<f32>) outs(%ec : tensor<?x128xf8E4M3FN>) -> tensor<?x128xf8E4M3FN>
  return %p, %amax, %flags, %q : tensor<?x128xf32>, tensor<f32>, tensor<i8>, tensor<?x128xf8E4M3FN>
}

// The codes of an amax are no element of the product.
// CHECK-LABEL: func.func private @scalar_fused0(
// CHECK-SAME: -> (tensor<8x16xf32>, tensor<f32>)
// CHECK-LABEL: func.func @scalar(
// CHECK: call @scalar_fused0(
// CHECK: fp8.scaled_quantize
func.func @scalar(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %m: tensor<f32>) -> (tensor<8x16xf32>, tensor<f8E4M3FN>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xf32>) {transpose_rhs} -> tensor<8x16xf32>
  %amax, %flags = fp8.amax %p : tensor<8x16xf32>
  %ec = tensor.empty() : tensor<f8E4M3FN>
  %q = fp8.scaled_quantize ins(%amax, %m : tensor<f32>, tensor<f32>) outs(%ec : tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %p, %q : tensor<8x16xf32>, tensor<f8E4M3FN>
}

// What no product comes before keeps its dimensions, and so do a sum over time,
// whose order is that of its loops, and what reads one value for each batch.
// CHECK-LABEL: func.func @apart(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: fp8.scaled_contract
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
func.func @apart(%x: tensor<70x96xbf16>, %b: tensor<40x96xbf16>, %start: tensor<2x40xf32>) -> (tensor<2x35x96xbf16>, tensor<2x40xf32>, tensor<2x35x40xf32>) {
  %rows = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 35, 96] : tensor<70x96xbf16> into tensor<2x35x96xbf16>
  %e3 = tensor.empty() : tensor<2x35x96xbf16>
  %y = linalg.generic {indexing_maps = [#btn, #btn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%rows : tensor<2x35x96xbf16>) outs(%e3 : tensor<2x35x96xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %n = arith.negf %v : bf16
    linalg.yield %n : bf16
  } -> tensor<2x35x96xbf16>
  %e = tensor.empty() : tensor<70x40xf32>
  %p = fp8.scaled_contract ins(%x, %b : tensor<70x96xbf16>, tensor<40x96xbf16>) outs(%e : tensor<70x40xf32>) {transpose_rhs} -> tensor<70x40xf32>
  %wide = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 35, 40] : tensor<70x40xf32> into tensor<2x35x40xf32>
  %s = linalg.generic {indexing_maps = [#btn, #bn], iterator_types = ["parallel", "reduction", "parallel"]} ins(%wide : tensor<2x35x40xf32>) outs(%start : tensor<2x40xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %n = arith.addf %v, %sum : f32
    linalg.yield %n : f32
  } -> tensor<2x40xf32>
  %ez = tensor.empty() : tensor<2x35x40xf32>
  %z = linalg.generic {indexing_maps = [#btn, #bn, #btn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%wide, %s : tensor<2x35x40xf32>, tensor<2x40xf32>) outs(%ez : tensor<2x35x40xf32>) {
  ^bb0(%v: f32, %c: f32, %out: f32):
    %n = arith.mulf %v, %c : f32
    linalg.yield %n : f32
  } -> tensor<2x35x40xf32>
  return %y, %s, %z : tensor<2x35x96xbf16>, tensor<2x40xf32>, tensor<2x35x40xf32>
}

// SELECT: cta.kernel @[[$K]]
// SELECT-SAME: epilogue = "{{[0-9a-f]+}}"
// SELECT: cta.load_rows
// SELECT: cta.amax
