//===- LowerScalars.cpp - Scalar operations with one meaning --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar operations whose usual lowering leaves something to the machine: an
// out-of-range conversion to an integer is undefined in LLVM, a failed
// assertion aborts the process.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Runtime/CPUAssert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPULOWERSCALARS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// max(low, min(x, high)) with NaN as 0, so that the conversion is defined.
template <typename OpTy>
static void saturate(OpTy op, bool isSigned) {
  auto type = dyn_cast<IntegerType>(op.getType());
  auto source = dyn_cast<FloatType>(op.getIn().getType());
  if (!type || !source)
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  unsigned width = type.getWidth();
  APInt highInt =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt lowInt = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  auto asFloat = [&](const APInt &value, APFloat::roundingMode mode) {
    APFloat result(source.getFloatSemantics());
    (void)result.convertFromAPInt(value, isSigned, mode);
    return result;
  };
  // The largest float that still converts, and the smallest.
  APFloat high = asFloat(highInt, APFloat::rmTowardZero);
  APFloat low = asFloat(lowInt, APFloat::rmTowardZero);
  auto constant = [&](TypedAttr attr) -> Value {
    return arith::ConstantOp::create(b, loc, attr);
  };
  Value x = op.getIn();
  Value highF = constant(b.getFloatAttr(source, high));
  Value lowF = constant(b.getFloatAttr(source, low));
  auto compare = [&](arith::CmpFPredicate p, Value a, Value c) -> Value {
    return arith::CmpFOp::create(b, loc, p, a, c);
  };
  Value above = compare(arith::CmpFPredicate::OGT, x, highF);
  Value below = compare(arith::CmpFPredicate::OLT, x, lowF);
  Value nan = compare(arith::CmpFPredicate::UNO, x, x);
  Value bad = arith::OrIOp::create(
      b, loc, arith::OrIOp::create(b, loc, above, below), nan);
  Value zero = constant(b.getFloatAttr(source, 0.0));
  Value safe = arith::SelectOp::create(b, loc, bad, zero, x);
  Value converted = OpTy::create(b, loc, type, safe);
  Value result = arith::SelectOp::create(
      b, loc, above, constant(b.getIntegerAttr(type, highInt)), converted);
  result = arith::SelectOp::create(
      b, loc, below, constant(b.getIntegerAttr(type, lowInt)), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
/// Calls of fp8_cpu_assert, one message global per text.
class AssertLowering {
public:
  AssertLowering(ModuleOp module) : module(module), builder(module) {}

  void lower(cf::AssertOp op) {
    LLVM::GlobalOp message = global(op.getMsg());
    LLVM::LLVMFuncOp function = callee();
    builder.setInsertionPoint(op);
    Value text = LLVM::AddressOfOp::create(builder, op.getLoc(), message);
    LLVM::CallOp::create(builder, op.getLoc(), function,
                         ValueRange{op.getArg(), text});
    op.erase();
  }

private:
  LLVM::LLVMFuncOp callee() {
    StringRef name = ::fp8::runtime::kAssertSymbol;
    if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return func;
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()),
        {builder.getI1Type(),
         LLVM::LLVMPointerType::get(builder.getContext())});
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  }

  LLVM::GlobalOp global(StringRef text) {
    LLVM::GlobalOp &result = messages[text];
    if (result)
      return result;
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    builder.setInsertionPointToStart(module.getBody());
    result =
        LLVM::GlobalOp::create(builder, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               "fp8_message_" + std::to_string(messages.size()),
                               builder.getStringAttr(bytes));
    return result;
  }

  ModuleOp module;
  OpBuilder builder;
  llvm::StringMap<LLVM::GlobalOp> messages;
};

struct CPULowerScalars final
    : mlir::fp8::impl::CPULowerScalarsBase<CPULowerScalars> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    SmallVector<arith::FPToSIOp> toSigned;
    SmallVector<arith::FPToUIOp> toUnsigned;
    getOperation().walk([&](Operation *op) {
      if (auto assertOp = dyn_cast<cf::AssertOp>(op))
        asserts.push_back(assertOp);
      else if (auto convert = dyn_cast<arith::FPToSIOp>(op))
        toSigned.push_back(convert);
      else if (auto convert = dyn_cast<arith::FPToUIOp>(op))
        toUnsigned.push_back(convert);
    });
    for (arith::FPToSIOp op : toSigned)
      saturate(op, /*isSigned=*/true);
    for (arith::FPToUIOp op : toUnsigned)
      saturate(op, /*isSigned=*/false);
    AssertLowering lowering(getOperation());
    for (cf::AssertOp op : asserts)
      lowering.lower(op);
  }
};
} // namespace
