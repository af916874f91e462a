//===- TensorMapCache.cpp - Encoded tensor maps of a context --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptions are compared by value: those of a compiled program lie in memory
// that another program may get after it.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <algorithm>
#include <cassert>
#include <iterator>

using namespace fp8::runtime;

TensorMapCache::Key TensorMapCache::keyOf(const fp8_tensor_map &d) {
  Key key;
  auto *next = key.data();
  for (uint64_t value : {uint64_t(d.type), uint64_t(d.rank), d.address})
    *next++ = value;
  next = std::copy(std::begin(d.dims), std::end(d.dims), next);
  next = std::copy(std::begin(d.strides), std::end(d.strides), next);
  next = std::copy(std::begin(d.box), std::end(d.box), next);
  next = std::copy(std::begin(d.element_strides), std::end(d.element_strides),
                   next);
  for (int value : {d.interleave, d.swizzle, d.l2_promotion, d.oob_fill})
    *next++ = static_cast<uint32_t>(value);
  assert(next == key.end() && "expected a word per field");
  return key;
}

const void *TensorMapCache::find(const fp8_tensor_map &description) {
  auto found = places.find(keyOf(description));
  if (found == places.end())
    return nullptr;
  uses.splice(uses.end(), uses, found->second);
  return found->second->second.bytes.data();
}

const void *TensorMapCache::add(const fp8_tensor_map &description,
                                const EncodedMap &map) {
  if (uses.size() == capacity) {
    places.erase(uses.front().first);
    uses.pop_front();
  }
  uses.emplace_back(keyOf(description), map);
  places[uses.back().first] = std::prev(uses.end());
  return uses.back().second.bytes.data();
}
