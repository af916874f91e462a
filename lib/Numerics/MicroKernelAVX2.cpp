//===- MicroKernelAVX2.cpp - Contraction tiles for AVX2 -===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for AVX2 and FMA; called only where the host has both.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

#include <immintrin.h>

namespace {

constexpr int kLanes = 8;
constexpr int kRows = 6;

typedef float FloatVec __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVec __attribute__((vector_size(kLanes * 4)));

inline FloatVec fusedMultiplyAdd(FloatVec a, FloatVec b, FloatVec c) {
  return (FloatVec)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

inline bool anyLane(IntVec mask) {
  return _mm256_movemask_epi8((__m256i)mask) != 0;
}

} // namespace

#include "MicroKernelBody.h"

const fp8::numerics::MicroKernels &fp8::numerics::avx2Kernels() {
  return kKernels;
}
