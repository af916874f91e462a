//===- EmitTest.cpp - Kernels down to PTX and cubin -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds kernels for several problems and schedules, checks facts of their PTX
// that the numbers rest on, and hands them to ptxas: no note of the C75xx
// family, no spill. Without ptxas on PATH those tests are skipped.
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"
#include "KernelRunner.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;
using ::fp8::target::lookupTarget;

namespace {

class EmitTest : public ::fp8::test::KernelTest {
protected:
  GemmProblem problem(int64_t m, int64_t n, int64_t k, StringRef lhs,
                      StringRef rhs, StringRef out) {
    GemmProblem result;
    result.m = m;
    result.n = n;
    result.k = k;
    result.lhs = type(lhs);
    result.rhs = type(rhs);
    result.out = type(out);
    result.transposeRhs = true;
    return result;
  }

  std::string gemmPTX(const GemmProblem &p, cta::ScheduleAttr schedule = {}) {
    EXPECT_EQ(refuseGemm(p, *target).value_or(""), "");
    if (!schedule)
      schedule = chooseSchedule(p, *target, &context);
    return load([&](OpBuilder &b, Location loc) {
             return buildGemmKernel(b, loc, "gemm", p, schedule, *target);
           })
        .ptx;
  }

  std::string castPTX(int64_t elements, StringRef in, StringRef out) {
    CastProblem p;
    p.elements = elements;
    p.in = type(in);
    p.out = type(out);
    EXPECT_EQ(refuseCast(p, *target).value_or(""), "");
    return load([&](OpBuilder &b, Location loc) {
             return buildCastKernel(b, loc, "cast", p, *target);
           })
        .ptx;
  }

  /// Bias and relu in BF16, the result, its amax and its codes.
  std::string fusedPTX(int64_t m, int64_t n, int64_t k,
                       cta::ScheduleAttr schedule = {}) {
    OwningOpRef<ModuleOp> text = parseSourceString<ModuleOp>(R"mlir(
      func.func @body(%p: bf16, %bias: bf16, %mult: f32) -> (bf16, bf16, f32) {
        %zero = arith.constant 0.0 : bf16
        %sum = arith.addf %p, %bias : bf16
        %y = arith.maximumf %sum, %zero : bf16
        %wide = arith.extf %y : bf16 to f32
        %scaled = arith.mulf %wide, %mult : f32
        return %y, %y, %scaled : bf16, bf16, f32
      })mlir",
                                                             &context);
    Epilogue epilogue;
    epilogue.body = &(*text->getOps<func::FuncOp>().begin()).getBody().front();
    epilogue.inputs = {{type("bf16"), n, {0, 0, 1}},
                       {type("f32"), 1, {0, 0, 0}}};
    epilogue.outputs = {
        {type("bf16"), false}, {type("i32"), true}, {type("f8E4M3FN"), false}};
    GemmProblem p = problem(m, n, k, "f8E4M3FN", "f8E4M3FN", "bf16");
    p.epilogue = &epilogue;
    return gemmPTX(p, schedule);
  }

  /// Products whose default schedules differ.
  SmallVector<GemmProblem> table() {
    return {problem(4096, 4096, 4096, "f8E4M3FN", "f8E4M3FN", "f32"),
            problem(4096, 4096, 4096, "f8E5M2", "f8E4M3FN", "bf16"),
            problem(64, 4096, 4096, "f8E4M3FN", "f8E4M3FN", "bf16"),
            problem(200, 72, 144, "f8E4M3FN", "f8E5M2", "f32"),
            problem(130, 33, 48, "f8E4M3FN", "f8E5M2", "f32"),
            problem(1, 16, 16, "f8E4M3FN", "f8E4M3FN", "bf16"),
            problem(4096, 4096, 4096, "bf16", "bf16", "bf16"),
            problem(40, 48, 8, "bf16", "bf16", "f32")};
  }

  cta::ScheduleAttr schedule(ArrayRef<int64_t> tile, int64_t stages,
                             int64_t consumers,
                             ArrayRef<int64_t> cluster = {1, 1}) {
    return cta::ScheduleAttr::get(&context, tile, stages, cluster, consumers,
                                  {40, 232}, cta::Raster::along_n, 4, 1);
  }

  /// Two warpgroups with a tile each.
  cta::ScheduleAttr pingPong(ArrayRef<int64_t> tile, int64_t stages,
                             ArrayRef<int64_t> cluster = {1, 1}) {
    return cta::ScheduleAttr::get(&context, tile, stages, cluster, 2, {40, 232},
                                  cta::Raster::along_n, 4, 1,
                                  cta::Sharing::pingpong);
  }

  /// What a main loop with this schedule holds; see MainLoopHasNothingElse.
  void expectBareMainLoop(cta::ScheduleAttr given, int64_t promote = 128) {
    GemmProblem p = problem(4096, 4096, 4096, "f8E4M3FN", "f8E4M3FN", "bf16");
    p.model = "hopper";
    p.promote = promote;
    std::optional<Output> assembled = runPtxas(gemmPTX(p, given));
    if (!assembled)
      GTEST_SKIP() << "no ptxas on PATH";
    std::optional<Output> text =
        runTool("nvdisasm", assembled->file, {"-c", "IN"});
    if (!text)
      GTEST_SKIP() << "no nvdisasm on PATH";
    std::map<std::string, unsigned> counts = mainLoop(text->text);
    unsigned steps = 4 * given.getTileM() / (64 * given.getTileConsumers());
    EXPECT_EQ(counts["QGMMA"], steps);
    EXPECT_EQ(counts["FADD"], promote ? 64u : 0u);
    unsigned others = 0;
    for (const auto &[opcode, number] : counts) {
      EXPECT_TRUE(isMainLoopOpcode(opcode)) << opcode << " in the loop";
      if (opcode != "FADD")
        others += number;
    }
    // 9.5 per matrix instruction when this was written; in one chain of a
    // ping-pong schedule, which releases the stage before, 10.5.
    EXPECT_LE(others, (promote ? 10 : 11) * steps);
  }

  /// A thread has 64 registers of the accumulator, whatever the cost model
  /// would choose.
  cta::ScheduleAttr square(int64_t depth, ArrayRef<int64_t> cluster = {1, 1}) {
    return schedule({128, 128, depth}, 4, 2, cluster);
  }
};

} // namespace

/// No flush to zero, no arithmetic that ptxas may fuse, nothing approximate.
static void expectPinnedNumbers(StringRef ptx) {
  EXPECT_EQ(countOf(ptx, ".ftz"), 0u);
  EXPECT_EQ(countOf(ptx, ".approx"), 0u);
  EXPECT_FALSE(
      matches(ptx, "[ \t](add|sub|mul|mad|fma|div|sqrt)\\.f(16|32|64)"));
}

//===----------------------------------------------------------------------===//
// Facts of the PTX
//===----------------------------------------------------------------------===//

TEST_F(EmitTest, PromotedGemm) {
  std::string ptx =
      gemmPTX(problem(4096, 4096, 4096, "f8E4M3FN", "f8E5M2", "f32"));
  expectPinnedNumbers(ptx);
  EXPECT_EQ(countOf(ptx, ".target sm_90a"), 1u);
  EXPECT_EQ(countOf(ptx, ".reqntid 384"), 1u);
  EXPECT_EQ(countOf(ptx, ".minnctapersm 1"), 1u);
  EXPECT_EQ(countOf(ptx, ".param .align 64 .b8"), 3u);
  // One batch of four steps per 128 elements of k, from zero each time.
  EXPECT_EQ(
      countOf(ptx, "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2"),
      4u);
  EXPECT_EQ(countOf(ptx, "wgmma.fence.sync.aligned"), 1u);
  EXPECT_EQ(countOf(ptx, "wgmma.commit_group.sync.aligned"), 1u);
  EXPECT_EQ(countOf(ptx, "wgmma.wait_group.sync.aligned \t0") +
                countOf(ptx, "wgmma.wait_group.sync.aligned 0"),
            1u);
  // Promotion is one rounded addition per register.
  EXPECT_EQ(countOf(ptx, "add.rn.f32"), 64u);
  EXPECT_EQ(countOf(ptx, "setmaxnreg.dec.sync.aligned.u32"), 1u);
  EXPECT_EQ(countOf(ptx, "setmaxnreg.inc.sync.aligned.u32"), 1u);
  EXPECT_GE(countOf(ptx, "fence.proxy.async.shared::cta"), 1u);
}

TEST_F(EmitTest, ShortSumIsNotPromoted) {
  std::string ptx =
      gemmPTX(problem(128, 128, 64, "f8E4M3FN", "f8E4M3FN", "bf16"));
  expectPinnedNumbers(ptx);
  EXPECT_EQ(countOf(ptx, "add.rn.f32"), 0u);
  EXPECT_EQ(countOf(ptx, "wgmma.mma_async"), 2u);
  EXPECT_GE(countOf(ptx, "cvt.rn.bf16"), 1u);
}

TEST_F(EmitTest, PromotionWithinAStage) {
  GemmProblem p = problem(128, 128, 512, "f8E4M3FN", "f8E4M3FN", "f32");
  p.model = "hopper";
  p.promote = 32;
  std::string ptx = gemmPTX(p, square(128));
  EXPECT_EQ(countOf(ptx, "wgmma.fence.sync.aligned"), 4u);
  EXPECT_EQ(countOf(ptx, "add.rn.f32"), 4u * 64u);
}

/// 16-bit operands: half the depth per instruction, no scales.
TEST_F(EmitTest, PlainGemm) {
  std::string ptx =
      gemmPTX(problem(4096, 4096, 4096, "bf16", "bf16", "bf16"), square(64));
  expectPinnedNumbers(ptx);
  // A chain of 128 elements is two stages of 64, four steps each. LLVM unrolls
  // the two: a batch each.
  EXPECT_EQ(
      countOf(ptx, "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"),
      8u);
  EXPECT_EQ(countOf(ptx, "wgmma.fence.sync.aligned"), 2u);
  EXPECT_EQ(countOf(ptx, "wgmma.commit_group.sync.aligned"), 2u);
  EXPECT_EQ(countOf(ptx, "mul.rn.f32"), 0u);
  EXPECT_EQ(countOf(ptx, "add.rn.f32"), 64u);
}

/// Bias, activation, amax and codes in one kernel: all arithmetic is rounded.
TEST_F(EmitTest, FusedGemm) {
  std::string ptx = fusedPTX(256, 256, 512, square(128));
  expectPinnedNumbers(ptx);
  EXPECT_EQ(countOf(ptx, ".param .align 64 .b8"), 4u);
  EXPECT_EQ(countOf(ptx, "max.NaN.f32"), 64u);
  EXPECT_EQ(countOf(ptx, "cvt.rn.satfinite.e4m3x2.f32"), 32u);
  EXPECT_EQ(countOf(ptx, "redux.sync.max.u32"), 1u);
  EXPECT_EQ(countOf(ptx, "redux.sync.or.b32"), 1u);
  // Codes and values leave through shared memory.
  EXPECT_EQ(countOf(ptx, "st.global"), 0u);
}

/// A fence is the first instruction of every batch, a commit the last one.
TEST_F(EmitTest, FencesHeadEveryBatch) {
  for (const GemmProblem &p : table()) {
    std::string ptx = gemmPTX(p);
    SmallVector<StringRef> lines;
    StringRef(ptx).split(lines, '\n');
    bool open = false;
    size_t batches = 0;
    for (StringRef line : lines) {
      if (line.contains("wgmma.fence")) {
        EXPECT_FALSE(open) << "a fence within a batch";
        open = true;
        ++batches;
      } else if (line.contains("wgmma.commit_group")) {
        EXPECT_TRUE(open) << "a commit without a batch";
        open = false;
      } else if (line.contains("wgmma.mma_async")) {
        EXPECT_TRUE(open) << "an instruction outside of a batch";
      } else if (open) {
        // Only addresses between the instructions.
        EXPECT_TRUE(line.contains("add.s64")) << line.str();
      }
    }
    EXPECT_FALSE(open);
    EXPECT_GT(batches, 0u);
    expectPinnedNumbers(ptx);
  }
}

TEST_F(EmitTest, CastUsesWideAccesses) {
  std::string ptx = castPTX(4096 * 1024, "bf16", "f8E4M3FN");
  expectPinnedNumbers(ptx);
  EXPECT_EQ(countOf(ptx, "ld.global.v4.b32"), 2u);
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 1u);
  EXPECT_EQ(countOf(ptx, "cvt.rn.satfinite.e4m3x2.f32"), 8u);
  EXPECT_EQ(countOf(ptx, "mul.rn.f32"), 16u);
}

TEST_F(EmitTest, CastOfOddLengthHasATail) {
  std::string ptx = castPTX(1000003, "f32", "f8E5M2");
  expectPinnedNumbers(ptx);
  EXPECT_EQ(countOf(ptx, "cvt.rn.satfinite.e5m2x2.f32"), 9u);
  EXPECT_GE(countOf(ptx, "st.global.b8"), 1u);
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

TEST_F(EmitTest, PtxasTakesDefaultSchedules) {
  for (const GemmProblem &p : table())
    expectClean(gemmPTX(p));
  expectClean(fusedPTX(4096, 4096, 4096));
  expectClean(fusedPTX(130, 33, 48));
}

/// At the limits of rankSchedules: the widest tiles with and without promotion.
TEST_F(EmitTest, PtxasTakesConsideredSchedules) {
  GemmProblem plain = problem(8192, 8192, 8192, "bf16", "bf16", "bf16");
  plain.model = "hopper";
  GemmProblem promoted =
      problem(8192, 8192, 8192, "f8E4M3FN", "f8E5M2", "bf16");
  for (const GemmProblem &p : {plain, promoted}) {
    SmallVector<ScheduleChoice> choices = rankSchedules(
        p, *target, *::fp8::target::getDefaultDevice(*target), &context);
    llvm::sort(choices, [](const auto &lhs, const auto &rhs) {
      return lhs.schedule.getTileN() > rhs.schedule.getTileN();
    });
    EXPECT_EQ(choices.front().schedule.getTileN(), p.lhs.isBF16() ? 256 : 160);
    for (const ScheduleChoice &choice : ArrayRef(choices).take_front(2))
      expectClean(gemmPTX(p, choice.schedule));
  }
}

/// The widest tile that is considered for an epilogue of so many matrices.
TEST_F(EmitTest, PtxasTakesFusedSchedules) {
  for (auto [outputs, inputs] : {std::pair(2, 1), std::pair(4, 3)})
    for (int64_t n : {4096, 4097})
      for (int64_t promote : {0, 128}) {
        SCOPED_TRACE(testing::Message() << outputs << " of " << inputs
                                        << ", n = " << n << ", " << promote);
        std::string arguments, results, lines;
        for (int i = 0; i < inputs; ++i)
          arguments += llvm::formatv(", %in{0}: f32", i);
        for (int i = 0; i < outputs; ++i) {
          lines += llvm::formatv("%y{0} = arith.addf %{1}, %in{2} : f32\n", i,
                                 i ? llvm::formatv("y{0}", i - 1).str() : "p",
                                 i % inputs);
          results += llvm::formatv("{0}%y{1}", i ? ", " : "", i);
        }
        SmallVector<StringRef> types(outputs, "f32");
        std::string body = llvm::formatv(
            "func.func @body(%p: f32{0}) -> ({1}) {{\n{2}return {3} : {1}\n}",
            arguments, llvm::join(types, ", "), lines, results);
        auto text = parseSourceString<ModuleOp>(body, &context);
        ASSERT_TRUE(text) << body;
        Epilogue epilogue;
        epilogue.body =
            &(*text->getOps<func::FuncOp>().begin()).getBody().front();
        for (int i = 0; i < inputs; ++i)
          epilogue.inputs.push_back({type("f32"), 4096 * n, {0, n, 1}});
        for (int i = 0; i < outputs; ++i)
          epilogue.outputs.push_back({type("f32"), false});
        GemmProblem p = problem(4096, n, 4096, "f8E4M3FN", "f8E4M3FN", "f32");
        p.model = "hopper";
        p.promote = promote;
        p.epilogue = &epilogue;
        SmallVector<ScheduleChoice> choices = rankSchedules(
            p, *target, *::fp8::target::getDefaultDevice(*target), &context);
        const ScheduleChoice *widest =
            llvm::max_element(choices, [](const auto &lhs, const auto &rhs) {
              return lhs.schedule.getTileM() * lhs.schedule.getTileN() <
                     rhs.schedule.getTileM() * rhs.schedule.getTileN();
            });
        expectClean(gemmPTX(p, widest->schedule));
      }
}

/// The widest tiles whose blocks share sums: one counts for its warpgroup, and
/// parts pass through memory in 16 bytes of each thread.
TEST_F(EmitTest, PtxasTakesSharedSums) {
  for (auto [operand, promote] :
       {std::pair("bf16", 0), {"f8E4M3FN", 0}, {"f8E4M3FN", 128}}) {
    GemmProblem p = problem(1024, 1024, 8192, operand, operand, "bf16");
    p.model = "hopper";
    p.promote = promote;
    p.split = {2048, 4096};
    SmallVector<ScheduleChoice> choices = rankSchedules(
        p, *target, *::fp8::target::getDefaultDevice(*target), &context);
    llvm::erase_if(choices, [](const ScheduleChoice &choice) {
      return choice.schedule.getSplit() == 1;
    });
    // Whether a block is the last one is a warp's branch, not a thread's.
    std::string best = gemmPTX(p, choices.front().schedule);
    if (std::optional<Output> assembled = runPtxas(best, target->name))
      expectCleanMainLoop(assembled->file);
    llvm::sort(choices, [](const auto &lhs, const auto &rhs) {
      return std::make_tuple(-lhs.schedule.getTileN(),
                             -lhs.schedule.getTileM()) <
             std::make_tuple(-rhs.schedule.getTileN(),
                             -rhs.schedule.getTileM());
    });
    cta::ScheduleAttr widest = choices.front().schedule;
    EXPECT_EQ(widest.getTileN(), 160);
    std::string ptx = gemmPTX(p, widest);
    expectPinnedNumbers(ptx);
    EXPECT_EQ(countOf(ptx, "atom.acq_rel.gpu.global.inc.u32"), 1u);
    EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 20u);
    EXPECT_EQ(countOf(ptx, "ld.global.v4.b32"), 20u);
    EXPECT_EQ(countOf(ptx, ".nc."), 0u);
    expectClean(ptx);
  }
}

TEST_F(EmitTest, PtxasTakesOtherSchedules) {
  GemmProblem plain = problem(1024, 1024, 1024, "f8E4M3FN", "f8E4M3FN", "bf16");
  plain.model = "hopper";
  expectClean(gemmPTX(plain, schedule({128, 256, 128}, 3, 2)));
  expectClean(gemmPTX(plain, schedule({256, 128, 128}, 3, 2)));
  GemmProblem promoted = plain;
  promoted.promote = 256;
  expectClean(gemmPTX(promoted, schedule({128, 192, 128}, 3, 2)));
  promoted.promote = 128;
  expectClean(gemmPTX(promoted, schedule({128, 160, 128}, 3, 2)));
  expectClean(gemmPTX(promoted, schedule({64, 128, 256}, 3, 1)));
  promoted.promote = 64;
  expectClean(gemmPTX(promoted, schedule({64, 96, 64}, 8, 1)));
}

/// At the limits of rankSchedules where warpgroups have a tile each, one or two
/// times 64 rows of it.
TEST_F(EmitTest, PtxasTakesPingPong) {
  GemmProblem plain = problem(8192, 8192, 8192, "bf16", "bf16", "bf16");
  plain.model = "hopper";
  GemmProblem codes = problem(8192, 8192, 8192, "f8E4M3FN", "f8E5M2", "bf16");
  codes.model = "hopper";
  GemmProblem promoted = codes;
  promoted.promote = 128;
  GemmProblem chains = codes;
  chains.promote = 256;
  GemmProblem parts = promoted;
  parts.split = {1024, 4096};
  for (const GemmProblem &p : {plain, codes, promoted, chains, parts})
    for (int64_t rows : {64, 128}) {
      SmallVector<ScheduleChoice> choices = rankSchedules(
          p, *target, *::fp8::target::getDefaultDevice(*target), &context);
      llvm::erase_if(choices, [&](const ScheduleChoice &choice) {
        return !choice.schedule.isPingPong() ||
               choice.schedule.getTileM() != rows;
      });
      ASSERT_FALSE(choices.empty());
      const ScheduleChoice *widest =
          llvm::max_element(choices, [](const auto &lhs, const auto &rhs) {
            return lhs.schedule.getTileN() < rhs.schedule.getTileN();
          });
      SCOPED_TRACE(testing::Message() << "promote " << p.promote << ", " << rows
                                      << " x " << widest->schedule.getTileN());
      std::string ptx = gemmPTX(p, widest->schedule);
      expectPinnedNumbers(ptx);
      EXPECT_EQ(countOf(ptx, "setmaxnreg.dec.sync.aligned.u32"), 1u);
      EXPECT_EQ(countOf(ptx, "setmaxnreg.inc.sync.aligned.u32"), 1u);
      expectClean(ptx);
    }
  expectClean(fusedPTX(4096, 4096, 4096, pingPong({64, 160, 128}, 3)));
  expectClean(fusedPTX(4097, 4097, 4096, pingPong({64, 160, 128}, 3)));
}

/// In one chain the instructions of a stage are issued while those of the stage
/// before run: a second batch is in flight at each wait but the last.
TEST_F(EmitTest, PingPongChainsOverlap) {
  GemmProblem p = problem(4096, 4096, 4096, "f8E4M3FN", "f8E5M2", "bf16");
  p.model = "hopper";
  std::string ptx = gemmPTX(p, pingPong({64, 128, 128}, 4));
  EXPECT_EQ(countOf(ptx, "wgmma.mma_async"), 8u);
  EXPECT_EQ(countOf(ptx, "wgmma.wait_group.sync.aligned 1"), 1u);
  EXPECT_EQ(countOf(ptx, "wgmma.wait_group.sync.aligned 0"), 1u);
  EXPECT_EQ(countOf(ptx, "add.rn.f32"), 0u);
}

/// The widest tiles of every problem, on the target with tensor memory.
TEST_F(EmitTest, PtxasTakesTensorMemory) {
  useTarget("sm_100a");
  const auto &device = *::fp8::target::getDefaultDevice(*target);
  for (const GemmProblem &p : table()) {
    SmallVector<ScheduleChoice> choices =
        rankSchedules(p, *target, device, &context);
    auto width = [](const ScheduleChoice &choice) {
      return choice.schedule.getTileN();
    };
    auto widest = *llvm::max_element(
        choices, [&](auto &lhs, auto &rhs) { return width(lhs) < width(rhs); });
    for (const ScheduleChoice &choice : {choices.front(), widest}) {
      std::string ptx = gemmPTX(p, choice.schedule);
      expectPinnedNumbers(ptx);
      EXPECT_EQ(countOf(ptx, "wgmma"), 0u);
      EXPECT_EQ(countOf(ptx, ".target sm_100a"), 1u);
      expectClean(ptx, target->name);
    }
  }
  expectClean(fusedPTX(4096, 4096, 4096), target->name);
  expectClean(fusedPTX(130, 33, 48), target->name);
}

/// Half of what two blocks need comes from each of them.
TEST_F(EmitTest, ClusterSharesTiles) {
  std::string ptx =
      gemmPTX(problem(4096, 4096, 4096, "f8E4M3FN", "f8E5M2", "bf16"),
              square(128, {2, 1}));
  EXPECT_EQ(countOf(ptx, ".reqnctapercluster 2, 1, 1"), 1u);
  EXPECT_EQ(countOf(ptx, "multicast::cluster"), 1u);
  EXPECT_EQ(countOf(ptx, "cp.async.bulk.tensor.2d.shared::cluster"), 2u);
  EXPECT_EQ(countOf(ptx, "mbarrier.arrive.release.cluster"), 1u);
  EXPECT_EQ(countOf(ptx, "mbarrier.try_wait.parity.acquire.cluster"), 1u);
  EXPECT_EQ(countOf(ptx, "barrier.cluster.arrive"), 2u);
  expectClean(ptx);
}

/// Matrix instructions, one addition per register and interval, barriers, and
/// addresses, most of them in uniform registers.
TEST_F(EmitTest, MainLoopHasNothingElse) {
  const int64_t clusters[][2] = {{1, 1}, {2, 1}, {1, 2}};
  for (ArrayRef<int64_t> cluster : clusters) {
    expectBareMainLoop(square(128, cluster));
    expectBareMainLoop(pingPong({64, 128, 128}, 4, cluster));
    expectBareMainLoop(pingPong({64, 128, 128}, 4, cluster), /*promote=*/0);
    expectBareMainLoop(pingPong({128, 128, 128}, 4, cluster), /*promote=*/0);
  }
}

TEST_F(EmitTest, PtxasTakesCasts) {
  expectClean(castPTX(4096 * 1024, "bf16", "f8E4M3FN"));
  expectClean(castPTX(17, "f32", "f8E5M2"));
  expectClean(castPTX(1, "bf16", "f8E5M2"));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(EmitTest, MissingPtxasIsOneLine) {
  std::string cubin;
  EXPECT_TRUE(failed(assemblePTX("", UnknownLoc::get(&context), *target,
                                 "no/such/ptxas", cubin)));
  EXPECT_NE(lastError.find("no/such/ptxas"), std::string::npos) << lastError;
  EXPECT_EQ(lastError.find('\n'), std::string::npos);
}

/// ptxas exits with 0 and a note when it serialises; we do not accept that.
TEST_F(EmitTest, NotesOfPtxasAreErrors) {
  llvm::SmallString<128> script;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("ptxas", "sh", script));
  llvm::FileRemover remover(script);
  {
    std::error_code error;
    llvm::raw_fd_ostream os(script, error);
    ASSERT_FALSE(error);
    os << "#!/bin/sh\necho 'ptxas info    : (C7510) Potential Performance "
          "Loss' >&2\nexit 0\n";
  }
  ASSERT_FALSE(llvm::sys::fs::setPermissions(script, llvm::sys::fs::all_all));
  std::string cubin;
  EXPECT_TRUE(failed(
      assemblePTX("", UnknownLoc::get(&context), *target, script, cubin)));
  EXPECT_NE(lastError.find("C7510"), std::string::npos) << lastError;
}

TEST_F(EmitTest, ModuleWithoutKernels) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  EmitOptions options;
  options.target = target;
  std::string output = "kept";
  EXPECT_TRUE(failed(emitTarget(*module, EmitKind::PTX, options, output)));
  EXPECT_EQ(output, "kept");
  EXPECT_NE(lastError.find("no kernel to emit"), std::string::npos)
      << lastError;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST_F(EmitTest, RefusalsSayWhy) {
  GemmProblem good = problem(128, 128, 256, "f8E4M3FN", "f8E4M3FN", "f32");
  EXPECT_EQ(refuseGemm(good, *target).value_or(""), "");
  auto expectRefusal = [&](const GemmProblem &p, StringRef part) {
    std::optional<Refusal> reason = refuseGemm(p, *target);
    ASSERT_TRUE(reason) << part.str();
    EXPECT_NE(reason->find(part), std::string::npos) << *reason;
  };
  GemmProblem p = good;
  p.transposeRhs = false;
  expectRefusal(p, "expected [m, k] x [n, k], found [m, k] x [k, n]");
  p = good;
  p.transposeLhs = true;
  expectRefusal(p, "found [k, m] x [n, k]");
  p = good;
  p.k = 100;
  expectRefusal(p, "k is 100");
  p = good;
  p.n = ShapedType::kDynamic;
  expectRefusal(p, "expected a static n, found a dynamic size");
  p = good;
  p.k = ShapedType::kDynamic;
  p.split = {256};
  expectRefusal(p, "expected a static k where the sum is split over it");
  p = good;
  Epilogue epilogue;
  p.epilogue = &epilogue;
  p.m = ShapedType::kDynamic;
  expectRefusal(p, "expected static sizes with a fused epilogue");
  p = good;
  p.batch = 0;
  expectRefusal(p, "a batch of at least 1, found 0");
  p = good;
  p.m = p.n = int64_t{1} << 30;
  expectRefusal(p, "fewer than 2^31 output tiles");
  p = good;
  p.m = 0;
  expectRefusal(p, "found 0");
  p = good;
  p.lhs = type("bf16");
  expectRefusal(
      p, "expected 8-bit operands or both bf16, found bf16 and f8E4M3FN");
  p = good;
  p.out = type("f16");
  expectRefusal(p, "found f16");
  p = good;
  p.model = "seq_f32";
  expectRefusal(p, "accumulation 'seq_f32'");
  p = good;
  p.model = "hopper";
  p.promote = 96;
  expectRefusal(p, "promotion every 96");
  p = good;
  p.split = {64};
  expectRefusal(p, "starts at 64: expected a multiple of 128");
  p.split.assign(16, 128);
  expectRefusal(p, "at most 16 parts, found 17");
  std::string error;
  EXPECT_NE(refuseGemm(good, *lookupTarget("sm_120a", error)), std::nullopt);
  useTarget("sm_100a");
  EXPECT_EQ(refuseGemm(good, *target).value_or(""), "");
  p = good;
  p.model = "blackwell";
  p.promote = 128;
  expectRefusal(p, "promotion every 128");
  p.promote = 0;
  p.split = {128};
  expectRefusal(p, "sums in tensor memory are one chain");
  p.model = "hopper";
  expectRefusal(p, "accumulation 'hopper'");
}
