//===- CTAOps.cpp - Copies, matrix instructions, register tiles -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops that work inside a role. The numbers (c1, ...) are those
// of the descriptions in CTAOps.td.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "fp8/Dialect/FP8/IR/FP8.h"

using namespace mlir;
using namespace mlir::cta;

LogicalResult mlir::cta::verifyInRole(Operation *op, RoleKind kind,
                                      StringRef number) {
  auto role = op->getParentOfType<RoleOp>();
  if (role && role.getKind() == kind)
    return success();
  return op->emitOpError("expected to be inside a ")
         << stringifyRoleKind(kind) << " role (" << number << ")";
}

LogicalResult mlir::cta::verifySlot(Operation *op, SlotType slot,
                                    int64_t stages, StringRef number) {
  if (slot.getStages() == stages)
    return success();
  return op->emitOpError("expected a slot of ")
         << stages << " stages, got " << slot.getStages() << " (" << number
         << ")";
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

LogicalResult RingAcquireOp::verify() {
  int64_t bytes = getBytes();
  auto role = (*this)->getParentOfType<RoleOp>();
  bool waitsForMma = bytes == 0 && role && role.getKind() == RoleKind::mma;
  if ((!waitsForMma && failed(verifyInRole(*this, RoleKind::producer, "c1"))) ||
      failed(verifySlot(*this, getSlot().getType(),
                        getRing().getType().getStages(), "c2")))
    return failure();
  if (bytes < 0 || bytes >= (1 << 20))
    return emitOpError("expected bytes below 1048576, got ")
           << bytes << " (c4)";
  int64_t loaded = 0;
  SmallVector<Multicast> shared;
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode()) {
    auto load = dyn_cast<TmaLoadOp>(op);
    if (!load || load.getRing() != getRing() || load.getSlot() != getSlot())
      continue;
    loaded += load.getBuffer().getType().getTileBytes();
    shared.push_back(load.getMulticast());
  }
  if (loaded != bytes)
    return emitOpError("announces ")
           << bytes << " bytes, but the loads that follow bring " << loaded
           << " (c3)";
  for (Multicast line : {Multicast::along_m, Multicast::along_n})
    if (bytes != 0 && getRing().getType().getBlocks(line) > 1 &&
        !llvm::is_contained(shared, line))
      return emitOpError("expected a load with multicast = ")
             << stringifyMulticast(line)
             << " after it: blocks that share a ring wait for what they share "
                "(c5)";
  return success();
}

/// Where warpgroups take turns it is this one's (c3).
static LogicalResult verifyInTurn(RingWaitOp wait) {
  auto tiles = wait->getParentOfType<TilesOp>();
  if (!tiles || !tiles.getInTurns())
    return success();
  Operation *op = tiles.getBody().front().findAncestorOpInBlock(*wait);
  for (; op; op = op->getPrevNode()) {
    if (isa<TurnsWaitOp>(op))
      return success();
    if (isa<TurnsPassOp>(op))
      break;
  }
  return wait.emitOpError(
      "expected a cta.turns.wait before it in its tile, and "
      "no cta.turns.pass between (c3)");
}

LogicalResult RingWaitOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getKind() == RoleKind::producer)
    return emitOpError("expected to be inside a consumer or mma role (c1)");
  if (failed(verifySlot(*this, getSlot().getType(),
                        getRing().getType().getStages(), "c2")))
    return failure();
  return verifyInTurn(*this);
}

/// Loads of the slot from tensor memory are behind a fence and a barrier (c4).
static LogicalResult verifyLoadsDone(RingReleaseOp release) {
  bool barrier = false, fence = false;
  for (Operation *op = release->getPrevNode(); op; op = op->getPrevNode()) {
    barrier |= isa<BarrierOp>(op);
    if (auto side = dyn_cast<Tcgen05FenceOp>(op))
      fence |= barrier && side.getSide() == FenceSide::before;
    auto load = dyn_cast<Tcgen05LoadOp>(op);
    if (!load || load.getSlot() != release.getSlot())
      continue;
    if (fence)
      return success();
    return release
               .emitOpError("expected a cta.tcgen05.fence before and then a "
                            "cta.barrier after the last load of the slot "
                            "(c4)")
               .attachNote(load.getLoc())
           << "loaded here";
  }
  return success();
}

LogicalResult RingReleaseOp::verify() {
  if (failed(verifyInRole(*this, RoleKind::consumer, "c1")) ||
      failed(verifySlot(*this, getSlot().getType(),
                        getRing().getType().getStages(), "c2")))
    return failure();
  if (failed(verifyLoadsDone(*this)))
    return failure();
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<WaitOp>(op))
      break;
    if (auto mma = dyn_cast<WgmmaOp>(op); mma && mma.getSlot() == getSlot())
      return emitOpError("releases a stage that a cta.wgmma may still read; "
                         "put a cta.wait between them (c3)")
                 .attachNote(mma.getLoc())
             << "reads the stage here";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A map and a buffer must agree on everything that one box moves, which is one
/// of `parts` shares of a panel's rows (c1, c2).
static LogicalResult verifyBox(Operation *op, TensorMapType map,
                               SmemType buffer, int64_t parts = 1) {
  if (map.getElementType() != buffer.getElementType() ||
      map.getSwizzle() != buffer.getSwizzle())
    return op->emitOpError("expected the buffer's element type and swizzle (")
           << buffer.getElementType() << ", " << buffer.getSwizzle()
           << "), got " << map.getElementType() << ", " << map.getSwizzle()
           << " (c1)";
  if (map.getBox()[0] * parts != buffer.getRows() ||
      map.getBox()[1] != buffer.getPanelColumns())
    return op->emitOpError("expected a box of one panel")
           << (parts > 1 ? "'s share" : "") << ", " << buffer.getRows() / parts
           << " x " << buffer.getPanelColumns() << ", got " << map.getBox()[0]
           << " x " << map.getBox()[1] << " (c2)";
  return success();
}

/// One coordinate per dimension of the map (c5).
static LogicalResult verifyCoordinates(Operation *op, TensorMapType map,
                                       ValueRange coordinates) {
  if (coordinates.size() == map.getShape().size())
    return success();
  return op->emitOpError("expected ")
         << map.getShape().size() << " coordinates, got " << coordinates.size()
         << " (c5)";
}

/// What a line of blocks shares is a part of 8 rows or more for each (c6).
static LogicalResult verifyMulticast(TmaLoadOp load, int64_t blocks) {
  if (load.getMulticast() == Multicast::none)
    return success();
  if (blocks < 2)
    return load.emitOpError("expected a ring whose cluster has at least two "
                            "blocks ")
           << stringifyMulticast(load.getMulticast()) << ", got "
           << load.getRing().getType() << " (c6)";
  int64_t rows = load.getBuffer().getType().getRows();
  if (rows % (8 * blocks) == 0)
    return success();
  return load.emitOpError("expected a multiple of 8 rows for each of ")
         << blocks << " blocks, got " << rows << " (c6)";
}

LogicalResult TmaLoadOp::verify() {
  SmemType buffer = getBuffer().getType();
  int64_t blocks = getRing().getType().getBlocks(getMulticast());
  if (failed(verifyCoordinates(*this, getMap().getType(), getCoordinates())) ||
      failed(verifyMulticast(*this, blocks)) ||
      failed(verifyBox(*this, getMap().getType(), buffer, blocks)) ||
      failed(
          verifySlot(*this, getSlot().getType(), buffer.getStages(), "c3")) ||
      failed(verifySlot(*this, getSlot().getType(),
                        getRing().getType().getStages(), "c3")))
    return failure();
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (auto acquire = dyn_cast<RingAcquireOp>(op))
      if (acquire.getRing() == getRing() && acquire.getSlot() == getSlot())
        return success();
  return emitOpError("expected a cta.ring.acquire of the same ring and slot "
                     "before it in its block (c4)");
}

/// What `cp.reduce.async.bulk.tensor` can combine (c6).
static LogicalResult verifyReduction(TmaStoreOp op) {
  Type element = op.getMap().getType().getElementType();
  if (!op.getReduction() || element.isBF16() ||
      (element.isF32() && *op.getReduction() == Reduction::add))
    return success();
  return op.emitOpError("expected bf16, or f32 with add, to reduce, got ")
         << element << " with " << stringifyReduction(*op.getReduction())
         << " (c6)";
}

LogicalResult TmaStoreOp::verify() {
  if (failed(verifyCoordinates(*this, getMap().getType(), getCoordinates())) ||
      failed(verifyBox(*this, getMap().getType(), getBuffer().getType())) ||
      failed(verifyReduction(*this)))
    return failure();
  return verifyInRole(*this, RoleKind::consumer, "c3");
}

LogicalResult TmaDrainOp::verify() {
  return verifyInRole(*this, RoleKind::consumer, "c1");
}

LogicalResult BarrierOp::verify() {
  return verifyInRole(*this, RoleKind::consumer, "c1");
}

//===----------------------------------------------------------------------===//
// Matrix instructions and register tiles
//===----------------------------------------------------------------------===//

static int64_t getAccumulatorColumns(Type type) {
  if (auto fragment = dyn_cast<FragmentType>(type))
    return fragment.getColumns();
  return cast<InFlightType>(type).getColumns();
}

/// Warps are 16 rows apart, as wgmma has them, if it is a fragment.
static bool hasWgmmaRows(Type type) {
  auto fragment = dyn_cast<FragmentType>(type);
  return !fragment || fragment.getWarpRows() == 16;
}

LogicalResult mlir::cta::verifyUnit(Operation *op,
                                    ::fp8::target::MatrixUnit unit,
                                    StringRef what, StringRef number) {
  auto kernel = op->getParentOfType<KernelOp>();
  const ::fp8::target::TargetInfo *target =
      kernel ? kernel.getTargetInfo() : nullptr;
  if (target && target->matrixUnit == unit)
    return success();
  return op->emitOpError("expected a kernel for a target with ")
         << what << ", got '"
         << (kernel ? kernel.getTarget() : StringRef("none")) << "' (" << number
         << ")";
}

LogicalResult mlir::cta::verifyOperands(Operation *op, SmemType a, SmemType b) {
  Type aElement = a.getElementType(), bElement = b.getElementType();
  if (!(fp8::isStorageType(aElement) && fp8::isStorageType(bElement)) &&
      !(aElement.isBF16() && bElement.isBF16()))
    return op->emitOpError("expected operands of f8E4M3FN or f8E5M2, or both "
                           "of bf16, got ")
           << aElement << " and " << bElement << " (c1)";
  if (a.getSwizzle() == 0 || b.getSwizzle() == 0 ||
      a.getColumns() != b.getColumns())
    return op->emitOpError("expected swizzled buffers with the same columns, "
                           "got ")
           << a << " and " << b << " (c2)";
  return success();
}

LogicalResult mlir::cta::verifySteps(Operation *op, ArrayRef<int64_t> k,
                                     SmemType a) {
  int64_t step = kStepBytes / a.getElementBytes();
  if (k.size() == 2 && k[0] >= 0 && k[0] < k[1] && k[1] <= a.getColumns() &&
      k[0] % step == 0 && k[1] % step == 0)
    return success();
  return op->emitOpError("expected k = [from, to] in multiples of ")
         << step << " within " << a.getColumns() << " columns (c4)";
}

LogicalResult WgmmaOp::verify() {
  SmemType a = getA().getType(), b = getB().getType();
  int64_t columns = getResult().getType().getColumns();
  if (failed(verifyOperands(*this, a, b)))
    return failure();
  if (b.getRows() != columns || a.getRows() < 64)
    return emitOpError("expected at least 64 rows of a and ")
           << columns << " rows of b, got " << a.getRows() << " and "
           << b.getRows() << " (c3)";
  if (failed(verifySteps(*this, getK(), a)))
    return failure();
  if (getAcc() && getAccumulatorColumns(getAcc().getType()) != columns)
    return emitOpError("expected an accumulator of ")
           << columns << " columns, got " << getAcc().getType() << " (c5)";
  if (getAcc() && !hasWgmmaRows(getAcc().getType()))
    return emitOpError("expected an accumulator with warps 16 rows apart, got ")
           << getAcc().getType() << " (c5)";
  if (getAccumulate() && !getAcc())
    return emitOpError("has 'if' but no accumulator (c5)");
  if (failed(verifySlot(*this, getSlot().getType(), a.getStages(), "c6")) ||
      failed(verifySlot(*this, getSlot().getType(), b.getStages(), "c6")))
    return failure();
  if (failed(verifyInRole(*this, RoleKind::consumer, "c7")))
    return failure();
  return verifyUnit(*this, ::fp8::target::MatrixUnit::Wgmma, "wgmma", "c8");
}

LogicalResult WaitOp::verify() {
  bool readable = isa<FragmentType>(getResult().getType());
  if (readable != (getPending() == 0))
    return emitOpError(
               "expected a fragment exactly if nothing is pending, got ")
           << getResult().getType() << " with pending = " << getPending()
           << " (c1)";
  if (getAccumulatorColumns(getResult().getType()) !=
      getValue().getType().getColumns())
    return emitOpError("expected the operand's columns, got ")
           << getResult().getType() << " (c2)";
  if (!hasWgmmaRows(getResult().getType()))
    return emitOpError("expected warps 16 rows apart, got ")
           << getResult().getType() << " (c2)";
  if (static_cast<int64_t>(getPending()) < 0 || getPending() > 7)
    return emitOpError("expected pending in 0..7, got ")
           << static_cast<int64_t>(getPending()) << " (c3)";
  return success();
}

LogicalResult MapOp::verifyRegions() {
  Block &body = getBody().front();
  auto isF32 = [](Type type) { return type.isF32(); };
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != getInputs().size() ||
      !llvm::all_of(body.getArgumentTypes(), isF32) || !yield ||
      yield.getNumOperands() != getNumResults() ||
      !llvm::all_of(yield.getOperandTypes(), isF32))
    return emitOpError("expected a region with one f32 argument per operand "
                       "that yields one f32 per result (c1)");
  auto isFirst = [&](Type type) { return type == getResult(0).getType(); };
  if (getNumResults() == 0 || !llvm::all_of(getOperandTypes(), isFirst) ||
      !llvm::all_of(getResultTypes(), isFirst))
    return emitOpError("expected operands and at least one result of one type "
                       "(c3)");
  for (Operation &op : body.without_terminator())
    if (!isMemoryEffectFree(&op))
      return emitOpError("expected a region without memory effects (c2)")
                 .attachNote(op.getLoc())
             << "this operation has some";
  return success();
}

LogicalResult StoreOp::verify() {
  SmemType buffer = getBuffer().getType();
  int64_t columns = getValue().getType().getColumns();
  int64_t warpRows = getValue().getType().getWarpRows();
  if (buffer.getRows() != 4 * warpRows || buffer.getColumns() != columns)
    return emitOpError("expected a buffer of ")
           << 4 * warpRows << " x " << columns << " tiles, got " << buffer
           << " (c1)";
  int64_t row = getRow();
  if (row != 0 && !(row == 16 && warpRows == 32))
    return emitOpError("expected row 0, or 16 with warps 32 rows apart, got ")
           << row << " (c4)";
  if (buffer.getSwizzle() == 0)
    return emitOpError("expected a swizzled buffer, got ") << buffer << " (c2)";
  return verifyInRole(*this, RoleKind::consumer, "c3");
}

/// The sizes of a matrix in global memory are positive (c1).
static LogicalResult verifySizes(Operation *op, int64_t rows, int64_t columns) {
  if (rows >= 1 && columns >= 1)
    return success();
  return op->emitOpError("expected a matrix of positive sizes, got ")
         << rows << " x " << columns << " (c1)";
}

LogicalResult StoreRowsOp::verify() {
  std::optional<int64_t> rows = getRows();
  if (rows.has_value() == bool(getDynamicRows()))
    return emitOpError("expected rows as a number or as a value (c1)");
  if (failed(verifySizes(*this, rows.value_or(1), getColumns())))
    return failure();
  Type element = getElementType();
  if (!isa<Float32Type, BFloat16Type>(element) && !fp8::isStorageType(element))
    return emitOpError("expected elements of f32, bf16, f8E4M3FN or f8E5M2, "
                       "got ")
           << element << " (c2)";
  return verifyInRole(*this, RoleKind::consumer, "c3");
}

LogicalResult LoadRowsOp::verify() {
  if (failed(verifySizes(*this, getRows(), getColumns())))
    return failure();
  ArrayRef<int64_t> strides = getStrides();
  if (strides.size() != 2 || strides[0] < 0 || strides[1] < 0)
    return emitOpError("expected two strides that are not negative (c1)");
  if (!isa<Float32Type, BFloat16Type>(getElementType()))
    return emitOpError("expected elements of f32 or bf16, got ")
           << getElementType() << " (c2)";
  return verifyInRole(*this, RoleKind::consumer, "c3");
}

LogicalResult AmaxOp::verify() {
  if (failed(verifySizes(*this, getRows(), getColumns())))
    return failure();
  return verifyInRole(*this, RoleKind::consumer, "c2");
}

//===----------------------------------------------------------------------===//
// Sums that several blocks share
//===----------------------------------------------------------------------===//

LogicalResult StorePartialOp::verify() {
  return verifyInRole(*this, RoleKind::consumer, "c1");
}

LogicalResult LoadPartialOp::verify() {
  if (failed(verifyInRole(*this, RoleKind::consumer, "c1")))
    return failure();
  auto isDecided = [](Value value) {
    return isa_and_present<ArriveLastOp>(value.getDefiningOp());
  };
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp())
    if (llvm::any_of(op->getOperands(), isDecided))
      return success();
  return emitOpError("expected to be inside of what a cta.arrive_last decides "
                     "about: another block may not have written yet (c2)");
}

LogicalResult ArriveLastOp::verify() {
  if (failed(verifyInRole(*this, RoleKind::consumer, "c1")))
    return failure();
  auto count = static_cast<int64_t>(getCount());
  if (count < 2 || count > 65535)
    return emitOpError("expected a count in 2..65535, got ")
           << count << " (c2)";
  ScheduleAttr schedule =
      (*this)->getParentOfType<KernelOp>().getScheduleAttr();
  if (schedule && schedule.getSplit() != count)
    return emitOpError("expected the schedule's split, ")
           << schedule.getSplit() << ", got a count of " << count << " (c3)";
  return success();
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// One access moves 1, 2, 4, 8 or 16 bytes (c1).
static LogicalResult verifyAccess(Operation *op, Type type) {
  int64_t bits = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    bits = type.getIntOrFloatBitWidth();
  int64_t bytes = bits / 8;
  if (bytes <= 16 && llvm::isPowerOf2_64(bytes))
    return success();
  return op->emitOpError("expected an access of 1, 2, 4, 8 or 16 bytes, got ")
         << bytes << " (c1)";
}

LogicalResult GlobalLoadOp::verify() {
  return verifyAccess(*this, getResult().getType());
}

LogicalResult GlobalStoreOp::verify() {
  return verifyAccess(*this, getValue().getType());
}

LogicalResult ConcatOp::verify() {
  auto result = cast<VectorType>(getResult().getType());
  int64_t elements = 0;
  bool sameElement = true;
  for (Type type : getInputs().getTypes()) {
    auto vector = cast<VectorType>(type);
    sameElement &= vector.getElementType() == result.getElementType();
    elements += vector.getNumElements();
  }
  if (!sameElement || elements != result.getNumElements())
    return emitOpError("expected inputs that together are a ")
           << result << " (c1)";
  return success();
}

/// Bytes of a vector's elements.
static int64_t getVectorBytes(Type type) {
  auto vector = cast<VectorType>(type);
  return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
}

LogicalResult WindowOp::verify() {
  if (getVectorBytes(getResult().getType()) != 16)
    return emitOpError("expected vectors of 16 bytes, got ")
           << getResult().getType() << " (c1)";
  return success();
}

LogicalResult TransposeOp::verify() {
  if (getInputs().empty() || getResults().empty())
    return emitOpError("expected an input and a result, got ")
           << getInputs().size() << " and " << getResults().size() << " (c2)";
  auto row = cast<VectorType>(getInputs().front().getType());
  auto column = cast<VectorType>(getResults().front().getType());
  if (!llvm::all_equal(getInputs().getTypes()) ||
      !llvm::all_equal(getResults().getTypes()) ||
      row.getElementType() != column.getElementType())
    return emitOpError("expected inputs of one type, results of one type, and "
                       "the same elements in both (c1)");
  auto count = [](auto range) { return static_cast<int64_t>(range.size()); };
  if (count(getInputs()) != column.getNumElements() ||
      count(getResults()) != row.getNumElements())
    return emitOpError("expected ")
           << row.getNumElements() << " results of " << count(getInputs())
           << " elements, got " << count(getResults()) << " of "
           << column.getNumElements() << " (c2)";
  for (VectorType type : {row, column})
    if (getVectorBytes(type) % 4 != 0)
      return emitOpError("expected vectors of whole 32-bit words, got ")
             << type << " (c3)";
  return success();
}

LogicalResult QuantizeOp::verify() {
  int64_t elements = 0;
  for (Type type : getInputs().getTypes()) {
    auto vector = cast<VectorType>(type);
    if (!isa<BFloat16Type, Float32Type>(vector.getElementType()))
      return emitOpError("expected inputs of bf16 or f32, got ")
             << type << " (c2)";
    elements += vector.getNumElements();
  }
  auto result = cast<VectorType>(getResult().getType());
  if (elements != result.getNumElements())
    return emitOpError("expected ")
           << elements << " codes for the elements of the inputs, got "
           << result << " (c1)";
  return success();
}
