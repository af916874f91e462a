// A recomputed copy has the slot of the original: turning rematerialisation on
// changes neither the shape of the state nor what is recorded.
// RUN: fp8-compile %s --recipe=delayed -o - | FileCheck %s
// RUN: fp8-compile %graphs/llama_remat.linalg.mlir --recipe=delayed -o - | FileCheck %s --check-prefix=REMAT
// RUN: fp8-compile %graphs/llama_loop.linalg.mlir --recipe=delayed -o - | FileCheck %s --check-prefix=REMAT
// REMAT: tensor<39xf32> {fp8.state = "multiplier"}

// The cast of the copy takes the amax of the copy: nothing waits for both before
// all casts have run.
// RUN: fp8-compile %s --recipe=delayed --numerics=te --target=sm_90a --emit=cta -o - | FileCheck %s --check-prefix=MERGED
// MERGED-NOT: operation = "reduce_amax"
// MERGED: cta.kernel @cast_{{.*}}_amax(
// MERGED-NOT: operation = "reduce_amax"

// %h and %h2 are the same value; %g is another. The slots are w, h, w2 and g.
// CHECK: func.func @main
// CHECK-SAME: tensor<16x4xf32> {fp8.state = "amax_history"}
// CHECK-SAME: fp8.slots = [#fp8.slot<":weight", id = 2, storage = f8E4M3FN>, #fp8.slot<":weight", id = 1, storage = f8E4M3FN>, #fp8.slot<":activation", id = 0, storage = f8E4M3FN>, #fp8.slot<":activation", id = 3, storage = f8E4M3FN>]
// The two amaxes of one slot are one when they are recorded.
// CHECK: arith.maxnumf %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: arith.ori %{{.*}}, %{{.*}} : tensor<i8>
// CHECK-COUNT-4: tensor.extract %{{.*}}[] : tensor<f32>
// CHECK: tensor.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NOT: : tensor<f32> into
// CHECK: fp8.record
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x16xbf16>, %w2: tensor<32x16xbf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = arith.mulf %x, %x : tensor<16x32xbf16>
  %a = linalg.matmul ins(%h, %w : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  %again = fp8.barrier %x : tensor<16x32xbf16>
  %h2 = arith.mulf %again, %again : tensor<16x32xbf16>
  %b = linalg.matmul ins(%h2, %w2 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = arith.addf %x, %x : tensor<16x32xbf16>
  %c = linalg.matmul ins(%g, %w : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %a, %b, %c : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// The result of a contraction, permuted, is an operand, and so is that of its
// recomputed copy: both are read as the contractions make them. Slots are those
// of x, w, the result, v and u.
// CHECK: func.func @permuted
// CHECK-SAME: tensor<16x5xf32> {fp8.state = "amax_history"}
func.func @permuted(%x: tensor<16x32xbf16>, %w: tensor<32x8xbf16>, %v: tensor<16x4xbf16>, %u: tensor<16x4xbf16>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x16xbf16>
  %zero = linalg.fill ins(%c0 : bf16) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %d0 = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8x4xf32>
  %wide = linalg.fill ins(%d0 : f32) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x32xbf16>, tensor<32x8xbf16>) outs(%zero : tensor<8x16xbf16>) {
  ^bb0(%i: bf16, %j: bf16, %acc: bf16):
    %p = arith.mulf %i, %j : bf16
    %s = arith.addf %acc, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<8x16xbf16>
  %a = linalg.matmul ins(%h, %v : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%wide : tensor<8x4xf32>) -> tensor<8x4xf32>
  %again = fp8.barrier %x : tensor<16x32xbf16>
  %h2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%again, %w : tensor<16x32xbf16>, tensor<32x8xbf16>) outs(%zero : tensor<8x16xbf16>) {
  ^bb0(%i: bf16, %j: bf16, %acc: bf16):
    %p = arith.mulf %i, %j : bf16
    %s = arith.addf %acc, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<8x16xbf16>
  %b = linalg.matmul ins(%h2, %u : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%wide : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %a, %b : tensor<8x4xf32>, tensor<8x4xf32>
}

// A part of what was widened is read from what it was widened from. Slots are
// those of the part, v and u.
// CHECK: func.func @part
// CHECK-SAME: tensor<16x3xf32> {fp8.state = "amax_history"}
func.func @part(%x: tensor<16x32xbf16>, %v: tensor<32x4xbf16>, %u: tensor<32x4xbf16>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %vw = arith.extf %v : tensor<32x4xbf16> to tensor<32x4xf32>
  %uw = arith.extf %u : tensor<32x4xbf16> to tensor<32x4xf32>
  %h = arith.mulf %x, %x : tensor<16x32xbf16>
  %hw = arith.extf %h : tensor<16x32xbf16> to tensor<16x32xf32>
  %hs = tensor.extract_slice %hw[4, 0] [8, 32] [1, 1] : tensor<16x32xf32> to tensor<8x32xf32>
  %a = linalg.matmul ins(%hs, %vw : tensor<8x32xf32>, tensor<32x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
  %again = fp8.barrier %x : tensor<16x32xbf16>
  %g = arith.mulf %again, %again : tensor<16x32xbf16>
  %gw = arith.extf %g : tensor<16x32xbf16> to tensor<16x32xf32>
  %gs = tensor.extract_slice %gw[4, 0] [8, 32] [1, 1] : tensor<16x32xf32> to tensor<8x32xf32>
  %b = linalg.matmul ins(%gs, %uw : tensor<8x32xf32>, tensor<32x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %a, %b : tensor<8x4xf32>, tensor<8x4xf32>
}
