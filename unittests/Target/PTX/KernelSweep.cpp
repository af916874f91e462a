//===- KernelSweep.cpp - Many drawn products on the emulator --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   kernel-sweep [--seed=N] [--count=N] [--first=N] [--sms=N]
//
// A table of products, drawn from a seed that is printed: tiny, odd, tall,
// wide, deep and batched shapes, storage orders, formats, promotion intervals,
// epilogues and schedules. Each is a GoogleTest case that says what it drew, so
// --first and --count repeat one.
//
//===----------------------------------------------------------------------===//

#include "ProductRunner.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace cl = llvm::cl;
namespace numerics = ::fp8::numerics;

namespace {

/// Multiply-adds beyond which the emulator takes too long.
constexpr int64_t kMaxWork = 3 << 20;

/// What one draw decided, for people.
struct Draw {
  ProductCase product;
  std::string text;
};

class Drawer {
public:
  Drawer(uint64_t seed, unsigned sms) : random(seed), sms(sms) {}

  Draw next(unsigned index);

private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  }
  template <typename T>
  T oneOf(std::initializer_list<T> values) {
    return *(values.begin() + random() % values.size());
  }
  void drawShape(ProductCase &c, unsigned index);
  void drawTypes(ProductCase &c);
  void drawEpilogue(ProductCase &c);
  void drawSchedule(ProductCase &c);

  std::mt19937_64 random;
  unsigned sms;
};

} // namespace

/// Every kind of shape comes in turn.
void Drawer::drawShape(ProductCase &c, unsigned index) {
  int64_t edge = oneOf<int64_t>({8, 16, 32, 64, 128}) + between(-1, 1);
  switch (index % 8) {
  case 0: // tiny
    c.m = between(1, 9), c.n = between(1, 9), c.k = between(1, 40);
    break;
  case 1: // next to a tile's edge
    c.m = edge, c.n = oneOf<int64_t>({31, 32, 33, 127, 128, 129});
    c.k = edge + between(0, 130);
    break;
  case 2: // odd
    c.m = 2 * between(0, 90) + 1, c.n = 2 * between(0, 90) + 1;
    c.k = 2 * between(0, 70) + 1;
    break;
  case 3: // tall
    c.m = between(200, 1500), c.n = between(1, 24), c.k = between(1, 80);
    break;
  case 4: // wide
    c.m = between(1, 24), c.n = between(200, 1500), c.k = between(1, 80);
    break;
  case 5: // deep
    c.m = between(1, 16), c.n = between(1, 16), c.k = between(1000, 8192);
    break;
  case 6: // batched
    c.batch = between(1, 6);
    c.m = between(1, 80), c.n = between(1, 70), c.k = between(1, 100);
    break;
  default: // several tiles
    c.m = between(100, 300), c.n = between(100, 300), c.k = between(16, 60);
  }
  int64_t work = std::max<int64_t>(c.batch, 1) * c.m * c.n;
  c.k = std::clamp<int64_t>(kMaxWork / work, 1, c.k);
}

void Drawer::drawTypes(ProductCase &c) {
  const char *e4 = "f8E4M3FN", *e5 = "f8E5M2";
  auto [lhs, rhs] = oneOf<std::pair<const char *, const char *>>(
      {{e4, e4}, {e4, e5}, {e5, e4}, {"bf16", "bf16"}});
  c.lhs = lhs;
  c.rhs = rhs;
  c.out = oneOf({"f32", "bf16"});
  c.turnLhs = random() % 3 == 0;
  c.turnRhs = random() % 2 == 0;
  c.promote = oneOf<int64_t>({-1, -1, 0, 32, 64, 128, 256});
}

/// Bias and activation, then the result, its amax and its codes; or none.
void Drawer::drawEpilogue(ProductCase &c) {
  if (random() % 2)
    return;
  EpilogueText text;
  std::string widen =
      c.out == "f32" ? "" : "%p = arith.extf %product : bf16 to f32";
  text.body = "func.func @body(" +
              std::string(widen.empty() ? "%p" : "%product") + ": " + c.out +
              R"mlir(, %bias: bf16, %other: f32, %mult: f32)
        -> (f32, f32, f32) {
      )mlir" + widen +
              R"mlir(
      %b = arith.extf %bias : bf16 to f32
      %sum = arith.addf %p, %b : f32
      %narrow = arith.truncf %sum : f32 to bf16
      %wide = arith.extf %narrow : bf16 to f32
      %y = arith.mulf %wide, %other : f32
      %zero = arith.constant 0.0 : f32
      %r = arith.maximumf %y, %zero : f32
      %q = arith.mulf %r, %mult : f32
      return %y, %r, %q : f32, f32, f32
    })mlir";
  text.steps = [](float p, const std::vector<float> &in) {
    float y = numerics::roundToBF16(p + in[0]) * in[1];
    float r = isNaN(y) ? y : y > 0 ? y : 0.0f;
    return std::vector<float>{y, r, r * in[2]};
  };
  bool batch = random() % 2;
  text.inputs = {{"bf16", batch, false, true},
                 {"f32", batch, true, true, random() % 2 == 0},
                 {"f32"}};
  text.outputs = {oneOf({"f32", "bf16"}), "amax",
                  oneOf({"f8E4M3FN", "f8E5M2"})};
  c.epilogue = text;
}

/// A legal schedule that fits into shared memory, or the default one.
void Drawer::drawSchedule(ProductCase &c) {
  if (random() % 3 == 0)
    return;
  int64_t consumers = between(1, 2), subtiles = between(1, 2);
  int64_t tileM = 64 * consumers * subtiles;
  int64_t tileN = 32 * between(1, subtiles == 2 ? 3 : 5);
  int64_t size = c.lhs == "bf16" ? 2 : 1;
  int64_t tileK = oneOf<int64_t>({32, 64, 128});
  int64_t stages = between(2, 5), group = between(1, 9);
  auto raster = oneOf({cta::Raster::along_m, cta::Raster::along_n});
  std::string error;
  int64_t shared =
      ::fp8::target::lookupTarget("sm_90a", error)->sharedBytesPerBlock;
  c.schedule = [=](const GemmProblem &p) {
    int64_t results = 0;
    for (const EpilogueOutput &output : getOutputs(p))
      if (storesWithTMA(p, output))
        results += tileM * tileN * output.element.getIntOrFloatBitWidth() / 8;
    int64_t depth = stages, columns = tileK;
    auto fits = [&] {
      int64_t stage = (tileM + tileN) * columns * size;
      return depth * stage + results + kRingBytes <= shared;
    };
    while (!fits() && depth > 2)
      --depth;
    while (!fits() && columns > 32)
      columns /= 2;
    return cta::ScheduleAttr::get(p.lhs.getContext(), {tileM, tileN, columns},
                                  depth, {1, 1}, consumers, {40, 232}, raster,
                                  group, 1);
  };
}

Draw Drawer::next(unsigned index) {
  Draw draw;
  ProductCase &c = draw.product;
  drawShape(c, index);
  drawTypes(c);
  drawEpilogue(c);
  drawSchedule(c);
  c.run.seed = random();
  c.run.sms = sms;
  c.run.blocks = random() % 2 ? between(1, 4) : 0;
  c.values = random();
  draw.text = llvm::formatv(
      "{0}: {1} x {2} x {3} x {4} {5}{6} {7}{8} {9} promote {10}{11}{12}",
      index, c.batch, c.m, c.n, c.k, c.lhs, c.turnLhs ? " turned" : "", c.rhs,
      c.turnRhs ? " turned" : "", c.out, c.promote,
      c.epilogue ? ", epilogue" : "", c.schedule ? ", schedule" : "");
  return draw;
}

namespace {

class SweepTest : public ProductTest {
public:
  explicit SweepTest(Draw draw) : draw(std::move(draw)) {}

  void TestBody() override {
    SCOPED_TRACE(draw.text);
    check(draw.product);
  }

private:
  Draw draw;
};

} // namespace

int main(int argc, char **argv) {
  cl::opt<uint64_t> seed("seed", cl::desc("Of the draws; by default a new one"),
                         cl::init(0));
  cl::opt<unsigned> count("count", cl::desc("Products"), cl::init(160));
  cl::opt<unsigned> first("first", cl::desc("Index of the first product"),
                          cl::init(0));
  cl::opt<unsigned> sms("sms", cl::desc("Multiprocessors of the device"),
                        cl::init(3));
  testing::InitGoogleTest(&argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "products on the emulator\n");
  if (seed == 0)
    seed = std::random_device{}();
  llvm::outs() << "seed " << uint64_t(seed) << ", " << unsigned(sms)
               << " multiprocessors\n";
  llvm::outs().flush();
  Drawer drawer(seed, sms);
  for (unsigned i = 0; i < first + count; ++i) {
    Draw draw = drawer.next(i);
    if (i < first)
      continue;
    testing::RegisterTest(
        "Sweep", ("Product" + std::to_string(i)).c_str(), nullptr,
        draw.text.c_str(), __FILE__, __LINE__,
        [draw]() -> testing::Test * { return new SweepTest(draw); });
  }
  return RUN_ALL_TESTS();
}
