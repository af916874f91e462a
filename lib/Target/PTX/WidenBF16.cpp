//===- WidenBF16.cpp - BF16 arithmetic beside wgmma -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epilogue's arithmetic on BF16 is built in f32, and LLVM narrows it. ptxas
// then adds a wait of its own between a product of one wgmma and an instruction
// such as add.bf16 on its rounded sum (note C7517). In f32 it does not. The
// bits are the same: 24 digits are at least twice 8 and 2.
//
//===----------------------------------------------------------------------===//

#include "WidenBF16.h"

#include "mlir/Support/LLVM.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace mlir;

static bool isWGMMA(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
                    : nullptr;
  return text && StringRef(text->getAsmString()).contains("wgmma.mma_async");
}

static bool isMinMax(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::minimum:
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::minimumnum:
  case llvm::Intrinsic::maximumnum:
    return true;
  default:
    return false;
  }
}

/// Whether `instruction` computes on BF16 what f32 and a rounding give, too. A
/// remainder has no such form, and nothing makes one.
static bool isBF16Arithmetic(llvm::Instruction &instruction) {
  bool isKnown = llvm::isa<llvm::FCmpInst>(instruction) ||
                 (llvm::isa<llvm::BinaryOperator>(instruction) &&
                  instruction.getOpcode() != llvm::Instruction::FRem) ||
                 isMinMax(instruction);
  return isKnown &&
         instruction.getOperand(0)->getType()->getScalarType()->isBFloatTy();
}

static llvm::Value *widenOne(llvm::IRBuilder<> &b,
                             llvm::Instruction &instruction) {
  llvm::Type *type = instruction.getOperand(0)->getType();
  llvm::Type *wide = type->getWithNewType(b.getFloatTy());
  llvm::Value *lhs = b.CreateFPExt(instruction.getOperand(0), wide);
  llvm::Value *rhs = b.CreateFPExt(instruction.getOperand(1), wide);
  if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
    return b.CreateFCmp(compare->getPredicate(), lhs, rhs);
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return b.CreateFPTrunc(
        b.CreateBinaryIntrinsic(call->getIntrinsicID(), lhs, rhs), type);
  auto opcode = llvm::cast<llvm::BinaryOperator>(instruction).getOpcode();
  return b.CreateFPTrunc(b.CreateBinOp(opcode, lhs, rhs), type);
}

void mlir::fp8::widenBF16(llvm::Module &module) {
  for (llvm::Function &function : module) {
    auto instructions = llvm::instructions(function);
    if (!llvm::any_of(instructions, isWGMMA))
      continue;
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(instructions)) {
      if (!isBF16Arithmetic(instruction))
        continue;
      llvm::IRBuilder<> b(&instruction);
      instruction.replaceAllUsesWith(widenOne(b, instruction));
      instruction.eraseFromParent();
    }
  }
}
