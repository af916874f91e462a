//===- Inspect.cpp - what hosts ask about loaded programs -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads decoded programs; nothing here changes how they run.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Inspect.h"

#include "Machine.h"

using namespace fp8::emulator;

std::optional<KernelResources>
fp8::emulator::kernelResources(const Program &program, llvm::StringRef kernel) {
  const Code *code = findKernel(program, kernel);
  if (!code)
    return std::nullopt;
  KernelResources result;
  result.staticShared = code->staticShared;
  result.localBytes = code->localBytes;
  result.registers = entryRegisters(*code);
  const auto &required = code->source->requiredThreads;
  const auto &most = code->source->maxThreads;
  const auto &bound = required[0] ? required : most;
  if (bound[0])
    result.maxThreads = bound[0] * bound[1] * bound[2];
  result.cluster = code->source->requiredCluster;
  return result;
}

std::optional<VariablePlace> fp8::emulator::findVariable(const Program &program,
                                                         llvm::StringRef name) {
  if (!program.loaded)
    return std::nullopt;
  for (const auto &[variable, offset] : program.globals)
    if (variable->name == name)
      return VariablePlace{program.globalBase + offset, variable->bytes()};
  return std::nullopt;
}

void fp8::emulator::noteHostWrite(GlobalMemory &memory, uint64_t address,
                                  uint64_t bytes) {
  Allocation *allocation = memory.find(address);
  if (!allocation || !allocation->startsUndefined ||
      !allocation->contains(address, bytes))
    return;
  if (allocation->defined.empty())
    allocation->defined.resize(allocation->size);
  std::fill_n(allocation->defined.begin() + (address - allocation->base), bytes,
              uint8_t(1));
}
