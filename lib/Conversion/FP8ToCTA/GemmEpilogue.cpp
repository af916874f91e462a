//===- GemmEpilogue.cpp - From sums to what is stored ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scaling, the epilogue's region, rounding, and the ways to memory: through
// shared memory with TMA, or from registers where TMA cannot address a matrix.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

static bool isNumber(const EpilogueInput &input) {
  return llvm::all_of(input.strides,
                      [](int64_t stride) { return stride == 0; });
}

/// `value` as `type`; one of the two is f32.
static Value convertTo(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.isF32())
    return arith::ExtFOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

/// Clones a scalar operation. Arithmetic on bf16 is done in f32 and rounded,
/// which gives the same bits: 24 digits are at least twice 8 and 2.
static void cloneScalar(ImplicitLocOpBuilder &b, Operation &op,
                        IRMapping &mapping) {
  bool isPlain = isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp,
                     arith::SelectOp, arith::BitcastOp>(op);
  auto isNarrow = [](Type type) { return type.isBF16(); };
  if (isPlain || (llvm::none_of(op.getOperandTypes(), isNarrow) &&
                  llvm::none_of(op.getResultTypes(), isNarrow))) {
    b.clone(op, mapping);
    return;
  }
  IRMapping wide;
  for (Value operand : op.getOperands()) {
    Value value = mapping.lookupOrDefault(operand);
    bool narrow = isNarrow(value.getType());
    wide.map(operand, narrow ? convertTo(b, value, b.getF32Type()) : value);
  }
  Operation *clone = b.clone(op, wide);
  for (auto [old, result] :
       llvm::zip_equal(op.getResults(), clone->getResults())) {
    Value value = result;
    if (isNarrow(old.getType())) {
      result.setType(b.getF32Type());
      value = convertTo(b, result, old.getType());
    }
    mapping.map(old, value);
  }
}

/// Clones the epilogue's body; arguments and results are f32.
SmallVector<Value> GemmBuilder::buildBody(ValueRange arguments) {
  Block &body = *problem.epilogue->body;
  IRMapping mapping;
  for (auto [old, value] : llvm::zip_equal(body.getArguments(), arguments))
    mapping.map(old, convertTo(b, value, old.getType()));
  for (Operation &op : body.without_terminator())
    cloneScalar(b, op, mapping);
  SmallVector<Value> results;
  for (Value yielded : body.getTerminator()->getOperands())
    results.push_back(
        convertTo(b, mapping.lookupOrDefault(yielded), b.getF32Type()));
  return results;
}

/// Numbers are read once per block.
void GemmBuilder::loadScalars() {
  auto load = [&](Value pointer, Type element) -> Value {
    Value value = GlobalLoadOp::create(b, element, pointer, i64(0));
    return convertTo(b, value, b.getF32Type());
  };
  if (problem.isScaled())
    scale = arith::MulFOp::create(b, load(scaleA, b.getF32Type()),
                                  load(scaleB, b.getF32Type()));
  scalars.resize(inputs.size());
  for (auto [index, pointer] : llvm::enumerate(inputs)) {
    const EpilogueInput &input = problem.epilogue->inputs[index];
    if (isNumber(input))
      scalars[index] = load(pointer, input.element);
  }
}

/// Input `index` of the epilogue for the sub-tile at `row`.
Value GemmBuilder::loadInput(unsigned index, Value row, const Tile &tile) {
  const EpilogueInput &input = problem.epilogue->inputs[index];
  auto [batch, m, n] = input.strides;
  return LoadRowsOp::create(b, fragmentType(), inputs[index],
                            matrixOffset(tile, batch), row, matrixColumn(tile),
                            problem.m, problem.n, ArrayRef<int64_t>{m, n},
                            input.element);
}

/// The outputs' fragments of one sub-tile, from its sum.
SmallVector<Value> GemmBuilder::finish(Value sum, int64_t index,
                                       const Tile &tile) {
  SmallVector<Value> fragments{sum};
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (!scalars[i])
      fragments.push_back(loadInput(i, matrixRow(tile, index), tile));
  if (!scale && !problem.epilogue)
    return {sum};
  OpBuilder::InsertionGuard guard(b);
  MapOp map;
  Block *body = createMap(fragments, outputs.size(), map);
  Value product = body->getArgument(0);
  if (scale)
    product = arith::MulFOp::create(b, product, scale);
  if (!problem.epilogue) {
    YieldOp::create(b, product);
    return {map.getResult(0)};
  }
  SmallVector<Value> arguments{product};
  unsigned next = 1;
  for (Value scalar : scalars)
    arguments.push_back(scalar ? scalar : body->getArgument(next++));
  YieldOp::create(b, buildBody(arguments));
  return SmallVector<Value>(map.getResults());
}

/// The buffers are written again only after the copies of the previous tile
/// have read them. `values` has the outputs' fragments of each sub-tile.
void GemmBuilder::storeThroughShared(ArrayRef<SmallVector<Value>> values,
                                     const Tile &tile) {
  if (!storesThroughShared())
    return;
  TmaDrainOp::create(b);
  cta::BarrierOp::create(b, warpgroup);
  SmallVector<Value> stages;
  for (auto [index, results] : llvm::enumerate(values)) {
    Value stage =
        arith::AddIOp::create(b, times(warpgroup, subtiles()), i32(index));
    for (auto [buffer, value] : llvm::zip_equal(buffers, results))
      if (buffer)
        StoreOp::create(b, value, buffer, stage);
    stages.push_back(stage);
  }
  FenceAsyncOp::create(b);
  cta::BarrierOp::create(b, warpgroup);
  Value column = matrixColumn(tile);
  for (auto [index, stage] : llvm::enumerate(stages)) {
    Value row = matrixRow(tile, index);
    for (auto [buffer, destination] : llvm::zip_equal(buffers, destinations))
      if (buffer)
        TmaStoreOp::create(b, buffer, stage, destination,
                           at(tile, row, column));
  }
}

/// What does not go through shared memory.
void GemmBuilder::storeDirectly(unsigned output, Value value, Value row,
                                const Tile &tile) {
  Value column = matrixColumn(tile), destination = destinations[output];
  if (outputs[output].isAmax) {
    cta::AmaxOp::create(b, value, destination, row, column, problem.m,
                        problem.n);
    return;
  }
  IntegerAttr rows = dynamicM ? IntegerAttr() : b.getI64IntegerAttr(problem.m);
  StoreRowsOp::create(b, value, destination, outputOffset(tile), row, column,
                      dynamicM, rows, problem.n, outputs[output].element);
}

/// Scales, computes, rounds and stores the tile.
void GemmBuilder::buildEpilogue(ArrayRef<Value> sums, const Tile &tile) {
  SmallVector<SmallVector<Value>> values;
  for (auto [index, sum] : llvm::enumerate(sums))
    values.push_back(finish(sum, index, tile));
  storeThroughShared(values, tile);
  for (auto [index, results] : llvm::enumerate(values))
    for (unsigned output = 0; output < outputs.size(); ++output)
      if (!buffers[output])
        storeDirectly(output, results[output], matrixRow(tile, index), tile);
}
