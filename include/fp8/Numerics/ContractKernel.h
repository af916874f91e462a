//===- ContractKernel.h - Fast contractions with pinned bits ----*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// [batch] m n k contractions over strided operands in one thread. Every output
// has the bits that numerics::dot() gives, on every host: vector width,
// blocking and instruction set never show.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_NUMERICS_CONTRACTKERNEL_H
#define FP8_NUMERICS_CONTRACTKERNEL_H

#include "fp8/Numerics/Accumulate.h"

namespace fp8::numerics {

/// A matrix operand: element (batch, row, col) is at
/// data + (batch * batchStride + row * rowStride + col * colStride) elements.
/// Strides may be 0 or negative.
struct ConstMatrix {
  const void *data = nullptr;
  ElementKind kind = ElementKind::F32;
  int64_t batchStride = 0;
  int64_t rowStride = 0;
  int64_t colStride = 0;
};

/// The result; `kind` is F32 or BF16.
struct Matrix {
  void *data = nullptr;
  ElementKind kind = ElementKind::F32;
  int64_t batchStride = 0;
  int64_t rowStride = 0;
  int64_t colStride = 0;
};

/// Instruction sets that contract() can use. All give the same bits.
enum class KernelISA : uint8_t { Portable, AVX2, AVX512 };

/// out[b, i, j] = round(rn(acc * scale)), acc the dot product over p of
/// lhs[b, i, p] and rhs[b, p, j] under `model`.
struct ContractArgs {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  ConstMatrix lhs; ///< rows m, columns k
  ConstMatrix rhs; ///< rows k, columns n
  Matrix out;      ///< rows m, columns n; must not overlap an operand
  /// Initial accumulators (f32; rows m, columns n), or data == nullptr for +0.
  /// They start the first chain; may be the same memory as `out`.
  ConstMatrix init;
  /// One factor for the whole result, rn(sA * sB); unset: no multiplication.
  std::optional<float> scale;
  AccumModel model;
  /// Unset: the best the host has.
  std::optional<KernelISA> isa;
};

/// The best instruction set of this host.
KernelISA hostISA();

/// Runs the contraction. k = 0 gives +0 (or `init`), scaled.
/// Requires checkModel(args.model) to hold and out.kind to be F32 or BF16.
void contract(const ContractArgs &args);

/// The same, one scalar dot product per output: the reference.
void contractReference(const ContractArgs &args);

} // namespace fp8::numerics

#endif // FP8_NUMERICS_CONTRACTKERNEL_H
