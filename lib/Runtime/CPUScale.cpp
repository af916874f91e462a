//===- CPUScale.cpp - Scale rules for compiled code -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adapters: a slot of length 1 holds the scalars of a call.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/CPUScale.h"
#include "fp8/Numerics/DelayedScaling.h"

using namespace fp8::numerics;

namespace {
/// A delayed-scaling slot with a history of one entry.
struct OneSlot {
  float entry = 0.0f, multiplier = 1.0f;
  int32_t count = 0;
  uint8_t flags = 0;

  DelayedSlot slot() { return {&entry, 1, 1, &multiplier, &count, &flags}; }
};
} // namespace

static float choose(ScalePair pair, int32_t which) {
  return which == 0 ? pair.multiplier : pair.scale;
}

float fp8_cpu_scale_from_amax(float amax, int32_t flags, int32_t format,
                              int32_t mode, int32_t margin, int32_t pow2,
                              int32_t which) {
  ScaleOptions options;
  options.margin = margin;
  options.pow2 = pow2 != 0;
  return choose(scaleFromAmax({amax, static_cast<uint8_t>(flags)},
                              static_cast<Format>(format),
                              static_cast<Mode>(mode), options),
                which);
}

float fp8_cpu_delayed_scale(float amax, int32_t flags, float multiplier,
                            int32_t count, int32_t format, int32_t mode,
                            int32_t margin, int32_t warmup, int32_t which) {
  OneSlot state;
  state.multiplier = multiplier;
  state.count = count;
  DelayedOptions options;
  options.mode = static_cast<Mode>(mode);
  options.format = static_cast<Format>(format);
  options.margin = margin;
  options.warmup = warmup;
  return choose(
      castScale(state.slot(), {amax, static_cast<uint8_t>(flags)}, options),
      which);
}

float fp8_cpu_record(float open, float amax, int32_t flags, int32_t mode) {
  OneSlot state;
  state.entry = open;
  DelayedOptions options;
  options.mode = static_cast<Mode>(mode);
  record(state.slot(), {amax, static_cast<uint8_t>(flags)}, options);
  return state.entry;
}

float fp8_cpu_update(float window, float multiplier, int32_t format,
                     int32_t mode, int32_t margin) {
  OneSlot state;
  state.entry = window;
  state.multiplier = multiplier;
  DelayedOptions options;
  options.mode = static_cast<Mode>(mode);
  options.format = static_cast<Format>(format);
  options.algo = AmaxAlgo::MostRecent;
  options.margin = margin;
  update(state.slot(), options);
  return state.multiplier;
}
