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
        promote(getPromotion(problem, target)) {}

  KernelOp build(StringRef name);

private:
  // Types.
  SmemType operandType(Type element, int64_t rows);
  SmemType resultType();
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
  void storeThroughShared(ArrayRef<Value> values, const Tile &tile);
  void storeDirectly(ArrayRef<Value> values, const Tile &tile);

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
  Value multiply(Value x, Value factor);
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
  Value mapA, mapB, scaleA, scaleB;
  /// A tensor map, or a pointer where TMA cannot address the result.
  Value destination;
  Value bufferA, bufferB, bufferD, ring, start;
  // Of the consumer that is being built.
  Value warpgroup, scale, zero;
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

SmemType GemmBuilder::resultType() {
  int64_t columns = schedule.getTileN();
  int64_t bytes = problem.out.getIntOrFloatBitWidth() / 8;
  return SmemType::get(b.getContext(),
                       {schedule.getConsumers() * subtiles(), 64, columns},
                       problem.out, fittingSwizzle(columns * bytes));
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

Value GemmBuilder::add(Value x, Value y) {
  auto map = MapOp::create(b, fragmentType(), ValueRange{x, y});
  OpBuilder::InsertionGuard guard(b);
  Block *body =
      b.createBlock(&map.getBody(), {}, {b.getF32Type(), b.getF32Type()},
                    {b.getLoc(), b.getLoc()});
  Value sum =
      arith::AddFOp::create(b, body->getArgument(0), body->getArgument(1));
  YieldOp::create(b, sum);
  return map.getResult();
}

Value GemmBuilder::multiply(Value x, Value factor) {
  auto map = MapOp::create(b, fragmentType(), ValueRange{x});
  OpBuilder::InsertionGuard guard(b);
  Block *body =
      b.createBlock(&map.getBody(), {}, {b.getF32Type()}, {b.getLoc()});
  Value product = arith::MulFOp::create(b, body->getArgument(0), factor);
  YieldOp::create(b, product);
  return map.getResult();
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

/// The buffer is written again only after the copies of the previous tile have
/// read it.
void GemmBuilder::storeThroughShared(ArrayRef<Value> values, const Tile &tile) {
  TmaDrainOp::create(b);
  BarrierOp::create(b, warpgroup);
  SmallVector<Value> stages;
  for (auto [index, value] : llvm::enumerate(values)) {
    Value stage =
        arith::AddIOp::create(b, times(warpgroup, subtiles()), i32(index));
    StoreOp::create(b, value, bufferD, stage);
    stages.push_back(stage);
  }
  FenceAsyncOp::create(b);
  BarrierOp::create(b, warpgroup);
  Value tileRow = times(tile.m, schedule.getTileM());
  Value column = times(tile.n, schedule.getTileN());
  for (auto [index, stage] : llvm::enumerate(stages)) {
    Value row = arith::AddIOp::create(b, tileRow, subtileRow(index));
    TmaStoreOp::create(b, bufferD, stage, destination, at(tile, row, column));
  }
}

void GemmBuilder::storeDirectly(ArrayRef<Value> values, const Tile &tile) {
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  Value offset = i64(0);
  if (tile.batch) {
    Value matrix = arith::ExtUIOp::create(b, b.getI64Type(), tile.batch);
    offset = arith::MulIOp::create(b, matrix, i64(problem.m * problem.n));
  }
  Value tileRow = times(tile.m, schedule.getTileM());
  Value column = times(tile.n, schedule.getTileN());
  for (auto [index, value] : llvm::enumerate(values)) {
    Value row = arith::AddIOp::create(b, tileRow, subtileRow(index));
    StoreRowsOp::create(b, value, destination, offset, row, column, problem.m,
                        problem.n, problem.out);
  }
}

/// Scales, rounds and stores the tile.
void GemmBuilder::buildEpilogue(ArrayRef<Value> sums, const Tile &tile) {
  SmallVector<Value> scaled;
  for (Value sum : sums)
    scaled.push_back(scale ? multiply(sum, scale) : sum);
  if (isa<TensorMapType>(destination.getType()))
    storeThroughShared(scaled, tile);
  else
    storeDirectly(scaled, tile);
}

void GemmBuilder::buildConsumer(RolesOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&roles.getBody().front());
  auto role = RoleOp::create(b, RoleKind::consumer, 4 * schedule.getConsumers(),
                             schedule.getRegisters()[1]);
  Block *body =
      b.createBlock(&role.getBody(), {}, {b.getI32Type()}, {b.getLoc()});
  warpgroup = body->getArgument(0);
  if (problem.isScaled()) {
    Value first = arith::ConstantIntOp::create(b, b.getI64Type(), 0);
    Value sa = GlobalLoadOp::create(b, b.getF32Type(), scaleA, first);
    Value sb = GlobalLoadOp::create(b, b.getF32Type(), scaleB, first);
    scale = arith::MulFOp::create(b, sa, sb);
  }
  zero = FillOp::create(
      b, fragmentType(),
      arith::ConstantFloatOp::create(b, b.getF32Type(), APFloat(0.0f)));
  TilesOp tiles = beginTiles();
  Tile tile = currentTile();
  SmallVector<Value> sums = buildSum(b.getBlock()->getArguments().back());
  buildEpilogue(ArrayRef<Value>(sums).drop_front(), tile);
  endTiles(tiles, sums.front());
  if (bufferD)
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
  describeArgument(kernel, 2, "result", problem.out, batch * m * n, true);
  if (problem.isScaled()) {
    describeArgument(kernel, 3, "lhs_scale", b.getF32Type(), 1, false);
    describeArgument(kernel, 4, "rhs_scale", b.getF32Type(), 1, false);
  }
  describeKernel(
      kernel, "contract",
      {{"batch", batch}, {"m", m}, {"n", n}, {"k", k}, {"promote", promote}},
      {{"model", target.accumulation.model}});
}

KernelOp GemmBuilder::build(StringRef name) {
  SmemType a = operandType(problem.lhs, schedule.getTileM());
  SmemType bType = operandType(problem.rhs, schedule.getTileN());
  SmemType d = resultType();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  bool throughShared = storesWithTMA(problem);
  SmallVector<Type> inputs = {
      mapType(problem.m, problem.k, a), mapType(problem.n, problem.k, bType),
      throughShared ? Type(mapType(problem.m, problem.n, d)) : pointer};
  if (problem.isScaled())
    inputs.append(2, pointer);
  auto kernel = KernelOp::create(b, name, b.getFunctionType(inputs, {}),
                                 target.name, schedule.getThreads(), schedule);
  kernel.setBlocks(std::min<int64_t>(tileCount(), target.multiprocessors));
  describe(kernel);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(inputs.size(), b.getLoc());
  Block *entry = b.createBlock(&kernel.getBody(), {}, inputs, locations);
  mapA = entry->getArgument(0);
  mapB = entry->getArgument(1);
  destination = entry->getArgument(2);
  if (problem.isScaled()) {
    scaleA = entry->getArgument(3);
    scaleB = entry->getArgument(4);
  }
  bufferA = AllocOp::create(b, a);
  bufferB = AllocOp::create(b, bType);
  if (throughShared)
    bufferD = AllocOp::create(b, d);
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
