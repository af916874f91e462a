//===- CPUContract.h - Contractions of compiled code ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C function that compiled CPU code calls for every contraction, and the
// table that describes one: any number of dimensions of each class, any
// strides. The arithmetic is the Numerics library's.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_CPUCONTRACT_H
#define FP8_RUNTIME_CPUCONTRACT_H

#include "fp8/Numerics/ContractKernel.h"

#include <cstdint>

namespace fp8::runtime {

/// The symbol under which compiled code finds the function below.
inline constexpr char kContractSymbol[] = "fp8_cpu_contract";

/// What a loop dimension does; K dimensions are reduced, in table order.
enum class DimClass : int64_t { Batch = 0, M = 1, N = 2, K = 3 };

/// Layout of the table: int64 words. After the header come `kSplits` ends of
/// split ranges, then per dimension: size, class, and the strides (in elements)
/// in lhs, rhs and result, 0 where the dimension is absent.
struct ContractTable {
  enum Word {
    kLhsKind, ///< numerics::ElementKind
    kRhsKind, ///< numerics::ElementKind
    kOutKind, ///< numerics::ElementKind, BF16 or F32
    kRank,    ///< number of dimensions
    kModel,   ///< numerics::AccumKind
    kPromote, ///< promotion interval in k; 0 is none
    kSplits,  ///< number of split boundaries
    kHeader   ///< words of the header
  };
  static constexpr int kDimWords = 5;
};

} // namespace fp8::runtime

/// out = round(acc * round(*lhsScale * *rhsScale)) with acc the contraction of
/// lhs and rhs that `table` describes; a null scale is 1 (and no multiplication
/// happens if both are null). Operands point at their first element. Never
/// fails; a zero-sized dimension gives zeros or nothing.
extern "C" void fp8_cpu_contract(const void *lhs, const void *rhs, void *out,
                                 const float *lhsScale, const float *rhsScale,
                                 const int64_t *table);

#endif // FP8_RUNTIME_CPUCONTRACT_H
