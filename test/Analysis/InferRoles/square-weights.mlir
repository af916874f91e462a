// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// Every matrix is 8x8, and the gradient of the loss 0.5*sum((o-y)^2) is a value
// of the forward pass: neither sizes nor "not in the loss's slice" tell anything.

#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
#lt = affine_map<(d0, d1, d2) -> (d2, d0)>
#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#kn = affine_map<(d0, d1, d2) -> (d2, d1)>
#nk = affine_map<(d0, d1, d2) -> (d1, d2)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @step
func.func @step(%x: tensor<8x8xbf16>, %w1: tensor<8x8xbf16>, %w2: tensor<8x8xbf16>, %y: tensor<8x8xf32>)
    -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %eb = tensor.empty() : tensor<8x8xbf16>
  %es = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: both operands are arguments, and only this one has a gradient
  %a = linalg.matmul ins(%x, %w1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%eb : tensor<8x8xbf16>) {
  ^bb0(%i: f32, %o: bf16):
    %r = arith.maximumf %i, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: the loss depends on it; rhs is argument 2
  %out = linalg.matmul ins(%h, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%out, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.subf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %loss = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction", "reduction"]}
      ins(%d : tensor<8x8xf32>) outs(%zs : tensor<f32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.mulf %i, %i : f32
    %p = arith.mulf %q, %half : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %db = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<8x8xf32>) outs(%eb : tensor<8x8xbf16>) {
  ^bb0(%i: f32, %o: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x8xbf16>
  // CHECK: linalg.generic{{.*}}attrs = {fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  // CHECK-SAME: sums over the rows of the forward activation, lhs
  %dw2 = linalg.generic {indexing_maps = [#lt, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %db : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%i: bf16, %j: bf16, %o: f32):
    %p = arith.extf %i : bf16 to f32
    %q = arith.extf %j : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  // CHECK: linalg.generic{{.*}}attrs = {fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  // CHECK-SAME: sums over the output dimension of the forward weight, rhs
  %dh = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%db, %w2 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%i: bf16, %j: bf16, %o: f32):
    %p = arith.extf %i : bf16 to f32
    %q = arith.extf %j : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %da = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dh, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%eb : tensor<8x8xbf16>) {
  ^bb0(%i: f32, %j: f32, %o: bf16):
    %c = arith.cmpf ogt, %j, %zero : f32
    %s = arith.select %c, %i, %zero : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x8xbf16>
  // CHECK: linalg.generic{{.*}}attrs = {fp8.lhs_role = "gradient", fp8.rhs_role = "activation", fp8.role = "wgrad"
  %dw1 = linalg.generic {indexing_maps = [#lt, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%da, %x : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%i: bf16, %j: bf16, %o: f32):
    %p = arith.extf %i : bf16 to f32
    %q = arith.extf %j : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %loss, %dw2, %dw1 : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>
}
