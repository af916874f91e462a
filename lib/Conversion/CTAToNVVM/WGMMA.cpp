//===- WGMMA.cpp - Hopper's matrix instructions ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch is one inline assembly statement: wgmma.fence, the instructions,
// commit_group. Nothing - no copy of an accumulator register, no zero fill -
// can come between the fence and an instruction, which is what makes ptxas
// inject waits (C7519). The wait takes the accumulator registers and gives them
// back, so that no read of them can move above it.
//
// Upstream's wgmma operation has neither a run-time scale-d nor a way to keep a
// batch together.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::cta;

/// PTX name of an operand type.
static StringRef typeName(Type type) {
  if (type.isBF16())
    return "bf16";
  return isa<Float8E4M3FNType>(type) ? "e4m3" : "e5m2";
}

Value mlir::cta::buildDescriptor(ImplicitLocOpBuilder &b, Value buffer,
                                 Value stage, Value row, SmemType type,
                                 uint64_t fields) {
  Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), buffer);
  Value offset =
      arith::MulIOp::create(b, stage, constantI32(b, type.getTileBytes()));
  address = arith::AddIOp::create(b, address, offset);
  if (row) {
    Value bytes =
        arith::MulIOp::create(b, row, constantI32(b, type.getSwizzle()));
    address = arith::AddIOp::create(b, address, bytes);
  }
  // The address field has 14 bits of 16-byte units, as in wgmmaDescriptor.
  address = arith::AndIOp::create(b, address, constantI32(b, 0x3FFFF));
  address = arith::ShRUIOp::create(b, address, constantI32(b, 4));
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), address);
  Value rest = arith::ConstantIntOp::create(b, b.getI64Type(),
                                            static_cast<int64_t>(fields));
  return arith::OrIOp::create(b, wide, rest);
}

int64_t mlir::cta::lineOffset(SmemType type, int64_t byte) {
  int64_t swizzle = type.getSwizzle();
  return (byte / swizzle * type.getRows() * swizzle + byte % swizzle) / 16;
}

/// "{$0, $1, ...}"
static void printRegisters(llvm::raw_ostream &os, int64_t count) {
  os << '{';
  for (int64_t i = 0; i < count; ++i)
    os << (i ? ", " : "") << '$' << i;
  os << '}';
}

/// The text of a batch. Operands: results, tied accumulators (if any), two
/// descriptors, the run-time scale-d (if any).
static std::string batchText(WgmmaOp op, int64_t registers) {
  SmemType a = op.getA().getType(), bType = op.getB().getType();
  int64_t next = op.getAcc() ? 2 * registers : registers;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n.reg .pred first, more;\n.reg .b64 da, db;\n";
  if (op.getAccumulate())
    os << "setp.ne.b32 first, $" << next + 2 << ", 0;\n";
  else
    os << "setp.ne.b32 first, " << (op.getAcc() ? 1 : 0) << ", 0;\n";
  os << "setp.ne.b32 more, 1, 0;\nwgmma.fence.sync.aligned;\n";
  int64_t size = a.getElementBytes();
  int64_t from = op.getK()[0] * size, to = op.getK()[1] * size;
  for (int64_t byte = from; byte < to; byte += kStepBytes) {
    os << "add.s64 da, $" << next << ", " << lineOffset(a, byte) << ";\n"
       << "add.s64 db, $" << next + 1 << ", " << lineOffset(bType, byte)
       << ";\nwgmma.mma_async.sync.aligned.m64n" << 2 * registers << 'k'
       << kStepBytes / size << ".f32." << typeName(a.getElementType()) << '.'
       << typeName(bType.getElementType()) << ' ';
    printRegisters(os, registers);
    os << ", da, db, " << (byte == from ? "first" : "more") << ", 1, 1";
    // 16-bit types have two more immediates: neither operand is transposed.
    os << (size == 2 ? ", 0, 0;\n" : ";\n");
  }
  os << "wgmma.commit_group.sync.aligned;\n}";
  return text;
}

std::string mlir::cta::constraintText(int64_t registers, bool tied,
                                      StringRef inputs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t i = 0; i < registers; ++i)
    os << (i ? "," : "") << "=f";
  for (int64_t i = 0; tied && i < registers; ++i)
    os << ',' << i;
  os << inputs;
  return text;
}

static void appendRegisters(ImplicitLocOpBuilder &b, Value accumulator,
                            int64_t registers, SmallVectorImpl<Value> &values) {
  for (int64_t i = 0; i < registers; ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(b, accumulator, ArrayRef<int64_t>{i}));
}

LLVM::InlineAsmOp mlir::cta::createAsm(ImplicitLocOpBuilder &b,
                                       TypeRange results, ValueRange operands,
                                       StringRef text, StringRef constraints) {
  return LLVM::InlineAsmOp::create(b, results, operands, text, constraints,
                                   /*has_side_effects=*/true,
                                   /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

namespace {

struct LowerWgmma final : ConvertOpToLLVMPattern<WgmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WgmmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    InFlightType type = op.getResult().getType();
    int64_t registers = type.getNumRegisters();
    Value stage = slotStage(b, adaptor.getSlot());
    SmallVector<Value> operands;
    if (adaptor.getAcc())
      appendRegisters(b, adaptor.getAcc(), registers, operands);
    auto describe = [&](Value buffer, Value row, SmemType type) {
      return buildDescriptor(b, buffer, stage, row, type,
                             wgmmaDescriptor(0, type.getSwizzle()));
    };
    operands.push_back(
        describe(adaptor.getA(), adaptor.getRow(), op.getA().getType()));
    operands.push_back(describe(adaptor.getB(), Value(), op.getB().getType()));
    std::string inputs = ",l,l";
    if (adaptor.getAccumulate()) {
      operands.push_back(
          arith::ExtUIOp::create(b, b.getI32Type(), adaptor.getAccumulate()));
      inputs += ",r";
    }
    rewriter.replaceOp(
        op, createAsm(b, getTypeConverter()->convertType(type), operands,
                      batchText(op, registers),
                      constraintText(registers, bool(adaptor.getAcc()), inputs))
                .getResults());
    return success();
  }
};

struct LowerWait final : ConvertOpToLLVMPattern<WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t registers = op.getValue().getType().getNumRegisters();
    SmallVector<Value> operands;
    appendRegisters(b, adaptor.getValue(), registers, operands);
    std::string text = "wgmma.wait_group.sync.aligned " +
                       std::to_string(op.getPending()) + ";";
    rewriter.replaceOp(
        op, createAsm(b, adaptor.getValue().getType(), operands, text,
                      constraintText(registers, /*tied=*/true, ""))
                .getResults());
    return success();
  }
};

} // namespace

void mlir::cta::populateWGMMAPatterns(const LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<LowerWait, LowerWgmma>(converter);
}
