//===- Registers.cpp - Register tiles and conversions ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fragment is a struct of f32, one per register of accumulatorElement's
// numbering. Element-wise regions are copied once per register. What epilogues
// read and reduce is in Epilogue.cpp.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::cta;

/// The canonical NaNs that float results store (Numerics/Format.h).
static constexpr uint32_t kNaN32 = 0x7FC00000u;
static constexpr uint32_t kNaNBF16 = 0x7FC0u;

Value mlir::cta::extractRegister(ImplicitLocOpBuilder &b, Value fragment,
                                 int64_t index) {
  return LLVM::ExtractValueOp::create(b, fragment, ArrayRef<int64_t>{index});
}

Value mlir::cta::buildFragment(ImplicitLocOpBuilder &b, Type type,
                               ArrayRef<Value> registers) {
  Value result = LLVM::PoisonOp::create(b, type);
  for (auto [index, value] : llvm::enumerate(registers))
    result = LLVM::InsertValueOp::create(
        b, result, value, ArrayRef<int64_t>{static_cast<int64_t>(index)});
  return result;
}

static Value isNaN(ImplicitLocOpBuilder &b, Value value) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
}

/// Two elements of f32, NaNs canonical.
static Value packF32(ImplicitLocOpBuilder &b, Value low, Value high) {
  auto type = VectorType::get(2, b.getF32Type());
  Value nan =
      LLVM::BitcastOp::create(b, b.getF32Type(), constantI32(b, kNaN32));
  Value result = LLVM::PoisonOp::create(b, type);
  Value values[] = {low, high};
  for (auto [index, value] : llvm::enumerate(values)) {
    Value canonical = arith::SelectOp::create(b, isNaN(b, value), nan, value);
    result = LLVM::InsertElementOp::create(b, result, canonical,
                                           constantI32(b, index));
  }
  return result;
}

/// Two elements of bf16. The hardware's conversion gives NaNs another payload.
static Value packBF16(ImplicitLocOpBuilder &b, Value low, Value high) {
  Value nan = arith::ConstantIntOp::create(b, b.getI16Type(), kNaNBF16);
  Value result = LLVM::PoisonOp::create(b, VectorType::get(2, b.getI16Type()));
  Value values[] = {low, high};
  for (auto [index, value] : llvm::enumerate(values)) {
    Value rounded = LLVM::FPTruncOp::create(b, b.getBF16Type(), value);
    Value bits = LLVM::BitcastOp::create(b, b.getI16Type(), rounded);
    Value canonical = arith::SelectOp::create(b, isNaN(b, value), nan, bits);
    result = LLVM::InsertElementOp::create(b, result, canonical,
                                           constantI32(b, index));
  }
  return result;
}

/// Two codes. The conversion saturates and turns every NaN into 0x7F; its first
/// source goes to the upper byte.
static Value packCodes(ImplicitLocOpBuilder &b, Type element, Value low,
                       Value high) {
  Value codes = NVVM::ConvertF32x2ToF8x2Op::create(
      b, b.getI16Type(), high, low, NVVM::FPRoundingMode::RN,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, element);
  return LLVM::BitcastOp::create(b, VectorType::get(2, b.getI8Type()), codes);
}

/// Two elements of `element`, rounded, with canonical NaNs, as a vector.
static Value packPair(ImplicitLocOpBuilder &b, Type element, Value low,
                      Value high) {
  if (element.isF32())
    return packF32(b, low, high);
  return element.isBF16() ? packBF16(b, low, high)
                          : packCodes(b, element, low, high);
}

namespace {

struct LowerFill final : ConvertOpToLLVMPattern<FillOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragmentType type = op.getResult().getType();
    SmallVector<Value> values(type.getNumRegisters(), adaptor.getValue());
    rewriter.replaceOp(
        op, buildFragment(b, getTypeConverter()->convertType(type), values));
    return success();
  }
};

struct LowerMap final : ConvertOpToLLVMPattern<MapOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<FragmentType>(op.getResult(0).getType());
    Block &body = op.getBody().front();
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (int64_t i = 0; i < type.getNumRegisters(); ++i) {
      IRMapping mapping;
      for (auto [argument, input] :
           llvm::zip_equal(body.getArguments(), adaptor.getInputs()))
        mapping.map(argument, extractRegister(b, input, i));
      for (Operation &nested : body.without_terminator()) {
        cloneInto(rewriter, nested, mapping);
        if (isRoundedSum(op, nested))
          hideOrigin(rewriter, nested.getResult(0), mapping);
      }
      for (auto [result, yielded] :
           llvm::zip_equal(results, body.getTerminator()->getOperands()))
        result.push_back(lookUp(rewriter, mapping, yielded));
    }
    Type converted = getTypeConverter()->convertType(type);
    SmallVector<Value> fragments;
    for (ArrayRef<Value> registers : results)
      fragments.push_back(buildFragment(b, converted, registers));
    rewriter.replaceOp(op, fragments);
    return success();
  }

private:
  /// What stands for `value`; those from outside of the region may have been
  /// replaced.
  static Value lookUp(ConversionPatternRewriter &rewriter, IRMapping &mapping,
                      Value value) {
    if (!mapping.contains(value))
      if (Value remapped = rewriter.getRemappedValue(value))
        mapping.map(value, remapped);
    return mapping.lookupOrDefault(value);
  }

  static void cloneInto(ConversionPatternRewriter &rewriter, Operation &op,
                        IRMapping &mapping) {
    for (Value operand : op.getOperands())
      lookUp(rewriter, mapping, operand);
    rewriter.clone(op, mapping);
  }

  /// Whether `op`, of the region of `map`, is what arithmetic reads of a
  /// product that is rounded to a narrower type first.
  static bool isRoundedSum(MapOp map, Operation &op) {
    auto wide = dyn_cast<arith::ExtFOp>(op);
    auto narrow =
        wide ? wide.getIn().getDefiningOp<arith::TruncFOp>() : nullptr;
    auto input = narrow ? dyn_cast<BlockArgument>(narrow.getIn()) : nullptr;
    return input &&
           !map.getInputs()[input.getArgNumber()].getDefiningOp<LoadRowsOp>() &&
           !llvm::all_of(op.getUsers(), llvm::IsaPred<YieldOp>);
  }

  /// BF16 arithmetic in f32, each operation rounded, has the bits of BF16's
  /// own, which LLVM would therefore use. ptxas moves that behind a single
  /// wgmma in front of the wait, to where it has to wait itself (C7517).
  static void hideOrigin(ConversionPatternRewriter &rewriter, Value wide,
                         IRMapping &mapping) {
    auto fence = LLVM::CallIntrinsicOp::create(
        rewriter, wide.getLoc(), wide.getType(),
        rewriter.getStringAttr("llvm.arithmetic.fence"), mapping.lookup(wide));
    mapping.map(wide, fence.getResult(0));
  }
};

} // namespace

std::pair<Value, Value> mlir::cta::threadElement(ImplicitLocOpBuilder &b,
                                                 FragmentType type) {
  Value thread = threadId(b);
  Value lane = arith::AndIOp::create(b, thread, constantI32(b, 31));
  Value warp = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, thread, constantI32(b, 5)),
      constantI32(b, 3));
  Value quad = arith::ShRUIOp::create(b, lane, constantI32(b, 2));
  Value line = arith::AddIOp::create(
      b, arith::MulIOp::create(b, warp, constantI32(b, type.getWarpRows())),
      quad);
  Value pair = arith::AndIOp::create(b, lane, constantI32(b, 3));
  return {line, arith::MulIOp::create(b, pair, constantI32(b, 2))};
}

Value mlir::cta::isBelow(ImplicitLocOpBuilder &b, Value index, Value end) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, end);
}

Value mlir::cta::isBelow(ImplicitLocOpBuilder &b, Value index, int64_t end) {
  return isBelow(b, index, constantI32(b, end));
}

Value mlir::cta::widen(ImplicitLocOpBuilder &b, Value value) {
  return arith::ExtUIOp::create(b, b.getI64Type(), value);
}

namespace {

/// Where one thread writes: everything that does not depend on the register.
struct StorePosition {
  /// Address of the thread's first line in the first panel.
  Value line;
  /// Byte within a line, XORed with the thread's swizzle pattern.
  Value pattern;
  /// Where true (null: nowhere), the thread writes slabs of 8 columns in
  /// another order: slab s XOR `turn` when others write slab s.
  Value turned;
  int64_t turn = 0;
};

/// Registers 2j and 2j+1 of a thread are two adjacent columns of one line:
/// column 8(j/2) + 2(l%4), line rw + l/4 + 8(j%2) for lane l of warp w. Lines
/// 8 apart have the same swizzle pattern, so XOR with one value per thread
/// gives every address.
struct LowerStore final : ConvertOpToLLVMPattern<StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmemType type = op.getBuffer().getType();
    StorePosition position =
        locate(b, op, adaptor.getBuffer(), adaptor.getStage());
    int64_t size = type.getElementBytes(), swizzle = type.getSwizzle();
    int64_t pairs = op.getValue().getType().getNumRegisters() / 2;
    for (int64_t j = 0; j < pairs; ++j) {
      int64_t byte = 8 * (j / 2) * size;
      int64_t panel = byte / swizzle, inLine = byte % swizzle;
      Value column =
          arith::XOrIOp::create(b, position.pattern, constantI32(b, inLine));
      int64_t fixed = (panel * type.getRows() + 8 * (j % 2)) * swizzle;
      Value offset = arith::AddIOp::create(b, column, constantI32(b, fixed));
      Value address = sharedAddress(b, position.line, offset);
      Value low = element(b, adaptor.getValue(), position, 2 * j);
      Value high = element(b, adaptor.getValue(), position, 2 * j + 1);
      Value packed = packPair(b, type.getElementType(), low, high);
      LLVM::StoreOp::create(b, packed, address, 2 * size);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Register `index`, or that of the slab whose turn it is in this thread.
  static Value element(ImplicitLocOpBuilder &b, Value fragment,
                       const StorePosition &position, int64_t index) {
    Value own = extractRegister(b, fragment, index);
    if (!position.turned)
      return own;
    Value other = extractRegister(b, fragment, index ^ 4 * position.turn);
    return arith::SelectOp::create(b, position.turned, other, own);
  }

  /// Stores of 8 bytes go by half warps, which are four lines: in one line they
  /// take 32 bytes, and the swizzle moves 16. So lines would meet in a bank: of
  /// 128 bytes the neighbours, of 64 bytes those two apart. One of the two
  /// starts with another slab.
  static void spread(ImplicitLocOpBuilder &b, SmemType type, Value line,
                     StorePosition &position) {
    int64_t swizzle = type.getSwizzle();
    if (type.getElementBytes() != 4 || swizzle == 32)
      return;
    position.turn = swizzle == 128 ? 2 : 1;
    Value bit =
        arith::AndIOp::create(b, line, constantI32(b, 2 / position.turn));
    Value zero = constantI32(b, 0);
    position.turned =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, zero);
    Value bytes = constantI32(b, 32 * position.turn);
    position.pattern = arith::XOrIOp::create(
        b, position.pattern,
        arith::SelectOp::create(b, position.turned, bytes, zero));
  }

  static StorePosition locate(ImplicitLocOpBuilder &b, StoreOp op, Value buffer,
                              Value stage) {
    SmemType type = op.getBuffer().getType();
    int64_t swizzle = type.getSwizzle();
    auto [line, column] = threadElement(b, op.getValue().getType());
    line = arith::AddIOp::create(
        b, line, constantI32(b, static_cast<int64_t>(op.getRow())));
    Value bytes = arith::AddIOp::create(
        b, arith::MulIOp::create(b, stage, constantI32(b, type.getTileBytes())),
        arith::MulIOp::create(b, line, constantI32(b, swizzle)));
    // swizzleAddress of a line that starts a repeat: chunk XOR (line's bytes
    // >> 7), in 16-byte chunks. The 16 lines of a warp are whole repeats.
    Value chunk = arith::AndIOp::create(
        b,
        arith::ShRUIOp::create(
            b, arith::MulIOp::create(b, line, constantI32(b, swizzle)),
            constantI32(b, 7)),
        constantI32(b, swizzle / 16 - 1));
    Value pattern = arith::ShLIOp::create(b, chunk, constantI32(b, 4));
    Value pair = arith::MulIOp::create(b, column,
                                       constantI32(b, type.getElementBytes()));
    StorePosition position;
    position.line = sharedAddress(b, buffer, bytes);
    position.pattern = arith::XOrIOp::create(b, pattern, pair);
    spread(b, type, line, position);
    return position;
  }
};

/// A thread has pairs of adjacent columns in two lines. Lines of an even number
/// of elements keep pairs whole and aligned.
struct LowerStoreRows final : ConvertOpToLLVMPattern<StoreRowsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(StoreRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    std::pair<Value, Value> own = threadElement(b, op.getValue().getType());
    Value row = arith::AddIOp::create(b, adaptor.getRow(), own.first);
    Value column = arith::AddIOp::create(b, adaptor.getColumn(), own.second);
    Value rows = adaptor.getDynamicRows();
    if (!rows)
      rows = constantI32(b, static_cast<int64_t>(*op.getRows()));
    for (int64_t half = 0; half < 2; ++half) {
      Value line = arith::AddIOp::create(b, row, constantI32(b, 8 * half));
      emitIf(b, isBelow(b, line, rows),
             [&] { storeLine(b, op, adaptor, line, column, half); });
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The elements that the thread has in line `row`.
  static void storeLine(ImplicitLocOpBuilder &b, StoreRowsOp op,
                        OpAdaptor adaptor, Value row, Value column,
                        int64_t half) {
    int64_t columns = op.getColumns();
    Value pitch = arith::ConstantIntOp::create(b, b.getI64Type(), columns);
    Value start = arith::AddIOp::create(
        b, adaptor.getOffset(), arith::MulIOp::create(b, widen(b, row), pitch));
    for (int64_t slab = 0; slab < op.getValue().getType().getColumns() / 8;
         ++slab) {
      Value first = arith::AddIOp::create(b, column, constantI32(b, 8 * slab));
      Value low = extractRegister(b, adaptor.getValue(), 4 * slab + 2 * half);
      Value high =
          extractRegister(b, adaptor.getValue(), 4 * slab + 2 * half + 1);
      storePair(b, op, adaptor.getBase(), start, first, {low, high});
    }
  }

  static void storePair(ImplicitLocOpBuilder &b, StoreRowsOp op, Value base,
                        Value start, Value column,
                        std::pair<Value, Value> values) {
    int64_t columns = op.getColumns();
    Type element = op.getElementType();
    int64_t size = getElementBytes(element);
    // LLVM has no type for codes.
    Type stored = size == 1 ? Type(b.getI8Type()) : element;
    auto addressOf = [&](Value index) -> Value {
      Value position = arith::AddIOp::create(b, start, widen(b, index));
      return LLVM::GEPOp::create(b, base.getType(), stored, base,
                                 ArrayRef<LLVM::GEPArg>{position});
    };
    if (columns % 2 == 0) {
      emitIf(b, isBelow(b, column, columns), [&] {
        Value packed = packPair(b, element, values.first, values.second);
        LLVM::StoreOp::create(b, packed, addressOf(column), 2 * size);
      });
      return;
    }
    for (int64_t i = 0; i < 2; ++i) {
      Value own = arith::AddIOp::create(b, column, constantI32(b, i));
      emitIf(b, isBelow(b, own, columns), [&] {
        Value packed = packPair(b, element, values.first, values.second);
        Value one =
            LLVM::ExtractElementOp::create(b, packed, constantI32(b, i));
        LLVM::StoreOp::create(b, one, addressOf(own), size);
      });
    }
  }
};

struct LowerConcat final : ConvertOpToLLVMPattern<ConcatOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    Value result = LLVM::PoisonOp::create(b, type);
    int64_t next = 0;
    for (Value input : adaptor.getInputs()) {
      int64_t count = cast<VectorType>(input.getType()).getNumElements();
      for (int64_t i = 0; i < count; ++i) {
        Value one = LLVM::ExtractElementOp::create(b, input, constantI32(b, i));
        result = LLVM::InsertElementOp::create(b, result, one,
                                               constantI32(b, next++));
      }
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The words of a vector of whole ones.
static SmallVector<Value> wordsOf(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  int64_t count = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  Value words = LLVM::BitcastOp::create(
      b, VectorType::get(count, b.getI32Type()), vector);
  SmallVector<Value> result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(
        LLVM::ExtractElementOp::create(b, words, constantI32(b, i)));
  return result;
}

/// The vector of type `type` with these words.
static Value vectorOf(ImplicitLocOpBuilder &b, ArrayRef<Value> words,
                      Type type) {
  Value result =
      LLVM::PoisonOp::create(b, VectorType::get(words.size(), b.getI32Type()));
  for (auto [index, word] : llvm::enumerate(words))
    result =
        LLVM::InsertElementOp::create(b, result, word, constantI32(b, index));
  return LLVM::BitcastOp::create(b, type, result);
}

/// Moves by two words, by one, and by bytes of one, as the bits of `first` say.
struct LowerWindow final : ConvertOpToLLVMPattern<WindowOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WindowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> words = wordsOf(b, adaptor.getLow());
    llvm::append_range(words, wordsOf(b, adaptor.getHigh()));
    int64_t size = getElementBytes(
        cast<VectorType>(op.getResult().getType()).getElementType());
    Value bytes =
        arith::MulIOp::create(b, adaptor.getFirst(), constantI32(b, size));
    for (int64_t step : {2, 1}) {
      Value bit = arith::AndIOp::create(b, bytes, constantI32(b, 4 * step));
      Value moves = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit,
                                          constantI32(b, 0));
      for (size_t i = 0; i + step < words.size(); ++i)
        words[i] = arith::SelectOp::create(b, moves, words[i + step], words[i]);
      words.truncate(words.size() - step);
    }
    if (size < 4) {
      Value bits = arith::MulIOp::create(
          b, arith::AndIOp::create(b, bytes, constantI32(b, 3)),
          constantI32(b, 8));
      for (size_t i = 0; i + 1 < words.size(); ++i)
        words[i] = LLVM::FshrOp::create(b, words[i + 1], words[i], bits);
    }
    words.truncate(4);
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    rewriter.replaceOp(op, vectorOf(b, words, type));
    return success();
  }
};

/// Squares of one word by as many rows as it has elements, one after the other.
struct LowerTranspose final : ConvertOpToLLVMPattern<TransposeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<SmallVector<Value>> rows;
    for (Value input : adaptor.getInputs())
      rows.push_back(wordsOf(b, input));
    Type element =
        cast<VectorType>(op.getInputs().front().getType()).getElementType();
    int64_t edge = 4 / getElementBytes(element);
    SmallVector<SmallVector<Value>> columns(op.getNumResults());
    for (size_t row = 0; row < rows.size(); row += edge)
      for (size_t word = 0; word < rows[row].size(); ++word) {
        SmallVector<Value> square;
        for (int64_t i = 0; i < edge; ++i)
          square.push_back(rows[row + i][word]);
        for (auto [i, turned] : llvm::enumerate(transpose(b, square)))
          columns[edge * word + i].push_back(turned);
      }
    SmallVector<Value> results;
    for (auto [words, result] : llvm::zip_equal(columns, op.getResults()))
      results.push_back(vectorOf(
          b, words, getTypeConverter()->convertType(result.getType())));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Each digit of `selector` is the number of a byte, 0 to 3 of `low`, 4 to 7
  /// of `high`.
  static Value permute(ImplicitLocOpBuilder &b, Value low, Value high,
                       int64_t selector) {
    return NVVM::PermuteOp::create(b, b.getI32Type(), low, high,
                                   constantI32(b, selector),
                                   NVVM::PermuteMode::DEFAULT);
  }

  static SmallVector<Value> transpose(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> rows) {
    if (rows.size() == 2)
      return {permute(b, rows[0], rows[1], 0x5410),
              permute(b, rows[0], rows[1], 0x7632)};
    // Pairs of rows element by element, then pairs of pairs.
    Value low01 = permute(b, rows[0], rows[1], 0x5140);
    Value high01 = permute(b, rows[0], rows[1], 0x7362);
    Value low23 = permute(b, rows[2], rows[3], 0x5140);
    Value high23 = permute(b, rows[2], rows[3], 0x7362);
    return {permute(b, low01, low23, 0x5410), permute(b, low01, low23, 0x7632),
            permute(b, high01, high23, 0x5410),
            permute(b, high01, high23, 0x7632)};
  }
};

/// Two elements per conversion; the first source goes to the upper byte.
struct LowerQuantize final : ConvertOpToLLVMPattern<QuantizeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(QuantizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<VectorType>(op.getResult().getType());
    int64_t count = type.getNumElements();
    SmallVector<Value> elements = scaledElements(b, adaptor);
    auto element = [&](int64_t index) -> Value {
      if (index < count)
        return elements[index];
      return arith::ConstantFloatOp::create(b, b.getF32Type(), APFloat(0.0f));
    };
    int64_t pairs = (count + 1) / 2;
    auto packedType = VectorType::get(pairs, b.getI16Type());
    Value packed = LLVM::PoisonOp::create(b, packedType);
    for (int64_t i = 0; i < pairs; ++i) {
      Value codes = NVVM::ConvertF32x2ToF8x2Op::create(
          b, b.getI16Type(), element(2 * i + 1), element(2 * i),
          NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
          /*relu=*/false, type.getElementType());
      packed =
          LLVM::InsertElementOp::create(b, packed, codes, constantI32(b, i));
    }
    Value bytes = LLVM::BitcastOp::create(
        b, VectorType::get(2 * pairs, b.getI8Type()), packed);
    if (2 * pairs != count) {
      SmallVector<int32_t> first(count);
      for (int64_t i = 0; i < count; ++i)
        first[i] = i;
      bytes = LLVM::ShuffleVectorOp::create(b, bytes, bytes, first);
    }
    rewriter.replaceOp(op, bytes);
    return success();
  }

private:
  /// rn(x * multiplier) of every element of all inputs.
  static SmallVector<Value> scaledElements(ImplicitLocOpBuilder &b,
                                           OpAdaptor adaptor) {
    SmallVector<Value> result;
    for (Value input : adaptor.getInputs()) {
      auto type = cast<VectorType>(input.getType());
      for (int64_t i = 0; i < type.getNumElements(); ++i) {
        Value x = LLVM::ExtractElementOp::create(b, input, constantI32(b, i));
        if (!x.getType().isF32())
          x = LLVM::FPExtOp::create(b, b.getF32Type(), x);
        result.push_back(arith::MulFOp::create(b, x, adaptor.getMultiplier()));
      }
    }
    return result;
  }
};

} // namespace

void mlir::cta::populateRegisterPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerConcat, LowerFill, LowerMap, LowerQuantize, LowerStore,
               LowerStoreRows, LowerTranspose, LowerWindow>(converter);
}
