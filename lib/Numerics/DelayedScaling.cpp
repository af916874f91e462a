//===- DelayedScaling.cpp - Amax history, record and update ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transitions of one slot. Only record() and update() write, and record() is a
// max and an or: calls commute.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/DelayedScaling.h"

#include <limits>

using namespace fp8::numerics;

namespace {

/// max that drops NaN (CUDA's fmaxf) or keeps it (jnp.max).
float maxOf(float a, float b, bool keepNaN) {
  if (keepNaN && (isNaN(a) || isNaN(b)))
    return fromBits(kNaN32);
  return isNaN(a) || a < b ? b : a;
}

float &row(const DelayedSlot &slot, int64_t index) {
  return slot.history[index * slot.stride];
}

/// The amax that the new scale is computed from.
float windowAmax(const DelayedSlot &slot, const DelayedOptions &options) {
  float amax = row(slot, 0);
  if (options.algo == AmaxAlgo::MostRecent)
    return amax;
  for (int64_t i = 1; i < slot.length; ++i)
    amax = maxOf(amax, row(slot, i), options.mode == Mode::Flax);
  return amax;
}

void roll(const DelayedSlot &slot) {
  float newest = row(slot, 0);
  for (int64_t i = 1; i + 1 < slot.length; ++i)
    row(slot, i) = row(slot, i + 1);
  row(slot, slot.length - 1) = newest;
  row(slot, 0) = 0.0f;
}

ScalePair storedPair(const DelayedSlot &slot) {
  return {*slot.multiplier, canonicalize(1.0f / *slot.multiplier)};
}

} // namespace

bool fp8::numerics::supportsDelayed(Mode mode) {
  return mode == Mode::Safe || mode == Mode::TE || mode == Mode::Flax;
}

void fp8::numerics::initialize(const DelayedSlot &slot) {
  for (int64_t i = 0; i < slot.length; ++i)
    row(slot, i) = 0.0f;
  *slot.multiplier = 1.0f;
  *slot.count = 0;
  *slot.flags = 0;
}

bool fp8::numerics::castReadsAmax(const DelayedOptions &options) {
  return options.mode == Mode::Safe && options.warmup > 0;
}

ScalePair fp8::numerics::castScale(const DelayedSlot &slot, Amax current,
                                   const DelayedOptions &options) {
  if (castReadsAmax(options) && *slot.count < options.warmup) {
    ScaleOptions scaleOptions;
    scaleOptions.margin = options.margin;
    return scaleFromAmax(current, options.format, Mode::Safe, scaleOptions);
  }
  return storedPair(slot);
}

void fp8::numerics::record(const DelayedSlot &slot, Amax amax,
                           const DelayedOptions &options) {
  *slot.flags |= amax.flags;
  row(slot, 0) = maxOf(row(slot, 0), amaxSeenBy(options.mode, amax),
                       options.mode == Mode::Flax);
}

void fp8::numerics::update(const DelayedSlot &slot,
                           const DelayedOptions &options) {
  if (row(slot, 0) == 0.0f && options.mode != Mode::Flax)
    return;
  ScaleOptions scaleOptions;
  scaleOptions.margin = options.margin;
  scaleOptions.previous = storedPair(slot);
  *slot.multiplier = scaleFromRawAmax(windowAmax(slot, options), options.format,
                                      options.mode, scaleOptions)
                         .multiplier;
  roll(slot);
  if (*slot.count < std::numeric_limits<int32_t>::max())
    ++*slot.count;
}
