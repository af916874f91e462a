// RUN: fp8-opt %s -fp8-select-kernels=target=sm_90a | FileCheck %s

// What it has planned stays when it runs again.
// RUN: fp8-opt %s -fp8-select-kernels -o %t.once
// RUN: sed '/^  gpu.module/,$d' %t.once > %t.twice && echo '}' >> %t.twice
// RUN: fp8-opt %t.twice -fp8-select-kernels | diff %t.once -

// In a whole graph loops may encode what they make.
// RUN: fp8-opt %s -linalg-generalize-named-ops -fp8-select-kernels=whole-graph | FileCheck %s --check-prefix=GRAPH

// The cast does not wait for the amax, which is for the next step: one kernel
// reads the values for both. The scale rule needs no amax and comes first.
// CHECK-LABEL: func.func @known(
// CHECK-SAME: fp8.scratch = array<i64: 8>
// CHECK: %[[M:.*]], %{{.*}} = fp8.delayed_scale %[[ZERO:.*]], %[[NONE:.*]] state(%arg1, %arg2 :
// CHECK-NOT: fp8.amax
// CHECK: fp8.scaled_quantize ins(%arg0, %[[M]] : {{.*}}) {fp8.kernel = "cast_512_bf16_f8E4M3FN_amax", fp8.launches = [{arguments = ["scratch0"], kernel = "clear_amax"}, {arguments = ["input", "multiplier", "result", "scratch0"], kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: fp8.amax %arg0 {fp8.kernel = "amax", fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// CHECK-NEXT: return
func.func @known(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<i8>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q, %amax, %flags : tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<i8>
}

// `safe` scales its first steps by the amax: a kernel takes it then, and only
// then reads the values. Both merge into the same words, which are cleared once.
// CHECK-LABEL: func.func @warmup(
// CHECK-SAME: fp8.scratch = array<i64: 8>
// CHECK: %[[A:.*]], %[[F:.*]] = fp8.amax %arg0 {fp8.kernel = "amax_512_bf16_below2", fp8.launches = [{arguments = ["scratch0"], kernel = "clear_amax"}, {arguments = ["input", "count", "scratch0"], kernel = "amax_512_bf16_below2"}, {arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// CHECK: fp8.delayed_scale %[[A]], %[[F]]
// CHECK: fp8.scaled_quantize {{.*}} fp8.launches = [{arguments = ["input", "multiplier", "result", "scratch0"], kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: fp8.amax %arg0 {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
func.func @warmup(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<i8>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>, warmup = 2} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q, %amax, %flags : tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<i8>
}

// Nobody records it (a frozen state): there is nothing else to take.
// CHECK-LABEL: func.func @frozen(
// CHECK: fp8.amax %arg0 {{.*}} kernel = "amax_512_bf16_below1"}
// CHECK: fp8.scaled_quantize {{.*}} fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_512_bf16_f8E4M3FN"}]}
// CHECK-NOT: fp8.amax
func.func @frozen(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> tensor<8x64xf8E4M3FN> {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q : tensor<8x64xf8E4M3FN>
}

// The scale is that of the values themselves: two reads.
// CHECK-LABEL: func.func @current(
// CHECK: fp8.amax %arg0 {{.*}} kernel = "amax_512_bf16"}
// CHECK: kernel = "cast_512_bf16_f8E4M3FN"}]}
func.func @current(%x: tensor<8x64xbf16>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>
}

// Two casts read the values, one of them through a reshape: the first takes the
// amax.
// CHECK-LABEL: func.func @two_casts(
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E5M2_amax"}]}
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
func.func @two_casts(%x: tensor<2x4x64xbf16>, %m: tensor<f32>) -> (tensor<8x64xf8E5M2>, tensor<2x4x64xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<2x4x64xbf16>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x4x64xbf16> into tensor<8x64xbf16>
  %e5 = tensor.empty() : tensor<8x64xf8E5M2>
  %q5 = fp8.scaled_quantize ins(%flat, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e5 : tensor<8x64xf8E5M2>) -> tensor<8x64xf8E5M2>
  %e4 = tensor.empty() : tensor<2x4x64xf8E4M3FN>
  %q4 = fp8.scaled_quantize ins(%x, %m : tensor<2x4x64xbf16>, tensor<f32>) outs(%e4 : tensor<2x4x64xf8E4M3FN>) -> tensor<2x4x64xf8E4M3FN>
  return %q5, %q4, %amax : tensor<8x64xf8E5M2>, tensor<2x4x64xf8E4M3FN>, tensor<f32>
}

// From the read that both orders of the codes come from; the values are another
// order of those that have the amax.
// CHECK-LABEL: func.func @both_orders(
// CHECK: fp8.scaled_quantize {{.*}} fp8.launches = [{arguments = ["scratch1"], kernel = "clear_amax"}, {arguments = ["input", "multiplier", "scratch0", "result", "scratch1"], kernel = "cast_transpose_1x96x96_bf16_f8E4M3FN_both_amax"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch1", "result0", "result1"], kernel = "amax"}]}
func.func @both_orders(%y: tensor<2x48x96xbf16>, %m: tensor<f32>, %s: tensor<f32>) -> (tensor<96x96xf32>, tensor<i8>) {
  %amax, %flags = fp8.amax %y : tensor<2x48x96xbf16>
  %t = tensor.empty() : tensor<48x2x96xbf16>
  %turned = linalg.transpose ins(%y : tensor<2x48x96xbf16>) outs(%t : tensor<48x2x96xbf16>) permutation = [1, 0, 2]
  %x = tensor.collapse_shape %turned [[0, 1], [2]] : tensor<48x2x96xbf16> into tensor<96x96xbf16>
  %c = tensor.empty() : tensor<96x96xf8E4M3FN>
  %e = tensor.empty() : tensor<96x96xf32>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<96x96xbf16>, tensor<f32>) outs(%c : tensor<96x96xf8E4M3FN>) -> tensor<96x96xf8E4M3FN>
  %0 = fp8.scaled_contract ins(%q, %q : tensor<96x96xf8E4M3FN>, tensor<96x96xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<96x96xf32>) {transpose_lhs, transpose_rhs} -> tensor<96x96xf32>
  return %0, %flags : tensor<96x96xf32>, tensor<i8>
}

// A copy that only the cast reads is one with it in a whole graph, in the loops
// that make it: nothing that reads memory could take the amax on the way.
// CHECK-LABEL: func.func @copied_for_the_cast(
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// GRAPH-LABEL: func.func @copied_for_the_cast(
// GRAPH: fp8.amax {{.*}} kernel = "amax_512_bf16"}
// GRAPH: fp8.scaled_quantize
// GRAPH-NOT: fp8.launches
// GRAPH: return
func.func @copied_for_the_cast(%x: tensor<8x64xbf16>, %m: tensor<f32>) -> (tensor<64x8xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %t = tensor.empty() : tensor<64x8xbf16>
  %turned = linalg.transpose ins(%x : tensor<8x64xbf16>) outs(%t : tensor<64x8xbf16>) permutation = [1, 0]
  %e = tensor.empty() : tensor<64x8xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%turned, %m : tensor<64x8xbf16>, tensor<f32>) outs(%e : tensor<64x8xf8E4M3FN>) -> tensor<64x8xf8E4M3FN>
  return %q, %amax : tensor<64x8xf8E4M3FN>, tensor<f32>
}

// A slice has not all of the values.
// CHECK-LABEL: func.func @part(
// CHECK: fp8.amax {{.*}} kernel = "amax_512_bf16"}
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_64_bf16_f8E4M3FN"}]}
func.func @part(%x: tensor<8x64xbf16>, %m: tensor<f32>) -> (tensor<1x64xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %row = tensor.extract_slice %x[3, 0] [1, 64] [1, 1] : tensor<8x64xbf16> to tensor<1x64xbf16>
  %e = tensor.empty() : tensor<1x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%row, %m : tensor<1x64xbf16>, tensor<f32>) outs(%e : tensor<1x64xf8E4M3FN>) -> tensor<1x64xf8E4M3FN>
  return %q, %amax : tensor<1x64xf8E4M3FN>, tensor<f32>
}

// The cast runs as often as its loop turns, if at all.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: fp8.amax {{.*}} kernel = "amax_512_bf16"}
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN"}]}
func.func @in_a_loop(%x: tensor<8x64xbf16>, %m: tensor<f32>, %n: index) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %e) -> tensor<8x64xf8E4M3FN> {
    %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%o : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
    scf.yield %q : tensor<8x64xf8E4M3FN>
  }
  return %r, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>
}

// Nobody reads it any more: no launch is left of it, nor of a scale without
// readers.
// CHECK-LABEL: func.func @unread(
// CHECK-SAME: -> tensor<8x64xf8E4M3FN> {
// CHECK-NOT: fp8.amax
// CHECK-NOT: fp8.scale_from_amax
// CHECK: fp8.scaled_quantize {{.*}} fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_512_bf16_f8E4M3FN"}]}
// CHECK-NOT: fp8.amax
// CHECK: return
func.func @unread(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> tensor<8x64xf8E4M3FN> {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
  %m2, %s2 = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q : tensor<8x64xf8E4M3FN>
}

// Once nobody else reads the values, the loops that make them encode them.
// GRAPH-LABEL: func.func @unread_behind_a_loop(
// GRAPH-NOT: fp8.amax
// GRAPH: fp8.scaled_quantize
// GRAPH-NOT: fp8.launches
// GRAPH: return
func.func @unread_behind_a_loop(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> tensor<64x8xf8E4M3FN> {
  %t = tensor.empty() : tensor<64x8xbf16>
  %turned = linalg.transpose ins(%x : tensor<8x64xbf16>) outs(%t : tensor<64x8xbf16>) permutation = [1, 0]
  %amax, %flags = fp8.amax %turned : tensor<64x8xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<64x8xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%turned, %m : tensor<64x8xbf16>, tensor<f32>) outs(%e : tensor<64x8xf8E4M3FN>) -> tensor<64x8xf8E4M3FN>
  return %q : tensor<64x8xf8E4M3FN>
}

// A branch may not run: the cast in it has no amax that is needed in any case.
// The one behind it has.
// CHECK-LABEL: func.func @in_a_branch(
// CHECK: scf.if
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN"}]}
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E5M2_amax"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
func.func @in_a_branch(%x: tensor<8x64xbf16>, %m: tensor<f32>, %c: i1) -> (tensor<8x64xf8E4M3FN>, tensor<8x64xf8E5M2>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %r = scf.if %c -> tensor<8x64xf8E4M3FN> {
    %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
    scf.yield %q : tensor<8x64xf8E4M3FN>
  } else {
    scf.yield %e : tensor<8x64xf8E4M3FN>
  }
  %e5 = tensor.empty() : tensor<8x64xf8E5M2>
  %q5 = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e5 : tensor<8x64xf8E5M2>) -> tensor<8x64xf8E5M2>
  return %r, %q5, %amax : tensor<8x64xf8E4M3FN>, tensor<8x64xf8E5M2>, tensor<f32>
}

// The amax of one branch is not that of the other's cast.
// CHECK-LABEL: func.func @amax_in_a_branch(
// CHECK: scf.if
// CHECK: fp8.amax {{.*}} kernel = "amax_512_bf16"}
// CHECK: } else {
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN"}]}
func.func @amax_in_a_branch(%x: tensor<8x64xbf16>, %m: tensor<f32>, %c: i1, %e: tensor<8x64xf8E4M3FN>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
  %r:2 = scf.if %c -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
    %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
    scf.yield %e, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>
  } else {
    %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
    scf.yield %q, %m : tensor<8x64xf8E4M3FN>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<8x64xf8E4M3FN>, tensor<f32>
}

// Readers in later blocks need it at the end of its own.
// CHECK-LABEL: func.func @read_in_other_blocks(
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK-NEXT: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// CHECK-NEXT: cf.cond_br
func.func @read_in_other_blocks(%x: tensor<8x64xbf16>, %m: tensor<f32>, %c: i1) -> (tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %twice = arith.addf %amax, %amax : tensor<f32>
  return %q, %twice, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<f32>
^bb2:
  return %q, %m, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>, tensor<f32>
}

// The largest warmup there is, and none: then the amax is for the record alone.
// CHECK-LABEL: func.func @warmups(
// CHECK: fp8.amax {{.*}} kernel = "amax_512_bf16_below2147483647"}
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// CHECK-LABEL: func.func @no_warmup(
// CHECK-NOT: fp8.amax
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
func.func @warmups(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>, warmup = 2147483647} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>
}
func.func @no_warmup(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<8x64xf8E4M3FN>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>, warmup = 0} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q, %amax : tensor<8x64xf8E4M3FN>, tensor<f32>
}

// Two slots of the same values: the second one's cast runs after the first,
// which has the amax that both the second scale and the record need.
// CHECK-LABEL: func.func @two_slots(
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E4M3FN_amax"}]}
// CHECK: %[[A:.*]], %[[F:.*]] = fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
// CHECK-NEXT: fp8.delayed_scale %[[A]], %[[F]]
// CHECK: fp8.scaled_quantize {{.*}} kernel = "cast_512_bf16_f8E5M2"}]}
// CHECK: fp8.amax {{.*}} fp8.launches = [{arguments = ["scratch0", "result0", "result1"], kernel = "amax"}]}
func.func @two_slots(%x: tensor<8x64xbf16>, %m4: tensor<f32>, %sm: tensor<f32>, %sc: tensor<i32>) -> (tensor<8x64xf8E4M3FN>, tensor<8x64xf8E5M2>, tensor<f32>) {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %e4 = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q4 = fp8.scaled_quantize ins(%x, %m4 : tensor<8x64xbf16>, tensor<f32>) outs(%e4 : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  %m5, %s5 = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 1, storage = f8E5M2>, numerics = #fp8<numerics safe>} : tensor<f32>, tensor<i8>
  %e5 = tensor.empty() : tensor<8x64xf8E5M2>
  %q5 = fp8.scaled_quantize ins(%x, %m5 : tensor<8x64xbf16>, tensor<f32>) outs(%e5 : tensor<8x64xf8E5M2>) -> tensor<8x64xf8E5M2>
  return %q4, %q5, %amax : tensor<8x64xf8E4M3FN>, tensor<8x64xf8E5M2>, tensor<f32>
}

// The count comes after the amax, which therefore cannot ask for it.
// CHECK-LABEL: func.func @late_count(
// CHECK: tensor.extract_slice
// CHECK: fp8.amax {{.*}} kernel = "amax_512_bf16_below1"}
// CHECK-NEXT: fp8.delayed_scale
func.func @late_count(%x: tensor<8x64xbf16>, %sm: tensor<f32>, %counts: tensor<4xi32>) -> tensor<8x64xf8E4M3FN> {
  %amax, %flags = fp8.amax %x : tensor<8x64xbf16>
  %sc = tensor.extract_slice %counts[2] [1] [1] : tensor<4xi32> to tensor<i32>
  %m, %s = fp8.delayed_scale %amax, %flags state(%sm, %sc : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>} : tensor<f32>, tensor<i8>
  %e = tensor.empty() : tensor<8x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<8x64xbf16>, tensor<f32>) outs(%e : tensor<8x64xf8E4M3FN>) -> tensor<8x64xf8E4M3FN>
  return %q : tensor<8x64xf8E4M3FN>
}

// The kernel: what is loaded is encoded and folded, warps merge at the end.
// CHECK-LABEL: cta.kernel @cast_512_bf16_f8E4M3FN_amax(
// CHECK-SAME: %[[IN:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}name = "input"
// CHECK-SAME: name = "multiplier"
// CHECK-SAME: name = "result"
// CHECK-SAME: %[[WORDS:[a-z0-9]+]]: !llvm.ptr<1> {fp8.argument = {element = i32, elements = 2 : i64, name = "amax", result = true}}
// CHECK: scf.for
// CHECK: %[[X0:.*]] = cta.global_load %[[IN]]
// CHECK: %[[X1:.*]] = cta.global_load %[[IN]]
// CHECK-NOT: cta.global_load
// CHECK: cta.quantize %[[X0]], %[[X1]]
// CHECK: cta.fold_amax %[[X0]], %[[X1]] into
// CHECK: cta.merge_amax %{{.*}}, %{{.*}}, %[[WORDS]]
