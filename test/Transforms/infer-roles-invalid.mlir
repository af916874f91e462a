// RUN: fp8-opt %s --fp8-infer-roles --split-input-file --verify-diagnostics

func.func @word(%a: tensor<8x8xbf16>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error-re @+1 {{fp8.role{{.*}}to be one of {{.*}}fprop{{.*}}dgrad{{.*}}"forward"}}
  %r = linalg.matmul {fp8.role = "forward"} ins(%a, %a : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

func.func @operand(%a: tensor<8x8xbf16>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error-re @+1 {{fp8.rhs_role{{.*}}to be one of {{.*}}activation{{.*}}gradient{{.*}}1}}
  %r = linalg.matmul {fp8.rhs_role = 1 : i64} ins(%a, %a : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{expected 'fp8.pair' on a backward function to name another function with a body, found @nowhere}}
func.func @pair(%a: tensor<8x8xbf16>) attributes {fp8.pair = @nowhere} {
  return
}

// -----

// expected-error @+1 {{expected 'fp8.pair' on a backward function to name another function with a body, found @self}}
func.func @self(%a: tensor<8x8xbf16>) attributes {fp8.pair = @self} {
  return
}
