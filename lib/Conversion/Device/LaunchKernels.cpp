//===- LaunchKernels.cpp - Launches as values of a graph ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation with launches becomes them. Each name of their arguments (an
// operand, a result, scratch memory) is a value: a launch that writes it makes
// the next one, so that the order of launches is that of values, and memory is
// planned with everything else.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICELAUNCHKERNELS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Turns the operations of one function.
class Launcher {
public:
  explicit Launcher(gpu::GPUModuleOp kernels)
      : kernels(kernels), b(kernels.getContext()) {}

  void replace(Operation *op);

private:
  Value getOperand(StringRef name);
  Value getInit(StringRef name, DictionaryAttr argument);
  void launch(DictionaryAttr launch);
  void takeApart(StringRef words, StringRef magnitude, StringRef flags);
  Value result(unsigned index);

  gpu::GPUModuleOp kernels;
  OpBuilder b;
  /// The operation at hand, and what its names stand for by now.
  Operation *op = nullptr;
  llvm::StringMap<Value> values;
  /// The same of scratch memory, which later operations read.
  llvm::StringMap<Value> scratch;
};
} // namespace

/// "result" alone, or "result1" of several.
static std::string getResultName(Operation *op, unsigned index) {
  bool isNumbered = isa<func::CallOp, mlir::fp8::AmaxOp>(op);
  return isNumbered ? "result" + std::to_string(index) : "result";
}

/// The operand that a name of fp8.launches means, before any launch.
Value Launcher::getOperand(StringRef name) {
  unsigned index;
  if (StringRef rest = name;
      rest.consume_front("arg") && !rest.getAsInteger(10, index))
    return op->getOperand(index);
  if (auto contract = dyn_cast<ScaledContractOp>(op)) {
    if (name == "lhs")
      return contract.getLhs();
    if (name == "rhs")
      return contract.getRhs();
    return name == "lhs_scale" ? contract.getLhsScale()
                               : contract.getRhsScale();
  }
  if (auto amax = dyn_cast<mlir::fp8::AmaxOp>(op))
    return amax.getInput();
  auto quantize = cast<ScaledQuantizeOp>(op);
  return name == "input" ? quantize.getInput() : quantize.getFactor();
}

/// What a launch writes `name` to: what earlier ones left, or new memory.
Value Launcher::getInit(StringRef name, DictionaryAttr argument) {
  auto &known = name.starts_with("scratch") ? scratch : values;
  if (Value value = known.lookup(name))
    return value;
  Location loc = op->getLoc();
  for (OpResult result : op->getResults())
    if (getResultName(op, result.getResultNumber()) == name) {
      auto type = cast<RankedTensorType>(result.getType());
      return tensor::EmptyOp::create(b, loc, type.getShape(),
                                     type.getElementType());
    }
  return tensor::EmptyOp::create(
      b, loc, argument.getAs<IntegerAttr>("elements").getInt(),
      argument.getAs<TypeAttr>("element").getValue());
}

/// Word `index` of an amax as a tensor of `element`.
static Value getWord(OpBuilder &b, Location loc, Value words, int64_t index,
                     Type element) {
  auto type = RankedTensorType::get({}, b.getI32Type());
  Value word = tensor::ExtractSliceOp::create(
      b, loc, type, words, ArrayRef<OpFoldResult>(b.getIndexAttr(index)),
      ArrayRef<OpFoldResult>(b.getIndexAttr(1)),
      ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
  Value empty = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>(), element);
  AffineMap map = AffineMap::get(b.getContext());
  return linalg::GenericOp::create(
             b, loc, empty.getType(), word, empty,
             ArrayRef<AffineMap>{map, map}, ArrayRef<utils::IteratorType>(),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value result =
                   element.isF32()
                       ? arith::BitcastOp::create(b, loc, element, args[0])
                             .getResult()
                       : arith::TruncIOp::create(b, loc, element, args[0]);
               linalg::YieldOp::create(b, loc, result);
             })
      .getResult(0);
}

/// An amax from its two words: loops do it with what follows.
void Launcher::takeApart(StringRef words, StringRef magnitude,
                         StringRef flags) {
  Location loc = op->getLoc();
  Value from = scratch.lookup(words);
  for (auto [name, index, element] :
       {std::tuple(magnitude, 0, Type(b.getF32Type())),
        std::tuple(flags, 1, Type(b.getI8Type()))})
    if (!name.starts_with("scratch")) // nobody reads that
      values[name] = getWord(b, loc, from, index, element);
}

/// Emits one launch of `op`.
void Launcher::launch(DictionaryAttr launch) {
  auto kernel = kernels.lookupSymbol<cta::KernelOp>(
      launch.getAs<StringAttr>("kernel").getValue());
  auto arguments = llvm::to_vector(
      launch.getAs<ArrayAttr>("arguments").getAsValueRange<StringAttr>());
  auto computes = kernel->getAttrOfType<DictionaryAttr>(kComputesAttr);
  if (computes && computes.getAs<StringAttr>("operation").getValue() == "amax")
    return takeApart(arguments[0], arguments[1], arguments[2]);
  SmallVector<Value> inputs, inits;
  SmallVector<StringRef> written;
  SmallVector<int32_t> parameters;
  SmallVector<unsigned> ofInits;
  for (auto [index, name] : llvm::enumerate(arguments)) {
    auto argument =
        kernel.getArgAttrOfType<DictionaryAttr>(index, kArgumentAttr);
    if (argument.getAs<BoolAttr>("result").getValue()) {
      ofInits.push_back(index);
      parameters.push_back(static_cast<int32_t>(inits.size()));
      inits.push_back(getInit(name, argument));
      written.push_back(name);
      continue;
    }
    Value value = name.starts_with("scratch") ? scratch.lookup(name)
                                              : values.lookup(name);
    parameters.push_back(static_cast<int32_t>(inputs.size()));
    inputs.push_back(value ? value : getOperand(name));
  }
  for (unsigned index : ofInits)
    parameters[index] += static_cast<int32_t>(inputs.size());
  auto symbol = SymbolRefAttr::get(
      kernels.getNameAttr(), FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
  auto launched = cta::LaunchOp::create(
      b, op->getLoc(), TypeRange(ValueRange(inits)), symbol,
      b.getDenseI32ArrayAttr(parameters), inputs, inits);
  for (auto [name, value] : llvm::zip_equal(written, launched.getResults()))
    (name.starts_with("scratch") ? scratch : values)[name] = value;
}

/// Result `index` of `op` after its launches; nobody reads one that none wrote.
Value Launcher::result(unsigned index) {
  if (Value value = values.lookup(getResultName(op, index)))
    return value;
  auto type = cast<RankedTensorType>(op->getResult(index).getType());
  return tensor::EmptyOp::create(b, op->getLoc(), type.getShape(),
                                 type.getElementType());
}

void Launcher::replace(Operation *replaced) {
  op = replaced;
  values.clear();
  b.setInsertionPoint(op);
  auto launches = op->getAttrOfType<ArrayAttr>(kLaunchesAttr);
  for (auto step : launches.getAsRange<DictionaryAttr>())
    launch(step);
  SmallVector<Value> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    results.push_back(result(i));
  op->replaceAllUsesWith(results);
  op->erase();
}

/// Whether the loops around it do a plain cast on the way: nothing else reads
/// the values, which then need no memory.
static bool fusesWithProducer(Operation *op) {
  auto quantize = dyn_cast<ScaledQuantizeOp>(op);
  auto launches = op->getAttrOfType<ArrayAttr>(kLaunchesAttr);
  if (!quantize || launches.size() != 1)
    return false;
  auto names = cast<DictionaryAttr>(launches[0])
                   .getAs<ArrayAttr>("arguments")
                   .getAsValueRange<StringAttr>();
  auto producer = quantize.getInput().getDefiningOp<linalg::GenericOp>();
  return producer && producer.isAllParallelLoops() &&
         quantize.getInput().hasOneUse() &&
         llvm::none_of(
             names, [](StringRef name) { return name.starts_with("scratch"); });
}

namespace {
// An external model hides the defaults of its base: that is how it is found.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)

/// Reads its inputs, updates its inits.
struct LaunchBufferization final
    : bufferization::DstBufferizableOpInterfaceExternalModel<
          LaunchBufferization, cta::LaunchOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    return true;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    cta::LaunchOp::create(rewriter, op->getLoc(), TypeRange(), buffers,
                          op->getAttrs());
    bufferization::replaceOpWithBufferizedValues(
        rewriter, op, ArrayRef(buffers).take_back(op->getNumResults()));
    return success();
  }
};

// NOLINTEND(bugprone-derived-method-shadowing-base-method)

struct DeviceLaunchKernels final
    : mlir::fp8::impl::DeviceLaunchKernelsBase<DeviceLaunchKernels> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cta::CTADialect, gpu::GPUDialect,
                    linalg::LinalgDialect, tensor::TensorDialect>();
    registry.addExtension(+[](MLIRContext *context, cta::CTADialect *) {
      cta::LaunchOp::attachInterface<LaunchBufferization>(*context);
    });
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto kernels = module.lookupSymbol<gpu::GPUModuleOp>(kMatrixKernels);
    if (kernels) {
      for (auto func : module.getOps<func::FuncOp>())
        if (!func->hasAttr(kFusedAttr))
          replaceIn(func, kernels);
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
    }
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr(kFusedAttr) &&
          SymbolTable::symbolKnownUseEmpty(func, module))
        func.erase();
    if (kernels)
      eraseUnused(module, kernels);
  }

  static void replaceIn(func::FuncOp func, gpu::GPUModuleOp kernels) {
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) {
      if (op->hasAttr(kLaunchesAttr) && !fusesWithProducer(op))
        ops.push_back(op);
    });
    Launcher launcher(kernels);
    for (Operation *op : ops)
      launcher.replace(op);
    func.walk([](Operation *op) {
      op->removeAttr(kLaunchesAttr);
      op->removeAttr(kKernelAttr);
    });
  }

  /// What no launch names would be compiled for nothing.
  static void eraseUnused(ModuleOp module, gpu::GPUModuleOp kernels) {
    llvm::StringSet<> used;
    module.walk([&](cta::LaunchOp op) {
      used.insert(op.getKernel().getLeafReference().getValue());
    });
    for (auto kernel :
         llvm::make_early_inc_range(kernels.getOps<cta::KernelOp>()))
      if (!used.contains(kernel.getSymName()))
        kernel.erase();
    if (kernels.getOps<cta::KernelOp>().empty())
      kernels.erase();
  }
};
} // namespace
