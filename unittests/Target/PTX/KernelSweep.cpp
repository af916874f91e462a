//===- KernelSweep.cpp - Many drawn products on the emulator --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   kernel-sweep [--seed=N] [--count=N] [--first=N] [--sms=N,N...] [--seeds=N]
//                [--target=T] [--assemble]
//
// A table of products and, one for each three of them, casts and re-layouts,
// drawn from a seed that is printed: tiny, odd, tall, wide, deep and batched
// shapes, storage orders, formats, promotion intervals, epilogues and
// schedules. Each is a GoogleTest case that says what it drew, so --first and
// --count repeat one. A case runs for every number of multiprocessors with
// `seeds` orders of completion. With --assemble nothing runs: ptxas takes the
// kernels with their default schedules, without a note or a spill, and their
// main loops hold nothing but what may stand there.
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"
#include "CastRunner.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
namespace cl = llvm::cl;
namespace numerics = ::fp8::numerics;

namespace {

/// Elements of k from which on LLVM leaves the main loop a loop.
constexpr int64_t kLoopDepth = 2048;

/// Multiply-adds beyond which the emulator takes too long.
constexpr int64_t kMaxWork = 3 << 20;

/// What one draw decided; the text is for people.
struct Draw {
  ProductCase product;
  std::string text;
};

/// A cast of batch x rows x columns elements; a plain one has one dimension.
struct CastDraw {
  int64_t batch = 1, rows = 1, columns = 1;
  std::string in, out;
  bool plain = false, transpose = false, keepPlain = false, amax = false;
  uint64_t values = 0;
  std::vector<RunOptions> runs;
  std::string text;
};

/// Where and how often the cases run.
struct SweepOptions {
  const ::fp8::target::TargetInfo *target = nullptr;
  std::vector<unsigned> sms;
  unsigned seeds = 2;
  bool assemble = false;
};

class Drawer {
public:
  Drawer(uint64_t seed, const SweepOptions &options)
      : random(seed), options(options) {}

  Draw next(unsigned index);
  CastDraw nextCast(unsigned index);

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
  void drawSplit(ProductCase &c);
  void drawSchedule(ProductCase &c);

  /// Runs for every number of multiprocessors and order of completion.
  std::vector<RunOptions> drawRuns();

  std::mt19937_64 random;
  const SweepOptions &options;
};

} // namespace

/// Every kind of shape comes in turn.
void Drawer::drawShape(ProductCase &c, unsigned index) {
  int64_t edge = oneOf<int64_t>({8, 16, 32, 64, 128}) + between(-1, 1);
  switch (index % 9) {
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
  case 7: // of sums that have parts, some with a batch
    c.batch = random() % 3 ? 0 : between(1, 3);
    c.m = between(1, 90), c.n = between(1, 60), c.k = between(300, 1600);
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
  if (options.target->hasTensorMemory())
    c.promote = -1;
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

/// Two to five parts of a sum that is long enough.
void Drawer::drawSplit(ProductCase &c) {
  int64_t step = std::max<int64_t>(128, c.promote);
  if (c.promote < 0 || options.target->hasTensorMemory() || random() % 4 == 0)
    return;
  size_t boundaries = between(1, 4);
  for (int64_t at = 0; c.split.size() < boundaries;) {
    at += step * between(1, 4);
    if (at >= c.k)
      return;
    c.split.push_back(at);
  }
}

/// A legal schedule that fits into shared memory, or the default one.
void Drawer::drawSchedule(ProductCase &c) {
  if (random() % 3 == 0)
    return;
  int64_t consumers = between(1, 2), subtiles = between(1, 2);
  auto sharing = consumers == 2 && random() % 2 ? cta::Sharing::pingpong
                                                : cta::Sharing::cooperative;
  if (options.target->hasTensorMemory()) {
    consumers = 1, subtiles = 2;
    sharing = cta::Sharing::cooperative;
  }
  int64_t tiles = sharing == cta::Sharing::pingpong ? consumers : 1;
  int64_t tileM = 64 * consumers / tiles * subtiles;
  int64_t tileN = 32 * between(1, subtiles == 2 ? 3 : 5);
  int64_t size = c.lhs == "bf16" ? 2 : 1;
  int64_t tileK = oneOf<int64_t>({32, 64, 128});
  int64_t stages = between(2, 5), group = between(1, 9);
  auto raster = oneOf({cta::Raster::along_m, cta::Raster::along_n});
  auto [alongM, alongN] =
      oneOf<std::pair<int64_t, int64_t>>({{1, 1}, {2, 1}, {1, 2}, {2, 2}});
  if (alongM * alongN > llvm::min_element(options.sms)[0])
    alongM = alongN = 1;
  std::array<int64_t, 2> cluster = {alongM, alongN};
  // The parts of a sum in a block each, or in one.
  int64_t split = random() % 3 ? c.split.size() + 1 : 1;
  int64_t shared = options.target->sharedBytesPerBlock;
  c.schedule = [=](const GemmProblem &p) {
    int64_t results = 0;
    for (const EpilogueOutput &output : getOutputs(p))
      if (storesWithTMA(p, output))
        results += tiles * tileM * tileN * cta::getElementBytes(output.element);
    int64_t depth = stages, columns = tileK;
    auto fits = [&] {
      int64_t stage = (tileM + tileN) * columns * size;
      return depth * stage + results + kRingBytes <= shared;
    };
    while (!fits() && depth > 2)
      --depth;
    while (!fits() && columns > 32)
      columns /= 2;
    return cta::ScheduleAttr::get(
        p.lhs.getContext(), {tileM, tileN, columns}, depth, cluster, consumers,
        {40, 232}, raster, group, sharing == cta::Sharing::pingpong ? 1 : split,
        sharing);
  };
}

std::vector<RunOptions> Drawer::drawRuns() {
  std::vector<RunOptions> runs;
  for (unsigned sms : options.sms)
    for (unsigned i = 0; i < options.seeds; ++i) {
      unsigned blocks = random() % 2 ? between(1, 4) : 0;
      runs.push_back({random(), sms, blocks});
    }
  return runs;
}

CastDraw Drawer::nextCast(unsigned index) {
  CastDraw draw;
  draw.batch = random() % 2 ? 1 : between(1, 4);
  draw.rows = random() % 3 ? between(1, 150) : oneOf<int64_t>({1, 64, 128});
  draw.columns = random() % 3 ? between(1, 150) : oneOf<int64_t>({1, 64, 128});
  draw.out = oneOf({"f8E4M3FN", "f8E5M2"});
  draw.plain = index % 3 == 0;
  draw.in = oneOf<std::string>({"bf16", "f32", draw.out});
  if (draw.plain && draw.in == draw.out)
    draw.in = "bf16";
  draw.transpose = random() % 2;
  draw.keepPlain = draw.transpose && draw.in != draw.out && random() % 2;
  draw.amax = draw.in != draw.out && random() % 2;
  draw.values = random();
  draw.runs = drawRuns();
  draw.text = llvm::formatv(
      "cast {0}: {1} x {2} x {3} {4} {5}{6}{7}{8}{9}", index, draw.batch,
      draw.rows, draw.columns, draw.in, draw.out, draw.plain ? ", plain" : "",
      draw.transpose ? ", transposed" : "", draw.keepPlain ? ", both" : "",
      draw.amax ? ", amax" : "");
  return draw;
}

Draw Drawer::next(unsigned index) {
  Draw draw;
  ProductCase &c = draw.product;
  drawShape(c, index);
  drawTypes(c);
  drawEpilogue(c);
  drawSplit(c);
  drawSchedule(c);
  c.more = drawRuns();
  c.run = c.more.back();
  c.more.pop_back();
  c.values = random();
  draw.text = llvm::formatv(
      "{0}: {1} x {2} x {3} x {4} {5}{6} {7}{8} {9} promote {10}{11}{12}{13}",
      index, c.batch, c.m, c.n, c.k, c.lhs, c.turnLhs ? " turned" : "", c.rhs,
      c.turnRhs ? " turned" : "", c.out, c.promote,
      c.epilogue ? ", epilogue" : "", c.schedule ? ", schedule" : "",
      c.split.empty() ? "" : ", parts from 0");
  for (int64_t boundary : c.split)
    draw.text += "," + std::to_string(boundary);
  return draw;
}

namespace {

class SweepTest : public ProductTest {
public:
  SweepTest(Draw draw, const SweepOptions &options)
      : draw(std::move(draw)), options(options) {}

  void TestBody() override {
    SCOPED_TRACE(draw.text);
    useTarget(options.target->name);
    if (options.assemble)
      assemble();
    else
      check(draw.product);
  }

private:
  void assemble() {
    ProductCase product = draw.product;
    product.schedule = nullptr;
    assemble(product);
    if (product.split.empty())
      return;
    // The best one whose blocks share sums, which few of these need.
    product.schedule = [&](const GemmProblem &p) {
      auto choices = rankSchedules(
          p, *target, *::fp8::target::getDefaultDevice(*target), &context);
      return llvm::find_if(choices,
                           [](const ScheduleChoice &choice) {
                             return choice.schedule.getSplit() > 1;
                           })
          ->schedule;
    };
    assemble(product);
  }

  void assemble(const ProductCase &product) {
    std::string ptx = emit(product);
    expectClean(ptx, target->name);
    if (product.k < kLoopDepth || target->hasTensorMemory())
      return;
    if (std::optional<Output> assembled = runPtxas(ptx, target->name))
      expectCleanMainLoop(assembled->file);
  }

  Draw draw;
  const SweepOptions &options;
};

class CastSweepTest : public CastTest {
public:
  CastSweepTest(CastDraw draw, const SweepOptions &options)
      : draw(std::move(draw)), options(options) {}

  void TestBody() override {
    SCOPED_TRACE(draw.text);
    useTarget(options.target->name);
    random.seed(draw.values);
    for (const RunOptions &run : draw.runs) {
      if (draw.plain)
        checkCast(drawValues(), draw.in, draw.out, 0.75f, run, draw.amax);
      else
        checkPack(draw.batch, draw.rows, draw.columns, draw.in, draw.out,
                  draw.transpose, draw.keepPlain, run, draw.amax,
                  {INFINITY, NAN});
    }
  }

private:
  std::vector<float> drawValues() {
    std::normal_distribution<float> normal(0, 100);
    std::vector<float> values(draw.batch * draw.rows * draw.columns);
    for (float &value : values) {
      value = random() % 64 ? normal(random) : INFINITY;
      value = roundTo(random() % 64 ? value : NAN, draw.in);
    }
    return values;
  }

  CastDraw draw;
  const SweepOptions &options;
};

} // namespace

/// Registers case `name` under the description `text`.
template <typename Make>
static void registerCase(const std::string &name, const std::string &text,
                         Make make) {
  testing::RegisterTest("Sweep", name.c_str(), nullptr, text.c_str(), __FILE__,
                        __LINE__, make);
}

static void registerAll(uint64_t seed, unsigned first, unsigned count,
                        const SweepOptions &options) {
  Drawer products(seed, options), casts(seed + 1, options);
  for (unsigned i = 0; i < first + count; ++i) {
    Draw draw = products.next(i);
    if (i >= first)
      registerCase("Product" + std::to_string(i), draw.text,
                   [draw, &options]() -> testing::Test * {
                     return new SweepTest(draw, options);
                   });
    if (i % 3 != 0 || options.assemble)
      continue;
    CastDraw cast = casts.nextCast(i / 3);
    if (i >= first)
      registerCase("Cast" + std::to_string(i / 3), cast.text,
                   [cast, &options]() -> testing::Test * {
                     return new CastSweepTest(cast, options);
                   });
  }
}

int main(int argc, char **argv) {
  cl::opt<uint64_t> seed("seed", cl::desc("Of the draws; by default a new one"),
                         cl::init(0));
  cl::opt<unsigned> count("count", cl::desc("Products"), cl::init(160));
  cl::opt<unsigned> first("first", cl::desc("Index of the first product"),
                          cl::init(0));
  cl::list<unsigned> sms("sms", cl::CommaSeparated,
                         cl::desc("Multiprocessors (3,132)"));
  cl::opt<unsigned> seeds("seeds", cl::init(2),
                          cl::desc("Orders of completion for each of them"));
  cl::opt<std::string> target("target", cl::init("sm_90a"),
                              cl::desc("sm_90a or sm_100a"));
  cl::opt<bool> assemble("assemble", cl::desc("Only look at ptxas' result"));
  testing::InitGoogleTest(&argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "products on the emulator\n");
  if (seed == 0)
    seed = std::random_device{}();
  SweepOptions options;
  std::string error;
  options.target = ::fp8::target::lookupTarget(target, error);
  if (options.target &&
      !(options.target->isGPU() && options.target->implemented))
    error = "target '" + target + "' has no kernels; use sm_90a or sm_100a";
  if (error.empty() && assemble && !isPtxasOnPath())
    error = "--assemble: expected ptxas on PATH, found none";
  if (!error.empty()) {
    llvm::errs() << "kernel-sweep: error: " << error << '\n';
    return 2;
  }
  options.sms.assign(sms.begin(), sms.end());
  if (options.sms.empty())
    options.sms = {3, 132};
  options.seeds = std::max<unsigned>(seeds, 1);
  options.assemble = assemble;
  llvm::outs() << "seed " << uint64_t(seed) << ", " << options.target->name
               << ", " << (assemble ? "assembled" : "run on ");
  if (!assemble)
    llvm::interleaveComma(options.sms, llvm::outs());
  llvm::outs() << (assemble ? "\n" : " multiprocessors\n");
  llvm::outs().flush();
  registerAll(seed, first, count, options);
  return RUN_ALL_TESTS();
}
