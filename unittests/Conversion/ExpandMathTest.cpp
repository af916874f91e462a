//===- ExpandMathTest.cpp - Math functions to arithmetic ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansions against the C library in double precision: random arguments,
// every binade, and the special cases.
//
//===----------------------------------------------------------------------===//

#include "JitHarness.h"

#include <cmath>
#include <random>

using namespace mlir::fp8::testing;

namespace {
constexpr int kCount = 1 << 16;

/// Random bit patterns (all binades), numbers near 0 and 1, and specials.
std::vector<float> makeArguments(unsigned seed, float range) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-range, range);
  std::vector<float> values{0.0f,
                            -0.0f,
                            1.0f,
                            -1.0f,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            0x1p-149f,
                            -0x1p-149f,
                            0x1p-126f,
                            0x1.fffffep-127f,
                            3.40282347e38f,
                            -3.40282347e38f,
                            0.5f,
                            88.72284f,
                            88.8f,
                            -103.9f,
                            -104.5f};
  while (values.size() < kCount / 2) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
  }
  while (values.size() < kCount)
    values.push_back(uniform(random));
  return values;
}

/// The distance of `got` from `want` in units of the last place of `want`.
double ulps(float got, double want) {
  auto rounded = static_cast<float>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0.0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got))
    return rounded == got ? 0.0 : INFINITY;
  int exponent;
  std::frexp(rounded, &exponent);
  double unit = std::ldexp(1.0, std::max(exponent, -125) - 24);
  return std::fabs(got - want) / unit;
}

std::string unaryText(const std::string &op) {
  std::string type = "tensor<" + std::to_string(kCount) + "xf32>";
  return "func.func @main(%x: " + type + ") -> " + type + " {\n  %0 = " + op +
         " %x : " + type + "\n  return %0 : " + type + "\n}\n";
}

struct Function {
  const char *op;
  double (*reference)(double);
  double allowed; ///< in ulp
  float range;
  float largest; ///< magnitudes beyond are only checked to be in [-1, 1]
};

/// Rounded once from a value with about 2^-48 of relative error.
constexpr double kRounded = 0.50001;

double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }

class ExpandMath : public ::testing::TestWithParam<Function> {};
} // namespace

TEST_P(ExpandMath, IsWithinTheDocumentedError) {
  const Function &function = GetParam();
  unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<float> x = makeArguments(seed, function.range);
  std::vector<float> y(x.size());
  CompiledText text(unaryText(function.op));
  text.run({x.data()}, {y.data()});
  double worst = 0.0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::fabs(x[i]) > function.largest && std::isfinite(x[i])) {
      ASSERT_LE(std::fabs(y[i]), 1.0f) << function.op << " " << x[i];
      continue;
    }
    double error = ulps(y[i], function.reference(x[i]));
    ASSERT_LE(error, function.allowed)
        << function.op << "(" << x[i] << ") = " << y[i] << ", expected "
        << function.reference(x[i]);
    worst = std::max(worst, error);
  }
  RecordProperty("worst_ulp", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(
    All, ExpandMath,
    ::testing::Values(
        Function{"math.exp", std::exp, kRounded, 100.0f, INFINITY},
        Function{"math.exp2", std::exp2, kRounded, 150.0f, INFINITY},
        Function{"math.expm1", std::expm1, kRounded, 2.0f, INFINITY},
        Function{"math.log", std::log, kRounded, 4.0f, INFINITY},
        Function{"math.log1p", std::log1p, kRounded, 4.0f, INFINITY},
        Function{"math.log2", std::log2, kRounded, 4.0f, INFINITY},
        Function{"math.log10", std::log10, kRounded, 4.0f, INFINITY},
        Function{"math.tanh", std::tanh, kRounded, 6.0f, INFINITY},
        Function{"math.asinh", std::asinh, kRounded, 4.0f, INFINITY},
        Function{"math.acosh", std::acosh, kRounded, 4.0f, INFINITY},
        Function{"math.atanh", std::atanh, kRounded, 1.0f, INFINITY},
        Function{"math.cbrt", std::cbrt, kRounded, 4.0f, INFINITY},
        Function{"math.erf", std::erf, kRounded, 4.0f, INFINITY},
        Function{"math.rsqrt", reciprocalRoot, kRounded, 4.0f, INFINITY},
        Function{"math.sin", std::sin, kRounded, 100.0f, 0x1p30f},
        Function{"math.cos", std::cos, kRounded, 100.0f, 0x1p30f}),
    [](const ::testing::TestParamInfo<Function> &info) {
      return std::string(info.param.op).substr(5);
    });

TEST(ExpandMathPow, IsWithinOneUlpAndHasTheSpecialCasesOfC) {
  std::string type = "tensor<" + std::to_string(kCount) + "xf32>";
  CompiledText text("func.func @main(%x: " + type + ", %y: " + type + ") -> " +
                    type + " {\n  %0 = math.powf %x, %y : " + type +
                    "\n  return %0 : " + type + "\n}\n");
  unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-4.0f, 4.0f);
  std::vector<float> specials{
      0.0f,        -0.0f, 1.0f,   -1.0f,    2.0f,      -2.0f, 0.5f,
      -0.5f,       3.0f,  -3.0f,  INFINITY, -INFINITY, NAN,   16777217.0f,
      16777215.0f, 1e30f, -1e30f, 1.5f,     0x1p-149f};
  std::vector<float> x, y, z(kCount);
  for (float a : specials)
    for (float b : specials) {
      x.push_back(a);
      y.push_back(b);
    }
  while (x.size() < kCount) {
    x.push_back(x.size() % 2 ? std::fabs(uniform(random)) : uniform(random));
    y.push_back(x.size() % 3 ? uniform(random) * 10.0f
                             : std::round(uniform(random) * 3.0f));
  }
  text.run({x.data(), y.data()}, {z.data()});
  for (int i = 0; i < kCount; ++i)
    ASSERT_LE(ulps(z[i], std::pow(double(x[i]), double(y[i]))), 1.0)
        << "pow(" << x[i] << ", " << y[i] << ") = " << z[i];
}

TEST(ExpandMathPow, ConstantIntegerPowersAreProducts) {
  CompiledText text(R"(
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %three = arith.constant dense<3> : tensor<4xi32>
      %minus = arith.constant dense<-2> : tensor<4xi32>
      %0 = math.fpowi %x, %three : tensor<4xf32>, tensor<4xi32>
      %1 = math.fpowi %x, %minus : tensor<4xf32>, tensor<4xi32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    })");
  float x[] = {1.1f, -2.7f, 0.0f, 1e20f}, cube[4], inverse[4];
  text.run({x}, {cube, inverse});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(cube[i], x[i] * (x[i] * x[i]));
    EXPECT_EQ(inverse[i], 1.0f / (x[i] * x[i]));
  }
}
