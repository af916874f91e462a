//===- UndefinedProducts.cpp - products of values that nobody gave --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An undefined element of A makes its row of D undefined, one of B its column,
// one of D itself when the product adds to it. Where an operand's layout is not
// followed (A and B of tcgen05 in shared memory, m8n8 and sparse shapes) it
// counts as defined: nothing is reported wrongly.
//
// Fragments of 16 x 8 (m16n8, and 16 rows of a wgmma per warp): lane 4g + t
// holds rows g and g + 8; of D the columns 2t and 2t + 1 of each 8.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "fp8/Emulator/TensorMemory.h"

using namespace fp8::emulator;
using llvm::StringRef;

static constexpr unsigned LanesPerCell = 16;

/// All lanes of the groups of four that have one in `lanes`.
static uint32_t wholeRows(uint32_t lanes) {
  uint32_t any = lanes | lanes >> 1 | lanes >> 2 | lanes >> 3;
  return (any & 0x11111111u) * 15;
}

/// Undefined rows and columns of a fragment of D.
namespace {
struct Fragment {
  /// Lanes whose row g, or g + 8, is undefined.
  uint32_t low = 0, high = 0;
  /// Bits of undefined columns.
  llvm::SmallVector<uint64_t, 4> columns = {0, 0, 0, 0};

  bool hasColumn(unsigned column) const {
    return columns[column / 64] >> (column % 64) & 1;
  }
  void addColumn(unsigned column) {
    columns[column / 64] |= uint64_t(1) << (column % 64);
  }
  /// Lanes without a value in register `number`; `half` registers hold two
  /// columns.
  uint32_t lanesOf(unsigned number, bool half) const {
    unsigned block = half ? number / 2 : number / 4;
    bool isHigh = half ? number & 1 : number >> 1 & 1;
    uint32_t lanes = isHigh ? high : low;
    for (unsigned t = 0; t < 4; ++t) {
      unsigned column = 8 * block + 2 * t;
      bool bad = half ? hasColumn(column) || hasColumn(column + 1)
                      : hasColumn(column + (number & 1));
      if (bad)
        lanes |= 0x11111111u << t;
    }
    return lanes;
  }
};
} // namespace

/// The part behind the shape: the type of D.
static bool isHalf(StringRef text, StringRef shape) {
  size_t at = text.find(shape);
  size_t dot = at == StringRef::npos ? at : text.find('.', at);
  return dot != StringRef::npos && text.substr(dot).starts_with(".f16");
}

/// mma.sync m16n8: registers of A, twice as many as of B, of B and of C.
void Sanitizer::propagateProduct(WarpState &state, const OpInfo &info,
                                 uint32_t mask) {
  StringRef text = info.text;
  // Handled when it is issued.
  if (text.starts_with("wgmma.mma_async"))
    return;
  const Frame *frame = state.warp->frame;
  auto lanesOf = [&](uint32_t row) {
    return undefinedLanes(state, frame, row);
  };
  size_t results = info.writes.size();
  size_t inputs = info.reads.size() - std::min(info.reads.size(), results);
  bool known = text.contains(".m16n8") && !text.contains("sp") &&
               !text.contains("block_scale") && inputs && inputs % 3 == 0;
  Fragment fragment;
  for (size_t i = 0; known && i < inputs; ++i) {
    uint32_t lanes = lanesOf(info.reads[i]);
    if (i < inputs / 3 * 2) {
      (i & 1 ? fragment.high : fragment.low) |= wholeRows(lanes);
      continue;
    }
    for (unsigned column = 0; column < 8; ++column)
      if (lanes >> (4 * column) & 15)
        fragment.addColumn(column);
  }
  bool half = isHalf(text, ".m16n8");
  llvm::SmallVector<uint32_t, 8> lanes;
  for (size_t i = 0; i < results; ++i)
    lanes.push_back(known ? fragment.lanesOf(i, half) |
                                lanesOf(info.reads[inputs + i])
                          : 0);
  for (size_t i = 0; i < results; ++i)
    setUndefined(state, frame, info.writes[i], mask, lanes[i]);
}

/// Elements of operands that lie in bytes never written.
static void addUnwritten(Fragment &fragment, ShadowMemory &shared,
                         ReaderPool &pool, const SharedOperand &operand,
                         bool isA, unsigned warp) {
  for (unsigned mn = 0; mn < operand.mn; ++mn) {
    if (isA && mn / 16 != warp)
      continue;
    bool bad = false;
    for (unsigned k = 0; k < operand.k && !bad; ++k)
      shared.visit(
          elementAddress(operand.descriptor, operand.kMajor,
                         operand.elementBytes, mn, k),
          operand.elementBytes, pool,
          [&](ShadowCell &cell, uint64_t, unsigned) { bad |= !cell.write; });
    if (!bad)
      continue;
    if (!isA)
      fragment.addColumn(mn);
    else
      (mn % 16 < 8 ? fragment.low : fragment.high) |= 15u << 4 * (mn % 8);
  }
}

/// wgmma: with scale-d 0 it does not read its accumulators.
void Sanitizer::wgmmaUndefined(WarpState &state, uint64_t index,
                               const AsyncIssue &issue, bool unwritten) {
  Warp &warp = *state.warp;
  const OpRecord &record = ops[records[index].op];
  const OpInfo &info = record.code->info[record.index];
  Fragment fragment;
  bool inRegisters = info.reads.size() >= 5;
  for (unsigned i = 0; inRegisters && i < 4; ++i)
    (i & 1 ? fragment.high : fragment.low) |=
        wholeRows(undefinedLanes(state, warp.frame, info.reads[i]));
  // A sparse A need not meet all of B.
  size_t count = issue.operands.size();
  size_t followed = count - StringRef(info.text).contains(".sp.");
  for (size_t i = 0; unwritten && i < followed; ++i)
    addUnwritten(fragment, state.cta->shared, pool, issue.operands[i],
                 i + 1 < count, warp.index % 4);
  bool half = isHalf(info.text, ".m64n");
  uint32_t any = 0;
  for (size_t i = 0; i < info.writes.size(); ++i) {
    uint32_t lanes = fragment.lanesOf(i, half);
    if (issue.accumulates)
      lanes |= undefinedLanes(state, warp.frame, info.writes[i]);
    setUndefined(state, warp.frame, info.writes[i], ~0u, lanes);
    any |= lanes;
  }
  if (any)
    state.undefinedFrom = Touch::async(index, firstLane(any));
  warp.tainted = !state.undefined.empty();
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

/// Lanes of one column that are undefined, of the 128.
using ColumnBits = std::array<uint16_t, TensorMemoryLanes / LanesPerCell>;

/// Runs f(cell's bits, bits of the range, lane of bit 0) on a range.
template <typename F>
static void visitTensor(std::vector<uint16_t> &cells, const TensorRange &range,
                        F f) {
  if (cells.empty())
    return;
  for (unsigned lane = range.lane; lane < range.lane + range.lanes;) {
    unsigned start = lane % LanesPerCell;
    unsigned count =
        std::min(LanesPerCell - start, range.lane + range.lanes - lane);
    auto bits = static_cast<uint16_t>(((1u << count) - 1) << start);
    unsigned row = lane / LanesPerCell % (TensorMemoryLanes / LanesPerCell);
    for (unsigned k = 0; k < range.columns; ++k)
      f(cells[row * TensorMemoryColumns +
              (range.column + k) % TensorMemoryColumns],
        bits, row);
    lane += count;
  }
}

/// ld and st between registers of a warp and cells.
void Sanitizer::tensorRegisters(WarpState &state, const Op &op,
                                const AsyncIssue &issue) {
  Warp &warp = *state.warp;
  std::vector<uint16_t> &cells = state.cta->tensorUndefined;
  bool stores = issue.kind == AsyncKind::TensorStore;
  const TensorRange &range = issue.tensor.front();
  uint32_t some = 0;
  visitTensor(cells, range, [&](uint16_t &cell, uint16_t bits, unsigned) {
    some |= cell & bits;
    if (stores)
      cell &= ~bits;
  });
  if (cells.empty() || (stores ? !warp.tainted : !some))
    return;
  TensorAddress base = TensorAddress::decode(issue.tensorAddress);
  uint32_t any = 0;
  for (size_t r = 0; r < issue.rows.size(); ++r) {
    uint32_t lanes =
        stores ? undefinedLanes(state, warp.frame, issue.rows[r]) : 0;
    for (unsigned half = 0; half <= unsigned(issue.shape->pack16); ++half)
      for (unsigned t = 0; t < 32; ++t) {
        TensorAddress at = shapeCell(*issue.shape, t, r, half);
        unsigned lane = (base.lane + at.lane) % TensorMemoryLanes;
        uint16_t &cell = cells[lane / LanesPerCell * TensorMemoryColumns +
                               (base.column + at.column) % TensorMemoryColumns];
        unsigned bit = lane % LanesPerCell;
        if (!stores)
          lanes |= uint32_t(cell >> bit & 1) << t;
        else if (lanes >> t & 1)
          cell |= 1u << bit;
      }
    if (!stores)
      setUndefined(state, warp.frame, issue.rows[r], warp.active, lanes);
    any |= lanes;
  }
  if (!stores && any)
    state.undefinedFrom = touch(state, op, firstLane(any));
  warp.tainted = !state.undefined.empty();
}

/// `unwritten`: nothing of what it reads in shared memory was ever written.
void Sanitizer::tensorUndefined(WarpState &state, const Op &op,
                                const AsyncIssue &issue, bool unwritten) {
  if (issue.kind == AsyncKind::TensorLoad ||
      issue.kind == AsyncKind::TensorStore) {
    tensorRegisters(state, op, issue);
    return;
  }
  // Shifted cells stay as they are.
  if (issue.kind == AsyncKind::TensorShift)
    return;
  bool adds = issue.kind == AsyncKind::TensorMma && issue.accumulates;
  if (!adds)
    for (const TensorRange &range : issue.tensor)
      if (range.kind == AccessKind::Write)
        visitTensor(stateOf(*range.cta).tensorUndefined, range,
                    [=](uint16_t &cell, uint16_t bits, unsigned) {
                      cell = unwritten ? cell | bits : cell & ~bits;
                    });
  // Rows of A in tensor memory lie in the lanes of their rows of D.
  llvm::DenseMap<Cta *, ColumnBits> rows;
  bool noScales = false, some = false;
  for (const TensorRange &range : issue.tensor) {
    if (range.kind != AccessKind::Read)
      continue;
    std::vector<uint16_t> &cells = stateOf(*range.cta).tensorUndefined;
    bool all = !cells.empty();
    visitTensor(cells, range, [&](uint16_t &cell, uint16_t bits, unsigned row) {
      all &= (cell & bits) == bits;
      if (range.isScale || !(cell & bits))
        return;
      rows[range.cta][row] |= cell & bits;
      some = true;
    });
    noScales |= range.isScale && all;
  }
  if (!some && !noScales)
    return;
  for (const TensorRange &range : issue.tensor)
    if (range.kind == AccessKind::Write)
      visitTensor(stateOf(*range.cta).tensorUndefined, range,
                  [&](uint16_t &cell, uint16_t bits, unsigned row) {
                    cell |= noScales ? bits : rows[range.cta][row] & bits;
                  });
}
