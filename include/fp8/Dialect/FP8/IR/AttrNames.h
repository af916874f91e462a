//===- AttrNames.h - Discardable attributes of the fp8 dialect --*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_ATTRNAMES_H
#define FP8_DIALECT_FP8_IR_ATTRNAMES_H

namespace mlir::fp8 {

/// On a contraction: its role, and the roles of its operands (strings).
inline constexpr char kRoleAttr[] = "fp8.role";
inline constexpr char kLhsRoleAttr[] = "fp8.lhs_role";
inline constexpr char kRhsRoleAttr[] = "fp8.rhs_role";
/// On a contraction: one line that says how the role was found (string).
inline constexpr char kRoleWhyAttr[] = "fp8.role_why";
/// On a contraction: its `#fp8.plan_entry`.
inline constexpr char kDecisionAttr[] = "fp8.decision";
/// On an operation on builtin tensors: the name of its GPU kernel.
inline constexpr char kKernelAttr[] = "fp8.kernel";
/// On a contraction: why it has no GPU kernel (string), as its remark, the
/// report and errors say it.
inline constexpr char kNoKernelAttr[] = "fp8.no_kernel";
/// On a module: its `#fp8.plan`.
inline constexpr char kPlanAttr[] = "fp8.plan";
/// On a module: functions of floats may be approximate on a GPU (unit).
inline constexpr char kApproxMathAttr[] = "fp8.approx_math";
/// On a function with delayed scaling that has no state yet: its recipe.
inline constexpr char kRecipeAttr[] = "fp8.recipe";
/// On a backward function: symbol of its forward function.
inline constexpr char kPairAttr[] = "fp8.pair";
/// On a function: array of `#fp8.slot`, one per column of its state.
inline constexpr char kSlotsAttr[] = "fp8.slots";
/// On an argument or result: "amax_history", "multiplier", "count", "flags" or
/// (argument only) "update".
inline constexpr char kStateAttr[] = "fp8.state";
/// On a function: symbol of the one that prepares its weights.
inline constexpr char kPrepareAttr[] = "fp8.prepare";
/// On an argument of such a function: which result of that one it takes (i64).
inline constexpr char kPreparedAttr[] = "fp8.prepared";

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_ATTRNAMES_H
