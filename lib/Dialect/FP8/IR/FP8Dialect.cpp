//===- FP8Dialect.cpp - Registration and discardable attributes ----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Numerics/Accumulate.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fp8;

#include "fp8/Dialect/FP8/IR/FP8Dialect.cpp.inc"
#include "fp8/Dialect/FP8/IR/FP8Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fp8/Dialect/FP8/IR/FP8Types.cpp.inc"

#include "fp8/Dialect/FP8/IR/FP8AttrInterfaces.cpp.inc"

namespace {
/// Operations mean the same in a callee and in its caller.
struct FP8InlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void FP8Dialect::initialize() {
  addInterfaces<FP8InlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fp8/Dialect/FP8/IR/FP8Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fp8/Dialect/FP8/IR/FP8Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fp8/Dialect/FP8/IR/FP8Ops.cpp.inc"
      >();
}

bool mlir::fp8::isStorageType(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

bool mlir::fp8::isContractionRole(StringRef role) {
  return llvm::StringSwitch<bool>(role)
      .Cases({"fprop", "refprop", "dgrad", "wgrad"}, true)
      .Cases({"attention", "dispatch", "other"}, true)
      .Default(false);
}

bool mlir::fp8::isOperandRole(StringRef role) {
  return llvm::StringSwitch<bool>(role)
      .Cases({"activation", "weight", "gradient", "other"}, true)
      .Default(false);
}

static LogicalResult verifyRole(Operation *op, NamedAttribute attr,
                                bool (*known)(StringRef), StringRef list) {
  auto role = dyn_cast<StringAttr>(attr.getValue());
  if (role && known(role))
    return success();
  return op->emitOpError() << "expected attribute '"
                           << attr.getName().getValue() << "' to be one of "
                           << list << ", got " << attr.getValue();
}

/// True for a model, a promotion interval and split boundaries, in the numbers
/// of numerics::AccumModel.
static bool isAccumulation(Attribute value) {
  auto words = dyn_cast<DenseI64ArrayAttr>(value);
  if (!words || words.size() < 2)
    return false;
  int64_t model = words[0], promote = words[1], last = 0;
  if (model < 0 ||
      model > static_cast<int64_t>(::fp8::numerics::AccumKind::Exact) ||
      promote < 0)
    return false;
  for (int64_t boundary : words.asArrayRef().drop_front(2)) {
    if (boundary <= last || (promote > 0 && boundary % promote != 0))
      return false;
    last = boundary;
  }
  return true;
}

/// Attributes that lowerings set: passes
/// read the numbers in them without another look.
static LogicalResult verifyLoweringAttribute(Operation *op,
                                             NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kCPUContractAttr && !isAccumulation(attr.getValue()))
    return op->emitOpError(
               "expected attribute 'fp8.cpu_contract' to be at least two i64: "
               "an accumulation model (0 to 4), a promotion interval (0 is "
               "none), ascending split boundaries that are multiples of it; "
               "got ")
           << attr.getValue();
  if (name == kDeviceGridAttr) {
    auto grid = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
    if (!grid || grid.size() != 2 || grid[0] <= 0 || grid[1] <= 0)
      return op->emitOpError("expected attribute 'fp8.device_grid' to be two "
                             "positive i64, blocks and threads of a block, "
                             "got ")
             << attr.getValue();
  }
  if (name == kDeviceBlocksAttr) {
    auto blocks = dyn_cast<AffineMapAttr>(attr.getValue());
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto indices =
        function ? llvm::count_if(function.getArgumentTypes(),
                                  [](Type type) { return type.isIndex(); })
                 : -1;
    if (!blocks || blocks.getValue().getNumDims() != 0 ||
        blocks.getValue().getNumResults() != 1 ||
        static_cast<int64_t>(blocks.getValue().getNumSymbols()) != indices)
      return op->emitOpError("expected attribute 'fp8.device_blocks' to be a "
                             "map of the function's index arguments, as "
                             "symbols, to one number, got ")
             << attr.getValue();
  }
  return success();
}

LogicalResult FP8Dialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kRoleAttr)
    return verifyRole(op, attr, isContractionRole,
                      "\"fprop\", \"refprop\", \"dgrad\", \"wgrad\", "
                      "\"attention\", \"dispatch\", \"other\"");
  if (name == kLhsRoleAttr || name == kRhsRoleAttr)
    return verifyRole(op, attr, isOperandRole,
                      "\"activation\", \"weight\", \"gradient\", \"other\"");
  if (name == kDecisionAttr && !isa<PlanEntryAttr>(attr.getValue()))
    return op->emitOpError("expected attribute 'fp8.decision' to be a "
                           "#fp8.plan_entry, got ")
           << attr.getValue();
  if (name == kPlanAttr) {
    if (!isa<ModuleOp>(op))
      return op->emitOpError("expected attribute 'fp8.plan' on a module only");
    if (!isa<PlanAttr>(attr.getValue()))
      return op->emitOpError("expected attribute 'fp8.plan' to be an "
                             "#fp8.plan, got ")
             << attr.getValue();
  }
  if (name == kApproxMathAttr &&
      (!isa<ModuleOp>(op) || !isa<UnitAttr>(attr.getValue())))
    return op->emitOpError("expected attribute 'fp8.approx_math' to be a unit "
                           "attribute of a module, got ")
           << attr.getValue();
  if (name == kPairAttr && (!isa<FunctionOpInterface>(op) ||
                            !isa<FlatSymbolRefAttr>(attr.getValue())))
    return op->emitOpError("expected attribute 'fp8.pair' to name the forward "
                           "function of a function, got ")
           << attr.getValue();
  if (name == kSlotsAttr) {
    auto slots = dyn_cast<ArrayAttr>(attr.getValue());
    if (!slots || !llvm::all_of(slots, llvm::IsaPred<SlotAttr>))
      return op->emitOpError("expected attribute 'fp8.slots' to be an array of "
                             "#fp8.slot, got ")
             << attr.getValue();
  }
  return verifyLoweringAttribute(op, attr);
}
