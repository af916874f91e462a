//===- TMA.h - Tensor copies as lists of pieces -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one cp.async.bulk.tensor or cp.reduce.async.bulk.tensor moves: pairs of
// global and shared byte ranges. The walk touches no memory; the caller checks
// and moves the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TMA_H
#define FP8_EMULATOR_TMA_H

#include "fp8/Emulator/TensorMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fp8::emulator {

/// A run of bytes that is contiguous in global and in shared memory.
struct TMAPiece {
  uint64_t global = 0;      ///< address; meaningless out of bounds
  uint32_t shared = 0;      ///< shared address after swizzling
  uint16_t globalBytes = 0; ///< bytes moved to or from global memory
  uint16_t sharedBytes = 0; ///< bytes of shared memory covered (padding of the
                            ///< 4 and 6-bit aligned types included)
  bool inBounds = false;
};

/// Bytes of shared memory that one box covers; also what a load adds to the
/// transaction count, out-of-bounds elements included.
uint32_t boxBytes(const TensorMap &map);
/// The same for gather4/scatter4 (four rows of the box).
uint32_t gatherBytes(const TensorMap &map);

/// Alignment that the shared address must have. The swizzle patterns repeat at
/// swizzleRepeat(), but act on the absolute address, so that is no rule.
inline constexpr uint32_t TMASharedAlignment = 128;

/// Tile mode. coordinates[0] is the innermost. `shared` is the destination (or
/// source) address in the 32-bit shared window. Fails when the map or the
/// address breaks a rule.
bool walkTile(const TensorMap &map, const int32_t *coordinates, uint32_t shared,
              std::vector<TMAPiece> &pieces, std::string &error);

/// Im2col mode: coordinates (c, w, [h, [d,]] n) and rank - 2 filter offsets.
bool walkIm2col(const TensorMap &map, const int32_t *coordinates,
                const uint16_t *offsets, uint32_t shared,
                std::vector<TMAPiece> &pieces, std::string &error);

/// im2col::w, or im2col::w::128 (`fixed`): wHalo and wOffset.
struct WideLoad {
  bool fixed = false;
  uint16_t halo = 0, offset = 0;
};
/// Bytes of shared memory that it covers, as boxBytes().
uint32_t wideBytes(const TensorMap &map, const WideLoad &load);

/// Pixels along W alone, image after image: pixelsPerColumn of them and then
/// the halo, which are the next ones. im2col::w::128 has 128 and a halo behind
/// each 32; shared memory holds the 128, then the first pixels of the four
/// halos, then their second ones, and so on: four rows for each
/// tcgen05.cp.4x256b. That order is in a figure of the PTX ISA only; it is
/// taken from this use and from TIRx's simulator, so are pixels of the halo
/// behind the end of a row.
bool walkIm2colWide(const TensorMap &map, const int32_t *coordinates,
                    const WideLoad &load, uint32_t shared,
                    std::vector<TMAPiece> &pieces, std::string &error);

/// tile::gather4 and tile::scatter4: column and four rows of a 2-D map whose
/// box has one row.
bool walkGather4(const TensorMap &map, int32_t column, const int32_t *rows,
                 uint32_t shared, std::vector<TMAPiece> &pieces,
                 std::string &error);

/// What a load writes for an out-of-bounds piece: zeros or the special NaN.
void fillOutOfBounds(const TensorMap &map, uint8_t *destination,
                     unsigned bytes);

/// What a load does to in-bounds bytes on the way: flushes (F32FTZ) or rounds
/// (TF32) elements in place; other types are unchanged.
void transformLoaded(const TensorMap &map, uint8_t *data, unsigned bytes);

/// What a store does to the 16 bytes of a piece of 6-bit elements (.b6p2x16):
/// each has a byte of its own in shared memory, and they are packed into 12.
/// Pieces of other types are unchanged.
void packStored(const TensorMap &map, uint8_t *data);

enum class ReduceOp : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };

/// destination = destination op source for each element of `bytes` bytes of
/// `type`. False and a reason if the pair does not exist (e.g. Add on F64 in a
/// tensor reduce).
bool reduceElements(ReduceOp op, TensorType type, uint8_t *destination,
                    const uint8_t *source, unsigned bytes, std::string &error);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TMA_H
