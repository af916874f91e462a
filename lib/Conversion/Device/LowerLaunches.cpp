//===- LowerLaunches.cpp - The driver as host code ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host computes addresses of device memory and never follows one: every
// load and store of the driver becomes a call of the runtime. What is left that
// would touch memory is an error.
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "fp8/Dialect/FP8/IR/LocationName.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICELOWERLAUNCHES
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Words of the runtime's structures
//===----------------------------------------------------------------------===//

/// CUtensorMapDataType of an element.
static int64_t dataTypeOf(Type element) {
  if (element.isF32())
    return 7;
  return element.isBF16() ? 9 : 0; // codes are bytes
}

/// fp8_tensor_map over the shape of `map`, as little-endian words of 64 bits.
/// `sizes`: the extents (i64) that the launch decides, the innermost first.
static SmallVector<HostWord> describeMap(OpBuilder &b, Location loc,
                                         cta::TensorMapType map,
                                         ArrayRef<Value> sizes) {
  constexpr int64_t kRank = 5, kPromote256B = 3;
  // What the launch decides is 1 in the numbers, and a factor of them.
  SmallVector<int64_t> shape;
  for (int64_t extent : map.getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? 1 : extent);
  auto [dims, strides, box] = getExtents(map, shape);
  auto rank = static_cast<int64_t>(dims.size());
  dims.resize(kRank);
  strides.resize(kRank - 1);
  box.resize(kRank, 1);
  // 0, 32, 64, 128 bytes are 0 to 3.
  int64_t swizzle =
      map.getSwizzle() == 0 ? 0 : llvm::Log2_64(map.getSwizzle()) - 4;
  SmallVector<HostWord> words;
  auto pair = [&](int64_t low, int64_t high) {
    words.push_back({low | high << 32});
  };
  auto times = [&](Value product, Value factor) -> Value {
    if (!product || !factor)
      return product ? product : factor;
    return arith::MulIOp::create(b, loc, product, factor);
  };
  auto word = [&](int64_t number, Value factor) {
    if (!factor)
      return words.push_back({number});
    Value constant =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(number));
    words.push_back({0, times(constant, factor)});
  };
  auto sizeAt = [&](size_t i) { return i < sizes.size() ? sizes[i] : Value(); };
  pair(dataTypeOf(map.getElementType()), rank);
  words.push_back({0}); // the address
  for (auto [i, dim] : llvm::enumerate(dims))
    word(dim, sizeAt(i));
  Value pitch;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    pitch = times(pitch, sizeAt(i));
    word(stride, stride ? pitch : Value());
  }
  SmallVector<int64_t> halves(box);
  halves.append(kRank, 1); // element strides
  for (size_t i = 0; i < halves.size(); i += 2)
    pair(halves[i], halves[i + 1]);
  pair(0, swizzle); // no interleave
  pair(kPromote256B, 0);
  return words;
}

/// "FILE:LINE:COL" and the name that a location has, as far as it has them.
static std::string describe(Location loc) {
  FileLineColLoc file = findFile(loc);
  StringRef name = findName(loc);
  std::string text;
  if (file)
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  if (!name.empty())
    text += (text.empty() ? "" : " ") + ("'" + name + "'").str();
  return text;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
class DriverLowering {
public:
  DriverLowering(ModuleOp module, func::FuncOp driver)
      : module(module), calls(module, driver), b(calls.builder()) {}

  LogicalResult lower(Operation *op);
  void finish() { calls.finish(); }

private:
  LogicalResult lowerCall(func::CallOp op);
  LogicalResult lowerLaunch(gpu::LaunchFuncOp op);
  Value countBlocks(Location loc, AffineMap map, ValueRange operands);
  void launchBlocks(gpu::LaunchFuncOp op,
                    llvm::function_ref<void(Value)> launch);
  SmallVector<Value> sizesOf(cta::KernelOp kernel, unsigned index,
                             gpu::LaunchFuncOp op);
  void lowerLoad(memref::LoadOp op);
  void lowerStore(memref::StoreOp op);
  Value baseAddress(Location loc, Value buffer);
  Value elementAddress(Location loc, Value buffer, ValueRange indices);
  Value asInteger(Location loc, Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  }

  ModuleOp module;
  HostCalls calls;
  OpBuilder &b;
};
} // namespace

/// The address of a buffer's first element, an i64.
Value DriverLowering::baseAddress(Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  auto [strides, offset] = type.getStridesAndOffset();
  if (offset != 0) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    Value width = arith::ConstantIndexOp::create(
        b, loc, getElementBytes(type.getElementType()));
    Value bytes = arith::MulIOp::create(b, loc, metadata.getOffset(), width);
    base = arith::AddIOp::create(b, loc, base, bytes);
  }
  return asInteger(loc, base);
}

Value DriverLowering::elementAddress(Location loc, Value buffer,
                                     ValueRange indices) {
  Value address = baseAddress(loc, buffer);
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  memref::ExtractStridedMetadataOp metadata;
  for (auto [i, at] : llvm::enumerate(indices)) {
    Value stride;
    if (ShapedType::isDynamic(strides[i])) {
      if (!metadata)
        metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
      stride = metadata.getStrides()[i];
    } else {
      stride = arith::ConstantIndexOp::create(b, loc, strides[i]);
    }
    Value width = arith::ConstantIndexOp::create(
        b, loc, getElementBytes(type.getElementType()));
    Value bytes = arith::MulIOp::create(
        b, loc, arith::MulIOp::create(b, loc, at, stride), width);
    address = arith::AddIOp::create(b, loc, address, asInteger(loc, bytes));
  }
  return address;
}

/// The number of blocks (i64) that `map` says for a kernel's operands.
Value DriverLowering::countBlocks(Location loc, AffineMap map,
                                  ValueRange operands) {
  SmallVector<Value> indices;
  for (Value operand : operands)
    if (operand.getType().isIndex())
      indices.push_back(operand);
  Value blocks = asInteger(
      loc, affine::expandAffineExpr(b, loc, map.getResult(0), {}, indices));
  Value most =
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(kMaxLoopBlocks));
  return arith::MinUIOp::create(b, loc, blocks, most);
}

LogicalResult DriverLowering::lowerCall(func::CallOp op) {
  auto kernel = module.lookupSymbol<func::FuncOp>(op.getCallee());
  auto grid = kernel ? kernel->getAttrOfType<DenseI64ArrayAttr>(kDeviceGridAttr)
                     : nullptr;
  if (!grid)
    return op.emitError("expected a kernel, got a call of '")
           << op.getCallee() << "', which runs on the host only";
  Location loc = op.getLoc();
  HostLaunch launch{(kLoopKernels + "_image").str(),
                    op.getCallee().str(),
                    grid[0],
                    grid[1],
                    0,
                    describe(loc)};
  if (auto texts = kernel->getAttrOfType<ArrayAttr>(kDeviceAssertsAttr))
    for (Attribute text : texts)
      launch.location += ", asserts: " + cast<StringAttr>(text).str();
  SmallVector<Value> parameters;
  for (Value value : op.getOperands()) {
    if (isa<MemRefType>(value.getType()))
      value = baseAddress(loc, value);
    else if (value.getType().isIndex())
      value = asInteger(loc, value);
    parameters.push_back(value);
  }
  SmallVector<bool> byPointer(parameters.size(), false);
  auto blocks = kernel->getAttrOfType<AffineMapAttr>(kDeviceBlocksAttr);
  if (blocks) {
    Value count = countBlocks(loc, blocks.getValue(), op.getOperands());
    Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    Value any =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, count, zero);
    launch.dynamicBlocks =
        arith::TruncIOp::create(b, loc, b.getI32Type(), count);
    calls.emitIf(loc, any,
                 [&] { calls.launch(loc, launch, parameters, byPointer); });
  } else {
    calls.launch(loc, launch, parameters, byPointer);
  }
  op.erase();
  return success();
}

/// The extents of tensor map `index` that the launch decides, the innermost
/// first: what the kernel's parameters of these names get. Others are null.
SmallVector<Value> DriverLowering::sizesOf(cta::KernelOp kernel, unsigned index,
                                           gpu::LaunchFuncOp op) {
  auto map = cast<cta::TensorMapType>(kernel.getArgumentTypes()[index]);
  SmallVector<Value> sizes;
  std::optional<KernelArgument> self = getArgument(kernel, index);
  for (auto [i, extent] : llvm::enumerate(llvm::reverse(map.getShape()))) {
    sizes.push_back(Value());
    if (!ShapedType::isDynamic(extent))
      continue;
    StringRef name = getExtentName(self ? self->name : "", i);
    for (unsigned j = 0; j < op.getNumKernelOperands(); ++j)
      if (auto argument = getArgument(kernel, j);
          argument && argument->name == name)
        sizes.back() = arith::ExtUIOp::create(b, op.getLoc(), b.getI64Type(),
                                              op.getKernelOperand(j));
    // Nothing is loaded where k is 0, but the driver wants rows of 16 bytes.
    if (sizes.back() && name == "k")
      sizes.back() = arith::MaxUIOp::create(
          b, op.getLoc(), sizes.back(),
          arith::ConstantOp::create(
              b, op.getLoc(),
              b.getI64IntegerAttr(
                  128 / map.getElementType().getIntOrFloatBitWidth())));
  }
  return sizes;
}

/// Launches as many blocks as `op` says, or, where that is known, as the
/// kernel does.
void DriverLowering::launchBlocks(gpu::LaunchFuncOp op,
                                  llvm::function_ref<void(Value)> launch) {
  Location loc = op.getLoc();
  Value blocks = op.getGridSizeX();
  if (getConstantIntValue(blocks))
    return launch(Value());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value any =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, blocks, zero);
  calls.emitIf(loc, any, [&] {
    launch(arith::IndexCastOp::create(b, loc, b.getI32Type(), blocks));
  });
}

LogicalResult DriverLowering::lowerLaunch(gpu::LaunchFuncOp op) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<cta::KernelOp>(op, op.getKernel());
  if (!kernel || kernel.getArgumentTypes().size() != op.getNumKernelOperands())
    return op.emitError("expected a launch of a cta.kernel with its arguments");
  Location loc = op.getLoc();
  HostLaunch launch{(op.getKernelModuleName().getValue() + "_image").str(),
                    kernel.getSymName().str(),
                    static_cast<int64_t>(*kernel.getBlocks()),
                    static_cast<int64_t>(kernel.getThreads()),
                    kernel.getSharedBytes(),
                    describe(loc)};
  launchBlocks(op, [&](Value blocks) {
    launch.dynamicBlocks = blocks;
    SmallVector<Value> parameters;
    SmallVector<bool> byPointer;
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      Value value = op.getKernelOperand(index);
      bool isBuffer = isa<MemRefType>(value.getType());
      Value parameter = isBuffer ? baseAddress(loc, value) : value;
      auto map = dyn_cast<cta::TensorMapType>(type);
      if (map)
        parameter = calls.tensorMapAt(
            loc, describeMap(b, loc, map, sizesOf(kernel, index, op)),
            parameter);
      parameters.push_back(parameter);
      byPointer.push_back(static_cast<bool>(map));
    }
    calls.launch(loc, launch, parameters, byPointer);
  });
  op.erase();
  return success();
}

void DriverLowering::lowerLoad(memref::LoadOp op) {
  Location loc = op.getLoc();
  Value address = elementAddress(loc, op.getMemRef(), op.getIndices());
  Type type = op.getType();
  int64_t bytes = getElementBytes(type);
  auto integer = b.getIntegerType(8 * bytes);
  Value value = calls.readScalar(loc, address, bytes, integer);
  if (type.isIndex())
    value = arith::IndexCastOp::create(b, loc, type, value);
  else if (type.isInteger() && type != integer)
    value = arith::TruncIOp::create(b, loc, type, value);
  else if (type != integer)
    value = arith::BitcastOp::create(b, loc, type, value);
  op.replaceAllUsesWith(value);
  op.erase();
}

void DriverLowering::lowerStore(memref::StoreOp op) {
  Location loc = op.getLoc();
  Value address = elementAddress(loc, op.getMemRef(), op.getIndices());
  Value value = op.getValueToStore();
  Type type = value.getType();
  int64_t bytes = getElementBytes(type);
  if (type.isIndex())
    value = asInteger(loc, value);
  else if (!type.isInteger())
    value =
        arith::BitcastOp::create(b, loc, b.getIntegerType(8 * bytes), value);
  if (!value.getType().isInteger(64))
    value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
  calls.writeScalar(loc, address, bytes, value);
  op.erase();
}

LogicalResult DriverLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  if (auto call = dyn_cast<func::CallOp>(op))
    return lowerCall(call);
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return lowerLaunch(launch);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    lowerLoad(load);
    return success();
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    lowerStore(store);
    return success();
  }
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    calls.failUnless(op->getLoc(), check.getArg(), check.getMsg(),
                     describe(op->getLoc()));
    op->erase();
    return success();
  }
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
          memref::CopyOp>(op))
    return op->emitError("expected an operation that runs on the device or "
                         "moves one scalar, got '")
           << op->getName() << "' in host code";
  return success();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Moves kernels of loops, and the constants they read, to a nested module.
static void moveKernels(ModuleOp module) {
  SmallVector<func::FuncOp> kernels;
  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr(kDeviceGridAttr))
      kernels.push_back(func);
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto device = ModuleOp::create(b, module.getLoc(), StringRef(kLoopKernels));
  b.setInsertionPointToEnd(device.getBody());
  for (func::FuncOp kernel : kernels) {
    kernel.walk([&](memref::GetGlobalOp op) {
      if (!device.lookupSymbol(op.getName()))
        b.clone(*module.lookupSymbol(op.getName()));
    });
    kernel->remove();
    device.getBody()->push_back(kernel);
  }
}

/// Gives `driver` its context and its status.
static void changeSignature(func::FuncOp driver) {
  MLIRContext *context = driver.getContext();
  (void)driver.insertArgument(0, LLVM::LLVMPointerType::get(context), {},
                              driver.getLoc());
  driver.setType(FunctionType::get(context, driver.getArgumentTypes(),
                                   IntegerType::get(context, 32)));
  driver.walk([&](func::ReturnOp op) {
    OpBuilder b(op);
    Value zero =
        arith::ConstantOp::create(b, op.getLoc(), b.getI32IntegerAttr(0));
    op.getOperandsMutable().assign(zero);
  });
}

namespace {
struct DeviceLowerLaunches final
    : mlir::fp8::impl::DeviceLowerLaunchesBase<DeviceLowerLaunches> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> drivers;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isDeclaration() && !func->hasAttr(kDeviceGridAttr))
        drivers.push_back(func);
    for (func::FuncOp driver : drivers) {
      changeSignature(driver);
      SmallVector<Operation *> ops;
      driver.walk([&](Operation *op) { ops.push_back(op); });
      DriverLowering lowering(module, driver);
      for (Operation *op : ops)
        if (failed(lowering.lower(op)))
          return signalPassFailure();
      lowering.finish();
    }
    moveKernels(module);
  }
};
} // namespace
