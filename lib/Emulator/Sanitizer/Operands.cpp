//===- Operands.cpp - operands of products against their copies -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy says where each 16 bytes of its box lie, a matrix descriptor
// where it looks for them. Both permute by address bits, so the swizzles agree
// at an address exactly if they undo to the same one. Rows are compared within
// one box: the next row of the operand is expected in the next row of the box.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "llvm/ADT/Hashing.h"

using namespace fp8::emulator;

namespace fp8::emulator {
/// Where the operand meets a box first.
struct BoxOrigin {
  uint64_t copy = ~uint64_t(0);
  /// Row of the operand along the box's rows, and that of the box.
  int64_t operandRow = 0, boxRow = 0;
  unsigned unit = 0;
  bool swizzled = false, strided = false;
};
} // namespace fp8::emulator

/// The address at which the descriptor's 16 bytes would lie without swizzle.
static uint32_t linearAddress(const MatrixDescriptor &descriptor,
                              uint32_t address) {
  uint32_t phase = address - (uint32_t(descriptor.baseOffset) << 7);
  return address ^ (phase ^ applySwizzle(phase, descriptor.swizzle));
}

static const char *nameOf(Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return "no swizzle";
  case Swizzle::B32:
    return "32-byte swizzle";
  case Swizzle::B64:
    return "64-byte swizzle";
  case Swizzle::B128:
    return "128-byte swizzle";
  default:
    return "128-byte swizzle of wide atoms";
  }
}

void Sanitizer::compareBox(uint64_t index, const SharedOperand &operand,
                           uint32_t address, unsigned mn, unsigned k,
                           BoxOrigin &origin) {
  CtaState &cta = stateOf(*operand.cta);
  Touch writer;
  cta.shared.visit(
      address, 16, pool,
      [&](ShadowCell &cell, uint64_t, unsigned) { writer = cell.write; });
  if (!writer || !writer.isAsync())
    return;
  const AsyncRecord &copy = records[writer.index()];
  if (!copy.box || !copy.box->rowBytes)
    return;
  Touch self = Touch::async(index, 0);
  const BoxLayout &box = *copy.box;
  uint32_t fromCopy = applySwizzle(address, box.swizzle) & ~15u;
  uint32_t fromProduct = linearAddress(operand.descriptor, address) & ~15u;
  if (fromCopy != fromProduct) {
    if (!origin.swizzled)
      report("descriptor-mismatch", CheckLevel::Error, "shared", address,
             writer, self,
             std::string("the operand's descriptor has ") +
                 nameOf(operand.descriptor.swizzle) +
                 ", the copy that filled it " + nameOf(box.swizzle) +
                 ": expected the same");
    origin.swizzled = true;
    return;
  }
  if (fromCopy < box.base)
    return;
  int64_t boxRow = (fromCopy - box.base) / box.rowBytes;
  int64_t operandRow = operand.kMajor ? mn : k;
  unsigned unit = (operand.kMajor ? k : mn) * operand.elementBytes / 16;
  if (origin.copy != writer.index() || origin.unit != unit) {
    origin.copy = writer.index();
    origin.unit = unit;
    origin.operandRow = operandRow;
    origin.boxRow = boxRow;
    return;
  }
  if (boxRow - origin.boxRow == operandRow - origin.operandRow ||
      origin.strided)
    return;
  origin.strided = true;
  // Some kernels permute rows, none under another swizzle.
  CheckLevel at = operand.descriptor.swizzle == box.swizzle ? CheckLevel::Strict
                                                            : CheckLevel::Error;
  report("descriptor-mismatch", at, "shared", address, writer, self,
         "row " + std::to_string(operandRow) + " of the operand lies in row " +
             std::to_string(boxRow) + " of the box that was copied, row " +
             std::to_string(origin.operandRow) + " in row " +
             std::to_string(origin.boxRow) +
             ": expected strides of the descriptor that follow the box");
}

void Sanitizer::checkOperand(WarpState &state, uint64_t index,
                             const SharedOperand &operand) {
  // The warps of a warpgroup share their operands.
  if (records[index].kind == AsyncKind::Wgmma && state.warp->index % 4)
    return;
  const MatrixDescriptor &d = operand.descriptor;
  CtaState &cta = stateOf(*operand.cta);
  uint32_t first =
      elementAddress(d, operand.kMajor, operand.elementBytes, 0, 0);
  uint64_t size = operand.cta->shared.size();
  if (first + 16 > size)
    return;
  Touch writer;
  cta.shared.visit(
      first & ~15u, 16, pool,
      [&](ShadowCell &cell, uint64_t, unsigned) { writer = cell.write; });
  if (!writer || !writer.isAsync() || !records[writer.index()].box)
    return;
  // Loops repeat: the same operand of copies by the same instruction.
  const BoxLayout &box = *records[writer.index()].box;
  uint64_t key = llvm::hash_combine(d.start, d.leadingOffset, d.strideOffset,
                                    unsigned(d.baseOffset), unsigned(d.swizzle),
                                    operand.kMajor, opIdOf(writer), box.base,
                                    records[index].op, operand.mn);
  if (!cta.checkedOperands.insert(key & ~(uint64_t(3) << 62)).second)
    return;
  BoxOrigin origin;
  unsigned step = 16 / operand.elementBytes;
  unsigned along = operand.kMajor ? operand.k : operand.mn;
  unsigned across = operand.kMajor ? operand.mn : operand.k;
  for (unsigned a = 0; a < along; a += step)
    for (unsigned b = 0; b < across; ++b) {
      unsigned mn = operand.kMajor ? b : a, k = operand.kMajor ? a : b;
      uint32_t address =
          elementAddress(d, operand.kMajor, operand.elementBytes, mn, k) & ~15u;
      if (address + 16 <= size)
        compareBox(index, operand, address, mn, k, origin);
    }
}
