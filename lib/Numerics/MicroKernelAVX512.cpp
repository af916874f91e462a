//===- MicroKernelAVX512.cpp - Contraction tiles for AVX-512 -===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for AVX-512 F, BW, DQ and VL; called only where the host has them.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

#include <immintrin.h>

namespace {

constexpr int kLanes = 16;
constexpr int kRows = 14;

typedef float FloatVec __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVec __attribute__((vector_size(kLanes * 4)));

inline FloatVec fusedMultiplyAdd(FloatVec a, FloatVec b, FloatVec c) {
  return (FloatVec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

inline bool anyLane(IntVec mask) {
  return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
}

} // namespace

#include "MicroKernelBody.h"

const fp8::numerics::MicroKernels &fp8::numerics::avx512Kernels() {
  return kKernels;
}
