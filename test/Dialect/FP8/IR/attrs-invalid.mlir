// RUN: fp8-opt %s -split-input-file -verify-diagnostics
// One case per numbered constraint of the attributes and the type.

// scale_c1
// expected-error @+1 {{expected scales of type f32 or f8E8M0FNU, got 'f16'}}
#s = #fp8.scale<f16, block = *x*>
// -----
// scale_c2
// expected-error @+1 {{expected a positive block extent or '*', got 0}}
#s = #fp8.scale<f32, block = 1x0>
// -----
// scale_c3
// expected-error @+1 {{expected a positive pad with layout compact_t and none otherwise, got layout compact_t and pad 0}}
#s = #fp8.scale<f32, block = 1x128, layout = compact_t<pad = 0>>
// -----
// scale_c4
// expected-error @+1 {{expected rank 2 and blocks along one dimension with layout tiled128x4, got 2 extents}}
#s = #fp8.scale<f8E8M0FNU, block = 32x32, layout = tiled128x4>
// -----
// scale_c5
// expected-error @+1 {{expected no pow2 with f8E8M0FNU scales}}
#s = #fp8.scale<f8E8M0FNU, block = 1x32, pow2>
// -----
// expected-error @+1 {{expected scale layout compact, compact_t or tiled128x4, got 'rows'}}
#s = #fp8.scale<f32, block = 1x128, layout = rows>
// -----
// expected-error @+1 {{expected 'layout' or 'pow2', got 'pow3'}}
#s = #fp8.scale<f32, block = 1x128, pow3>
// -----
// accum_c1
// expected-error @+1 {{expected promote of at least 0, got -1}}
#a = #fp8.accum<model = hopper, promote = -1>
// -----
// accum_c2
// expected-error @+1 {{expected ascending positive split boundaries, got 64 at position 1}}
#a = #fp8.accum<model = hopper, split = [64, 64]>
// -----
// accum_c3
// expected-error @+1 {{expected split boundaries that are multiples of promote = 128, got 64}}
#a = #fp8.accum<model = hopper, promote = 128, split = [64]>
// -----
// accum_c4
// expected-error @+1 {{expected neither promote nor split with model auto}}
#a = #fp8.accum<model = auto, promote = 128>
// -----
// slot_c1
// expected-error @+1 {{expected storage f8E4M3FN or f8E5M2, got 'f16'}}
#a = #fp8.slot<"x", id = 0, storage = f16>
// -----
// slot_c2
// expected-error @+1 {{expected an id of at least 0, got -1}}
#a = #fp8.slot<"x", id = -1, storage = f8E5M2>
// -----
// delayed_c1
// expected-error @+1 {{expected amax_history_len of at least 1, got 0}}
#r = #fp8.delayed<format = hybrid, margin = 0, amax_history_len = 0, amax_compute_algo = max, numerics = te>
// -----
// expected-error @+1 {{expected amax_history_len of at most 1048576, got 9999999999}}
#r = #fp8.delayed<format = hybrid, margin = 0, amax_history_len = 9999999999, amax_compute_algo = max, numerics = te>
// -----
// delayed_c2
// expected-error @+1 {{expected margin between -64 and 64, got 65}}
#r = #fp8.delayed<format = hybrid, margin = 65, amax_history_len = 1, amax_compute_algo = max, numerics = te>
// -----
// plan_rule_c1
// expected-error @+1 {{expected a selector: role, name, position or min_size}}
#p = #fp8.plan_rule<precision = "bf16">
// -----
// plan_rule_c2
// expected-error @+1 {{expected precision "fp8" or "bf16", got "f32"}}
#p = #fp8.plan_rule<role = "fprop", precision = "f32">
// -----
// plan_rule_c3
// expected-error @+1 {{expected a role, got "forward"}}
#p = #fp8.plan_rule<role = "forward", precision = "bf16">
// -----
// plan_rule_c4
// expected-error @+1 {{expected a regular expression, got "a("}}
#p = #fp8.plan_rule<name = "a(", precision = "bf16">
// -----
// plan_rule_c5
// expected-error @+1 {{expected f8E4M3FN or f8E5M2, got 'bf16'}}
#p = #fp8.plan_rule<role = "wgrad", lhs = bf16>
// -----
// plan_rule_c6
// expected-error @+1 {{expected precision, lhs or rhs}}
#p = #fp8.plan_rule<role = "wgrad">
// -----
// plan_rule_c7
// expected-error @+1 {{expected min_size of at least 1, got -3}}
#p = #fp8.plan_rule<min_size = -3, precision = "bf16">
// -----
// plan_entry_c1
// expected-error @+1 {{expected status "fp8", "excluded" or "fallback", got "maybe"}}
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "maybe", reason_code = "", reason = "">
// -----
// plan_entry_c2
// expected-error @+1 {{expected lhs and rhs types exactly with status "fp8"}}
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "">
// -----
// plan_entry_c3
// expected-error @+1 {{not both f8E5M2}}
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E5M2, rhs = f8E5M2>
// -----
// plan_entry_c4
// expected-error @+1 {{expected known roles, got "fprop", "input", "weight"}}
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "input", rhs_role = "weight", status = "excluded", reason_code = "plan_rule", reason = "">
// -----
// plan_entry_c5
// expected-error @+1 {{expected a documented reason code, got "because"}}
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "excluded", reason_code = "because", reason = "">
// -----
// plan_c1
// expected-error @+1 {{expected a recipe, got 7 : i64}}
#p = #fp8.plan<recipe = 7, target = "cpu", accumulation = <model = auto>, rules = [], contractions = []>
// -----
// plan_c2
// expected-error @+1 {{expected a #fp8.plan_rule, got 7 : i64}}
#p = #fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [7], contractions = []>
// -----
// plan_c3
#e = #fp8.plan_entry<function = "f", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "excluded", reason_code = "plan_rule", reason = "">
// expected-error @+1 {{expected one entry for contraction 0 of function "f", got two}}
#p = #fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [], contractions = [#e, #e]>
// -----
// tensor_c1
// expected-error @+1 {{expected storage type f8E4M3FN or f8E5M2, got 'i8'}}
func.func private @f(!fp8.tensor<8xi8, bf16, scale = <f32, block = *>>)
// -----
// tensor_c2
// expected-error @+1 {{expected expressed type bf16, f16 or f32, got 'f64'}}
func.func private @f(!fp8.tensor<8xf8E5M2, f64, scale = <f32, block = *>>)
// -----
// tensor_c3
// expected-error @+1 {{expected one block extent per dimension, got 1 for rank 2}}
func.func private @f(!fp8.tensor<8x8xf8E5M2, bf16, scale = <f32, block = *>>)
// -----
// The dialect's discardable attributes.
// expected-error @+1 {{expected attribute 'fp8.role' to be one of}}
func.func private @f() attributes {fp8.role = "forward"}
// -----
// expected-error @+1 {{expected attribute 'fp8.lhs_role' to be one of}}
func.func private @f() attributes {fp8.lhs_role = 3}
// -----
// expected-error @+1 {{expected attribute 'fp8.decision' to be a #fp8.plan_entry}}
func.func private @f() attributes {fp8.decision = 3}
// -----
// expected-error @+1 {{expected attribute 'fp8.plan' on a module only}}
func.func private @f() attributes {fp8.plan = 3}
// -----
// expected-error @+1 {{expected attribute 'fp8.plan' to be an #fp8.plan}}
module attributes {fp8.plan = 3} {}
// -----
// expected-error @+1 {{expected attribute 'fp8.approx_math' to be a unit attribute of a module, got true}}
module attributes {fp8.approx_math = true} {}
// -----
// expected-error @+1 {{expected attribute 'fp8.approx_math' to be a unit attribute of a module, got unit}}
func.func private @f() attributes {fp8.approx_math}
// -----
// expected-error @+1 {{expected attribute 'fp8.pair' to name the forward function}}
func.func private @f() attributes {fp8.pair = "g"}
// -----
// expected-error @+1 {{expected attribute 'fp8.slots' to be an array of #fp8.slot}}
func.func private @f() attributes {fp8.slots = [1]}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = "x"}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = [0, 0]}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i64: 0>}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i32: 0, 0>}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i64: 5, 0>}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i64: 0, -1>}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i64: 1, 0, 64, 64>}
// -----
// expected-error @+1 {{expected attribute 'fp8.cpu_contract' to be at least two i64: an accumulation model}}
func.func private @f() attributes {fp8.cpu_contract = array<i64: 1, 32, 48>}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_blocks' to be a map of the function's index arguments, as symbols, to one number, got affine_map<()[s0, s1] -> (s0)>}}
func.func private @blocks(%n: index) attributes {fp8.device_blocks = affine_map<()[s0, s1] -> (s0)>}

// -----

// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got "q"}}
func.func private @f() attributes {fp8.device_grid = "q"}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got [1, 2]}}
func.func private @f() attributes {fp8.device_grid = [1, 2]}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got array<i64: 1>}}
func.func private @f() attributes {fp8.device_grid = array<i64: 1>}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got array<i64: 1, 32, 1>}}
func.func private @f() attributes {fp8.device_grid = array<i64: 1, 32, 1>}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got array<i64: 0, 32>}}
func.func private @f() attributes {fp8.device_grid = array<i64: 0, 32>}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got array<i64: 1, -32>}}
func.func private @f() attributes {fp8.device_grid = array<i64: 1, -32>}
// -----
// expected-error @+1 {{expected attribute 'fp8.device_grid' to be two positive i64, blocks and threads of a block, got array<i32: 1, 32>}}
func.func private @f() attributes {fp8.device_grid = array<i32: 1, 32>}
