// Launches that do not fit their operation are one error.
// RUN: fp8-opt %s -fp8-device-launch-kernels --split-input-file --verify-diagnostics

gpu.module @fp8_matrix {}
func.func @no_kernel(%x: tensor<4xf32>, %m: tensor<f32>) -> tensor<4xf8E4M3FN> {
  %e = tensor.empty() : tensor<4xf8E4M3FN>
  // expected-error @below {{'fp8.launches': expected a cta.kernel of gpu.module 'fp8_matrix', got 'x'}}
  %0 = fp8.scaled_quantize ins(%x, %m : tensor<4xf32>, tensor<f32>) outs(%e : tensor<4xf8E4M3FN>) {fp8.launches = [{kernel = "x", arguments = ["input", "multiplier", "result"]}]} -> tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

gpu.module @fp8_matrix {}
func.func @no_steps(%x: tensor<4xf32>, %m: tensor<f32>) -> tensor<4xf8E4M3FN> {
  %e = tensor.empty() : tensor<4xf8E4M3FN>
  // expected-error @below {{expected 'fp8.launches' to be dictionaries with the name of a kernel and those of its arguments, got [{kernel = "x"}]}}
  %0 = fp8.scaled_quantize ins(%x, %m : tensor<4xf32>, tensor<f32>) outs(%e : tensor<4xf8E4M3FN>) {fp8.launches = [{kernel = "x"}]} -> tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%x: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @undescribed(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i8>) {
  // expected-error @below {{'fp8.launches': expected a kernel with 'fp8.argument' on its arguments, got 'k'}}
  %0, %1 = fp8.amax %x {fp8.launches = [{kernel = "k", arguments = ["input"]}]} : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%x: !llvm.ptr<1> {fp8.argument = {name = "input", element = f32, elements = 4 : i64, result = false}}) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @count(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i8>) {
  // expected-error @below {{'fp8.launches': expected 1 arguments for 'k', got 2}}
  %0, %1 = fp8.amax %x {fp8.launches = [{kernel = "k", arguments = ["input", "input"]}]} : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%x: !llvm.ptr<1> {fp8.argument = {name = "input", element = f32, elements = 4 : i64, result = false}}) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @operand(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i8>) {
  // expected-error @below {{'fp8.launches': expected the name of a tensor that is an operand, or that an earlier launch wrote, got 'lhs'}}
  %0, %1 = fp8.amax %x {fp8.launches = [{kernel = "k", arguments = ["lhs"]}]} : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%x: !llvm.ptr<1> {fp8.argument = {name = "result", element = f32, elements = 4 : i64, result = true}}) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @result(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i8>) {
  // expected-error @below {{'fp8.launches': expected the name of a result or of scratch memory, got 'result2'}}
  %0, %1 = fp8.amax %x {fp8.launches = [{kernel = "k", arguments = ["result2"]}]} : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @amax(%w: !llvm.ptr<1>, %m: !llvm.ptr<1>, %f: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "amax"}} {
    cta.return
  }
}
func.func @words(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i8>) {
  // expected-error @below {{'fp8.launches': expected the two words of an amax from an earlier launch, got 'scratch0'}}
  %0, %1 = fp8.amax %x {fp8.launches = [{kernel = "amax", arguments = ["scratch0", "result0", "result1"]}]} : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// -----

gpu.module @fp8_matrix {}
func.func @dynamic(%x: tensor<?x32xbf16>, %w: tensor<16x32xbf16>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{'fp8.launches': expected results that are tensors of static sizes, got 'tensor<?x16xf32>'}}
  %0 = fp8.scaled_contract ins(%x, %w : tensor<?x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<?x16xf32>) {transpose_rhs, fp8.launches = [{kernel = "x", arguments = ["lhs", "rhs", "result"]}]} -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
