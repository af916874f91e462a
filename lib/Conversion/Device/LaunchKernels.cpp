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
#include "fp8/Conversion/GPU/Amax.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
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
/// One launch, as kLaunchesAttr says it.
struct Step {
  StringRef kernel;
  SmallVector<StringRef> arguments;
};

/// Turns the operations of one function.
class Launcher {
public:
  explicit Launcher(gpu::GPUModuleOp kernels)
      : kernels(kernels), b(kernels.getContext()) {}

  LogicalResult replace(Operation *op, ArrayRef<Step> steps);

private:
  InFlightDiagnostic refuse(StringRef expected);
  Value getOperand(StringRef name);
  Value getInput(StringRef name);
  Value getInit(StringRef name, const KernelArgument &argument);
  Value countElements();
  Value createEmpty(OpResult result);
  LogicalResult launch(const Step &step);
  LogicalResult takeApart(ArrayRef<StringRef> arguments);
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

/// The launches of `op`; an error if its attribute is none of them.
static FailureOr<SmallVector<Step>> getSteps(Operation *op) {
  SmallVector<Step> steps;
  auto launches = op->getAttrOfType<ArrayAttr>(kLaunchesAttr);
  for (Attribute launch :
       launches ? launches.getValue() : ArrayRef<Attribute>()) {
    auto fields = dyn_cast<DictionaryAttr>(launch);
    auto kernel = fields ? fields.getAs<StringAttr>("kernel") : StringAttr();
    auto arguments =
        fields ? fields.getAs<ArrayAttr>("arguments") : ArrayAttr();
    if (!kernel || !arguments ||
        !llvm::all_of(arguments, llvm::IsaPred<StringAttr>))
      break;
    steps.push_back(
        {kernel, llvm::to_vector(arguments.getAsValueRange<StringAttr>())});
  }
  if (!launches || steps.size() != launches.size())
    return op->emitError("expected '")
           << kLaunchesAttr << "' to be dictionaries with the name of a kernel "
           << "and those of its arguments, got " << op->getAttr(kLaunchesAttr);
  return steps;
}

/// An error about the launches of the operation at hand.
InFlightDiagnostic Launcher::refuse(StringRef expected) {
  return op->emitError("'") << kLaunchesAttr << "': expected " << expected;
}

/// The recorded steps of the slot that scales by `op` in its first ones; null
/// if that is not all that reads it.
static Value getCount(mlir::fp8::AmaxOp op) {
  DelayedScaleOp scale = getWarmupScale(op);
  return scale ? scale.getStateCount() : Value();
}

/// The operand that a name of fp8.launches means, before any launch; null if it
/// means none.
Value Launcher::getOperand(StringRef name) {
  unsigned index;
  if (StringRef rest = name; isa<func::CallOp>(op) &&
                             rest.consume_front("arg") &&
                             !rest.getAsInteger(10, index))
    return index < op->getNumOperands() ? op->getOperand(index) : Value();
  SmallVector<std::pair<StringRef, Value>> named;
  if (auto contract = dyn_cast<ScaledContractOp>(op))
    named = {{"lhs", contract.getLhs()},
             {"rhs", contract.getRhs()},
             {"lhs_scale", contract.getLhsScale()},
             {"rhs_scale", contract.getRhsScale()}};
  else if (auto amax = dyn_cast<mlir::fp8::AmaxOp>(op))
    named = {{"input", amax.getInput()}, {"count", getCount(amax)}};
  else if (auto quantize = dyn_cast<ScaledQuantizeOp>(op))
    named = {{"input", quantize.getInput()},
             {"multiplier", quantize.getFactor()}};
  for (auto [known, value] : named)
    if (known == name)
      return value;
  return {};
}

/// What a launch reads as `name`: what earlier ones left, or an operand.
Value Launcher::getInput(StringRef name) {
  if (name.starts_with("scratch"))
    return scratch.lookup(name);
  Value value = values.lookup(name);
  return value ? value : getOperand(name);
}

/// What a launch writes `name` to: what earlier ones left, or new memory; null
/// if there is no such result.
Value Launcher::getInit(StringRef name, const KernelArgument &argument) {
  bool isScratch = name.starts_with("scratch");
  if (Value value = (isScratch ? scratch : values).lookup(name))
    return value;
  Location loc = op->getLoc();
  if (isScratch)
    return tensor::EmptyOp::create(b, loc, argument.elements, argument.element);
  for (OpResult result : op->getResults()) {
    if (getResultName(op, result.getResultNumber()) == name)
      return createEmpty(result);
  }
  return {};
}

/// Memory for a result; dynamic sizes of one are those of the input.
Value Launcher::createEmpty(OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  if (type.hasStaticShape())
    return tensor::EmptyOp::create(b, op->getLoc(), type.getShape(),
                                   type.getElementType());
  return tensor::EmptyOp::create(
      b, op->getLoc(),
      tensor::getMixedSizes(b, op->getLoc(), op->getOperand(0)),
      type.getElementType());
}

/// How many elements the input has.
Value Launcher::countElements() {
  Location loc = op->getLoc();
  Value count = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult size : tensor::getMixedSizes(b, loc, op->getOperand(0)))
    count = arith::MulIOp::create(
        b, loc, count, getValueOrCreateConstantIndexOp(b, loc, size));
  return count;
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
LogicalResult Launcher::takeApart(ArrayRef<StringRef> arguments) {
  Value words = scratch.lookup(arguments[0]);
  if (!words || words.getType() != RankedTensorType::get({2}, b.getI32Type()))
    return refuse("the two words of an amax from an earlier launch, got '")
           << arguments[0] << "'";
  for (auto [name, index, element] :
       {std::tuple(arguments[1], 0, Type(b.getF32Type())),
        std::tuple(arguments[2], 1, Type(b.getI8Type()))})
    if (!name.starts_with("scratch")) // nobody reads that
      values[name] = getWord(b, op->getLoc(), words, index, element);
  return success();
}

/// Emits one launch of `op`.
LogicalResult Launcher::launch(const Step &step) {
  auto kernel = kernels.lookupSymbol<cta::KernelOp>(step.kernel);
  if (!kernel)
    return refuse("a cta.kernel of gpu.module '")
           << kernels.getName() << "', got '" << step.kernel << "'";
  if (kernel.getArgumentTypes().size() != step.arguments.size())
    return refuse("") << kernel.getArgumentTypes().size() << " arguments for '"
                      << step.kernel << "', got " << step.arguments.size();
  if (getComputed(kernel) == "amax" && step.arguments.size() == 3)
    return takeApart(step.arguments);
  SmallVector<Value> inputs, inits, sizes;
  SmallVector<StringRef> written;
  SmallVector<int32_t> parameters;
  SmallVector<unsigned> ofInits, ofSizes;
  for (auto [index, name] : llvm::enumerate(step.arguments)) {
    if (name == kElementsName) {
      ofSizes.push_back(index);
      parameters.push_back(static_cast<int32_t>(sizes.size()));
      sizes.push_back(countElements());
      continue;
    }
    std::optional<KernelArgument> argument = getArgument(kernel, index);
    if (!argument)
      return refuse("a kernel with '")
             << kArgumentAttr << "' on its arguments, got '" << step.kernel
             << "'";
    Value value =
        argument->isResult ? getInit(name, *argument) : getInput(name);
    if (!value || !isa<RankedTensorType>(value.getType()))
      return refuse(argument->isResult
                        ? "the name of a result or of scratch memory"
                        : "the name of a tensor that is an operand, or that an "
                          "earlier launch wrote")
             << ", got '" << name << "'";
    if (argument->isResult) {
      ofInits.push_back(index);
      written.push_back(name);
    }
    SmallVector<Value> &group = argument->isResult ? inits : inputs;
    parameters.push_back(static_cast<int32_t>(group.size()));
    group.push_back(value);
  }
  for (unsigned index : ofInits)
    parameters[index] += static_cast<int32_t>(inputs.size());
  for (unsigned index : ofSizes)
    parameters[index] += static_cast<int32_t>(inputs.size() + inits.size());
  auto symbol = SymbolRefAttr::get(
      kernels.getNameAttr(), FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
  auto launched = cta::LaunchOp::create(
      b, op->getLoc(), TypeRange(ValueRange(inits)), symbol,
      b.getDenseI32ArrayAttr(parameters), inputs, inits, sizes);
  for (auto [name, value] : llvm::zip_equal(written, launched.getResults()))
    (name.starts_with("scratch") ? scratch : values)[name] = value;
  return success();
}

/// Result `index` of `op` after its launches; nobody reads one that none wrote.
Value Launcher::result(unsigned index) {
  if (Value value = values.lookup(getResultName(op, index)))
    return value;
  return createEmpty(op->getResult(index));
}

LogicalResult Launcher::replace(Operation *replaced, ArrayRef<Step> steps) {
  op = replaced;
  values.clear();
  b.setInsertionPoint(op);
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || (!tensor.hasStaticShape() && !isa<ScaledQuantizeOp>(op)))
      return refuse("results that are tensors of static sizes, got ") << type;
  for (const Step &step : steps)
    if (failed(launch(step)))
      return failure();
  SmallVector<Value> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    results.push_back(result(i));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
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
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    cta::LaunchOp::create(rewriter, op->getLoc(), TypeRange(), buffers,
                          op->getAttrs());
    auto launch = cast<cta::LaunchOp>(op);
    bufferization::replaceOpWithBufferizedValues(
        rewriter, op,
        ArrayRef(buffers)
            .drop_back(launch.getSizes().size())
            .take_back(op->getNumResults()));
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
        if (!func->hasAttr(kFusedAttr) && failed(replaceIn(func, kernels)))
          return signalPassFailure();
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

  static LogicalResult replaceIn(func::FuncOp func, gpu::GPUModuleOp kernels) {
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) {
      if (op->hasAttr(kLaunchesAttr))
        ops.push_back(op);
    });
    Launcher launcher(kernels);
    for (Operation *op : ops) {
      FailureOr<SmallVector<Step>> steps = getSteps(op);
      if (failed(steps) || failed(launcher.replace(op, *steps)))
        return failure();
    }
    func.walk([](Operation *op) {
      op->removeAttr(kLaunchesAttr);
      op->removeAttr(kKernelAttr);
    });
    return success();
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
