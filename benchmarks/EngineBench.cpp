//===- EngineBench.cpp - Speed of the emulator's engines ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GFLOP/s of one wgmma at a time with bit-level accumulation, and lane
// operations per second of the warp-wide arithmetic, on one core. A
// multiply-add counts as two operations.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Arith.h"
#include "fp8/Emulator/Convert.h"
#include "fp8/Emulator/TensorCore.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>

using namespace fp8::emulator;

/// Processor seconds per call, best of several runs of at least 50 ms.
static double timeCall(const std::function<void()> &call) {
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    unsigned calls = 0;
    std::clock_t start = std::clock();
    double seconds;
    do {
      call();
      ++calls;
      seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    } while (seconds < 0.05);
    best = std::min(best, seconds / calls);
  }
  return best;
}

static void benchWgmma(const char *name, MMAType type, unsigned n) {
  std::mt19937 random(1);
  std::vector<uint8_t> shared(64 * 1024);
  for (auto &byte : shared) // finite codes of every type, moderate exponents
    byte = 0x30 + random() % 16;
  Wgmma w;
  w.n = n;
  w.aType = w.bType = type;
  std::vector<std::vector<uint32_t>> registers(4 * registersD(w),
                                               std::vector<uint32_t>(32));
  std::vector<uint32_t *> d;
  d.reserve(registers.size());
  for (auto &r : registers)
    d.push_back(r.data());
  uint64_t a = 0x4000004000010000, b = a | (16384 >> 4);
  std::string error;
  double seconds = timeCall([&] {
    wgmma(w, {shared.data(), uint32_t(shared.size())}, a, nullptr, b, true,
          d.data(), error);
  });
  double flop = 2.0 * 64 * n * wgmmaK(w);
  std::printf("wgmma m64n%uk%u %-5s %8.2f GFLOP/s\n", n, wgmmaK(w), name,
              flop / seconds * 1e-9);
}

static void benchLanes(const char *name, FloatOp op, FloatType type) {
  uint32_t a[32], b[32], c[32], d[32];
  for (int i = 0; i < 32; ++i) {
    float f = 1.0f + i * 0.01f;
    std::memcpy(&a[i], &f, 4);
    b[i] = c[i] = a[i];
  }
  FloatMode mode;
  LaneFunction32 function = selectLanes32(op, type, mode);
  constexpr int Calls = 1000;
  double seconds = timeCall([&] {
    for (int i = 0; i < Calls; ++i)
      function(mode, ~0u, d, a, b, c);
  });
  std::printf("%-22s %8.2f G lane operations/s\n", name,
              32e-9 * Calls / seconds);
}

int main() {
  benchWgmma("e4m3", MMAType::E4M3, 256);
  benchWgmma("e4m3", MMAType::E4M3, 64);
  benchWgmma("bf16", MMAType::BF16, 256);
  benchWgmma("tf32", MMAType::TF32, 128);
  benchLanes("add.rn.f32", FloatOp::Add, FloatType::F32);
  benchLanes("fma.rn.f32", FloatOp::Fma, FloatType::F32);
  benchLanes("fma.rn.bf16x2", FloatOp::Fma, FloatType::BF16x2);
  benchLanes("max.f32", FloatOp::Max, FloatType::F32);
  benchLanes("ex2.approx.f32", FloatOp::Ex2Approx, FloatType::F32);
  Conversion cvt;
  cvt.to = NumberType::E4M3;
  cvt.elements = 2;
  cvt.satfinite = true;
  uint32_t a[32], d[32];
  for (int i = 0; i < 32; ++i)
    a[i] = 0x3f800000 + i * 99991;
  double seconds = timeCall([&] { convertLanes(cvt, ~0u, d, a, a); });
  std::printf("%-22s %8.2f G lane operations/s\n", "cvt.e4m3x2.f32",
              32e-9 / seconds);
  return 0;
}
