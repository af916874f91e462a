//===- GemmRunTest.cpp - Products on the emulator -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitted PTX against the reference of lib/Numerics, bit for bit: formats,
// tails in every dimension, batches, promotion, results, schedules, grids
// smaller than the number of tiles, several orders of completion. The
// emulator's checks run at their strictest; a report fails the test.
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "fp8/Numerics/ContractKernel.h"

#include <random>

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace numerics = ::fp8::numerics;

namespace {

/// What the random operands hold.
enum class Values {
  /// Every finite code.
  Finite,
  /// Some rows have NaNs and infinities.
  Specials,
  /// Zeros and subnormals mostly.
  Tiny
};

struct GemmCase {
  int64_t batch, m, n, k;
  const char *lhs, *rhs, *out;
  /// -1: `auto`.
  int64_t promote = -1;
  Values values = Values::Finite;
  RunOptions run = {};
};

class GemmRunTest : public KernelTest {
protected:
  GemmProblem problemOf(const GemmCase &c) {
    GemmProblem p;
    if (c.batch > 0)
      p.batch = c.batch;
    p.m = c.m;
    p.n = c.n;
    p.k = c.k;
    p.lhs = type(c.lhs);
    p.rhs = type(c.rhs);
    p.out = type(c.out);
    p.transposeRhs = true;
    if (c.promote >= 0) {
      p.model = "hopper";
      p.promote = c.promote;
    }
    return p;
  }

  void check(const GemmCase &c, cta::ScheduleAttr schedule = {});

  cta::ScheduleAttr schedule(ArrayRef<int64_t> tile, int64_t stages,
                             int64_t consumers, cta::Raster raster,
                             int64_t group) {
    return cta::ScheduleAttr::get(&context, tile, stages, {1, 1}, consumers,
                                  {40, 232}, raster, group, 1);
  }

  std::mt19937_64 random{20261};
};

} // namespace

static numerics::ElementKind elementKind(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return numerics::ElementKind::E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return numerics::ElementKind::E5M2;
  return type.isBF16() ? numerics::ElementKind::BF16
                       : numerics::ElementKind::F32;
}

/// Random values whose exponents lie far enough apart that the hardware's adder
/// cuts bits.
static Bytes randomBF16(std::mt19937_64 &random, int64_t rows, int64_t columns,
                        Values values) {
  std::vector<uint16_t> result(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    bool special = values == Values::Specials && random() % 8 == 0;
    for (int64_t i = 0; i < columns; ++i) {
      uint16_t value = (random() & 0x807F) | (112 + random() % 32) << 7;
      if (special && random() % columns < 2)
        value |= 0x7F80 * (random() % 2);
      if (values == Values::Tiny && random() % 8 != 0)
        value &= 0x807F;
      result[row * columns + i] = value;
    }
  }
  return toBytes(result);
}

/// Random codes, `rows` lines of `columns`. Special lines are few, so that most
/// results stay numbers.
static Bytes randomCodes(std::mt19937_64 &random, int64_t rows, int64_t columns,
                         numerics::ElementKind kind, Values values) {
  if (kind == numerics::ElementKind::BF16)
    return randomBF16(random, rows, columns, values);
  auto format = kind == numerics::ElementKind::E4M3FN ? numerics::Format::E4M3FN
                                                      : numerics::Format::E5M2;
  Bytes codes(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    bool special = values == Values::Specials && random() % 8 == 0;
    for (int64_t i = 0; i < columns; ++i) {
      uint8_t code;
      do {
        code = random();
        if (values == Values::Tiny && random() % 8 != 0)
          code &= 0x83;
      } while (numerics::isNonFinite(code, format) &&
               !(special && random() % columns < 2));
      codes[row * columns + i] = code;
    }
  }
  return codes;
}

/// What the op means, by the library of numbers.
static Bytes reference(const GemmProblem &p, const Bytes &a, const Bytes &b,
                       float scale, int64_t promote) {
  numerics::ContractArgs args;
  args.batch = p.batch.value_or(1);
  args.m = p.m;
  args.n = p.n;
  args.k = p.k;
  args.lhs = {a.data(), elementKind(p.lhs), p.m * p.k, p.k, 1};
  args.rhs = {b.data(), elementKind(p.rhs), p.n * p.k, 1, p.k};
  Bytes out(args.batch * p.m * p.n * p.out.getIntOrFloatBitWidth() / 8);
  args.out = {out.data(), elementKind(p.out), p.m * p.n, p.n, 1};
  if (p.isScaled())
    args.scale = scale;
  args.model.kind = numerics::AccumKind::Hopper;
  args.model.promote = promote;
  numerics::contract(args);
  return out;
}

void GemmRunTest::check(const GemmCase &c, cta::ScheduleAttr schedule) {
  GemmProblem p = problemOf(c);
  SCOPED_TRACE(testing::Message()
               << c.batch << " x " << c.m << " x " << c.n << " x " << c.k << " "
               << c.lhs << " " << c.rhs << " " << c.out << " promote "
               << c.promote << " seed " << c.run.seed);
  ASSERT_EQ(refuseGemm(p, *target), std::nullopt);
  if (!schedule)
    schedule = chooseSchedule(p, *target, &context);
  Kernel kernel = load([&](OpBuilder &b, Location loc) {
    return buildGemmKernel(b, loc, "gemm", p, schedule, *target);
  });
  ASSERT_TRUE(kernel.program);
  int64_t batch = p.batch.value_or(1);
  Bytes a = randomCodes(random, batch * p.m, p.k, elementKind(p.lhs), c.values);
  Bytes b = randomCodes(random, batch * p.n, p.k, elementKind(p.rhs), c.values);
  std::uniform_real_distribution<float> scales(0.001f, 0.1f);
  float sa = scales(random), sb = scales(random);
  int64_t promote = c.promote < 0 ? target->accumulation.promote : c.promote;
  Bytes want = reference(p, a, b, sa * sb, promote);
  std::vector<Argument> arguments = {{a},
                                     {b},
                                     {Bytes(want.size()), true},
                                     {toBytes(std::vector<float>{sa})},
                                     {toBytes(std::vector<float>{sb})}};
  if (!p.isScaled())
    arguments.resize(3);
  run(kernel, arguments, c.run);
  const Bytes &got = arguments[2].bytes;
  int64_t size = p.out.getIntOrFloatBitWidth() / 8, wrong = 0;
  for (int64_t i = 0; i < static_cast<int64_t>(want.size()) / size; ++i) {
    if (std::memcmp(&got[i * size], &want[i * size], size) == 0)
      continue;
    if (++wrong > 3)
      continue;
    uint32_t gotBits = 0, wantBits = 0;
    std::memcpy(&gotBits, &got[i * size], size);
    std::memcpy(&wantBits, &want[i * size], size);
    ADD_FAILURE() << "matrix " << i / (p.m * p.n) << " row " << i / p.n % p.m
                  << " column " << i % p.n << ": got 0x"
                  << llvm::utohexstr(gotBits) << ", expected 0x"
                  << llvm::utohexstr(wantBits);
  }
  EXPECT_EQ(wrong, 0);
}

static const char *const kE4M3 = "f8E4M3FN";
static const char *const kE5M2 = "f8E5M2";

TEST_F(GemmRunTest, Formats) {
  check({0, 64, 32, 64, kE4M3, kE4M3, "f32"});
  check({0, 64, 32, 64, kE4M3, kE5M2, "f32"});
  check({0, 64, 32, 64, kE5M2, kE4M3, "f32"});
  check({0, 64, 32, 64, kE5M2, kE4M3, "bf16"});
}

TEST_F(GemmRunTest, Specials) {
  for (const char *out : {"f32", "bf16"}) {
    check({0, 64, 64, 96, kE4M3, kE5M2, out, -1, Values::Specials});
    check({0, 64, 64, 96, kE5M2, kE4M3, out, -1, Values::Tiny});
    check({0, 40, 37, 48, kE4M3, kE4M3, out, -1, Values::Specials});
  }
}

TEST_F(GemmRunTest, TailsInEveryDimension) {
  check({0, 1, 8, 16, kE4M3, kE4M3, "bf16"});
  check({0, 1, 1, 16, kE4M3, kE4M3, "f32"});
  check({0, 7, 3, 32, kE4M3, kE5M2, "bf16"});
  check({0, 65, 40, 48, kE4M3, kE5M2, "f32"});
  check({0, 129, 136, 144, kE5M2, kE4M3, "f32"});
  check({0, 130, 33, 272, kE4M3, kE4M3, "f32"});
  check({0, 130, 34, 272, kE4M3, kE4M3, "bf16"});
}

TEST_F(GemmRunTest, Batches) {
  check({3, 17, 24, 48, kE4M3, kE4M3, "f32"});
  check({2, 70, 13, 160, kE4M3, kE5M2, "bf16"});
  check({1, 64, 16, 32, kE5M2, kE4M3, "bf16"});
}

/// The same kernel on plain values: k 16 per instruction, no scales.
TEST_F(GemmRunTest, BF16Operands) {
  const char *b = "bf16";
  check({0, 64, 32, 64, b, b, "f32"});
  check({0, 70, 33, 200, b, b, b, -1, Values::Specials});
  check({0, 65, 40, 72, b, b, "f32", -1, Values::Tiny});
  check({2, 65, 40, 328, b, b, "f32", 64});
  check({0, 40, 16, 136, b, b, "f32", 0});
  check({0, 40, 16, 272, b, b, b, 32});
  check({3, 130, 140, 8, b, b, b, -1, Values::Finite, {2, 3, 2}});
}

TEST_F(GemmRunTest, Promotion) {
  check({0, 64, 32, 512, kE4M3, kE4M3, "f32"});
  check({0, 64, 32, 400, kE4M3, kE4M3, "f32", 0});
  check({0, 64, 32, 400, kE4M3, kE5M2, "f32", 32});
  check({0, 64, 32, 336, kE5M2, kE4M3, "f32", 64});
  check({0, 64, 32, 592, kE4M3, kE4M3, "f32", 256});
}

/// Fewer blocks than tiles; other orders of completion.
TEST_F(GemmRunTest, PersistentTiles) {
  for (uint64_t seed : {1, 2, 3})
    check({0,
           300,
           264,
           256,
           kE4M3,
           kE5M2,
           "bf16",
           -1,
           Values::Finite,
           {seed, 3, 3}});
  check({2, 150, 129, 128, kE4M3, kE4M3, "f32", -1, Values::Finite, {4, 2, 2}});
}

TEST_F(GemmRunTest, OtherSchedules) {
  GemmCase c = {0, 200, 144, 320, kE4M3, kE5M2, "f32"};
  c.run.blocks = 2;
  check(c, schedule({128, 64, 64}, 2, 1, cta::Raster::along_n, 2));
  check(c, schedule({256, 48, 128}, 3, 2, cta::Raster::along_m, 1));
  check(c, schedule({64, 96, 256}, 2, 1, cta::Raster::along_n, 3));
  c.promote = 0;
  check(c, schedule({128, 32, 32}, 4, 2, cta::Raster::along_m, 8));
}
