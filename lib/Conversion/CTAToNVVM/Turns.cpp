//===- Turns.cpp - Turns of consumer warpgroups ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroup w completes a phase of the mbarrier at byte 8w with each turn that
// it passes on, and waits for that of the one before. Before its first turn
// number 0 looks for the phase before the first of the last one's barrier,
// which a fresh barrier has.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::cta;

/// The barrier of `warpgroup` (i32).
static Value turnBarrier(ImplicitLocOpBuilder &b, Value turns,
                         Value warpgroup) {
  Value bytes = arith::ShLIOp::create(b, warpgroup, constantI32(b, 3));
  return sharedAddress(b, turns, bytes);
}

namespace {

struct LowerTurnsCreate final : LowerShared<TurnsCreateOp> {
  using LowerShared::LowerShared;

  LogicalResult
  matchAndRewrite(TurnsCreateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value turns = getAddress(b, op);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          threadId(b), constantI32(b, 0));
    emitIf(b, isFirst, [&] {
      for (int64_t i = 0; i < op.getResult().getType().getConsumers(); ++i)
        NVVM::MBarrierInitOp::create(
            b, sharedAddress(b, turns, constantI32(b, 8 * i)),
            constantI32(b, kWarpgroupThreads), Value());
    });
    NVVM::BarrierOp::create(b);
    rewriter.replaceOp(op, turns);
    return success();
  }
};

struct LowerTurnsWait final : ConvertOpToLLVMPattern<TurnsWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TurnsWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value own = adaptor.getWarpgroup();
    int64_t consumers = op.getTurns().getType().getConsumers();
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, own,
                                          constantI32(b, 0));
    Value before = arith::SubIOp::create(b, own, constantI32(b, 1));
    before = arith::SelectOp::create(b, isFirst, constantI32(b, consumers - 1),
                                     before);
    Value flip = arith::ExtUIOp::create(b, b.getI32Type(), isFirst);
    Value parity =
        arith::XOrIOp::create(b, slotPhase(b, adaptor.getSlot()), flip);
    NVVM::MBarrierTryWaitParityOp::create(
        b, turnBarrier(b, adaptor.getTurns(), before), parity,
        constantI32(b, kWaitTicks));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Every thread arrives. One that arrived for all could be ahead of a warp that
/// still looks for the end of the turn before, and the next turn would be over
/// before that warp has seen it.
struct LowerTurnsPass final : ConvertOpToLLVMPattern<TurnsPassOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TurnsPassOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    NVVM::MBarrierArriveOp::create(
        b, b.getI64Type(),
        turnBarrier(b, adaptor.getTurns(), adaptor.getWarpgroup()), Value(),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::cta::populateTurnsPatterns(const LLVMTypeConverter &converter,
                                      const SharedOffsets &offsets,
                                      RewritePatternSet &patterns) {
  patterns.add<LowerTurnsCreate>(converter, offsets);
  patterns.add<LowerTurnsPass, LowerTurnsWait>(converter);
}
