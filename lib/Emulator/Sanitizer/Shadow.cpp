//===- Shadow.cpp - who touched which bytes last --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splitting copies each cell, and its set of readers, to the smaller ones.
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

using namespace fp8::emulator;

uint32_t ReaderPool::take() {
  if (unused.empty()) {
    sets.emplace_back();
    return sets.size() - 1;
  }
  uint32_t index = unused.back();
  unused.pop_back();
  return index;
}

void ReaderPool::give(uint32_t index) {
  sets[index].clear();
  unused.push_back(index);
}

void ShadowPage::split(unsigned alignment, ReaderPool &pool) {
  unsigned smaller = alignment & 3 ? 0 : 2;
  unsigned parts = 1u << (shift - smaller);
  std::vector<ShadowCell> fine(ShadowPageBytes >> smaller);
  for (size_t i = 0; i < cells.size(); ++i)
    for (unsigned k = 0; k < parts; ++k) {
      ShadowCell &cell = fine[i * parts + k];
      cell = cells[i];
      if (k && cell.read.isSet()) {
        uint32_t copy = pool.take();
        pool[copy] = pool[cell.read.setIndex()];
        cell.read = Touch::set(copy);
      }
    }
  cells = std::move(fine);
  shift = smaller;
}
