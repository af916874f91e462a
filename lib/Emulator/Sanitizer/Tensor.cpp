//===- Tensor.cpp - order of accesses to tensor memory --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products, copies and shifts of one thread are pipelined. Loads and stores
// are complete for their warp after tcgen05.wait; a commit's barrier says that
// the thread's products are. The fences matter at level strict only.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "fp8/Emulator/TensorMemory.h"

using namespace fp8::emulator;

static constexpr unsigned LanesPerCell = 16;

static bool isPipelined(AsyncKind kind) {
  return kind == AsyncKind::TensorMma || kind == AsyncKind::TensorCopy ||
         kind == AsyncKind::TensorShift;
}

void Sanitizer::tensorWait(WarpState &state, uint32_t mask, bool loads) {
  ActorKey key =
      actorKey(loads ? ActorKind::TcgenLoad : ActorKind::TcgenStore, state.id);
  Knowledge done;
  auto clock = std::make_shared<Clock>();
  clock->raise(key, loads ? state.loadsIssued : state.storesIssued);
  done.tensor = clock;
  update(state, mask, [&](LaneGroup &group) {
    join(group.known.tensor, done.tensor);
    // The warp itself needs no fence.
    join(group.known.tensorFenced, done.tensor);
  });
}

void Sanitizer::tensorAccess(WarpState &state, uint64_t index, unsigned lane,
                             const TensorRange &range) {
  CtaState &cta = stateOf(*range.cta);
  if (cta.tensor.empty())
    cta.tensor.resize(TensorMemoryLanes / LanesPerCell * TensorMemoryColumns);
  LaneGroup &group = state.groupOf(lane);
  bool writes = range.kind != AccessKind::Read;
  for (unsigned block = range.lane / LanesPerCell;
       block <= (range.lane + range.lanes - 1) / LanesPerCell; ++block)
    for (unsigned k = 0; k < range.columns; ++k) {
      unsigned column = (range.column + k) % TensorMemoryColumns;
      unsigned row = block % (TensorMemoryLanes / LanesPerCell);
      tensorCell(state, group, index, lane,
                 cta.tensor[row * TensorMemoryColumns + column], writes,
                 row * LanesPerCell << 16 | column);
    }
}

void Sanitizer::tensorCell(WarpState &state, LaneGroup &group, uint64_t index,
                           unsigned lane, ShadowCell &cell, bool writes,
                           uint32_t address) {
  if (cell.write)
    tensorConflict(state, group, index, lane, cell.write, true, writes,
                   address);
  Now now{&state, &group, lane, Touch::async(index, lane)};
  now.record = &records[index];
  now.holder = state.cta;
  if (!writes) {
    addRead(now, cell);
    return;
  }
  if (cell.read.isSet()) {
    for (const Reader &reader : pool[cell.read.setIndex()])
      tensorConflict(state, group, index, lane, reader.touch, false, true,
                     address);
  } else if (cell.read) {
    tensorConflict(state, group, index, lane, cell.read, false, true, address);
  }
  dropReads(cell);
  cell.write = now.self;
}

void Sanitizer::tensorConflict(WarpState &state, LaneGroup &group,
                               uint64_t index, unsigned lane, Touch earlier,
                               bool earlierWrites, bool writes,
                               uint32_t address) {
  const AsyncRecord &before = records[earlier.index()];
  const AsyncRecord &now = records[index];
  Touch self = Touch::async(index, lane);
  bool pipelined = isPipelined(before.kind);
  if (pipelined && isPipelined(now.kind)) {
    bool same = before.warp == state.id && earlier.lane() == lane;
    ActorKey issuer = actorKey(ActorKind::Warp, before.warp);
    if (same || at(group.known.base, issuer, earlier.lane()) >= before.epoch ||
        at(group.known.tensor, before.key, earlier.lane()) >= before.sequence)
      return;
    report("tmem-race", CheckLevel::Error, "tensor", address, earlier, self,
           "tcgen05 operations of two threads are not ordered: expected a "
           "barrier, or a commit and a wait, between them");
    return;
  }
  if (at(group.known.tensor, before.key, earlier.lane()) >= before.sequence) {
    if (at(group.known.tensorFenced, before.key, earlier.lane()) <
        before.sequence)
      report("missing-tcgen05-fence", CheckLevel::Strict, "tensor", address,
             earlier, self,
             "expected tcgen05.fence::before_thread_sync and "
             "::after_thread_sync around the synchronisation between them");
    return;
  }
  const char *kind, *edge;
  if (pipelined) {
    kind =
        earlierWrites ? "tmem-read-before-commit" : "tmem-overwrite-while-read";
    edge = "tcgen05.commit and a wait on its mbarrier";
  } else if (before.kind == AsyncKind::TensorStore) {
    kind = "missing-tcgen05-wait";
    edge = "tcgen05.wait::st of the storing warp, and an edge";
  } else {
    kind = before.warp == state.id && now.kind == AsyncKind::TensorStore
               ? "missing-tcgen05-wait"
               : "tmem-overwrite-while-read";
    edge = "tcgen05.wait::ld of the loading warp, and an edge";
  }
  report(kind, CheckLevel::Error, "tensor", address, earlier, self,
         std::string(writes ? "write" : "read") +
             " of tensor memory is not ordered after the " +
             (earlierWrites ? "write" : "read") + " before it: expected " +
             edge);
}

void Sanitizer::tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                            uint32_t columns) {
  WarpState &state = stateOf(warp);
  state.cta->allocations.push_back(
      {column, columns, touch(state, op, firstLane(warp.active))});
  std::vector<uint16_t> &undefined = state.cta->tensorUndefined;
  undefined.resize(TensorMemoryLanes / LanesPerCell * TensorMemoryColumns);
  for (unsigned row = 0; row < TensorMemoryLanes / LanesPerCell; ++row)
    std::fill_n(undefined.begin() + row * TensorMemoryColumns + column, columns,
                0xffff);
  for (unsigned row = 0; row < TensorMemoryLanes / LanesPerCell; ++row)
    for (unsigned k = 0; k < columns && !state.cta->tensor.empty(); ++k) {
      ShadowCell &cell =
          state.cta->tensor[row * TensorMemoryColumns + column + k];
      dropReads(cell);
      cell.write = Touch();
    }
}

void Sanitizer::tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                              uint32_t columns) {
  WarpState &state = stateOf(warp);
  CtaState &cta = *state.cta;
  unsigned lane = firstLane(warp.active);
  LaneGroup &group = state.groupOf(lane);
  Touch self = touch(state, op, lane);
  llvm::erase_if(cta.allocations, [&](const TensorBlock &block) {
    return block.column == column;
  });
  auto check = [&](Touch earlier, uint32_t address) {
    const AsyncRecord &before = records[earlier.index()];
    if (at(group.known.tensor, before.key, earlier.lane()) >= before.sequence)
      return;
    report("tmem-dealloc-in-use", CheckLevel::Error, "tensor", address, earlier,
           self,
           "tcgen05.dealloc while an operation on the columns may be on its "
           "way: expected its completion, and an edge to the deallocating "
           "warp");
  };
  if (cta.tensor.empty())
    return;
  for (unsigned row = 0; row < TensorMemoryLanes / LanesPerCell; ++row)
    for (unsigned k = column; k < column + columns; ++k) {
      ShadowCell &cell = cta.tensor[row * TensorMemoryColumns + k];
      uint32_t address = row * LanesPerCell << 16 | k;
      if (cell.write)
        check(cell.write, address);
      if (cell.read.isSet())
        for (const Reader &reader : pool[cell.read.setIndex()])
          check(reader.touch, address);
      else if (cell.read)
        check(cell.read, address);
    }
}
