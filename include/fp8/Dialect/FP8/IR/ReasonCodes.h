//===- ReasonCodes.h - Why a contraction is not FP8 -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closed list of reason codes in plans, remarks and reports. Codes are part
// of the command-line contract: add, never rename.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_REASONCODES_H
#define FP8_DIALECT_FP8_IR_REASONCODES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::fp8 {

/// A reason code and what it means.
struct ReasonCode {
  llvm::StringLiteral code;
  llvm::StringLiteral meaning;
};

namespace reason {
inline constexpr char kNone[] = "";
inline constexpr char kRecipe[] = "recipe_bf16";
inline constexpr char kAttention[] = "attention_default";
inline constexpr char kDispatch[] = "dispatch_default";
inline constexpr char kOtherRole[] = "unknown_role";
inline constexpr char kRule[] = "plan_rule";
inline constexpr char kEntry[] = "plan_entry";
inline constexpr char kMinSize[] = "below_min_size";
inline constexpr char kF32Operand[] = "f32_operand";
inline constexpr char kForm[] = "unsupported_form";
inline constexpr char kType[] = "unsupported_type";
inline constexpr char kAccumulator[] = "accumulator_not_zero";
inline constexpr char kLoopState[] = "loop_needs_state";
inline constexpr char kBothE5M2[] = "both_e5m2";
inline constexpr char kEmpty[] = "zero_sized";
inline constexpr char kNoKernel[] = "no_kernel";
} // namespace reason

/// All codes, in documentation order.
llvm::ArrayRef<ReasonCode> getReasonCodes();

/// True if `code` is in the list.
bool isReasonCode(llvm::StringRef code);

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_REASONCODES_H
