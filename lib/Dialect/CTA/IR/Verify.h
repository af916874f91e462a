//===- Verify.h - Rules that several operations share -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each emits an error that ends with the number of the constraint.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_DIALECT_CTA_IR_VERIFY_H
#define FP8_LIB_DIALECT_CTA_IR_VERIFY_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Target/TargetInfo.h"

namespace mlir::cta {

/// `op` is inside a role of `kind`.
LogicalResult verifyInRole(Operation *op, RoleKind kind, StringRef number);

/// `op` is in a kernel's first block, through which every thread comes.
LogicalResult verifyReached(Operation *op, StringRef number);

/// The kernel's rings balance over the trips of loops: (c4) of
/// cta.ring.create, (c6) of cta.ring.acquire. Needs ops that verify.
LogicalResult verifyBalance(KernelOp kernel);

/// What asynchronous operations read or write of shared memory, threads have
/// fenced: (c4) of cta.tma.store, (c9) of cta.wgmma, (c8) of cta.tcgen05.mma,
/// (c7) of cta.tma.load. Needs ops that verify.
LogicalResult verifyProxies(KernelOp kernel);

/// `slot` has `stages` stages.
LogicalResult verifySlot(Operation *op, SlotType slot, int64_t stages,
                         StringRef number);

/// The kernel that `op` is in is for a target with `unit`, called `what`.
LogicalResult verifyUnit(Operation *op, ::fp8::target::MatrixUnit unit,
                         StringRef what, StringRef number);

/// Types (c1), swizzles and columns (c2) of a matrix instruction's operands.
LogicalResult verifyOperands(Operation *op, SmemType a, SmemType b);

/// k = [from, to] is a number of steps within the columns of `a` (c4).
LogicalResult verifySteps(Operation *op, ArrayRef<int64_t> k, SmemType a);

} // namespace mlir::cta

#endif // FP8_LIB_DIALECT_CTA_IR_VERIFY_H
