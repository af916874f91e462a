//===- Passes.td - passes on BF16 graphs and the fp8 dialect --*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TRANSFORMS_PASSES_TD
#define FP8_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferRolesPass : Pass<"fp8-infer-roles", "ModuleOp"> {
  let summary = "Say of each contraction whether it is forward, data gradient or "
                "weight gradient";
  let description = [{
    Writes four discardable attributes on every op that sums products of two
    tensors, convolutions included:

    - `fp8.role`: `fprop`, `refprop` (a forward contraction recomputed for the
      backward pass), `dgrad`, `wgrad`, `attention`, `dispatch` or `other`;
    - `fp8.lhs_role`, `fp8.rhs_role`: `activation`, `weight`, `gradient` or
      `other`;
    - `fp8.role_why`: one line that names the evidence.

    Roles come from dataflow alone; location names are never read. A function
    whose results hold a scalar float has that as its loss, unless the scalar is
    computed from gradients; another result is named as a loss by the result
    attribute `fp8.loss`. A backward function that was exported apart from its
    forward names it with the function attribute `fp8.pair = @fwd`: its leading
    arguments are then the trailing results of the forward function. Functions
    are seen through their calls. An op that has `fp8.role` already keeps it,
    and whatever operand roles it has; the other contractions are inferred with
    that role taken as true.

    Example:

    ```mlir
    func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x32xbf16>, %init: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %zero = arith.constant 0.0 : f32
      %c = linalg.fill ins(%zero : f32) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
      %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    }
    ```

    becomes

    ```mlir
    %y = linalg.matmul {fp8.lhs_role = "activation", fp8.rhs_role = "weight", fp8.role = "fprop", fp8.role_why = "..."} ins(%x, %w : ...
    ```

    *Numerics:* none; only attributes are added.
  }];
  let options = [
    Option<"jsonFile", "json", "std::string", "\"\"",
           "Write the roles, in program order, to this file as JSON">,
  ];
}

def PlanPass : Pass<"fp8-plan", "ModuleOp"> {
  let summary = "Decide the precision of every contraction";
  let description = [{
    Writes `fp8.plan` on the module and `fp8.decision` on every contraction. The
    recipe comes from the options, or from the `fp8.plan` that the module holds
    already: then its rules and entries win over the recipe's defaults
    (attention and dispatch stay BF16), later rules over earlier ones, entries
    over rules; but an entry that only records what recipe and rules decided
    leaves way to the rules. Roles of an entry are overrides, as `fp8.role` is.
    A rule or entry that matches nothing is an error. A module with contractions
    whose decisions were carried out is checked against its plan and stays as it
    is. With a recipe that has state, a function that the body of an scf
    operation calls stays BF16: one that is called elsewhere too, or is public,
    gets a private twin for these bodies.

    Example:

    ```mlir
    func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x32xbf16>, %init: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %zero = arith.constant 0.0 : f32
      %c = linalg.fill ins(%zero : f32) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
      %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    }
    ```

    becomes

    ```mlir
    module attributes {fp8.plan = #fp8.plan<recipe = #fp8.delayed<format = hybrid, ...
    %y = linalg.matmul {fp8.decision = #fp8.plan_entry<function = "main", index = 0, ...
    ```

    *Numerics:* none; only attributes are added.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", "\"delayed\"",
           "delayed, tensorwise (alias current) or bf16">,
    Option<"format", "format", "std::string", "\"hybrid\"", "hybrid or e4m3">,
    Option<"margin", "margin", "int64_t", "0", "Headroom in powers of two">,
    Option<"amaxHistoryLen", "amax-history-len", "int64_t", "16",
           "Length of the amax history">,
    Option<"amaxComputeAlgo", "amax-compute-algo", "std::string", "\"max\"",
           "max or most_recent">,
    Option<"numerics", "numerics", "std::string", "\"safe\"",
           "safe, te, flax, ocp, torchao or deepgemm">,
    Option<"target", "target", "std::string", "\"cpu\"",
           "Target that the plan is made for">,
    Option<"accumulation", "accumulation", "std::string", "\"auto\"",
           "auto, fast, promote<N>, f32 or <model = M, promote = N, split = [K, ...]>">,
  ];
  let dependentDialects = ["::mlir::fp8::FP8Dialect"];
}

def RefineAccumulationPass : Pass<"fp8-refine-accumulation", "ModuleOp"> {
  let summary = "Say how contractions add that leave it to the target";
  let description = [{
    Gives every `fp8.contract` and `fp8.scaled_contract` whose accumulation is
    absent or `auto` the one that `target` has: Hopper promotes every 128
    elements, Blackwell never, a CPU adds in sequential f32. What was asked for
    stays. One remark per operation says what it got. fp8-compile and fp8-run
    do this for a GPU target, also on graphs that nothing converts
    (`--recipe=none`); for a CPU `auto` stays, so that a later run may say.

    Example:

    ```mlir
    func.func @main(%a: tensor<8x64xbf16>, %b: tensor<64x8xbf16>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
      %0 = fp8.contract %a, %b : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
      %1 = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, promote = 32>} : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
      return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
    }
    ```

    becomes

    ```mlir
    %0 = fp8.contract %a, %b {accumulation = #fp8.accum<model = seq_f32>} : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
    %1 = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, promote = 32>} : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
    ```

    *Numerics:* fixes the order and the rounding of sums that were left to the
    target; changes none that were given.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "Target that the program is for">,
  ];
  let dependentDialects = ["::mlir::fp8::FP8Dialect"];
}

def QuantizePass : Pass<"fp8-quantize", "ModuleOp"> {
  let summary = "Rewrite contractions as the plan says";
  let description = [{
    Every contraction becomes an `fp8.contract` over `[batch,] m, n, k`: on
    quantised operands where its `fp8.decision` says fp8, else on plain ones.
    Operands are collapsed (and, where their dimensions interleave, transposed)
    before quantising; a tensor that several contractions read is quantised
    once. Forms that have no matrix product stay as they are, and so does what
    has been converted. One remark per candidate says what happened.

    Example:

    ```mlir
    module attributes {fp8.plan = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = safe>, target = "cpu", accumulation = <model = auto>, rules = [], contractions = []>} {
      func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x32xbf16>, %init: tensor<64x32xf32>) -> tensor<64x32xf32> {
        %zero = arith.constant 0.0 : f32
        %c = linalg.fill ins(%zero : f32) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
        %y = linalg.matmul {fp8.decision = #fp8.plan_entry<function = "main", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>} ins(%x, %w : tensor<64x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
        return %y : tensor<64x32xf32>
      }
    }
    ```

    becomes

    ```mlir
    %amax, %flags = fp8.amax %x : tensor<64x64xbf16>
    %multiplier, %scale = fp8.scale_from_amax %amax, %flags {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
    %qx = fp8.quantize %x, %multiplier, %scale : tensor<64x64xbf16>, tensor<f32> -> <64x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
    %y = fp8.contract %qx, %qw {accumulation = #fp8.accum<model = seq_f32>, ...} : ... -> tensor<64x32xf32>
    ```

    *Numerics:* changes rounding and range of operands that the plan quantises;
    a contraction that stays BF16 accumulates in f32 and rounds once, which
    for a BF16 accumulator is more exact than the text.
  }];
  let dependentDialects = ["::mlir::fp8::FP8Dialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ThreadStatePass : Pass<"fp8-thread-state", "ModuleOp"> {
  let summary = "Make delayed-scaling state arguments and results";
  let description = [{
    Gives every `fp8.delayed_scale` its slot. A public function gains the
    arguments multiplier [N], count [N], amax_history [L, N], flags [N] and
    update (i1), and as its last results the new amax_history, multiplier, count
    and flags: amaxes of the call are recorded into the open slot, and
    `fp8.update` closes the step if `update` is true. Uses of one slot, as by a
    recomputed copy, share a column and record the larger amax. A callee takes
    slices of multiplier and count and returns its amaxes and flags; the caller
    joins them. `fp8.slots` on each function names the columns. With `freeze`
    the amaxes are not recorded and no state is returned: an evaluation program.

    Example:

    ```mlir
    func.func @main(%x: tensor<8x8xbf16>) -> tensor<f32> attributes {fp8.recipe = #fp8.delayed<format = hybrid, margin = 0, amax_history_len = 16, amax_compute_algo = max, numerics = te>} {
      %amax, %flags = fp8.amax %x : tensor<8x8xbf16>
      %m, %s = fp8.delayed_scale %amax, %flags {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics te>} : tensor<f32>, tensor<i8>
      return %s : tensor<f32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<8x8xbf16>, %multiplier: tensor<1xf32> ..., %count: tensor<1xi32> ..., %history: tensor<16x1xf32> ..., %flags: tensor<1xi8> ..., %update: tensor<i1> ...) -> (tensor<f32>, tensor<16x1xf32> ..., tensor<1xf32> ..., tensor<1xi32> ..., tensor<1xi8> ...)
    ```

    *Numerics:* none; only where numbers are kept changes.
  }];
  let options = [
    Option<"freeze", "freeze", "bool", "false",
           "Read the state, record and return nothing">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fp8::FP8Dialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitPreparePass : Pass<"fp8-split-prepare", "ModuleOp"> {
  let summary = "Move the quantisation of frozen weights to a function of its own";
  let description = [{
    For inference with frozen weights. Each public function gains a public
    `prepare` (`prepare_NAME` where there are several), which takes the weights
    and returns their scaled tensors; the function takes those as its last
    arguments and loses the weights that nothing else in it reads. `fp8.prepare`
    on the function names the new one, `fp8.prepared` on each new argument says
    which of its results it takes.

    What moves: a scaled operand of an `fp8.contract` that pure operations of
    the function's body compute from weights alone. Weights are the arguments
    behind the operands that the plan (`fp8.decision`) calls so. Delayed
    scaling's multipliers may be read too, if the function returns no state
    (`fp8-thread-state="freeze"`). Everything else stays. Where the kernels of
    the plan's target want the contracted dimension of codes contiguous, the
    codes of a weight that is stored otherwise are transposed once, in the new
    function, and the contraction reads them so.

    It is an error if no function has anything to prepare (with the reason:
    gradients, weights that are quantised in a loop, state that changes), or if
    the new name is taken.

    Example:

    ```mlir
    func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<64x32xf32> {
      %xa, %xf = fp8.amax %x : tensor<64x64xbf16>
      %xm, %xs = fp8.scale_from_amax %xa, %xf {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
      %qx = fp8.quantize %x, %xm, %xs : tensor<64x64xbf16>, tensor<f32> -> !fp8.tensor<64x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      %wa, %wf = fp8.amax %w : tensor<64x32xbf16>
      %wm, %ws = fp8.scale_from_amax %wa, %wf {numerics = #fp8<numerics safe>, storage = f8E4M3FN} : tensor<f32>, tensor<i8>
      %qw = fp8.quantize %w, %wm, %ws : tensor<64x32xbf16>, tensor<f32> -> !fp8.tensor<64x32xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      %y = fp8.contract %qx, %qw {fp8.decision = #fp8.plan_entry<function = "main", index = 0, name = "", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>} : !fp8.tensor<64x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>, !fp8.tensor<64x32xf8E4M3FN, bf16, scale = <f32, block = *x*>> -> tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    }
    ```

    becomes

    ```mlir
    func.func @prepare(%arg0: tensor<64x32xbf16>) -> !fp8.tensor<64x32xf8E4M3FN, ...
    func.func @main(%arg0: tensor<64x64xbf16>, %arg1: !fp8.tensor<64x32xf8E4M3FN, ...
    fp8.contract %2, %arg1 ...
    ```

    *Numerics:* none; the same operations run in another function.
  }];
  let dependentDialects = ["::mlir::fp8::FP8Dialect",
                           "::mlir::func::FuncDialect"];
}

def ExpandTensorsPass : Pass<"fp8-expand-tensors", "ModuleOp"> {
  let summary = "Turn scaled tensors into codes and scales";
  let description = [{
    One `!fp8.tensor` becomes two builtin tensors, codes then scales, across
    functions, calls and scf; operations on it become their destination-style
    `fp8.scaled_*` forms or tensor operations on the codes.

    Example:

    ```mlir
    func.func @main(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>) -> tensor<8x64xbf16> {
      %0 = fp8.dequantize %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
      return %0 : tensor<8x64xbf16>
    }
    ```

    becomes

    ```mlir
    func.func @main(%codes: tensor<8x64xf8E4M3FN>, %scale: tensor<f32>) -> tensor<8x64xbf16>
    %0 = fp8.scaled_dequantize ins(%codes, %scale : tensor<8x64xf8E4M3FN>, tensor<f32>) outs(%empty : tensor<8x64xbf16>) -> tensor<8x64xbf16>
    ```

    *Numerics:* exact.
  }];
  let dependentDialects = ["::mlir::fp8::FP8Dialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect"];
}

def VerifyConversionPass : Pass<"fp8-verify-conversion", "ModuleOp"> {
  let summary = "Check that the plan was carried out";
  let description = [{
    Fails if a contraction that the plan wanted in FP8 is still a linalg
    operation, if an `fp8.contract` has other storage types than its decision
    says, or if a delayed-scaling slot was not given its state.

    Example:

    ```mlir
    func.func @main(%a: tensor<8x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<8x8xf32> {
      %0 = fp8.contract %a, %b : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    ```

    passes, as nothing here was promised to be FP8, and stays

    ```mlir
    func.func @main(%a: tensor<8x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<8x8xf32> {
      %0 = fp8.contract %a, %b : tensor<8x64xbf16>, tensor<64x8xbf16> -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    ```

    *Numerics:* none; nothing is changed.
  }];
}

#endif // FP8_TRANSFORMS_PASSES_TD
