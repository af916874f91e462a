//===- Packing.h - Operand panels of a blocked contraction ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a block of an operand into panels: [panel][k][lane], decoded to f32,
// padded with zeros to whole panels and whole tensor-core steps.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_NUMERICS_PACKING_H
#define FP8_LIB_NUMERICS_PACKING_H

#include "fp8/Numerics/Accumulate.h"

namespace fp8::numerics {

/// A block of one operand: `lanes` rows (lhs) or columns (rhs) by `depth` steps
/// of k. Strides are in elements.
struct OperandBlock {
  const char *data;
  ElementKind kind;
  int64_t laneStride;
  int64_t depthStride;
  int64_t lanes;
  int64_t depth;
};

/// Writes ceil(lanes / width) panels of paddedDepth * width elements.
void packValues(const OperandBlock &block, int width, int64_t paddedDepth,
                float *packed);

/// Writes the exponent of each packed element; `minimum` is the exponent of
/// the kind's subnormals. Once per 16-bit half for the broadcast operand.
void packExponents(const float *packed, int64_t count, int minimum,
                   int16_t *exponents);
void packExponentPairs(const float *packed, int64_t count, int minimum,
                       int32_t *exponents);

} // namespace fp8::numerics

#endif // FP8_LIB_NUMERICS_PACKING_H
