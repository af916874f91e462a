//===- CPUScale.h - Scale rules for compiled code ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Numerics library's rules of scales, one scalar at a time, for compiled
// code. Formats and modes are the numbers of numerics::Format and
// numerics::Mode; flags are numerics::AmaxFlags. Everything is passed as i32 or
// f32, whose calling convention has no choices.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_CPUSCALE_H
#define FP8_RUNTIME_CPUSCALE_H

#include <cstdint>

extern "C" {

/// numerics::scaleFromAmax; `which` 0 is the multiplier, 1 the scale.
float fp8_cpu_scale_from_amax(float amax, int32_t flags, int32_t format,
                              int32_t mode, int32_t margin, int32_t pow2,
                              int32_t which);

/// numerics::castScale of a slot with `multiplier` and `count`.
float fp8_cpu_delayed_scale(float amax, int32_t flags, float multiplier,
                            int32_t count, int32_t format, int32_t mode,
                            int32_t margin, int32_t warmup, int32_t which);

/// The open history entry after numerics::record.
float fp8_cpu_record(float open, float amax, int32_t flags, int32_t mode);

/// The multiplier after numerics::update, given the amax of the window.
float fp8_cpu_update(float window, float multiplier, int32_t format,
                     int32_t mode, int32_t margin);
}

#endif // FP8_RUNTIME_CPUSCALE_H
