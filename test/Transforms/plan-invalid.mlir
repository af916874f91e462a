// RUN: fp8-opt %s --split-input-file --verify-diagnostics --fp8-plan

// A plan that names what does not exist is an error, not a no-op.
#none = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = te>, target = "cpu", accumulation = <model = auto>, rules = [#fp8.plan_rule<name = "lm_head", precision = "bf16">], contractions = []>
// expected-error @+1 {{plan: expected a contraction that matches #fp8.plan_rule<name = "lm_head", precision = "bf16">, found none}}
module attributes {fp8.plan = #none} {}
// -----
#e = #fp8.plan_entry<function = "main", index = 4, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "excluded", reason_code = "plan_rule", reason = "">
#p = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = te>, target = "cpu", accumulation = <model = auto>, rules = [], contractions = [#e]>
// expected-error @+1 {{plan: expected contraction 4 in function "main", which has none}}
module attributes {fp8.plan = #p} {}
// -----
// A rule with a minimum size has to name something all the same.
#none = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = te>, target = "cpu", accumulation = <model = auto>, rules = [#fp8.plan_rule<name = "lm_head", min_size = 16, precision = "bf16">], contractions = []>
// expected-error @+1 {{plan: expected a contraction that matches #fp8.plan_rule<name = "lm_head", min_size = 16 : i64, precision = "bf16">, found none}}
module attributes {fp8.plan = #none} {}
// -----
// The baseline's plan is checked like any other, and has no FP8.
#none = #fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [#fp8.plan_rule<name = "lm_head", precision = "bf16">], contractions = []>
// expected-error @+1 {{plan: expected a contraction that matches #fp8.plan_rule<name = "lm_head", precision = "bf16">, found none}}
module attributes {fp8.plan = #none} {}
// -----
#rule = #fp8.plan_rule<role = "fprop", precision = "fp8">
#p = #fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [#rule], contractions = []>
// expected-error @+1 {{plan: expected a recipe that quantises for #fp8.plan_rule<role = "fprop", precision = "fp8">, got #fp8.bf16}}
module attributes {fp8.plan = #p} {
  func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %y = linalg.matmul {fp8.role = "fprop"} ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
// -----
#e = #fp8.plan_entry<function = "main", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>
#p = #fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [], contractions = [#e]>
// expected-error @+1 {{plan: expected contraction 0 of function "main" to be excluded, as the recipe is #fp8.bf16, got status "fp8"}}
module attributes {fp8.plan = #p} {
  func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %y = linalg.matmul {fp8.role = "fprop"} ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
// -----
// An entry's role and an attribute that says another.
#e = #fp8.plan_entry<function = "main", index = 0, name = "", role = "dgrad", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>
#p = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = te>, target = "cpu", accumulation = <model = auto>, rules = [], contractions = [#e]>
module attributes {fp8.plan = #p} {
  func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-error @+1 {{plan: expected the entry to agree with attribute 'fp8.role', which is "fprop", got "dgrad"}}
    %y = linalg.matmul {fp8.role = "fprop"} ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
// -----
// A pair has to be one.
// expected-error @+1 {{expected 'fp8.pair' on a backward function to name another function with a body, found @nope}}
func.func @bwd(%x: tensor<8x8xbf16>) -> tensor<8x8xbf16> attributes {fp8.pair = @nope} {
  return %x : tensor<8x8xbf16>
}
// -----
// expected-error @+1 {{expected 'fp8.pair' on a backward function to name another function with a body, found @bwd}}
func.func @bwd(%x: tensor<8x8xbf16>) -> tensor<8x8xbf16> attributes {fp8.pair = @bwd} {
  return %x : tensor<8x8xbf16>
}
// -----
// Half a plan cannot be carried out after the other half.
#e = #fp8.plan_entry<function = "main", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "excluded", reason_code = "plan_rule", reason = "">
#p = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = te>, target = "cpu", accumulation = <model = auto>, rules = [], contractions = [#e]>
module attributes {fp8.plan = #p} {
  func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %init: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %y = fp8.contract %x, %w {fp8.decision = #e} : tensor<8x8xbf16>, tensor<8x8xbf16> -> tensor<8x8xf32>
    // expected-error @+1 {{plan: expected no undecided contraction in a module whose plan was carried out}}
    %z = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
  }
}
// -----
#e = #fp8.plan_entry<function = "main", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "excluded", reason_code = "plan_rule", reason = "">
// expected-error @+1 {{plan: expected attribute 'fp8.plan' on a module with decisions that were carried out, found none}}
module {
  func.func @main(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<8x8xf32> {
    %y = fp8.contract %x, %w {fp8.decision = #e} : tensor<8x8xbf16>, tensor<8x8xbf16> -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
