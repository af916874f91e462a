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
// order, so the ring's position says everything that they share. With tensor
// memory a third role runs the matrix instructions (GemmTensorMemory.cpp).
// Blocks of a cluster work on neighbouring tiles and read each tile of an
// operand that several of them need once.
//
// In a ping-pong schedule each consumer has a tile of its own: the ring holds
// the operands of one tile after the other, and a consumer that has run its
// main loop skips the stages of the others' tiles.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

/// Accumulators in tensor memory: one is read while the next is written.
static constexpr int64_t kAccumulatorStages = 2;

/// The longest swizzle whose lines fill `lineBytes`.
static int64_t fittingSwizzle(int64_t lineBytes) {
  return lineBytes % 128 == 0 ? 128 : lineBytes % 64 == 0 ? 64 : 32;
}

//===----------------------------------------------------------------------===//
// Types and small pieces
//===----------------------------------------------------------------------===//

SmemType GemmBuilder::operandType(Type element, int64_t rows) {
  int64_t columns = schedule.getTileK();
  int64_t bytes = getElementBytes(element);
  return SmemType::get(b.getContext(), {schedule.getStages(), rows, columns},
                       element, fittingSwizzle(columns * bytes));
}

SmemType GemmBuilder::resultType(Type element) {
  int64_t columns = schedule.getTileN();
  int64_t bytes = getElementBytes(element);
  int64_t rows = 4 * fragmentType().getWarpRows();
  int64_t stages = schedule.getTileM() / rows * schedule.getTilesAtOnce();
  return SmemType::get(b.getContext(), {stages, rows, columns}, element,
                       fittingSwizzle(columns * bytes));
}

TensorMapType GemmBuilder::mapType(int64_t rows, int64_t columns,
                                   SmemType buffer, int64_t parts) {
  SmallVector<int64_t> shape{rows, columns};
  if (problem.batch)
    shape.insert(shape.begin(), *problem.batch);
  return TensorMapType::get(
      b.getContext(), shape, buffer.getElementType(),
      {buffer.getRows() / parts, buffer.getPanelColumns()},
      buffer.getSwizzle());
}

FragmentType GemmBuilder::fragmentType() {
  return FragmentType::get(b.getContext(), schedule.getTileN(),
                           hasTensorMemory ? 32 : 16);
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
TilesOp GemmBuilder::beginTiles(ValueRange inits,
                                SmallVectorImpl<Value> &carried, bool inTurns) {
  int64_t rows = ShapedType::kDynamic;
  if (!dynamicM)
    rows = llvm::divideCeil(problem.m, schedule.getTileM());
  int64_t columns = llvm::divideCeil(problem.n, schedule.getTileN());
  SmallVector<int64_t> extents{rows, columns};
  SmallVector<Value> dynamic;
  if (sharesSums()) // the parts of all tiles come one after the other
    extents.insert(extents.begin(),
                   problem.batch.value_or(1) * schedule.getSplit());
  else if (problem.batch)
    extents.insert(extents.begin(), *problem.batch);
  if (dynamicBatch)
    dynamic.push_back(dynamicBatch);
  if (dynamicM)
    dynamic.push_back(rowTiles);
  auto tiles = TilesOp::create(b, inits.getTypes(), dynamic, extents,
                               schedule.getRaster(), schedule.getGroup(), inits,
                               inTurns);
  SmallVector<Type> types(extents.size(), b.getI32Type());
  llvm::append_range(types, inits.getTypes());
  SmallVector<Location> locations(types.size(), b.getLoc());
  Block *body = b.createBlock(&tiles.getBody(), {}, types, locations);
  llvm::append_range(carried, body->getArguments().take_back(inits.size()));
  return tiles;
}

/// The tile of the loop whose body is being built.
Tile GemmBuilder::currentTile() {
  auto arguments = b.getBlock()->getArguments();
  if (sharesSums()) {
    Value parts = i32(schedule.getSplit()), matrix;
    if (problem.batch)
      matrix = arith::DivUIOp::create(b, arguments[0], parts);
    return {matrix, arguments[1], arguments[2],
            arith::RemUIOp::create(b, arguments[0], parts)};
  }
  if (problem.batch)
    return {arguments[0], arguments[1], arguments[2]};
  return {Value(), arguments[0], arguments[1]};
}

void GemmBuilder::endTiles(TilesOp tiles, ValueRange carried) {
  YieldOp::create(b, carried);
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
  // Blocks along n have the same rows of a, along m the same rows of b.
  auto loadA = [&](Multicast multicast) {
    TmaLoadOp::create(b, mapA, at(tile, row, k), bufferA, slot, ring,
                      multicast);
  };
  auto loadB = [&](Multicast multicast) {
    TmaLoadOp::create(b, mapB, at(tile, column, k), bufferB, slot, ring,
                      multicast);
  };
  bool sharesA = schedule.getClusterN() > 1;
  bool sharesB = schedule.getClusterM() > 1;
  // A shared one waits for other blocks.
  if (!sharesA)
    loadA(Multicast::none);
  loadB(sharesB ? Multicast::along_m : Multicast::none);
  if (sharesA)
    loadA(Multicast::along_n);
}

void GemmBuilder::buildProducer(RolesOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&roles.getBody().front());
  auto role =
      RoleOp::create(b, RoleKind::producer, 4, schedule.getRegisters()[0]);
  b.createBlock(&role.getBody());
  SmallVector<Value> slot;
  TilesOp tiles = beginTiles(start, slot);
  Tile tile = currentTile();
  Value begin, count = tilesOfK();
  if (tile.part) {
    begin = partBegin(tile.part);
    count = partDepth(tile.part);
  }
  auto loop = scf::ForOp::create(
      b, i32(0), count, i32(1), slot,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        if (begin)
          index = arith::AddIOp::create(b, begin, index);
        buildLoads(tile, carried[0], times(index, schedule.getTileK()));
        Value next = RingNextOp::create(b, carried[0]);
        scf::YieldOp::create(b, next);
      });
  endTiles(tiles, loop.getResult(0));
  if (hasTensorMemory)
    drainRing(tiles.getResult(0));
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
SmallVector<Value> GemmBuilder::buildChain(Value slot, Value count, Value &next,
                                           bool isLast) {
  if (turns)
    return buildPipelinedChain(slot, count, next, isLast);
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

/// The same where no other warpgroup's instructions fill gaps: those of a stage
/// are issued while those of the one before run. `isLast` is the end of the
/// turn, which passes on before its last instructions are done.
SmallVector<Value> GemmBuilder::buildPipelinedChain(Value slot, Value count,
                                                    Value &next, bool isLast) {
  // Batches of a stage, the first of a chain without accumulators.
  auto issue = [&](Value position, ValueRange accumulators,
                   SmallVectorImpl<Value> &flying) {
    RingWaitOp::create(b, ring, position);
    for (int64_t part = 0; part < subtiles(); ++part)
      flying.push_back(WgmmaOp::create(
          b, inFlightType(), bufferA, bufferB, position, subtileRow(part),
          ArrayRef<int64_t>{0, schedule.getTileK()},
          accumulators.empty() ? Value() : accumulators[part], Value()));
  };
  SmallVector<Value> inits{slot};
  issue(slot, {}, inits);
  auto loop = scf::ForOp::create(
      b, i32(1), count, i32(1), inits,
      [&](OpBuilder &, Location, Value, ValueRange carried) {
        Value before = carried.front();
        Value position = RingNextOp::create(b, before);
        SmallVector<Value> results{position};
        issue(position, carried.drop_front(), results);
        for (Value &flying : MutableArrayRef(results).drop_front())
          flying = WaitOp::create(b, inFlightType(), flying, subtiles());
        RingReleaseOp::create(b, ring, before);
        scf::YieldOp::create(b, results);
      });
  if (isLast)
    TurnsPassOp::create(b, turns, warpgroup);
  SmallVector<Value> sums;
  for (Value flying : loop.getResults().drop_front())
    sums.push_back(WaitOp::create(b, fragmentType(), flying, 0));
  RingReleaseOp::create(b, ring, loop.getResult(0));
  next = RingNextOp::create(b, loop.getResult(0));
  return sums;
}

/// The sum of one output tile, or this block's part of it: the ring's next
/// position, then one fragment per sub-tile.
SmallVector<Value> GemmBuilder::buildSum(Value slot, const Tile &tile) {
  if (problem.split.empty())
    return buildPart(slot, tilesOfK());
  return tile.part ? buildPart(slot, partDepth(tile.part)) : buildParts(slot);
}

/// The sum over `count` (i32) stages, like buildSum.
SmallVector<Value> GemmBuilder::buildPart(Value slot, Value count) {
  Value next;
  if (promote == 0) {
    SmallVector<Value> sums =
        buildChain(slot, count, next, /*isLast=*/isOneChain());
    sums.insert(sums.begin(), next);
    return sums;
  }
  // Stages of one chain; 1 when promotion happens within a stage.
  int64_t stages = std::max<int64_t>(1, promote / schedule.getTileK());
  SmallVector<Value> inits{slot};
  inits.append(subtiles(), zero);
  auto loop = scf::ForOp::create(
      b, i32(0), count, i32(stages), inits,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        SmallVector<Value> sums(carried.drop_front());
        Value position;
        if (stages == 1) {
          buildStage(carried[0], sums);
          position = RingNextOp::create(b, carried[0]);
        } else {
          Value left = arith::SubIOp::create(b, count, index);
          Value length = arith::MinSIOp::create(b, left, i32(stages));
          SmallVector<Value> partial =
              buildChain(carried[0], length, position, /*isLast=*/false);
          for (auto [sum, part] : llvm::zip_equal(sums, partial))
            sum = add(sum, part);
        }
        sums.insert(sums.begin(), position);
        scf::YieldOp::create(b, sums);
      });
  return SmallVector<Value>(loop.getResults());
}

/// The tiles that all consumers do together.
void GemmBuilder::buildTiles() {
  SmallVector<Value> slot;
  TilesOp tiles = beginTiles(start, slot);
  Tile tile = currentTile();
  SmallVector<Value> results = buildSum(slot.front(), tile);
  auto sums = ArrayRef<Value>(results).drop_front();
  if (tile.part)
    buildSharedEpilogue(sums, tile);
  else
    buildEpilogue(sums, tile);
  endTiles(tiles, results.front());
}

/// The tiles of one consumer among several: its main loops in its turns, its
/// epilogues in those of the others.
void GemmBuilder::buildTurns() {
  int64_t others = schedule.getConsumers() - 1;
  auto stagesOf = [&](Value tiles) -> Value {
    if (dynamicDepth)
      return arith::MulIOp::create(b, tiles, dynamicDepth);
    return times(tiles, depth());
  };
  Value first = RingSkipOp::create(b, start, stagesOf(warpgroup));
  Value firstTurn =
      RingStartOp::create(b, SlotType::get(b.getContext(), /*stages=*/1));
  SmallVector<Value> carried;
  TilesOp tiles = beginTiles({first, firstTurn}, carried, /*inTurns=*/true);
  Tile tile = currentTile();
  TurnsWaitOp::create(b, turns, carried[1], warpgroup);
  SmallVector<Value> results = buildSum(carried[0], tile);
  if (!isOneChain())
    TurnsPassOp::create(b, turns, warpgroup);
  buildEpilogue(ArrayRef<Value>(results).drop_front(), tile);
  Value skipped =
      dynamicDepth ? times(dynamicDepth, others) : i32(others * depth());
  Value next = RingSkipOp::create(b, results.front(), skipped);
  endTiles(tiles, {next, RingNextOp::create(b, carried[1])});
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
  if (hasTensorMemory) {
    SmallVector<Value> slot;
    TilesOp tiles = beginTiles(sumStart, slot);
    buildTensorEpilogue(currentTile(), slot.front());
    endTiles(tiles, RingNextOp::create(b, slot.front()).getResult());
  } else {
    zero = FillOp::create(
        b, fragmentType(),
        arith::ConstantFloatOp::create(b, b.getF32Type(), APFloat(0.0f)));
    if (turns)
      buildTurns();
    else
      buildTiles();
  }
  if (storesThroughShared())
    TmaDrainOp::create(b);
  YieldOp::create(b);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// The number of elements of a buffer, or kDynamic.
static int64_t countElements(std::optional<int64_t> batch, int64_t rows,
                             int64_t columns) {
  for (int64_t extent : {batch.value_or(1), rows, columns})
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
  return batch.value_or(1) * rows * columns;
}

void GemmBuilder::describe(KernelOp kernel) {
  int64_t m = problem.m, n = problem.n, k = problem.k;
  auto elements = [&](int64_t rows, int64_t columns) {
    return countElements(problem.batch, rows, columns);
  };
  unsigned next = 0;
  auto argument = [&](const Twine &name, Type element, int64_t count,
                      bool isResult = false) {
    describeArgument(kernel, next++, name.str(), element, count, isResult);
  };
  argument("lhs", problem.lhs, elements(m, k));
  argument("rhs", problem.rhs, elements(n, k));
  for (auto [index, output] : llvm::enumerate(outputs))
    argument("result" + (index ? Twine(index) : Twine()), output.element,
             output.isAmax ? 2 : elements(m, n), true);
  if (problem.isScaled()) {
    argument("lhs_scale", b.getF32Type(), 1);
    argument("rhs_scale", b.getF32Type(), 1);
  }
  for (unsigned i = 0; problem.epilogue && i < problem.epilogue->inputs.size();
       ++i) {
    const EpilogueInput &input = problem.epilogue->inputs[i];
    argument("extra" + Twine(i), input.element, input.elements);
  }
  if (ShapedType::isDynamic(m))
    argument("m", b.getI32Type(), 1);
  if (problem.batch && ShapedType::isDynamic(*problem.batch))
    argument("batch", b.getI32Type(), 1);
  if (ShapedType::isDynamic(k))
    argument("k", b.getI32Type(), 1);
  if (std::optional<GemmWorkspace> workspace =
          getWorkspace(problem, schedule)) {
    argument("partials", b.getF32Type(), workspace->partials, true);
    argument("counters", b.getI32Type(), workspace->counters, true);
  }
  SmallVector<std::pair<StringRef, StringRef>> words = {
      {"model", target.accumulation.model}};
  std::string epilogue;
  if (problem.epilogue)
    words.emplace_back("epilogue", epilogue = getDigest(*problem.epilogue));
  std::string split = printSplit(problem);
  if (!split.empty())
    words.emplace_back("split", split);
  SmallVector<std::pair<StringRef, int64_t>> numbers = {{"n", n},
                                                        {"promote", promote}};
  for (auto [name, extent] :
       {std::pair<StringRef, int64_t>("k", k),
        std::pair<StringRef, int64_t>("m", m),
        std::pair<StringRef, int64_t>("batch", problem.batch.value_or(1))}) {
    if (ShapedType::isDynamic(extent))
      words.emplace_back(name, "dynamic");
    else
      numbers.emplace_back(name, extent);
  }
  describeKernel(kernel, "contract", numbers, words);
}

SmallVector<Type> GemmBuilder::argumentTypes(SmemType a, SmemType bType) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  SmallVector<Type> types = {
      mapType(problem.m, problem.k, a, schedule.getClusterN()),
      mapType(problem.n, problem.k, bType, schedule.getClusterM())};
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
  bool hasDynamicBatch = problem.batch && ShapedType::isDynamic(*problem.batch);
  types.append(ShapedType::isDynamic(problem.m) + hasDynamicBatch +
                   ShapedType::isDynamic(problem.k),
               b.getI32Type());
  if (sharesSums())
    types.append(2, pointer);
  return types;
}

/// Takes `sizes`, those that the launch decides: m, batch and k.
void GemmBuilder::takeSizes(ArrayRef<Value> sizes) {
  auto tilesOf = [&](Value size, int64_t length) -> Value {
    Value rounded = arith::AddIOp::create(b, size, i32(length - 1));
    return arith::DivUIOp::create(b, rounded, i32(length));
  };
  if (ShapedType::isDynamic(problem.m)) {
    dynamicM = sizes.front();
    rowTiles = tilesOf(dynamicM, schedule.getTileM());
    sizes = sizes.drop_front();
  }
  if (problem.batch && ShapedType::isDynamic(*problem.batch)) {
    dynamicBatch = sizes.front();
    sizes = sizes.drop_front();
  }
  if (ShapedType::isDynamic(problem.k))
    dynamicDepth = tilesOf(sizes.front(), schedule.getTileK());
}

KernelOp GemmBuilder::build(StringRef name) {
  SmemType a = operandType(problem.lhs, schedule.getTileM());
  SmemType bType = operandType(problem.rhs, schedule.getTileN());
  SmallVector<Type> types = argumentTypes(a, bType);
  auto kernel = KernelOp::create(b, name, b.getFunctionType(types, {}),
                                 target.name, threads(), schedule);
  int64_t clusters = target.multiprocessors / schedule.getClusterBlocks();
  clusters = std::clamp<int64_t>(clusters, 1, stepCount());
  kernel.setBlocks(clusters * schedule.getClusterBlocks());
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
  if (problem.epilogue)
    llvm::append_range(inputs, take(problem.epilogue->inputs.size()));
  takeSizes(left);
  if (sharesSums()) {
    partials = left[left.size() - 2];
    counters = left.back();
  }
  bufferA = AllocOp::create(b, a);
  bufferB = AllocOp::create(b, bType);
  for (const EpilogueOutput &output : outputs) {
    bool throughShared = storesWithTMA(problem, output);
    buffers.push_back(
        throughShared
            ? AllocOp::create(b, resultType(output.element)).getResult()
            : Value());
  }
  auto createRing = [&](int64_t stages, Value &first,
                        ArrayRef<int64_t> cluster = {}) {
    MLIRContext *context = b.getContext();
    first = RingStartOp::create(b, SlotType::get(context, stages));
    return RingCreateOp::create(
        b,
        RingType::get(context, stages, schedule.getTileConsumers(), cluster));
  };
  bool isCluster = schedule.getClusterBlocks() > 1;
  ring = createRing(schedule.getStages(), start,
                    isCluster ? schedule.getCluster() : ArrayRef<int64_t>());
  if (hasTensorMemory) {
    auto type = TmemType::get(b.getContext(),
                              {kAccumulatorStages, 128, schedule.getTileN()});
    sumRing = createRing(kAccumulatorStages, sumStart);
    sums = TmemAllocOp::create(b, type);
  }
  if (schedule.isPingPong())
    turns = TurnsCreateOp::create(
        b, TurnsType::get(b.getContext(), schedule.getConsumers()));
  auto roles = RolesOp::create(b);
  b.createBlock(&roles.getBody());
  b.setInsertionPointAfter(roles);
  buildProducer(roles);
  if (hasTensorMemory)
    buildMma(roles);
  buildConsumer(roles);
  if (hasTensorMemory)
    TmemDeallocOp::create(b, sums);
  if (isCluster)
    ClusterBarrierOp::create(b);
  ReturnOp::create(b);
  return kernel;
}

KernelOp mlir::fp8::buildGemmKernel(OpBuilder &b, Location loc, StringRef name,
                                    const GemmProblem &problem,
                                    ScheduleAttr schedule,
                                    const TargetInfo &target) {
  return GemmBuilder(b, loc, problem, schedule, target).build(name);
}
