//===- TCGen05.cpp - Blackwell's tensor memory and matrix instructions ----===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch of matrix instructions is one inline assembly statement, as on
// Hopper. A load from tensor memory and the wait for it are another one: LLVM
// and ptxas know nothing of the registers' dependence on the wait.
//
// Upstream's operations take descriptors and predicates apart per instruction,
// and its load leaves the wait to its user.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::cta;

/// Everything runs in one block: no second multiprocessor takes part.
static constexpr auto kOneBlock = NVVM::CTAGroupKind::CTA_1;

static void fence(ImplicitLocOpBuilder &b, NVVM::Tcgen05FenceKind side) {
  NVVM::Tcgen05FenceOp::create(b, side);
}

/// Meets all threads of the block; accesses to tensor memory are ordered by it.
static void meet(ImplicitLocOpBuilder &b) {
  fence(b, NVVM::Tcgen05FenceKind::BEFORE_THREAD_SYNC);
  NVVM::BarrierOp::create(b);
  fence(b, NVVM::Tcgen05FenceKind::AFTER_THREAD_SYNC);
}

static Value isFirstWarp(ImplicitLocOpBuilder &b) {
  return isBelow(b, threadId(b), 32);
}

/// Address of stage `stage` of `acc` (i32): columns are its low half.
static Value stageAddress(ImplicitLocOpBuilder &b, Value acc, Value stage,
                          TmemType type) {
  Value column =
      arith::MulIOp::create(b, stage, constantI32(b, type.getColumns()));
  return arith::AddIOp::create(b, acc, column);
}

static Tcgen05Format format(Type type) {
  if (type.isBF16())
    return Tcgen05Format::BF16;
  return isa<Float8E4M3FNType>(type) ? Tcgen05Format::E4M3
                                     : Tcgen05Format::E5M2;
}

/// The text of a batch. Operands: address of the accumulator, two descriptors,
/// the instruction's descriptor, the run-time enable-input-d.
static std::string batchText(Tcgen05MmaOp op) {
  SmemType a = op.getA().getType(), bType = op.getB().getType();
  StringRef kind = a.getElementType().isBF16() ? "f16" : "f8f6f4";
  int64_t size = a.getElementBytes();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n.reg .pred first, more;\n.reg .b64 da, db;\n"
     << "setp.ne.b32 first, $4, 0;\nsetp.ne.b32 more, 1, 0;\n";
  int64_t from = op.getK()[0] * size, to = op.getK()[1] * size;
  for (int64_t byte = from; byte < to; byte += kStepBytes)
    os << "add.s64 da, $1, " << lineOffset(a, byte) << ";\nadd.s64 db, $2, "
       << lineOffset(bType, byte)
       << ";\ntcgen05.mma.cta_group::1.kind::" << kind << " [$0], da, db, $3, "
       << (byte == from ? "first" : "more") << ";\n";
  os << '}';
  return text;
}

/// The text of a load of `registers` registers: pieces of 8 columns times a
/// power of two, the largest first, then the wait.
static std::string loadText(int64_t registers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t next = 0; next < registers;) {
    int64_t count = llvm::bit_floor<uint64_t>((registers - next) / 4);
    os << "tcgen05.ld.sync.aligned.16x256b.x" << count << ".b32 {";
    for (int64_t i = 0; i < 4 * count; ++i)
      os << (i ? ", " : "") << '$' << next + i;
    os << "}, [$" << registers << " + " << 2 * next << "];\n";
    next += 4 * count;
  }
  os << "tcgen05.wait::ld.sync.aligned;";
  return text;
}

namespace {

struct LowerTmemAlloc final : LowerShared<TmemAllocOp> {
  using LowerShared::LowerShared;

  LogicalResult
  matchAndRewrite(TmemAllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value where = getAddress(b, op);
    Value columns =
        constantI32(b, op.getResult().getType().getAllocatedColumns());
    emitIf(b, isFirstWarp(b), [&] {
      NVVM::Tcgen05AllocOp::create(b, where, columns, kOneBlock);
      NVVM::Tcgen05RelinquishAllocPermitOp::create(b, kOneBlock);
    });
    meet(b);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, b.getI32Type(), where);
    return success();
  }
};

/// Roles run in single threads: their warps converge first.
struct LowerTmemDealloc final : ConvertOpToLLVMPattern<TmemDeallocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TmemDeallocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    NVVM::SyncWarpOp::create(b, constantI32(b, -1));
    meet(b);
    Value address = LLVM::IntToPtrOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext(), 6), adaptor.getValue());
    Value columns =
        constantI32(b, op.getValue().getType().getAllocatedColumns());
    emitIf(b, isFirstWarp(b), [&] {
      NVVM::Tcgen05DeallocOp::create(b, address, columns, kOneBlock);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTcgen05Mma final : ConvertOpToLLVMPattern<Tcgen05MmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Tcgen05MmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TmemType acc = op.getAcc().getType();
    SmemType a = op.getA().getType(), bType = op.getB().getType();
    Value stage = slotStage(b, adaptor.getSlot());
    auto describe = [&](Value buffer, SmemType type) {
      return buildDescriptor(b, buffer, stage, Value(), type,
                             tcgen05Descriptor(0, type.getSwizzle()));
    };
    uint32_t instruction =
        tcgen05Instruction(128, acc.getColumns(), format(a.getElementType()),
                           format(bType.getElementType()));
    Value more = constantI32(b, 0);
    if (adaptor.getAccumulate())
      more = arith::ExtUIOp::create(b, b.getI32Type(), adaptor.getAccumulate());
    Value operands[] = {stageAddress(b, adaptor.getAcc(),
                                     slotStage(b, adaptor.getAccSlot()), acc),
                        describe(adaptor.getA(), a),
                        describe(adaptor.getB(), bType),
                        constantI32(b, instruction), more};
    createAsm(b, TypeRange(), operands, batchText(op), "r,l,l,r,r");
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTcgen05Commit final : ConvertOpToLLVMPattern<Tcgen05CommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Tcgen05CommitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value ring = adaptor.getRing(), slot = adaptor.getSlot();
    Value barrier = op.getBarrier() == BarrierKind::full
                        ? fullBarrier(b, ring, slot)
                        : emptyBarrier(b, ring, slot, op.getRing().getType());
    NVVM::Tcgen05CommitOp::create(b, barrier, /*multicastMask=*/Value(),
                                  kOneBlock);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTcgen05Fence final : ConvertOpToLLVMPattern<Tcgen05FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Tcgen05FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    fence(b, op.getSide() == FenceSide::before
                 ? NVVM::Tcgen05FenceKind::BEFORE_THREAD_SYNC
                 : NVVM::Tcgen05FenceKind::AFTER_THREAD_SYNC);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Lanes are the high half of an address; warp w of the warpgroup has lanes
/// 32w to 32w + 31. The shape 16x256b fills registers as wgmma does.
struct LowerTcgen05Load final : ConvertOpToLLVMPattern<Tcgen05LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Tcgen05LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragmentType type = op.getResult().getType();
    Value address =
        stageAddress(b, adaptor.getAcc(), slotStage(b, adaptor.getSlot()),
                     op.getAcc().getType());
    Value quarter = arith::AndIOp::create(b, threadId(b), constantI32(b, 96));
    Value lane = arith::AddIOp::create(
        b, quarter, constantI32(b, static_cast<int64_t>(op.getRow())));
    address = arith::AddIOp::create(
        b, address, arith::ShLIOp::create(b, lane, constantI32(b, 16)));
    int64_t registers = type.getNumRegisters();
    rewriter.replaceOp(
        op, createAsm(b, getTypeConverter()->convertType(type), address,
                      loadText(registers),
                      constraintText(registers, /*tied=*/false, ",r"))
                .getResults());
    return success();
  }
};

} // namespace

void mlir::cta::populateTCGen05Patterns(const LLVMTypeConverter &converter,
                                        const SharedOffsets &offsets,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerTmemAlloc>(converter, offsets);
  patterns.add<LowerTcgen05Commit, LowerTcgen05Fence, LowerTcgen05Load,
               LowerTcgen05Mma, LowerTmemDealloc>(converter);
}
