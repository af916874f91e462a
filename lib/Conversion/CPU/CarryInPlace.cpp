//===- CarryInPlace.cpp - One buffer per loop-carried tensor --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One buffer per loop-carried tensor: without this, bufferization lets a fresh
// allocation leave each iteration, and no static plan of memory exists.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUCARRYINPLACE
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

namespace {
struct CPUCarryInPlace final
    : mlir::fp8::impl::CPUCarryInPlaceBase<CPUCarryInPlace> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      Operation *yield = loop.getBody()->getTerminator();
      OpBuilder builder(yield);
      for (auto [operand, arg] :
           llvm::zip(yield->getOpOperands(), loop.getRegionIterArgs())) {
        if (!isa<TensorType>(arg.getType()) || operand.get() == arg)
          continue;
        auto placed = bufferization::MaterializeInDestinationOp::create(
            builder, loop.getLoc(), arg.getType(), operand.get(), arg);
        operand.set(placed.getResult());
      }
    });
  }
};
} // namespace
