//===- ContractKernel.cpp - Fast contractions with pinned bits ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocking over m, n and k around the micro-kernels. The sum of an output is
// one accumulator that walks k upwards, whatever the blocks are: it rests in a
// tile buffer between the k blocks of a chain and is folded into the part and
// the total where the chain and the part end.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

#include "Chains.h"
#include "MicroKernel.h"
#include "Packing.h"

#include <algorithm>
#include <optional>
#include <type_traits>

using namespace fp8::numerics;

namespace {

// A packed lhs block (up to kRowBlock x kDepthBlock) stays in the second-level
// cache, a packed rhs panel (kDepthBlock x columns) in the first.
constexpr int64_t kDepthBlock = 256;
constexpr int64_t kRowBlock = 168;
constexpr int64_t kColumnBlock = 1024;
// Bounds the accumulators; the rhs is packed once per so many rows.
constexpr int64_t kRowSuperBlock = 2016;
constexpr size_t kAlignment = 64;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

/// Memory on a cache-line boundary, not initialised.
template <typename T>
class Buffer {
public:
  void reserve(int64_t count) {
    storage.resize(count * sizeof(T) + kAlignment);
    uintptr_t address = reinterpret_cast<uintptr_t>(storage.data());
    offset = (kAlignment - address % kAlignment) % kAlignment;
  }
  T *data() { return reinterpret_cast<T *>(storage.data() + offset); }

private:
  std::vector<char> storage;
  size_t offset = 0;
};

/// One packed operand block.
template <typename Exponent>
struct Packed {
  Buffer<float> values;
  Buffer<Exponent> exponents;
  MagnitudeRange range = {};
};

/// Which operand of a step a lane's slow redo needs.
struct SlowContext {
  MmaUnit unit;
  ElementKind lhs, rhs;
  int rows, columns;
};

float slowMmaStep(const void *opaque, const float *a, const float *b, float c) {
  const SlowContext &context = *static_cast<const SlowContext *>(opaque);
  if (isNaN(c))
    return c;
  float x[32], y[32];
  bool finite = true;
  for (int q = 0; q < context.unit.terms; ++q) {
    x[q] = a[q * context.rows];
    y[q] = b[q * context.columns];
    finite &= isFinite(x[q]) && isFinite(y[q]);
  }
  if (isInf(c) && finite)
    return c;
  return mmaStep(context.unit, x, context.lhs, y, context.rhs,
                 context.unit.terms, c);
}

const MicroKernels &kernelsFor(KernelISA isa) {
#if defined(__x86_64__)
  switch (std::min(isa, hostISA())) {
  case KernelISA::AVX512:
    return avx512Kernels();
  case KernelISA::AVX2:
    return avx2Kernels();
  case KernelISA::Portable:
    break;
  }
#endif
  return portableKernels();
}

MmaKernel selectMma(const MicroKernels &kernels, const MmaUnit &unit) {
  if (unit.fractionBits == 13)
    return kernels.mma[unit.terms == 32 ? 0 : 1];
  if (unit.fractionBits == 25)
    return kernels.mma[unit.terms == 32 ? 2 : 3];
  return kernels.mma[4];
}

class BlockedContraction {
public:
  explicit BlockedContraction(const ContractArgs &args);
  void run();

private:
  struct Region {
    int64_t batch, row, rows, col, cols;
  };
  struct DepthBlock {
    int64_t begin, depth, padded;
    bool endsChain, endsPart;
  };

  void runRegion(const Region &region);
  void runDepthBlock(const Region &region, const DepthBlock &depth);
  void packLhs(const Region &region, const DepthBlock &depth, int64_t row,
               int64_t rows);
  void packRhs(const Region &region, const DepthBlock &depth);
  void runTiles(const Region &region, const DepthBlock &depth, int64_t row,
                int64_t rows);
  void fold(int64_t tile, const DepthBlock &depth);
  void loadInit(const Region &region);
  void storeResult(const Region &region);
  float *result();
  int64_t tileIndex(int64_t rowTile, int64_t colTile) const {
    return rowTile * colTiles + colTile;
  }

  const ContractArgs &args;
  const MicroKernels &kernels;
  std::optional<MmaUnit> unit;
  MmaKernel mma = nullptr;
  SlowContext slow;
  std::vector<DepthBlock> depths;
  bool hasChains, hasParts;
  /// Products of two elements have at most 24 significant bits.
  bool narrow;
  int64_t tileSize;
  int64_t colTiles = 0;
  Packed<int32_t> lhs;
  Packed<int16_t> rhs;
  Buffer<float> acc, part, total;
};

BlockedContraction::BlockedContraction(const ContractArgs &args)
    : args(args), kernels(kernelsFor(args.isa.value_or(hostISA()))),
      unit(mmaUnit(args.model.kind, args.lhs.kind, args.rhs.kind)),
      tileSize(int64_t{kernels.rows} * kernels.columns) {
  if (unit) {
    mma = selectMma(kernels, *unit);
    slow = {*unit, args.lhs.kind, args.rhs.kind, kernels.rows, kernels.columns};
  }
  narrow =
      args.lhs.kind != ElementKind::F32 && args.rhs.kind != ElementKind::F32;

  int64_t parts = 0;
  std::vector<Chain> chains = chainsOf(args.model, args.k);
  for (const Chain &chain : chains) {
    parts += chain.endsPart;
    for (int64_t p = chain.begin; p < chain.end; p += kDepthBlock) {
      int64_t depth = std::min(kDepthBlock, chain.end - p);
      bool last = p + depth == chain.end;
      depths.push_back({p, depth, unit ? roundUp(depth, unit->terms) : depth,
                        last, last && chain.endsPart});
    }
  }
  hasChains = chains.size() > 1;
  hasParts = parts > 1;
}

void BlockedContraction::run() {
  for (int64_t batch = 0; batch < args.batch; ++batch)
    for (int64_t row = 0; row < args.m; row += kRowSuperBlock)
      for (int64_t col = 0; col < args.n; col += kColumnBlock)
        runRegion({batch, row, std::min(kRowSuperBlock, args.m - row), col,
                   std::min(kColumnBlock, args.n - col)});
}

void BlockedContraction::runRegion(const Region &region) {
  colTiles = ceilDiv(region.cols, kernels.columns);
  int64_t count = ceilDiv(region.rows, kernels.rows) * colTiles * tileSize;
  acc.reserve(count);
  std::fill_n(acc.data(), count, 0.0f);
  if (hasChains) {
    part.reserve(count);
    std::fill_n(part.data(), count, 0.0f);
  }
  if (hasParts) {
    total.reserve(count);
    std::fill_n(total.data(), count, 0.0f);
  }
  if (args.init.data)
    loadInit(region);
  for (const DepthBlock &depth : depths)
    runDepthBlock(region, depth);
  storeResult(region);
}

void BlockedContraction::runDepthBlock(const Region &region,
                                       const DepthBlock &depth) {
  packRhs(region, depth);
  for (int64_t row = 0; row < region.rows; row += kRowBlock) {
    int64_t rows = std::min(kRowBlock, region.rows - row);
    packLhs(region, depth, row, rows);
    runTiles(region, depth, row, rows);
  }
}

void BlockedContraction::packLhs(const Region &region, const DepthBlock &depth,
                                 int64_t row, int64_t rows) {
  int64_t element = region.batch * args.lhs.batchStride +
                    (region.row + row) * args.lhs.rowStride +
                    depth.begin * args.lhs.colStride;
  OperandBlock block = {
      static_cast<const char *>(args.lhs.data) +
          element * static_cast<int64_t>(sizeInBytes(args.lhs.kind)),
      args.lhs.kind,
      args.lhs.rowStride,
      args.lhs.colStride,
      rows,
      depth.depth};
  int64_t count = roundUp(rows, kernels.rows) * depth.padded;
  lhs.values.reserve(count);
  packValues(block, kernels.rows, depth.padded, lhs.values.data());
  if (unit) {
    lhs.exponents.reserve(count);
    packExponentPairs(lhs.values.data(), count, minExponent(args.lhs.kind),
                      lhs.exponents.data());
  } else if (narrow) {
    lhs.range = kernels.range(lhs.values.data(), count);
  }
}

void BlockedContraction::packRhs(const Region &region,
                                 const DepthBlock &depth) {
  int64_t element = region.batch * args.rhs.batchStride +
                    depth.begin * args.rhs.rowStride +
                    region.col * args.rhs.colStride;
  OperandBlock block = {
      static_cast<const char *>(args.rhs.data) +
          element * static_cast<int64_t>(sizeInBytes(args.rhs.kind)),
      args.rhs.kind,
      args.rhs.colStride,
      args.rhs.rowStride,
      region.cols,
      depth.depth};
  int64_t count = roundUp(region.cols, kernels.columns) * depth.padded;
  rhs.values.reserve(count);
  packValues(block, kernels.columns, depth.padded, rhs.values.data());
  if (unit) {
    rhs.exponents.reserve(count);
    packExponents(rhs.values.data(), count, minExponent(args.rhs.kind),
                  rhs.exponents.data());
  } else if (narrow) {
    rhs.range = kernels.range(rhs.values.data(), count);
  }
}

/// True when every product is exact in f32, so that fma rounds once where a
/// product and a sum would: the lowest bit is not below 2^-149 and the product
/// below 2^128. BF16 products have 14 fraction bits, the others fewer.
bool productsAreExact(const MagnitudeRange &a, const MagnitudeRange &b) {
  if (a.smallest > a.largest || b.smallest > b.largest)
    return true;
  auto exponent = [](int32_t magnitude) { return (magnitude >> 23) - 127; };
  return exponent(a.smallest) + exponent(b.smallest) - 14 >= -149 &&
         exponent(a.largest) + exponent(b.largest) + 2 <= 128;
}

void BlockedContraction::runTiles(const Region &region, const DepthBlock &depth,
                                  int64_t row, int64_t rows) {
  ChainKernel chain = narrow && productsAreExact(lhs.range, rhs.range)
                          ? kernels.fused
                          : kernels.separate;
  for (int64_t col = 0; col < colTiles; ++col) {
    const float *b = rhs.values.data() + col * kernels.columns * depth.padded;
    for (int64_t i = 0; i < ceilDiv(rows, kernels.rows); ++i) {
      const float *a = lhs.values.data() + i * kernels.rows * depth.padded;
      int64_t tile = tileIndex(row / kernels.rows + i, col);
      float *accumulators = acc.data() + tile * tileSize;
      if (unit)
        mma({a, lhs.exponents.data() + i * kernels.rows * depth.padded, b,
             rhs.exponents.data() + col * kernels.columns * depth.padded,
             depth.padded, accumulators, slowMmaStep, &slow});
      else
        chain(a, b, depth.depth, accumulators);
      if (hasChains && depth.endsChain)
        fold(tile, depth);
    }
  }
}

/// The tile's chain is complete: adds it to the part, and the part to the
/// total where that is complete too.
void BlockedContraction::fold(int64_t tile, const DepthBlock &depth) {
  float *chainSum = acc.data() + tile * tileSize;
  float *partSum = part.data() + tile * tileSize;
  for (int64_t i = 0; i < tileSize; ++i) {
    partSum[i] = partSum[i] + chainSum[i];
    chainSum[i] = 0.0f;
  }
  if (!hasParts || !depth.endsPart)
    return;
  float *totalSum = total.data() + tile * tileSize;
  for (int64_t i = 0; i < tileSize; ++i) {
    totalSum[i] = totalSum[i] + partSum[i];
    partSum[i] = 0.0f;
  }
}

float *BlockedContraction::result() {
  return hasParts ? total.data() : hasChains ? part.data() : acc.data();
}

void BlockedContraction::loadInit(const Region &region) {
  size_t size = sizeInBytes(args.init.kind);
  for (int64_t i = 0; i < region.rows; ++i)
    for (int64_t j = 0; j < region.cols; ++j) {
      int64_t element = region.batch * args.init.batchStride +
                        (region.row + i) * args.init.rowStride +
                        (region.col + j) * args.init.colStride;
      acc.data()[tileIndex(i / kernels.rows, j / kernels.columns) * tileSize +
                 i % kernels.rows * kernels.columns + j % kernels.columns] =
          loadElement(static_cast<const char *>(args.init.data) +
                          element * static_cast<int64_t>(size),
                      args.init.kind);
    }
}

/// Stores `count` sums of a row, `stride` elements apart. Adding +0 turns the
/// -0 that a chain may end with into the +0 that the sum of parts has.
template <typename Element, typename Convert>
void storeSums(const float *sums, int64_t count, std::optional<float> scale,
               Element *out, int64_t stride, Convert convert) {
  auto store = [&](auto scaled, auto step) {
    for (int64_t j = 0; j < count; ++j)
      out[j * step] = convert(canonicalize(scaled(sums[j] + 0.0f)));
  };
  auto storeAll = [&](auto scaled) {
    // A loop of its own, which vectorises.
    if (stride == 1)
      store(scaled, std::integral_constant<int64_t, 1>());
    else
      store(scaled, stride);
  };
  if (scale)
    storeAll([factor = *scale](float sum) { return sum * factor; });
  else
    storeAll([](float sum) { return sum; });
}

void BlockedContraction::storeResult(const Region &region) {
  for (int64_t i = 0; i < region.rows; ++i)
    for (int64_t tile = 0; tile < colTiles; ++tile) {
      int64_t col = tile * kernels.columns;
      int64_t count = std::min<int64_t>(kernels.columns, region.cols - col);
      const float *sums = result() +
                          tileIndex(i / kernels.rows, tile) * tileSize +
                          i % kernels.rows * kernels.columns;
      int64_t element = region.batch * args.out.batchStride +
                        (region.row + i) * args.out.rowStride +
                        (region.col + col) * args.out.colStride;
      if (args.out.kind == ElementKind::BF16)
        storeSums(sums, count, args.scale,
                  static_cast<uint16_t *>(args.out.data) + element,
                  args.out.colStride,
                  [](float value) { return toBF16(value); });
      else
        storeSums(sums, count, args.scale,
                  static_cast<float *>(args.out.data) + element,
                  args.out.colStride, [](float value) { return value; });
    }
}

} // namespace

KernelISA fp8::numerics::hostISA() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return KernelISA::AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return KernelISA::AVX2;
#endif
  return KernelISA::Portable;
}

void fp8::numerics::contract(const ContractArgs &args) {
  // An exact sum is wide integer arithmetic: there is no faster form of it
  // here.
  if (args.model.kind == AccumKind::Exact)
    return contractReference(args);
  BlockedContraction(args).run();
}
