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
