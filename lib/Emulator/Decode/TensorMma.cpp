//===- TensorMma.cpp - fifth-generation matrix products -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.mma. Its operands' registers are read when it is issued, memory when
// it completes. Arithmetic and layouts are the engine's (TensorCore.h).
//
//===----------------------------------------------------------------------===//

#include "Counts.h"
#include "MatrixFamily.h"
#include "TensorChecks.h"
#include "TensorFamily.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

namespace {
struct TensorMmaCall {
  TcgenMma mma;
  uint32_t d = NoRegister, a = NoRegister, b = NoRegister, idesc = NoRegister;
  int32_t dOffset = 0, aOffset = 0;
  std::vector<uint32_t> disable;
  uint32_t enable = NoRegister;
  bool enableNegated = false;
  unsigned scaleInputD = 0;
  uint32_t scaleA = NoRegister, scaleB = NoRegister;
  int32_t scaleAOffset = 0, scaleBOffset = 0;
  uint32_t zeroColumns = NoRegister;
  uint32_t metadata = NoRegister;
  int32_t metadataOffset = 0;
};
} // namespace

/// Blocks of 16 lanes that hold `rows` of D or A, per CTA of the group.
static void addLanes(llvm::ArrayRef<Cta *> ctas, AccessKind kind,
                     const std::array<uint32_t, 2> &blocks, TensorAddress base,
                     unsigned columns, std::vector<TensorRange> &out,
                     bool isShared = false) {
  for (size_t k = 0; k < ctas.size(); ++k)
    for (unsigned block = 0; block < 8; ++block)
      if (blocks[k] >> block & 1)
        out.push_back({kind, ctas[k],
                       (base.lane + 16 * block) % TensorMemoryLanes, 16,
                       base.column, columns, false, isShared});
}

/// Lanes of D from lane `first` on, as blocks of 16 per CTA. A and its metadata
/// have theirs in the same. Those of `disable` are not written.
static std::array<uint32_t, 2> usedLanes(const TcgenMma &mma,
                                         const TcgenDescriptor &d,
                                         unsigned first,
                                         llvm::ArrayRef<uint32_t> disable) {
  std::array<uint32_t, 2> blocks = {};
  for (unsigned row = 0; row < d.m; row += 16)
    for (unsigned column = 0; column < d.n; column += 8) {
      TcgenCell cell = accumulatorCell(mma, d, row, column);
      unsigned lane = (first + cell.lane) % TensorMemoryLanes;
      unsigned word = cell.cta * 4 + lane / 32;
      uint32_t all = 0xffffu << (lane % 32);
      if (word < disable.size() && (disable[word] & all) == all)
        continue;
      blocks[cell.cta] |= 1u << (cell.lane / 16);
    }
  return blocks;
}

/// The scales of A or B, in each of the four lane quarters.
static void addScales(llvm::ArrayRef<Cta *> ctas, const TcgenMma &mma,
                      const TcgenDescriptor &d, bool isA, uint32_t address,
                      std::vector<TensorRange> &out) {
  TensorAddress base = TensorAddress::decode(scaleAddress(address));
  for (const TcgenScales &cells : scaleCells(mma, d, isA))
    for (Cta *cta : ctas)
      for (unsigned lane = 0; lane < TensorMemoryLanes; lane += 32)
        out.push_back({AccessKind::Read, cta, lane, cells.rows,
                       base.column + cells.column, 1, true, false});
}

/// Tells the monitor of a tcgen05.mma.
static uint64_t observe(Warp &warp, const Op &op, unsigned lane,
                        const TcgenMma &mma, const TcgenDescriptor &d,
                        const TcgenOperands &operands,
                        llvm::ArrayRef<uint32_t> disable,
                        llvm::ArrayRef<Cta *> ctas) {
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor)
    return 0;
  std::vector<AsyncRange> ranges;
  std::vector<SharedOperand> inShared;
  auto shared = [&](bool isA, unsigned mn, unsigned along) {
    uint64_t bits = isA ? operands.descriptorA : operands.descriptorB;
    MMAType type = isA ? d.aType : d.bType;
    bool mnMajor = isA ? d.mnMajorA : d.mnMajorB;
    bool isPartial = isPadded(mma, type) || (!isA && operands.zeroColumns);
    MatrixDescriptor descriptor;
    std::string error;
    if (!decodeBlackwellDescriptor(bits, descriptor, error))
      return;
    std::vector<uint32_t> chunks;
    unsigned bytes = codeBytes(type), k = along / bytes;
    operandFootprint(descriptor, !mnMajor, bytes, mn, k, chunks);
    for (Cta *cta : ctas) {
      addChunks(*cta, lane, chunks, ranges);
      inShared.push_back(
          {descriptor, !mnMajor, bytes, mn, k, cta, isA, isPartial});
    }
  };
  // Each row of k has 32 bytes, twice as many of what a sparse A meets.
  unsigned along = d.k == 96 ? 48 : 32;
  if (!mma.aInTensorMemory)
    shared(true, d.m / mma.ctaGroup, along);
  shared(false, d.n / mma.ctaGroup + (operands.zeroColumns >> 56 & 63),
         mma.sparse ? 64 : along);
  std::vector<TensorRange> cells;
  TensorAddress at = TensorAddress::decode(operands.d);
  addLanes(ctas, AccessKind::Write, usedLanes(mma, d, at.lane, disable), at,
           accumulatorColumns(mma, d), cells);
  // A lane that is not written is read as the others are.
  std::array<uint32_t, 2> blocks = usedLanes(mma, d, at.lane, {});
  if (mma.aInTensorMemory)
    addLanes(ctas, AccessKind::Read, blocks,
             TensorAddress::decode(operands.addressA), operandAColumns(mma, d),
             cells);
  if (mma.sparse)
    addLanes(ctas, AccessKind::Read, blocks,
             TensorAddress::decode(metadataAddress(d, operands.metadata)),
             metadataColumns(mma), cells, metadataColumns(mma) == 1);
  addScales(ctas, mma, d, true, operands.scaleA, cells);
  addScales(ctas, mma, d, false, operands.scaleB, cells);
  AsyncIssue issue;
  issue.kind = AsyncKind::TensorMma;
  issue.accumulates = operands.accumulate;
  issue.ranges = ranges;
  issue.operands = inShared;
  issue.tensor = cells;
  issue.tensorAddress = operands.d;
  issue.mma = &mma;
  issue.descriptor = &d;
  issue.ctas = ctas;
  issue.disabled = disable;
  return monitor->asyncIssue(warp, op, 1u << lane, issue);
}

/// The lane that a matrix of the product begins at.
static bool checkLane(Warp &warp, const Op &op, uint32_t mask, const char *what,
                      uint32_t address, bool half, unsigned other) {
  unsigned lane = TensorAddress::decode(address).lane;
  if (lane == other && (lane == 0 || (half && lane == 16)))
    return true;
  std::string expected = !half ? "lane 0"
                         : other == 0 || other == 16
                             ? "that of D, lane " + std::to_string(other)
                             : "lane 0 or 16";
  fault(warp, op, mask, "tmem-out-of-range", "tensor", address,
        std::string(what) + " begins in lane " + std::to_string(lane) +
            ": expected " + expected + " for this shape");
  return false;
}

/// Scales begin in lane 0. Bits 30 and 31 of their address may say the byte of
/// the word as the instruction descriptor does, as CUTLASS's addresses do.
static bool checkScale(Warp &warp, const Op &op, uint32_t mask, char operand,
                       uint32_t address, unsigned id) {
  unsigned lane = TensorAddress::decode(scaleAddress(address)).lane;
  unsigned byte = address >> 30;
  if (!lane && (!byte || byte == id))
    return true;
  std::string what = std::string("the address of the scales of ") + operand;
  if (lane)
    fault(warp, op, mask, "tmem-out-of-range", "tensor", address,
          what + " has lane " + std::to_string(lane) + ": expected lane 0");
  else
    fault(warp, op, mask, "descriptor-mismatch", "tensor", address,
          what + " names byte " + std::to_string(byte) +
              ", the instruction descriptor byte " + std::to_string(id) +
              ": expected the same");
  return false;
}

/// Lanes and columns of all matrices in tensor memory.
static bool checkOperands(Warp &warp, const Op &op, uint32_t mask,
                          const TcgenMma &mma, const TcgenDescriptor &d,
                          const TcgenOperands &operands,
                          llvm::ArrayRef<Cta *> ctas) {
  bool half = usesHalfLanes(mma, d);
  unsigned lane = TensorAddress::decode(operands.d).lane;
  auto check = [&](const char *what, uint32_t address, unsigned columns) {
    return checkLane(warp, op, mask, what, address, half, lane) &&
           checkColumns(warp, op, mask, ctas, address, columns);
  };
  auto scales = [&](char operand, uint32_t address, unsigned id,
                    unsigned columns) {
    return !columns ||
           (checkScale(warp, op, mask, operand, address, id) &&
            checkColumns(warp, op, mask, ctas, scaleAddress(address), columns));
  };
  return checkGroup(warp, op, mask, mma.ctaGroup) &&
         check("D", operands.d, accumulatorColumns(mma, d)) &&
         (!mma.aInTensorMemory ||
          check("A", operands.addressA, operandAColumns(mma, d))) &&
         (!mma.sparse ||
          check("the metadata of A", metadataAddress(d, operands.metadata),
                metadataColumns(mma))) &&
         scales('A', operands.scaleA, d.scaleIdA, scaleColumnsA(mma, d)) &&
         scales('B', operands.scaleB, d.scaleIdB, scaleColumnsB(mma, d));
}

static Step runTensorMma(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<TensorMmaCall>();
  Cta *cta = warp.cta;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned i = firstLane(left);
    llvm::SmallVector<Cta *, 2> ctas;
    if (!groupOf(*cta, call.mma.ctaGroup, ctas))
      return fault(warp, op, mask, "cluster-launch-invalid", "none", 0,
                   ".cta_group::2 needs a cluster of an even size");
    auto word = [&](uint32_t operand, int32_t offset) {
      return row<uint32_t>(warp, operand)[i] + static_cast<uint32_t>(offset);
    };
    TcgenMma mma = call.mma;
    mma.model = modelOf(warp);
    TcgenDescriptor descriptor;
    std::string error;
    if (!decodeTcgenDescriptor(mma, word(call.idesc, 0), descriptor, error))
      return fault(warp, op, 1u << i, "descriptor-mismatch", "tensor", 0,
                   error);
    TcgenOperands operands;
    operands.d = word(call.d, call.dOffset);
    if (mma.aInTensorMemory)
      operands.addressA = word(call.a, call.aOffset);
    else
      operands.descriptorA = row<uint64_t>(warp, call.a)[i];
    operands.descriptorB = row<uint64_t>(warp, call.b)[i];
    operands.accumulate =
        (predicate(warp, call.enable) >> i & 1) != uint32_t(call.enableNegated);
    operands.scaleInputD = call.scaleInputD;
    if (call.zeroColumns != NoRegister)
      operands.zeroColumns = row<uint64_t>(warp, call.zeroColumns)[i];
    if (mma.sparse)
      operands.metadata = word(call.metadata, call.metadataOffset);
    if (call.scaleA != NoRegister) {
      operands.scaleA = word(call.scaleA, call.scaleAOffset);
      operands.scaleB = word(call.scaleB, call.scaleBOffset);
    }
    std::vector<uint32_t> disable;
    disable.reserve(call.disable.size());
    for (uint32_t where : call.disable)
      disable.push_back(row<uint32_t>(warp, where)[i]);
    if (!checkOperands(warp, op, 1u << i, mma, descriptor, operands, ctas))
      return Step::Fault;
    countProduct(warp, op, descriptor);
    IssueSite site(warp, op, i);
    uint64_t token =
        observe(warp, op, i, mma, descriptor, operands, disable, ctas);
    schedulePipeline(*cta, asyncOf(*cta).tensorPipeline, [=]() mutable {
      TcgenCTA memories[2];
      for (size_t k = 0; k < ctas.size(); ++k)
        memories[k] = {
            {ctas[k]->shared.data(), uint32_t(ctas[k]->shared.size())},
            &tensorOf(*ctas[k])};
      operands.disableLanes = disable.empty() ? nullptr : disable.data();
      std::string why;
      if (!tcgenMma(mma, descriptor, operands, memories, why))
        asyncFault(*cta, site, "descriptor-mismatch", "tensor", operands.d,
                   why);
      finished(*cta, token);
      ++cta->cluster->progress;
    });
  }
  return Step::Next;
}

static bool mmaQualifiers(Context &c, TcgenMma &mma, bool &scaled) {
  mma.weightStationary = c.take("ws");
  mma.sparse = c.take("sp");
  if (!takeGroup(c, mma.ctaGroup))
    return false;
  int kind = c.takeOneOf({"kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8",
                          "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (kind < 0)
    return c.fail("expected a kind");
  mma.kind = static_cast<TcgenKind>(kind);
  scaled = c.take("block_scale");
  if (scaled != (kind >= 4))
    return c.fail("expected .block_scale with an mx kind only");
  if (scaled && mma.weightStationary)
    return c.fail("expected no mx kind with .ws");
  int vectors = c.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X",
                             "block16", "block32"});
  mma.scaleBlock = vectors == 2 || vectors == 3 ? 16 : 32;
  if (vectors >= 0 && !scaled)
    return c.fail("expected no scale vector without .block_scale");
  bool two = vectors == 1 || vectors == 4, four = vectors == 2 || vectors == 3;
  bool one = vectors == 0 || vectors == 4, none = vectors < 0;
  if (mma.kind == TcgenKind::MXF8F6F4 && !one && !none)
    return c.fail("expected .scale_vec::1X or .block32 with kind::mxf8f6f4");
  if (mma.kind == TcgenKind::MXF4 && !two && !none)
    return c.fail("expected .scale_vec::2X or .block32 with kind::mxf4");
  if (mma.kind == TcgenKind::MXF4NVF4 && !two && !four)
    return c.fail("expected .scale_vec::2X or ::4X, .block32 or .block16 with "
                  "kind::mxf4nvf4");
  // Which operand stays in the collector changes no value.
  c.takeOneOf({"collector::a::fill", "collector::a::use",
               "collector::a::lastuse", "collector::a::discard"});
  for (const char *buffer : {"b0", "b1", "b2", "b3"})
    for (const char *use : {"fill", "use", "lastuse", "discard"})
      if (mma.weightStationary)
        c.take(std::string("collector::") + buffer + "::" + use);
  mma.shiftA = c.take("ashift");
  return c.finishQualifiers();
}

bool fp8::emulator::decodeTensorMma(Context &c) {
  TensorMmaCall call;
  bool scaled;
  call.mma.hasK96 = c.target().capability == 103 && c.target().isSpecific();
  if (!mmaQualifiers(c, call.mma, scaled))
    return false;
  unsigned sparse = call.mma.sparse;
  if (!c.count((scaled ? 7 : 5) + sparse, 7 + sparse))
    return false;
  call.mma.aInTensorMemory = c.operand(1).kind == Operand::Kind::Address;
  if (call.mma.shiftA && !call.mma.aInTensorMemory)
    return c.fail("expected A in tensor memory with .ashift");
  if (!tensorAddress(c, c.operand(0), call.d, call.dOffset) ||
      (call.mma.aInTensorMemory
           ? !tensorAddress(c, c.operand(1), call.a, call.aOffset)
           : !c.source(c.operand(1), Type::B64, call.a)) ||
      !c.source(c.operand(2), Type::B64, call.b) ||
      (sparse &&
       !tensorAddress(c, c.operand(3), call.metadata, call.metadataOffset)) ||
      !c.source(c.operand(3 + sparse), Type::B32, call.idesc))
    return false;
  unsigned next = 4 + sparse;
  if (scaled) {
    if (!tensorAddress(c, c.operand(next), call.scaleA, call.scaleAOffset) ||
        !tensorAddress(c, c.operand(next + 1), call.scaleB, call.scaleBOffset))
      return false;
    next += 2;
  } else if (c.operand(next).kind == Operand::Kind::Vector) {
    if (!vectorRows(c, c.operand(next++), 4 * call.mma.ctaGroup, false,
                    call.disable))
      return false;
  }
  if (c.inst.operands.size() <= next ||
      !c.predicateSource(c.operand(next), call.enable, call.enableNegated))
    return c.fail("expected the predicate enable-input-d");
  if (++next < c.inst.operands.size()) {
    int64_t scale = 0;
    if (call.mma.weightStationary
            ? !c.source(c.operand(next), Type::B64, call.zeroColumns)
            : !c.immediate(c.operand(next), scale))
      return false;
    if (scale < 0 || scale > 15)
      return c.fail("expected a scale of 0 to 15");
    call.scaleInputD = scale;
    ++next;
  }
  if (next != c.inst.operands.size())
    return c.fail("expected " + llvm::Twine(next) + " operands, found " +
                  llvm::Twine(c.inst.operands.size()));
  Op out;
  out.run = runTensorMma;
  out.extra = c.function.keep(std::move(call));
  c.emit(out);
  return true;
}
