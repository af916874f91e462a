//===- TestLowerings.cpp - Lowerings that are wrong, and one that is right ===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin for the tests of fp8-check-lowering. On the device path it replaces
// math functions on matrices: ceil rightly; abs wrongly from column 32 on;
// floor by code that reads behind the input; trunc not at all, with an error.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Extension/LoweringInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

/// Replaces `op` by a linalg op with `body`, which gets an element and its
/// place and returns the result's.
static void replace(Operation *op,
                    llvm::function_ref<Value(OpBuilder &, Location, Value x,
                                             Value row, Value column)>
                        body) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value input = op->getOperand(0);
  auto type = cast<RankedTensorType>(input.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, input), type.getElementType());
  AffineMap map = b.getMultiDimIdentityMap(2);
  auto parallel = utils::IteratorType::parallel;
  auto generic = linalg::GenericOp::create(
      b, loc, type, input, empty, ArrayRef{map, map},
      ArrayRef{parallel, parallel},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value row = linalg::IndexOp::create(b, loc, 0);
        Value column = linalg::IndexOp::create(b, loc, 1);
        linalg::YieldOp::create(b, loc, body(b, loc, args[0], row, column));
      });
  op->replaceAllUsesWith(generic.getResults());
  op->erase();
}

static void replaceAbs(math::AbsFOp op) {
  replace(op, [](OpBuilder &b, Location loc, Value x, Value, Value column) {
    Value end = arith::ConstantIndexOp::create(b, loc, 32);
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, column, end);
    Value abs = math::AbsFOp::create(b, loc, x);
    return arith::SelectOp::create(b, loc, inside, abs, x).getResult();
  });
}

static void replaceFloor(math::FloorOp op) {
  Value input = op.getOperand();
  replace(
      op, [&](OpBuilder &b, Location loc, Value x, Value row, Value column) {
        Value next = arith::AddIOp::create(
            b, loc, row, arith::ConstantIndexOp::create(b, loc, 1));
        Value below =
            tensor::ExtractOp::create(b, loc, input, ValueRange{next, column});
        Value zero = arith::SubFOp::create(b, loc, below, below);
        Value floor = math::FloorOp::create(b, loc, x);
        return arith::AddFOp::create(b, loc, floor, zero).getResult();
      });
}

namespace {
struct Replace final : PassWrapper<Replace, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Replace)
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getResultTypes()[0].getTypeID() ==
                                          TypeID::get<RankedTensorType>())
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto ceil = dyn_cast<math::CeilOp>(op))
        replace(op, [](OpBuilder &b, Location loc, Value x, Value, Value) {
          return math::CeilOp::create(b, loc, x).getResult();
        });
      else if (auto abs = dyn_cast<math::AbsFOp>(op))
        replaceAbs(abs);
      else if (auto floor = dyn_cast<math::FloorOp>(op))
        replaceFloor(floor);
      else if (isa<math::TruncOp>(op)) {
        op->emitError("no kernel for this truncation");
        return signalPassFailure();
      }
    }
  }
};

struct Lowering final : mlir::fp8::LoweringDialectInterface {
  using LoweringDialectInterface::LoweringDialectInterface;
  void addReferencePasses(OpPassManager &) const override {}
  void addTensorPasses(OpPassManager &pm,
                       const ::fp8::target::TargetInfo &) const override {
    pm.addPass(std::make_unique<Replace>());
  }
};

struct TestDialect final : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDialect)
  static constexpr StringLiteral getDialectNamespace() {
    return "test_lowerings";
  }
  explicit TestDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<TestDialect>()) {
    context->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                         math::MathDialect, tensor::TensorDialect>();
    addInterfaces<Lowering>();
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestLowerings", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registry->insert<TestDialect>(); }};
}
