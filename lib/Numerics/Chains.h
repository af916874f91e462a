//===- Chains.h - How promotion and splits cut K ----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that turns an AccumModel and a K into chains, so that the
// scalar reference and the blocked kernels cut at the same positions.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_NUMERICS_CHAINS_H
#define FP8_LIB_NUMERICS_CHAINS_H

#include "fp8/Numerics/Accumulate.h"

namespace fp8::numerics {

/// A run of k that one accumulator adds up.
struct Chain {
  int64_t begin, end;
  /// The last chain of its part: the part's sum is complete after it.
  bool endsPart;
};

/// The chains of [0, k) in ascending order; none for k = 0.
std::vector<Chain> chainsOf(const AccumModel &model, int64_t k);

} // namespace fp8::numerics

#endif // FP8_LIB_NUMERICS_CHAINS_H
