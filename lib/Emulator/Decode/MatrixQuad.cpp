//===- MatrixQuad.cpp - mma.sync m8n8k4 of f16 ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp does four products of its own: lanes 4q..4q+3 and 16+4q..16+4q+3 hold
// the operands of product q (PTX ISA, "fragments for mma.m8n8k4 with f16").
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"

#include "fp8/Emulator/Float.h"

using namespace fp8::emulator;

namespace {
struct QuadCall {
  bool rowA = true, rowB = false, wideC = false, wideD = false;
  MMAArch arch = MMAArch::Hopper;
  std::vector<uint32_t> d, a, b, c;
};
} // namespace

/// Place of an accumulator in its 8x8 matrix: element i of a lane.
static MatrixIndex accumulator(bool wide, unsigned lane, unsigned i) {
  unsigned below = lane < 16 ? 0 : 4;
  if (!wide)
    return {uint8_t(lane % 4 + below), uint8_t(i)};
  return {uint8_t((lane & 1) + (i & 2) + below),
          uint8_t((i & 4) + (lane & 2) + (i & 1))};
}

/// The 16 bits of element i of a lane's packed registers.
static uint32_t half(const Warp &warp, const std::vector<uint32_t> &rows,
                     unsigned lane, unsigned i) {
  return row<uint32_t>(warp, rows[i / 2])[lane] >> (16 * (i % 2)) & 0xffff;
}

static Step runQuadMma(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<QuadCall>();
  uint16_t a[4][8][4], b[4][8][4];
  uint32_t tile[4][8][8];
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned quad = lane / 4 % 4, own = lane % 4, side = lane < 16 ? 0 : 4;
    for (unsigned i = 0; i < 4; ++i) {
      auto x = static_cast<uint16_t>(half(warp, call.a, lane, i));
      (call.rowA ? a[quad][own + side][i] : a[quad][i + side][own]) = x;
      auto y = static_cast<uint16_t>(half(warp, call.b, lane, i));
      (call.rowB ? b[quad][i + side][own] : b[quad][own + side][i]) = y;
    }
    for (unsigned i = 0; i < 8; ++i) {
      MatrixIndex at = accumulator(call.wideC, lane, i);
      uint32_t value = call.wideC ? row<uint32_t>(warp, call.c[i])[lane]
                                  : half(warp, call.c, lane, i);
      if (call.wideD && !call.wideC)
        value = pack(unpack(value, F16Format), F32Format, PackOptions());
      tile[quad][at.row][at.column] = value;
    }
  }
  TileProblem p;
  p.m = p.n = 8;
  p.k = 4;
  p.aType = p.bType = MMAType::F16;
  p.accumulator = call.wideD ? MMAAccumulator::F32 : MMAAccumulator::F16;
  p.model = modelOf(warp);
  p.rule = sumRule(call.arch, MMAUnit::MmaSync, p.aType, p.accumulator,
                   MMAScale::None, p.k);
  for (unsigned quad = 0; quad < 4; ++quad) {
    p.a = reinterpret_cast<const uint8_t *>(a[quad]);
    p.b = reinterpret_cast<const uint8_t *>(b[quad]);
    p.d = &tile[quad][0][0];
    multiplyTile(p);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      MatrixIndex at = accumulator(call.wideD, lane, i);
      uint32_t value = tile[lane / 4 % 4][at.row][at.column];
      uint32_t &word =
          destination<uint32_t>(warp, call.d[call.wideD ? i : i / 2])[lane];
      if (call.wideD)
        word = value;
      else
        word = i % 2 ? (word & 0xffff) | value << 16 : value & 0xffff;
    }
  return Step::Next;
}

bool fp8::emulator::decodeQuadMma(Context &c, MMAArch arch) {
  QuadCall call;
  call.arch = arch;
  llvm::StringRef layouts[2] = {c.takeAny(), c.takeAny()};
  for (llvm::StringRef layout : layouts)
    if (layout != "row" && layout != "col")
      return c.fail("expected .row or .col, found '." + layout + "'");
  call.rowA = layouts[0] == "row";
  call.rowB = layouts[1] == "row";
  auto dType = mmaAccumulator(c.takeAny());
  auto aType = mmaType(c.takeAny()), bType = mmaType(c.takeAny());
  auto cType = mmaAccumulator(c.takeAny());
  auto isFloat = [](std::optional<MMAAccumulator> type) {
    return type == MMAAccumulator::F16 || type == MMAAccumulator::F32;
  };
  if (aType != MMAType::F16 || bType != MMAType::F16 || !isFloat(dType) ||
      !isFloat(cType) ||
      (dType == MMAAccumulator::F16 && cType == MMAAccumulator::F32))
    return c.fail("no mma.sync of shape m8n8k4 has these types");
  call.wideC = cType == MMAAccumulator::F32;
  call.wideD = dType == MMAAccumulator::F32;
  if (!c.finishQualifiers() || !c.count(4) ||
      !vectorRows(c, c.operand(0), call.wideD ? 8 : 4, true, call.d) ||
      !vectorRows(c, c.operand(1), 2, false, call.a) ||
      !vectorRows(c, c.operand(2), 2, false, call.b) ||
      !vectorRows(c, c.operand(3), call.wideC ? 8 : 4, false, call.c))
    return false;
  Op out;
  out.run = runQuadMma;
  c.setEffects();
  out.extra = c.function.keep(std::move(call));
  c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}
