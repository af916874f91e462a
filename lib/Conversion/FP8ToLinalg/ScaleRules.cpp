//===- ScaleRules.cpp - Scales and state to linalg ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scales and delayed-scaling state. Which entry moves where is linalg; every
// number comes from the Numerics library.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "fp8/Dialect/FP8/IR/NumericsMode.h"
#include "fp8/Numerics/DelayedScaling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fp8;
namespace numerics = ::fp8::numerics;

/// numerics::Format of a storage type, as a number.
static int32_t formatOf(Type storage) {
  return static_cast<int32_t>(isa<Float8E4M3FNType>(storage)
                                  ? numerics::Format::E4M3FN
                                  : numerics::Format::E5M2);
}

/// numerics::Mode of the dialect's mode, as a number.
static int32_t modeOf(NumericsMode mode) {
  return static_cast<int32_t>(toNumerics(mode));
}

static Value widenFlags(OpBuilder &b, Location loc, Value flags) {
  return arith::ExtUIOp::create(b, loc, b.getI32Type(), flags);
}

/// Multiplier and scale of each element, by the runtime function `name`: its
/// last argument says which of the two. `inputs` are amax, flags and what else
/// the rule reads.
static void replaceByScalePair(PatternRewriter &rewriter, Operation *op,
                               StringRef name, ValueRange inputs,
                               ArrayRef<int32_t> constants) {
  Type f32 = rewriter.getF32Type();
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    SmallVector<Value> scalars(args.take_front(inputs.size()));
    scalars[1] = widenFlags(b, loc, scalars[1]);
    SmallVector<Value> pair;
    for (int32_t which : {0, 1}) {
      auto all = llvm::to_vector(constants);
      all.push_back(which);
      pair.push_back(callNumerics(b, loc, name, scalars, all));
    }
    return pair;
  };
  rewriter.replaceOp(op, buildElementwise(rewriter, op->getLoc(), inputs,
                                          inputs[0], {f32, f32}, body));
}

namespace {
struct LowerScaleFromAmax final : OpRewritePattern<ScaleFromAmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleFromAmaxOp op,
                                PatternRewriter &rewriter) const override {
    replaceByScalePair(rewriter, op, "fp8_cpu_scale_from_amax",
                       {op.getAmax(), op.getFlags()},
                       {formatOf(op.getStorage()), modeOf(op.getNumerics()),
                        static_cast<int32_t>(op.getMargin()), op.getPow2()});
    return success();
  }
};

struct LowerDelayedScale final : OpRewritePattern<DelayedScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DelayedScaleOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getStateMultiplier())
      return op.emitOpError(
          "expected state, which --fp8-thread-state adds, got none");
    replaceByScalePair(rewriter, op, "fp8_cpu_delayed_scale",
                       {op.getAmax(), op.getFlags(), op.getStateMultiplier(),
                        op.getStateCount()},
                       {formatOf(op.getSlot().getStorage()),
                        modeOf(op.getNumerics()),
                        static_cast<int32_t>(op.getMargin()),
                        static_cast<int32_t>(op.getWarmup())});
    return success();
  }
};

/// Row 0 of the history takes the new amaxes.
struct LowerRecord final : OpRewritePattern<RecordOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RecordOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int32_t mode = modeOf(op.getNumerics());
    Value amax = op.getAmax(), amaxFlags = op.getAmaxFlags();
    SmallVector<Value> history = buildElementwise(
        rewriter, loc, op.getHistory(), op.getHistory(), rewriter.getF32Type(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value row = linalg::IndexOp::create(b, loc, 0);
          Value slot = linalg::IndexOp::create(b, loc, 1);
          Value zero = arith::ConstantIndexOp::create(b, loc, 0);
          Value open = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             row, zero);
          Value flags = widenFlags(
              b, loc, tensor::ExtractOp::create(b, loc, amaxFlags, slot));
          Value merged = callNumerics(
              b, loc, "fp8_cpu_record",
              {args[0], tensor::ExtractOp::create(b, loc, amax, slot), flags},
              mode);
          return SmallVector<Value>{
              arith::SelectOp::create(b, loc, open, merged, args[0])};
        });
    SmallVector<Value> flags = buildElementwise(
        rewriter, loc, {op.getFlags(), amaxFlags}, op.getFlags(),
        rewriter.getI8Type(), [](OpBuilder &b, Location loc, ValueRange args) {
          return SmallVector<Value>{
              arith::OrIOp::create(b, loc, args[0], args[1])};
        });
    rewriter.replaceOp(op, {history[0], flags[0]});
    return success();
  }
};

/// A slot is closed if the update is enabled and something was recorded.
struct LowerUpdate final : OpRewritePattern<UpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UpdateOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value closed = buildClosed(op, rewriter);
    Value window = buildWindow(op, rewriter);
    Value multiplier = buildMultiplier(op, rewriter, closed, window);
    Value history = buildRoll(op, rewriter, closed);
    SmallVector<Value> count = buildElementwise(
        rewriter, loc, {op.getCount(), closed}, op.getCount(),
        rewriter.getI32Type(), [](OpBuilder &b, Location loc, ValueRange args) {
          Value limit =
              arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(INT32_MAX));
          Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
          Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                              args[0], limit);
          Value grows = arith::AndIOp::create(b, loc, below, args[1]);
          Value next = arith::AddIOp::create(b, loc, args[0], one);
          return SmallVector<Value>{
              arith::SelectOp::create(b, loc, grows, next, args[0])};
        });
    rewriter.replaceOp(op, {history, multiplier, count[0]});
    return success();
  }

private:
  static Value entry(OpBuilder &b, Location loc, Value history, Value row,
                     Value slot) {
    return tensor::ExtractOp::create(b, loc, history, ValueRange{row, slot});
  }

  /// i1 per slot.
  static Value buildClosed(UpdateOp op, OpBuilder &builder) {
    bool always = op.getNumerics() == NumericsMode::Flax;
    return buildElementwise(
        builder, op.getLoc(), {op.getMultiplier(), op.getEnable()},
        op.getMultiplier(), builder.getI1Type(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          if (always)
            return SmallVector<Value>{args[1]};
          Value slot = linalg::IndexOp::create(b, loc, 0);
          Value row = arith::ConstantIndexOp::create(b, loc, 0);
          Value open = entry(b, loc, op.getHistory(), row, slot);
          Value zero =
              arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
          Value used = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE,
                                             open, zero);
          return SmallVector<Value>{
              arith::AndIOp::create(b, loc, used, args[1])};
        })[0];
  }

  /// The amax of each slot's window; rows in order, as Numerics merges them.
  static Value buildWindow(UpdateOp op, OpBuilder &builder) {
    bool newest = op.getAlgo() == AmaxAlgo::MostRecent;
    int32_t mode = modeOf(op.getNumerics());
    return buildElementwise(
        builder, op.getLoc(), op.getMultiplier(), op.getMultiplier(),
        builder.getF32Type(), [&](OpBuilder &b, Location loc, ValueRange args) {
          Value slot = linalg::IndexOp::create(b, loc, 0);
          Value zero = arith::ConstantIndexOp::create(b, loc, 0);
          Value one = arith::ConstantIndexOp::create(b, loc, 1);
          Value open = entry(b, loc, op.getHistory(), zero, slot);
          if (newest)
            return SmallVector<Value>{open};
          Value rows = tensor::DimOp::create(b, loc, op.getHistory(), 0);
          Value noFlags =
              arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
          auto loop = scf::ForOp::create(
              b, loc, one, rows, one, open,
              [&](OpBuilder &b, Location loc, Value row, ValueRange acc) {
                Value next = entry(b, loc, op.getHistory(), row, slot);
                scf::YieldOp::create(b, loc,
                                     callNumerics(b, loc, "fp8_cpu_record",
                                                  {acc[0], next, noFlags},
                                                  mode));
              });
          return SmallVector<Value>{loop.getResult(0)};
        })[0];
  }

  static Value buildMultiplier(UpdateOp op, OpBuilder &builder, Value closed,
                               Value window) {
    // One format number per slot.
    SmallVector<int32_t> formats;
    for (auto slot : op.getSlots().getAsRange<SlotAttr>())
      formats.push_back(formatOf(slot.getStorage()));
    auto count = static_cast<int64_t>(formats.size());
    Value format = arith::ConstantOp::create(
        builder, op.getLoc(),
        DenseElementsAttr::get(
            RankedTensorType::get({count}, builder.getI32Type()),
            ArrayRef<int32_t>(formats)));
    int32_t mode = modeOf(op.getNumerics());
    auto margin = static_cast<int32_t>(op.getMargin());
    return buildElementwise(
        builder, op.getLoc(), {op.getMultiplier(), closed, window, format},
        op.getMultiplier(), builder.getF32Type(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value next =
              callNumerics(b, loc, "fp8_cpu_update",
                           {args[2], args[0], args[3]}, {mode, margin});
          return SmallVector<Value>{
              arith::SelectOp::create(b, loc, args[1], next, args[0])};
        })[0];
  }

  /// new[0] = 0, new[L-1] = old[0], new[r] = old[r+1].
  static Value buildRoll(UpdateOp op, OpBuilder &builder, Value closed) {
    return buildElementwise(
        builder, op.getLoc(), op.getHistory(), op.getHistory(),
        builder.getF32Type(), [&](OpBuilder &b, Location loc, ValueRange args) {
          Value row = linalg::IndexOp::create(b, loc, 0);
          Value slot = linalg::IndexOp::create(b, loc, 1);
          Value zero = arith::ConstantIndexOp::create(b, loc, 0);
          Value one = arith::ConstantIndexOp::create(b, loc, 1);
          Value rows = tensor::DimOp::create(b, loc, op.getHistory(), 0);
          Value next = arith::AddIOp::create(b, loc, row, one);
          Value wraps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                              next, rows);
          Value from = arith::SelectOp::create(b, loc, wraps, zero, next);
          Value moved = entry(b, loc, op.getHistory(), from, slot);
          Value open = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             row, zero);
          Value cleared =
              arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
          Value rolled = arith::SelectOp::create(b, loc, open, cleared, moved);
          Value isClosed = tensor::ExtractOp::create(b, loc, closed, slot);
          return SmallVector<Value>{
              arith::SelectOp::create(b, loc, isClosed, rolled, args[0])};
        })[0];
  }
};

/// The larger entry; a NaN, which only mode flax keeps, wins.
struct LowerMerge final : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, buildElementwise(rewriter, op.getLoc(), {op.getLhs(), op.getRhs()},
                             op.getLhs(), rewriter.getF32Type(),
                             [](OpBuilder &b, Location loc, ValueRange args) {
                               return SmallVector<Value>{
                                   arith::MaximumFOp::create(b, loc, args[0],
                                                             args[1])};
                             }));
    return success();
  }
};
} // namespace

void mlir::fp8::populateScaleRulePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerScaleFromAmax, LowerDelayedScale, LowerRecord, LowerUpdate,
               LowerMerge>(patterns.getContext());
}
