//===- Epilogue.cpp - What an epilogue reads and reduces ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments from global memory, and the largest magnitude of a fragment. Loads
// have no branches: an index beyond the matrix is pulled back to its last
// element.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "fp8/Numerics/Amax.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::cta;

static Value toF32(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return LLVM::FPExtOp::create(b, b.getF32Type(), value);
}

namespace {

/// Registers 2j and 2j+1 of a thread are two adjacent columns of one line:
/// column 8(j/2) + 2(l%4), line rw + l/4 + 8(j%2) for lane l of warp w. What
/// does not depend on the line, or on the column, is loaded once.
struct LowerLoadRows final : ConvertOpToLLVMPattern<LoadRowsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LoadRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragmentType type = op.getResult().getType();
    auto [line, pair] = threadElement(b, type);
    Value row = arith::AddIOp::create(b, adaptor.getRow(), line);
    Value column = arith::AddIOp::create(b, adaptor.getColumn(), pair);
    int64_t slabs = type.getColumns() / 8;
    SmallVector<Value> registers(type.getNumRegisters());
    for (int64_t half = 0; half < 2; ++half) {
      if (half == 1 && op.getStrides()[0] == 0) {
        copyFirstHalf(registers);
        break;
      }
      Value own = arith::AddIOp::create(b, row, constantI32(b, 8 * half));
      Value start = lineStart(b, op, adaptor, own);
      for (int64_t slab = 0; slab < slabs; ++slab) {
        Value *target = &registers[4 * slab + 2 * half];
        if (slab > 0 && op.getStrides()[1] == 0) {
          std::copy_n(&registers[2 * half], 2, target);
          continue;
        }
        Value first =
            arith::AddIOp::create(b, column, constantI32(b, 8 * slab));
        loadPair(b, op, adaptor.getBase(), start, first, target);
      }
    }
    rewriter.replaceOp(
        op, buildFragment(b, getTypeConverter()->convertType(type), registers));
    return success();
  }

private:
  static void copyFirstHalf(MutableArrayRef<Value> registers) {
    for (size_t i = 0; i < registers.size(); i += 4)
      std::copy_n(&registers[i], 2, &registers[i + 2]);
  }

  /// `index` (i32), or `last` if that is less.
  static Value atMost(ImplicitLocOpBuilder &b, Value index, int64_t last) {
    return arith::MinUIOp::create(b, index, constantI32(b, last));
  }

  /// `index` (i32) times `stride`, as i64.
  static Value scaled(ImplicitLocOpBuilder &b, Value index, int64_t stride) {
    Value factor = arith::ConstantIntOp::create(b, b.getI64Type(), stride);
    return arith::MulIOp::create(b, widen(b, index), factor);
  }

  /// Element number of line `row`.
  static Value lineStart(ImplicitLocOpBuilder &b, LoadRowsOp op,
                         OpAdaptor adaptor, Value row) {
    Value inside = atMost(b, row, static_cast<int64_t>(op.getRows()) - 1);
    return arith::AddIOp::create(b, adaptor.getOffset(),
                                 scaled(b, inside, op.getStrides()[0]));
  }

  /// The elements of columns `column` and `column` + 1 of the line that starts
  /// at `start`. Lines of an even number of elements keep pairs aligned.
  static void loadPair(ImplicitLocOpBuilder &b, LoadRowsOp op, Value base,
                       Value start, Value column, Value *target) {
    int64_t columns = op.getColumns(), stride = op.getStrides()[1];
    Type element = op.getElementType();
    int64_t size = getElementBytes(element);
    auto load = [&](Type type, Value index, int64_t count) -> Value {
      Value position =
          arith::AddIOp::create(b, start, scaled(b, index, stride));
      Value address = LLVM::GEPOp::create(b, base.getType(), element, base,
                                          ArrayRef<LLVM::GEPArg>{position});
      return LLVM::LoadOp::create(b, type, address, count * size);
    };
    if (stride == 0) {
      target[0] = target[1] = toF32(b, load(element, constantI32(b, 0), 1));
      return;
    }
    if (stride == 1 && columns % 2 == 0) {
      Value both =
          load(VectorType::get(2, element), atMost(b, column, columns - 2), 2);
      for (int64_t i = 0; i < 2; ++i)
        target[i] = toF32(
            b, LLVM::ExtractElementOp::create(b, both, constantI32(b, i)));
      return;
    }
    for (int64_t i = 0; i < 2; ++i) {
      Value own = arith::AddIOp::create(b, column, constantI32(b, i));
      target[i] = toF32(b, load(element, atMost(b, own, columns - 1), 1));
    }
  }
};

} // namespace

/// Takes a value into the largest magnitude and the flags of a thread.
/// Magnitudes of floats compare like their bits.
static void foldAmax(ImplicitLocOpBuilder &b, Value value, Value inside,
                     Value &largest, Value &flags) {
  auto select = [&](Value condition, Value value) -> Value {
    return arith::SelectOp::create(b, condition, value, constantI32(b, 0));
  };
  auto compare = [&](arith::CmpIPredicate kind, Value magnitude) -> Value {
    return arith::CmpIOp::create(b, kind, magnitude,
                                 constantI32(b, 0x7f800000));
  };
  Value bits = LLVM::BitcastOp::create(b, b.getI32Type(), value);
  bits = arith::AndIOp::create(b, bits, constantI32(b, 0x7fffffff));
  if (inside)
    bits = select(inside, bits);
  Value isFinite = compare(arith::CmpIPredicate::ult, bits);
  largest = arith::MaxUIOp::create(b, largest, select(isFinite, bits));
  Value isNaN = compare(arith::CmpIPredicate::ugt, bits);
  Value isInf = compare(arith::CmpIPredicate::eq, bits);
  flags = arith::OrIOp::create(
      b, flags, select(isNaN, constantI32(b, ::fp8::numerics::AmaxNaN)));
  flags = arith::OrIOp::create(
      b, flags, select(isInf, constantI32(b, ::fp8::numerics::AmaxInf)));
}

static void updateWord(ImplicitLocOpBuilder &b, LLVM::AtomicBinOp kind,
                       Value address, Value value) {
  LLVM::AtomicRMWOp::create(b, kind, address, value,
                            LLVM::AtomicOrdering::monotonic, "device");
}

/// A warp merges its threads, and one lane writes.
static void mergeAmax(ImplicitLocOpBuilder &b, Value largest, Value flags,
                      Value base) {
  Value all = constantI32(b, -1);
  largest = NVVM::ReduxOp::create(b, b.getI32Type(), largest,
                                  NVVM::ReduxKind::UMAX, all);
  flags =
      NVVM::ReduxOp::create(b, b.getI32Type(), flags, NVVM::ReduxKind::OR, all);
  Value lane = arith::AndIOp::create(b, threadId(b), constantI32(b, 31));
  emitIf(b, isBelow(b, lane, 1), [&] {
    updateWord(b, LLVM::AtomicBinOp::umax, base, largest);
    Value second = LLVM::GEPOp::create(b, base.getType(), b.getI32Type(), base,
                                       ArrayRef<LLVM::GEPArg>{1});
    updateWord(b, LLVM::AtomicBinOp::_or, second, flags);
  });
}

namespace {

/// Each thread merges its registers.
struct LowerAmax final : ConvertOpToLLVMPattern<AmaxOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto [line, pair] = threadElement(b, op.getValue().getType());
    Value row = arith::AddIOp::create(b, adaptor.getRow(), line);
    Value column = arith::AddIOp::create(b, adaptor.getColumn(), pair);
    Value largest = constantI32(b, 0), flags = constantI32(b, 0);
    Value inRows[2];
    for (int64_t half = 0; half < 2; ++half)
      inRows[half] =
          isBelow(b, arith::AddIOp::create(b, row, constantI32(b, 8 * half)),
                  static_cast<int64_t>(op.getRows()));
    int64_t registers = op.getValue().getType().getNumRegisters();
    for (int64_t i = 0; i < registers; ++i) {
      Value own =
          arith::AddIOp::create(b, column, constantI32(b, 8 * (i / 4) + i % 2));
      Value inside = arith::AndIOp::create(b, inRows[i / 2 % 2],
                                           isBelow(b, own, op.getColumns()));
      foldAmax(b, extractRegister(b, adaptor.getValue(), i), inside, largest,
               flags);
    }
    mergeAmax(b, largest, flags, adaptor.getBase());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerFoldAmax final : ConvertOpToLLVMPattern<FoldAmaxOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FoldAmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value largest = adaptor.getLargest(), flags = adaptor.getFlags();
    for (Value input : adaptor.getInputs()) {
      int64_t count = cast<VectorType>(input.getType()).getNumElements();
      for (int64_t i = 0; i < count; ++i) {
        Value one = LLVM::ExtractElementOp::create(b, input, constantI32(b, i));
        foldAmax(b, toF32(b, one), Value(), largest, flags);
      }
    }
    rewriter.replaceOp(op, {largest, flags});
    return success();
  }
};

struct LowerMergeAmax final : ConvertOpToLLVMPattern<MergeAmaxOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MergeAmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    mergeAmax(b, adaptor.getLargest(), adaptor.getFlags(), adaptor.getBase());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::cta::populateEpiloguePatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerAmax, LowerFoldAmax, LowerLoadRows, LowerMergeAmax>(
      converter);
}
