//===- ContractReference.cpp - One scalar dot product per output ----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of a contraction, without blocking: what contract() must equal.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

using namespace fp8::numerics;

namespace {

const char *addressOf(const ConstMatrix &matrix, int64_t batch, int64_t row,
                      int64_t col) {
  int64_t element = batch * matrix.batchStride + row * matrix.rowStride +
                    col * matrix.colStride;
  return static_cast<const char *>(matrix.data) +
         element * static_cast<int64_t>(sizeInBytes(matrix.kind));
}

void store(const Matrix &out, int64_t batch, int64_t row, int64_t col,
           float value) {
  int64_t element =
      batch * out.batchStride + row * out.rowStride + col * out.colStride;
  if (out.kind == ElementKind::BF16)
    static_cast<uint16_t *>(out.data)[element] = toBF16(value);
  else
    static_cast<float *>(out.data)[element] = value;
}

} // namespace

void fp8::numerics::contractReference(const ContractArgs &args) {
  std::vector<float> row(args.k), col(args.k);
  for (int64_t batch = 0; batch < args.batch; ++batch)
    for (int64_t i = 0; i < args.m; ++i) {
      for (int64_t p = 0; p < args.k; ++p)
        row[p] = loadElement(addressOf(args.lhs, batch, i, p), args.lhs.kind);
      for (int64_t j = 0; j < args.n; ++j) {
        for (int64_t p = 0; p < args.k; ++p)
          col[p] = loadElement(addressOf(args.rhs, batch, p, j), args.rhs.kind);
        float init =
            args.init.data
                ? loadElement(addressOf(args.init, batch, i, j), args.init.kind)
                : 0.0f;
        float acc = dotValues(row.data(), args.lhs.kind, col.data(),
                              args.rhs.kind, args.k, args.model, init);
        if (args.scale)
          acc = canonicalize(acc * *args.scale);
        store(args.out, batch, i, j, acc);
      }
    }
}
