//===- ContractKernelTest.cpp - Blocked contractions against scalar ones --===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// contract() must have the bits of contractReference() for every instruction
// set, operand kind, model, stride order and size, whatever the data are.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fp8::numerics;

namespace {

enum class Data { Normal, AllBits, WideExponents, ManyZeros };

constexpr ElementKind kKinds[] = {ElementKind::E4M3FN, ElementKind::E5M2,
                                  ElementKind::BF16, ElementKind::F32};

void storeElement(char *to, ElementKind kind, float value) {
  if (kind == ElementKind::F32) {
    std::memcpy(to, &value, 4);
  } else if (kind == ElementKind::BF16) {
    uint16_t bits = toBF16(value);
    std::memcpy(to, &bits, 2);
  } else {
    *to = static_cast<char>(
        encode(value, kind == ElementKind::E5M2 ? Format::E5M2 : Format::E4M3FN,
               true));
  }
}

std::vector<char> makeOperand(std::mt19937 &engine, int64_t count,
                              ElementKind kind, Data data) {
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> exponent(-60, 40), byte(0, 255),
      tenth(0, 9);
  size_t size = sizeInBytes(kind);
  std::vector<char> operand(count * size);
  for (int64_t i = 0; i < count; ++i) {
    char *element = operand.data() + i * size;
    switch (data) {
    case Data::Normal:
      storeElement(element, kind, normal(engine));
      break;
    case Data::AllBits:
      for (size_t b = 0; b < size; ++b)
        element[b] = static_cast<char>(byte(engine));
      break;
    case Data::WideExponents:
      storeElement(element, kind, std::ldexp(normal(engine), exponent(engine)));
      break;
    case Data::ManyZeros:
      storeElement(element, kind, tenth(engine) ? 0.0f : normal(engine));
      break;
    }
  }
  return operand;
}

struct Problem {
  int64_t batch, m, n, k;
  ElementKind lhs, rhs;
  bool lhsTransposed, rhsTransposed;
  Data data;
  AccumModel model;
  bool withInit;
  ElementKind out;
};

ConstMatrix matrixOf(const void *data, ElementKind kind, int64_t rows,
                     int64_t cols, bool transposed) {
  if (transposed)
    return {data, kind, rows * cols, 1, rows};
  return {data, kind, rows * cols, cols, 1};
}

void expectSameBits(std::mt19937 &engine, const Problem &problem,
                    KernelISA isa) {
  std::vector<char> a = makeOperand(
      engine, problem.batch * problem.m * problem.k, problem.lhs, problem.data);
  std::vector<char> b = makeOperand(
      engine, problem.batch * problem.k * problem.n, problem.rhs, problem.data);
  int64_t outputs = problem.batch * problem.m * problem.n;
  std::vector<char> init =
      makeOperand(engine, outputs, ElementKind::F32, problem.data);
  size_t size = sizeInBytes(problem.out);
  std::vector<char> fast(outputs * size), slow(outputs * size);

  ContractArgs args;
  args.batch = problem.batch;
  args.m = problem.m;
  args.n = problem.n;
  args.k = problem.k;
  args.lhs = matrixOf(a.data(), problem.lhs, problem.m, problem.k,
                      problem.lhsTransposed);
  args.rhs = matrixOf(b.data(), problem.rhs, problem.k, problem.n,
                      problem.rhsTransposed);
  if (problem.withInit)
    args.init = {init.data(), ElementKind::F32, problem.m * problem.n,
                 problem.n, 1};
  else
    args.scale = 0.37f;
  args.model = problem.model;
  args.isa = isa;
  args.out = {fast.data(), problem.out, problem.m * problem.n, problem.n, 1};
  contract(args);
  args.out.data = slow.data();
  contractReference(args);

  for (int64_t i = 0; i < outputs; ++i)
    ASSERT_EQ(std::memcmp(&fast[i * size], &slow[i * size], size), 0)
        << "isa " << static_cast<int>(isa) << " m " << problem.m << " n "
        << problem.n << " k " << problem.k << " kinds "
        << static_cast<int>(problem.lhs) << static_cast<int>(problem.rhs)
        << " data " << static_cast<int>(problem.data) << " model "
        << static_cast<int>(problem.model.kind) << " promote "
        << problem.model.promote << " parts " << problem.model.split.size() + 1
        << " output " << i << " fast "
        << loadElement(&fast[i * size], problem.out) << " reference "
        << loadElement(&slow[i * size], problem.out);
}

std::vector<KernelISA> hostISAs() {
  std::vector<KernelISA> isas = {KernelISA::Portable};
  if (hostISA() >= KernelISA::AVX2)
    isas.push_back(KernelISA::AVX2);
  if (hostISA() >= KernelISA::AVX512)
    isas.push_back(KernelISA::AVX512);
  return isas;
}

class ContractKernel : public testing::TestWithParam<AccumKind> {};

TEST_P(ContractKernel, EqualsReference) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  for (KernelISA isa : hostISAs())
    for (ElementKind lhs : kKinds)
      for (ElementKind rhs : kKinds)
        for (Data data : {Data::Normal, Data::AllBits, Data::WideExponents,
                          Data::ManyZeros}) {
          Problem problem = {pick(1, 2),
                             pick(1, 35),
                             pick(1, 70),
                             pick(0, 90),
                             lhs,
                             rhs,
                             pick(0, 1) == 1,
                             pick(0, 1) == 1,
                             data,
                             {},
                             pick(0, 2) == 0,
                             pick(0, 1) ? ElementKind::F32 : ElementKind::BF16};
          problem.model.kind = GetParam();
          if (pick(0, 1))
            problem.model.promote = pick(1, 40);
          if (pick(0, 1)) {
            int64_t unit = std::max<int64_t>(1, problem.model.promote);
            problem.model.split = {unit * pick(1, 2), unit * pick(3, 4)};
          }
          expectSameBits(engine, problem, isa);
          if (HasFatalFailure())
            return;
        }
}

INSTANTIATE_TEST_SUITE_P(Models, ContractKernel,
                         testing::Values(AccumKind::SeqF32, AccumKind::Hopper,
                                         AccumKind::Ada, AccumKind::Blackwell,
                                         AccumKind::Exact));

// Sizes around the block sizes of the driver, long chains included.
TEST(ContractKernelBlocks, EqualsReference) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  struct Size {
    int64_t m, n, k;
  };
  for (KernelISA isa : hostISAs())
    for (AccumKind kind : {AccumKind::SeqF32, AccumKind::Hopper})
      for (Size size : {Size{2017, 1, 33}, Size{1, 1025, 40}, Size{3, 5, 700},
                        Size{169, 33, 257}})
        for (int64_t promote : {0, 128}) {
          Problem problem = {1,
                             size.m,
                             size.n,
                             size.k,
                             ElementKind::E4M3FN,
                             ElementKind::E5M2,
                             false,
                             true,
                             Data::WideExponents,
                             {kind, promote, {}},
                             false,
                             ElementKind::F32};
          expectSameBits(engine, problem, isa);
          if (HasFatalFailure())
            return;
        }
}

TEST(ContractKernelEdges, ZeroSizes) {
  float out[2] = {7.0f, 7.0f}, init[2] = {-0.0f, 3.0f};
  ContractArgs args;
  args.m = 1;
  args.n = 2;
  args.k = 0;
  args.out = {out, ElementKind::F32, 0, 2, 1};
  contract(args);
  EXPECT_EQ(toBits(out[0]), 0u);
  EXPECT_EQ(toBits(out[1]), 0u);

  args.init = {init, ElementKind::F32, 0, 2, 1};
  args.scale = 2.0f;
  contract(args);
  EXPECT_EQ(toBits(out[0]), 0u);
  EXPECT_EQ(out[1], 6.0f);

  args.m = 0;
  contract(args);
  EXPECT_EQ(out[1], 6.0f);
}

// Strides of 0 (a broadcast row) and negative ones (a reversed one).
TEST(ContractKernelEdges, BroadcastAndReversedStrides) {
  float a[3] = {1.0f, 2.0f, 3.0f}, b[3] = {1.0f, 10.0f, 100.0f}, out[4];
  ContractArgs args;
  args.m = args.n = 2;
  args.k = 3;
  args.lhs = {a, ElementKind::F32, 0, 0, 1};
  args.rhs = {b + 2, ElementKind::F32, 0, -1, 0};
  args.out = {out, ElementKind::F32, 0, 2, 1};
  contract(args);
  for (float value : out)
    EXPECT_EQ(value, 123.0f);
}

// fma would round once and give another bit: 1 + 2^-12 squared has a 2^-24.
TEST(ContractKernelEdges, F32ProductsRoundBeforeTheSum) {
  float a[2] = {-1.0f, 1.0f + 0x1p-12f};
  float b[2] = {1.0f + 0x1p-11f, 1.0f + 0x1p-12f}, out;
  ContractArgs args;
  args.m = args.n = 1;
  args.k = 2;
  args.lhs = {a, ElementKind::F32, 0, 0, 1};
  args.rhs = {b, ElementKind::F32, 0, 1, 0};
  args.out = {&out, ElementKind::F32, 0, 1, 1};
  contract(args);
  EXPECT_EQ(out, 0.0f);
}

// The same for BF16 products below f32's range: 2^-150 rounds to 0 (a tie), so
// the sum stays at 2^-149; one rounding of 1.5 * 2^-149 would give 2^-148.
TEST(ContractKernelEdges, TinyBF16ProductsRoundBeforeTheSum) {
  uint16_t a[2] = {toBF16(0x1p-75f), toBF16(0x1p-75f)};
  uint16_t b[2] = {toBF16(0x1p-74f), toBF16(0x1p-75f)};
  for (KernelISA isa : hostISAs()) {
    float out;
    ContractArgs args;
    args.m = args.n = 1;
    args.k = 2;
    args.lhs = {a, ElementKind::BF16, 0, 0, 1};
    args.rhs = {b, ElementKind::BF16, 0, 1, 0};
    args.out = {&out, ElementKind::F32, 0, 1, 1};
    args.isa = isa;
    contract(args);
    EXPECT_EQ(toBits(out), 1u);
  }
}

} // namespace
