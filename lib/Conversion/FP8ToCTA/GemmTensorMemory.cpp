//===- GemmTensorMemory.cpp - Products whose sums are in tensor memory ----===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The producer fills the operands' ring as on every target. One thread of a
// second role issues the matrix instructions; their completion releases the
// operands and hands the accumulator over. The consumer stores one accumulator
// while the next is written.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;

/// A whole sum is one chain: the first instruction starts from zero.
void GemmBuilder::buildMma(RolesOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&roles.getBody().front());
  auto role = RoleOp::create(b, RoleKind::mma, 4, schedule.getRegisters()[0]);
  b.createBlock(&role.getBody());
  SmallVector<Value> slots;
  TilesOp tiles = beginTiles({start, sumStart}, slots);
  Value sumSlot = slots[1];
  // The consumer has read what this accumulator held.
  RingAcquireOp::create(b, sumRing, sumSlot, /*bytes=*/0);
  Tcgen05FenceOp::create(b, FenceSide::after);
  auto loop = scf::ForOp::create(
      b, i32(0), i32(depth()), i32(1), slots[0],
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        Value slot = carried[0];
        Value accumulate =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ne, index, i32(0));
        RingWaitOp::create(b, ring, slot);
        Tcgen05FenceOp::create(b, FenceSide::after);
        Tcgen05MmaOp::create(b, sums, sumSlot, bufferA, bufferB, slot,
                             ArrayRef<int64_t>{0, schedule.getTileK()},
                             accumulate);
        Tcgen05CommitOp::create(b, ring, slot, BarrierKind::empty);
        Value next = RingNextOp::create(b, slot);
        scf::YieldOp::create(b, next);
      });
  Tcgen05CommitOp::create(b, sumRing, sumSlot, BarrierKind::full);
  Value next = RingNextOp::create(b, sumSlot);
  endTiles(tiles, {loop.getResult(0), next});
  YieldOp::create(b);
}

/// One pass over the ring from `slot` on: nobody arrives on a barrier of a
/// block that is gone.
void GemmBuilder::drainRing(Value slot) {
  scf::ForOp::create(b, i32(0), i32(schedule.getStages()), i32(1), slot,
                     [&](OpBuilder &, Location, Value, ValueRange carried) {
                       RingAcquireOp::create(b, ring, carried[0], /*bytes=*/0);
                       Value next = RingNextOp::create(b, carried[0]);
                       scf::YieldOp::create(b, next);
                     });
}

/// Half of the rows at a time: a warp's 32 lanes are two fragments. The barrier
/// that lets one thread start the copies also lets it hand the accumulator
/// back.
void GemmBuilder::buildTensorEpilogue(const Tile &tile, Value slot) {
  RingWaitOp::create(b, sumRing, slot);
  Tcgen05FenceOp::create(b, FenceSide::after);
  if (storesThroughShared()) {
    TmaDrainOp::create(b);
    cta::BarrierOp::create(b, warpgroup);
  }
  Value stage = i32(0);
  for (int64_t half = 0; half < subtiles(); ++half) {
    int64_t row = 16 * half;
    Value sum = Tcgen05LoadOp::create(b, fragmentType(), sums, slot, row);
    SmallVector<Value> values = finish(sum, half, tile);
    for (unsigned output = 0; output < outputs.size(); ++output) {
      if (buffers[output])
        StoreOp::create(b, values[output], buffers[output], stage, row);
      else
        storeDirectly(output, values[output], matrixRow(tile, half), tile);
    }
  }
  Tcgen05FenceOp::create(b, FenceSide::before);
  if (storesThroughShared())
    FenceAsyncOp::create(b);
  cta::BarrierOp::create(b, warpgroup);
  RingReleaseOp::create(b, sumRing, slot);
  Value row = times(tile.m, schedule.getTileM()), column = matrixColumn(tile);
  for (auto [buffer, destination] : llvm::zip_equal(buffers, destinations))
    if (buffer)
      TmaStoreOp::create(b, buffer, stage, destination, at(tile, row, column));
}
