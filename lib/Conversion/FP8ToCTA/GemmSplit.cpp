//===- GemmSplit.cpp - Sums of several parts ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a sum are added in ascending k, starting from zero: by the block
// that makes all of them, one after the other, or by the last one of the blocks
// that make one each. Which one that is does not show.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;

/// Output tiles along m and n of a cluster's blocks together.
static std::array<int64_t, 2> countTiles(const GemmProblem &problem,
                                         ScheduleAttr schedule) {
  int64_t m = ShapedType::isDynamic(problem.m) ? problem.mostRows : problem.m;
  auto count = [](int64_t extent, int64_t tile, int64_t blocks) {
    int64_t tiles = llvm::divideCeil(extent, tile);
    return static_cast<int64_t>(llvm::alignTo(tiles, blocks));
  };
  return {count(m, schedule.getTileM(), schedule.getClusterM()),
          count(problem.n, schedule.getTileN(), schedule.getClusterN())};
}

std::optional<GemmWorkspace> mlir::fp8::getWorkspace(const GemmProblem &problem,
                                                     ScheduleAttr schedule) {
  if (schedule.getSplit() == 1)
    return std::nullopt;
  auto [rows, columns] = countTiles(problem, schedule);
  int64_t tiles = problem.batch.value_or(1) * rows * columns;
  GemmWorkspace workspace;
  workspace.partials =
      tiles * schedule.getSplit() * schedule.getTileM() * schedule.getTileN();
  // Two of them are cleared at a time.
  workspace.counters =
      static_cast<int64_t>(llvm::alignTo(tiles * schedule.getConsumers(), 2));
  return workspace;
}

/// The number (i32) of `numbers` that stands at `part` (i32).
Value GemmBuilder::selectByPart(Value part, ArrayRef<int64_t> numbers) {
  Value result = i32(numbers.back());
  for (auto [index, number] : llvm::enumerate(numbers.drop_back())) {
    Value own = i32(number);
    Value isPart = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part,
                                         i32(static_cast<int64_t>(index)));
    result = arith::SelectOp::create(b, isPart, own, result);
  }
  return result;
}

/// First stage of part `part` (i32) of the sum.
Value GemmBuilder::partBegin(Value part) {
  SmallVector<int64_t> stages{0};
  for (int64_t boundary : problem.split)
    stages.push_back(boundary / schedule.getTileK());
  return selectByPart(part, stages);
}

/// Stages of part `part` (i32) of the sum.
Value GemmBuilder::partDepth(Value part) {
  int64_t begin = 0;
  SmallVector<int64_t> stages;
  for (int64_t boundary : problem.split) {
    int64_t end = boundary / schedule.getTileK();
    stages.push_back(end - begin);
    begin = end;
  }
  stages.push_back(depth() - begin);
  return selectByPart(part, stages);
}

/// All parts in one block.
SmallVector<Value> GemmBuilder::buildParts(Value slot) {
  auto parts = static_cast<int64_t>(problem.split.size()) + 1;
  SmallVector<Value> inits{slot};
  inits.append(subtiles(), zero);
  auto loop = scf::ForOp::create(
      b, i32(0), i32(parts), i32(1), inits,
      [&](OpBuilder &, Location, Value part, ValueRange carried) {
        SmallVector<Value> results =
            buildPart(carried.front(), partDepth(part));
        for (auto [sum, whole] : llvm::zip_equal(
                 MutableArrayRef(results).drop_front(), carried.drop_front()))
          sum = add(whole, sum);
        scf::YieldOp::create(b, results);
      });
  return SmallVector<Value>(loop.getResults());
}

/// The number (i64) of this warpgroup's share of `tile` among all. A cluster's
/// tiles may go beyond the matrix.
Value GemmBuilder::shareNumber(const Tile &tile) {
  auto [rows, columns] = countTiles(problem, schedule);
  Value row = tile.m;
  if (tile.batch)
    row = arith::AddIOp::create(b, times(tile.batch, rows), row);
  Value number = arith::AddIOp::create(b, times(row, columns), tile.n);
  Value share = arith::AddIOp::create(b, times(number, schedule.getConsumers()),
                                      warpgroup);
  return arith::ExtUIOp::create(b, b.getI64Type(), share);
}

/// Leaves this block's part; the last block adds all and goes on with the tile.
void GemmBuilder::buildSharedEpilogue(ArrayRef<Value> sums, const Tile &tile) {
  int64_t parts = schedule.getSplit();
  Value share = shareNumber(tile);
  Value first = arith::MulIOp::create(b, share, i64(parts * subtiles()));
  // Where fragment `index` of part `part` (i32) is.
  auto offset = [&](Value part, int64_t index) -> Value {
    Value fragment = arith::AddIOp::create(
        b, first,
        arith::ExtUIOp::create(b, b.getI64Type(), times(part, subtiles())));
    fragment = arith::AddIOp::create(b, fragment, i64(index));
    return arith::MulIOp::create(b, fragment, i64(64 * schedule.getTileN()));
  };
  for (auto [index, sum] : llvm::enumerate(sums))
    StorePartialOp::create(b, sum, partials, offset(tile.part, index));
  Value isLast = ArriveLastOp::create(b, counters, share, parts, warpgroup);
  auto ifOp = scf::IfOp::create(b, isLast, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> inits(sums.size(), zero);
  auto loop = scf::ForOp::create(
      b, i32(0), i32(parts), i32(1), inits,
      [&](OpBuilder &, Location, Value part, ValueRange carried) {
        SmallVector<Value> wholes;
        for (auto [index, whole] : llvm::enumerate(carried))
          wholes.push_back(
              add(whole, LoadPartialOp::create(b, fragmentType(), partials,
                                               offset(part, index))));
        scf::YieldOp::create(b, wholes);
      });
  SmallVector<Value> wholes(loop.getResults());
  buildEpilogue(wholes, tile);
}
