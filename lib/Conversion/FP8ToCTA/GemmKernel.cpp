//===- GemmKernel.cpp - The warp-specialised FP8 product ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One producer thread fills a ring of operand tiles; consumer warpgroups run
// batches of matrix instructions on them and add each batch of `promote`
// elements of k to an f32 accumulator. Both walk the same tiles in the same
// order, so the ring's position says everything that they share.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

/// The longest swizzle whose lines fill `lineBytes`.
static int64_t fittingSwizzle(int64_t lineBytes) {
  return lineBytes % 128 == 0 ? 128 : lineBytes % 64 == 0 ? 64 : 32;
}

namespace {

/// The three numbers of an output tile: of its matrix, row and column. The
/// matrix is null without a batch.
struct Tile {
  Value batch, m, n;
};

/// Builds one kernel. Members that start with `map` are its arguments.
class GemmBuilder {
public:
  GemmBuilder(OpBuilder &builder, Location loc, const GemmProblem &problem,
              ScheduleAttr schedule, const TargetInfo &target)
      : b(loc, builder), problem(problem), schedule(schedule), target(target),
        promote(getPromotion(problem, target)), outputs(getOutputs(problem)) {}

  KernelOp build(StringRef name);

private:
  // Types.
  SmemType operandType(Type element, int64_t rows);
  SmemType resultType(Type element);
  SmallVector<Type> argumentTypes(SmemType a, SmemType bType);
  TensorMapType mapType(int64_t rows, int64_t columns, SmemType buffer);
  FragmentType fragmentType();
  InFlightType inFlightType();

  // Parts of the kernel.
  void describe(KernelOp kernel);
  void buildProducer(RolesOp roles);
  void buildConsumer(RolesOp roles);
  TilesOp beginTiles();
  Tile currentTile();
  void endTiles(TilesOp tiles, Value slot);
  void buildLoads(const Tile &tile, Value slot, Value k);
  SmallVector<Value> buildSum(Value slot);
  void buildStage(Value slot, SmallVectorImpl<Value> &sums);
  SmallVector<Value> buildChain(Value slot, Value count, Value &next);
  void buildEpilogue(ArrayRef<Value> sums, const Tile &tile);
  SmallVector<Value> finish(Value sum, int64_t index, const Tile &tile);
  SmallVector<Value> buildBody(ValueRange arguments);
  Value loadInput(unsigned index, Value row, const Tile &tile);
  void storeThroughShared(ArrayRef<SmallVector<Value>> values,
                          const Tile &tile);
  void storeDirectly(unsigned output, Value value, Value row, const Tile &tile);
  void loadScalars();

  // Small values. The loop builders below pass `b` itself to their callbacks.
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  Value times(Value value, int64_t factor) {
    return arith::MulIOp::create(b, value, i32(factor));
  }
  /// First row of sub-tile `index` of this warpgroup, in the block's tile.
  Value subtileRow(int64_t index) {
    Value row = times(warpgroup, 64 * subtiles());
    return arith::AddIOp::create(b, row, i32(64 * index));
  }
  /// Coordinates of a box in a map: of the matrix, if there are several, first.
  SmallVector<Value> at(const Tile &tile, Value row, Value column) {
    if (tile.batch)
      return {tile.batch, row, column};
    return {row, column};
  }
  Value add(Value x, Value y);
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  }
  /// First row of sub-tile `index` of this warpgroup, in the matrix.
  Value matrixRow(const Tile &tile, int64_t index) {
    return arith::AddIOp::create(b, times(tile.m, schedule.getTileM()),
                                 subtileRow(index));
  }
  Value matrixColumn(const Tile &tile) {
    return times(tile.n, schedule.getTileN());
  }
  /// First element of the tile's matrix in a buffer whose matrices are `stride`
  /// elements apart.
  Value matrixOffset(const Tile &tile, int64_t stride) {
    if (!tile.batch || stride == 0)
      return i64(0);
    Value matrix = arith::ExtUIOp::create(b, b.getI64Type(), tile.batch);
    return arith::MulIOp::create(b, matrix, i64(stride));
  }
  Block *createMap(ValueRange inputs, unsigned results, MapOp &map);
  int64_t subtiles() const {
    return schedule.getTileM() / (64 * schedule.getConsumers());
  }
  /// Output tiles.
  int64_t tileCount() const {
    return problem.batch.value_or(1) *
           llvm::divideCeil(problem.m, schedule.getTileM()) *
           llvm::divideCeil(problem.n, schedule.getTileN());
  }
  /// Tiles of k.
  int64_t depth() const {
    return llvm::divideCeil(problem.k, schedule.getTileK());
  }

  ImplicitLocOpBuilder b;
  const GemmProblem &problem;
  ScheduleAttr schedule;
  const TargetInfo &target;
  int64_t promote;
  SmallVector<EpilogueOutput> outputs;
  Value mapA, mapB, scaleA, scaleB;
  /// Per output: a tensor map, or a pointer where TMA cannot address it; and
  /// its buffer in shared memory, null for a pointer.
  SmallVector<Value> destinations, buffers;
  /// Pointers to the epilogue's inputs.
  SmallVector<Value> inputs;
  Value bufferA, bufferB, ring, start;
  // Of the consumer that is being built.
  Value warpgroup, scale, zero;
  /// Per input of the epilogue that is one number: its value, as f32.
  SmallVector<Value> scalars;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types and small pieces
//===----------------------------------------------------------------------===//

SmemType GemmBuilder::operandType(Type element, int64_t rows) {
  int64_t columns = schedule.getTileK();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return SmemType::get(b.getContext(), {schedule.getStages(), rows, columns},
                       element, fittingSwizzle(columns * bytes));
}

SmemType GemmBuilder::resultType(Type element) {
  int64_t columns = schedule.getTileN();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return SmemType::get(b.getContext(),
                       {schedule.getConsumers() * subtiles(), 64, columns},
                       element, fittingSwizzle(columns * bytes));
}

TensorMapType GemmBuilder::mapType(int64_t rows, int64_t columns,
                                   SmemType buffer) {
  SmallVector<int64_t> shape{rows, columns};
  if (problem.batch)
    shape.insert(shape.begin(), *problem.batch);
  return TensorMapType::get(b.getContext(), shape, buffer.getElementType(),
                            {buffer.getRows(), buffer.getPanelColumns()},
                            buffer.getSwizzle());
}

FragmentType GemmBuilder::fragmentType() {
  return FragmentType::get(b.getContext(), schedule.getTileN());
}

InFlightType GemmBuilder::inFlightType() {
  return InFlightType::get(b.getContext(), schedule.getTileN());
}

/// Opens the body of an element-wise computation on fragments.
Block *GemmBuilder::createMap(ValueRange inputs, unsigned results, MapOp &map) {
  SmallVector<Type> types(results, fragmentType());
  map = MapOp::create(b, TypeRange(types), inputs, ArrayRef<NamedAttribute>());
  SmallVector<Type> elements(inputs.size(), b.getF32Type());
  SmallVector<Location> locations(inputs.size(), b.getLoc());
  return b.createBlock(&map.getBody(), {}, elements, locations);
}

Value GemmBuilder::add(Value x, Value y) {
  OpBuilder::InsertionGuard guard(b);
  MapOp map;
  Block *body = createMap({x, y}, 1, map);
  Value sum =
      arith::AddFOp::create(b, body->getArgument(0), body->getArgument(1));
  YieldOp::create(b, sum);
  return map.getResult(0);
}

//===----------------------------------------------------------------------===//
// Tile loop
//===----------------------------------------------------------------------===//

/// Opens the loop over output tiles; the insertion point is in its body.
TilesOp GemmBuilder::beginTiles() {
  int64_t rows = llvm::divideCeil(problem.m, schedule.getTileM());
  int64_t columns = llvm::divideCeil(problem.n, schedule.getTileN());
  SmallVector<int64_t> extents{rows, columns};
  if (problem.batch)
    extents.insert(extents.begin(), *problem.batch);
  auto tiles = TilesOp::create(b, TypeRange{start.getType()}, extents,
                               schedule.getRaster(), schedule.getGroup(),
                               ValueRange{start});
  SmallVector<Type> types(extents.size(), b.getI32Type());
  types.push_back(start.getType());
  SmallVector<Location> locations(types.size(), b.getLoc());
  b.createBlock(&tiles.getBody(), {}, types, locations);
  return tiles;
}

/// The tile of the loop whose body is being built.
Tile GemmBuilder::currentTile() {
  auto arguments = b.getBlock()->getArguments();
  if (problem.batch)
    return {arguments[0], arguments[1], arguments[2]};
  return {Value(), arguments[0], arguments[1]};
}

void GemmBuilder::endTiles(TilesOp tiles, Value slot) {
  YieldOp::create(b, slot);
  b.setInsertionPointAfter(tiles);
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

void GemmBuilder::buildLoads(const Tile &tile, Value slot, Value k) {
  Value row = times(tile.m, schedule.getTileM());
  Value column = times(tile.n, schedule.getTileN());
  SmemType a = cast<SmemType>(bufferA.getType());
  SmemType bType = cast<SmemType>(bufferB.getType());
  RingAcquireOp::create(b, ring, slot, a.getTileBytes() + bType.getTileBytes());
  TmaLoadOp::create(b, mapA, at(tile, row, k), bufferA, slot, ring);
  TmaLoadOp::create(b, mapB, at(tile, column, k), bufferB, slot, ring);
}

void GemmBuilder::buildProducer(RolesOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&roles.getBody().front());
  auto role =
      RoleOp::create(b, RoleKind::producer, 4, schedule.getRegisters()[0]);
  b.createBlock(&role.getBody());
  TilesOp tiles = beginTiles();
  Tile tile = currentTile();
  Value slot = b.getBlock()->getArguments().back();
  auto loop = scf::ForOp::create(
      b, i32(0), i32(depth()), i32(1), ValueRange{slot},
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        buildLoads(tile, carried[0], times(index, schedule.getTileK()));
        Value next = RingNextOp::create(b, carried[0]);
        scf::YieldOp::create(b, next);
      });
  endTiles(tiles, loop.getResult(0));
  YieldOp::create(b);
}

//===----------------------------------------------------------------------===//
// Consumer
//===----------------------------------------------------------------------===//

/// One stage with promotion inside of it: every batch is a chain of its own.
void GemmBuilder::buildStage(Value slot, SmallVectorImpl<Value> &sums) {
  int64_t columns = schedule.getTileK();
  int64_t length = std::min(promote, columns);
  RingWaitOp::create(b, ring, slot);
  for (int64_t k = 0; k < columns; k += length) {
    for (auto [index, sum] : llvm::enumerate(sums)) {
      Value flying = WgmmaOp::create(
          b, inFlightType(), bufferA, bufferB, slot, subtileRow(index),
          ArrayRef<int64_t>{k, k + length}, Value(), Value());
      Value partial = WaitOp::create(b, fragmentType(), flying, 0);
      // The last wait of the stage is the last read of its tiles.
      bool isLast = k + length == columns && index + 1 == sums.size();
      if (isLast)
        RingReleaseOp::create(b, ring, slot);
      sum = add(sum, partial);
    }
  }
}

/// One chain over `count` (i32) stages, without promotion inside of it. The
/// first batch starts from zero by a run-time predicate.
SmallVector<Value> GemmBuilder::buildChain(Value slot, Value count,
                                           Value &next) {
  SmallVector<Value> inits{slot};
  inits.append(subtiles(), zero);
  auto loop = scf::ForOp::create(
      b, i32(0), count, i32(1), inits,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        Value position = carried[0];
        Value accumulate =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ne, index, i32(0));
        RingWaitOp::create(b, ring, position);
        SmallVector<Value> results(1);
        for (auto [part, acc] : llvm::enumerate(carried.drop_front())) {
          Value flying = WgmmaOp::create(
              b, inFlightType(), bufferA, bufferB, position, subtileRow(part),
              ArrayRef<int64_t>{0, schedule.getTileK()}, acc, accumulate);
          results.push_back(WaitOp::create(b, fragmentType(), flying, 0));
        }
        RingReleaseOp::create(b, ring, position);
        results[0] = RingNextOp::create(b, position);
        scf::YieldOp::create(b, results);
      });
  next = loop.getResult(0);
  return SmallVector<Value>(loop.getResults().drop_front());
}

/// The whole sum of one output tile: the ring's next position, then one
/// fragment per sub-tile.
SmallVector<Value> GemmBuilder::buildSum(Value slot) {
  Value next;
  if (promote == 0) {
    SmallVector<Value> sums = buildChain(slot, i32(depth()), next);
    sums.insert(sums.begin(), next);
    return sums;
  }
  // Stages of one chain; 1 when promotion happens within a stage.
  int64_t stages = std::max<int64_t>(1, promote / schedule.getTileK());
  SmallVector<Value> inits{slot};
  inits.append(subtiles(), zero);
  auto loop = scf::ForOp::create(
      b, i32(0), i32(depth()), i32(stages), inits,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        SmallVector<Value> sums(carried.drop_front());
        Value position;
        if (stages == 1) {
          buildStage(carried[0], sums);
          position = RingNextOp::create(b, carried[0]);
        } else {
          Value left = arith::SubIOp::create(b, i32(depth()), index);
          Value count = arith::MinSIOp::create(b, left, i32(stages));
          SmallVector<Value> partial = buildChain(carried[0], count, position);
          for (auto [sum, part] : llvm::zip_equal(sums, partial))
            sum = add(sum, part);
        }
        sums.insert(sums.begin(), position);
        scf::YieldOp::create(b, sums);
      });
  return SmallVector<Value>(loop.getResults());
}

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
  if (llvm::none_of(buffers, [](Value buffer) { return bool(buffer); }))
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
  StoreRowsOp::create(b, value, destination,
                      matrixOffset(tile, problem.m * problem.n), row, column,
                      problem.m, problem.n, outputs[output].element);
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

void GemmBuilder::buildConsumer(RolesOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&roles.getBody().front());
  auto role = RoleOp::create(b, RoleKind::consumer, 4 * schedule.getConsumers(),
                             schedule.getRegisters()[1]);
  Block *body =
      b.createBlock(&role.getBody(), {}, {b.getI32Type()}, {b.getLoc()});
  warpgroup = body->getArgument(0);
  loadScalars();
  zero = FillOp::create(
      b, fragmentType(),
      arith::ConstantFloatOp::create(b, b.getF32Type(), APFloat(0.0f)));
  TilesOp tiles = beginTiles();
  Tile tile = currentTile();
  SmallVector<Value> sums = buildSum(b.getBlock()->getArguments().back());
  buildEpilogue(ArrayRef<Value>(sums).drop_front(), tile);
  endTiles(tiles, sums.front());
  if (llvm::any_of(buffers, [](Value buffer) { return bool(buffer); }))
    TmaDrainOp::create(b);
  YieldOp::create(b);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void GemmBuilder::describe(KernelOp kernel) {
  int64_t batch = problem.batch.value_or(1);
  int64_t m = problem.m, n = problem.n, k = problem.k;
  describeArgument(kernel, 0, "lhs", problem.lhs, batch * m * k, false);
  describeArgument(kernel, 1, "rhs", problem.rhs, batch * n * k, false);
  unsigned next = 2;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    std::string name = "result" + (index ? std::to_string(index) : "");
    describeArgument(kernel, next++, name, output.element,
                     output.isAmax ? 2 : batch * m * n, true);
  }
  if (problem.isScaled()) {
    describeArgument(kernel, next++, "lhs_scale", b.getF32Type(), 1, false);
    describeArgument(kernel, next++, "rhs_scale", b.getF32Type(), 1, false);
  }
  for (unsigned i = 0; problem.epilogue && i < problem.epilogue->inputs.size();
       ++i) {
    const EpilogueInput &input = problem.epilogue->inputs[i];
    describeArgument(kernel, next++, "extra" + std::to_string(i), input.element,
                     input.elements, false);
  }
  SmallVector<std::pair<StringRef, StringRef>> words = {
      {"model", target.accumulation.model}};
  std::string epilogue;
  if (problem.epilogue)
    words.emplace_back("epilogue", epilogue = getDigest(*problem.epilogue));
  describeKernel(
      kernel, "contract",
      {{"batch", batch}, {"m", m}, {"n", n}, {"k", k}, {"promote", promote}},
      words);
}

SmallVector<Type> GemmBuilder::argumentTypes(SmemType a, SmemType bType) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  SmallVector<Type> types = {mapType(problem.m, problem.k, a),
                             mapType(problem.n, problem.k, bType)};
  for (const EpilogueOutput &output : outputs) {
    bool throughShared = storesWithTMA(problem, output);
    types.push_back(throughShared ? Type(mapType(problem.m, problem.n,
                                                 resultType(output.element)))
                                  : pointer);
  }
  if (problem.isScaled())
    types.append(2, pointer);
  if (problem.epilogue)
    types.append(problem.epilogue->inputs.size(), pointer);
  return types;
}

KernelOp GemmBuilder::build(StringRef name) {
  SmemType a = operandType(problem.lhs, schedule.getTileM());
  SmemType bType = operandType(problem.rhs, schedule.getTileN());
  SmallVector<Type> types = argumentTypes(a, bType);
  auto kernel = KernelOp::create(b, name, b.getFunctionType(types, {}),
                                 target.name, schedule.getThreads(), schedule);
  kernel.setBlocks(std::min<int64_t>(tileCount(), target.multiprocessors));
  describe(kernel);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(types.size(), b.getLoc());
  Block *entry = b.createBlock(&kernel.getBody(), {}, types, locations);
  auto arguments = llvm::to_vector_of<Value>(entry->getArguments());
  ArrayRef<Value> left = arguments;
  auto take = [&](size_t count) {
    ArrayRef<Value> taken = left.take_front(count);
    left = left.drop_front(count);
    return taken;
  };
  mapA = take(1).front();
  mapB = take(1).front();
  llvm::append_range(destinations, take(outputs.size()));
  if (problem.isScaled()) {
    scaleA = take(1).front();
    scaleB = take(1).front();
  }
  llvm::append_range(inputs, left);
  bufferA = AllocOp::create(b, a);
  bufferB = AllocOp::create(b, bType);
  for (const EpilogueOutput &output : outputs) {
    bool throughShared = storesWithTMA(problem, output);
    buffers.push_back(
        throughShared
            ? AllocOp::create(b, resultType(output.element)).getResult()
            : Value());
  }
  ring = RingCreateOp::create(b, RingType::get(b.getContext(),
                                               schedule.getStages(),
                                               schedule.getConsumers()));
  start = RingStartOp::create(
      b, SlotType::get(b.getContext(), schedule.getStages()));
  auto roles = RolesOp::create(b);
  b.createBlock(&roles.getBody());
  b.setInsertionPointAfter(roles);
  buildProducer(roles);
  buildConsumer(roles);
  ReturnOp::create(b);
  return kernel;
}

KernelOp mlir::fp8::buildGemmKernel(OpBuilder &b, Location loc, StringRef name,
                                    const GemmProblem &problem,
                                    ScheduleAttr schedule,
                                    const TargetInfo &target) {
  return GemmBuilder(b, loc, problem, schedule, target).build(name);
}
