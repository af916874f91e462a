//===- Registers.cpp - registers of wgmma, setmaxnreg ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only operations that name a register of some wgmma of their function are
// seen here (WatchFlag).
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

using namespace fp8::emulator;
using llvm::StringRef;

/// Rows that a wgmma holds: D, and A when it lies in registers.
static void productRows(const OpInfo &info,
                        llvm::SmallVectorImpl<uint32_t> &written,
                        llvm::SmallVectorImpl<uint32_t> &read) {
  written.append(info.writes.begin(), info.writes.end());
  // A in registers: four of them, then the descriptor of B.
  if (info.reads.size() >= 5)
    read.append(info.reads.begin(), info.reads.begin() + 4);
}

/// Instructions that ptxas moves with their registers: it repairs their order.
static bool isPlain(StringRef text) {
  for (const char *memory : {"ld", "atom", "tex", "tcgen05", "ldmatrix"})
    if (text.starts_with(memory))
      return false;
  return true;
}

void Sanitizer::watched(Warp &warp, const Op &op, uint32_t mask) {
  WarpState &state = stateOf(warp);
  if (op.flags & WatchFlag)
    watchProduct(state, op, mask);
  if (warp.tainted)
    propagate(state, op, mask);
}

void Sanitizer::watchProduct(WarpState &state, const Op &op, uint32_t mask) {
  Warp &warp = *state.warp;
  uint32_t number = opOf(state, op);
  const OpInfo &info = fp8::emulator::infoOf(warp, op);
  if (StringRef(info.text).starts_with("wgmma"))
    return;
  auto check = [&](uint32_t where, bool writes) {
    auto found = state.rows.find({warp.frame, where});
    if (found == state.rows.end())
      return;
    WatchedRow &row = found->second;
    bool busy = row.product > state.productsDone;
    if (busy && (row.accumulates || writes))
      report(
          "accumulator-before-wait", CheckLevel::Error, "registers", 0,
          Touch::generic(state.id, state.epoch, row.productOp, firstLane(mask)),
          touch(state, op, firstLane(mask)),
          std::string(writes ? "write" : "read") +
              " of a register of a wgmma that may still run: expected "
              "wgmma.wait_group before it");
  };
  for (uint32_t where : info.reads)
    check(where, false);
  for (uint32_t where : info.writes) {
    check(where, true);
    WatchedRow &row = state.rows[{warp.frame, where}];
    row.writer = number;
    row.fences = state.wgmmaFences;
    row.plain = isPlain(info.text);
  }
}

void Sanitizer::checkProduct(WarpState &state, const Op &op, uint32_t mask,
                             bool accumulates) {
  uint32_t number = opOf(state, op);
  const OpInfo &info = fp8::emulator::infoOf(*state.warp, op);
  llvm::SmallVector<uint32_t, 128> written, read;
  productRows(info, written, read);
  if (!state.wgmmaFences) {
    Touch self = touch(state, op, firstLane(mask));
    report("missing-wgmma-fence", CheckLevel::Strict, "registers", 0, self,
           Touch(),
           "expected wgmma.fence before the first wgmma of the warpgroup");
  }
  auto use = [&](uint32_t where, bool isD) {
    WatchedRow &row = state.rows[{state.warp->frame, where}];
    bool unfenced = row.writer != ~0u && row.fences == state.wgmmaFences;
    if (unfenced && (!isD || accumulates)) {
      bool some = state.wgmmaFences > state.fencesAtCommit;
      CheckLevel at =
          some && row.plain ? CheckLevel::Strict : CheckLevel::Error;
      unsigned lane = firstLane(mask);
      report("missing-wgmma-fence", at, "registers", 0,
             Touch::generic(state.id, state.epoch, row.writer, lane),
             touch(state, op, lane),
             "wgmma uses a register that was written behind the last "
             "wgmma.fence: expected wgmma.fence between them");
    }
    row.writer = ~0u;
    row.product = state.products;
    row.productOp = number;
    row.accumulates = isD;
  };
  for (uint32_t where : read)
    use(where, false);
  for (uint32_t where : written)
    use(where, true);
}

void Sanitizer::wgmmaCommit(Warp &warp, const Op &op) {
  WarpState &state = stateOf(warp);
  state.productCommits.push_back(state.products);
  state.fencesAtCommit = state.wgmmaFences;
}

void Sanitizer::wgmmaWait(Warp &warp, const Op &op, uint32_t keep) {
  WarpState &state = stateOf(warp);
  auto &commits = state.productCommits;
  if (commits.size() <= keep)
    return;
  state.productsDone = commits[commits.size() - 1 - keep];
  commits.erase(commits.begin(), commits.end() - keep);
  Knowledge done;
  auto clock = std::make_shared<Clock>();
  clock->raise(
      actorKey(ActorKind::Wgmma, state.cta->warps[warp.index / 4 * 4]->id),
      state.productsDone);
  done.base = clock;
  acquire(state, warp.active, done);
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

void Sanitizer::setMaxRegisters(WarpState &state, const Op &op,
                                const std::string &text, uint32_t mask) {
  state.registerChanges.push_back({opOf(state, op), firstLane(mask)});
}

/// All warps of a warpgroup execute the same changes.
void Sanitizer::checkRegisterChanges(CtaState &cta) {
  for (size_t first = 0; first < cta.warps.size(); first += 4) {
    size_t most = first;
    size_t end = std::min(first + 4, cta.warps.size());
    for (size_t i = first; i < end; ++i)
      if (cta.warps[i]->registerChanges.size() >
          cta.warps[most]->registerChanges.size())
        most = i;
    const auto &expected = cta.warps[most]->registerChanges;
    for (size_t i = first; i < end; ++i) {
      const auto &found = cta.warps[i]->registerChanges;
      if (found.size() == expected.size())
        continue;
      auto [number, lane] = expected[found.size()];
      report("setmaxnreg-divergent", CheckLevel::Error, "registers", 0,
             Touch::generic(cta.warps[most]->id, 1, number, lane), Touch(),
             "setmaxnreg was not executed by all warps of the warpgroup: "
             "warp " +
                 std::to_string(i) + " did not");
      break;
    }
  }
}
