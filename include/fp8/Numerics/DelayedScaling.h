//===- DelayedScaling.h - Amax history, record and update -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of delayed scaling and its three transitions:
//
//   multiplier  what the cast of this step uses; reads the state only
//   record      max of the current amax into the open slot, row 0
//   update      new scale from the window, roll, clear row 0; once per
//   optimizer
//               step, so that N records and one update equal one record of the
//               merged batch and one update, bit for bit
//
// Modes: TE is Transformer Engine's fused kernel; Safe differs from it where
// its description says so; Flax is fp8_ops with its update moved to the end of
// the step, which gives the same scale to every cast.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_DELAYEDSCALING_H
#define FP8_NUMERICS_DELAYEDSCALING_H

#include "fp8/Numerics/Scale.h"

namespace fp8::numerics {

/// How the window becomes one amax.
enum class AmaxAlgo : uint8_t { Max, MostRecent };

/// Options of the recipe, one set for all tensors of one format.
struct DelayedOptions {
  Mode mode = Mode::Safe;
  Format format = Format::E4M3FN;
  AmaxAlgo algo = AmaxAlgo::Max;
  int margin = 0;
  /// Safe only: until this many updates saw the slot, casts use the current
  /// amax. 0 disables, which is what TE does.
  int warmup = 1;
};

/// True for the modes that define delayed scaling: Safe, TE, Flax.
bool supportsDelayed(Mode mode);

/// One tensor's column of the state. `history` points at `length` values that
/// lie `stride` elements apart: row 0 is the open slot, rows 1.. are oldest to
/// newest, as in Transformer Engine's checkpoints.
struct DelayedSlot {
  float *history;
  int64_t length;
  int64_t stride;
  float *multiplier;
  int32_t *count;
  uint8_t *flags;
};

/// What a slot holds before the first step: history 0, multiplier 1, count 0,
/// flags 0.
void initialize(const DelayedSlot &slot);

/// Whether castScale() reads the current amax for as long as count < warmup;
/// otherwise it never does.
bool castReadsAmax(const DelayedOptions &options);

/// The pair that the cast of this step uses. Safe: that of `current` while
/// count < warmup, else the stored multiplier S as {S, rn(1/S)}.
/// Flax: {S, rn(1/S)} too: the state holds S = sf.
ScalePair castScale(const DelayedSlot &slot, Amax current,
                    const DelayedOptions &options);

/// Takes an amax into the open slot and its flags into the slot's flags (which
/// stay until the user clears them). Safe records the finite amax, TE also an
/// infinite one, Flax also NaN.
void record(const DelayedSlot &slot, Amax amax, const DelayedOptions &options);

/// Closes the open slot.
///
///   Safe, TE   nothing at all if row 0 is 0 (the tensor was not cast, or all
///              zero). Else amax = max of the window including row 0 (or row 0
///              alone); S = rn(max * 2^-margin / amax), infinity -> FLT_MAX, if
///              amax is finite and positive; rows move up by one, the old row
///              1 leaves, row 0 becomes the newest row; row 0 = 0; count + 1.
///   Flax       always rolls; S keeps its value if amax is 0 or not finite.
void update(const DelayedSlot &slot, const DelayedOptions &options);

} // namespace fp8::numerics

#endif // FP8_NUMERICS_DELAYEDSCALING_H
