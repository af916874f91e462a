//===- TestLowerings.cpp - Lowerings that are wrong, and one that is right ===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin for the tests of fp8-check-lowering. On the device path it replaces
// math functions on matrices: ceil rightly; abs wrongly from column 32 on;
// roundeven so from column 40 on; floor by code that reads behind the input;
// round by such code, and an assertion of 40 columns; trunc not at all, with an
// error; sqrt by more memory than there is; exp2 by an instruction that the
// emulator does not know.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Extension/LoweringInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
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

/// `x` from column `end` on, else `right`.
static Value selectColumn(OpBuilder &b, Location loc, Value column, int64_t end,
                          Value right, Value x) {
  Value last = arith::ConstantIndexOp::create(b, loc, end);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, column, last);
  return arith::SelectOp::create(b, loc, inside, right, x);
}

static void replaceAbs(math::AbsFOp op) {
  replace(op, [](OpBuilder &b, Location loc, Value x, Value, Value column) {
    Value abs = math::AbsFOp::create(b, loc, x);
    return selectColumn(b, loc, column, 32, abs, x);
  });
}

/// `result`, and a read of `input` one row behind its last.
static Value readBehind(OpBuilder &b, Location loc, Value input, Value row,
                        Value column, Value result) {
  Value next = arith::AddIOp::create(b, loc, row,
                                     arith::ConstantIndexOp::create(b, loc, 1));
  Value below =
      tensor::ExtractOp::create(b, loc, input, ValueRange{next, column});
  Value zero = arith::SubFOp::create(b, loc, below, below);
  return arith::AddFOp::create(b, loc, result, zero);
}

static void replaceFloor(math::FloorOp op) {
  Value input = op.getOperand();
  replace(op,
          [&](OpBuilder &b, Location loc, Value x, Value row, Value column) {
            Value floor = math::FloorOp::create(b, loc, x);
            return readBehind(b, loc, input, row, column, floor);
          });
}

static void replaceRoundEven(math::RoundEvenOp op) {
  replace(op, [](OpBuilder &b, Location loc, Value x, Value, Value column) {
    Value rounded = math::RoundEvenOp::create(b, loc, x);
    return selectColumn(b, loc, column, 40, rounded, x);
  });
}

/// Fails in two ways: reducing must not go from one to the other.
static void replaceRound(math::RoundOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value input = op.getOperand();
  Value columns = tensor::DimOp::create(b, loc, input, 1);
  Value enough =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, columns,
                            arith::ConstantIndexOp::create(b, loc, 40));
  cf::AssertOp::create(b, loc, enough, "no kernel for so few columns");
  replace(op,
          [&](OpBuilder &b, Location loc, Value x, Value row, Value column) {
            Value rounded = math::RoundOp::create(b, loc, x);
            return readBehind(b, loc, input, row, column, rounded);
          });
}

/// Adds a part of 2^40 zeros.
static void replaceSqrt(math::SqrtOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{int64_t(1) << 40}, element);
  auto zeros = linalg::GenericOp::create(
      b, loc, empty.getType(), ValueRange(), empty,
      ArrayRef{b.getMultiDimIdentityMap(1)},
      ArrayRef{utils::IteratorType::parallel},
      [&](OpBuilder &b, Location loc, ValueRange) {
        Value index = arith::IndexCastOp::create(
            b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, 0));
        Value number = arith::SIToFPOp::create(b, loc, element, index);
        Value zero = arith::SubFOp::create(b, loc, number, number);
        linalg::YieldOp::create(b, loc, zero);
      });
  replace(op, [&](OpBuilder &b, Location loc, Value x, Value row, Value) {
    Value zero = tensor::ExtractOp::create(b, loc, zeros.getResult(0), row);
    Value root = math::SqrtOp::create(b, loc, x);
    return arith::AddFOp::create(b, loc, root, zero).getResult();
  });
}

static void replaceExp2(math::Exp2Op op) {
  replace(op, [](OpBuilder &b, Location loc, Value x, Value, Value) {
    return LLVM::InlineAsmOp::create(
               b, loc, x.getType(), x, "unknown.f32 $0, $1;", "=f,f",
               /*has_side_effects=*/false, /*is_align_stack=*/false,
               LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
        .getResult(0);
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
      else if (auto round = dyn_cast<math::RoundEvenOp>(op))
        replaceRoundEven(round);
      else if (auto sqrt = dyn_cast<math::SqrtOp>(op))
        replaceSqrt(sqrt);
      else if (auto exp2 = dyn_cast<math::Exp2Op>(op))
        replaceExp2(exp2);
      else if (auto round = dyn_cast<math::RoundOp>(op))
        replaceRound(round);
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
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                         linalg::LinalgDialect, LLVM::LLVMDialect,
                         math::MathDialect, tensor::TensorDialect>();
    addInterfaces<Lowering>();
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestLowerings", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) {
            registry->insert<TestDialect>();
            LLVM::registerInlinerInterface(*registry);
          }};
}
