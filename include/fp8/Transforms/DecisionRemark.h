//===- DecisionRemark.h - One remark per contraction ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remark that says what happened to a candidate. Reports are built from
// these remarks and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TRANSFORMS_DECISIONREMARK_H
#define FP8_TRANSFORMS_DECISIONREMARK_H

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/IR/Remarks.h"

#include <optional>

namespace mlir::fp8 {

/// Category of the remarks, as for `--remarks-filter`.
inline constexpr char kDecisionCategory[] = "fp8-quantize";
/// Name of each remark.
inline constexpr char kDecisionRemark[] = "contraction";
/// Name of the remark that adds the kernel to a decision.
inline constexpr char kKernelRemark[] = "kernel";

/// Sizes of a contraction; ShapedType::kDynamic where unknown.
struct ContractionSizes {
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

/// Everything that the report says of one candidate.
struct Decision {
  PlanEntryAttr entry;
  /// Absent where there is no matrix product in it.
  std::optional<ContractionSizes> sizes;
  AccumAttr accumulation;
  /// Element type of the result.
  Type result;
  /// Element types of the operands as they are multiplied.
  Type lhs, rhs;
  /// "delayed", "tensorwise" or "none".
  StringRef scaling = "none";
};

/// Emits `passed` for FP8, `analysis` for excluded and `missed` for fallback,
/// with one key per field of the JSON report.
void emitDecisionRemark(Location loc, const Decision &decision);

/// What a contraction runs, as its remark says it.
struct KernelDecision {
  /// Empty with a refusal.
  std::string kernel, schedule;
  /// Operands that are re-laid first, as "lhs", "rhs" or "lhs, rhs".
  std::string copies;
  /// Why there is no kernel.
  std::string refusal;
};

/// Emits the remark that adds a kernel, or why there is none, to the decision
/// `entry`: `passed` or `missed`. `addFigures` appends what else is known.
void emitKernelRemark(
    Location loc, PlanEntryAttr entry, const KernelDecision &decision,
    llvm::function_ref<void(remark::detail::InFlightRemark &)> addFigures = {});

} // namespace mlir::fp8

#endif // FP8_TRANSFORMS_DECISIONREMARK_H
