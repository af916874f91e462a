//===- TensorMap.h - Tensor maps --------------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128-byte tensor map. NVIDIA's encoding is not published, so ours is own:
// a map made by our driver library or ptx-emu is read back by the emulator, a
// map from elsewhere is recognised as foreign. Validation follows the rules of
// cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col and
// cuTensorMapEncodeIm2colWide, enum values are those of cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TENSORMAP_H
#define FP8_EMULATOR_TENSORMAP_H

#include "fp8/Emulator/Swizzle.h"

#include <array>
#include <cstdint>
#include <string>

namespace fp8::emulator {

/// CUtensorMapDataType.
enum class TensorType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  BF16,
  F32FTZ,
  TF32,
  TF32FTZ,
  U4Align8,
  U4Align16,
  U6Align16
};
/// CUtensorMapInterleave.
enum class Interleave : uint8_t { None, B16, B32 };
/// CUtensorMapFloatOOBfill.
enum class OobFill : uint8_t { Zero, NaNRequestZeroFma };

/// Bits of an element in global memory: 4, 6, 8, 16, 32 or 64.
unsigned elementBits(TensorType type);

struct TensorMap {
  /// Im2colWide: for im2col::w and im2col::w::128 (sm_100).
  enum Mode : uint8_t { Tiled, Im2col, Im2colWide };
  Mode mode = Tiled;
  TensorType type = TensorType::U8;
  unsigned rank = 1;
  uint64_t address = 0;
  /// In elements, innermost first, 1..2^32.
  std::array<uint64_t, 5> dims{1, 1, 1, 1, 1};
  /// In bytes, of dimensions 1..rank-1.
  std::array<uint64_t, 4> strides{};
  /// In elements (Tiled).
  std::array<uint32_t, 5> box{1, 1, 1, 1, 1};
  std::array<uint32_t, 5> elementStrides{1, 1, 1, 1, 1};
  Interleave interleave = Interleave::None;
  Swizzle swizzle = Swizzle::None;
  uint8_t l2Promotion = 0; ///< CUtensorMapL2promotion 0..3
  OobFill oobFill = OobFill::Zero;
  /// Im2col: corners of the bounding box per spatial dimension (innermost
  /// first; rank - 2 of them). Im2colWide: of W alone.
  std::array<int32_t, 3> lowerCorner{};
  std::array<int32_t, 3> upperCorner{};
  uint32_t channelsPerPixel = 1;
  uint32_t pixelsPerColumn = 1;
};

/// The opaque object, as a kernel parameter or in memory.
struct alignas(64) EncodedTensorMap {
  uint8_t bytes[128] = {};
};

/// Validates as the driver does and encodes. On failure returns false and says
/// in `error` which rule is broken: "CUDA_ERROR_INVALID_VALUE: ...".
bool encodeTensorMap(const TensorMap &map, EncodedTensorMap &encoded,
                     std::string &error);

/// Reads a map back. False if the bytes are not a map of ours or were altered.
bool decodeTensorMap(const uint8_t *bytes, TensorMap &map, std::string &error);

/// Fields of tensormap.replace.
enum class TensorMapField : uint8_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  ElemType,
  InterleaveLayout,
  SwizzleMode,
  FillMode,
  SwizzleAtomicity
};

/// tensormap.replace on the 128 bytes in place. `ordinal` is the dimension for
/// the array fields; rank is given minus one, as in PTX; enumerations use the
/// values of PTX's tables. Only the field's own range is checked; a combination
/// that makes no sense fails when the map is used.
bool replaceTensorMapField(uint8_t *bytes, TensorMapField field,
                           unsigned ordinal, uint64_t value,
                           std::string &error);

/// The rules that encodeTensorMap checks, for a decoded map after replacements.
bool validateTensorMap(const TensorMap &map, std::string &error);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TENSORMAP_H
