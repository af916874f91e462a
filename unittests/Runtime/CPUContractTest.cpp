//===- CPUContractTest.cpp - Contractions of compiled code ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions of any rank and layout against a loop over the table.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/CPUContract.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace fp8;
using namespace fp8::runtime;

namespace {
/// A random contraction: sizes per dimension, and dense operands whose
/// dimensions are in a random order.
struct Case {
  std::vector<int64_t> sizes;
  std::vector<DimClass> classes;
  std::vector<int64_t> strides[3];
  std::vector<float> data[2];
  int64_t outSize = 1;
};

bool uses(DimClass c, int operand) {
  if (operand == 0)
    return c != DimClass::N;
  if (operand == 1)
    return c != DimClass::M;
  return c != DimClass::K;
}

Case makeCase(std::mt19937 &random) {
  Case result;
  int rank = 1 + random() % 6;
  for (int i = 0; i < rank; ++i) {
    result.sizes.push_back(1 + random() % 5);
    result.classes.push_back(static_cast<DimClass>(random() % 4));
  }
  for (int operand = 0; operand < 3; ++operand) {
    std::vector<int> order;
    for (int i = 0; i < rank; ++i)
      if (uses(result.classes[i], operand))
        order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    result.strides[operand].assign(rank, 0);
    int64_t stride = 1;
    for (int dim : order) {
      result.strides[operand][dim] = stride;
      stride *= result.sizes[dim];
    }
    if (operand == 2) {
      result.outSize = stride;
      continue;
    }
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < stride; ++i)
      result.data[operand].push_back(normal(random));
  }
  return result;
}

std::vector<int64_t> makeTable(const Case &c) {
  auto f32 = static_cast<int64_t>(numerics::ElementKind::F32);
  std::vector<int64_t> table{
      f32, f32, f32, static_cast<int64_t>(c.sizes.size()), 0, 0, 0};
  for (size_t i = 0; i < c.sizes.size(); ++i) {
    table.push_back(c.sizes[i]);
    table.push_back(static_cast<int64_t>(c.classes[i]));
    for (const auto &strides : c.strides)
      table.push_back(strides[i]);
  }
  return table;
}

/// All indices in row-major order, so that k ascends in table order.
std::vector<float> reference(const Case &c) {
  std::vector<float> out(c.outSize, 0.0f);
  std::vector<int64_t> index(c.sizes.size(), 0);
  while (true) {
    int64_t at[3] = {0, 0, 0};
    for (size_t d = 0; d < index.size(); ++d)
      for (int operand = 0; operand < 3; ++operand)
        at[operand] += index[d] * c.strides[operand][d];
    float product = c.data[0][at[0]] * c.data[1][at[1]];
    out[at[2]] = out[at[2]] + product;
    size_t d = index.size();
    while (d > 0 && ++index[d - 1] == c.sizes[d - 1])
      index[--d] = 0;
    if (d == 0)
      return out;
  }
}
} // namespace

TEST(CPUContract, AnyRankAndLayoutGivesTheBitsOfTheLoop) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    Case c = makeCase(random);
    std::vector<float> out(c.outSize, NAN);
    fp8_cpu_contract(c.data[0].data(), c.data[1].data(), out.data(), nullptr,
                     nullptr, makeTable(c).data());
    ASSERT_EQ(out, reference(c)) << "case " << i;
  }
}

TEST(CPUContract, ScaleMultipliesOnceAndBF16RoundsOnce) {
  std::vector<int64_t> table{3, 3, 2, 3, 0, 0, 0, 1, 1, 1, 0,
                             1, 1, 2, 0, 1, 1, 3, 3, 1, 1, 0};
  float lhs[] = {1.0f, 2.0f, 3.0f}, rhs[] = {0.1f, 0.2f, 0.3f};
  float lhsScale = 1.7f, rhsScale = 0.3f;
  uint16_t out = 0;
  fp8_cpu_contract(lhs, rhs, &out, &lhsScale, &rhsScale, table.data());
  float acc = 0.0f;
  for (int i = 0; i < 3; ++i)
    acc += lhs[i] * rhs[i];
  EXPECT_EQ(out, numerics::toBF16(acc * (lhsScale * rhsScale)));
}

TEST(CPUContract, EmptyReductionGivesZerosAndEmptyResultNothing) {
  std::vector<int64_t> table{3, 3, 3, 2, 0, 0, 0, 2, 1, 0, 0, 1, 0, 3, 1, 1, 0};
  float out[2] = {1.0f, 1.0f};
  fp8_cpu_contract(nullptr, nullptr, out, nullptr, nullptr, table.data());
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_EQ(out[1], 0.0f);
  table[ContractTable::kHeader] = 0;
  fp8_cpu_contract(nullptr, nullptr, nullptr, nullptr, nullptr, table.data());
}
