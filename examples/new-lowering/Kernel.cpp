//===- Kernel.cpp - The operation on a GPU --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp does a row: its lanes take every 32nd element, and a tree of shuffles
// gives all of them the row's amax. A kernel is a function with the code of one
// thread and a grid (fp8.device_grid); the runtime launches it.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "fp8/Conversion/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static constexpr int64_t kWarp = 32, kThreads = 256, kMaxBlocks = 1024;

static Value index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static Value asIndex(ImplicitLocOpBuilder &b, Value value) {
  return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
}

/// The maximum of `value` over the lanes of a warp, in all of them.
static Value maximumOfWarp(ImplicitLocOpBuilder &b, Value value) {
  auto i32 = [&](int64_t x) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(x));
  };
  for (int64_t distance = kWarp / 2; distance > 0; distance /= 2) {
    Value other =
        NVVM::ShflOp::create(b, b.getF32Type(), i32(-1), value, i32(distance),
                             i32(kWarp - 1), NVVM::ShflKind::bfly, UnitAttr());
    value = arith::MaximumFOp::create(b, value, other);
  }
  return value;
}

/// One row: `view` has the input, the codes and the scales.
static void buildRow(ImplicitLocOpBuilder &b, ArrayRef<Value> view, Value row,
                     Value lane) {
  int64_t columns = cast<MemRefType>(view[0].getType()).getDimSize(1);
  Type code = cast<MemRefType>(view[1].getType()).getElementType();
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f));
  auto read = scf::ForOp::create(b, lane, index(b, columns), index(b, kWarp),
                                 ValueRange(zero));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(read.getBody());
    Value x = memref::LoadOp::create(b, view[0],
                                     ValueRange{row, read.getInductionVar()});
    Value most = arith::MaximumFOp::create(
        b, read.getRegionIterArgs()[0], rows::buildMagnitude(b, b.getLoc(), x));
    scf::YieldOp::create(b, most);
  }
  Value amax = maximumOfWarp(b, read.getResult(0));
  auto write = scf::ForOp::create(b, lane, index(b, columns), index(b, kWarp));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(write.getBody());
    SmallVector<Value> at{row, write.getInductionVar()};
    Value x = memref::LoadOp::create(b, view[0], at);
    memref::StoreOp::create(b, rows::buildCode(b, b.getLoc(), x, amax, code),
                            view[1], at);
  }
  Value first =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, index(b, 0));
  auto one = scf::IfOp::create(b, first);
  b.setInsertionPointToStart(one.thenBlock());
  memref::StoreOp::create(b, rows::buildScale(b, b.getLoc(), amax), view[2],
                          row);
}

/// The kernel's arguments are, for each buffer, its base and its offset in
/// elements: a part of a larger buffer is no pointer of its own.
static func::FuncOp buildKernel(ModuleOp module, Location loc, StringRef name,
                                ArrayRef<MemRefType> types) {
  ImplicitLocOpBuilder b(loc, OpBuilder::atBlockEnd(module.getBody()));
  SmallVector<Type> arguments;
  for (MemRefType type : types) {
    arguments.push_back(MemRefType::get({}, type.getElementType()));
    arguments.push_back(b.getIndexType());
  }
  auto kernel = func::FuncOp::create(b, name, b.getFunctionType(arguments, {}));
  kernel.setPrivate();
  int64_t rows = types[0].getDimSize(0), warps = kThreads / kWarp;
  int64_t blocks =
      std::clamp<int64_t>(llvm::divideCeil(rows, warps), 1, kMaxBlocks);
  kernel->setAttr(mlir::fp8::kDeviceGridAttr,
                  b.getDenseI64ArrayAttr({blocks, kThreads}));
  b.setInsertionPointToStart(kernel.addEntryBlock());
  SmallVector<Value> views;
  for (auto [i, type] : llvm::enumerate(types)) {
    auto [strides, offset] = type.getStridesAndOffset();
    auto view = MemRefType::get(
        type.getShape(), type.getElementType(),
        StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, strides));
    SmallVector<OpFoldResult> sizes, steps;
    for (int64_t size : type.getShape())
      sizes.push_back(b.getIndexAttr(size));
    for (int64_t stride : strides)
      steps.push_back(b.getIndexAttr(stride));
    views.push_back(memref::ReinterpretCastOp::create(
        b, view, kernel.getArgument(2 * i),
        OpFoldResult(kernel.getArgument(2 * i + 1)), sizes, steps));
  }
  Value thread = asIndex(b, NVVM::ThreadIdXOp::create(b, b.getI32Type()));
  Value block = asIndex(b, NVVM::BlockIdXOp::create(b, b.getI32Type()));
  Value lane = arith::RemUIOp::create(b, thread, index(b, kWarp));
  Value warp =
      arith::AddIOp::create(b, arith::MulIOp::create(b, block, index(b, warps)),
                            arith::DivUIOp::create(b, thread, index(b, kWarp)));
  auto loop =
      scf::ForOp::create(b, warp, index(b, rows), index(b, blocks * warps));
  func::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  buildRow(b, views, loop.getInductionVar(), lane);
  return kernel;
}

/// Equal for equal types.
static std::string getName(ArrayRef<MemRefType> types) {
  std::string text = "rows_quantize";
  llvm::raw_string_ostream os(text);
  for (MemRefType type : types) {
    os << "_";
    llvm::interleave(type.getShape(), os, "x");
    os << type.getElementType();
    for (int64_t stride : type.getStridesAndOffset().first)
      os << "s" << stride;
  }
  return text;
}

static LogicalResult lower(ModuleOp module, rows::QuantizeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto input = dyn_cast<MemRefType>(op.getInput().getType());
  if (input && input.hasStaticShape() && input.getNumElements() == 0) {
    // Rows without columns have scale 1; upstream does it.
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1.0f));
    linalg::FillOp::create(b, one, op.getScales());
    op.erase();
    return success();
  }
  SmallVector<MemRefType> types;
  SmallVector<Value> arguments;
  for (Value buffer : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.hasStaticShape() ||
        llvm::is_contained(type.getStridesAndOffset().first,
                           ShapedType::kDynamic))
      return op.emitOpError("expected buffers of static shape, got ")
             << buffer.getType();
    types.push_back(type);
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    arguments.push_back(metadata.getBaseBuffer());
    arguments.push_back(metadata.getOffset());
  }
  std::string name = getName(types);
  auto kernel = module.lookupSymbol<func::FuncOp>(name);
  if (!kernel)
    kernel = buildKernel(module, op.getLoc(), name, types);
  func::CallOp::create(b, kernel, arguments);
  op.erase();
  return success();
}

namespace {
struct Select final : PassWrapper<Select, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Select)
  StringRef getArgument() const override { return "rows-select"; }
  StringRef getDescription() const override {
    return "Mark rows operations that have a kernel";
  }
  void runOnOperation() override {
    getOperation().walk([&](rows::QuantizeOp op) {
      op->setAttr(rows::kKernelAttr, UnitAttr::get(&getContext()));
    });
  }
};

struct ToKernel final : PassWrapper<ToKernel, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToKernel)
  StringRef getArgument() const override { return "rows-to-kernel"; }
  StringRef getDescription() const override {
    return "Lower rows operations on buffers to launches of a kernel";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                NVVM::NVVMDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    SmallVector<rows::QuantizeOp> ops;
    getOperation().walk([&](rows::QuantizeOp op) { ops.push_back(op); });
    for (rows::QuantizeOp op : ops)
      if (failed(lower(getOperation(), op)))
        return signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> rows::createSelectPass() {
  return std::make_unique<Select>();
}
std::unique_ptr<Pass> rows::createToKernelPass() {
  return std::make_unique<ToKernel>();
}
