//===- EmulatorMachine.h - The PTX emulator as a device ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Connects the emulated driver to the PTX emulator.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_EMULATORMACHINE_H
#define FP8_RUNTIME_EMULATORMACHINE_H

#include "fp8/Runtime/Machine.h"

#include <functional>

namespace fp8::emulator {
class Monitor;
} // namespace fp8::emulator

namespace fp8::runtime {

struct EmulatorConfig {
  std::string target = "sm_90a";
  /// Multiprocessors; 0 takes the target's number.
  unsigned sms = 0;
  uint64_t seed = 0;
  /// "none", "error" or "strict".
  std::string check = "error";
  /// "hardware" or "exact".
  std::string mmaModel = "hardware";
  /// Sees every launch, beside the checks; may be null.
  emulator::Monitor *observer = nullptr;
  /// Receives each finding of the sanitizer, one line, when it is found.
  std::function<void(const std::string &)> finding;
};

/// Reads "key = value" lines (target, sms, seed, check, mma-model; '#' starts a
/// comment). False and a reason for an unknown key or value.
bool parseEmulatorConfig(const std::string &text, EmulatorConfig &config,
                         std::string &error);

/// The device; null and a reason if the target is unknown. A kernel in which
/// the sanitizer finds something at the chosen level fails its launch.
std::unique_ptr<Machine> createEmulatorMachine(const EmulatorConfig &config,
                                               std::string &error);

} // namespace fp8::runtime

#endif // FP8_RUNTIME_EMULATORMACHINE_H
