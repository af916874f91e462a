//===- ThreadState.cpp - Delayed-scaling state as arguments and results ---===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are done callees first, so that a caller knows how many columns a
// callee takes. Columns follow program order; a callee's are contiguous. A
// public function that is also called gets a private copy for its callers,
// before anything is threaded: the two have different signatures.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_THREADSTATEPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Amaxes and flags of some columns; rank 0 for a slot, rank 1 for several.
struct RecordedColumns {
  Value amax, flags;
  int64_t column, count;
  /// Those of further uses of a slot, for recomputed copies.
  SmallVector<std::pair<Value, Value>> more = {};
};

/// Threads the state through one module.
class StateThreader {
public:
  StateThreader(ModuleOp module, bool freeze)
      : module(module), symbols(module), builder(module.getContext()),
        freeze(freeze) {}

  LogicalResult run();

private:
  void separateCallees();
  LogicalResult visit(func::FuncOp function);
  LogicalResult thread(func::FuncOp function);
  func::FuncOp getCallee(func::CallOp call);
  void threadSlot(DelayedScaleOp op, int64_t column);
  void mergeCopies();
  void threadCall(func::CallOp call, int64_t column);
  Value slice(Value vector, int64_t column, std::optional<int64_t> count);
  std::pair<Value, Value> join(Location loc, int64_t total);
  void finishPrivate(func::FuncOp function, int64_t total);
  void finishPublic(func::FuncOp function, DelayedAttr recipe, int64_t total);
  Value addArgument(func::FuncOp function, Type type, StringRef state);
  void addResult(func::FuncOp function, Value value, StringRef state);

  RankedTensorType vectorOf(int64_t size, Type element) {
    return RankedTensorType::get({size}, element);
  }

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  bool freeze;
  enum class Visit { Open, Done };
  DenseMap<Operation *, Visit> visits;
  DenseMap<Operation *, SmallVector<Attribute>> slots;
  // Of the function being threaded.
  Value multiplier, count;
  SmallVector<RecordedColumns> recorded;
};
} // namespace

func::FuncOp StateThreader::getCallee(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  return callee && !callee.isDeclaration() ? callee : func::FuncOp();
}

/// `vector[column]` as rank 0, or `vector[column : column + count]`.
Value StateThreader::slice(Value vector, int64_t column,
                           std::optional<int64_t> count) {
  auto type = cast<RankedTensorType>(vector.getType());
  auto result = count ? RankedTensorType::get({*count}, type.getElementType())
                      : RankedTensorType::get({}, type.getElementType());
  return tensor::ExtractSliceOp::create(
      builder, vector.getLoc(), result, vector,
      ArrayRef<OpFoldResult>(builder.getIndexAttr(column)),
      ArrayRef<OpFoldResult>(builder.getIndexAttr(count.value_or(1))),
      ArrayRef<OpFoldResult>(builder.getIndexAttr(1)));
}

void StateThreader::threadSlot(DelayedScaleOp op, int64_t column) {
  builder.setInsertionPoint(op);
  op.getStateMultiplierMutable().assign(slice(multiplier, column, {}));
  op.getStateCountMutable().assign(slice(count, column, {}));
  for (RecordedColumns &known : recorded)
    if (known.column == column) {
      known.more.emplace_back(op.getAmax(), op.getFlags());
      return;
    }
  recorded.push_back({op.getAmax(), op.getFlags(), column, 1});
}

/// Of a slot that is used again, for a recomputed copy, one amax is recorded.
/// Nothing waits for it before the end, where casts have taken theirs.
void StateThreader::mergeCopies() {
  for (RecordedColumns &column : recorded) {
    llvm::SmallSetVector<std::pair<Value, Value>, 2> copies(column.more.begin(),
                                                            column.more.end());
    copies.remove({column.amax, column.flags});
    for (auto [amax, flags] : copies) {
      Location loc = amax.getLoc();
      column.amax = arith::MaxNumFOp::create(builder, loc, column.amax, amax);
      column.flags = arith::OrIOp::create(builder, loc, column.flags, flags);
    }
  }
}

void StateThreader::threadCall(func::CallOp call, int64_t column) {
  func::FuncOp callee = getCallee(call);
  int64_t n = slots[callee].size();
  builder.setInsertionPoint(call);
  SmallVector<Value> operands(call.getOperands());
  operands.push_back(slice(multiplier, column, n));
  operands.push_back(slice(count, column, n));
  auto threaded =
      func::CallOp::create(builder, call.getLoc(), callee, operands);
  threaded->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  unsigned results = call.getNumResults();
  call.replaceAllUsesWith(threaded.getResults().take_front(results));
  recorded.push_back({threaded.getResult(results),
                      threaded.getResult(results + 1), column, n});
  call.erase();
}

/// Slots that follow each other, gathered into one tensor of each kind.
static RecordedColumns gather(OpBuilder &builder, Location loc,
                              ArrayRef<RecordedColumns> pieces) {
  auto elements = [&](Value RecordedColumns::*kind) {
    SmallVector<Value> scalars;
    for (const RecordedColumns &piece : pieces)
      scalars.push_back(
          tensor::ExtractOp::create(builder, loc, piece.*kind, ValueRange()));
    return tensor::FromElementsOp::create(builder, loc, scalars).getResult();
  };
  return {elements(&RecordedColumns::amax), elements(&RecordedColumns::flags),
          pieces.front().column, static_cast<int64_t>(pieces.size())};
}

/// The recorded amaxes and flags as vectors of all columns. Bufferization asks
/// of each insertion what the chain before it holds, and a kernel has a limited
/// number of arguments: slots are inserted kGathered at a time.
std::pair<Value, Value> StateThreader::join(Location loc, int64_t total) {
  constexpr size_t kGathered = 16;
  mergeCopies();
  Value amax = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{total},
                                       builder.getF32Type());
  Value flags = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{total},
                                        builder.getI8Type());
  auto isSlot = [](const RecordedColumns &piece) {
    return cast<RankedTensorType>(piece.amax.getType()).getRank() == 0;
  };
  ArrayRef<RecordedColumns> rest = recorded;
  while (!rest.empty()) {
    size_t slots = std::min(
        kGathered,
        static_cast<size_t>(llvm::find_if_not(rest, isSlot) - rest.begin()));
    RecordedColumns piece = rest.front();
    if (slots > 0)
      piece = gather(builder, loc, rest.take_front(slots));
    rest = rest.drop_front(std::max<size_t>(slots, 1));
    SmallVector<OpFoldResult> offset{builder.getIndexAttr(piece.column)};
    SmallVector<OpFoldResult> size{builder.getIndexAttr(piece.count)};
    SmallVector<OpFoldResult> stride{builder.getIndexAttr(1)};
    amax = tensor::InsertSliceOp::create(builder, loc, piece.amax, amax, offset,
                                         size, stride);
    flags = tensor::InsertSliceOp::create(builder, loc, piece.flags, flags,
                                          offset, size, stride);
  }
  return {amax, flags};
}

Value StateThreader::addArgument(func::FuncOp function, Type type,
                                 StringRef state) {
  unsigned index = function.getNumArguments();
  auto attrs = builder.getDictionaryAttr(
      builder.getNamedAttr(kStateAttr, builder.getStringAttr(state)));
  (void)function.insertArgument(index, type, attrs, function.getLoc());
  return function.getArgument(index);
}

void StateThreader::addResult(func::FuncOp function, Value value,
                              StringRef state) {
  auto attrs = builder.getDictionaryAttr(
      builder.getNamedAttr(kStateAttr, builder.getStringAttr(state)));
  (void)function.insertResult(function.getNumResults(), value.getType(), attrs);
  function.getBody().front().getTerminator()->insertOperands(
      function.getBody().front().getTerminator()->getNumOperands(), value);
}

void StateThreader::finishPrivate(func::FuncOp function, int64_t total) {
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  auto [amax, flags] = join(function.getLoc(), total);
  addResult(function, amax, "amax");
  addResult(function, flags, "amax_flags");
}

void StateThreader::finishPublic(func::FuncOp function, DelayedAttr recipe,
                                 int64_t total) {
  MLIRContext *context = builder.getContext();
  Type f32 = builder.getF32Type();
  Value history = addArgument(
      function, RankedTensorType::get({recipe.getAmaxHistoryLen(), total}, f32),
      "amax_history");
  Value flags =
      addArgument(function, vectorOf(total, builder.getI8Type()), "flags");
  Value update = addArgument(
      function, RankedTensorType::get({}, builder.getI1Type()), "update");
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  Location loc = function.getLoc();
  auto [amax, amaxFlags] = join(loc, total);
  auto numerics = NumericsModeAttr::get(context, recipe.getNumerics());
  auto record =
      RecordOp::create(builder, loc, history.getType(), flags.getType(), amax,
                       amaxFlags, history, flags, numerics);
  auto updated =
      UpdateOp::create(builder, loc, history.getType(), multiplier.getType(),
                       count.getType(), record.getNewHistory(), multiplier,
                       count, update, builder.getArrayAttr(slots[function]),
                       AmaxAlgoAttr::get(context, recipe.getAmaxComputeAlgo()),
                       numerics, builder.getI64IntegerAttr(recipe.getMargin()));
  addResult(function, updated.getNewHistory(), "amax_history");
  addResult(function, updated.getNewMultiplier(), "multiplier");
  addResult(function, updated.getNewCount(), "count");
  addResult(function, record.getNewFlags(), "flags");
}

LogicalResult StateThreader::thread(func::FuncOp function) {
  SmallVector<std::pair<Operation *, int64_t>> users;
  SmallVector<Attribute> &columns = slots[function];
  DenseMap<Attribute, int64_t> columnOf;
  WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
    auto slot = dyn_cast<DelayedScaleOp>(op);
    auto call = dyn_cast<func::CallOp>(op);
    func::FuncOp callee = call ? getCallee(call) : func::FuncOp();
    bool stateful = (slot && !slot.getStateMultiplier()) ||
                    (callee && !slots.lookup(callee).empty());
    if (!stateful)
      return WalkResult::advance();
    if (op->getParentOp() != function)
      return op->emitOpError("expected delayed-scaling state in the body of a "
                             "function only; use recipe tensorwise for loops");
    int64_t next = columns.size();
    if (slot) {
      auto [it, isNew] = columnOf.try_emplace(slot.getSlot(), next);
      if (isNew)
        columns.push_back(slot.getSlot());
      users.push_back({op, it->second});
    } else {
      llvm::append_range(columns, slots.lookup(callee));
      users.push_back({op, next});
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  auto recipe = function->getAttrOfType<DelayedAttr>(kRecipeAttr);
  function->removeAttr(kRecipeAttr);
  if (columns.empty())
    return success();
  if (!recipe)
    return function.emitError(
        "expected attribute 'fp8.recipe' to be a "
        "#fp8.delayed on a function with delayed scaling");
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected one block in a function with delayed "
                              "scaling, got several");
  int64_t total = columns.size();
  recorded.clear();
  multiplier = addArgument(function, vectorOf(total, builder.getF32Type()),
                           "multiplier");
  count = addArgument(function, vectorOf(total, builder.getI32Type()), "count");
  for (auto [op, column] : users) {
    if (auto slot = dyn_cast<DelayedScaleOp>(op))
      threadSlot(slot, column);
    else
      threadCall(cast<func::CallOp>(op), column);
  }
  function->setAttr(kSlotsAttr, builder.getArrayAttr(columns));
  if (!function.isPublic())
    finishPrivate(function, total);
  else if (!freeze)
    finishPublic(function, recipe, total);
  return success();
}

/// Gives every public function that is called a private copy for its callers.
void StateThreader::separateCallees() {
  llvm::MapVector<func::FuncOp, func::FuncOp> copies;
  module.walk([&](func::CallOp call) {
    func::FuncOp callee = getCallee(call);
    if (callee && callee.isPublic())
      copies.insert({callee, nullptr});
  });
  for (auto &[callee, copy] : copies) {
    copy = callee.clone();
    copy.setPrivate();
    copy.setName((callee.getSymName() + "_fp8").str());
    symbols.insert(copy, std::next(callee->getIterator()));
  }
  module.walk([&](func::CallOp call) {
    if (func::FuncOp copy = copies.lookup(getCallee(call)))
      call.setCallee(copy.getSymName());
  });
}

LogicalResult StateThreader::visit(func::FuncOp function) {
  auto [it, inserted] = visits.try_emplace(function, Visit::Open);
  if (!inserted) {
    if (it->second == Visit::Open)
      return function.emitError(
          "expected no recursion in a module with delayed "
          "scaling");
    return success();
  }
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    func::FuncOp callee = getCallee(call);
    if (callee && failed(visit(callee)))
      return failure();
  }
  if (failed(thread(function)))
    return failure();
  visits[function] = Visit::Done;
  return success();
}

LogicalResult StateThreader::run() {
  bool any = false;
  module.walk([&](DelayedScaleOp op) { any |= !op.getStateMultiplier(); });
  WalkResult walk = module.walk([&](UpdateOp op) -> WalkResult {
    if (!freeze)
      return WalkResult::advance();
    return op.emitOpError("expected no threaded state to freeze; freeze it "
                          "when the module is first converted");
  });
  if (walk.wasInterrupted())
    return failure();
  if (any)
    separateCallees();
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    if (!any)
      function->removeAttr(kRecipeAttr);
    else if (!function.isDeclaration() && failed(visit(function)))
      return failure();
  }
  return success();
}

namespace {
struct ThreadStatePass final : fp8::impl::ThreadStatePassBase<ThreadStatePass> {
  using ThreadStatePassBase::ThreadStatePassBase;

  void runOnOperation() override {
    if (failed(StateThreader(getOperation(), freeze).run()))
      signalPassFailure();
  }
};
} // namespace
