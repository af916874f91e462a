//===- MutantTest.cpp - Edits of our kernels are reported -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One edit of an instruction that we emit for each kind of report that it can
// lead to: so a kernel without a report was looked at. What is edited is clean
// before, on the same operands.
//
//===----------------------------------------------------------------------===//

#include "ProductRunner.h"

#include "fp8/Dialect/CTA/IR/Layout.h"

#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fp8;
using namespace ::fp8::test;

namespace {

/// Match `nth` (from 0; negative from the end) of a pattern, in one line,
/// becomes `by`. \\N is group N.
struct Edit {
  const char *kind;
  std::string pattern;
  std::string by;
  int nth = 0;
};

class MutantTest : public ProductTest {
protected:
  /// Bias, a matrix, the result, its amax and its codes, over several tiles and
  /// passes of the ring.
  ProductCase fused(int64_t n) {
    ProductCase c;
    c.m = 150;
    c.n = n;
    c.k = 400;
    c.lhs = c.rhs = "f8E4M3FN";
    c.out = "f32";
    EpilogueText text;
    text.body = R"mlir(
      func.func @body(%p: f32, %bias: f32, %other: bf16) -> (f32, f32, f32) {
        %wide = arith.extf %other : bf16 to f32
        %sum = arith.addf %p, %bias : f32
        %y = arith.addf %sum, %wide : f32
        return %y, %y, %y : f32, f32, f32
      })mlir";
    text.steps = [](float p, const std::vector<float> &in) {
      float y = (p + in[0]) + in[1];
      return std::vector<float>{y, y, y};
    };
    text.inputs = {{"f32", false, false, true}, {"bf16", false, true, true}};
    text.outputs = {"f32", "amax", "f8E4M3FN"};
    c.epilogue = text;
    int64_t rows = target->hasTensorMemory() ? 128 : 64;
    c.schedule = [=](const GemmProblem &p) {
      return cta::ScheduleAttr::get(p.lhs.getContext(), {rows, 32, 128}, 3,
                                    {1, 1}, 1, {40, 232}, cta::Raster::along_m,
                                    8, 1);
    };
    c.run = {1, 2, 2};
    return c;
  }

  void expectFound(const ProductCase &c, ArrayRef<Edit> edits) {
    std::vector<std::function<void(std::string &)>> changes = {
        [](std::string &) {}};
    for (const Edit &edit : edits)
      changes.push_back([&](std::string &ptx) { apply(edit, ptx); });
    std::vector<Outcome> outcomes = runEdited(c, changes);
    EXPECT_EQ(outcomes.front().error, "");
    EXPECT_TRUE(outcomes.front().findings.empty());
    for (auto [edit, outcome] :
         llvm::zip_equal(edits, ArrayRef(outcomes).drop_front())) {
      std::set<std::string> kinds;
      for (const ::fp8::emulator::Finding &finding : outcome.findings)
        kinds.insert(finding.kind);
      EXPECT_TRUE(kinds.count(edit.kind))
          << edit.kind << " by " << edit.pattern << ": found "
          << llvm::join(kinds, ", ");
    }
  }

private:
  static void apply(const Edit &edit, std::string &ptx) {
    llvm::Regex regex(edit.pattern);
    ASSERT_TRUE(regex.isValid());
    SmallVector<StringRef> lines;
    StringRef(ptx).split(lines, '\n');
    SmallVector<size_t> places;
    for (auto [index, line] : llvm::enumerate(lines))
      if (regex.match(line))
        places.push_back(index);
    int64_t nth = edit.nth < 0 ? edit.nth + static_cast<int64_t>(places.size())
                               : edit.nth;
    ASSERT_TRUE(nth >= 0 && nth < static_cast<int64_t>(places.size()))
        << edit.pattern << " has " << places.size() << " places";
    std::string text;
    for (auto [index, line] : llvm::enumerate(lines))
      text +=
          (index == places[nth] ? regex.sub(edit.by, line) : line.str()) + "\n";
    ptx = text;
  }
};

} // namespace

// One lane of a warp executes an instruction that all have to.
static const char kOneLane[] =
    "{ .reg .pred one; .reg .u32 lane; mov.u32 lane, %laneid; "
    "setp.eq.u32 one, lane, 0; @one \\0 }";

/// A number as PTX has it.
static std::string decimal(uint64_t bits) {
  return std::to_string(static_cast<int64_t>(bits));
}

TEST_F(MutantTest, Hopper) {
  const char *wait = "mbarrier.try_wait.parity.shared.b64 P1, .*;";
  const char *pass = "setp.eq.u32 P1, 0, 0;";
  const char *arrive = "mbarrier.arrive.shared.b64 (.*);";
  const char *expect = "(mbarrier.arrive.expect_tx.*, )%r[0-9]+;";
  const char *barrier = "bar.sync (.*), 128;";
  const char *load = "(ld.global.b32.*\\[%rd[0-9]+)\\]";
  const char *merge = "atom.global.max.u32(.*), (\\[.*);";
  expectFound(
      fused(96),
      {{"read-before-copy-complete", wait, pass, -1},
       {"overwrite-while-read", wait, pass, 0},
       {"missing-wgmma-fence", "wgmma.fence.sync.aligned;", "", 0},
       {"accumulator-before-wait", "wgmma.wait_group.sync.aligned 0;", "", 0},
       {"missing-proxy-fence", "fence.proxy.async.shared::cta;", "", 0},
       {"mbarrier-uninitialised", "mbarrier.init.shared.b64 .*", "", 0},
       {"mbarrier-too-many-arrivals", arrive,
        "mbarrier.arrive.shared.b64 \\1, 2;", 0},
       {"mbarrier-phase-overrun", arrive, "\\0 \\0", 0},
       {"mbarrier-tx-never-completes", expect, "\\1 65536;", 0},
       {"mbarrier-tx-underflow", expect, "\\1 16;", 0},
       {"deadlock", arrive, "", 0},
       {"shared-race", barrier, "", 1},
       {"barrier-count", barrier, "bar.sync \\1, 100;", 1},
       {"aligned-divergent", barrier, kOneLane, 0},
       {"descriptor-mismatch", decimal(cta::wgmmaDescriptor(0, 128)),
        decimal(cta::wgmmaDescriptor(0, 64)), 0},
       {"global-race", merge, "st.global.u32 \\2;", 0},
       {"scope-too-narrow", merge, "atom.cta.global.max.u32\\1, \\2;", 0},
       {"out-of-bounds", load, "\\1+4096]", 0},
       {"misaligned", load, "\\1+2]", 0},
       {"uninitialised", "ld.global.b32 .*", "", 0},
       {"member-mask", "(shfl.sync.idx.b32 .*), -1;", "\\1, 1;", 0},
       {"copy-pending-at-exit", "cp.async.bulk.wait_group.read .*", "", -1},
       {"livelock", "setmaxnreg.*232;", "SPIN: bra.uni SPIN;", 0}});
}

/// Two blocks share each tile of the right operand.
TEST_F(MutantTest, Cluster) {
  ProductCase c = fused(96);
  c.schedule = [](const GemmProblem &p) {
    return cta::ScheduleAttr::get(p.lhs.getContext(), {64, 32, 128}, 3, {2, 1},
                                  1, {40, 232}, cta::Raster::along_m, 8, 1);
  };
  c.run = {1, 4, 4};
  const char *copy = "(cp.async.bulk.tensor.*multicast::cluster.*), %rs[0-9]+;";
  const char *wait =
      "mbarrier.try_wait.parity.acquire.cluster.*(%p[0-9]+), .*;";
  const char *arrive = "mbarrier.arrive.release.cluster(.*);";
  const char *meet = "barrier.cluster.wait.aligned;";
  expectFound(
      c,
      {// A share for the first block only.
       {"mbarrier-tx-never-completes", copy,
        "{ .reg .b16 one; mov.b16 one, 1; \\1, one; }", 0},
       {"mbarrier-uninitialised", meet, "", 0},
       {"deadlock", arrive, "", 0},
       {"deadlock", "(mapa.shared::cluster.*), %r[0-9]+;", "\\1, 0;", 0},
       {"scope-too-narrow", arrive, "mbarrier.arrive.release.cta\\1;", 0},
       {"scope-too-narrow", "(mbarrier.try_wait.parity.acquire).cluster(.*)",
        "\\1.cta\\2", 0},
       {"overwrite-while-read", wait, "setp.eq.u32 \\1, 0, 0;", 0}});
}

/// Two warpgroups take turns at tiles of four stages, in a ring of three.
TEST_F(MutantTest, PingPong) {
  ProductCase c = fused(96);
  c.schedule = [](const GemmProblem &p) {
    return cta::ScheduleAttr::get(p.lhs.getContext(), {64, 32, 128}, 3, {1, 1},
                                  2, {40, 232}, cta::Raster::along_m, 8, 1,
                                  cta::Sharing::pingpong);
  };
  const char *wait = "mbarrier.try_wait.parity.shared.b64 P1, .*;";
  const char *pass = "setp.eq.u32 P1, 0, 0;";
  const char *arrive = "mbarrier.arrive.shared.b64 (.*);";
  expectFound(c,
              {// The wait for the turn comes before that for a stage.
               {"read-before-copy-complete", wait, pass, -2},
               {"read-before-copy-complete", wait, pass, -1},
               {"overwrite-while-read", wait, pass, 0},
               // The turn is passed on last.
               {"deadlock", arrive, "", -1},
               {"mbarrier-phase-overrun", arrive, "\\0 \\0", -1},
               {"mbarrier-uninitialised", "mbarrier.init.shared.b64 .*", "", 0},
               {"deadlock", arrive, "", 0}});
  // One chain, whose batches overlap.
  c.promote = 0;
  expectFound(
      c, {{"read-before-copy-complete", wait, pass, -3},
          {"deadlock", arrive, "", -2},
          {"overwrite-while-read", "wgmma.wait_group.sync.aligned 1;", "", 0}});
}

/// Three blocks share the sum of each tile.
TEST_F(MutantTest, SharedSums) {
  ProductCase c = fused(33);
  c.promote = 128;
  c.split = {128, 256};
  c.schedule = [](const GemmProblem &p) {
    return cta::ScheduleAttr::get(p.lhs.getContext(), {64, 64, 128}, 3, {1, 1},
                                  1, {40, 232}, cta::Raster::along_m, 8, 3);
  };
  c.run = {1, 4, 4};
  const char *count = "atom.acq_rel.gpu.global.inc.u32(.*);";
  expectFound(
      c, {{"global-race", count, "atom.relaxed.gpu.global.inc.u32\\1;", 0},
          {"scope-too-narrow", count, "atom.acq_rel.cta.global.inc.u32\\1;", 0},
          // Too early for what the other threads wrote.
          {"global-race", "bar.sync .*, 128;", "", 0}});
}

TEST_F(MutantTest, TensorMemory) {
  useTarget("sm_100a");
  const char *wait = "mbarrier.try_wait.parity.shared.b64 P1, .*;";
  const char *pass = "setp.eq.u32 P1, 0, 0;";
  const char *load = "(tcgen05.ld.*), \\[(.*) \\+ .*\\];";
  expectFound(
      fused(96),
      {{"overwrite-while-read", wait, pass, 0},
       {"tmem-overwrite-while-read", wait, pass, -3},
       {"read-before-copy-complete", wait, pass, -2},
       {"tmem-read-before-commit", wait, pass, -1},
       {"tmem-dealloc-in-use", "tcgen05.wait::ld.sync.aligned;", "", -1},
       {"missing-tcgen05-fence", "tcgen05.fence::after_thread_sync;", "", -2},
       {"tmem-leak", "tcgen05.dealloc.*", "", 0},
       {"tmem-wrong-quarter", load, "\\1, [\\2 + 2097152];", 0},
       {"tmem-out-of-range", load, "\\1, [\\2 + 512];", 0},
       {"tmem-alloc-after-relinquish", "tcgen05.alloc.*",
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; \\0", 0},
       {"tmem-group-mismatch", "(tcgen05.relinquish_alloc_permit.cta_group)::1",
        "\\1::2", 0},
       {"missing-proxy-fence", "fence.proxy.async.shared::cta;", "", 0},
       {"descriptor-mismatch", decimal(cta::tcgen05Descriptor(0, 128)),
        decimal(cta::tcgen05Descriptor(0, 64)), 0},
       {"deadlock", "tcgen05.commit.*", "", -1}});
}
