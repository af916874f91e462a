//===- Clock.cpp - vector clocks over warps and units ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries are sorted by key; most have no lanes of their own. A page that other
// clocks share is copied before it changes.
//
//===----------------------------------------------------------------------===//

#include "Clock.h"

#include <algorithm>

using namespace fp8::emulator;

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

const ClockPage::Entry *ClockPage::find(ActorKey key) const {
  const Entry *at = std::lower_bound(
      entries.begin(), entries.end(), key,
      [](const Entry &entry, ActorKey wanted) { return entry.key < wanted; });
  return at != entries.end() && at->key == key ? at : nullptr;
}

ClockPage::Entry &ClockPage::get(ActorKey key) {
  Entry *at = std::lower_bound(
      entries.begin(), entries.end(), key,
      [](const Entry &entry, ActorKey wanted) { return entry.key < wanted; });
  if (at == entries.end() || at->key != key)
    at = entries.insert(at, Entry{key, 0, -1});
  return *at;
}

LaneEpochs &ClockPage::lanesOf(Entry &entry) {
  if (entry.lanes < 0) {
    entry.lanes = lanes.size();
    lanes.emplace_back();
    lanes.back().fill(entry.base);
  }
  return lanes[entry.lanes];
}

uint32_t ClockPage::at(ActorKey key, unsigned lane) const {
  const Entry *entry = find(key);
  if (!entry)
    return 0;
  return entry->lanes < 0 ? entry->base
                          : std::max(entry->base, lanes[entry->lanes][lane]);
}

uint32_t ClockPage::most(ActorKey key) const {
  const Entry *entry = find(key);
  if (!entry)
    return 0;
  if (entry->lanes < 0)
    return entry->base;
  const LaneEpochs &list = lanes[entry->lanes];
  return std::max(entry->base, *std::max_element(list.begin(), list.end()));
}

uint32_t ClockPage::base(ActorKey key) const {
  const Entry *entry = find(key);
  return entry ? entry->base : 0;
}

void ClockPage::settle(Entry &entry) {
  const LaneEpochs &list = lanes[entry.lanes];
  auto [least, most] = std::minmax_element(list.begin(), list.end());
  entry.base = std::max(entry.base, *least);
  if (*most > entry.base)
    return;
  // The last array takes the place of the one that is no longer needed.
  int32_t freed = entry.lanes, last = lanes.size() - 1;
  entry.lanes = -1;
  if (freed != last) {
    lanes[freed] = lanes[last];
    for (Entry &other : entries)
      if (other.lanes == last)
        other.lanes = freed;
  }
  lanes.pop_back();
}

void ClockPage::raise(ActorKey key, uint32_t epoch) {
  Entry &entry = get(key);
  entry.base = std::max(entry.base, epoch);
  if (entry.lanes >= 0)
    settle(entry);
}

void ClockPage::raise(ActorKey key, uint32_t mask, const LaneEpochs &epochs) {
  Entry &entry = get(key);
  LaneEpochs &list = lanesOf(entry);
  for (unsigned i = 0; i < 32; ++i)
    if (mask >> i & 1)
      list[i] = std::max(list[i], epochs[i]);
  settle(entry);
}

void ClockPage::join(const ClockPage &other) {
  llvm::SmallVector<Entry, 8> merged;
  merged.reserve(std::max(entries.size(), other.entries.size()));
  size_t i = 0, k = 0;
  while (i < entries.size() || k < other.entries.size()) {
    if (k == other.entries.size() ||
        (i < entries.size() && entries[i].key < other.entries[k].key)) {
      merged.push_back(entries[i++]);
      continue;
    }
    const Entry &from = other.entries[k];
    Entry entry{from.key, from.base, -1};
    if (i < entries.size() && entries[i].key == from.key) {
      entry = entries[i++];
      entry.base = std::max(entry.base, from.base);
    }
    ++k;
    if (from.lanes >= 0) {
      LaneEpochs &list = lanesOf(entry);
      const LaneEpochs &source = other.lanes[from.lanes];
      for (unsigned lane = 0; lane < 32; ++lane)
        list[lane] = std::max({list[lane], source[lane], entry.base});
    }
    merged.push_back(entry);
  }
  entries = std::move(merged);
  for (Entry &entry : entries)
    if (entry.lanes >= 0)
      settle(entry);
}

bool ClockPage::covers(const ClockPage &other) const {
  size_t i = 0;
  for (const Entry &wanted : other.entries) {
    while (i < entries.size() && entries[i].key < wanted.key)
      ++i;
    if (i == entries.size() || entries[i].key != wanted.key)
      return false;
    const Entry &entry = entries[i];
    if (entry.base < wanted.base) {
      if (entry.lanes < 0)
        return false;
      const LaneEpochs &list = lanes[entry.lanes];
      for (uint32_t epoch : list)
        if (epoch < wanted.base)
          return false;
    }
    if (wanted.lanes < 0)
      continue;
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint32_t have = entry.lanes < 0
                          ? entry.base
                          : std::max(entry.base, lanes[entry.lanes][lane]);
      if (have < other.lanes[wanted.lanes][lane])
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

/// The first slot that is not before `number`.
template <typename Slots>
static auto *slotOf(Slots &slots, uint32_t number) {
  return std::lower_bound(
      slots.begin(), slots.end(), number,
      [](const auto &slot, uint32_t wanted) { return slot.number < wanted; });
}

const ClockPage *Clock::find(ActorKey key) const {
  uint32_t number = key >> ClockPage::keyBits;
  const Slot *at = slotOf(slots, number);
  return at != slots.end() && at->number == number ? at->page.get() : nullptr;
}

/// The page for changes: a copy of its own where others have it, too.
static ClockPage &owned(std::shared_ptr<ClockPage> &page) {
  if (page.use_count() > 1)
    page = std::make_shared<ClockPage>(*page);
  return *page;
}

ClockPage &Clock::own(ActorKey key) {
  uint32_t number = key >> ClockPage::keyBits;
  Slot *at = slotOf(slots, number);
  if (at == slots.end() || at->number != number)
    at = slots.insert(at, Slot{number, std::make_shared<ClockPage>()});
  return owned(at->page);
}

void Clock::raise(ActorKey key, uint32_t mask, uint32_t epoch) {
  ClockPage &page = own(key);
  if (mask == ~0u) {
    page.raise(key, epoch);
    return;
  }
  LaneEpochs all;
  all.fill(epoch);
  page.raise(key, mask, all);
}

void Clock::join(const Clock &other) {
  llvm::SmallVector<Slot, 2> merged;
  merged.reserve(std::max(slots.size(), other.slots.size()));
  size_t i = 0;
  for (const Slot &from : other.slots) {
    while (i < slots.size() && slots[i].number < from.number)
      merged.push_back(std::move(slots[i++]));
    if (i == slots.size() || slots[i].number != from.number) {
      merged.push_back(from);
      continue;
    }
    Slot &into = slots[i++];
    if (into.page != from.page && !into.page->covers(*from.page)) {
      if (from.page->covers(*into.page))
        into.page = from.page;
      else
        owned(into.page).join(*from.page);
    }
    merged.push_back(std::move(into));
  }
  while (i < slots.size())
    merged.push_back(std::move(slots[i++]));
  slots = std::move(merged);
}

bool Clock::covers(const Clock &other) const {
  size_t i = 0;
  for (const Slot &wanted : other.slots) {
    while (i < slots.size() && slots[i].number < wanted.number)
      ++i;
    if (i == slots.size() || slots[i].number != wanted.number)
      return false;
    if (slots[i].page != wanted.page && !slots[i].page->covers(*wanted.page))
      return false;
  }
  return true;
}

void fp8::emulator::join(ClockRef &into, const ClockRef &from) {
  if (!from || into == from)
    return;
  if (!into || from->covers(*into)) {
    into = from;
    return;
  }
  if (into->covers(*from))
    return;
  auto both = std::make_shared<Clock>(*into);
  both->join(*from);
  into = std::move(both);
}

void Knowledge::acquireRelaxed(const Knowledge &from) {
  join(tensor, from.tensor);
  join(tensorReleased, from.tensorReleased);
  join(inits, from.inits);
}

void Knowledge::acquire(const Knowledge &from) {
  join(base, from.base);
  for (unsigned s = 0; s < NumProxied; ++s)
    join(proxied[s], from.proxied[s]);
  join(proxiedOwn, from.proxiedOwn);
  for (unsigned i = 0; i < NumReaches; ++i)
    join(fenced[i], from.fenced[i]);
  join(narrowRemote, from.narrowRemote);
  join(narrow, from.narrow);
  acquireRelaxed(from);
}

bool Knowledge::operator==(const Knowledge &other) const {
  return base == other.base && proxied == other.proxied &&
         proxiedOwn == other.proxiedOwn && fenced == other.fenced &&
         narrowRemote == other.narrowRemote && narrow == other.narrow &&
         inits == other.inits && tensor == other.tensor &&
         tensorReleased == other.tensorReleased &&
         tensorFenced == other.tensorFenced;
}
