//===- Memory.cpp - Shared memory, rings, copies, global accesses ---------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring of s stages is 2s mbarriers: `full` of stage i at byte 8i, `empty` at
// byte 8(s + i); if a cluster shares it, `free` at byte 8(2s + i). Its users
// keep the protocol that the verifiers of the dialect check; here every
// operation becomes one or a few instructions.
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

Value mlir::cta::fullBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot) {
  Value bytes = arith::ShLIOp::create(b, slotStage(b, slot), constantI32(b, 3));
  return sharedAddress(b, ring, bytes);
}

/// Barrier `number` of a slot's stage.
static Value stageBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot,
                          RingType type, int64_t number) {
  Value bytes = arith::ShLIOp::create(b, slotStage(b, slot), constantI32(b, 3));
  bytes = arith::AddIOp::create(b, bytes,
                                constantI32(b, 8 * number * type.getStages()));
  return sharedAddress(b, ring, bytes);
}

Value mlir::cta::emptyBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot,
                              RingType type) {
  return stageBarrier(b, ring, slot, type, 1);
}

/// In a ring that a cluster shares; `ring` may be another block's.
static Value freeBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot,
                         RingType type) {
  return stageBarrier(b, ring, slot, type, 2);
}

/// Address of tile `stage` (i32) of a buffer.
static Value tileAddress(ImplicitLocOpBuilder &b, Value buffer, Value stage,
                         SmemType type) {
  Value bytes =
      arith::MulIOp::create(b, stage, constantI32(b, type.getTileBytes()));
  return sharedAddress(b, buffer, bytes);
}

/// Coordinates in the order of the instructions.
static SmallVector<Value> innermostFirst(ValueRange coordinates) {
  return SmallVector<Value>(llvm::reverse(coordinates));
}

/// All threads of the cluster meet; the warps have converged.
static void meetCluster(ImplicitLocOpBuilder &b) {
  UnitAttr aligned = b.getUnitAttr();
  NVVM::ClusterArriveOp::create(b, aligned);
  NVVM::ClusterWaitOp::create(b, aligned);
}

/// Waits until the other blocks that share the ring have arrived on `free` of
/// this block's stage, as often as this one has filled the stage and once more:
/// theirs is empty.
static void waitForPeers(ImplicitLocOpBuilder &b, Value ring, Value slot,
                         RingType type) {
  Value barrier = freeBarrier(b, ring, slot, type);
  Value parity = slotPhase(b, slot);
  scf::WhileOp::create(
      b, TypeRange(), ValueRange(),
      [&](OpBuilder &, Location, ValueRange) {
        Value done = NVVM::MBarrierTryWaitOp::create(
            b, b.getI1Type(), barrier, parity, constantI32(b, kWaitTicks),
            NVVM::MemScopeKind::CLUSTER, /*relaxed=*/false);
        Value isOn = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
        Value again = arith::XOrIOp::create(b, done, isOn);
        scf::ConditionOp::create(b, again, ValueRange());
      },
      [&](OpBuilder &, Location, ValueRange) { scf::YieldOp::create(b); });
}

/// Arrives on `free` of the stage in the other blocks that share the ring: here
/// it is empty. Consumers could say so themselves, but then each would have a
/// fence of the cluster's scope in its main loop.
static void arriveAtPeers(ImplicitLocOpBuilder &b, Value ring, Value slot,
                          RingType type) {
  ArrayRef<int64_t> cluster = type.getCluster();
  std::pair<Value, Value> own = clusterPosition(b, cluster);
  // Rank of the block `steps` further, around the end, in one of the lines.
  auto peer = [&](bool isAlongM, int64_t steps) -> Value {
    auto further = [&](Value position, int64_t blocks) -> Value {
      Value sum = arith::AddIOp::create(b, position, constantI32(b, steps));
      return arith::RemUIOp::create(b, sum, constantI32(b, blocks));
    };
    auto [m, n] = own;
    (isAlongM ? m : n) =
        isAlongM ? further(m, cluster[0]) : further(n, cluster[1]);
    if (!n)
      return m;
    Value rank = arith::MulIOp::create(b, n, constantI32(b, cluster[0]));
    return m ? arith::AddIOp::create(b, rank, m).getResult() : rank;
  };
  for (bool isAlongM : {true, false})
    for (int64_t steps = 1; steps < cluster[isAlongM ? 0 : 1]; ++steps) {
      Value there =
          NVVM::MapaOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 7),
                               ring, peer(isAlongM, steps));
      NVVM::MBarrierArriveOp::create(
          b, TypeRange(), freeBarrier(b, there, slot, type), Value(),
          NVVM::MemScopeKind::CLUSTER, /*relaxed=*/false);
    }
}

namespace {

struct LowerAlloc final : LowerShared<AllocOp> {
  using LowerShared::LowerShared;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, getAddress(b, op));
    return success();
  }
};

/// One thread initialises all barriers, then the block meets.
struct LowerRingCreate final : LowerShared<RingCreateOp> {
  using LowerShared::LowerShared;

  LogicalResult
  matchAndRewrite(RingCreateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RingType type = op.getResult().getType();
    Value ring = getAddress(b, op);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          threadId(b), constantI32(b, 0));
    emitIf(b, isFirst, [&] {
      const int64_t counts[] = {1, type.getConsumers(), type.getPeers()};
      int64_t barriers = type.getStageBarriers() * type.getStages();
      for (int64_t i = 0; i < barriers; ++i) {
        int64_t count = counts[i / type.getStages()];
        Value address = sharedAddress(b, ring, constantI32(b, 8 * i));
        NVVM::MBarrierInitOp::create(b, address, constantI32(b, count),
                                     Value());
      }
      NVVM::FenceMbarrierInitOp::create(b);
    });
    if (type.isShared())
      meetCluster(b);
    else
      NVVM::BarrierOp::create(b);
    rewriter.replaceOp(op, ring);
    return success();
  }
};

struct LowerRingStart final : ConvertOpToLLVMPattern<RingStartOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingStartOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(op, type);
    return success();
  }
};

struct LowerRingNext final : ConvertOpToLLVMPattern<RingNextOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingNextOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value slot = adaptor.getSlot();
    Value stage =
        arith::AddIOp::create(b, slotStage(b, slot), constantI32(b, 1));
    Value stages = constantI32(b, op.getSlot().getType().getStages());
    Value wraps =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, stage, stages);
    stage = arith::SelectOp::create(b, wraps, constantI32(b, 0), stage);
    Value passes = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
    rewriter.replaceOp(op, moveSlot(b, slot, stage, passes));
    return success();
  }
};

struct LowerRingSkip final : ConvertOpToLLVMPattern<RingSkipOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingSkipOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value slot = adaptor.getSlot();
    Value last =
        arith::AddIOp::create(b, slotStage(b, slot), adaptor.getCount());
    Value stages = constantI32(b, op.getSlot().getType().getStages());
    Value stage = arith::RemUIOp::create(b, last, stages);
    Value passes = arith::DivUIOp::create(b, last, stages);
    rewriter.replaceOp(op, moveSlot(b, slot, stage, passes));
    return success();
  }
};

/// A fresh barrier counts as having completed a phase of parity 1, so the first
/// pass of the producer falls through.
struct LowerRingAcquire final : ConvertOpToLLVMPattern<RingAcquireOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingAcquireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value empty = emptyBarrier(b, adaptor.getRing(), adaptor.getSlot(),
                               op.getRing().getType());
    Value parity = arith::XOrIOp::create(b, slotPhase(b, adaptor.getSlot()),
                                         constantI32(b, 1));
    NVVM::MBarrierTryWaitParityOp::create(b, empty, parity,
                                          constantI32(b, kWaitTicks));
    if (op.getBytes() > 0) {
      if (op.getRing().getType().isShared())
        arriveAtPeers(b, adaptor.getRing(), adaptor.getSlot(),
                      op.getRing().getType());
      Value full = fullBarrier(b, adaptor.getRing(), adaptor.getSlot());
      NVVM::MBarrierArriveExpectTxOp::create(
          b, TypeRange(), full, constantI32(b, op.getBytes()),
          NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerRingWait final : ConvertOpToLLVMPattern<RingWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value full = fullBarrier(b, adaptor.getRing(), adaptor.getSlot());
    NVVM::MBarrierTryWaitParityOp::create(
        b, full, slotPhase(b, adaptor.getSlot()), constantI32(b, kWaitTicks));
    rewriter.eraseOp(op);
    return success();
  }
};

/// One thread arrives for its warpgroup: the wait for the matrix instructions
/// that precedes it covers the reads of the whole warpgroup.
struct LowerRingRelease final : ConvertOpToLLVMPattern<RingReleaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RingReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value empty = emptyBarrier(b, adaptor.getRing(), adaptor.getSlot(),
                               op.getRing().getType());
    emitIf(b, isFirstOfWarpgroup(b), [&] {
      NVVM::MBarrierArriveOp::create(b, b.getI64Type(), empty, Value(),
                                     NVVM::MemScopeKind::CTA,
                                     /*relaxed=*/false);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// One box per panel. Of a tile that a line of blocks shares each of them reads
/// as many rows, and writes them to the same place in all.
struct LowerTmaLoad final : ConvertOpToLLVMPattern<TmaLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TmaLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmemType type = op.getBuffer().getType();
    Value tile = tileAddress(b, adaptor.getBuffer(),
                             slotStage(b, adaptor.getSlot()), type);
    Value full = fullBarrier(b, adaptor.getRing(), adaptor.getSlot());
    Type cluster = LLVM::LLVMPointerType::get(b.getContext(), 7);
    SmallVector<Value> coordinates = innermostFirst(adaptor.getCoordinates());
    int64_t panelBytes = type.getTileBytes() / type.getNumPanels();
    Value mask;
    if (op.getMulticast() != Multicast::none) {
      waitForPeers(b, adaptor.getRing(), adaptor.getSlot(),
                   op.getRing().getType());
      ArrayRef<int64_t> blocks = op.getRing().getType().getCluster();
      int64_t parts = op.getRing().getType().getBlocks(op.getMulticast());
      auto [alongM, alongN] = clusterPosition(b, blocks);
      Value part = op.getMulticast() == Multicast::along_m ? alongM : alongN;
      auto shareOf = [&](int64_t whole) -> Value {
        return arith::MulIOp::create(b, part, constantI32(b, whole / parts));
      };
      tile = sharedAddress(b, tile, shareOf(panelBytes));
      coordinates[1] =
          arith::AddIOp::create(b, coordinates[1], shareOf(type.getRows()));
      mask = arith::TruncIOp::create(b, b.getI16Type(),
                                     lineMask(b, blocks, op.getMulticast()));
    }
    Value first = coordinates.front();
    for (int64_t panel = 0; panel < type.getNumPanels(); ++panel) {
      int64_t offset = panel * panelBytes;
      Value address = sharedAddress(b, tile, constantI32(b, offset));
      address = LLVM::AddrSpaceCastOp::create(b, cluster, address);
      coordinates.front() = arith::AddIOp::create(
          b, first, constantI32(b, panel * type.getPanelColumns()));
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          b, address, adaptor.getMap(), coordinates, full,
          /*im2colOffsets=*/ValueRange(), mask,
          /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
          /*isCTAOnly=*/false, /*group=*/NVVM::CTAGroupKindAttr(),
          /*predicate=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// One box from shared memory to its place, or onto what is there.
static void copyToGlobal(ImplicitLocOpBuilder &b,
                         std::optional<Reduction> reduction, Value map,
                         Value address, ValueRange coordinates) {
  if (!reduction) {
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        b, map, address, coordinates, /*l2CacheHint=*/Value(),
        NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
    return;
  }
  NVVM::TMAReduxKind kind = NVVM::TMAReduxKind::ADD;
  switch (*reduction) {
  case Reduction::add:
    break;
  case Reduction::min:
    kind = NVVM::TMAReduxKind::MIN;
    break;
  case Reduction::max:
    kind = NVVM::TMAReduxKind::MAX;
    break;
  }
  NVVM::CpAsyncBulkTensorReduceOp::create(b, map, address, kind,
                                          NVVM::TMAStoreMode::TILE, coordinates,
                                          /*l2CacheHint=*/Value());
}

struct LowerTmaStore final : ConvertOpToLLVMPattern<TmaStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TmaStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmemType type = op.getBuffer().getType();
    Value tile = tileAddress(b, adaptor.getBuffer(), adaptor.getStage(), type);
    SmallVector<Value> coordinates = innermostFirst(adaptor.getCoordinates());
    Value first = coordinates.front();
    emitIf(b, isFirstOfWarpgroup(b), [&] {
      for (int64_t panel = 0; panel < type.getNumPanels(); ++panel) {
        int64_t offset = panel * type.getTileBytes() / type.getNumPanels();
        Value address = sharedAddress(b, tile, constantI32(b, offset));
        coordinates.front() = arith::AddIOp::create(
            b, first, constantI32(b, panel * type.getPanelColumns()));
        copyToGlobal(b, op.getReduction(), adaptor.getMap(), address,
                     coordinates);
      }
      NVVM::CpAsyncBulkCommitGroupOp::create(b);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTmaDrain final : ConvertOpToLLVMPattern<TmaDrainOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TmaDrainOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    emitIf(b, isFirstOfWarpgroup(b), [&] {
      NVVM::CpAsyncBulkWaitGroupOp::create(b, b.getI32IntegerAttr(0),
                                           b.getUnitAttr());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerFenceAsync final : ConvertOpToLLVMPattern<FenceAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FenceAsyncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    rewriter.replaceOpWithNewOp<NVVM::FenceProxyOp>(
        op, NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
    return success();
  }
};

struct LowerBarrier final : ConvertOpToLLVMPattern<BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    meetWarpgroup(b, warpgroupBarrier(b, adaptor.getWarpgroup()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Roles run in single threads: their warps converge first.
struct LowerClusterBarrier final : ConvertOpToLLVMPattern<ClusterBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ClusterBarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    NVVM::SyncWarpOp::create(b, constantI32(b, -1));
    meetCluster(b);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

struct LowerThreadIndex final : ConvertOpToLLVMPattern<ThreadIndexOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ThreadIndexOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto wide = [&](Value value) -> Value {
      return arith::ExtUIOp::create(b, b.getI64Type(), value);
    };
    Value size = wide(NVVM::BlockDimXOp::create(b, b.getI32Type()));
    Value block = wide(NVVM::BlockIdXOp::create(b, b.getI32Type()));
    Value blocks = wide(NVVM::GridDimXOp::create(b, b.getI32Type()));
    Value index = arith::AddIOp::create(
        b, arith::MulIOp::create(b, block, size), wide(threadId(b)));
    rewriter.replaceOp(
        op, {index, arith::MulIOp::create(b, blocks, size).getResult()});
    return success();
  }
};

} // namespace

/// Bytes of a whole access, which are its alignment too.
static unsigned accessBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getElementBytes(vector.getElementType());
  return getElementBytes(type);
}

static Value elementAddress(ImplicitLocOpBuilder &b, Value base, Value index,
                            Type converted) {
  return LLVM::GEPOp::create(b, base.getType(), getElementTypeOrSelf(converted),
                             base, ArrayRef<LLVM::GEPArg>{index});
}

namespace {

struct LowerGlobalLoad final : ConvertOpToLLVMPattern<GlobalLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GlobalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    auto load = [&](Type as) -> Value {
      Value address =
          elementAddress(b, adaptor.getBase(), adaptor.getIndex(), type);
      return LLVM::LoadOp::create(b, as, address, accessBytes(type));
    };
    if (!adaptor.getCondition()) {
      rewriter.replaceOp(op, load(type));
      return success();
    }
    Type merged = mergedType(type);
    auto ifOp = scf::IfOp::create(b, merged, adaptor.getCondition(),
                                  /*withElseRegion=*/true);
    b.setInsertionPointToStart(ifOp.thenBlock());
    scf::YieldOp::create(b, load(merged));
    b.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(b, LLVM::ZeroOp::create(b, merged).getResult());
    b.setInsertionPointAfter(ifOp);
    Value result = ifOp.getResult(0);
    if (merged != type)
      result = LLVM::InsertElementOp::create(b, LLVM::PoisonOp::create(b, type),
                                             result, constantI32(b, 0));
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// What the branches yield. LLVM widens a merged vector of one 16-bit element
  /// to two, and packs it with a register that nothing wrote.
  static Type mergedType(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getNumElements() == 1 ? vector.getElementType()
                                                  : type;
  }
};

struct LowerGlobalStore final : ConvertOpToLLVMPattern<GlobalStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GlobalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = adaptor.getValue().getType();
    Value address =
        elementAddress(b, adaptor.getBase(), adaptor.getIndex(), type);
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), address,
                                               accessBytes(type));
    return success();
  }
};

} // namespace

void mlir::cta::populateMemoryPatterns(const LLVMTypeConverter &converter,
                                       const SharedOffsets &offsets,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerAlloc, LowerRingCreate>(converter, offsets);
  patterns
      .add<LowerBarrier, LowerClusterBarrier, LowerFenceAsync, LowerGlobalLoad,
           LowerGlobalStore, LowerRingAcquire, LowerRingNext, LowerRingRelease,
           LowerRingSkip, LowerRingStart, LowerRingWait, LowerThreadIndex,
           LowerTmaDrain, LowerTmaLoad, LowerTmaStore>(converter);
}
