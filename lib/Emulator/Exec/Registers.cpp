//===- Registers.cpp - registers of a kernel's threads --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many registers a kernel takes is ptxas' choice, with one exception: a
// kernel that uses setmaxnreg gets all that .maxnreg and .minnctapersm allow,
// up to its largest setmaxnreg (seen with ptxas 13.0 for sm_90a); without
// either bound ptxas drops its setmaxnreg.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "fp8/Support/DeviceLimits.h"

#include "llvm/Support/MathExtras.h"

using namespace fp8::emulator;

/// Warps are spread over four register files.
static constexpr uint64_t filesPerSM = 4;
/// Registers of a thread come in steps of 8.
static constexpr uint64_t registerStep = 8;

static uint64_t allocatedWarps(uint64_t threads) {
  return llvm::alignTo(llvm::divideCeil(threads, 32), filesPerSM);
}

uint64_t fp8::emulator::blockRegisters(uint64_t threads, uint32_t perThread) {
  return allocatedWarps(threads) * 32 * llvm::alignTo(perThread, registerStep);
}

uint32_t fp8::emulator::entryRegisters(const Code &kernel) {
  if (!kernel.setRegisters)
    return 0;
  const ptx::Function &source = *kernel.source;
  const auto &bound =
      source.requiredThreads[0] ? source.requiredThreads : source.maxThreads;
  uint64_t most = 0;
  if (bound[0] && source.minBlocks) {
    uint64_t threads = uint64_t(bound[0]) * bound[1] * bound[2];
    uint64_t share = fp8::support::MaxBlockRegisters /
                     (allocatedWarps(threads) * 32 * source.minBlocks);
    most = llvm::alignDown(share, registerStep);
  }
  if (source.maxRegisters)
    most = most ? std::min<uint64_t>(most, source.maxRegisters)
                : source.maxRegisters;
  return std::min<uint64_t>(most, kernel.setRegisters);
}
