//===- CTADialect.cpp - The cta dialect's types and attributes ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, and the rules that types and attributes keep by themselves.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/CTA/IR/CTADialect.h"

#include "fp8/Dialect/CTA/IR/Layout.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cta;

#include "fp8/Dialect/CTA/IR/CTADialect.cpp.inc"
#include "fp8/Dialect/CTA/IR/CTAEnums.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes in types
//===----------------------------------------------------------------------===//

static ParseResult parseShapedElement(AsmParser &parser,
                                      SmallVector<int64_t> &shape,
                                      Type &elementType) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
                 parser.parseType(elementType));
}

static void printShapedElement(AsmPrinter &printer, ArrayRef<int64_t> shape,
                               Type elementType) {
  for (int64_t dim : shape)
    if (ShapedType::isDynamic(dim))
      printer << "?x";
    else
      printer << dim << 'x';
  printer << elementType;
}

static ParseResult parseDimensions(AsmParser &parser,
                                   SmallVector<int64_t> &shape) {
  return parser.parseDimensionList(shape, /*allowDynamic=*/false,
                                   /*withTrailingX=*/false);
}

static void printDimensions(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  llvm::interleave(shape, printer, "x");
}

#define GET_ATTRDEF_CLASSES
#include "fp8/Dialect/CTA/IR/CTAAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fp8/Dialect/CTA/IR/CTATypes.cpp.inc"

namespace {
/// Launches mean the same in a callee and in its caller.
struct CTAInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return isa<LaunchOp>(op);
  }
};
} // namespace

void CTADialect::initialize() {
  addInterfaces<CTAInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fp8/Dialect/CTA/IR/CTAAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fp8/Dialect/CTA/IR/CTATypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fp8/Dialect/CTA/IR/CTAOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Rules of types
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyElement(EmitError emitError, Type type) {
  if (isa<Float8E4M3FNType, Float8E5M2Type, BFloat16Type, Float32Type>(type))
    return success();
  return emitError() << "expected element type f8E4M3FN, f8E5M2, bf16 or f32, "
                        "got "
                     << type << " (c2)";
}

static bool isSwizzle(int64_t swizzle) {
  return swizzle == 0 || swizzle == 32 || swizzle == 64 || swizzle == 128;
}

static bool allPositive(ArrayRef<int64_t> values) {
  return llvm::all_of(values, [](int64_t value) { return value > 0; });
}

/// What every device takes.
static constexpr int64_t kMaxClusterBlocks = 8;

/// Blocks that share a sum: the last one reads what all of them left.
static constexpr int64_t kMaxSplit = 16;

/// Positive sizes with few enough blocks.
static bool isCluster(ArrayRef<int64_t> cluster) {
  int64_t blocks = 1;
  for (int64_t size : cluster) {
    if (size < 1 || size > kMaxClusterBlocks)
      return false;
    blocks *= size;
  }
  return blocks <= kMaxClusterBlocks;
}

LogicalResult SmemType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType, int64_t swizzle) {
  if (shape.size() != 3 || !allPositive(shape))
    return emitError() << "expected three positive dimensions (stages x rows x "
                          "columns) (c1)";
  if (failed(verifyElement(emitError, elementType)))
    return failure();
  if (!isSwizzle(swizzle))
    return emitError() << "expected swizzle 0, 32, 64 or 128, got " << swizzle
                       << " (c3)";
  // No shared memory has so many; sums of a few buffers stay numbers.
  if (llvm::any_of(shape, [](int64_t dim) { return dim > 1 << 18; }))
    return emitError() << "expected dimensions of at most 262144, got ["
                       << shape << "] (c6)";
  int64_t lineBytes = shape[2] * cta::getElementBytes(elementType);
  int64_t unit = swizzle == 0 ? 16 : swizzle;
  if (lineBytes % unit != 0)
    return emitError() << "expected lines of a multiple of " << unit
                       << " bytes, got " << lineBytes << " (c4)";
  if (swizzle != 0 && shape[1] % 8 != 0)
    return emitError() << "expected a multiple of 8 rows, got " << shape[1]
                       << " (c5)";
  return success();
}

int64_t SmemType::getElementBytes() const {
  return cta::getElementBytes(getElementType());
}

int64_t SmemType::getTileBytes() const {
  return getRows() * getColumns() * getElementBytes();
}

int64_t SmemType::getPanelColumns() const {
  return getSwizzle() == 0 ? getColumns() : getSwizzle() / getElementBytes();
}

int64_t SmemType::getAlignment() const { return swizzleRepeat(getSwizzle()); }

LogicalResult RingType::verify(EmitError emitError, int64_t stages,
                               int64_t consumers, ArrayRef<int64_t> cluster) {
  if (stages < 1 || consumers < 1)
    return emitError() << "expected at least one stage and one consumer (c1)";
  if (cluster.empty())
    return success();
  if (cluster.size() != 2 || !isCluster(cluster) ||
      cluster[0] * cluster[1] == 1)
    return emitError() << "expected a cluster of two sizes with 2 to "
                       << kMaxClusterBlocks << " blocks, got [" << cluster
                       << "] (c2)";
  return success();
}

LogicalResult TurnsType::verify(EmitError emitError, int64_t consumers) {
  if (consumers < 2)
    return emitError() << "expected at least 2 consumers, got " << consumers
                       << " (c1)";
  return success();
}

LogicalResult SlotType::verify(EmitError emitError, int64_t stages) {
  if (stages < 1)
    return emitError() << "expected at least one stage (c1)";
  return success();
}

LogicalResult TensorMapType::verify(EmitError emitError,
                                    ArrayRef<int64_t> shape, Type elementType,
                                    ArrayRef<int64_t> box, int64_t swizzle) {
  SmallVector<int64_t> known(shape);
  for (int64_t &extent : known)
    extent = ShapedType::isDynamic(extent) ? 1 : extent;
  if ((shape.size() != 2 && shape.size() != 3) || box.size() != 2 ||
      !allPositive(known) || !allPositive(box) || box[0] > 256 || box[1] > 256)
    return emitError() << "expected two or three positive dimensions, and a "
                          "box of two sides in 1..256 (c1)";
  if (failed(verifyElement(emitError, elementType)))
    return failure();
  int64_t bytes = cta::getElementBytes(elementType);
  if (!ShapedType::isDynamic(shape.back()) && shape.back() * bytes % 16 != 0)
    return emitError() << "expected rows of a multiple of 16 bytes, got "
                       << shape.back() * bytes << " (c3)";
  int64_t boxBytes = box[1] * bytes;
  if (!isSwizzle(swizzle) || boxBytes % 16 != 0 ||
      (swizzle != 0 && boxBytes > swizzle))
    return emitError()
           << "expected swizzle 0, 32, 64 or 128 and box lines of a "
              "multiple of 16 bytes within it, got swizzle "
           << swizzle << " and " << boxBytes << " bytes (c4)";
  return success();
}

static LogicalResult verifyColumns(EmitError emitError, int64_t columns) {
  if (columns < 8 || columns > 256 || columns % 8 != 0)
    return emitError() << "expected a multiple of 8 columns in 8..256, got "
                       << columns << " (c1)";
  return success();
}

LogicalResult FragmentType::verify(EmitError emitError, int64_t columns,
                                   int64_t warpRows) {
  if (failed(verifyColumns(emitError, columns)))
    return failure();
  if (warpRows != 16 && warpRows != 32)
    return emitError() << "expected warps 16 or 32 rows apart, got " << warpRows
                       << " (c2)";
  return success();
}

LogicalResult InFlightType::verify(EmitError emitError, int64_t columns) {
  return verifyColumns(emitError, columns);
}

LogicalResult TmemType::verify(EmitError emitError, ArrayRef<int64_t> shape) {
  if (shape.size() != 3 || !allPositive(shape) || shape[1] != 128)
    return emitError() << "expected stages x 128 x columns, all positive (c1)";
  if (shape[2] % 16 != 0 || shape[2] > 256)
    return emitError() << "expected a multiple of 16 columns up to 256, got "
                       << shape[2] << " (c2)";
  if (shape[0] > 512 / shape[2])
    return emitError() << "expected at most 512 columns in all, got "
                       << shape[0] << " times " << shape[2] << " (c3)";
  return success();
}

int64_t TmemType::getAllocatedColumns() const {
  return std::max<int64_t>(32, llvm::PowerOf2Ceil(getStages() * getColumns()));
}

//===----------------------------------------------------------------------===//
// Rules of the schedule
//===----------------------------------------------------------------------===//

LogicalResult ScheduleAttr::verify(EmitError emitError, ArrayRef<int64_t> tile,
                                   int64_t stages, ArrayRef<int64_t> cluster,
                                   int64_t consumers,
                                   ArrayRef<int64_t> registers, Raster raster,
                                   int64_t group, int64_t split,
                                   Sharing sharing) {
  if (tile.size() != 3 || cluster.size() != 2 || registers.size() != 2 ||
      !allPositive(tile) || !allPositive(cluster) || !allPositive(registers))
    return emitError() << "expected three positive tile sizes, two cluster "
                          "sizes and two register counts (c1)";
  if (consumers < 1 || group < 1 || split < 1)
    return emitError() << "expected consumers, group and split of at least 1 "
                          "(c6)";
  if (sharing == Sharing::pingpong && consumers < 2)
    return emitError() << "expected at least 2 consumers to take turns, got "
                       << consumers << " (c9)";
  int64_t together = sharing == Sharing::pingpong ? 1 : consumers;
  if (tile[0] % 64 != 0 || tile[0] / 64 % together != 0)
    return emitError() << "expected tile rows in multiples of 64 for each of "
                       << together << " consumers, got " << tile[0] << " (c2)";
  if (tile[1] % 8 != 0 || tile[1] > 256)
    return emitError() << "expected tile columns in multiples of 8 up to 256, "
                          "got "
                       << tile[1] << " (c3)";
  if (tile[2] % 32 != 0)
    return emitError() << "expected tile depth in multiples of 32, got "
                       << tile[2] << " (c4)";
  if (stages < 2)
    return emitError() << "expected at least 2 stages, got " << stages
                       << " (c5)";
  bool legal = llvm::all_of(registers, [](int64_t count) {
    return count % 8 == 0 && count >= 24 && count <= 256;
  });
  if (!legal)
    return emitError() << "expected register counts in multiples of 8 in "
                          "24..256, got "
                       << registers[0] << " and " << registers[1] << " (c7)";
  int64_t total =
      128 * (registers[0] + std::min<int64_t>(consumers, 1024) * registers[1]);
  if (total > 65536)
    return emitError() << "expected at most 65536 registers for all threads, "
                          "got "
                       << total << " (c7)";
  if (!isCluster(cluster))
    return emitError() << "expected a cluster of at most " << kMaxClusterBlocks
                       << " blocks, got [" << cluster << "] (c8)";
  if (split > kMaxSplit)
    return emitError() << "expected a split of at most " << kMaxSplit
                       << ", got " << split << " (c10)";
  if (split > 1 && sharing == Sharing::pingpong)
    return emitError()
           << "expected cooperative warpgroups in blocks that share "
              "sums, got a split of "
           << split << " (c11)";
  return success();
}
