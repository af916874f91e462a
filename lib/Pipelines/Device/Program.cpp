//===- Program.cpp - Graphs as programs of a device -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pass pipeline, compiles the kernels to two PTX modules and the
// driver for this machine.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/Program.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
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

/// The function that the host code exports.
static constexpr StringLiteral kEntry = "fp8_entry";

DeviceProgram::~DeviceProgram() = default;

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
  if (failed(runStage(pm, *device, "loops", instrument)))
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
// Host code
//===----------------------------------------------------------------------===//

/// Adds `fp8_status fp8_entry(fp8_context *, const fp8_buffer *args, fp8_buffer
/// *results)`, which gets the workspace and calls `driver`.
static void addEntryPoint(ModuleOp module, LLVM::LLVMFuncOp driver,
                          unsigned argCount, int64_t workspaceBytes) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = driver.getLoc();
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto workspace = LLVM::LLVMFuncOp::create(
      b, loc, "fp8_workspace",
      LLVM::LLVMFunctionType::get(i32, {ptr, i64, ptr}));
  auto entry = LLVM::LLVMFuncOp::create(
      b, loc, kEntry, LLVM::LLVMFunctionType::get(i32, {ptr, ptr, ptr}));
  Block *block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  auto constant = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, type,
                                    b.getIntegerAttr(type, value));
  };
  // Word `index` of an array of fp8_buffer, whose even words are addresses.
  auto address = [&](Value buffers, unsigned index) -> Value {
    Value slot = LLVM::GEPOp::create(
        b, loc, ptr, i64, buffers, ArrayRef<LLVM::GEPArg>{int32_t(2 * index)});
    return LLVM::LoadOp::create(b, loc, ptr, slot);
  };
  Value buffer = LLVM::AllocaOp::create(b, loc, ptr, i64, constant(i64, 2), 8);
  Value status =
      LLVM::CallOp::create(b, loc, workspace,
                           ValueRange{entry.getArgument(0),
                                      constant(i64, workspaceBytes), buffer})
          .getResult();
  Value failed = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status,
                                      constant(i32, 0));
  Block *stop = b.createBlock(&entry.getBody(), entry.getBody().end());
  LLVM::ReturnOp::create(b, loc, status);
  Block *go = b.createBlock(&entry.getBody(), entry.getBody().end());
  b.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(b, loc, failed, stop, go);
  b.setInsertionPointToStart(go);
  SmallVector<Value> args{entry.getArgument(0)};
  // The context, arguments, results, the workspace.
  unsigned resultCount = driver.getNumArguments() - argCount - 2;
  for (unsigned i = 0; i < argCount; ++i)
    args.push_back(address(entry.getArgument(1), i));
  for (unsigned i = 0; i < resultCount; ++i)
    args.push_back(address(entry.getArgument(2), i));
  args.push_back(address(buffer, 0));
  Value result = LLVM::CallOp::create(b, loc, driver, args).getResult();
  LLVM::ReturnOp::create(b, loc, result);
}

static fp8_module_image makeImage(llvm::StringLiteral name,
                                  const std::string &ptx) {
  return {name.data(), ptx.empty() ? nullptr : ptx.c_str(), nullptr, 0};
}

/// What host code may name.
static llvm::StringMap<void *> runtimeSymbols() {
  llvm::StringMap<void *> symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[name] = reinterpret_cast<void *>(function);
  };
  add("fp8_launch", &fp8_launch);
  add("fp8_tensor_map_at", &fp8_tensor_map_at);
  add("fp8_read_scalar", &fp8_read_scalar);
  add("fp8_write_scalar", &fp8_write_scalar);
  add("fp8_fail", &fp8_fail);
  add("fp8_workspace", &fp8_workspace);
  return symbols;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static LogicalResult runPasses(ModuleOp module, StringRef target, StringRef gpu,
                               const PassInstrumenter &instrument) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false); // fp8-opt runs the same passes verified
  buildDevicePipeline(pm, target, gpu);
  return runStage(pm, module, "device", instrument);
}

static LogicalResult lowerHost(ModuleOp module,
                               const PassInstrumenter &instrument) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  addCPULLVMPasses(pm);
  return runStage(pm, module, "host", instrument);
}

FailureOr<std::unique_ptr<DeviceProgram>> DeviceProgram::compile(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
    const TargetInfo &target, StringRef gpu, const JitOptions &options,
    const PassInstrumenter &instrument) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerGPUDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);
  std::unique_ptr<DeviceProgram> program(new DeviceProgram());
  FailureOr<func::FuncOp> func =
      prepareEntry(module, name, argTypes, program->resultTypes, instrument,
                   target.name);
  if (failed(func))
    return failure();
  unsigned argCount = func->getNumArguments();
  if (failed(runPasses(module, target.name, gpu, instrument)) ||
      failed(
          compileLoops(module, target, instrument, program->modules.loops)) ||
      failed(
          compileMatrix(module, target, instrument, program->modules.matrix)) ||
      failed(lowerHost(module, instrument)))
    return failure();
  auto driver = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  program->workspaceBytes =
      driver->getAttrOfType<IntegerAttr>(kCPUArenaAttr).getInt();
  addEntryPoint(module, driver, argCount, program->workspaceBytes);

  program->loops = makeImage(kLoopKernels, program->modules.loops);
  program->matrix = makeImage(kMatrixKernels, program->modules.matrix);
  llvm::StringMap<void *> symbols = runtimeSymbols();
  symbols[(kLoopKernels + "_image").str()] = &program->loops;
  symbols[(kMatrixKernels + "_image").str()] = &program->matrix;
  auto jit = Jit::create({{module, JitEffort::Straight}}, symbols, options);
  if (!jit)
    return module.emitError("cannot compile the host code: ")
           << llvm::toString(jit.takeError());
  program->jit = std::move(*jit);
  auto address = program->jit->lookup(kEntry);
  if (!address)
    return module.emitError("cannot link the host code: ")
           << llvm::toString(address.takeError());
  program->entry = reinterpret_cast<Entry>(*address);
  return program;
}

std::string mlir::fp8::describeFailure(const fp8_context *context) {
  std::string text = fp8_last_error(context);
  std::string location = fp8_last_error_location(context);
  return location.empty() ? text : text + ", at " + location;
}

llvm::Error DeviceProgram::run(fp8_context *context, ArrayRef<fp8_buffer> args,
                               MutableArrayRef<fp8_buffer> results) {
  if (entry(context, args.data(), results.data()) == 0)
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 describeFailure(context));
}
