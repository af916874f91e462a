//===- ReasonCodes.cpp - The closed list of reason codes -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/ReasonCodes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::fp8;

static constexpr ReasonCode kCodes[] = {
    {reason::kNone, "FP8, nothing to say"},
    {reason::kRecipe, "the recipe is the BF16 baseline"},
    {reason::kAttention, "attention stays BF16 by default"},
    {reason::kDispatch, "dispatch and combine stay BF16 by default"},
    {reason::kOtherRole, "no role was found, so no operand is known to be "
                         "an activation, weight or gradient"},
    {reason::kRule, "a rule of the plan says BF16"},
    {reason::kEntry, "the plan's entry for this contraction says so"},
    {reason::kMinSize, "a dimension is below the plan's minimum size"},
    {reason::kF32Operand,
     "an operand is a true f32 value, not widened from BF16; it is quantised "
     "from f32"},
    {reason::kForm, "the form of the contraction is not supported"},
    {reason::kType, "an element type is not supported"},
    {reason::kAccumulator, "the accumulator is not a zero-filled tensor"},
    {reason::kLoopState,
     "the body of a loop has no delayed-scaling state; `tensorwise` converts "
     "it"},
    {reason::kBothE5M2, "both operands would be E5M2, which no tensor core "
                        "multiplies in training libraries"},
    {reason::kEmpty, "a dimension is zero"},
    {reason::kNoKernel, "the target has no kernel for this shape"},
};

llvm::ArrayRef<ReasonCode> mlir::fp8::getReasonCodes() { return kCodes; }

bool mlir::fp8::isReasonCode(llvm::StringRef code) {
  return llvm::any_of(kCodes,
                      [&](const ReasonCode &c) { return c.code == code; });
}
