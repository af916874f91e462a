// RUN: fp8-opt %s --fp8-infer-roles | FileCheck %s

// Two heads with a loss each; both are forward, and so is what either depends on. The
// norm of a gradient is a scalar result as well, but no loss. A vector is one if it
// is named.

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @heads(
func.func @heads(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %wa: tensor<8x8xbf16>, %wb: tensor<8x8xbf16>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %h = math.tanh %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: the loss depends on it
  %pf = linalg.matmul ins(%h, %wa : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = arith.truncf %pf : tensor<8x8xf32> to tensor<8x8xbf16>
  %lae = arith.extf %p : tensor<8x8xbf16> to tensor<8x8xf32>
  %lai = tensor.empty() : tensor<f32>
  %laz = linalg.fill ins(%zero : f32) outs(%lai : tensor<f32>) -> tensor<f32>
  %la = linalg.reduce {arith.addf} ins(%lae : tensor<8x8xf32>) outs(%laz : tensor<f32>) dimensions = [0, 1]
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: the loss depends on it
  %qf = linalg.matmul ins(%h, %wb : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = arith.truncf %qf : tensor<8x8xf32> to tensor<8x8xbf16>
  %q2 = arith.mulf %q, %q : tensor<8x8xbf16>
  %lbe = arith.extf %q2 : tensor<8x8xbf16> to tensor<8x8xf32>
  %lbi = tensor.empty() : tensor<f32>
  %lbz = linalg.fill ins(%zero : f32) outs(%lbi : tensor<f32>) -> tensor<f32>
  %lb = linalg.reduce {arith.addf} ins(%lbe : tensor<8x8xf32>) outs(%lbz : tensor<f32>) dimensions = [0, 1]
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwbf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %q : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dwb = arith.truncf %dwbf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhbf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %wb : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dhb = arith.truncf %dhbf : tensor<8x8xf32> to tensor<8x8xbf16>
  %one = arith.constant dense<1.0> : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwaf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %one : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dwa = arith.truncf %dwaf : tensor<8x8xf32> to tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "gradient", fp8.rhs_role = "weight", fp8.role = "dgrad"
  %dhaf = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%one, %wa : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dha = arith.truncf %dhaf : tensor<8x8xf32> to tensor<8x8xbf16>
  %dh = arith.addf %dha, %dhb : tensor<8x8xbf16>
  %da = arith.mulf %dh, %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %da : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = arith.truncf %dwf : tensor<8x8xf32> to tensor<8x8xbf16>
  %n = arith.mulf %dw, %dw : tensor<8x8xbf16>
  %norme = arith.extf %n : tensor<8x8xbf16> to tensor<8x8xf32>
  %normi = tensor.empty() : tensor<f32>
  %normz = linalg.fill ins(%zero : f32) outs(%normi : tensor<f32>) -> tensor<f32>
  %norm = linalg.reduce {arith.addf} ins(%norme : tensor<8x8xf32>) outs(%normz : tensor<f32>) dimensions = [0, 1]
  return %norm, %la, %lb, %dw, %dwa, %dwb : tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// CHECK-LABEL: @named(
func.func @named(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> (tensor<8x8xbf16> {fp8.loss}, tensor<8x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop"
  // CHECK-SAME: the loss depends on it
  %af = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = arith.truncf %af : tensor<8x8xf32> to tensor<8x8xbf16>
  %q = arith.mulf %a, %a : tensor<8x8xbf16>
  // CHECK: linalg.matmul
  // CHECK-SAME: fp8.lhs_role = "activation", fp8.rhs_role = "gradient", fp8.role = "wgrad"
  %dwf = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %a : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = arith.truncf %dwf : tensor<8x8xf32> to tensor<8x8xbf16>
  return %q, %dw : tensor<8x8xbf16>, tensor<8x8xbf16>
}
