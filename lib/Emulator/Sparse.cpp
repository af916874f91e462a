//===- Sparse.cpp - Products with structured sparse A ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of A keeps half of its elements; four bits of metadata for each chunk
// say which. The sum takes the products of the kept elements, in their order,
// as a dense product of half the depth does: an element of B that meets none
// does not matter, be it a NaN.
//
//===----------------------------------------------------------------------===//

#include "Sparse.h"

#include <cstring>

namespace fp8::emulator {

unsigned sparseChunk(MMAType type, ElementPacking packing) {
  if (codeBytes(type) == 4)
    return 2;
  bool pairs = type == MMAType::S4 || type == MMAType::U4 ||
               (type == MMAType::E2M1 && packing == ElementPacking::Dense);
  return pairs ? 8 : 4;
}

/// Two different places of four, the lower one first.
static bool isOrdered(unsigned nibble) { return (nibble & 3) < nibble >> 2; }

bool sparseColumns(unsigned chunk, bool ordered, unsigned nibble,
                   unsigned column, uint16_t *out, std::string &error) {
  bool good = chunk == 2 ? nibble == 0xe || nibble == 0x4
                         : isOrdered(nibble) ||
                               (!ordered && (nibble & 3) != nibble >> 2);
  if (!good) {
    error = "no places of a chunk's elements have the metadata 0x";
    error += "0123456789abcdef"[nibble];
    return false;
  }
  if (chunk == 2) {
    *out = column + (nibble == 0xe);
    return true;
  }
  unsigned unit = chunk / 4;
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned j = 0; j < unit; ++j)
      out[i * unit + j] = column + (nibble >> (2 * i) & 3) * unit + j;
  return true;
}

bool expandMetadata(unsigned chunk, bool ordered, unsigned rows, unsigned k,
                    const std::function<unsigned(unsigned, unsigned)> &nibble,
                    std::vector<uint16_t> &columns, std::string &error) {
  columns.resize(size_t(rows) * k / 2);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned n = 0; n < k / chunk; ++n)
      if (!sparseColumns(chunk, ordered, nibble(row, n), n * chunk,
                         &columns[(size_t(row) * k + n * chunk) / 2], error))
        return false;
  return true;
}

NibblePlace nibblePlace(const WarpMetadata &form, unsigned row, unsigned n) {
  unsigned lane = row % 8 * 4, high = row / 8, selector = form.selector;
  // Half a word for each of the two rows of a thread.
  if (form.bytes > 1)
    return {lane + (form.wide ? 2 * selector + n / 4 : selector),
            16 * high + 4 * (n % 4)};
  // A word for each row of a pair of threads.
  return {lane + (form.wide ? 2 * (n / 8) : 2 * selector) + high, 4 * (n % 8)};
}

unsigned warpNibble(const WarpMetadata &form, const uint32_t *metadata,
                    unsigned row, unsigned n) {
  NibblePlace place = nibblePlace(form, row, n);
  return metadata[place.lane] >> place.shift & 15;
}

void multiplySparse(const TileProblem &problem,
                    const std::vector<uint16_t> &columns, unsigned k) {
  size_t bytes = codeBytes(problem.bType), kept = problem.k;
  std::vector<uint8_t> b(problem.n * kept * bytes);
  TileProblem row = problem;
  row.m = 1;
  row.b = b.data();
  for (unsigned i = 0; i < problem.m; ++i) {
    for (unsigned j = 0; j < problem.n; ++j)
      for (size_t s = 0; s < kept; ++s)
        std::memcpy(&b[(j * kept + s) * bytes],
                    problem.b + (size_t(j) * k + columns[i * kept + s]) * bytes,
                    bytes);
    row.a = problem.a + i * kept * codeBytes(problem.aType);
    row.d = problem.d + size_t(i) * problem.n;
    if (problem.scaleA)
      row.scaleA = problem.scaleA + i * (kept / problem.scaleBlock);
    multiplyTile(row);
  }
}

} // namespace fp8::emulator
