//===- LowerContractions.cpp - Calls of the CPU contraction kernel --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of the contraction kernel. The sizes, strides, element types and
// accumulation model of each call are a constant table; equal tables are one.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "fp8/Runtime/CPUContract.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPULOWERCONTRACTIONS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace ::fp8::runtime;

namespace {
/// Builds the calls and keeps one table global per distinct content.
class CallBuilder {
public:
  CallBuilder(ModuleOp module) : module(module), builder(module) {}

  LogicalResult lower(linalg::GenericOp op);

private:
  FailureOr<SmallVector<int64_t>> describe(linalg::GenericOp op);
  Value address(Value memref);
  Value tableAddress(ArrayRef<int64_t> table);
  LLVM::LLVMFuncOp callee();

  ModuleOp module;
  OpBuilder builder;
  llvm::MapVector<ArrayAttr, memref::GlobalOp> tables;
};
} // namespace

/// The stride of loop dimension `dim` in an operand; 0 where it is absent.
static int64_t strideOf(AffineMap map, unsigned dim,
                        ArrayRef<int64_t> strides) {
  for (auto [result, stride] : llvm::zip(map.getResults(), strides))
    if (cast<AffineDimExpr>(result).getPosition() == dim)
      return stride;
  return 0;
}

FailureOr<SmallVector<int64_t>> CallBuilder::describe(linalg::GenericOp op) {
  mlir::fp8::MarkedOperands parts = mlir::fp8::getMarkedOperands(op);
  ArrayRef<AffineMap> maps = parts.maps;
  SmallVector<SmallVector<int64_t>> strides(3);
  SmallVector<int64_t> table(ContractTable::kHeader, 0);
  for (auto [index, operand] : llvm::enumerate(parts.matrices)) {
    auto type = cast<MemRefType>(operand.getType());
    int64_t offset;
    std::optional<::fp8::numerics::ElementKind> kind =
        mlir::fp8::getElementKind(type.getElementType());
    if (!kind || failed(type.getStridesAndOffset(strides[index], offset)))
      return op.emitError("expected a strided buffer, got ") << type;
    if (llvm::any_of(strides[index], ShapedType::isDynamic))
      return op.emitError("expected static strides, got ") << type;
    table[ContractTable::kLhsKind + index] = static_cast<int64_t>(*kind);
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  table[ContractTable::kRank] = sizes.size();
  auto model =
      op->getAttrOfType<DenseI64ArrayAttr>(mlir::fp8::kCPUContractAttr);
  table[ContractTable::kModel] = model[0];
  table[ContractTable::kPromote] = model[1];
  table[ContractTable::kSplits] = model.size() - 2;
  llvm::append_range(table, model.asArrayRef().drop_front(2));
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (ShapedType::isDynamic(size))
      return op.emitError("expected static sizes; give the function static "
                          "input shapes");
    table.push_back(size);
    bool inLhs = maps[0].isFunctionOfDim(dim);
    bool inRhs = maps[1].isFunctionOfDim(dim);
    bool inOut = maps[2].isFunctionOfDim(dim);
    DimClass kind = !inOut           ? DimClass::K
                    : inLhs && inRhs ? DimClass::Batch
                    : inLhs          ? DimClass::M
                                     : DimClass::N;
    table.push_back(static_cast<int64_t>(kind));
    for (unsigned i = 0; i < 3; ++i)
      table.push_back(strideOf(maps[i], dim, strides[i]));
  }
  return table;
}

/// The address of the first element of `memref`.
Value CallBuilder::address(Value memref) {
  Location loc = memref.getLoc();
  auto type = cast<MemRefType>(memref.getType());
  auto i64 = builder.getI64Type();
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  auto [strides, offset] = type.getStridesAndOffset();
  if (offset != 0) {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, memref);
    Value width = arith::ConstantIndexOp::create(
        builder, loc, mlir::fp8::getElementBytes(type.getElementType()));
    Value bytes =
        arith::MulIOp::create(builder, loc, metadata.getOffset(), width);
    base = arith::AddIOp::create(builder, loc, base, bytes);
  }
  Value integer = arith::IndexCastOp::create(builder, loc, i64, base);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), integer);
}

Value CallBuilder::tableAddress(ArrayRef<int64_t> table) {
  memref::GlobalOp &global = tables[builder.getI64ArrayAttr(table)];
  auto count = static_cast<int64_t>(table.size());
  auto type = MemRefType::get({count}, builder.getI64Type());
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string name = "fp8_contract_table_" + std::to_string(tables.size());
    auto values = DenseElementsAttr::get(
        RankedTensorType::get({count}, builder.getI64Type()), table);
    global = memref::GlobalOp::create(
        builder, module.getLoc(), name, builder.getStringAttr("private"), type,
        values, /*constant=*/true, /*alignment=*/IntegerAttr());
  }
  return address(memref::GetGlobalOp::create(builder, module.getLoc(), type,
                                             global.getSymName()));
}

LLVM::LLVMFuncOp CallBuilder::callee() {
  if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(kContractSymbol))
    return func;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto ptr = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), SmallVector<Type>(6, ptr));
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), kContractSymbol,
                                  type);
}

LogicalResult CallBuilder::lower(linalg::GenericOp op) {
  FailureOr<SmallVector<int64_t>> table = describe(op);
  if (failed(table))
    return failure();
  builder.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> args;
  mlir::fp8::MarkedOperands parts = mlir::fp8::getMarkedOperands(op);
  for (Value operand : parts.matrices)
    args.push_back(address(operand));
  for (Value scale : parts.scales)
    args.push_back(address(scale));
  while (args.size() < 5)
    args.push_back(LLVM::ZeroOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext())));
  args.push_back(tableAddress(*table));
  LLVM::CallOp::create(builder, loc, callee(), args);
  op.erase();
  return success();
}

namespace {
struct CPULowerContractions final
    : mlir::fp8::impl::CPULowerContractionsBase<CPULowerContractions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> marked;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(mlir::fp8::kCPUContractAttr))
        marked.push_back(op);
    });
    CallBuilder calls(getOperation());
    for (linalg::GenericOp op : marked)
      if (failed(calls.lower(op)))
        return signalPassFailure();
  }
};
} // namespace
