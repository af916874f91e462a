//===- Target.h - limits and features of the emulated devices ---*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a device of each compute capability accepts at launch and at load.
// Limits are those of the CUDA programming guide's table of compute
// capabilities.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TARGET_H
#define FP8_EMULATOR_TARGET_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace fp8::emulator {

struct Target {
  const char *name;
  /// 89, 90, 100, 103, 120, ...
  unsigned capability;
  unsigned sms;
  unsigned maxThreadsPerSM;
  unsigned maxBlocksPerSM;
  /// Bytes of shared memory: one block (static plus dynamic) and one SM.
  unsigned maxSharedPerBlock;
  unsigned sharedPerSM;
  unsigned maxClusterSize;
  bool hasClusters, hasTMA, hasWgmma, hasTcgen05;

  /// Whether it is an "a" or "f" form: has what only its own architecture or
  /// family has.
  bool isSpecific() const {
    llvm::StringRef text = name;
    return text.ends_with("a") || text.ends_with("f");
  }
};

/// The target called `name` ("sm_90a"), or null. sm_90, sm_100 and the like
/// are targets without the features that need their "a" or "f" form.
const Target *findTarget(llvm::StringRef name);

/// Names of all targets, separated by commas.
std::string targetNames();

/// Whether a module compiled for `module` (the .target word) runs on `device`.
bool isCompatible(llvm::StringRef module, const Target &device);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TARGET_H
