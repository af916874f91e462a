//===- Partials.cpp - Sums that several blocks share ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warpgroup leaves for another block goes to memory as its threads have
// it: neighbours write neighbouring 16 bytes. A counter says when all have
// come.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::cta;

/// Elements of one access.
static constexpr int64_t kVector = 4;

static VectorType vectorType(ImplicitLocOpBuilder &b) {
  return VectorType::get(kVector, b.getF32Type());
}

/// Address of a thread's first access; from one to the next are kVector
/// elements of each thread.
static Value firstAccess(ImplicitLocOpBuilder &b, Value base, Value offset) {
  Value thread = arith::AndIOp::create(b, threadId(b),
                                       constantI32(b, kWarpgroupThreads - 1));
  Value own = arith::MulIOp::create(b, thread, constantI32(b, kVector));
  Value index = arith::AddIOp::create(b, offset, widen(b, own));
  return LLVM::GEPOp::create(b, base.getType(), b.getF32Type(), base,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// Address of access `number` of the thread whose first one is at `first`.
static Value accessAddress(ImplicitLocOpBuilder &b, Value first,
                           int64_t number) {
  auto elements = static_cast<int32_t>(number * kVector * kWarpgroupThreads);
  return LLVM::GEPOp::create(b, first.getType(), b.getF32Type(), first,
                             ArrayRef<LLVM::GEPArg>{elements});
}

namespace {

struct LowerStorePartial final : ConvertOpToLLVMPattern<StorePartialOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StorePartialOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value first = firstAccess(b, adaptor.getBase(), adaptor.getOffset());
    int64_t registers = op.getValue().getType().getNumRegisters();
    for (int64_t i = 0; i < registers; i += kVector) {
      Value all = LLVM::PoisonOp::create(b, vectorType(b));
      for (int64_t j = 0; j < kVector; ++j)
        all = LLVM::InsertElementOp::create(
            b, all, extractRegister(b, adaptor.getValue(), i + j),
            constantI32(b, j));
      LLVM::StoreOp::create(b, all, accessAddress(b, first, i / kVector), 16);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerLoadPartial final : ConvertOpToLLVMPattern<LoadPartialOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LoadPartialOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragmentType type = op.getResult().getType();
    Value first = firstAccess(b, adaptor.getBase(), adaptor.getOffset());
    SmallVector<Value> registers;
    for (int64_t i = 0; i < type.getNumRegisters(); i += kVector) {
      Value all = LLVM::LoadOp::create(
          b, vectorType(b), accessAddress(b, first, i / kVector), 16);
      for (int64_t j = 0; j < kVector; ++j)
        registers.push_back(
            LLVM::ExtractElementOp::create(b, all, constantI32(b, j)));
    }
    rewriter.replaceOp(
        op, buildFragment(b, getTypeConverter()->convertType(type), registers));
    return success();
  }
};

/// A barrier before the count, so that one thread's release is that of all, and
/// one behind it, which tells all what that thread found. The counter wraps to
/// 0 with the last one.
struct LowerArriveLast final : ConvertOpToLLVMPattern<ArriveLastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ArriveLastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value id = warpgroupBarrier(b, adaptor.getWarpgroup());
    Value threads = constantI32(b, kWarpgroupThreads);
    meetWarpgroup(b, id);
    Value word = LLVM::GEPOp::create(
        b, adaptor.getBase().getType(), b.getI32Type(), adaptor.getBase(),
        ArrayRef<LLVM::GEPArg>{adaptor.getIndex()});
    Value last = constantI32(b, static_cast<int64_t>(op.getCount()) - 1);
    auto ifOp = scf::IfOp::create(b, b.getI32Type(), isFirstOfWarpgroup(b),
                                  /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(ifOp.thenBlock());
      Value before = createAsm(b, b.getI32Type(), {word, last},
                               "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;",
                               "=r,l,r,~{memory}")
                         .getResult(0);
      Value isLast =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before, last);
      scf::YieldOp::create(
          b, arith::ExtUIOp::create(b, b.getI32Type(), isLast).getResult());
      b.setInsertionPointToStart(ifOp.elseBlock());
      scf::YieldOp::create(b, constantI32(b, 0));
    }
    // nvvm.barrier reduces at barrier 0 only.
    Value result =
        createAsm(b, b.getI32Type(), {id, threads, ifOp.getResult(0)},
                  "{ .reg .pred own, any; setp.ne.u32 own, $3, 0; "
                  "bar.red.or.pred any, $1, $2, own; selp.u32 $0, 1, 0, any; }",
                  "=r,r,r,r,~{memory}")
            .getResult(0);
    // The shuffle tells ptxas that a warp takes one branch: what the loops of
    // the consumer count stays in uniform registers.
    result = NVVM::ShflOp::create(b, b.getI32Type(), constantI32(b, -1), result,
                                  constantI32(b, 0), constantI32(b, 31),
                                  NVVM::ShflKind::idx, UnitAttr());
    rewriter.replaceOp(op, arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                                 result, constantI32(b, 0))
                               .getResult());
    return success();
  }
};

} // namespace

void mlir::cta::populatePartialPatterns(const LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerArriveLast, LowerLoadPartial, LowerStorePartial>(converter);
}
