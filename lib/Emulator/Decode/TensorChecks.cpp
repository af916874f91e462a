//===- TensorChecks.cpp - what tcgen05 may touch --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults name what an operation found in place of what it needs.
//
//===----------------------------------------------------------------------===//

#include "TensorChecks.h"

using namespace fp8::emulator;

TensorMemory &fp8::emulator::tensorOf(Cta &cta) {
  CtaAsync &state = asyncOf(cta);
  if (!state.tensor)
    state.tensor = std::make_unique<TensorMemory>();
  return *state.tensor;
}

bool fp8::emulator::groupOf(Cta &cta, unsigned group,
                            llvm::SmallVectorImpl<Cta *> &out) {
  if (group == 1) {
    out.push_back(&cta);
    return true;
  }
  uint32_t leader = cta.rank & ~1u;
  if (leader + 1 >= cta.cluster->ctas.size())
    return false;
  out.push_back(cta.cluster->ctas[leader].get());
  out.push_back(cta.cluster->ctas[leader + 1].get());
  return true;
}

bool fp8::emulator::checkGroup(Warp &warp, const Op &op, uint32_t mask,
                               unsigned group) {
  unsigned &seen = asyncOf(*warp.cta).tensorGroup;
  if (!seen)
    seen = group;
  if (seen == group)
    return true;
  fault(warp, op, mask, "tmem-group-mismatch", "tensor", 0,
        "expected .cta_group::" + std::to_string(seen) +
            " as in the block's tcgen05 operations before, found "
            ".cta_group::" +
            std::to_string(group));
  return false;
}

bool fp8::emulator::checkColumns(Warp &warp, const Op &op, uint32_t mask,
                                 llvm::ArrayRef<Cta *> ctas, uint32_t address,
                                 unsigned columns) {
  unsigned first = TensorAddress::decode(address).column;
  for (Cta *cta : ctas) {
    const TensorMemory &memory = tensorOf(*cta);
    if (memory.isAllocated(first, columns))
      continue;
    bool freed = memory.wasFreed(first, columns);
    std::string message = "columns " + std::to_string(first) + " to " +
                          std::to_string(first + columns - 1) +
                          (freed ? " were deallocated" : " are not allocated");
    if (cta != warp.cta)
      message += " in the other block of the pair";
    fault(warp, op, mask,
          freed ? "tmem-use-after-dealloc" : "tmem-out-of-range", "tensor",
          address, message);
    return false;
  }
  return true;
}

void fp8::emulator::addChunks(const Cta &cta, unsigned lane,
                              llvm::ArrayRef<uint32_t> chunks,
                              std::vector<AsyncRange> &out) {
  uint32_t base = cta.rank << SharedRankShift;
  for (uint32_t chunk : chunks) {
    uint32_t at = base | chunk;
    if (!out.empty() && out.back().address + out.back().bytes == at)
      out.back().bytes += 16;
    else
      out.push_back(
          {AccessKind::Read, ptx::Space::Shared, uint8_t(lane), at, 16});
  }
}
