//===- FusedContract.cpp - What a product's kernel computes ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies of a fused function's operations become one body on scalars, which
// keeps every rounding that they have, whatever their fast-math flags allow.
//
//===----------------------------------------------------------------------===//

#include "FusedContract.h"

#include "fp8/Conversion/FastMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fp8;

static ShapedType shapeOf(Value value) {
  return cast<ShapedType>(value.getType());
}

GemmProblem mlir::fp8::getKernelProblem(ScaledContractOp op) {
  GemmProblem problem;
  ShapedType lhs = shapeOf(op.getLhs()), out = shapeOf(op.getInit());
  int64_t first = lhs.getRank() - 2;
  if (first == 1)
    problem.batch = lhs.getDimSize(0);
  problem.m = out.getDimSize(first);
  problem.n = out.getDimSize(first + 1);
  problem.k = lhs.getDimSize(first + 1 - op.getTransposeLhs());
  problem.lhs = lhs.getElementType();
  problem.rhs = shapeOf(op.getRhs()).getElementType();
  problem.out = out.getElementType();
  problem.transposeRhs = true;
  if (!ShapedType::isDynamic(problem.k))
    problem.k =
        llvm::alignTo(problem.k, 128 / problem.lhs.getIntOrFloatBitWidth());
  AccumAttr accumulation = op.getAccumulationOrAuto();
  problem.model = stringifyAccumModel(accumulation.getModel()).str();
  problem.promote = accumulation.getPromote();
  llvm::append_range(problem.split, accumulation.getSplit());
  return problem;
}

SmallVector<Value> mlir::fp8::getReads(Operation *op) {
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.getDpsInputs();
  return SmallVector<Value>(op->getOperands());
}

static bool isPlainElement(Type type) {
  return isa<BFloat16Type, Float32Type>(getElementTypeOrSelf(type));
}

/// Values from above must be constants, which the function gets copies of.
static bool capturesOnlyConstants(linalg::GenericOp op) {
  bool result = true;
  op.getRegion().walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op.getRegion().isAncestor(operand.getParentRegion()))
        result &= operand.getDefiningOp<arith::ConstantOp>() != nullptr;
  });
  return result;
}

/// A function that fp8-expand-math makes operations of an epilogue of.
static bool isExpandable(Operation &op) {
  return llvm::all_of(op.getOperandTypes(), isPlainElement) &&
         llvm::is_contained<StringRef>({"math.erf", "math.exp", "math.exp2",
                                        "math.expm1", "math.log", "math.log1p",
                                        "math.rsqrt", "math.tanh"},
                                       op.getName().getStringRef());
}

static bool canFollow(linalg::GenericOp op, ArrayRef<int64_t> shape,
                      llvm::function_ref<bool(Value)> isMember,
                      bool withFunctions) {
  auto isArithmetic = [&](Operation &nested) {
    return isEpilogueOp(nested) || (withFunctions && isExpandable(nested));
  };
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op.getStaticLoopRanges() != SmallVector<int64_t>(shape) ||
      !llvm::all_of(op.getBody()->without_terminator(), isArithmetic) ||
      !capturesOnlyConstants(op))
    return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isIdentity() ||
        !op.getMatchingBlockArgument(&init).use_empty() ||
        !isPlainElement(init.get().getType()))
      return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.hasStaticShape() || !isPlainElement(type) ||
        !map.isProjectedPermutation() ||
        (isMember(input->get()) && !map.isIdentity()))
      return false;
  }
  return true;
}

bool mlir::fp8::canFollow(Operation *op, ArrayRef<int64_t> shape,
                          llvm::function_ref<bool(Value)> isMember,
                          bool withFunctions) {
  if (!llvm::any_of(getReads(op), isMember))
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return ::canFollow(generic, shape, isMember, withFunctions);
  // An amax is a member too, but no element of the product.
  auto isElement = [&](Value input) {
    return isPlainElement(input.getType()) &&
           shapeOf(input).getShape() == shape;
  };
  if (auto amax = dyn_cast<mlir::fp8::AmaxOp>(op))
    return !amax.getBlock() && isElement(amax.getInput());
  auto quantize = dyn_cast<ScaledQuantizeOp>(op);
  return quantize && quantize.getNumResults() == 1 && quantize.getSaturate() &&
         isElement(quantize.getInput()) && !isMember(quantize.getFactor());
}

namespace {

/// Builds the body, operation by operation.
class BodyBuilder {
public:
  BodyBuilder(func::FuncOp function, FusedContract &fused)
      : function(function), fused(fused), b(function.getContext()) {
    fused.epilogue.body = &fused.region.emplaceBlock();
    b.setInsertionPointToEnd(fused.epilogue.body);
  }

  void build();

private:
  void add(ScaledContractOp op);
  void add(linalg::GenericOp op);
  void add(ScaledQuantizeOp op);
  Value getInput(Value argument, ArrayRef<int64_t> strides);
  void addOutput(Value value, int64_t index);
  void addAmax(mlir::fp8::AmaxOp op, Value value, int64_t index);

  func::FuncOp function;
  FusedContract &fused;
  OpBuilder b;
  /// The scalar that stands for each tensor of the function; for codes what is
  /// to be encoded.
  llvm::DenseMap<Value, Value> scalars;
  llvm::DenseMap<Operation *, unsigned> amaxes;
};

} // namespace

void BodyBuilder::add(ScaledContractOp op) {
  fused.contract = op;
  fused.problem = getKernelProblem(op);
  Value result = op->getResult(0);
  scalars[result] = fused.epilogue.body->addArgument(
      getElementTypeOrSelf(result.getType()), op.getLoc());
}

/// The body's argument for an element of the function's argument `argument`.
Value BodyBuilder::getInput(Value argument, ArrayRef<int64_t> strides) {
  unsigned number = cast<BlockArgument>(argument).getArgNumber();
  Epilogue &epilogue = fused.epilogue;
  for (auto [index, input] : llvm::enumerate(epilogue.inputs))
    if (fused.inputs[index] == number && ArrayRef(input.strides) == strides)
      return epilogue.body->getArgument(index + 1);
  EpilogueInput input;
  input.element = getElementTypeOrSelf(argument.getType());
  input.elements = shapeOf(argument).getNumElements();
  llvm::copy(strides, input.strides.begin());
  epilogue.inputs.push_back(input);
  fused.inputs.push_back(number);
  return epilogue.body->addArgument(input.element, argument.getLoc());
}

/// Strides along batch, m and n of an operand that loops read through `map`.
static std::array<int64_t, 3> getStrides(AffineMap map, ShapedType type) {
  std::array<int64_t, 3> strides = {0, 0, 0};
  int64_t stride = 1, first = 3 - static_cast<int64_t>(map.getNumDims());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[first + map.getDimPosition(dim)] = stride;
    stride *= type.getDimSize(dim);
  }
  return strides;
}

void BodyBuilder::add(linalg::GenericOp op) {
  IRMapping mapping;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value value = operand->get();
    Value scalar = scalars.lookup(value);
    if (!scalar)
      scalar = getInput(value, getStrides(op.getMatchingIndexingMap(operand),
                                          shapeOf(value)));
    mapping.map(op.getMatchingBlockArgument(operand), scalar);
  }
  for (Operation &nested : op.getBody()->without_terminator()) {
    // Constants of the function around.
    for (Value operand : nested.getOperands())
      if (!mapping.contains(operand))
        b.clone(*operand.getDefiningOp(), mapping);
    dropFastMath(b.clone(nested, mapping));
  }
  auto yielded = op.getBody()->getTerminator()->getOperands();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yielded)) {
    if (!mapping.contains(value))
      b.clone(*value.getDefiningOp(), mapping);
    scalars[result] = mapping.lookup(value);
  }
}

/// rn(x * multiplier), or rn(x / scale).
void BodyBuilder::add(ScaledQuantizeOp op) {
  Value value = scalars.lookup(op.getInput());
  Value factor = getInput(op.getFactor(), {0, 0, 0});
  if (!value.getType().isF32())
    value = arith::ExtFOp::create(b, op.getLoc(), b.getF32Type(), value);
  Location loc = op.getLoc();
  scalars[op->getResult(0)] =
      op.getDivide() ? arith::DivFOp::create(b, loc, value, factor).getResult()
                     : arith::MulFOp::create(b, loc, value, factor);
}

void BodyBuilder::addAmax(mlir::fp8::AmaxOp op, Value value, int64_t index) {
  auto [place, isNew] = amaxes.try_emplace(op, fused.epilogue.outputs.size());
  if (isNew) {
    fused.epilogue.outputs.push_back({b.getI32Type(), true});
    fused.results.push_back({});
  }
  FusedContract::Result &result = fused.results[place->second];
  (value == op.getAmax() ? result.value : result.flags) = index;
}

void BodyBuilder::addOutput(Value value, int64_t index) {
  if (auto amax = value.getDefiningOp<mlir::fp8::AmaxOp>())
    return addAmax(amax, value, index);
  fused.epilogue.outputs.push_back(
      {getElementTypeOrSelf(value.getType()), false});
  fused.results.push_back({static_cast<int>(index), -1});
}

void BodyBuilder::build() {
  Block &block = function.getBody().front();
  for (Operation &op : block) {
    if (auto contract = dyn_cast<ScaledContractOp>(op))
      add(contract);
    else if (auto generic = dyn_cast<linalg::GenericOp>(op))
      add(generic);
    else if (auto quantize = dyn_cast<ScaledQuantizeOp>(op))
      add(quantize);
  }
  SmallVector<Value> yielded;
  for (auto [index, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    size_t known = fused.epilogue.outputs.size();
    addOutput(value, index);
    if (fused.epilogue.outputs.size() == known)
      continue; // the second result of an amax
    auto amax = value.getDefiningOp<mlir::fp8::AmaxOp>();
    yielded.push_back(scalars.lookup(amax ? amax.getInput() : value));
  }
  cta::YieldOp::create(b, function.getLoc(), yielded);
}

/// Whether `value` is made by an operation that a fused function may have.
static bool isMember(Value value) {
  return isa_and_present<ScaledContractOp, linalg::GenericOp, ScaledQuantizeOp,
                         mlir::fp8::AmaxOp>(value.getDefiningOp());
}

/// Whether `op` is one that fp8-fuse-epilogues moves with the product
/// `contract`, and reads the function's arguments and its members only.
static bool isFused(Operation *op, ScaledContractOp contract) {
  if (!llvm::all_of(getReads(op), [&](Value read) {
        return isa<BlockArgument>(read) || isMember(read);
      }))
    return false;
  auto type = cast<ShapedType>(contract->getResult(0).getType());
  return canFollow(op, type.getShape(), isMember);
}

/// An error if `function` is not what fp8-fuse-epilogues makes.
static LogicalResult verifyFused(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a body of one block in a function with "
                              "'")
           << kFusedAttr << "'";
  ScaledContractOp contract;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp, tensor::EmptyOp>(op))
      continue;
    auto found = dyn_cast<ScaledContractOp>(op);
    bool isFirst = found && !contract && found->getNumResults() == 1 &&
                   llvm::all_of(getReads(found), llvm::IsaPred<BlockArgument>);
    if (isFirst)
      contract = found;
    else if (!contract || !isFused(&op, contract))
      return op.emitError("expected one product on arguments and what "
                          "fp8-fuse-epilogues moves with it, found '")
             << op.getName() << "'";
  }
  if (!contract)
    return function.emitError("expected a product in a function with '")
           << kFusedAttr << "'";
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    if (!isMember(value))
      return function.emitError("expected the results of the product and what "
                                "follows it to be returned");
  return success();
}

FailureOr<std::unique_ptr<FusedContract>>
mlir::fp8::analyzeFused(func::FuncOp function) {
  if (failed(verifyFused(function)))
    return failure();
  auto fused = std::make_unique<FusedContract>();
  BodyBuilder(function, *fused).build();
  fused->problem.epilogue = &fused->epilogue;
  return fused;
}
