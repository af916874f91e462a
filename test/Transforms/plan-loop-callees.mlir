// RUN: fp8-opt %s --fp8-pipeline="recipe=delayed" --canonicalize --remarks-filter=fp8-quantize --remark-policy=all 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: fp8-opt %s --fp8-pipeline="recipe=tensorwise" | FileCheck %s --check-prefix=NONE

// A function that a loop calls has no state, as the body of a loop has none: it
// stays BF16, in a private twin where it is called outside too.

// CHECK-LABEL: func.func private @both(
// CHECK-SAME: {fp8.state = "multiplier"}
// CHECK: fp8.delayed_scale
// CHECK-LABEL: func.func private @both_loop(
// CHECK-NOT: fp8.state
// CHECK-NOT: fp8.delayed_scale
// CHECK: fp8.contract %{{.*}}status = "fallback", reason_code = "loop_needs_state", reason = "the body of an scf operation, which has no state, calls it"{{.*}} : tensor<8x8xbf16>
// NONE-NOT: both_loop
func.func private @both(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x8xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %c = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%f : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %c : tensor<8x8xbf16>
}

// No contraction, no twin.
// CHECK-LABEL: func.func private @plain(
// CHECK-NOT: @plain_loop
func.func private @plain(%x: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %y = arith.addf %x, %x : tensor<8x8xbf16>
  return %y : tensor<8x8xbf16>
}

// Only the loop reaches this one, and what it calls.
// CHECK-LABEL: func.func private @inner(
// CHECK-NOT: fp8.state
// CHECK: call @both_loop(
func.func private @inner(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %0 = call @both(%x, %w) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = call @plain(%0) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %1 : tensor<8x8xbf16>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<2xf32> {fp8.state = "multiplier"}
// CHECK: scf.for
// CHECK: func.call @inner(
// CHECK: call @plain(
// CHECK: call @both(
// REMARK-DAG: Missed{{.*}}contraction | Category:fp8-quantize | Function=both_loop
// REMARK-DAG: Passed{{.*}}contraction | Category:fp8-quantize | Function=both |
func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %n: index) -> tensor<8x8xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<8x8xbf16> {
    %0 = func.call @inner(%h, %w) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
    scf.yield %0 : tensor<8x8xbf16>
  }
  %p = call @plain(%r) : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %q = call @both(%p, %w) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %q : tensor<8x8xbf16>
}
