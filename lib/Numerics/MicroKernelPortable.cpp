//===- MicroKernelPortable.cpp - Contraction tiles for any host -===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four lanes: what every 64-bit host has (SSE2, NEON), without an fma.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

namespace {

constexpr int kLanes = 4;
constexpr int kRows = 4;

typedef float FloatVec __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVec __attribute__((vector_size(kLanes * 4)));

inline FloatVec fusedMultiplyAdd(FloatVec a, FloatVec b, FloatVec c) {
  // The product is exact, so two roundings are one.
  FloatVec product = a * b;
  return c + product;
}

inline bool anyLane(IntVec mask) {
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

} // namespace

#include "MicroKernelBody.h"

const fp8::numerics::MicroKernels &fp8::numerics::portableKernels() {
  return kKernels;
}
