// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// The weights of the first two layers are frozen: they have no weight gradient, and
// the second still has a data gradient because of the adapter below it. The first
// product of two arguments has no gradient at all: the order decides.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @step(
func.func @step(%x: tensor<8x8xbf16>, %wf: tensor<8x8xbf16>, %wa: tensor<8x8xbf16>, %wg: tensor<8x8xbf16>, %y: tensor<8x8xbf16>) -> (tensor<f32>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: this one is the right-hand side
  %af = linalg.matmul ins(%x, %wf : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: rhs is argument 2
  %bf = linalg.matmul ins(%a, %wa : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = arith.truncf %bf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: rhs is argument 3
  %cf = linalg.matmul ins(%b, %wg : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = arith.truncf %cf : tensor<8x8xf32> to tensor<8x8xbf16>
  %d = arith.subf %c, %y : tensor<8x8xbf16>
  %q = arith.mulf %d, %d : tensor<8x8xbf16>
  %le = arith.extf %q : tensor<8x8xbf16> to tensor<8x8xf32>
  %li = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%zero : f32) outs(%li : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce {arith.addf} ins(%le : tensor<8x8xf32>) outs(%lz : tensor<f32>) dimensions = [0, 1]
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dbf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%d, %wg : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %db = arith.truncf %dbf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwaf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%a, %db : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dwa = arith.truncf %dwaf : tensor<8x8xf32> to tensor<8x8xbf16>
  return %l, %dwa : tensor<f32>, tensor<8x8xbf16>
}
