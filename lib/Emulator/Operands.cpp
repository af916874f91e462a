//===- Operands.cpp - Gathering operands from shared memory ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole 16-byte units are located once and then split into elements: the
// layouts and swizzles keep a unit together.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <algorithm>
#include <cstring>

namespace fp8::emulator {

/// Elements in a 16-byte unit.
static unsigned elementsPerUnit(const OperandShape &s) {
  if (s.packing == ElementPacking::Padded)
    return 16;
  if (s.packing == ElementPacking::Dense)
    return s.type == MMAType::B1 ? 128 : 32;
  return 16 / codeBytes(s.type);
}

/// Element `i` of a unit, as codeBytes() bytes.
static void extractElement(const OperandShape &s, const uint8_t *unit,
                           unsigned i, uint8_t *code) {
  if (s.packing == ElementPacking::Bytes) {
    unsigned bytes = codeBytes(s.type);
    std::memcpy(code, unit + i * bytes, bytes);
    return;
  }
  bool sixBits = s.type == MMAType::E2M3 || s.type == MMAType::E3M2;
  unsigned width = s.type == MMAType::B1 ? 1 : sixBits ? 6 : 4;
  unsigned bit = i * width, byte = bit / 8;
  unsigned pair = unit[byte] | (byte + 1 < 16 ? unit[byte + 1] << 8 : 0);
  *code = (pair >> bit % 8) & ((1u << width) - 1);
}

bool gatherOperand(const SharedView &shared, const MatrixDescriptor &descriptor,
                   const OperandShape &s, uint8_t *codes, std::string &error) {
  unsigned perUnit = elementsPerUnit(s), bytes = codeBytes(s.type);
  unsigned along = s.kMajor ? s.k : s.mn, across = s.kMajor ? s.mn : s.k;
  for (unsigned row = 0; row < across; ++row)
    for (unsigned first = 0; first < along; first += perUnit) {
      unsigned column = first / perUnit * 16; // in bytes
      uint32_t at =
          elementAddress(descriptor, s.kMajor, 1, s.kMajor ? row : column,
                         s.kMajor ? column : row);
      if (at > shared.size || shared.size - at < 16) {
        error = "the matrix descriptor reaches shared address " +
                std::to_string(at) + ", beyond the " +
                std::to_string(shared.size) + " bytes of the block";
        return false;
      }
      const uint8_t *unit = shared.data + at;
      unsigned count = std::min(perUnit, along - first);
      if (s.kMajor && s.packing == ElementPacking::Bytes) {
        std::memcpy(codes + (size_t(row) * s.k + first) * bytes, unit,
                    size_t(count) * bytes);
        continue;
      }
      for (unsigned i = 0; i < count; ++i) {
        size_t index = s.kMajor ? size_t(row) * s.k + first + i
                                : size_t(first + i) * s.k + row;
        extractElement(s, unit, i, codes + index * bytes);
      }
    }
  return true;
}

void operandFootprint(const MatrixDescriptor &descriptor, bool kMajor,
                      unsigned elementBytes, unsigned mn, unsigned k,
                      std::vector<uint32_t> &chunks) {
  chunks.clear();
  unsigned along = (kMajor ? k : mn) * elementBytes;
  unsigned across = kMajor ? mn : k;
  for (unsigned row = 0; row < across; ++row)
    for (unsigned column = 0; column < along; column += 16)
      chunks.push_back(elementAddress(
          descriptor, kMajor, 1, kMajor ? row : column, kMajor ? column : row));
  std::sort(chunks.begin(), chunks.end());
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
}

} // namespace fp8::emulator
