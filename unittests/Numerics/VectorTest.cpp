//===- VectorTest.cpp - Chains recorded from other people's models --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// python/tools/make_accumulation_vectors.py ran 102,400 FP8 chains through
// mmaemu and 1,080 BF16 chains through MMA-Sim and stored the results; the
// operands are made again here from the same seeds. Both the scalar reference
// and the blocked kernels must give the recorded bits.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace fp8::numerics;

namespace {

/// One line of a vector file.
struct Block {
  AccumKind model;
  ElementKind lhs, rhs;
  int style;
  int64_t k, promote;
  uint64_t seed;
  std::vector<int64_t> split;
};

AccumKind modelNamed(const std::string &name) {
  return name == "hopper" ? AccumKind::Hopper
         : name == "ada"  ? AccumKind::Ada
                          : AccumKind::Blackwell;
}

ElementKind kindNamed(const std::string &name) {
  return name == "e4m3"   ? ElementKind::E4M3FN
         : name == "e5m2" ? ElementKind::E5M2
                          : ElementKind::BF16;
}

std::vector<Block> readBlocks(const std::string &name) {
  std::ifstream file(std::string(FP8_VECTORS) + "/" + name + ".txt");
  std::vector<Block> blocks;
  std::string line, model, lhs, rhs;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Block block;
    fields >> model >> lhs >> rhs >> block.style >> block.k >> block.promote >>
        block.seed;
    block.model = modelNamed(model);
    block.lhs = kindNamed(lhs);
    block.rhs = kindNamed(rhs);
    for (int64_t boundary; fields >> boundary;)
      block.split.push_back(boundary);
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<uint32_t> readResults(const std::string &name) {
  std::ifstream file(std::string(FP8_VECTORS) + "/" + name + ".bin",
                     std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)),
                    std::istreambuf_iterator<char>());
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

/// splitmix64 of seed + index.
uint64_t randomWord(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// The code that the script's fp8_codes() draws from `word`; pairs that cancel
/// (style 5) are made by the caller.
uint8_t codeFrom(uint64_t word, ElementKind kind, int style) {
  bool e4m3 = kind == ElementKind::E4M3FN;
  unsigned sign = word & 0x80, pick = (word >> 8) & 0xFFFF;
  unsigned more = (word >> 24) & 0xFFFF, top = e4m3 ? 0x7E : 0x7B;
  unsigned finite = word & 0xFF;
  if ((finite & 0x7F) > top)
    finite = 0;
  unsigned near = e4m3 ? 0x30 + pick % 24 : 0x38 + pick % 12;
  switch (style) {
  case 0:
  case 5:
    return static_cast<uint8_t>(finite);
  case 1:
    return static_cast<uint8_t>(sign | near);
  case 2:
    return static_cast<uint8_t>(near);
  case 3:
    return static_cast<uint8_t>(sign |
                                (pick % 16 == 0 ? top - more % 8 : more % 8));
  case 4:
    return static_cast<uint8_t>(pick % 2 == 0 ? 0 : finite);
  default:
    break;
  }
  unsigned special = e4m3 ? 0x7F : 0x7C + more % 4;
  return static_cast<uint8_t>(sign | (more % 997 < 3 ? special : near));
}

/// Operand [lanes, k] of a block.
std::vector<char> makeOperand(const Block &block, ElementKind kind,
                              int64_t lanes, uint64_t seed, bool negate) {
  int64_t count = lanes * block.k;
  std::vector<char> data(count * sizeInBytes(kind));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word = randomWord(seed, static_cast<uint64_t>(i));
    if (kind == ElementKind::BF16) {
      uint16_t bits = static_cast<uint16_t>((word & 0x807F) |
                                            ((word >> 16) % 40 + 107) << 7);
      std::memcpy(&data[i * 2], &bits, 2);
    } else if (block.style == 5 && i % block.k % 2) {
      data[i] = static_cast<char>(data[i - 1] ^ (negate ? 0x80 : 0));
    } else {
      data[i] = static_cast<char>(codeFrom(word, kind, block.style));
    }
  }
  return data;
}

void expectRecorded(const std::string &name, int64_t rows, int64_t cols,
                    size_t blockCount) {
  std::vector<Block> blocks = readBlocks(name);
  std::vector<uint32_t> expected = readResults(name);
  ASSERT_EQ(blocks.size(), blockCount);
  ASSERT_EQ(expected.size(), blockCount * rows * cols);
  for (size_t index = 0; index < blocks.size(); ++index) {
    const Block &block = blocks[index];
    std::vector<char> a =
        makeOperand(block, block.lhs, rows, block.seed, false);
    std::vector<char> b =
        makeOperand(block, block.rhs, cols, block.seed + 1, true);
    std::vector<float> fast(rows * cols), slow(rows * cols);
    ContractArgs args;
    args.m = rows;
    args.n = cols;
    args.k = block.k;
    args.lhs = {a.data(), block.lhs, 0, block.k, 1};
    args.rhs = {b.data(), block.rhs, 0, 1, block.k};
    args.model = {block.model, block.promote, block.split};
    args.out = {fast.data(), ElementKind::F32, 0, cols, 1};
    contract(args);
    args.out.data = slow.data();
    contractReference(args);
    for (int64_t i = 0; i < rows * cols; ++i) {
      uint32_t recorded = expected[index * rows * cols + i];
      ASSERT_EQ(toBits(slow[i]), recorded)
          << name << " line " << index + 1 << " output " << i << ": " << slow[i]
          << ", recorded " << fromBits(recorded);
      ASSERT_EQ(toBits(fast[i]), recorded)
          << name << " line " << index + 1 << " output " << i;
    }
  }
}

TEST(Vectors, FP8EqualsMmaemu) { expectRecorded("mmaemu_fp8", 16, 16, 400); }

TEST(Vectors, BF16EqualsMMASim) { expectRecorded("mmasim_bf16", 6, 6, 30); }

} // namespace
