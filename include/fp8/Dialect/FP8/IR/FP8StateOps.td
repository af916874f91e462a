//===- FP8StateOps.td - Delayed-scaling state ----------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_FP8STATEOPS_TD
#define FP8_DIALECT_FP8_IR_FP8STATEOPS_TD

include "fp8/Dialect/FP8/IR/FP8OpBase.td"

def FP8_I32Tensor : RankedTensorOf<[I32]>;
def FP8_I8Tensor : RankedTensorOf<[I8]>;
def FP8_I1Tensor : RankedTensorOf<[I1]>;

def FP8_DelayedScaleOp : FP8_Op<"delayed_scale", [Pure,
    AttrSizedOperandSegments]> {
  let summary = "multiplier and scale of a delayed-scaling slot";
  let description = [{
    The multiplier that the slot's earlier steps left, and `rn(1 / multiplier)`
    as the scale. `te` takes it always (it starts at 1). `safe` takes the
    multiplier of the current amax (rule of `fp8.scale_from_amax` in mode `te`,
    with `margin`) while fewer than `warmup` steps were recorded. `flax` is
    `te` here: their difference is in the update.

    `--fp8-quantize` makes it without `state`; `--fp8-thread-state` gives it the
    slot's multiplier and count and adds the amax to what the step records.

    *Numerics:* one rounding for the scale.

    Constraints:
    - c1: all tensors have rank 0
    - c2: `state` is a multiplier and a count, or absent
    - c3: `warmup` is between 0 and 2^31 - 1, as counts are
    - c4: `numerics` is `safe`, `te` or `flax`: no other mode has delayed scaling
    - c5: `margin` is between -64 and 64

    Example:
    ```mlir
    func.func @delayed(%amax: tensor<f32>, %flags: tensor<i8>, %m: tensor<f32>, %c: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
      %multiplier, %scale = fp8.delayed_scale %amax, %flags state(%m, %c : tensor<f32>, tensor<i32>) {slot = #fp8.slot<"x", id = 0, storage = f8E4M3FN>, numerics = #fp8<numerics safe>} : tensor<f32>, tensor<i8>
      return %multiplier, %scale : tensor<f32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins FP8_F32Tensor:$amax, FP8_FlagsTensor:$flags,
                       Optional<FP8_F32Tensor>:$state_multiplier,
                       Optional<FP8_I32Tensor>:$state_count,
                       FP8_SlotAttr:$slot, FP8_NumericsModeAttr:$numerics,
                       DefaultValuedAttr<I64Attr, "0">:$margin,
                       DefaultValuedAttr<I64Attr, "1">:$warmup);
  let results = (outs FP8_F32Tensor:$multiplier, FP8_F32Tensor:$scale);
  let assemblyFormat = [{
    $amax `,` $flags
    (`state` `(` $state_multiplier^ `,` $state_count `:`
                 type($state_multiplier) `,` type($state_count) `)`)?
    attr-dict `:` type($amax) `,` type($flags)
    custom<DelayedScaleResults>(ref(type($amax)), type($multiplier), type($scale))
  }];
  let hasVerifier = 1;
}

def FP8_RecordOp : FP8_Op<"record", [Pure,
    AllTypesMatch<["history", "new_history"]>,
    AllTypesMatch<["flags", "new_flags"]>]> {
  let summary = "merge amaxes into the open slot of the history";
  let description = [{
    `new_history[0, i] = max(history[0, i], amax[i])`, other rows unchanged;
    `new_flags[i] = flags[i] | amax_flags[i]`. In mode `te` and `flax` an
    infinity counts as amax Inf (and then stays in the window); NaN never
    raises an amax. Order-free and idempotent: recording a recomputed copy or
    N calls in turn gives what one call on the merged batch gives.

    *Numerics:* exact.

    Constraints:
    - c1: `history` is [L, N]; `flags`, `amax`, `amax_flags` are [N]

    Example:
    ```mlir
    func.func @record(%h: tensor<16x2xf32>, %f: tensor<2xi8>, %a: tensor<2xf32>, %af: tensor<2xi8>) -> (tensor<16x2xf32>, tensor<2xi8>) {
      %h1, %f1 = fp8.record %a, %af into %h, %f {numerics = #fp8<numerics te>} : tensor<2xf32>, tensor<2xi8>, tensor<16x2xf32>, tensor<2xi8>
      return %h1, %f1 : tensor<16x2xf32>, tensor<2xi8>
    }
    ```
  }];
  let arguments = (ins FP8_F32Tensor:$amax, FP8_I8Tensor:$amax_flags,
                       FP8_F32Tensor:$history, FP8_I8Tensor:$flags,
                       FP8_NumericsModeAttr:$numerics);
  let results = (outs FP8_F32Tensor:$new_history, FP8_I8Tensor:$new_flags);
  let assemblyFormat = [{
    $amax `,` $amax_flags `into` $history `,` $flags attr-dict `:`
    type($amax) `,` type($amax_flags) `,` type($history) `,` type($flags)
  }];
  let hasVerifier = 1;
}

def FP8_UpdateOp : FP8_Op<"update", [Pure,
    AllTypesMatch<["history", "new_history"]>,
    AllTypesMatch<["multiplier", "new_multiplier"]>,
    AllTypesMatch<["count", "new_count"]>]> {
  let summary = "close the step: new multipliers, rolled history";
  let description = [{
    Where `enable` is false, the identity. Else for each slot i whose open entry
    `history[0, i]` is not 0: the amax is the maximum of the window (`max`) or
    the open entry (`most_recent`); the new multiplier is
    `max(storage) * 2^-margin / amax`, clamped to the largest f32, if the amax
    is finite and positive, else unchanged; the history rolls by one so that its
    last row is the entry just closed, and the open entry becomes 0; the count
    grows by one. A slot whose open entry is 0 was not run and stays as it is.
    Formula and edge cases: `fp8/Numerics/Scale.h` (Transformer Engine,
    `delayed_scaling.cu`).

    *Numerics:* one rounding.

    Constraints:
    - c1: `history` is [L, N]; `multiplier`, `count` are [N]; `enable` has rank 0
    - c2: `slots` holds one `#fp8.slot` per column
    - c3: `margin` is between -64 and 64

    Example:
    ```mlir
    func.func @update(%h: tensor<16x1xf32>, %m: tensor<1xf32>, %c: tensor<1xi32>, %u: tensor<i1>) -> (tensor<16x1xf32>, tensor<1xf32>, tensor<1xi32>) {
      %h1, %m1, %c1 = fp8.update %h, %m, %c if %u {algo = #fp8<amax_algo max>, numerics = #fp8<numerics te>, slots = [#fp8.slot<"x", id = 0, storage = f8E4M3FN>]} : tensor<16x1xf32>, tensor<1xf32>, tensor<1xi32>, tensor<i1>
      return %h1, %m1, %c1 : tensor<16x1xf32>, tensor<1xf32>, tensor<1xi32>
    }
    ```
  }];
  let arguments = (ins FP8_F32Tensor:$history, FP8_F32Tensor:$multiplier,
                       FP8_I32Tensor:$count, FP8_I1Tensor:$enable,
                       ArrayAttr:$slots, FP8_AmaxAlgoAttr:$algo,
                       FP8_NumericsModeAttr:$numerics,
                       DefaultValuedAttr<I64Attr, "0">:$margin);
  let results = (outs FP8_F32Tensor:$new_history, FP8_F32Tensor:$new_multiplier,
                      FP8_I32Tensor:$new_count);
  let assemblyFormat = [{
    $history `,` $multiplier `,` $count `if` $enable attr-dict `:`
    type($history) `,` type($multiplier) `,` type($count) `,` type($enable)
  }];
  let hasVerifier = 1;
}

def FP8_MergeOp : FP8_Op<"merge", [Pure, Commutative,
    SameOperandsAndResultType]> {
  let summary = "join the amax histories of two ranks or micro-batches";
  let description = [{
    Elementwise maximum of two histories: what an all-reduce(MAX) over ranks
    does, and what joins histories recorded apart.

    *Numerics:* exact.

    Constraints:
    - c1: operands are [L, N]

    Example:
    ```mlir
    func.func @merge(%a: tensor<16x2xf32>, %b: tensor<16x2xf32>) -> tensor<16x2xf32> {
      %0 = fp8.merge %a, %b : tensor<16x2xf32>
      return %0 : tensor<16x2xf32>
    }
    ```
  }];
  let arguments = (ins FP8_F32Tensor:$lhs, FP8_F32Tensor:$rhs);
  let results = (outs FP8_F32Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FP8_DIALECT_FP8_IR_FP8STATEOPS_TD
