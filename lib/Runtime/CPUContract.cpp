//===- CPUContract.cpp - Contractions of compiled code --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings a contraction of any rank to the [batch] m n k form of the Numerics
// kernel: dimensions of a class are merged where their strides allow it, other
// outer dimensions are looped over, and an operand whose reduced dimensions do
// not merge is copied so that they do. The order of k never changes.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/CPUContract.h"

#include <algorithm>
#include <tuple>

using namespace fp8;
using namespace fp8::runtime;
using numerics::ElementKind;

namespace {
/// One loop dimension, strides in elements.
struct Dim {
  int64_t size = 1, lhs = 0, rhs = 0, out = 0;
};
using Dims = std::vector<Dim>;

/// A decoded table.
struct Contraction {
  ElementKind kinds[3];
  numerics::AccumModel model;
  Dims classes[4]; ///< indexed by DimClass
  bool empty = false;

  Dims &get(DimClass c) { return classes[static_cast<int>(c)]; }
};

/// An operand as seen by the kernel.
struct Operand {
  const char *data;
  size_t width;
};
} // namespace

/// True if `outer` directly encloses `inner` in all three operands.
static bool canMerge(const Dim &outer, const Dim &inner) {
  return outer.lhs == inner.lhs * inner.size &&
         outer.rhs == inner.rhs * inner.size &&
         outer.out == inner.out * inner.size;
}

/// Merges neighbours in place, keeping their order.
static void mergeDims(Dims &dims) {
  Dims merged;
  for (const Dim &dim : dims) {
    if (dim.size == 1)
      continue;
    if (!merged.empty() && canMerge(merged.back(), dim)) {
      int64_t size = merged.back().size;
      merged.back() = dim;
      merged.back().size *= size;
    } else {
      merged.push_back(dim);
    }
  }
  dims = std::move(merged);
}

static Contraction decodeTable(const int64_t *table) {
  Contraction c;
  for (int i = 0; i < 3; ++i)
    c.kinds[i] = static_cast<ElementKind>(table[ContractTable::kLhsKind + i]);
  c.model.kind = static_cast<numerics::AccumKind>(table[ContractTable::kModel]);
  c.model.promote = table[ContractTable::kPromote];
  const int64_t *word = table + ContractTable::kHeader;
  c.model.split.assign(word, word + table[ContractTable::kSplits]);
  word += table[ContractTable::kSplits];
  for (int64_t i = 0; i < table[ContractTable::kRank];
       ++i, word += ContractTable::kDimWords) {
    Dim dim{word[0], word[2], word[3], word[4]};
    auto kind = static_cast<DimClass>(word[1]);
    c.empty |= dim.size == 0 && kind != DimClass::K;
    c.get(kind).push_back(dim);
  }
  for (DimClass kind : {DimClass::Batch, DimClass::M, DimClass::N}) {
    Dims &dims = c.get(kind);
    std::sort(dims.begin(), dims.end(), [](const Dim &a, const Dim &b) {
      return std::tie(a.out, a.lhs, a.rhs) > std::tie(b.out, b.lhs, b.rhs);
    });
    mergeDims(dims);
  }
  mergeDims(c.get(DimClass::K));
  return c;
}

/// Moves all but the last dimension of `dims` to `outer`; returns the last.
static Dim splitOuter(const Dims &dims, Dims &outer) {
  if (dims.empty())
    return Dim();
  outer.insert(outer.end(), dims.begin(), dims.end() - 1);
  return dims.back();
}

static int64_t totalSize(const Dims &dims) {
  int64_t total = 1;
  for (const Dim &dim : dims)
    total *= dim.size;
  return total;
}

/// Copies rows of `count` elements, `rowStride` apart, whose reduced index
/// runs over `k` (strides from `stride`) into dense rows.
template <typename T>
static void packRows(const T *source, int64_t count, int64_t rowStride,
                     const Dims &k, int64_t Dim::*stride, T *target) {
  int64_t total = totalSize(k);
  std::vector<int64_t> offsets(total);
  for (int64_t flat = 0; flat < total; ++flat) {
    int64_t rest = flat, offset = 0;
    for (size_t d = k.size(); d-- > 0; rest /= k[d].size)
      offset += rest % k[d].size * (k[d].*stride);
    offsets[flat] = offset;
  }
  for (int64_t row = 0; row < count; ++row)
    for (int64_t flat = 0; flat < total; ++flat)
      target[row * total + flat] = source[row * rowStride + offsets[flat]];
}

static void packOperand(Operand operand, int64_t count, int64_t rowStride,
                        const Dims &k, int64_t Dim::*stride,
                        std::vector<char> &scratch) {
  scratch.resize(count * totalSize(k) * operand.width);
  auto pack = [&](auto zero) {
    using T = decltype(zero);
    packRows(reinterpret_cast<const T *>(operand.data), count, rowStride, k,
             stride, reinterpret_cast<T *>(scratch.data()));
  };
  if (operand.width == 1)
    pack(uint8_t());
  else if (operand.width == 2)
    pack(uint16_t());
  else
    pack(uint32_t());
}

namespace {
/// The loops around the kernel calls.
class Runner {
public:
  Runner(Contraction &c, std::optional<float> scale) : c(c) {
    batch = splitOuter(c.get(DimClass::Batch), outer);
    m = splitOuter(c.get(DimClass::M), outer);
    n = splitOuter(c.get(DimClass::N), outer);
    packs = c.get(DimClass::K).size() > 1;
    if (packs) { // each batch element is copied, so it is a call of its own
      outer.push_back(batch);
      batch = Dim();
    }
    k = packs ? Dim{totalSize(c.get(DimClass::K)), 1, 1, 0}
              : (c.get(DimClass::K).empty() ? Dim() : c.get(DimClass::K)[0]);
    args.scale = scale;
    args.model = c.model;
  }

  void run(const char *lhs, const char *rhs, char *out, size_t depth = 0);

private:
  void call(const char *lhs, const char *rhs, char *out);
  size_t width(int operand) const {
    return numerics::sizeInBytes(c.kinds[operand]);
  }

  Contraction &c;
  Dims outer;
  Dim batch, m, n, k;
  bool packs = false;
  numerics::ContractArgs args;
  std::vector<char> lhsScratch, rhsScratch;
};
} // namespace

void Runner::run(const char *lhs, const char *rhs, char *out, size_t depth) {
  if (depth == outer.size())
    return call(lhs, rhs, out);
  const Dim &dim = outer[depth];
  for (int64_t i = 0; i < dim.size; ++i)
    run(lhs + i * dim.lhs * static_cast<int64_t>(width(0)),
        rhs + i * dim.rhs * static_cast<int64_t>(width(1)),
        out + i * dim.out * static_cast<int64_t>(width(2)), depth + 1);
}

void Runner::call(const char *lhs, const char *rhs, char *out) {
  args.batch = batch.size;
  args.m = m.size;
  args.n = n.size;
  args.k = k.size;
  args.lhs = {lhs, c.kinds[0], batch.lhs, m.lhs, k.lhs};
  args.rhs = {rhs, c.kinds[1], batch.rhs, k.rhs, n.rhs};
  args.out = {out, c.kinds[2], batch.out, m.out, n.out};
  if (packs) {
    const Dims &dims = c.get(DimClass::K);
    packOperand({lhs, width(0)}, m.size, m.lhs, dims, &Dim::lhs, lhsScratch);
    packOperand({rhs, width(1)}, n.size, n.rhs, dims, &Dim::rhs, rhsScratch);
    args.lhs = {lhsScratch.data(), c.kinds[0], 0, k.size, 1};
    args.rhs = {rhsScratch.data(), c.kinds[1], 0, 1, k.size};
  }
  numerics::contract(args);
}

void fp8_cpu_contract(const void *lhs, const void *rhs, void *out,
                      const float *lhsScale, const float *rhsScale,
                      const int64_t *table) {
  Contraction c = decodeTable(table);
  if (c.empty)
    return;
  std::optional<float> scale;
  if (lhsScale || rhsScale)
    scale = (lhsScale ? *lhsScale : 1.0f) * (rhsScale ? *rhsScale : 1.0f);
  Runner(c, scale).run(static_cast<const char *>(lhs),
                       static_cast<const char *>(rhs),
                       static_cast<char *>(out));
}
