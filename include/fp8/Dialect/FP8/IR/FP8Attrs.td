//===- FP8Attrs.td - Attributes of the fp8 dialect -----------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8ATTRS_TD
#define FP8_DIALECT_FP8_IR_FP8ATTRS_TD

include "fp8/Dialect/FP8/IR/FP8Dialect.td"
include "fp8/Dialect/FP8/IR/FP8Enums.td"
include "fp8/Dialect/FP8/IR/FP8Interfaces.td"
include "mlir/IR/AttrTypeBase.td"

class FP8_Attr<string cppName, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<FP8_Dialect, cppName, traits> {
  let mnemonic = attrMnemonic;
}

def FP8_NumericsModeAttr
    : EnumAttr<FP8_Dialect, FP8_NumericsMode, "numerics"> {
  let summary = "whose scale rules apply";
  let description = [{
    `safe` (default), `te`, `flax`, `ocp`, `torchao`, `deepgemm`: see
    `fp8/Numerics/Scale.h` for the formula of each.

    Example:
    ```mlir
    #mode = #fp8<numerics te>
    ```
  }];
}

def FP8_AmaxAlgoAttr : EnumAttr<FP8_Dialect, FP8_AmaxAlgo, "amax_algo"> {
  let summary = "how an amax history is reduced";
  let description = [{
    `max` over the window, or the `most_recent` entry.

    Example:
    ```mlir
    #algo = #fp8<amax_algo max>
    ```
  }];
}

def FP8_ScaleAttr : FP8_Attr<"Scale", "scale"> {
  let summary = "rule that ties codes to scales";
  let description = [{
    Element type of the scales, block shape with one entry per dimension of the
    tensor (`*` is the whole dimension; edges by ceil-division), layout in
    memory, and whether every scale is a power of two. The scale is the factor
    that multiplies a code to give the value (as in OCP MX, cuBLASLt, ONNX).

    Constraints:
    - c1: the element type is f32 or f8E8M0FNU
    - c2: every block extent is positive or `*`
    - c3: `pad` goes with layout `compact_t` only, and is positive there
    - c4: layout `tiled128x4` needs rank 2 and blocks along exactly one dimension
    - c5: f8E8M0FNU scales are powers of two already: no `pow2`

    Example:
    ```mlir
    #per_tensor = #fp8.scale<f32, block = *x*>
    #per_128 = #fp8.scale<f32, block = 1x128, layout = compact_t<pad = 4>, pow2>
    #mx = #fp8.scale<f8E8M0FNU, block = 1x32, layout = tiled128x4>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$elementType,
    ArrayRefParameter<"int64_t", "block extent per dimension">:$block,
    "::mlir::fp8::ScaleLayout":$layout,
    "int64_t":$pad,
    "bool":$pow2);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// One scale for the whole tensor of rank `rank`.
    static ScaleAttr getPerTensor(::mlir::MLIRContext *context, int64_t rank);
    /// Block extent that stands for the whole dimension.
    static constexpr int64_t kWhole = ::mlir::ShapedType::kDynamic;
    /// True if there is one scale for the whole tensor.
    bool isPerTensor() const;
    /// Shape of the scale tensor for codes of shape `shape`: rank 0 if per
    /// tensor, else the number of blocks per dimension (dynamic where the
    /// dimension is). Compact layout; other layouts permute and pad this.
    ::llvm::SmallVector<int64_t>
    getScaleShape(::llvm::ArrayRef<int64_t> shape) const;
    /// Parses and prints what stands between `<` and `>`.
    static ::mlir::FailureOr<ScaleAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def FP8_AccumAttr : FP8_Attr<"Accum", "accum"> {
  let summary = "how a contraction sums its products";
  let description = [{
    `model` is the summation of one chain of products; k ascends.
    `seq_f32`: `acc = rn(acc + rn(a * b))`. `hopper`, `ada`, `blackwell`: the
    published bit-level models of the tensor cores (`fp8/Numerics/Accumulate.h`).
    `auto` is left to the target; on a CPU without target it is `seq_f32`.
    `promote = N`: each N products a partial sum is added to an f32 accumulator
    by round to nearest. `split = [k0, ...]`: ascending boundaries of partial
    sums that are added in ascending order.

    Constraints:
    - c1: `promote` is not negative (0 is none)
    - c2: `split` is strictly ascending and positive
    - c3: every split boundary is a multiple of `promote`
    - c4: model `auto` takes neither `promote` nor `split`

    Example:
    ```mlir
    #auto = #fp8.accum<model = auto>
    #hopper = #fp8.accum<model = hopper, promote = 128>
    #split = #fp8.accum<model = hopper, split = [256, 512]>
    ```
  }];
  let parameters = (ins
    EnumParameter<FP8_AccumModel>:$model,
    DefaultValuedParameter<"int64_t", "0">:$promote,
    OptionalArrayRefParameter<"int64_t">:$split);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "::mlir::fp8::AccumModel":$model), [{
    return $_get($_ctxt, model, 0, ::llvm::ArrayRef<int64_t>());
  }]>];
}

def FP8_SlotAttr : FP8_Attr<"Slot", "slot"> {
  let summary = "one delayed-scaling slot";
  let description = [{
    A slot is one column of the state tensors. `name` is for people, `id` joins
    the uses of one tensor inside a function (a recomputed copy has the id of
    the original), `storage` gives the format whose maximum the scale aims at.

    Constraints:
    - c1: `storage` is f8E4M3FN or f8E5M2
    - c2: `id` is not negative

    Example:
    ```mlir
    #x = #fp8.slot<"ffn_up.activation", id = 0, storage = f8E4M3FN>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$id,
                        "::mlir::Type":$storage);
  let assemblyFormat =
      "`<` $name `,` `id` `=` $id `,` `storage` `=` $storage `>`";
  let genVerifyDecl = 1;
}

def FP8_DelayedAttr : FP8_Attr<"Delayed", "delayed",
    [DeclareAttrInterfaceMethods<FP8_RecipeAttrInterface>]> {
  let summary = "recipe: scales from the amaxes of earlier steps";
  let description = [{
    Transformer Engine's `DelayedScaling`: per tensor; the multiplier is
    `max / amax * 2^-margin` with the amax reduced over the last
    `amax_history_len` steps (`max`) or the latest (`most_recent`).

    Constraints:
    - c1: `amax_history_len` is at least 1
    - c2: `margin` is between -64 and 64

    Example:
    ```mlir
    #te = #fp8.delayed<format = hybrid, margin = 0, amax_history_len = 16, amax_compute_algo = max, numerics = te>
    ```
  }];
  let parameters = (ins
    EnumParameter<FP8_RecipeFormat>:$format, "int64_t":$margin,
    "int64_t":$amaxHistoryLen,
    EnumParameter<FP8_AmaxAlgo>:$amaxComputeAlgo,
    EnumParameter<FP8_NumericsMode>:$numerics);
  let assemblyFormat = [{
    `<` `format` `=` $format `,` `margin` `=` $margin `,`
        `amax_history_len` `=` $amaxHistoryLen `,`
        `amax_compute_algo` `=` $amaxComputeAlgo `,`
        `numerics` `=` $numerics `>`
  }];
  let genVerifyDecl = 1;
}

def FP8_TensorwiseAttr : FP8_Attr<"Tensorwise", "tensorwise",
    [DeclareAttrInterfaceMethods<FP8_RecipeAttrInterface>]> {
  let summary = "recipe: one scale per tensor from its current amax";
  let description = [{
    Transformer Engine's `Float8CurrentScaling`: per tensor, no state.

    Example:
    ```mlir
    #current = #fp8.tensorwise<format = hybrid, numerics = safe>
    ```
  }];
  let parameters = (ins EnumParameter<FP8_RecipeFormat>:$format,
                        EnumParameter<FP8_NumericsMode>:$numerics);
  let assemblyFormat =
      "`<` `format` `=` $format `,` `numerics` `=` $numerics `>`";
}

def FP8_BF16Attr : FP8_Attr<"BF16", "bf16",
    [DeclareAttrInterfaceMethods<FP8_RecipeAttrInterface>]> {
  let summary = "recipe: the BF16 baseline";
  let description = [{
    No operand is quantised; contractions take the same form and kernels.

    Example:
    ```mlir
    #baseline = #fp8.bf16
    ```
  }];
}

def FP8_PlanRuleAttr : FP8_Attr<"PlanRule", "plan_rule"> {
  let summary = "one rule of a plan";
  let description = [{
    Sets the precision of the contractions that all given selectors match:
    `role` (fprop, ...), `name` (a POSIX extended regular expression, searched
    in the name from the location), `position` (`first` or `last`: the first or
    last forward contraction with a weight, and its backward), `min_size` (the
    rule matches when the smallest of m, n, k is below it). `lhs` and `rhs` name
    a storage type for one operand. Later rules win.

    Constraints:
    - c1: at least one selector is given
    - c2: `precision`, where given, is "fp8" or "bf16"
    - c3: `role` is a role, `position` is "first" or "last"
    - c4: `name` is a valid regular expression
    - c5: `lhs` and `rhs` are f8E4M3FN or f8E5M2
    - c6: at least one of `precision`, `lhs`, `rhs` is given
    - c7: `min_size` is at least 1

    Example:
    ```mlir
    #head = #fp8.plan_rule<name = "lm_head", precision = "bf16">
    #wgrad = #fp8.plan_rule<role = "wgrad", lhs = f8E4M3FN>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::StringAttr">:$role,
    OptionalParameter<"::mlir::StringAttr">:$name,
    OptionalParameter<"::mlir::StringAttr">:$position,
    OptionalParameter<"::mlir::IntegerAttr">:$min_size,
    OptionalParameter<"::mlir::StringAttr">:$precision,
    OptionalParameter<"::mlir::Type">:$lhs,
    OptionalParameter<"::mlir::Type">:$rhs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def FP8_PlanEntryAttr : FP8_Attr<"PlanEntry", "plan_entry"> {
  let summary = "what a plan decided for one contraction";
  let description = [{
    `function` and `index` (position among the function's contractions, in
    program order) say which; `name` and `role` are repeated so that an edited
    plan can be read. `status` is "fp8", "excluded" (the plan says BF16) or
    "fallback" (FP8 was wanted and something prevents it); `reason_code` is from
    a closed list. `lhs` and `rhs` are the storage types where status is fp8.

    Constraints:
    - c1: `status` is "fp8", "excluded" or "fallback"
    - c2: `lhs` and `rhs` are given exactly where `status` is "fp8"
    - c3: they are f8E4M3FN or f8E5M2, and not both f8E5M2
    - c4: `role`, `lhs_role` and `rhs_role` are known roles
    - c5: `reason_code` is in the closed list, and not empty where `status` is not "fp8"

    Example:
    ```mlir
    #e = #fp8.plan_entry<function = "main", index = 0, name = "q/dot_general", role = "fprop", lhs_role = "activation", rhs_role = "weight", status = "fp8", reason_code = "", reason = "", lhs = f8E4M3FN, rhs = f8E4M3FN>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$function, "int64_t":$index,
    "::mlir::StringAttr":$name, "::mlir::StringAttr":$role,
    "::mlir::StringAttr":$lhs_role, "::mlir::StringAttr":$rhs_role,
    "::mlir::StringAttr":$status, "::mlir::StringAttr":$reason_code,
    "::mlir::StringAttr":$reason,
    OptionalParameter<"::mlir::Type">:$lhs,
    OptionalParameter<"::mlir::Type">:$rhs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def FP8_PlanAttr : FP8_Attr<"Plan", "plan"> {
  let summary = "precision of every contraction of a module";
  let description = [{
    The recipe, the target it was made for, the rules in force, the
    accumulation, and one entry per contraction. Printed by `--emit-plan`, read
    by `--plan`; an entry that was changed there overrides what the rules say,
    one that only records what they decide does not.

    Constraints:
    - c1: `recipe` implements RecipeAttrInterface
    - c2: `rules` holds `#fp8.plan_rule`s
    - c3: `contractions` holds `#fp8.plan_entry`s, no two for one contraction

    Example:
    ```mlir
    #p = #fp8.plan<recipe = #fp8.tensorwise<format = hybrid, numerics = safe>, target = "cpu", accumulation = #fp8.accum<model = auto>, rules = [#fp8.plan_rule<role = "attention", precision = "bf16">], contractions = []>
    ```
  }];
  let parameters = (ins
    "::mlir::Attribute":$recipe, "::mlir::StringAttr":$target,
    "::mlir::fp8::AccumAttr":$accumulation,
    "::mlir::ArrayAttr":$rules, "::mlir::ArrayAttr":$contractions);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // FP8_DIALECT_FP8_IR_FP8ATTRS_TD
