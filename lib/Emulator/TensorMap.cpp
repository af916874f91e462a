//===- TensorMap.cpp - Tensor maps ----------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validation by the driver's rules, and our own 128-byte encoding. Invariant: a
// map that decodes was encoded here and not altered since, except through
// replaceTensorMapField; a checksum tells.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/TensorMap.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace fp8::emulator {

unsigned elementBits(TensorType type) {
  switch (type) {
  case TensorType::U4Align8:
  case TensorType::U4Align16:
    return 4;
  case TensorType::U6Align16:
    return 6;
  case TensorType::U8:
    return 8;
  case TensorType::U16:
  case TensorType::F16:
  case TensorType::BF16:
    return 16;
  case TensorType::U64:
  case TensorType::S64:
  case TensorType::F64:
    return 64;
  default:
    return 32;
  }
}

static bool isFloatType(TensorType t) {
  return t >= TensorType::F16 && t <= TensorType::TF32FTZ;
}

/// The types whose 16 elements lie padded in 16 shared bytes.
static bool isPaddedType(TensorType t) {
  return t == TensorType::U4Align16 || t == TensorType::U6Align16;
}

namespace {
/// Collects the first broken rule.
class Rules {
public:
  explicit Rules(std::string &error) : error(error) {}
  void require(bool holds, const std::string &expected,
               const std::string &found) {
    if (holds || broken)
      return;
    broken = true;
    error = "CUDA_ERROR_INVALID_VALUE: expected " + expected + ", got " + found;
  }
  void require(bool holds, const std::string &expected, uint64_t found) {
    require(holds, expected, std::to_string(found));
  }
  bool ok() const { return !broken; }

private:
  std::string &error;
  bool broken = false;
};
} // namespace

static std::string dimName(const char *what, unsigned i) {
  return std::string(what) + "[" + std::to_string(i) + "]";
}

static void checkGlobal(const TensorMap &m, Rules &rules) {
  bool wide = m.interleave == Interleave::B32 || isPaddedType(m.type);
  unsigned unit = wide ? 32 : 16;
  std::string multiple = "a multiple of " + std::to_string(unit);
  rules.require(m.rank >= 1 && m.rank <= 5, "rank 1 to 5", m.rank);
  if (!rules.ok())
    return;
  rules.require(m.interleave == Interleave::None || m.rank >= 3,
                "rank 3 or more with interleave", m.rank);
  rules.require(m.address % unit == 0, "globalAddress " + multiple, m.address);
  for (unsigned i = 0; i < m.rank; ++i)
    rules.require(m.dims[i] >= 1 && m.dims[i] <= uint64_t(1) << 32,
                  dimName("globalDim", i) + " from 1 to 2^32", m.dims[i]);
  if (m.type == TensorType::U4Align8)
    rules.require(m.dims[0] % 2 == 0, "globalDim[0] a multiple of 2 for 16U4",
                  m.dims[0]);
  if (isPaddedType(m.type))
    rules.require(m.dims[0] % 128 == 0,
                  "globalDim[0] a multiple of 128 for ALIGN16B types",
                  m.dims[0]);
  for (unsigned i = 0; i + 1 < m.rank; ++i)
    rules.require(m.strides[i] % unit == 0 && m.strides[i] < uint64_t(1) << 40,
                  dimName("globalStrides", i) + " below 2^40 and " + multiple,
                  m.strides[i]);
}

/// The rules for a row of `elements` in shared memory.
static void checkRow(const TensorMap &m, const char *name, unsigned elements,
                     Rules &rules) {
  unsigned bytes = elements * elementBits(m.type) / 8;
  if (isPaddedType(m.type)) {
    rules.require(elements == 128,
                  std::string(name) + " 128 for ALIGN16B types", elements);
    rules.require(m.swizzle == Swizzle::None || m.swizzle >= Swizzle::B128,
                  "no swizzle or a 128-byte swizzle for ALIGN16B types",
                  static_cast<unsigned>(m.swizzle));
    return;
  }
  if (m.interleave == Interleave::None) {
    rules.require(bytes % 16 == 0 && bytes > 0,
                  std::string(name) + " * element size a multiple of 16 bytes",
                  std::to_string(bytes) + " bytes");
    if (m.swizzle != Swizzle::None)
      rules.require(bytes <= swizzleSpan(m.swizzle),
                    std::string(name) + " * element size at most " +
                        std::to_string(swizzleSpan(m.swizzle)) +
                        " bytes with this swizzle",
                    std::to_string(bytes) + " bytes");
  }
  if (m.interleave == Interleave::B32)
    rules.require(m.swizzle == Swizzle::B32, "swizzle 32B with interleave 32B",
                  static_cast<unsigned>(m.swizzle));
}

static void checkTiled(const TensorMap &m, Rules &rules) {
  for (unsigned i = 0; i < m.rank; ++i)
    rules.require(m.box[i] >= 1 && m.box[i] <= 256,
                  dimName("boxDim", i) + " from 1 to 256", m.box[i]);
  if (rules.ok())
    checkRow(m, "boxDim[0]", m.box[0], rules);
}

/// What cuTensorMapEncodeIm2colWide asks for beyond the others.
static void checkWide(const TensorMap &m, Rules &rules) {
  rules.require(m.swizzle == Swizzle::B64 || m.swizzle == Swizzle::B128 ||
                    m.swizzle == Swizzle::B128Atom32,
                "swizzle 64B, 128B or 128B_ATOM_32B for im2col::w",
                static_cast<unsigned>(m.swizzle));
  int64_t last = static_cast<int64_t>(m.dims[1]) - 1 + m.upperCorner[0];
  rules.require(m.lowerCorner[0] <= last,
                "a bounding box of at least one pixel for im2col::w",
                std::to_string(m.lowerCorner[0]) + " to " +
                    std::to_string(last));
}

static void checkIm2col(const TensorMap &m, Rules &rules) {
  rules.require(m.rank >= 3, "rank 3 to 5 for im2col", m.rank);
  if (!rules.ok())
    return;
  bool wide = m.mode == TensorMap::Im2colWide;
  static constexpr int Limits[] = {1 << 15, 1 << 7, 1 << 4};
  int limit = Limits[wide ? 0 : m.rank - 3];
  auto fits = [&](int v) { return v >= -limit && v < limit; };
  for (unsigned i = 0; i < (wide ? 1 : m.rank - 2); ++i) {
    std::string range =
        " from " + std::to_string(-limit) + " to " + std::to_string(limit - 1);
    rules.require(fits(m.lowerCorner[i]),
                  dimName("pixelBoxLowerCorner", i) + range,
                  std::to_string(m.lowerCorner[i]));
    rules.require(fits(m.upperCorner[i]),
                  dimName("pixelBoxUpperCorner", i) + range,
                  std::to_string(m.upperCorner[i]));
  }
  rules.require(m.channelsPerPixel >= 1 && m.channelsPerPixel <= 256,
                "channelsPerPixel from 1 to 256", m.channelsPerPixel);
  rules.require(m.pixelsPerColumn >= 1 && m.pixelsPerColumn <= 1024,
                "pixelsPerColumn from 1 to 1024", m.pixelsPerColumn);
  if (wide)
    checkWide(m, rules);
  if (rules.ok())
    checkRow(m, "channelsPerPixel", m.channelsPerPixel, rules);
}

bool validateTensorMap(const TensorMap &m, std::string &error) {
  Rules rules(error);
  rules.require(m.type <= TensorType::U6Align16, "a CUtensorMapDataType",
                static_cast<unsigned>(m.type));
  rules.require(m.interleave <= Interleave::B32, "a CUtensorMapInterleave",
                static_cast<unsigned>(m.interleave));
  rules.require(m.swizzle <= Swizzle::B128Atom64, "a CUtensorMapSwizzle",
                static_cast<unsigned>(m.swizzle));
  rules.require(m.l2Promotion <= 3, "a CUtensorMapL2promotion", m.l2Promotion);
  rules.require(m.oobFill <= OobFill::NaNRequestZeroFma,
                "a CUtensorMapFloatOOBfill", static_cast<unsigned>(m.oobFill));
  if (rules.ok())
    checkGlobal(m, rules);
  if (!rules.ok())
    return false;
  for (unsigned i = 0; i < m.rank; ++i)
    rules.require(m.elementStrides[i] >= 1 && m.elementStrides[i] <= 8,
                  dimName("elementStrides", i) + " from 1 to 8",
                  m.elementStrides[i]);
  rules.require(m.oobFill == OobFill::Zero || isFloatType(m.type),
                "a floating-point type with NAN_REQUEST_ZERO_FMA",
                "an integer type");
  if (m.mode == TensorMap::Tiled)
    checkTiled(m, rules);
  else
    checkIm2col(m, rules);
  return rules.ok();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

namespace {
constexpr uint32_t Magic = 0x50544d38; // "8MTP"

/// The stored form: 128 bytes, little endian, checksum last.
struct Stored {
  uint32_t magic;
  uint8_t mode, type, rank, interleave;
  uint8_t swizzle, l2Promotion, oobFill, reserved;
  uint8_t box[5]; // minus one
  uint8_t elementStrides[5];
  uint16_t channelsPerPixel, pixelsPerColumn;
  int16_t lowerCorner[3], upperCorner[3];
  uint16_t padding;
  uint32_t dims[5]; // minus one
  uint64_t address;
  uint64_t strides[4];
  uint32_t unused[3];
  uint32_t checksum;
};
static_assert(sizeof(Stored) <= 128);
} // namespace

static uint32_t checksumOf(const Stored &s) {
  uint32_t hash = 2166136261u;
  const auto *bytes = reinterpret_cast<const uint8_t *>(&s);
  for (size_t i = 0; i < offsetof(Stored, checksum); ++i)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

static void store(const TensorMap &m, uint8_t *bytes) {
  Stored s;
  std::memset(&s, 0, sizeof s);
  s.magic = Magic;
  s.mode = m.mode;
  s.type = static_cast<uint8_t>(m.type);
  s.rank = m.rank;
  s.interleave = static_cast<uint8_t>(m.interleave);
  s.swizzle = static_cast<uint8_t>(m.swizzle);
  s.l2Promotion = m.l2Promotion;
  s.oobFill = static_cast<uint8_t>(m.oobFill);
  for (unsigned i = 0; i < 5; ++i) {
    s.box[i] = m.box[i] - 1;
    s.elementStrides[i] = m.elementStrides[i];
    s.dims[i] = static_cast<uint32_t>(m.dims[i] - 1);
  }
  for (unsigned i = 0; i < 4; ++i)
    s.strides[i] = m.strides[i];
  for (unsigned i = 0; i < 3; ++i) {
    s.lowerCorner[i] = m.lowerCorner[i];
    s.upperCorner[i] = m.upperCorner[i];
  }
  s.channelsPerPixel = m.channelsPerPixel;
  s.pixelsPerColumn = m.pixelsPerColumn;
  s.address = m.address;
  s.checksum = checksumOf(s);
  std::memset(bytes, 0, 128);
  std::memcpy(bytes, &s, sizeof s);
}

bool encodeTensorMap(const TensorMap &map, EncodedTensorMap &encoded,
                     std::string &error) {
  if (!validateTensorMap(map, error))
    return false;
  store(map, encoded.bytes);
  return true;
}

bool decodeTensorMap(const uint8_t *bytes, TensorMap &m, std::string &error) {
  Stored s;
  std::memcpy(&s, bytes, sizeof s);
  if (s.magic != Magic) {
    error = "the 128 bytes are not a tensor map that this runtime encoded";
    return false;
  }
  if (s.checksum != checksumOf(s)) {
    error = "the tensor map was altered after it was encoded";
    return false;
  }
  m.mode = static_cast<TensorMap::Mode>(s.mode);
  m.type = static_cast<TensorType>(s.type);
  m.rank = s.rank;
  m.interleave = static_cast<Interleave>(s.interleave);
  m.swizzle = static_cast<Swizzle>(s.swizzle);
  m.l2Promotion = s.l2Promotion;
  m.oobFill = static_cast<OobFill>(s.oobFill);
  for (unsigned i = 0; i < 5; ++i) {
    m.box[i] = s.box[i] + 1u;
    m.elementStrides[i] = s.elementStrides[i];
    m.dims[i] = uint64_t(s.dims[i]) + 1;
  }
  for (unsigned i = 0; i < 4; ++i)
    m.strides[i] = s.strides[i];
  for (unsigned i = 0; i < 3; ++i) {
    m.lowerCorner[i] = s.lowerCorner[i];
    m.upperCorner[i] = s.upperCorner[i];
  }
  m.channelsPerPixel = s.channelsPerPixel;
  m.pixelsPerColumn = s.pixelsPerColumn;
  m.address = s.address;
  return true;
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

/// PTX's .elemtype table differs from CUtensorMapDataType in four places.
static TensorType elementTypeOfPTX(unsigned value) {
  switch (value) {
  case 8:
    return TensorType::F32FTZ;
  case 9:
    return TensorType::F64;
  case 10:
    return TensorType::BF16;
  default:
    return static_cast<TensorType>(value);
  }
}

/// Swizzle mode and atomicity are two fields in PTX, one value here.
static Swizzle combineSwizzle(unsigned mode, unsigned atomicity) {
  static constexpr Swizzle Wide[] = {Swizzle::B128, Swizzle::B128Atom32,
                                     Swizzle::B128Atom32Flip8,
                                     Swizzle::B128Atom64};
  return mode == 3 ? Wide[atomicity] : static_cast<Swizzle>(mode);
}

static bool replaceScalar(TensorMap &m, TensorMapField field, uint64_t value) {
  unsigned mode = std::min(3u, static_cast<unsigned>(m.swizzle));
  unsigned atomicity = static_cast<unsigned>(m.swizzle) - mode;
  switch (field) {
  case TensorMapField::GlobalAddress:
    m.address = value;
    return value % 16 == 0;
  case TensorMapField::Rank:
    m.rank = value + 1;
    return value <= 4;
  case TensorMapField::ElemType:
    m.type = elementTypeOfPTX(value);
    return value <= 15;
  case TensorMapField::InterleaveLayout:
    m.interleave = static_cast<Interleave>(value);
    return value <= 2;
  case TensorMapField::SwizzleMode:
    m.swizzle = combineSwizzle(value & 3, atomicity);
    return value <= 3;
  case TensorMapField::SwizzleAtomicity:
    m.swizzle = combineSwizzle(mode, value & 3);
    return value <= 3;
  case TensorMapField::FillMode:
    m.oobFill = static_cast<OobFill>(value);
    return value <= 1;
  default:
    return false;
  }
}

static bool replaceElement(TensorMap &m, TensorMapField field, unsigned ordinal,
                           uint64_t value) {
  bool stride = field == TensorMapField::GlobalStride;
  if (ordinal >= (stride ? 4u : 5u))
    return false;
  switch (field) {
  case TensorMapField::BoxDim:
    m.box[ordinal] = value;
    return value >= 1 && value <= 256;
  case TensorMapField::GlobalDim:
    m.dims[ordinal] = value;
    return value >= 1 && value <= uint64_t(1) << 32;
  case TensorMapField::GlobalStride:
    m.strides[ordinal] = value;
    return value % 16 == 0 && value < uint64_t(1) << 40;
  default: // ElementStride
    m.elementStrides[ordinal] = value;
    return value >= 1 && value <= 8;
  }
}

bool replaceTensorMapField(uint8_t *bytes, TensorMapField field,
                           unsigned ordinal, uint64_t value,
                           std::string &error) {
  TensorMap map;
  // A kernel may build a map from zeros, field by field.
  bool isEmpty = std::all_of(bytes, bytes + 128, [](uint8_t b) { return !b; });
  if (!isEmpty && !decodeTensorMap(bytes, map, error))
    return false;
  bool isArray = field == TensorMapField::BoxDim ||
                 field == TensorMapField::GlobalDim ||
                 field == TensorMapField::GlobalStride ||
                 field == TensorMapField::ElementStride;
  if (isArray ? !replaceElement(map, field, ordinal, value)
              : !replaceScalar(map, field, value)) {
    error = "tensormap.replace: value " + std::to_string(value) + " (ordinal " +
            std::to_string(ordinal) + ") is not allowed for this field";
    return false;
  }
  store(map, bytes);
  return true;
}

} // namespace fp8::emulator
