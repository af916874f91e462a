//===- Code.cpp - Graphs lowered for a device -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pass pipeline, compiles the kernels to two PTX modules and leaves
// the driver as host code with one uniform entry point.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/Code.h"
#include "Entry.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/CPU/SizeExprs.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

/// The driver's name beside an entry point.
static constexpr StringLiteral kDriver = "fp8_driver";

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Makes the lowered functions of `device` kernels of a gpu.module.
static gpu::GPUModuleOp makeKernels(ModuleOp device) {
  OpBuilder b = OpBuilder::atBlockEnd(device.getBody());
  SmallVector<Operation *> ops;
  for (Operation &op : *device.getBody())
    ops.push_back(&op);
  auto kernels = gpu::GPUModuleOp::create(b, device.getLoc(), kLoopKernels);
  for (Operation *op : ops) {
    op->remove();
    kernels.getBody()->push_back(op);
    auto grid = op->getAttrOfType<DenseI64ArrayAttr>(kDeviceGridAttr);
    if (!grid)
      continue;
    cast<LLVM::LLVMFuncOp>(op).setPublic();
    op->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
    op->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                b.getDenseI32ArrayAttr({static_cast<int32_t>(grid[1]), 1, 1}));
  }
  return kernels;
}

/// What PTX has an instruction for, of functions of f64.
static bool hasInstruction(Operation *op) {
  return isa<LLVM::SqrtOp, LLVM::FAbsOp, LLVM::FMAOp, LLVM::FFloorOp,
             LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RoundOp, LLVM::RoundEvenOp,
             LLVM::RintOp, LLVM::NearbyintOp, LLVM::CopySignOp, LLVM::MinNumOp,
             LLVM::MaxNumOp, LLVM::MinimumOp, LLVM::MaximumOp>(op);
}

/// LLVM ends the process where PTX has neither an instruction nor a library for
/// a function of f64, or for a float of more bits.
static LogicalResult checkFloats(ModuleOp device) {
  auto isWide = [](Type type) {
    auto number = dyn_cast<FloatType>(type);
    return number && number.getWidth() > 64;
  };
  auto isF64 = [](Type type) { return type.isF64(); };
  WalkResult result = device.walk([&](Operation *op) {
    bool isFunction = op->getName().getStringRef().starts_with("llvm.intr.") &&
                      !hasInstruction(op);
    if (!(isFunction && llvm::any_of(op->getResultTypes(), isF64)) &&
        llvm::none_of(op->getResultTypes(), isWide) &&
        llvm::none_of(op->getOperandTypes(), isWide))
      return WalkResult::advance();
    op->emitError("cannot compile '")
        << op->getName() << "' of " << op->getOperandTypes()
        << " for a GPU: PTX has no instruction for it; compute in f32";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A group ends before its kernel has too many parameters, but one operation
/// may have too many of its own.
static LogicalResult checkParameters(ModuleOp device,
                                     const TargetInfo &target) {
  DataLayout layout(device);
  for (auto kernel : device.getOps<LLVM::LLVMFuncOp>()) {
    if (!kernel->hasAttr(kDeviceGridAttr))
      continue;
    uint64_t bytes = 0;
    for (Type type : kernel.getArgumentTypes())
      bytes = llvm::alignTo(bytes, layout.getTypeABIAlignment(type)) +
              layout.getTypeSize(type);
    int64_t most = target.getParameterBytes();
    if (static_cast<int64_t>(bytes) > most)
      return kernel.emitError("expected a kernel of at most ")
             << most << " bytes of parameters for " << target.name << ", got "
             << bytes << " for " << kernel.getNumArguments()
             << " buffers and scalars; split the operation";
  }
  return success();
}

/// Takes the nested module of kernels out of `module` and compiles it.
static LogicalResult compileLoops(ModuleOp module, const TargetInfo &target,
                                  const PassInstrumenter &instrument,
                                  std::string &ptx) {
  OwningOpRef<ModuleOp> device(module.lookupSymbol<ModuleOp>(kLoopKernels));
  (*device)->remove();
  if (device->getOps<func::FuncOp>().empty())
    return success();
  PassManager pm(module.getContext());
  pm.enableVerifier(false); // fp8-opt runs the same passes verified
  addCPULLVMPasses(pm);
  if (failed(runStage(pm, *device, "loops", instrument)) ||
      failed(checkLowered(*device)) || failed(checkFloats(*device)) ||
      failed(checkParameters(*device, target)))
    return failure();
  gpu::GPUModuleOp kernels = makeKernels(*device);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir = translateToLLVM(kernels, target, context);
  if (!ir)
    return failure();
  return emitPTX(*ir, module.getLoc(), target, ptx);
}

/// Takes the matrix kernels out of `module`, if there are any, and compiles
/// them.
static LogicalResult compileMatrix(ModuleOp module, const TargetInfo &target,
                                   const PassInstrumenter &instrument,
                                   std::string &ptx) {
  auto kernels = module.lookupSymbol<gpu::GPUModuleOp>(kMatrixKernels);
  if (!kernels)
    return success();
  OwningOpRef<ModuleOp> device = ModuleOp::create(module.getLoc());
  kernels->remove();
  device->getBody()->push_back(kernels);
  EmitOptions options;
  options.target = &target;
  options.instrument = instrument;
  return emitTarget(*device, EmitKind::PTX, options, ptx);
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Marks functions while the fp8 dialect is not lowered yet, if the module has
/// them approximate.
static LogicalResult markApproxMath(ModuleOp module,
                                    const PassInstrumenter &instrument) {
  if (!module->hasAttr(kApproxMathAttr))
    return success();
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(createDeviceMarkApproxMath());
  return runStage(pm, module, "approx-math", instrument);
}

FailureOr<func::FuncOp>
mlir::fp8::prepareForDevice(ModuleOp module, StringRef name,
                            ArrayRef<RankedTensorType> argTypes,
                            SmallVectorImpl<RankedTensorType> &resultTypes,
                            const DeviceLowering &options) {
  if (failed(markApproxMath(module, options.instrument)))
    return failure();
  auto addKernelPasses = [&](OpPassManager &pm) {
    addDeviceKernelPasses(pm, options.target->name, options.gpu,
                          options.schedules, module->hasAttr(kApproxMathAttr));
  };
  return prepareEntry(module, name, argTypes, resultTypes, options.instrument,
                      options.target->name, addKernelPasses);
}

static LogicalResult runPasses(ModuleOp module, const DeviceLowering &options) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false); // fp8-opt runs the same passes verified
  buildDevicePipeline(pm, options.target->name, options.gpu, options.schedules,
                      module->hasAttr(kApproxMathAttr));
  return runStage(pm, module, "device", options.instrument);
}

static LogicalResult lowerHost(ModuleOp module,
                               const PassInstrumenter &instrument) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  addCPULLVMPasses(pm);
  if (failed(runStage(pm, module, "host", instrument)))
    return failure();
  return checkLowered(module);
}

/// The results of `map` for the launch's `sizes`.
static SmallVector<int64_t> evaluate(AffineMap map, ArrayRef<int64_t> sizes) {
  Builder b(map.getContext());
  SmallVector<Attribute> operands, results;
  for (int64_t size : sizes)
    operands.push_back(b.getIndexAttr(size));
  (void)map.constantFold(operands, results);
  return llvm::map_to_vector(results, [](Attribute result) {
    return cast<IntegerAttr>(result).getInt();
  });
}

SmallVector<RankedTensorType>
mlir::fp8::getResultTypes(const DeviceCode &code, ArrayRef<int64_t> sizes) {
  if (!code.isDynamic())
    return code.resultTypes;
  SmallVector<int64_t> extents = evaluate(code.resultSizes, sizes);
  ArrayRef<int64_t> left = extents;
  SmallVector<RankedTensorType> types;
  for (RankedTensorType type : code.resultTypes) {
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &extent : shape)
      if (ShapedType::isDynamic(extent)) {
        extent = left.front();
        left = left.drop_front();
      }
    types.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  return types;
}

uint64_t mlir::fp8::getWorkspaceBytes(const DeviceCode &code,
                                      ArrayRef<int64_t> sizes) {
  if (!code.workspaceSize)
    return code.workspaceBytes;
  return evaluate(code.workspaceSize, sizes).front();
}

uint64_t mlir::fp8::getBufferBytes(RankedTensorType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

FailureOr<DeviceCode>
mlir::fp8::lowerToDevice(ModuleOp module, StringRef name,
                         ArrayRef<RankedTensorType> argTypes, StringRef entry,
                         const DeviceLowering &options) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerGPUDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);
  DeviceCode code;
  const TargetInfo &target = *options.target;
  const PassInstrumenter &instrument = options.instrument;
  if (failed(prepareForDevice(module, name, argTypes, code.resultTypes,
                              options)) ||
      failed(runPasses(module, options)))
    return failure();
  if (options.seeKernels)
    options.seeKernels(module);
  if (failed(compileLoops(module, target, instrument, code.modules.loops)) ||
      failed(compileMatrix(module, target, instrument, code.modules.matrix)) ||
      failed(lowerHost(module, instrument)))
    return failure();
  auto driver = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (auto bytes = driver->getAttrOfType<IntegerAttr>(kCPUArenaAttr))
    code.workspaceBytes = bytes.getInt();
  if (auto sizes = driver->getAttrOfType<AffineMapAttr>(kResultSizesAttr))
    code.resultSizes = sizes.getValue();
  if (auto size = driver->getAttrOfType<AffineMapAttr>(kArenaSizeAttr))
    code.workspaceSize = size.getValue();
  driver.setSymName(kDriver);
  driver.setLinkage(LLVM::Linkage::Internal);
  buildEntry(driver, entry, target.name, argTypes, code);
  return code;
}
