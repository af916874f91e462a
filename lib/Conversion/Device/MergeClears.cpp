//===- MergeClears.cpp - One launch clears all words ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of an amax start as zeros, and so do the counters of blocks that
// share sums. Each gets a part of one buffer, which nothing else uses, so that
// one launch at the start of the function does for all of them. Words in loops
// stay: they are cleared again and again. A kernel that no launch is left of
// goes: it would be compiled for nothing.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEMERGECLEARS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

/// Words that are written together, and bytes of one.
static constexpr int64_t kWords = 2, kWordBytes = 4;

static bool isClear(cta::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<cta::KernelOp>(
      op, op.getKernelAttr());
  return getComputed(kernel) == "clear" && op.getInputs().empty() &&
         op.getInits().size() == 1;
}

/// The buffer that `op` clears, if that is what it starts with.
static memref::AllocOp getWords(cta::LaunchOp op) {
  auto alloc = op.getInits().front().getDefiningOp<memref::AllocOp>();
  Block *block = op->getBlock();
  if (!alloc || alloc->getBlock() != block ||
      !alloc.getType().hasStaticShape() ||
      !alloc.getType().getLayout().isIdentity() ||
      !alloc.getType().getElementType().isInteger(32) ||
      alloc.getType().getNumElements() % kWords != 0)
    return {};
  for (Operation *user : alloc->getUsers()) {
    Operation *outer = block->findAncestorOpInBlock(*user);
    auto launch = dyn_cast<cta::LaunchOp>(user);
    // What is cleared twice has another value between.
    if (user != op &&
        (outer->isBeforeInBlock(op) || (launch && isClear(launch))))
      return {};
  }
  return alloc;
}

/// The kernel that clears `words` words.
static cta::KernelOp getKernel(gpu::GPUModuleOp kernels, Location loc,
                               int64_t words,
                               const ::fp8::target::TargetInfo &target) {
  std::string name = "clear_amax_" + std::to_string(words / kWords);
  if (auto kernel = kernels.lookupSymbol<cta::KernelOp>(name))
    return kernel;
  OpBuilder b = OpBuilder::atBlockEnd(kernels.getBody());
  return buildClearKernel(b, loc, name, target, words);
}

namespace {
struct DeviceMergeClears final
    : mlir::fp8::impl::DeviceMergeClearsBase<DeviceMergeClears> {
  using DeviceMergeClearsBase::DeviceMergeClearsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto kernels = module.lookupSymbol<gpu::GPUModuleOp>(kMatrixKernels);
    if (!kernels)
      return;
    const auto *info = getGPUTarget(module, getArgument(), target);
    if (!info)
      return signalPassFailure();
    llvm::SetVector<cta::KernelOp> replaced;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isDeclaration())
        merge(func, kernels, *info, replaced);
    for (cta::KernelOp kernel : replaced)
      if (SymbolTable::symbolKnownUseEmpty(kernel, module))
        kernel.erase();
  }

  /// Adds the kernels whose launches it erases to `replaced`.
  static void merge(func::FuncOp func, gpu::GPUModuleOp kernels,
                    const ::fp8::target::TargetInfo &target,
                    llvm::SetVector<cta::KernelOp> &replaced) {
    SmallVector<std::pair<cta::LaunchOp, memref::AllocOp>> cleared;
    for (auto op : func.getBody().front().getOps<cta::LaunchOp>())
      if (isClear(op))
        if (memref::AllocOp words = getWords(op))
          cleared.emplace_back(op, words);
    if (cleared.size() < 2)
      return;
    OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
    Location loc = func.getLoc();
    int64_t words = 0;
    for (auto &[launch, alloc] : cleared)
      words += alloc.getType().getNumElements();
    Value all = memref::AllocOp::create(
        b, loc, MemRefType::get({words * kWordBytes}, b.getI8Type()));
    cta::KernelOp kernel = getKernel(kernels, loc, words, target);
    auto symbol = SymbolRefAttr::get(
        kernels.getNameAttr(), FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
    auto clear = cta::LaunchOp::create(b, loc, TypeRange(), symbol,
                                       b.getDenseI32ArrayAttr({0}),
                                       ValueRange(), all, ValueRange());
    b.setInsertionPointAfter(clear);
    SmallVector<Value> parts;
    int64_t at = 0;
    for (auto &[launch, alloc] : cleared) {
      Value offset = arith::ConstantIndexOp::create(b, loc, at);
      parts.push_back(memref::ViewOp::create(b, loc, alloc.getType(), all,
                                             offset, ValueRange()));
      at += alloc.getType().getNumElements() * kWordBytes;
    }
    // Only now: the builder may stand before one of them.
    for (auto [pair, part] : llvm::zip_equal(cleared, parts)) {
      replaced.insert(SymbolTable::lookupNearestSymbolFrom<cta::KernelOp>(
          pair.first, pair.first.getKernelAttr()));
      pair.first.erase();
      pair.second.replaceAllUsesWith(part);
      pair.second.erase();
    }
  }
};
} // namespace
