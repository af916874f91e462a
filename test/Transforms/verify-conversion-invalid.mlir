// RUN: fp8-opt %s --split-input-file --verify-diagnostics --fp8-verify-conversion

#e = #fp8.plan_entry<function = "f", index = 0, name = "q", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>
func.func @f(%a: tensor<8x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected operands of 'f8E4M3FN' and 'f8E4M3FN' as planned, got 'bf16' and 'bf16'}}
  %0 = fp8.contract %a, %b {fp8.decision = #e} : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
#e = #fp8.plan_entry<function = "f", index = 0, name = "q", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>
func.func @f(%a: tensor<8x64xbf16>, %b: tensor<64x8xbf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected an fp8 contraction as planned for "q"; run fp8-quantize}}
  %0 = linalg.matmul {fp8.decision = #e} ins(%a, %b : tensor<8x64xbf16>, tensor<64x8xbf16>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
func.func @f(%a: tensor<f32>, %g: tensor<i8>) -> tensor<f32> {
  // expected-error @+1 {{expected a state; run fp8-thread-state}}
  %m, %s = fp8.delayed_scale %a, %g {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
  return %s : tensor<f32>
}
