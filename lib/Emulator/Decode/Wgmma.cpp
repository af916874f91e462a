//===- Wgmma.cpp - asynchronous warpgroup matrix products -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The n-th wgmma of each of the four warps is one product. It reads shared
// memory and registers and writes its accumulators when it completes, in issue
// order within the warpgroup: registers read too early hold old values.
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"
#include "TensorChecks.h"

#include "../Exec/Products.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

static void complete(Cta &cta, const WgmmaIssue &issue, MMAModel model) {
  const auto &call = issue.op->as<WgmmaCall>();
  Wgmma spec = call.wgmma;
  spec.model = model;
  std::vector<uint32_t *> d;
  std::vector<const uint32_t *> a;
  for (const Warp *warp : issue.warps)
    for (uint32_t where : call.d)
      d.push_back(
          reinterpret_cast<uint32_t *>(issue.regs[warp->index % 4] + where));
  for (const Warp *warp : issue.warps)
    for (uint32_t where : call.a)
      a.push_back(reinterpret_cast<const uint32_t *>(
          where & ConstantBit ? issue.constants + (where & ~63u)
                              : issue.regs[warp->index % 4] + where));
  SharedView view{cta.shared.data(), uint32_t(cta.shared.size())};
  std::string error;
  if (!wgmma(spec, view, issue.descriptorA,
             spec.aInRegisters ? a.data() : nullptr, issue.descriptorB,
             issue.scaleD, d.data(), error, issue.metadata.data()))
    asyncFault(cta, issue.site, "descriptor-mismatch", "shared", 0, error);
  for (const auto &group : issue.groups)
    --group->pending;
  wakeCta(cta);
}

/// Tells the monitor which shared bytes the operands cover.
static void observe(Warp &warp, const Op &op, uint32_t mask, const Wgmma &spec,
                    const WgmmaIssue &issue, Monitor &monitor) {
  std::vector<AsyncRange> ranges;
  std::vector<SharedOperand> operands;
  auto lane = static_cast<uint8_t>(firstLane(mask));
  auto add = [&](bool isA, uint64_t bits, bool transposed, unsigned mn,
                 unsigned k) {
    MatrixDescriptor descriptor;
    std::string error;
    if (!decodeHopperDescriptor(bits, descriptor, error))
      return;
    std::vector<uint32_t> chunks;
    // Bits of b1 are addressed by the byte.
    unsigned bytes = codeBytes(spec.aType);
    unsigned count = spec.aType == MMAType::B1 ? k / 8 : k;
    operandFootprint(descriptor, !transposed, bytes, mn, count, chunks);
    operands.push_back(
        {descriptor, !transposed, bytes, mn, count, warp.cta, isA});
    addChunks(*warp.cta, lane, chunks, ranges);
  };
  if (!spec.aInRegisters)
    add(true, issue.descriptorA, spec.transposeA, 64, wgmmaKept(spec));
  add(false, issue.descriptorB, spec.transposeB, spec.n, wgmmaK(spec));
  AsyncIssue event;
  event.kind = AsyncKind::Wgmma;
  event.accumulates = issue.scaleD;
  event.ranges = ranges;
  event.operands = operands;
  monitor.asyncIssue(warp, op, mask, event);
}

static Step runWgmma(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<WgmmaCall>();
  Cta &cta = *warp.cta;
  CtaAsync &state = asyncOf(cta);
  unsigned lead = firstLane(mask), groupIndex = warp.index / 4;
  WarpgroupIssues &issues = state.issues[groupIndex];
  unsigned number = issues.issued[warp.index % 4]++;
  while (issues.open.size() + issues.base <= number)
    issues.open.push_back(
        std::make_shared<WgmmaIssue>(IssueSite(warp, op, lead)));
  std::shared_ptr<WgmmaIssue> issue = issues.open[number - issues.base];
  if (!issue->warps.empty() && issue->op != &op)
    return fault(warp, op, mask, "aligned-divergent", "none", 0,
                 "the warps of a warpgroup execute different wgmma "
                 "instructions");
  uint64_t descriptorA = 0;
  if (!call.wgmma.aInRegisters)
    descriptorA = row<uint64_t>(warp, call.descriptorA)[lead];
  uint64_t descriptorB = row<uint64_t>(warp, call.descriptorB)[lead];
  if (!issue->warps.empty() &&
      (issue->descriptorA != descriptorA || issue->descriptorB != descriptorB))
    return fault(warp, op, mask, "descriptor-mismatch", "shared", 0,
                 "expected equal matrix descriptors in the warps of a "
                 "warpgroup, found others in warp " +
                     std::to_string(warp.index));
  issue->op = &op;
  issue->descriptorA = descriptorA;
  issue->descriptorB = descriptorB;
  issue->scaleD =
      (predicate(warp, call.scaleD) >> lead & 1) != uint32_t(call.scaleNegated);
  // Unlike the fragments, the metadata are read now.
  if (call.wgmma.sparse)
    memcpy(issue->metadata.data() + 32 * (warp.index % 4),
           row<uint32_t>(warp, call.metadata), 128);
  issue->regs[warp.index % 4] = warp.base[0];
  issue->constants = warp.base[1];
  issue->warps.push_back(&warp);
  if (Monitor *monitor = cta.grid->monitor)
    observe(warp, op, mask, call.wgmma, *issue, *monitor);
  auto group = state.wgmma[warp.index].open();
  ++group->pending;
  issue->groups.push_back(group);
  if (issue->warps.size() < 4)
    return Step::Next;
  std::sort(issue->warps.begin(), issue->warps.end(),
            [](const Warp *a, const Warp *b) { return a->index < b->index; });
  issues.open.pop_front();
  ++issues.base;
  MMAModel model = modelOf(warp);
  Cta *where = &cta;
  schedulePipeline(cta, state.wgmmaPipeline[groupIndex],
                   [where, issue, model] { complete(*where, *issue, model); });
  return Step::Next;
}

const WgmmaCall *fp8::emulator::wgmmaCall(const Op &op) {
  return op.run == runWgmma ? &op.as<WgmmaCall>() : nullptr;
}

static Step runWgmmaCommit(Warp &warp, const Op &op, uint32_t mask) {
  asyncOf(*warp.cta).wgmma[warp.index].commit();
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->wgmmaCommit(warp, op);
  return Step::Next;
}

static Step runWgmmaWait(Warp &warp, const Op &op, uint32_t mask) {
  if (!asyncOf(*warp.cta).wgmma[warp.index].isDone(op.imm, false)) {
    setWait(warp, "wgmma groups are not complete");
    return Step::Retry;
  }
  clearWait(warp);
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->wgmmaWait(warp, op, op.imm);
  return Step::Next;
}

Step fp8::emulator::runMarker(Warp &warp, const Op &op, uint32_t mask) {
  if (Monitor *monitor = warp.cta->grid->monitor)
    monitor->fence(warp, op, {infoOf(warp, op).text, mask});
  return Step::Next;
}

bool fp8::emulator::emitMarker(Context &c) {
  Op out;
  c.setEffects();
  out.run = runMarker;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Scale and transpose immediates behind scale-d.
static bool immediates(Context &c, Wgmma &spec, unsigned next) {
  bool integer = isInteger(spec.aType);
  unsigned scales = integer ? 0 : 2;
  bool half = spec.aType == MMAType::F16 || spec.aType == MMAType::BF16;
  unsigned transposes = half ? (spec.aInRegisters ? 1 : 2) : 0;
  if (!c.count(next + scales + transposes))
    return false;
  int64_t values[4] = {1, 1, 0, 0};
  for (unsigned i = 0; i < scales + transposes; ++i)
    if (!c.immediate(c.operand(next + i), values[i]))
      return false;
  for (unsigned i = 0; i < scales; ++i)
    if (values[i] != 1 && values[i] != -1)
      return c.fail("expected 1 or -1 as imm-scale");
  spec.negateA = values[0] == -1;
  spec.negateB = values[1] == -1;
  if (transposes == 2) {
    spec.transposeA = values[2] != 0;
    spec.transposeB = values[3] != 0;
  } else if (transposes == 1) {
    spec.transposeB = values[2] != 0;
  }
  return true;
}

/// Metadata and selector behind the descriptor of B.
static bool sparsity(Context &c, WgmmaCall &call) {
  if (!call.wgmma.sparse)
    return true;
  int64_t selector;
  if (!c.immediate(c.operand(4), selector) ||
      !c.source(c.operand(3), Type::B32, call.metadata))
    return false;
  if (selector < 0 || selector > 3)
    return c.fail("expected a sparsity selector of 0 to 3");
  call.wgmma.selector = selector;
  std::string error;
  return isLegal(call.wgmma, error) || c.fail(error);
}

static bool decodeProduct(Context &c, bool sparse) {
  WgmmaCall call;
  Wgmma &spec = call.wgmma;
  spec.sparse = sparse;
  unsigned m, k;
  if (!parseMmaShape(c.peek(), m, spec.n, k) || m != 64)
    return c.fail("expected a shape m64nNkK, found '." + c.peek() + "'");
  c.takeAny();
  spec.saturate = c.take("satfinite");
  if (c.take("popc"))
    c.take("and");
  auto dType = mmaAccumulator(c.takeAny());
  auto aType = mmaType(c.takeAny());
  auto bType = mmaType(c.takeAny());
  if (!dType || !aType || !bType)
    return c.fail("expected three types");
  spec.dType = *dType;
  spec.aType = *aType;
  spec.bType = *bType;
  unsigned scaleD = sparse ? 5 : 3;
  if (!c.finishQualifiers() || !c.count(scaleD + 1, scaleD + 6))
    return false;
  spec.aInRegisters = c.operand(1).kind == Operand::Kind::Vector;
  if (!immediates(c, spec, scaleD + 1))
    return false;
  std::string error;
  if (!isLegal(spec, error))
    return c.fail(error);
  if (k != wgmmaK(spec))
    return c.fail("expected k" + llvm::Twine(wgmmaK(spec)) + " for this type");
  if (!vectorRows(c, c.operand(0), registersD(spec), true, call.d) ||
      (spec.aInRegisters
           ? !vectorRows(c, c.operand(1), 4, false, call.a)
           : !c.source(c.operand(1), Type::B64, call.descriptorA)) ||
      !c.source(c.operand(2), Type::B64, call.descriptorB) ||
      !sparsity(c, call) ||
      !c.predicateSource(c.operand(scaleD), call.scaleD, call.scaleNegated))
    return false;
  Op out;
  out.run = runWgmma;
  out.extra = c.function.keep(std::move(call));
  c.emit(out);
  return true;
}

static bool decodeWgmma(Context &c) {
  if (!c.require(c.target().hasWgmma, "wgmma (sm_90a)"))
    return false;
  int which = c.takeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (which < 0)
    return c.fail("unknown or unsupported qualifier '." + c.peek() + "'");
  bool sparse = which == 0 && c.take("sp");
  if (!c.take("sync") || !c.take("aligned"))
    return c.fail("expected .sync.aligned");
  c.flags |= AlignedFlag;
  if (which == 0)
    return decodeProduct(c, sparse);
  if (!c.finishQualifiers() || !c.count(which == 3 ? 1 : 0))
    return false;
  if (which == 1)
    return emitMarker(c);
  Op out;
  out.run = which == 2 ? runWgmmaCommit : runWgmmaWait;
  // A wait that passes changes nothing.
  if (which == 3)
    c.setEffects();
  int64_t count = 0;
  if (which == 3 && !c.immediate(c.operand(0), count))
    return false;
  if (count < 0 || count > 7)
    return c.fail("expected at most 7 groups");
  out.imm = count;
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"wgmma",
     "wgmma.mma_async{.sp}.sync.aligned.m64nNkK{.satfinite}.{f32,f16,s32}.{"
     "e4m3,"
     "e5m2,f16,bf16,tf32,s8,u8,b1}.*, A in shared memory or registers, "
     "negation, transposes; wgmma.{fence,commit_group,wait_group}.sync.aligned",
     "model; sums of sparse products: assumed", decodeWgmma},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::wgmmaRows() { return rows; }
