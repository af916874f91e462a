//===- GridStride.h - Kernels that stride over items ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element-wise kernels have one shape: thread t does items t, t + count, ... of
// all threads of the grid, so any grid covers all items.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_FP8TOCTA_GRIDSTRIDE_H
#define FP8_LIB_CONVERSION_FP8TOCTA_GRIDSTRIDE_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Target/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fp8 {

/// A kernel whose arguments are `pointers` pointers, with an empty body and a
/// grid for `items` items: as many blocks as they fill, and no more than keep
/// `target` busy. The insertion point moves into the body.
inline cta::KernelOp
createStridingKernel(ImplicitLocOpBuilder &b, StringRef name, unsigned pointers,
                     int64_t items, const ::fp8::target::TargetInfo &target) {
  constexpr int64_t kThreads = 256, kBlocksPerMultiprocessor = 8;
  SmallVector<Type> inputs(pointers,
                           LLVM::LLVMPointerType::get(b.getContext(), 1));
  SmallVector<Location> locations(pointers, b.getLoc());
  auto kernel =
      cta::KernelOp::create(b, name, b.getFunctionType(inputs, {}), target.name,
                            kThreads, cta::ScheduleAttr());
  kernel.setBlocks(
      std::clamp<int64_t>(llvm::divideCeil(items, kThreads), 1,
                          kBlocksPerMultiprocessor * target.multiprocessors));
  b.createBlock(&kernel.getBody(), {}, inputs, locations);
  return kernel;
}

/// Runs what `build` creates for the items below `count` that are `thread`'s.
inline void forEachItem(ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread,
                        int64_t count,
                        llvm::function_ref<void(Value index)> build) {
  if (count == 0)
    return;
  Value end = arith::ConstantIntOp::create(b, b.getI64Type(), count);
  auto loop = scf::ForOp::create(b, thread.getIndex(), end, thread.getCount());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  build(loop.getInductionVar());
}

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_GRIDSTRIDE_H
