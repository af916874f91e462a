//===- Target.cpp - limits and features of the emulated devices -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table. A device is modelled with the SM count of its largest product.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Target.h"

#include "fp8/Emulator/Limits.h"

using namespace fp8::emulator;

static constexpr unsigned KiB = 1024;

// name, capability, SMs, threads, blocks, shared/block, shared/SM, cluster,
// clusters, TMA, wgmma, tcgen05.
static constexpr Target targets[] = {
    {"sm_80", 80, 108, 2048, 32, 163 * KiB, 164 * KiB, 1, false, false, false,
     false},
    {"sm_86", 86, 84, 1536, 16, 99 * KiB, 100 * KiB, 1, false, false, false,
     false},
    {"sm_89", 89, 128, 1536, 24, 99 * KiB, 100 * KiB, 1, false, false, false,
     false},
    {"sm_90", 90, 132, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     false},
    {"sm_90a", 90, 132, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, true,
     false},
    {"sm_100", 100, 148, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     false},
    {"sm_100f", 100, 148, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_100a", 100, 148, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_103", 103, 160, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     false},
    {"sm_103f", 103, 160, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_103a", 103, 160, 2048, 32, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_110f", 110, 20, 1536, 24, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_110a", 110, 20, 1536, 24, 227 * KiB, 228 * KiB, 16, true, true, false,
     true},
    {"sm_120", 120, 188, 1536, 24, 99 * KiB, 100 * KiB, 8, true, true, false,
     false},
    {"sm_120f", 120, 188, 1536, 24, 99 * KiB, 100 * KiB, 8, true, true, false,
     false},
    {"sm_120a", 120, 188, 1536, 24, 99 * KiB, 100 * KiB, 8, true, true, false,
     false},
    {"sm_121f", 121, 48, 1536, 24, 99 * KiB, 100 * KiB, 8, true, true, false,
     false},
    {"sm_121a", 121, 48, 1536, 24, 99 * KiB, 100 * KiB, 8, true, true, false,
     false},
};

const Target *fp8::emulator::findTarget(llvm::StringRef name) {
  for (const Target &target : targets)
    if (name == target.name)
      return &target;
  return nullptr;
}

uint64_t fp8::emulator::deviceMemoryBytes(const Target &target) {
  constexpr uint64_t GiB = uint64_t(1) << 30;
  switch (target.capability) {
  case 80: // A100
  case 90: // H100
    return 80 * GiB;
  case 86: // GeForce RTX 3090 Ti
  case 89: // GeForce RTX 4090
    return 24 * GiB;
  case 100: // B200
    return 180 * GiB;
  case 103: // B300
    return 268 * GiB;
  case 110: // Thor
  case 121: // GB10
    return 128 * GiB;
  default: // sm_120: RTX PRO 6000
    return 96 * GiB;
  }
}

std::string fp8::emulator::targetNames() {
  std::string names;
  for (const Target &target : targets)
    names += (names.empty() ? "" : ", ") + std::string(target.name);
  return names;
}

bool fp8::emulator::isCompatible(llvm::StringRef module, const Target &device) {
  llvm::StringRef digits = module;
  if (!digits.consume_front("sm_"))
    return false;
  llvm::StringRef suffix =
      digits.drop_while([](char c) { return c >= '0' && c <= '9'; });
  unsigned capability;
  if (digits.drop_back(suffix.size()).getAsInteger(10, capability))
    return false;
  // "a" code runs on its own device only, "f" code within its family, plain
  // code on everything later.
  if (suffix == "a")
    return capability == device.capability;
  if (suffix == "f")
    return capability / 10 == device.capability / 10 &&
           capability <= device.capability;
  return suffix.empty() && capability <= device.capability;
}
