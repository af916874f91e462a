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
    %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x256xbf16>)
                       outs(%zero : tensor<64x256xf32>) -> tensor<64x256xf32>
    // becomes
    %y = linalg.matmul {fp8.role = "fprop", fp8.lhs_role = "activation",
                        fp8.rhs_role = "weight", fp8.role_why = "..."}
                       ins(%x, %w : tensor<64x64xbf16>, tensor<64x256xbf16>)
                       outs(%zero : tensor<64x256xf32>) -> tensor<64x256xf32>
    ```

    *Numerics:* none; only attributes are added.
  }];
  let options = [
    Option<"jsonFile", "json", "std::string", "\"\"",
           "Write the roles, in program order, to this file as JSON">,
  ];
}

#endif // FP8_TRANSFORMS_PASSES_TD
