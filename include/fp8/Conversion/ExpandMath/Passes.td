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
    `asinh`, `acosh`, `atanh`, `cbrt`, `erf`, `sin`, `cos`, `powf`, `fpowi` and
    `rsqrt` on f32, and casts of scalars to and from `f8E4M3FN` and `f8E5M2`, by
    additions, multiplications, `fma`, IEEE divisions and square roots, comparisons and bit
    operations, so that every backend computes the same bits. Narrower floats
    are widened to f32 and the result is rounded once.

    *Numerics:* the functions are computed in f64 and rounded once: at most
    0.50001 units in the last place, nearly always the correctly rounded f32
    (sin and cos: for magnitudes up to 2^30; powf: 1 unit). Infinities, NaN,
    zeros and subnormal numbers are as in C, except that NaN has no sign.
    `fpowi` with a constant exponent is repeated squaring. Casts to FP8 round to
    nearest even and overflow to NaN (E4M3FN) or infinity (E5M2).

    Example:

    ```mlir
    func.func @f(%x: f32) -> f32 {
      %0 = math.rsqrt %x : f32
      return %0 : f32
    }
    ```

    becomes

    ```mlir
    %one = arith.constant 1.000000e+00 : f64
    %wide = arith.extf %x : f32 to f64
    %root = math.sqrt %wide : f64
    %quotient = arith.divf %one, %root : f64
    %0 = arith.truncf %quotient : f64 to f32
    ```
  }];
  let options = [
    Option<"only", "only", "std::string", "",
           "Attribute of the operations to expand in; all by default">,
  ];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect"];
}

#endif // FP8_CONVERSION_EXPANDMATH_PASSES_TD
