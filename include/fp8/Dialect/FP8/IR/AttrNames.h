//===- AttrNames.h - Discardable attributes of the fp8 dialect --*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every name that more than one file writes or reads, of attributes that users
// and passes set. It needs no dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_ATTRNAMES_H
#define FP8_DIALECT_FP8_IR_ATTRNAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::fp8 {

/// On a contraction: its role, and the roles of its operands (strings).
inline constexpr llvm::StringLiteral kRoleAttr = "fp8.role";
inline constexpr llvm::StringLiteral kLhsRoleAttr = "fp8.lhs_role";
inline constexpr llvm::StringLiteral kRhsRoleAttr = "fp8.rhs_role";
/// On a contraction: one line that says how the role was found (string).
inline constexpr llvm::StringLiteral kRoleWhyAttr = "fp8.role_why";
/// On a contraction: its `#fp8.plan_entry`.
inline constexpr llvm::StringLiteral kDecisionAttr = "fp8.decision";
/// On a contraction that is to be converted: its `#fp8.accum`, where it is not
/// the plan's.
inline constexpr llvm::StringLiteral kAccumulationAttr = "fp8.accumulation";
/// On an operation on builtin tensors: the name of its GPU kernel.
inline constexpr llvm::StringLiteral kKernelAttr = "fp8.kernel";
/// On a contraction: why it has no GPU kernel (string), as its remark, the
/// report and errors say it.
inline constexpr llvm::StringLiteral kNoKernelAttr = "fp8.no_kernel";
/// On a module: its `#fp8.plan`.
inline constexpr llvm::StringLiteral kPlanAttr = "fp8.plan";
/// On a module: functions of floats may be approximate on a GPU (unit).
inline constexpr llvm::StringLiteral kApproxMathAttr = "fp8.approx_math";
/// On a function with delayed scaling that has no state yet: its recipe.
inline constexpr llvm::StringLiteral kRecipeAttr = "fp8.recipe";
/// On a backward function: symbol of its forward function.
inline constexpr llvm::StringLiteral kPairAttr = "fp8.pair";
/// On a function: array of `#fp8.slot`, one per column of its state.
inline constexpr llvm::StringLiteral kSlotsAttr = "fp8.slots";
/// On an argument or result: "amax_history", "multiplier", "count", "flags" or
/// (argument only) "update".
inline constexpr llvm::StringLiteral kStateAttr = "fp8.state";
/// On a function: symbol of the one that prepares its weights.
inline constexpr llvm::StringLiteral kPrepareAttr = "fp8.prepare";
/// On an argument of such a function: which result of that one it takes (i64).
inline constexpr llvm::StringLiteral kPreparedAttr = "fp8.prepared";

/// On a result of a function: it is a loss (unit).
inline constexpr llvm::StringLiteral kLossAttr = "fp8.loss";
/// On an argument of a function, for fp8-check-lowering: names of its dynamic
/// dimensions; which values it may have.
inline constexpr llvm::StringLiteral kDimsAttr = "fp8.dims";
inline constexpr llvm::StringLiteral kValuesAttr = "fp8.values";

/// On a function that fp8-fuse-epilogues made. The launches of a call of it
/// name its operands `argN` and its results `resultN`.
inline constexpr llvm::StringLiteral kFusedAttr = "fp8.fused";
/// On an operation on builtin tensors: the launches that compute it, in order;
/// each a dictionary with the name of its `kernel` and, for every parameter, in
/// `arguments` what it gets: an operand or result of the operation by name,
/// `scratchN`, buffer N of the function, or of an fp8.amax that only a
/// fp8.delayed_scale reads `count`, the state of that.
inline constexpr llvm::StringLiteral kLaunchesAttr = "fp8.launches";
/// On a function: bytes of each scratch buffer of its launches (array of i64).
inline constexpr llvm::StringLiteral kScratchAttr = "fp8.scratch";
/// On an operation with launches whose sizes are not known: a dictionary from
/// the name of a size (m, batch) to the operand and dimension that it is,
/// "lhs.0". Each launch of several then has the first and last m that it is for
/// (kDynamic: no last one); for 0 there is none.
inline constexpr llvm::StringLiteral kSizesAttr = "fp8.sizes";
/// On a kernel's argument: a dictionary with its `name`, the `element` type and
/// number of `elements` of its buffer, and whether it is a `result`.
inline constexpr llvm::StringLiteral kArgumentAttr = "fp8.argument";
/// On a kernel: a dictionary that says what it computes.
inline constexpr llvm::StringLiteral kComputesAttr = "fp8.computes";
/// The attribute that marks a `linalg.generic` as run by the CPU contraction
/// kernel: the kind of its accumulation model (numerics::AccumKind), the
/// promotion interval (0 is none) and the split boundaries, an array of i64.
/// The op overwrites its result, and may have two more inputs, scales of rank
/// 0.
inline constexpr llvm::StringLiteral kCPUContractAttr = "fp8.cpu_contract";
/// The attribute of a function whose last argument is an arena: its bytes.
inline constexpr llvm::StringLiteral kCPUArenaAttr = "fp8.cpu_arena";
/// The attribute of a function of loops: an i64, about how many operations one
/// call runs. Set by --fp8-cpu-linalg-to-loops.
inline constexpr llvm::StringLiteral kCPUWorkAttr = "fp8.cpu_work";
/// The attribute of a function that is a kernel of a device, in the code of one
/// thread: thread blocks and threads of a block, an array of two i64. Set by
/// --fp8-device-map-threads, or by another project's lowering; from then on no
/// pass takes it for a part of the graph.
inline constexpr llvm::StringLiteral kDeviceGridAttr = "fp8.device_grid";
/// The attribute of a function that is a kernel that ends when an assertion
/// fails: the texts of its assertions.
inline constexpr llvm::StringLiteral kDeviceAssertsAttr = "fp8.device_asserts";
/// The attribute of a function that is a kernel whose number of blocks depends
/// on sizes: as many as a map of the function's index arguments says, and at
/// most the number of its grid; none are launched for 0. Set by
/// --fp8-device-map-threads.
inline constexpr llvm::StringLiteral kDeviceBlocksAttr = "fp8.device_blocks";
/// Bytes of a function's arena where they depend on sizes: a map of its index
/// arguments. Set by --fp8-cpu-plan-buffers in place of kCPUArenaAttr.
inline constexpr llvm::StringLiteral kArenaSizeAttr = "fp8.arena_size";
/// The dynamic sizes of a function's results, in order: a map of the dynamic
/// sizes of its arguments, in order. Set where a graph is compiled for any
/// sizes, read by --fp8-device-bind-sizes.
inline constexpr llvm::StringLiteral kResultSizesAttr = "fp8.result_sizes";
/// On a region of ops on buffers that one block of threads runs in order.
inline constexpr llvm::StringLiteral kDeviceGroupAttr = "fp8.device_group";

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_ATTRNAMES_H
