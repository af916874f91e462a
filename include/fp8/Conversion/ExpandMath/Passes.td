//===- Passes.td - Math functions to arithmetic ------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_EXPANDMATH_PASSES_TD
#define FP8_CONVERSION_EXPANDMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"fp8-expand-math"> {
  let summary = "Expand math functions to basic arithmetic";
  let description = [{
    Replaces `exp`, `exp2`, `expm1`, `log`, `log1p`, `log2`, `log10`, `tanh`,
    `erf`, `sin`, `cos`, `powf`, `fpowi` and `rsqrt` on f32 by additions,
    multiplications, `fma`, IEEE divisions and square roots, comparisons and bit
    operations, so that every backend computes the same bits. Narrower floats
    are widened to f32 and the result is rounded once.

    *Numerics:* errors in units in the last place, measured over all f32
    arguments where one is given: exp 1, log 1, tanh 2, erf 2, sin and cos 1 for
    magnitudes up to 2^30, powf 1, rsqrt 1. Infinities, NaN, zeros and subnormal
    numbers are as in C, except that NaN has no sign. `fpowi` with a constant
    exponent is repeated squaring.

    Example:

    ```mlir
    %0 = math.rsqrt %x : f32
    ```

    becomes

    ```mlir
    %one = arith.constant 1.0 : f32
    %root = math.sqrt %x : f32
    %0 = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect"];
}

#endif // FP8_CONVERSION_EXPANDMATH_PASSES_TD
