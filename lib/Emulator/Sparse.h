//===- Sparse.h - Products with structured sparse A -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Emulator: what the sparse forms of mma.sync, wgmma and
// tcgen05.mma share. Metadata are read as sequences of four bits ("nibbles")
// along a row of A, one for each chunk (PTX ISA, "Sparse matrix storage"). They
// lie in registers of a warp (mma.sync and wgmma: warpNibble) or in tensor
// memory (tcgen05.mma, in Tcgen05.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_SPARSE_H
#define FP8_LIB_EMULATOR_SPARSE_H

#include "Operands.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fp8::emulator {

/// Elements of a row of A that four bits describe: 4 of which 2 are kept; 2 of
/// which 1 is (tf32); 8 of which 2 pairs are (4-bit types, packed densely).
unsigned sparseChunk(MMAType type, ElementPacking packing);

/// The columns of the chunk / 2 elements kept of the chunk from `column` on.
/// False and a reason for metadata without a meaning; `ordered`: those that
/// give the higher place first have none.
bool sparseColumns(unsigned chunk, bool ordered, unsigned nibble,
                   unsigned column, uint16_t *out, std::string &error);

/// The column of each kept element of `rows` rows of `k`: rows x (k / 2).
/// nibble(row, n) is the n-th of the row. False and a reason as sparseColumns.
bool expandMetadata(unsigned chunk, bool ordered, unsigned rows, unsigned k,
                    const std::function<unsigned(unsigned, unsigned)> &nibble,
                    std::vector<uint16_t> &columns, std::string &error);

/// What a product's type and shape say of the metadata of a warp's 16 rows.
struct WarpMetadata {
  unsigned chunk = 4;
  bool ordered = false;
  /// Columns of a row, of which half are kept.
  unsigned k = 0;
  /// Bytes of an element, 1 for narrower ones.
  unsigned bytes = 1;
  /// The form of the larger K of the type.
  bool wide = false;
  /// Which lanes of four have them.
  unsigned selector = 0;
};
WarpMetadata warpMetadata(const MmaSync &mma);
WarpMetadata warpMetadata(const Wgmma &wgmma);

/// Lane and lowest bit of nibble `n` of row 0..15.
struct NibblePlace {
  unsigned lane = 0, shift = 0;
};
NibblePlace nibblePlace(const WarpMetadata &form, unsigned row, unsigned n);

/// That nibble in the metadata of 32 lanes.
unsigned warpNibble(const WarpMetadata &form, const uint32_t *metadata,
                    unsigned row, unsigned n);

/// D = A * B + D where A is m x problem.k kept elements, and element (i, s)
/// stands in column columns[i * problem.k + s] of `k`. B is n x k; scales of
/// both belong to problem.scaleBlock kept elements.
void multiplySparse(const TileProblem &problem,
                    const std::vector<uint16_t> &columns, unsigned k);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_SPARSE_H
