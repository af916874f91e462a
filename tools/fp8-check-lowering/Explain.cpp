//===- Explain.cpp - What is wrong, for people ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first wrong element, and the thread that wrote it.
//
//===----------------------------------------------------------------------===//

#include "../fp8-run/Inputs.h"
#include "Check.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace mlir::fp8;

/// Indices of element `index` of `type`.
static SmallVector<int64_t> delinearize(RankedTensorType type, int64_t index) {
  SmallVector<int64_t> indices(type.getRank());
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    indices[i] = index % type.getDimSize(i);
    index /= type.getDimSize(i);
  }
  return indices;
}

/// "0x3f80 (1)".
static std::string showElement(Type element, ArrayRef<char> bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return llvm::formatv(
      "0x{0} ({1})",
      llvm::utohexstr(bits, /*LowerCase=*/true, 2 * bytes.size()),
      loadElement(element, bytes.data()));
}

/// "[0:16, 32:64]": the smallest box around the pieces of a tile.
static std::string showTile(const Outcome &outcome) {
  int64_t rank = outcome.type.getRank();
  auto width =
      static_cast<uint64_t>(getElementBytes(outcome.type.getElementType()));
  SmallVector<int64_t> low(rank, std::numeric_limits<int64_t>::max()),
      high(rank, -1);
  for (auto [address, bytes] : outcome.writer->tile)
    for (uint64_t at = address; at < address + bytes; at += width) {
      SmallVector<int64_t> indices = delinearize(
          outcome.type, static_cast<int64_t>((at - outcome.address) / width));
      for (int64_t i = 0; i < rank; ++i) {
        low[i] = std::min(low[i], indices[i]);
        high[i] = std::max(high[i], indices[i]);
      }
    }
  std::string text = "[";
  for (int64_t i = 0; i < rank; ++i)
    text += llvm::formatv("{0}{1}:{2}", i ? ", " : "", low[i], high[i] + 1);
  return text + "]";
}

static void explainWriter(llvm::raw_ostream &os, const Outcome &outcome) {
  if (!outcome.writer) {
    os << "  written by: no thread\n";
    return;
  }
  const auto &writer = *outcome.writer;
  os << llvm::formatv(
      "  written by: kernel {0}, block ({1},{2},{3}), tile {4}, "
      "warp {5}, lane {6}, {7} at PTX line {8}",
      writer.kernel, writer.block[0], writer.block[1], writer.block[2],
      showTile(outcome), writer.warp, writer.lane, writer.instruction,
      writer.line);
  if (writer.isCopy && writer.copyLine != writer.line)
    os << ", then copied at line " << writer.copyLine;
  os << "\n";
}

void mlir::fp8::explain(llvm::raw_ostream &os, const Signature &signature,
                        const Case &draw, const Outcome &outcome,
                        bool isSmallest) {
  if (outcome.kind == Outcome::Kind::Fails) {
    os << "wrong: @" << signature.function << ": " << outcome.message << "\n";
  } else {
    SmallVector<int64_t> at = delinearize(outcome.type, outcome.element);
    Type element = outcome.type.getElementType();
    os << "wrong: @" << signature.function << ": result " << outcome.result
       << " differs first at [";
    llvm::interleaveComma(at, os);
    os << "]: expected " << showElement(element, outcome.expected) << ", found "
       << showElement(element, outcome.found) << "; " << outcome.wrong << " of "
       << outcome.type.getNumElements() << " elements are wrong\n";
    explainWriter(os, outcome);
  }
  os << (isSmallest ? "  smallest shape: " : "  shape: ") << describeSizes(draw)
     << "\n";
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    os << "  argument " << i << ": " << getArgumentType(signature, draw, i)
       << ", " << getName(draw.layouts[i]) << "\n";
}
