// RUN: fp8-opt %s --split-input-file --verify-diagnostics --fp8-thread-state

// Recursion cannot have slots.
func.func @f(%x: tensor<8x8xbf16>) -> tensor<f32> {
  %a, %g = fp8.amax %x : tensor<8x8xbf16>
  %m, %s = fp8.delayed_scale %a, %g {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
  %r = func.call @g(%x) : (tensor<8x8xbf16>) -> tensor<f32>
  return %r : tensor<f32>
}
// expected-error @+1 {{expected no recursion in a module with delayed scaling}}
func.func private @g(%x: tensor<8x8xbf16>) -> tensor<f32> {
  %r = func.call @h(%x) : (tensor<8x8xbf16>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @h(%x: tensor<8x8xbf16>) -> tensor<f32> {
  %r = func.call @g(%x) : (tensor<8x8xbf16>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// A loop body has no state.
func.func @f(%x: tensor<8x8xbf16>, %n: index) -> tensor<f32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a, %g = fp8.amax %x : tensor<8x8xbf16>
  %r = scf.for %i = %0 to %n step %1 iter_args(%acc = %a) -> tensor<f32> {
    // expected-error @+1 {{expected delayed-scaling state in the body of a function only; use recipe tensorwise for loops}}
    %m, %s = fp8.delayed_scale %acc, %g {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}
