//===- GemmBuilder.h - Builds the kernel of a product -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the kernel are in GemmKernel.cpp, sums of several parts in
// GemmSplit.cpp, what becomes of the sums in GemmEpilogue.cpp, and what is
// different with tensor memory in GemmTensorMemory.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOCTA_GEMMBUILDER_H
#define FP8_LIB_CONVERSION_FP8TOCTA_GEMMBUILDER_H

#include "fp8/Conversion/GPU/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace mlir::fp8 {

/// The three numbers of an output tile: of its matrix, row and column. The
/// matrix is null without a batch.
struct Tile {
  Value batch, m, n;
  /// Which part of the sum the block makes; null if all of them.
  Value part = {};
};

/// Builds one kernel. Members that start with `map` are its arguments.
class GemmBuilder {
public:
  GemmBuilder(OpBuilder &builder, Location loc, const GemmProblem &problem,
              cta::ScheduleAttr schedule,
              const ::fp8::target::TargetInfo &target)
      : b(loc, builder), problem(problem), schedule(schedule), target(target),
        promote(getPromotion(problem, target)), outputs(getOutputs(problem)),
        hasTensorMemory(target.hasTensorMemory()) {}

  cta::KernelOp build(StringRef name);

private:
  // Types.
  cta::SmemType operandType(Type element, int64_t rows);
  cta::SmemType resultType(Type element);
  SmallVector<Type> argumentTypes(cta::SmemType a, cta::SmemType bType);
  /// A map whose box is one of `parts` shares of the rows of `buffer`.
  cta::TensorMapType mapType(int64_t rows, int64_t columns,
                             cta::SmemType buffer, int64_t parts = 1);
  cta::FragmentType fragmentType();
  cta::InFlightType inFlightType();

  // Parts of the kernel.
  void describe(cta::KernelOp kernel);
  void takeSizes(ArrayRef<Value> sizes);
  void buildProducer(cta::RolesOp roles);
  void buildConsumer(cta::RolesOp roles);
  void buildTiles();
  void buildTurns();
  /// Tile loop that carries `inits`; their values in an iteration go to
  /// `carried`.
  cta::TilesOp beginTiles(ValueRange inits, SmallVectorImpl<Value> &carried,
                          bool inTurns = false);
  Tile currentTile();
  void endTiles(cta::TilesOp tiles, ValueRange carried);
  void buildLoads(const Tile &tile, Value slot, Value k);
  SmallVector<Value> buildSum(Value slot, const Tile &tile);
  SmallVector<Value> buildPart(Value slot, Value count);
  void buildStage(Value slot, SmallVectorImpl<Value> &sums);
  SmallVector<Value> buildChain(Value slot, Value count, Value &next,
                                bool isLast);
  SmallVector<Value> buildPipelinedChain(Value slot, Value count, Value &next,
                                         bool isLast);
  void buildEpilogue(ArrayRef<Value> sums, const Tile &tile);
  SmallVector<Value> finish(Value sum, int64_t index, const Tile &tile);
  SmallVector<Value> buildBody(ValueRange arguments);
  Value loadInput(unsigned index, Value row, const Tile &tile);
  void storeThroughShared(ArrayRef<SmallVector<Value>> values,
                          const Tile &tile);
  void storeDirectly(unsigned output, Value value, Value row, const Tile &tile);
  void loadScalars();

  // Sums of several parts.
  Value partBegin(Value part);
  Value partDepth(Value part);
  Value selectByPart(Value part, ArrayRef<int64_t> numbers);
  SmallVector<Value> buildParts(Value slot);
  void buildSharedEpilogue(ArrayRef<Value> sums, const Tile &tile);
  Value shareNumber(const Tile &tile);
  bool sharesSums() const { return schedule.getSplit() > 1; }
  bool storesThroughShared() const {
    return llvm::any_of(buffers, [](Value buffer) { return bool(buffer); });
  }

  // With tensor memory.
  void buildMma(cta::RolesOp roles);
  void buildTensorEpilogue(const Tile &tile, Value slot);
  void drainRing(Value slot);

  // Small values. The loop builders below pass `b` itself to their callbacks.
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  Value times(Value value, int64_t factor) {
    return arith::MulIOp::create(b, value, i32(factor));
  }
  /// First row of sub-tile `index` of this warpgroup, in its tile.
  Value subtileRow(int64_t index) {
    if (hasTensorMemory)
      return i32(16 * index);
    if (schedule.isPingPong())
      return i32(64 * index);
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
  /// The same for an output, which is dense.
  Value outputOffset(const Tile &tile) {
    if (!dynamicM || !tile.batch)
      return matrixOffset(tile, dynamicM ? 0 : problem.m * problem.n);
    Value rows = arith::ExtUIOp::create(b, b.getI64Type(), dynamicM);
    return arith::MulIOp::create(b, rows, matrixOffset(tile, problem.n));
  }
  Block *createMap(ValueRange inputs, unsigned results, cta::MapOp &map);
  /// Fragments of one warpgroup's share of the tile.
  int64_t subtiles() const {
    return schedule.getTileM() / (64 * schedule.getTileConsumers());
  }
  /// The sum of a tile is one chain, from its first stage to its last.
  bool isOneChain() const { return promote == 0 && problem.split.empty(); }
  /// Threads of a block: with tensor memory another warpgroup's first thread
  /// issues the matrix instructions.
  int64_t threads() const {
    return schedule.getThreads() + (hasTensorMemory ? 128 : 0);
  }
  /// Output tiles, of a cluster together, for each of the blocks that share
  /// their sums; as many as there can be where the launch decides.
  int64_t stepCount() const {
    if (problem.hasDynamicTiles())
      return std::numeric_limits<int64_t>::max();
    int64_t rows = schedule.getTileM() * schedule.getClusterM();
    int64_t columns = schedule.getTileN() * schedule.getClusterN();
    return problem.batch.value_or(1) * llvm::divideCeil(problem.m, rows) *
           llvm::divideCeil(problem.n, columns) * schedule.getSplit();
  }
  /// Tiles of k, which is known.
  int64_t depth() const {
    return llvm::divideCeil(problem.k, schedule.getTileK());
  }
  /// Tiles of k (i32).
  Value tilesOfK() { return dynamicDepth ? dynamicDepth : i32(depth()); }

  ImplicitLocOpBuilder b;
  const GemmProblem &problem;
  cta::ScheduleAttr schedule;
  const ::fp8::target::TargetInfo &target;
  int64_t promote;
  SmallVector<EpilogueOutput> outputs;
  bool hasTensorMemory;
  Value mapA, mapB, scaleA, scaleB;
  /// Per output: a tensor map, or a pointer where TMA cannot address it; and
  /// its buffer in shared memory, null for a pointer.
  SmallVector<Value> destinations, buffers;
  /// m, the batch, tiles along m and tiles of k (i32) where the launch decides;
  /// else null.
  Value dynamicM, dynamicBatch, rowTiles, dynamicDepth;
  /// Pointers to the epilogue's inputs.
  SmallVector<Value> inputs;
  /// Where blocks that share sums leave their parts, and count themselves.
  Value partials, counters;
  Value bufferA, bufferB, ring, start;
  /// What consumers with a tile each take turns by; null where they share one.
  Value turns;
  /// Accumulators in tensor memory, and the ring that hands them over.
  Value sums, sumRing, sumStart;
  // Of the consumer that is being built.
  Value warpgroup, scale, zero;
  /// Per input of the epilogue that is one number: its value, as f32.
  SmallVector<Value> scalars;
};

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_GEMMBUILDER_H
