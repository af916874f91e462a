//===- Limits.h - what a device has room for --------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that follow from a target (Target.h) and the limits that all devices
// share (fp8/Support/DeviceLimits.h).
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_LIMITS_H
#define FP8_EMULATOR_LIMITS_H

#include "fp8/Emulator/Target.h"

namespace fp8::emulator {

/// Bytes of device memory of the product whose SM count the target has (data
/// sheets: 80 GiB of an H100, 180 GiB of a B200, ...).
uint64_t deviceMemoryBytes(const Target &target);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_LIMITS_H
