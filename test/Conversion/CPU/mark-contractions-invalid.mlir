// RUN: fp8-opt %s --fp8-cpu-mark-contractions --split-input-file --verify-diagnostics

// A mark makes every later pass run a sum of products, whatever the body says.

func.func @elementwise(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{expected a contraction under 'fp8.cpu_contract', got another operation; remove the attribute}}
  %y = linalg.generic {fp8.cpu_contract = array<i64: 0, 0>, indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%q: f32, %o: f32):
    %s = arith.addf %q, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @of_a_difference(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  // expected-error @+1 {{expected a contraction under 'fp8.cpu_contract'}}
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 0, 0>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %p = arith.mulf %d, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @of_f64(%a: tensor<4x8xf64>, %b: tensor<8x2xf64>) -> tensor<4x2xf64> {
  %e = tensor.empty() : tensor<4x2xf64>
  // expected-error @+1 {{expected a contraction under 'fp8.cpu_contract'}}
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 0, 0>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf64>, tensor<8x2xf64>) outs(%e : tensor<4x2xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

// -----

func.func @scaled_by_a_number(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: f32) -> tensor<4x2xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  // expected-error @+1 {{expected a contraction under 'fp8.cpu_contract'}}
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 0, 0>, indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> ()>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b, %c : tensor<4x8xf32>, tensor<8x2xf32>, f32) outs(%e : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %zz = arith.mulf %z, %z : f32
    %q = arith.mulf %p, %zz : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @not_generic(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a contraction under 'fp8.cpu_contract'}}
  %y = arith.addf %x, %x {fp8.cpu_contract = array<i64: 0, 0>} : tensor<8xf32>
  return %y : tensor<8xf32>
}
