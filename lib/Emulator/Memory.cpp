//===- Memory.cpp - global memory of the emulated device ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations are sorted by address because addresses are never reused.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Memory.h"

#include <algorithm>

using namespace fp8::emulator;

Allocation &GlobalMemory::allocate(uint64_t bytes, std::string name,
                                   uint64_t align) {
  align = std::max<uint64_t>(align, 256);
  auto allocation = std::make_unique<Allocation>();
  allocation->base = (next + align - 1) & ~(align - 1);
  allocation->size = bytes;
  allocation->name = std::move(name);
  allocation->bytes = std::make_unique<uint8_t[]>(bytes + 32);
  // The gap keeps neighbours apart.
  next = allocation->base + ((bytes + 255) & ~uint64_t(255)) + 4096;
  allocations.push_back(std::move(allocation));
  return *allocations.back();
}

Allocation *GlobalMemory::find(uint64_t address) {
  auto after =
      std::upper_bound(allocations.begin(), allocations.end(), address,
                       [](uint64_t a, const std::unique_ptr<Allocation> &b) {
                         return a < b->base;
                       });
  if (after == allocations.begin())
    return nullptr;
  Allocation *found = std::prev(after)->get();
  return address - found->base < found->size ? found : nullptr;
}

bool GlobalMemory::release(uint64_t base) {
  Allocation *found = find(base);
  if (!found || found->base != base || found->freed)
    return false;
  found->freed = true;
  found->bytes.reset();
  found->defined.clear();
  return true;
}

uint8_t *GlobalMemory::translate(uint64_t address, uint64_t count) {
  Allocation *found = find(address);
  if (!found || found->freed || !found->contains(address, count))
    return nullptr;
  return found->bytes.get() + (address - found->base);
}
