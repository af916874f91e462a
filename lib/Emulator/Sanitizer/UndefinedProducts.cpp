//===- UndefinedProducts.cpp - products of values that nobody gave --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An undefined element of A makes its row of D undefined, one of B its column,
// one of D itself when the product adds to it, a scale what it scales. Of a
// column of B that a sparse A meets, an undefined element makes those rows
// undefined that keep it; metadata that nobody gave make their rows so. A
// tcgen05.mma may not have its metadata yet when it is issued: of its B what
// none could leave out counts. Where an operand's layout is not followed
// (padded elements of tcgen05, m8n8 shapes) it counts as defined: nothing is
// reported wrongly.
//
// Fragments of 16 x 8 (m16n8, and 16 rows of a wgmma per warp): lane 4g + t
// holds rows g and g + 8; of D the columns 2t and 2t + 1 of each 8.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "../Exec/Access.h"
#include "../Exec/Products.h"
#include "../Sparse.h"

#include "fp8/Emulator/TensorMemory.h"

#include "llvm/ADT/STLExtras.h"

using namespace fp8::emulator;

static constexpr unsigned LanesPerCell = 16;
static constexpr uint16_t AllRows = 0xffff;

/// The lanes without each byte of a register.
using BytesOf = llvm::function_ref<ByteLanes(uint32_t)>;

static uint32_t anyByte(const ByteLanes &bytes) {
  uint32_t any = 0;
  for (uint32_t lanes : bytes)
    any |= lanes;
  return any;
}

/// The groups of four lanes that have one in `lanes`, as bits 0 to 7.
static uint16_t groupsOf(uint32_t lanes) {
  uint16_t result = 0;
  for (unsigned g = 0; g < 8; ++g)
    result |= (lanes >> (4 * g) & 15 ? 1u : 0u) << g;
  return result;
}

namespace {
/// Undefined elements of 16 rows of D: bit r of a column is row r.
class Fragment {
public:
  void addRows(uint16_t bits) {
    rows |= bits;
    some |= bits != 0;
  }
  void addColumn(unsigned column, uint16_t bits = AllRows) {
    columns[column] |= bits;
    some |= bits != 0;
  }
  /// Lanes without a value of element `i` of a thread, in its registers' order.
  uint32_t lanesOf(unsigned i) const {
    uint32_t lanes = 0;
    for (unsigned t = 0; some && t < 4; ++t) {
      unsigned bits = rows | columns[8 * (i / 4) + 2 * t + i % 2];
      for (unsigned g = 0; g < 8; ++g)
        lanes |= (bits >> (8 * (i / 2 % 2) + g) & 1) << (4 * g + t);
    }
    return lanes;
  }

private:
  std::array<uint16_t, 256> columns = {};
  uint16_t rows = 0;
  bool some = false;
};

/// What the metadata of a warp say of its 16 rows.
struct Selection {
  /// Rows of which some metadata have no value.
  uint16_t undefined = 0;
  /// The other rows that keep a column of k; empty where metadata have no
  /// meaning.
  std::vector<uint16_t> keeping;
};
} // namespace

/// `words`: of 32 lanes; `lanes`: those without each byte of them.
static Selection select(const WarpMetadata &form, const uint32_t *words,
                        const ByteLanes &lanes) {
  Selection result;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned n = 0; n < form.k / form.chunk; ++n) {
      NibblePlace place = nibblePlace(form, row, n);
      result.undefined |= (lanes[place.shift / 8] >> place.lane & 1) << row;
    }
  std::vector<uint16_t> columns;
  std::string error;
  bool good = expandMetadata(
      form.chunk, form.ordered, 16, form.k,
      [&](unsigned row, unsigned n) {
        // Some places that there are: the row does not count.
        return result.undefined >> row & 1 ? 4
                                           : warpNibble(form, words, row, n);
      },
      columns, error);
  if (!good)
    return result;
  result.keeping.resize(form.k);
  for (unsigned i = 0; i < columns.size(); ++i) {
    unsigned row = i / (form.k / 2);
    if (!(result.undefined >> row & 1))
      result.keeping[columns[i]] |= 1u << row;
  }
  return result;
}

/// A register of A holds row g of its lanes, the next one g + 8, and so on.
static void addRegistersA(Fragment &fragment, llvm::ArrayRef<uint32_t> a,
                          BytesOf bytesOf) {
  for (auto [i, row] : llvm::enumerate(a))
    fragment.addRows(groupsOf(anyByte(bytesOf(row))) << (i & 1 ? 8 : 0));
}

/// Column g of B lies in the lanes of group g.
static void addRegistersB(Fragment &fragment, const MmaCall &call,
                          const Selection &selection, BytesOf bytesOf) {
  const MmaSync &mma = call.mma;
  unsigned each = mma.n * mma.k / 32 / call.b.size(), bits = 32 / each;
  for (auto [r, row] : llvm::enumerate(call.b)) {
    ByteLanes bytes = bytesOf(row);
    uint32_t lanes = anyByte(bytes);
    for (unsigned g = 0; g < 8 && !mma.sparse; ++g)
      if (lanes >> (4 * g) & 15)
        fragment.addColumn(g);
    if (!mma.sparse || selection.keeping.empty())
      continue;
    for (; lanes; lanes &= lanes - 1) {
      unsigned lane = firstLane(lanes);
      for (unsigned i = 0; i < each; ++i) {
        // Wider elements than a byte have more than one of them.
        uint32_t some = 0;
        for (unsigned byte = i * bits / 8; byte * 8 < (i + 1) * bits; ++byte)
          some |= bytes[byte];
        MatrixIndex at = fragmentB(mma, lane, r * each + i);
        if (some >> lane & 1)
          fragment.addColumn(at.column, selection.keeping[at.row]);
      }
    }
  }
}

/// A scale that nobody gave, in the bytes and lanes that have them.
static void addScales(Fragment &fragment, const Warp &warp, const MmaCall &call,
                      BytesOf bytesOf) {
  if (!call.scaled)
    return;
  for (uint32_t selector : {call.byteA, call.threadA, call.byteB, call.threadB})
    if (anyByte(bytesOf(selector)))
      fragment.addRows(AllRows);
  auto first = [&](uint32_t where) { return row<uint32_t>(warp, where)[0]; };
  ByteLanes a = bytesOf(call.scaleA), b = bytesOf(call.scaleB);
  for (unsigned i = 0; i < call.mma.scaleVectors; ++i)
    for (unsigned row = 0; row < 16; ++row) {
      unsigned lane = row % 8 * 4 + row / 8 + (first(call.threadA) & 1) * 2;
      if (a[(first(call.byteA) + i) % 4] >> lane & 1)
        fragment.addRows(1u << row);
      lane = row % 8 * 4 + (first(call.threadB) & 3);
      if (b[(first(call.byteB) + i) % 4] >> lane & 1)
        fragment.addColumn(row % 8);
    }
}

/// Marks the accumulators of a thread: one to a register, or two halves.
void Sanitizer::setProduct(WarpState &state, llvm::ArrayRef<uint32_t> rows,
                           llvm::ArrayRef<uint32_t> elements, uint32_t mask) {
  const Frame *frame = state.warp->frame;
  bool half = elements.size() > rows.size();
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (!half) {
      setUndefined(state, frame, row, mask, elements[i]);
      continue;
    }
    uint32_t low = elements[2 * i], high = elements[2 * i + 1];
    setUndefinedBytes(state, frame, row, mask, {low, low, high, high});
  }
}

/// Lanes without element `i` of accumulators that lie in `rows`.
static uint32_t elementLanes(llvm::ArrayRef<uint32_t> rows, unsigned i,
                             bool half, BytesOf bytesOf) {
  if (!half)
    return anyByte(bytesOf(rows[i]));
  ByteLanes bytes = bytesOf(rows[i / 2]);
  return bytes[2 * (i % 2)] | bytes[2 * (i % 2) + 1];
}

void Sanitizer::propagateProduct(WarpState &state, const Op &op,
                                 uint32_t mask) {
  const Warp &warp = *state.warp;
  // Handled when it is issued.
  if (wgmmaCall(op))
    return;
  auto bytesOf = [&](uint32_t row) {
    return undefinedBytes(state, warp.frame, row);
  };
  const MmaCall *call = mmaCall(op);
  if (!call || call->mma.m != 16) {
    for (uint32_t row : fp8::emulator::infoOf(warp, op).writes)
      setUndefined(state, warp.frame, row, mask, 0);
    return;
  }
  Fragment fragment;
  Selection selection;
  if (call->mma.sparse) {
    selection =
        select(warpMetadata(call->mma), row<uint32_t>(warp, call->metadata),
               bytesOf(call->metadata));
    fragment.addRows(selection.undefined);
  }
  addRegistersA(fragment, call->a, bytesOf);
  addRegistersB(fragment, *call, selection, bytesOf);
  addScales(fragment, warp, *call, bytesOf);
  llvm::SmallVector<uint32_t, 4> elements;
  for (unsigned i = 0; i < 4; ++i)
    elements.push_back(fragment.lanesOf(i) |
                       elementLanes(call->c, i, call->c.size() < 4, bytesOf));
  setProduct(state, call->d, elements, mask);
}

/// Whether a byte of element (mn, k) was never written.
static bool isUnwritten(ShadowMemory &shared, ReaderPool &pool,
                        const SharedOperand &operand, unsigned mn, unsigned k) {
  bool bad = false;
  shared.visit(
      elementAddress(operand.descriptor, operand.kMajor, operand.elementBytes,
                     mn, k),
      operand.elementBytes, pool,
      [&](ShadowCell &cell, uint64_t, unsigned) { bad |= !cell.write; });
  return bad;
}

/// Elements of operands that lie in bytes never written.
static void addUnwritten(Fragment &fragment, ShadowMemory &shared,
                         ReaderPool &pool, const SharedOperand &operand,
                         unsigned warp, const Selection *selection) {
  for (unsigned mn = 0; mn < operand.mn; ++mn) {
    if (operand.isA && mn / 16 != warp)
      continue;
    uint16_t rows = 0;
    for (unsigned k = 0; k < operand.k && rows != AllRows; ++k)
      if (isUnwritten(shared, pool, operand, mn, k))
        rows |= selection ? selection->keeping[k] : AllRows;
    if (operand.isA && rows)
      fragment.addRows(1u << mn % 16);
    else if (!operand.isA)
      fragment.addColumn(mn, rows);
  }
}

/// wgmma: with scale-d 0 it does not read its accumulators.
void Sanitizer::wgmmaUndefined(WarpState &state, const Op &op, uint64_t index,
                               const AsyncIssue &issue, bool unwritten) {
  Warp &warp = *state.warp;
  const WgmmaCall &call = *wgmmaCall(op);
  uint32_t steering = 0;
  for (uint32_t row : {call.descriptorA, call.descriptorB, call.scaleD})
    steering |= undefinedLanes(state, warp.frame, row);
  if (steering)
    reportUndefined(state, op, steering, "an operand");
  auto bytesOf = [&](uint32_t row) {
    return undefinedBytes(state, warp.frame, row);
  };
  Fragment fragment;
  Selection selection;
  if (call.wgmma.sparse) {
    selection =
        select(warpMetadata(call.wgmma), row<uint32_t>(warp, call.metadata),
               bytesOf(call.metadata));
    fragment.addRows(selection.undefined);
  }
  addRegistersA(fragment, call.a, bytesOf);
  for (size_t i = 0; unwritten && i < issue.operands.size(); ++i) {
    const SharedOperand &operand = issue.operands[i];
    bool followed = operand.isA || !call.wgmma.sparse;
    if (followed || !selection.keeping.empty())
      addUnwritten(fragment, state.cta->shared, pool, operand, warp.index % 4,
                   followed ? nullptr : &selection);
  }
  bool half = call.wgmma.dType == MMAAccumulator::F16;
  uint32_t any = 0;
  llvm::SmallVector<uint32_t, 128> elements;
  for (unsigned i = 0; i < call.wgmma.n / 2; ++i) {
    elements.push_back(fragment.lanesOf(i));
    if (issue.accumulates)
      elements.back() |= elementLanes(call.d, i, half, bytesOf);
    any |= elements.back();
  }
  setProduct(state, call.d, elements, ~0u);
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

/// Whether row `mn` of an operand has an element that nobody wrote; of a B that
/// a sparse A meets, more in one chunk than any metadata leave out.
static bool hasUnwritten(ShadowMemory &shared, ReaderPool &pool,
                         const SharedOperand &operand, bool isSparse,
                         unsigned mn) {
  // Pairs of 4-bit elements are bytes here.
  unsigned chunk = isSparse ? (operand.elementBytes == 4 ? 2 : 4) : 1;
  for (unsigned first = 0; first < operand.k; first += chunk) {
    unsigned count = 0;
    for (unsigned k = first; k < first + chunk; ++k)
      count += isUnwritten(shared, pool, operand, mn, k);
    if (count > chunk / 2)
      return true;
  }
  return false;
}

/// tcgen05.mma: rows of A and columns of B in shared memory.
void Sanitizer::tensorProduct(const AsyncIssue &issue) {
  const TcgenDescriptor &d = *issue.descriptor;
  std::vector<bool> rows(d.m), columns(d.n);
  bool some = false;
  for (const SharedOperand &operand : issue.operands) {
    if (operand.isPartial)
      continue;
    ShadowMemory &shared = stateOf(*operand.cta).shared;
    size_t first =
        (llvm::find(issue.ctas, operand.cta) - issue.ctas.begin()) * operand.mn;
    for (unsigned mn = 0; mn < operand.mn; ++mn)
      if (hasUnwritten(shared, pool, operand, !operand.isA && issue.mma->sparse,
                       mn)) {
        (operand.isA ? rows : columns)[first + mn] = true;
        some = true;
      }
  }
  TensorAddress base = TensorAddress::decode(issue.tensorAddress);
  for (unsigned row = 0; some && row < d.m; ++row)
    for (unsigned column = 0; column < d.n; ++column) {
      if (!rows[row] && !columns[column])
        continue;
      TcgenCell at = accumulatorCell(*issue.mma, d, row, column);
      unsigned lane = (base.lane + at.lane) % TensorMemoryLanes;
      unsigned word = at.cta * 4 + lane / 32;
      if (word < issue.disabled.size() &&
          issue.disabled[word] >> (lane % 32) & 1)
        continue;
      std::vector<uint16_t> &cells =
          stateOf(*issue.ctas[at.cta]).tensorUndefined;
      if (!cells.empty())
        cells[lane / LanesPerCell * TensorMemoryColumns +
              (base.column + at.column) % TensorMemoryColumns] |=
            1u << lane % LanesPerCell;
    }
}

void Sanitizer::tensorUndefined(WarpState &state, const Op &op,
                                const AsyncIssue &issue,
                                const Contents &contents) {
  if (issue.kind == AsyncKind::TensorLoad ||
      issue.kind == AsyncKind::TensorStore) {
    tensorRegisters(state, op, issue);
    return;
  }
  // Shifted cells stay as they are.
  if (issue.kind == AsyncKind::TensorShift)
    return;
  bool multiplies = issue.kind == AsyncKind::TensorMma;
  bool adds = multiplies && issue.accumulates;
  // Nothing of what it reads in shared memory was ever written.
  bool unwritten = contents.unwritten && !contents.written;
  auto written = [&](const TensorRange &range, uint16_t bits, unsigned row) {
    size_t word =
        (llvm::find(issue.ctas, range.cta) - issue.ctas.begin()) * 4 + row / 2;
    return static_cast<uint16_t>(
        word < issue.disabled.size()
            ? bits & ~(issue.disabled[word] >> (row % 2 * LanesPerCell))
            : bits);
  };
  if (!adds)
    for (const TensorRange &range : issue.tensor)
      if (range.kind == AccessKind::Write)
        visitTensor(stateOf(*range.cta).tensorUndefined, range,
                    [&](uint16_t &cell, uint16_t bits, unsigned row) {
                      bits = written(range, bits, row);
                      cell = unwritten ? cell | bits : cell & ~bits;
                    });
  if (multiplies && contents.unwritten)
    tensorProduct(issue);
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
      uint16_t found = cell & bits;
      if (range.isScale || !found)
        return;
      if (range.isShared)
        found |= found << 8 | found >> 8;
      rows[range.cta][row] |= found;
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
                    bits = written(range, bits, row);
                    cell |= noScales ? bits : rows[range.cta][row] & bits;
                  });
}
