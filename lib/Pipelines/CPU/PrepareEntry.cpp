//===- PrepareEntry.cpp - One function, static shapes ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function, static shapes: what run time knows is put into the types of the
// arguments, calls are inlined, and SpecializeShapes carries it through the
// body.
//
//===----------------------------------------------------------------------===//

#include "SpecializeShapes.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/CPU/SizeExprs.h"
#include "fp8/Conversion/Extension/Passes.h"
#include "fp8/Conversion/FP8ToLinalg/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fp8;

RankedTensorType mlir::fp8::getBufferType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor && type.isIntOrIndexOrFloat())
    tensor = RankedTensorType::get({}, type);
  return tensor && tensor.hasStaticShape() && getByteSize(tensor)
             ? tensor
             : RankedTensorType();
}

static void specializeArguments(func::FuncOp func,
                                ArrayRef<RankedTensorType> argTypes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.front());
  for (auto [arg, type] : llvm::zip(func.getArguments(), argTypes)) {
    Type old = arg.getType();
    if (old == type)
      continue;
    arg.setType(type);
    Operation *adapter;
    if (isa<TensorType>(old))
      adapter = tensor::CastOp::create(builder, arg.getLoc(), old, arg);
    else
      adapter =
          tensor::ExtractOp::create(builder, arg.getLoc(), arg, ValueRange());
    arg.replaceAllUsesExcept(adapter->getResult(0), adapter);
  }
}

/// Says in an attribute of `func` how the sizes of its arguments determine
/// those of its results.
static LogicalResult nameResultSizes(func::FuncOp func) {
  SizeExprs exprs(func);
  SmallVector<AffineExpr> sizes;
  for (OpOperand &result : func.front().getTerminator()->getOpOperands()) {
    auto type = cast<RankedTensorType>(result.get().getType());
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      sizes.push_back(exprs.getSize(result.get(), dim));
      if (!sizes.back())
        return emitError(result.get().getLoc())
               << "expected argument shapes to determine the shape of result "
               << result.getOperandNumber() << ", got " << type;
    }
  }
  func->setAttr(kResultSizesAttr,
                AffineMapAttr::get(AffineMap::get(0, exprs.getNumSymbols(),
                                                  sizes, func.getContext())));
  return success();
}

static bool isStatic(Type type) {
  return cast<RankedTensorType>(type).hasStaticShape();
}

/// Scalars become rank-0 tensors; casts to dynamic shapes are undone. Sizes of
/// results may only be dynamic where those of arguments are.
static LogicalResult specializeResults(func::FuncOp func) {
  bool isDynamic = !llvm::all_of(func.front().getArgumentTypes(), isStatic);
  Operation *ret = func.front().getTerminator();
  OpBuilder builder(ret);
  for (OpOperand &operand : ret->getOpOperands()) {
    Value value = operand.get();
    if (!isa<TensorType>(value.getType()))
      value = tensor::FromElementsOp::create(
          builder, ret->getLoc(), RankedTensorType::get({}, value.getType()),
          value);
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || (!type.hasStaticShape() && !isDynamic))
      return emitError(value.getLoc())
             << "expected argument shapes to determine the shape of result "
             << operand.getOperandNumber() << ", got " << value.getType();
    if (!type.getElementType().isIntOrIndexOrFloat())
      return emitError(value.getLoc())
             << "result " << operand.getOperandNumber()
             << ": expected integers or floats, got " << type;
    if (type.hasStaticShape() && !getByteSize(type))
      return emitError(value.getLoc())
             << "result " << operand.getOperandNumber()
             << ": expected at most 2^47 bytes, got " << type;
    operand.set(value);
  }
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 ret->getOperandTypes()));
  return isDynamic ? nameResultSizes(func) : success();
}

/// The inliner leaves calls without a word where a dialect does not allow it.
static LogicalResult checkInlined(ModuleOp module, func::FuncOp func) {
  auto walk = func.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee)
      return WalkResult::advance();
    bool onTensors =
        llvm::any_of(llvm::concat<const Type>(callee.getArgumentTypes(),
                                              callee.getResultTypes()),
                     llvm::IsaPred<TensorType>);
    if (callee.isDeclaration() && !onTensors)
      return WalkResult::advance(); // the linker's
    if (callee.isDeclaration())
      call.emitError("expected '")
          << call.getCallee()
          << "' to have a body, as it takes or returns tensors; define it in "
             "the module";
    else
      call.emitError("expected '")
          << call.getCallee()
          << "' to be inlined: it calls itself, or a dialect in it has no "
             "DialectInlinerInterface that allows it";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Adds the symbols that the operations in `op` refer to. Attributes that
/// somebody put on them (discardable ones) and on arguments make nothing run.
static void addReferences(Operation *op, llvm::SetVector<StringAttr> &symbols) {
  op->walk([&](Operation *nested) {
    if (isa<FunctionOpInterface>(nested))
      return;
    if (Attribute own = nested->getPropertiesAsAttribute())
      own.walk([&](SymbolRefAttr symbol) {
        symbols.insert(symbol.getRootReference());
      });
  });
}

/// Erases the functions that a run of `name` does not reach: they would be
/// lowered with it, and taken for kernels.
static void eraseUnreached(ModuleOp module, StringRef name) {
  llvm::SetVector<StringAttr> reached;
  reached.insert(StringAttr::get(module.getContext(), name));
  for (Operation &op : *module.getBody())
    if (!isa<func::FuncOp>(op))
      addReferences(&op, reached);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto func = module.lookupSymbol<func::FuncOp>(reached[i]))
      addReferences(func, reached);
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!reached.contains(func.getSymNameAttr()))
      func.erase();
}

/// prepareEntry on linalg, but for what is without elements.
static FailureOr<func::FuncOp>
specializeEntry(ModuleOp module, StringRef name,
                ArrayRef<RankedTensorType> argTypes) {
  auto func = module.lookupSymbol<func::FuncOp>(name);
  if (!func || func.isDeclaration())
    return module.emitError("expected a function with a body named '")
           << name << "'";
  // Passes on launches would leave it alone as no part of the graph.
  if (func->hasAttr(kDeviceGridAttr))
    return func.emitError("expected an entry function, got a kernel "
                          "('fp8.device_grid')");
  if (!func.getBody().hasOneBlock())
    return func.emitError("expected structured control flow, got branches");
  for (auto other : module.getOps<func::FuncOp>())
    if (other != func)
      other.setPrivate();
  func.setPublic();
  func->removeAttr(kPrepareAttr); // names what is not here any more
  func->removeAttr(kResultSizesAttr);
  func->removeAttr(kArenaSizeAttr);
  func.removeArgAttrsAttr(); // they speak of the old signature
  func.removeResAttrsAttr();
  specializeArguments(func, argTypes);
  // The signature has to agree with the body while passes run.
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 func.getFunctionType().getResults()));
  PassManager pm(module.getContext());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCanonicalizerPass());
  if (failed(pm.run(module)))
    return failure();
  if (failed(checkInlined(module, func)))
    return failure();
  if (failed(specializeShapes(func)) || failed(specializeResults(func)))
    return failure();
  return func;
}

/// The type under which a tensor crosses the boundary.
static RankedTensorType getBoundaryType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape() || tensor.getNumElements() > 0)
    return tensor;
  return RankedTensorType::get({0}, tensor.getElementType());
}

/// Gives arguments and results without elements their boundary types.
static void hideEmptyTensors(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.front());
  auto makeEmpty = [&](RankedTensorType type) -> Value {
    return tensor::EmptyOp::create(builder, func.getLoc(), type.getShape(),
                                   type.getElementType());
  };
  for (BlockArgument arg : func.getArguments()) {
    auto type = cast<RankedTensorType>(arg.getType());
    if (getBoundaryType(type) == type)
      continue;
    arg.replaceAllUsesWith(makeEmpty(type));
    arg.setType(getBoundaryType(type));
  }
  Operation *ret = func.front().getTerminator();
  builder.setInsertionPoint(ret);
  for (OpOperand &operand : ret->getOpOperands()) {
    RankedTensorType type = getBoundaryType(operand.get().getType());
    if (type != operand.get().getType())
      operand.set(makeEmpty(type));
  }
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 ret->getOperandTypes()));
}

static bool hasStaticShapes(ModuleOp module) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return !tensor || (tensor.hasRank() && tensor.hasStaticShape());
  };
  WalkResult result = module.walk([&](Operation *op) {
    bool known = llvm::all_of(op->getResultTypes(), isStatic);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        known &= llvm::all_of(block.getArgumentTypes(), isStatic);
    return known ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// fp8 ops become linalg while shapes may still be dynamic: upstream knows how
/// to make linalg static.
static LogicalResult
lowerFP8(ModuleOp module, const PassInstrumenter &instrument, StringRef target,
         llvm::function_ref<void(OpPassManager &)> addKernelPasses,
         bool isForAnySizes) {
  PassManager pm(module.getContext());
  // Before anything folds.
  CPUStrictMathOptions strict;
  strict.keepAFN = module->hasAttr(kApproxMathAttr);
  pm.addNestedPass<func::FuncOp>(createCPUStrictMath(strict));
  ApplyLoweringsOptions extension;
  if (!target.empty()) {
    extension.stage = "tensors";
    extension.target = target.str();
    pm.addPass(createApplyLowerings(extension));
  }
  extension.stage = "reference";
  pm.addPass(createApplyLowerings(extension));
  pm.addPass(createExpandTensorsPass());
  if (!addKernelPasses) {
    pm.addPass(mlir::fp8::createFP8ToLinalg());
    return runStage(pm, module, "tensors", instrument);
  }
  if (failed(runStage(pm, module, "expand", instrument)))
    return failure();
  PassManager kernels(module.getContext());
  if (isForAnySizes || hasStaticShapes(module))
    addKernelPasses(kernels);
  kernels.addPass(mlir::fp8::createFP8ToLinalg());
  return runStage(kernels, module, "tensors", instrument);
}

FailureOr<func::FuncOp> mlir::fp8::prepareEntry(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
    SmallVectorImpl<RankedTensorType> &resultTypes,
    const PassInstrumenter &instrument, StringRef target,
    llvm::function_ref<void(OpPassManager &)> addKernelPasses) {
  eraseUnreached(module, name);
  bool isForAnySizes = !llvm::all_of(argTypes, isStatic);
  if (failed(
          lowerFP8(module, instrument, target, addKernelPasses, isForAnySizes)))
    return failure();
  FailureOr<func::FuncOp> func = specializeEntry(module, name, argTypes);
  if (failed(func))
    return failure();
  for (Type type : func->getResultTypes())
    resultTypes.push_back(cast<RankedTensorType>(type));
  hideEmptyTensors(*func);
  for (unsigned i = 0, e = func->getNumArguments(); i < e; ++i)
    func->setArgAttr(i, "bufferization.writable",
                     BoolAttr::get(module.getContext(), false));
  return func;
}
