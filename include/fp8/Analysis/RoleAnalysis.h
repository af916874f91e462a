//===- RoleAnalysis.h - what each contraction is for -------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells forward contractions from data and weight gradients, and weights from
// activations and gradients, by dataflow alone. The method is section 3 of the
// design: trace operands to their sources dimension by dimension and compare
// with the forward contractions that read the same source.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_ANALYSIS_ROLEANALYSIS_H
#define FP8_ANALYSIS_ROLEANALYSIS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace mlir::fp8 {

/// What a contraction computes.
enum class Role { FProp, ReFProp, DGrad, WGrad, Attention, Dispatch, Other };

/// What an operand of a contraction is.
enum class OperandRole { Activation, Weight, Gradient, Other };

/// The spelling used in attributes and reports: "fprop", "refprop", "dgrad",
/// "wgrad", "attention", "dispatch", "other".
StringRef stringifyRole(Role role);
std::optional<Role> symbolizeRole(StringRef text);

/// "activation", "weight", "gradient", "other".
StringRef stringifyOperandRole(OperandRole role);
std::optional<OperandRole> symbolizeOperandRole(StringRef text);

/// The role of one contraction and of its operands in the order of the op's
/// inputs, with one line that says what decided it.
struct RoleInfo {
  Role role = Role::Other;
  OperandRole lhs = OperandRole::Other;
  OperandRole rhs = OperandRole::Other;
  /// For everything but a forward contraction, the forward contraction that it
  /// belongs to; null if there is none in the module.
  Operation *forward = nullptr;
  std::string why;
};

/// Checks what a user wrote for the analysis to read: `fp8.role`,
/// `fp8.lhs_role`, `fp8.rhs_role` and `fp8.pair`. Emits one error otherwise.
LogicalResult verifyGivenRoles(ModuleOp module);

/// Roles of every multiply-accumulate op (isMultiplyAccumulate) of a module.
/// Cost is near linear in the number of ops.
class RoleAnalysis {
public:
  explicit RoleAnalysis(ModuleOp module);

  /// Nothing for an op that is no multiply-accumulate.
  std::optional<RoleInfo> lookup(Operation *op) const;

private:
  DenseMap<Operation *, RoleInfo> roles;
};

} // namespace mlir::fp8

#endif // FP8_ANALYSIS_ROLEANALYSIS_H
