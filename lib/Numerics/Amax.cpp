//===- Amax.cpp - Largest magnitude with NaN and infinity flags -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Magnitudes of one sign compare as integers, which keeps NaN out of the max.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/Amax.h"

using namespace fp8::numerics;

Amax fp8::numerics::amax(const float *values, size_t count) {
  Amax result;
  for (size_t i = 0; i < count; ++i)
    accumulate(result, values[i]);
  return result;
}

Amax fp8::numerics::amaxBF16(const uint16_t *values, size_t count) {
  Amax result;
  for (size_t i = 0; i < count; ++i)
    accumulate(result, fromBF16(values[i]));
  return result;
}
