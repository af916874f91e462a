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

#include "fp8/Support/Occupancy.h"

#include "llvm/Support/MathExtras.h"

using namespace fp8::emulator;
using namespace fp8::support;

uint32_t fp8::emulator::entryRegisters(const Code &kernel) {
  if (!kernel.setRegisters)
    return 0;
  const ptx::Function &source = *kernel.source;
  const auto &bound =
      source.requiredThreads[0] ? source.requiredThreads : source.maxThreads;
  uint64_t most = 0;
  if (bound[0] && source.minBlocks) {
    uint64_t threads = uint64_t(bound[0]) * bound[1] * bound[2];
    uint64_t share =
        MaxBlockRegisters / (threadsWithRegisters(threads) * source.minBlocks);
    most = llvm::alignDown(share, RegisterStep);
  }
  if (source.maxRegisters)
    most = most ? std::min<uint64_t>(most, source.maxRegisters)
                : source.maxRegisters;
  return std::min<uint64_t>(most, kernel.setRegisters);
}
