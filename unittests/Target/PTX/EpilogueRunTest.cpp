//===- EpilogueRunTest.cpp - Fused epilogues on the emulator --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products whose epilogue adds, activates, reduces and quantises, against the
// contraction of lib/Numerics followed by the same steps in C++, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "ProductRunner.h"

#include <set>

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace numerics = ::fp8::numerics;

namespace {

class EpilogueRunTest : public ProductTest {
protected:
  /// Operands of `operand` (of E4M3 on the right where that is an 8-bit type).
  void check(int64_t batch, int64_t m, int64_t n, int64_t k,
             const char *operand, const char *product,
             const EpilogueText &epilogue, const RunOptions &run = {}) {
    SCOPED_TRACE(testing::Message() << batch << " x " << m << " x " << n
                                    << " x " << k << " of " << operand);
    ProductCase c;
    c.batch = batch;
    c.m = m;
    c.n = n;
    c.k = k;
    c.lhs = operand;
    c.rhs = c.lhs == "bf16" ? operand : "f8E4M3FN";
    c.out = product;
    c.epilogue = epilogue;
    c.run = run;
    c.values = m * 1000 + n;
    ProductTest::check(c);
  }
};

} // namespace

static const char *const kBiasRelu = R"mlir(
func.func @body(%p: bf16, %bias: bf16) -> bf16 {
  %zero = arith.constant 0.0 : bf16
  %sum = arith.addf %p, %bias : bf16
  %result = arith.maximumf %sum, %zero : bf16
  return %result : bf16
})mlir";

static std::vector<float> biasRelu(float p, const std::vector<float> &in) {
  float sum = numerics::roundToBF16(p + in[0]);
  return {isNaN(sum) ? sum : sum > 0 ? sum : 0.0f};
}

TEST_F(EpilogueRunTest, BiasAndRelu) {
  EpilogueText text = {
      kBiasRelu, biasRelu, {{"bf16", false, false, true}}, {"bf16"}};
  for (auto [m, n] : {std::pair(64, 32), std::pair(70, 33), std::pair(3, 130)})
    check(0, m, n, 96, "f8E5M2", "bf16", text);
  text.inputs[0].batch = true;
  check(2, 65, 24, 72, "bf16", "bf16", text);
}

/// The choice of a schedule changes no bit: each is compared with the same
/// reference.
TEST_F(EpilogueRunTest, EveryConsideredSchedule) {
  ProductCase c;
  c.m = 129;
  c.n = 264;
  c.k = 272;
  c.lhs = "f8E4M3FN";
  c.rhs = "f8E5M2";
  c.out = "bf16";
  std::set<std::array<int64_t, 5>> tiles;
  size_t count = 1;
  for (size_t index = 0; index < count; ++index) {
    c.schedule = [&](const GemmProblem &p) {
      SmallVector<ScheduleChoice> choices = rankSchedules(
          p, *target, *::fp8::target::getDefaultDevice(*target), &context);
      count = choices.size();
      cta::ScheduleAttr schedule = choices[index].schedule;
      tiles.insert({schedule.getTileM(), schedule.getTileN(),
                    schedule.getClusterM(), schedule.getClusterN(),
                    schedule.isPingPong()});
      return schedule;
    };
    ProductTest::check(c);
  }
  EXPECT_GE(count, 8u);
  EXPECT_EQ(tiles.size(), count) << "a tile was considered twice";
}

static const char *const kResidual = R"mlir(
func.func @body(%p: bf16, %res: bf16, %mult: f32) -> (bf16, bf16, f32) {
  %wide = arith.extf %p : bf16 to f32
  %other = arith.extf %res : bf16 to f32
  %sum = arith.addf %wide, %other : f32
  %y = arith.truncf %sum : f32 to bf16
  %rounded = arith.extf %y : bf16 to f32
  %scaled = arith.mulf %rounded, %mult : f32
  return %y, %y, %scaled : bf16, bf16, f32
})mlir";

/// Residual add; the result in BF16, its amax, and its codes.
static std::vector<float> residual(float p, const std::vector<float> &in) {
  float y = numerics::roundToBF16(p + in[0]);
  return {y, y, y * in[1]};
}

TEST_F(EpilogueRunTest, ResidualAmaxAndCodes) {
  for (const char *codes : {"f8E4M3FN", "f8E5M2"}) {
    EpilogueText text = {kResidual,
                         residual,
                         {{"bf16", false, true, true}, {"f32"}},
                         {"bf16", "amax", codes}};
    check(0, 64, 64, 64, "f8E5M2", "bf16", text);
    check(0, 37, 45, 144, "f8E5M2", "bf16", text);
    text.inputs[0].batch = true;
    check(3, 130, 144, 64, "bf16", "bf16", text, {2, 3, 2});
  }
}

static const char *const kGate = R"mlir(
func.func @body(%p: f32, %row: f32, %turned: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %size = math.absf %p : f32
  %below = arith.addf %size, %one : f32
  %ratio = arith.divf %p, %below : f32
  %gate = math.fma %ratio, %half, %half : f32
  %value = arith.mulf %p, %gate : f32
  %wide = arith.extf %row : f32 to f64
  %square = arith.mulf %wide, %wide : f64
  %wideRoot = math.sqrt %square : f64
  %root = arith.truncf %wideRoot : f64 to f32
  %sum = arith.subf %value, %root : f32
  %is = arith.cmpf ogt, %sum, %turned : f32
  %chosen = arith.select %is, %sum, %turned : f32
  return %value, %chosen : f32, f32
})mlir";

static std::vector<float> gate(float p, const std::vector<float> &in) {
  float ratio = p / (std::fabs(p) + 1.0f);
  float value = p * std::fma(ratio, 0.5f, 0.5f);
  double wide = in[0];
  auto root = static_cast<float>(std::sqrt(wide * wide));
  float sum = value - root;
  return {value, sum > in[1] ? sum : in[1]};
}

TEST_F(EpilogueRunTest, GateRowsAndTransposedInput) {
  EpilogueText text = {
      kGate,
      gate,
      {{"f32", false, true, false}, {"f32", true, true, true, true}},
      {"f32", "f32"}};
  check(0, 64, 48, 64, "f8E4M3FN", "f32", text);
  text.outputs[1] = "bf16";
  check(2, 67, 51, 80, "f8E4M3FN", "f32", text);
}

TEST_F(EpilogueRunTest, RefusesWhatHasNoKernel) {
  GemmProblem p;
  p.m = p.n = p.k = 64;
  p.lhs = p.rhs = type("bf16");
  p.out = type("f32");
  p.transposeRhs = true;
  auto expectRefusal = [&](StringRef element, StringRef body, StringRef part) {
    OwningOpRef<ModuleOp> text = parseSourceString<ModuleOp>(body, &context);
    ASSERT_TRUE(text) << lastError;
    Epilogue epilogue;
    epilogue.body = &(*text->getOps<func::FuncOp>().begin()).getBody().front();
    epilogue.outputs.push_back({type(element), false});
    p.epilogue = &epilogue;
    std::string refusal = refuseGemm(p, *target).value_or("");
    EXPECT_NE(refusal.find(part), std::string::npos) << refusal;
  };
  expectRefusal("f32", R"mlir(
    func.func @body(%p: f32) -> f32 {
      %y = math.tanh %p : f32
      return %y : f32
    })mlir",
                "found 'math.tanh'");
  expectRefusal("f32", R"mlir(
    func.func @body(%p: f32) -> bf16 {
      %y = arith.truncf %p : f32 to bf16
      %z = math.fma %y, %y, %y : bf16
      return %z : bf16
    })mlir",
                "found 'math.fma'");
  // Machines do not have it: what they do instead rounds more than once.
  expectRefusal("f32", R"mlir(
    func.func @body(%p: f32) -> f32 {
      %y = arith.remf %p, %p : f32
      return %y : f32
    })mlir",
                "found 'arith.remf'");
  expectRefusal("f32", R"mlir(
    func.func @body(%p: f32) -> f32 {
      %y = arith.fptosi %p : f32 to i32
      %z = arith.sitofp %y : i32 to f32
      return %z : f32
    })mlir",
                "found 'arith.fptosi'");
  expectRefusal("f16", R"mlir(
    func.func @body(%p: f32) -> f32 {
      return %p : f32
    })mlir",
                "expected results of f32, bf16 or codes, found f16");
}
