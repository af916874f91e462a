//===- CTAToNVVM.cpp - cta kernels to LLVM functions ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, the type conversion, and the kernel itself. After it no cta
// operation or type is left in the gpu.module.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "fp8/Conversion/GPU/Passes.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CTATONVVMPASS
#include "fp8/Conversion/GPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::cta;

static constexpr unsigned kSharedSpace = 3;

//===----------------------------------------------------------------------===//
// Small values
//===----------------------------------------------------------------------===//

Value mlir::cta::constantI32(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

Value mlir::cta::threadId(ImplicitLocOpBuilder &b) {
  return NVVM::ThreadIdXOp::create(b, b.getI32Type());
}

Value mlir::cta::isFirstOfWarpgroup(ImplicitLocOpBuilder &b) {
  Value lane = arith::AndIOp::create(b, threadId(b),
                                     constantI32(b, kWarpgroupThreads - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane,
                               constantI32(b, 0));
}

Value mlir::cta::warpgroupBarrier(ImplicitLocOpBuilder &b, Value warpgroup) {
  return arith::AddIOp::create(b, warpgroup, constantI32(b, 1));
}

void mlir::cta::meetWarpgroup(ImplicitLocOpBuilder &b, Value id) {
  NVVM::BarrierOp::create(b, TypeRange(), id, constantI32(b, kWarpgroupThreads),
                          NVVM::BarrierReductionAttr(), Value());
}

void mlir::cta::emitIf(ImplicitLocOpBuilder &b, Value condition,
                       llvm::function_ref<void()> emit) {
  auto ifOp = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  emit();
}

std::pair<Value, Value> mlir::cta::clusterPosition(ImplicitLocOpBuilder &b,
                                                   ArrayRef<int64_t> cluster) {
  Value rank, alongM, alongN;
  if (cluster[0] > 1 || cluster[1] > 1)
    rank = NVVM::ClusterId::create(b, b.getI32Type());
  if (cluster[0] > 1)
    alongM = rank;
  if (cluster[1] > 1)
    alongN = rank;
  if (alongM && alongN) {
    Value width = constantI32(b, cluster[0]);
    alongM = arith::RemUIOp::create(b, rank, width);
    alongN = arith::DivUIOp::create(b, rank, width);
  }
  return {alongM, alongN};
}

Value mlir::cta::lineMask(ImplicitLocOpBuilder &b, ArrayRef<int64_t> cluster,
                          Multicast direction) {
  auto [alongM, alongN] = clusterPosition(b, cluster);
  bool isAlongM = direction == Multicast::along_m;
  int64_t blocks = cluster[isAlongM ? 0 : 1];
  int64_t stride = isAlongM ? 1 : cluster[0];
  int64_t line = 0;
  for (int64_t i = 0; i < blocks; ++i)
    line |= int64_t{1} << stride * i;
  // The first block of the line.
  Value first = isAlongM ? alongN : alongM;
  if (first && isAlongM)
    first = arith::MulIOp::create(b, first, constantI32(b, cluster[0]));
  Value mask = constantI32(b, line);
  return first ? arith::ShLIOp::create(b, mask, first).getResult() : mask;
}

Value mlir::cta::sharedAddress(ImplicitLocOpBuilder &b, Value base,
                               Value bytes) {
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value mlir::cta::slotStage(ImplicitLocOpBuilder &b, Value slot) {
  return LLVM::ExtractValueOp::create(b, slot, ArrayRef<int64_t>{0});
}

Value mlir::cta::slotPhase(ImplicitLocOpBuilder &b, Value slot) {
  return LLVM::ExtractValueOp::create(b, slot, ArrayRef<int64_t>{1});
}

Value mlir::cta::moveSlot(ImplicitLocOpBuilder &b, Value slot, Value stage,
                          Value passes) {
  Value flip = arith::AndIOp::create(b, passes, constantI32(b, 1));
  Value phase = arith::XOrIOp::create(b, slotPhase(b, slot), flip);
  Value moved =
      LLVM::InsertValueOp::create(b, slot, stage, ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(b, moved, phase, ArrayRef<int64_t>{1});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type accumulatorStruct(MLIRContext *context, int64_t registers) {
  SmallVector<Type> body(registers, Float32Type::get(context));
  return LLVM::LLVMStructType::getLiteral(context, body);
}

void mlir::cta::addTypeConversions(LLVMTypeConverter &converter) {
  MLIRContext *context = &converter.getContext();
  Type shared = LLVM::LLVMPointerType::get(context, kSharedSpace);
  Type i32 = IntegerType::get(context, 32);
  converter.addConversion([=](SmemType) { return shared; });
  converter.addConversion([=](RingType) { return shared; });
  converter.addConversion([=](TurnsType) { return shared; });
  converter.addConversion(
      [=](TensorMapType) { return Type(LLVM::LLVMPointerType::get(context)); });
  converter.addConversion([=](SlotType) {
    return Type(LLVM::LLVMStructType::getLiteral(context, {i32, i32}));
  });
  converter.addConversion([=](TmemType) { return i32; });
  converter.addConversion([=](FragmentType type) {
    return accumulatorStruct(context, type.getNumRegisters());
  });
  converter.addConversion([=](InFlightType type) {
    return accumulatorStruct(context, type.getNumRegisters());
  });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

/// cta.kernel -> llvm.func with launch bounds. Tensor maps are by-value
/// parameters of 128 bytes in constant memory.
struct LowerKernel final : ConvertOpToLLVMPattern<KernelOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(KernelOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    if (failed(getTypeConverter()->convertSignatureArgs(type.getInputs(),
                                                        signature)))
      return rewriter.notifyMatchFailure(op, "cannot convert the signature");
    MLIRContext *context = op.getContext();
    auto functionType = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(context), signature.getConvertedTypes());
    auto func = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getSymName(),
                                         functionType);
    setKernelAttributes(func, op);
    for (auto [index, input] : llvm::enumerate(type.getInputs()))
      if (isa<TensorMapType>(input))
        setTensorMapAttributes(func, index);
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), *typeConverter,
                                           &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void setKernelAttributes(LLVM::LLVMFuncOp func, KernelOp op) {
    Builder b(func.getContext());
    int32_t threads = op.getThreads();
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
    // Without both bounds ptxas ignores setmaxnreg (C7508).
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                  b.getDenseI32ArrayAttr({threads, 1, 1}));
    func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  b.getI32IntegerAttr(1));
    if (int32_t blocks = op.getClusterBlocks(); blocks > 1)
      func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    b.getDenseI32ArrayAttr({blocks, 1, 1}));
    func->setAttr(::mlir::fp8::kSharedBytesAttr,
                  b.getI64IntegerAttr(op.getSharedBytes()));
  }

  static void setTensorMapAttributes(LLVM::LLVMFuncOp func, unsigned index) {
    Builder b(func.getContext());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
    func.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                    TypeAttr::get(bytes));
    func.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                    b.getI32IntegerAttr(64));
    func.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(),
                    b.getUnitAttr());
  }
};

struct LowerReturn final : ConvertOpToLLVMPattern<ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct CTAToNVVMPass final
    : ::mlir::fp8::impl::CTAToNVVMPassBase<CTAToNVVMPass> {
  void runOnOperation() override;
};

} // namespace

/// Declares the block's dynamic shared memory. Every swizzle pattern repeats
/// within 1024 bytes, so this alignment makes offsets decide.
static void declareShared(gpu::GPUModuleOp module) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  LLVM::GlobalOp::create(b, module.getLoc(), bytes, /*isConstant=*/false,
                         LLVM::Linkage::External, kSharedSymbol, Attribute(),
                         /*alignment=*/1024, kSharedSpace);
}

void CTAToNVVMPass::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  auto kernels = llvm::to_vector(module.getOps<KernelOp>());
  if (kernels.empty())
    return;
  declareShared(module);
  SharedOffsets offsets;
  for (KernelOp kernel : kernels) {
    lowerStructure(kernel);
    kernel.layOutShared(
        [&](Operation *op, int64_t offset) { offsets[op] = offset; });
  }

  MLIRContext *context = &getContext();
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  addTypeConversions(converter);
  RewritePatternSet patterns(context);
  patterns.add<LowerKernel, LowerReturn>(converter);
  populateMemoryPatterns(converter, offsets, patterns);
  populateRegisterPatterns(converter, patterns);
  populateEpiloguePatterns(converter, patterns);
  populatePartialPatterns(converter, patterns);
  populateWGMMAPatterns(converter, patterns);
  populateTCGen05Patterns(converter, offsets, patterns);
  populateTurnsPatterns(converter, offsets, patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect,
                         arith::ArithDialect, math::MathDialect>();
  target.addIllegalDialect<CTADialect>();
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    signalPassFailure();
}
