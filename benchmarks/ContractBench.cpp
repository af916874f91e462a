//===- ContractBench.cpp - Speed of contractions per model ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: contract-bench [size [repeats]]. Prints GFLOP/s of a cubic contraction
// for each instruction set, operand kind and model, and its share of what a
// loop of independent f32 fma does in the same run: the floor that a slow or
// busy machine moves as well.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace fp8::numerics;

namespace {

/// Seconds of processor time of this (only) thread, so that other processes on
/// the machine count less.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Keeps the result of a loop alive.
volatile float sink;

constexpr int kChains = 12;
constexpr int64_t kFmaRounds = 4000000;

double peakPortable() {
  typedef float Vec __attribute__((vector_size(16)));
  Vec acc[kChains] = {};
  Vec x = {1.0f, 1.0f, 1.0f, 1.0f};
  double start = now();
  for (int64_t i = 0; i < kFmaRounds; ++i)
    for (Vec &a : acc)
      a = a + x * x;
  double seconds = now() - start;
  for (Vec a : acc)
    sink = a[0];
  return 2.0 * 4 * kChains * kFmaRounds / seconds * 1e-9;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) double peakAVX2() {
  __m256 acc[kChains];
  for (__m256 &a : acc)
    a = _mm256_setzero_ps();
  __m256 x = _mm256_set1_ps(1.0f);
  double start = now();
  for (int64_t i = 0; i < kFmaRounds; ++i)
    for (__m256 &a : acc)
      a = _mm256_fmadd_ps(x, x, a);
  double seconds = now() - start;
  for (__m256 a : acc)
    sink = a[0];
  return 2.0 * 8 * kChains * kFmaRounds / seconds * 1e-9;
}

__attribute__((target("avx512f"))) double peakAVX512() {
  __m512 acc[kChains];
  for (__m512 &a : acc)
    a = _mm512_setzero_ps();
  __m512 x = _mm512_set1_ps(1.0f);
  double start = now();
  for (int64_t i = 0; i < kFmaRounds; ++i)
    for (__m512 &a : acc)
      a = _mm512_fmadd_ps(x, x, a);
  double seconds = now() - start;
  for (__m512 a : acc)
    sink = a[0];
  return 2.0 * 16 * kChains * kFmaRounds / seconds * 1e-9;
}
#endif

double peak(KernelISA isa) {
#if defined(__x86_64__)
  if (isa == KernelISA::AVX512)
    return peakAVX512();
  if (isa == KernelISA::AVX2)
    return peakAVX2();
#endif
  return peakPortable();
}

struct Case {
  const char *name;
  ElementKind kind;
  AccumModel model;
};

std::vector<Case> cases() {
  return {
      {"fp8 seq_f32", ElementKind::E4M3FN, {AccumKind::SeqF32, 0, {}}},
      {"bf16 seq_f32", ElementKind::BF16, {AccumKind::SeqF32, 0, {}}},
      {"f32 seq_f32", ElementKind::F32, {AccumKind::SeqF32, 0, {}}},
      {"fp8 hopper", ElementKind::E4M3FN, {AccumKind::Hopper, 0, {}}},
      {"fp8 hopper p128", ElementKind::E4M3FN, {AccumKind::Hopper, 128, {}}},
      {"fp8 ada", ElementKind::E4M3FN, {AccumKind::Ada, 0, {}}},
      {"fp8 blackwell", ElementKind::E4M3FN, {AccumKind::Blackwell, 0, {}}},
      {"bf16 hopper", ElementKind::BF16, {AccumKind::Hopper, 0, {}}},
  };
}

/// `count` elements of N(0, 1), rounded to `kind`.
std::vector<char> randomOperand(int64_t count, ElementKind kind) {
  std::mt19937 engine(7);
  std::normal_distribution<float> normal;
  std::vector<char> data(count * sizeInBytes(kind));
  for (int64_t i = 0; i < count; ++i) {
    float value = normal(engine);
    if (kind == ElementKind::F32) {
      std::memcpy(&data[i * 4], &value, 4);
    } else if (kind == ElementKind::BF16) {
      uint16_t bits = toBF16(value);
      std::memcpy(&data[i * 2], &bits, 2);
    } else {
      data[i] = static_cast<char>(encode(value, Format::E4M3FN, true));
    }
  }
  return data;
}

double gflops(int64_t size, int64_t repeats, const Case &test, KernelISA isa) {
  std::vector<char> a = randomOperand(size * size, test.kind);
  std::vector<char> b = randomOperand(size * size, test.kind);
  std::vector<float> c(size * size);
  ContractArgs args;
  args.m = args.n = args.k = size;
  args.lhs = {a.data(), test.kind, 0, size, 1};
  args.rhs = {b.data(), test.kind, 0, size, 1};
  args.out = {c.data(), ElementKind::F32, 0, size, 1};
  args.scale = 0.5f;
  args.model = test.model;
  args.isa = isa;
  double best = 1e30;
  for (int64_t i = 0; i < repeats; ++i) {
    double start = now();
    contract(args);
    best = std::min(best, now() - start);
  }
  sink = c[0];
  return 2.0 * size * size * size / best * 1e-9;
}

} // namespace

int main(int argc, char **argv) {
  int64_t size = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 1024;
  int64_t repeats = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 3;
  if (size <= 0 || repeats <= 0) {
    std::fprintf(stderr, "usage: contract-bench [size [repeats]]\n");
    return 1;
  }
  const char *names[] = {"portable", "avx2", "avx512"};
  for (int isa = 0; isa <= static_cast<int>(hostISA()); ++isa) {
    double floor = peak(static_cast<KernelISA>(isa));
    std::printf("%s: fma floor %.1f GFLOP/s\n", names[isa], floor);
    for (const Case &test : cases()) {
      double speed = gflops(size, repeats, test, static_cast<KernelISA>(isa));
      std::printf("  %-16s %lldx%lldx%lld  %7.1f GFLOP/s  %5.1f %% of floor\n",
                  test.name, static_cast<long long>(size),
                  static_cast<long long>(size), static_cast<long long>(size),
                  speed, 100 * speed / floor);
    }
  }
  return 0;
}
