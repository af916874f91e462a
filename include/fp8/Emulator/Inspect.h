//===- Inspect.h - what hosts ask about loaded programs ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resources of kernels, addresses of module variables, and the note that the
// host wrote memory: what a driver needs beside launches.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_INSPECT_H
#define FP8_EMULATOR_INSPECT_H

#include "fp8/Emulator/Emulator.h"

#include <optional>

namespace fp8::emulator {

/// What a kernel needs of its block, in bytes and threads.
struct KernelResources {
  uint32_t staticShared = 0, localBytes = 0;
  /// Of a thread at its start, where PTX determines them; 0 elsewhere.
  uint32_t registers = 0;
  /// Bound of .reqntid or .maxntid, else 1024.
  uint32_t maxThreads = 1024;
  /// .reqnctapercluster; zeros: none.
  std::array<uint32_t, 3> cluster = {0, 0, 0};
};

/// Resources of a kernel, or nothing when there is no such kernel.
std::optional<KernelResources> kernelResources(const Program &program,
                                               llvm::StringRef kernel);

/// A variable of global or constant memory.
struct VariablePlace {
  uint64_t address = 0, bytes = 0;
};

/// Where a module variable lies on the device that loaded the program; nothing
/// when there is none of that name or it was not loaded.
std::optional<VariablePlace> findVariable(const Program &program,
                                          llvm::StringRef name);

/// Notes that the host wrote bytes, so that reads of them are not reported as
/// uninitialised.
void noteHostWrite(GlobalMemory &memory, uint64_t address, uint64_t bytes);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_INSPECT_H
