// A recomputed copy has the slot of the original: turning rematerialisation on
// changes neither the shape of the state nor what is recorded.
// RUN: fp8-compile %s --recipe=delayed -o - | FileCheck %s
// RUN: fp8-compile %graphs/llama_remat.linalg.mlir --recipe=delayed -o - | FileCheck %s --check-prefix=REMAT
// RUN: fp8-compile %graphs/llama_loop.linalg.mlir --recipe=delayed -o - | FileCheck %s --check-prefix=REMAT
// REMAT: tensor<39xf32> {fp8.state = "multiplier"}

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
