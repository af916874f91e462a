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

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Target/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fp8 {

/// A kernel whose arguments are `pointers` pointers, then sizes of type
/// `sizes`, with an empty body and a grid for `items` items: as many blocks as
/// they fill, and no more than keep `target` busy; that many where the launch
/// decides. The insertion point moves into the body.
inline cta::KernelOp
createStridingKernel(ImplicitLocOpBuilder &b, StringRef name, unsigned pointers,
                     int64_t items, const ::fp8::target::TargetInfo &target,
                     ArrayRef<Type> sizes = {}) {
  constexpr int64_t kThreads = kStrideThreads, kBlocksPerMultiprocessor = 8;
  SmallVector<Type> inputs(pointers,
                           LLVM::LLVMPointerType::get(b.getContext(), 1));
  llvm::append_range(inputs, sizes);
  SmallVector<Location> locations(inputs.size(), b.getLoc());
  auto kernel =
      cta::KernelOp::create(b, name, b.getFunctionType(inputs, {}), target.name,
                            kThreads, cta::ScheduleAttr());
  int64_t most = kBlocksPerMultiprocessor * target.multiprocessors;
  kernel.setBlocks(
      ShapedType::isDynamic(items)
          ? most
          : std::clamp<int64_t>(llvm::divideCeil(items, kThreads), 1, most));
  b.createBlock(&kernel.getBody(), {}, inputs, locations);
  return kernel;
}

/// The f32 at `base`, for every thread: one lane of a warp reads it.
inline Value loadForAll(ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread,
                        Value base) {
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  auto i32 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  };
  Value lane = arith::AndIOp::create(b, thread.getIndex(), i64(31));
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, i64(0));
  Value own =
      cta::GlobalLoadOp::create(b, b.getF32Type(), base, i64(0), isFirst);
  return NVVM::ShflOp::create(b, b.getF32Type(), i32(-1), own, i32(0), i32(31),
                              NVVM::ShflKind::idx, UnitAttr());
}

/// Why `target` has no kernel that strides over `elements` elements, or nothing
/// if it has one.
inline std::optional<Refusal>
refuseElements(int64_t elements, const ::fp8::target::TargetInfo &target) {
  if (!target.implemented || !target.isGPU())
    return llvm::formatv("target {0} has no kernels yet", target.name).str();
  if (elements < 1 && !ShapedType::isDynamic(elements))
    return Refusal("expected at least one element");
  return std::nullopt;
}

/// Elements of a chunk, which a thread has under way at once.
inline constexpr int64_t kChunk = 16;

/// `count` elements of type `element` from element `index` of `base` on, in
/// vectors of at most 16 bytes.
inline SmallVector<Value> loadElements(ImplicitLocOpBuilder &b, Value base,
                                       Type element, Value index,
                                       int64_t count) {
  constexpr int64_t kAccessBits = 128;
  int64_t perAccess =
      std::min<int64_t>(count, kAccessBits / element.getIntOrFloatBitWidth());
  auto type = VectorType::get(perAccess, element);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; i += perAccess) {
    Value offset = arith::ConstantIntOp::create(b, b.getI64Type(), i);
    Value at = arith::AddIOp::create(b, index, offset);
    parts.push_back(cta::GlobalLoadOp::create(b, type, base, at));
  }
  return parts;
}

/// Runs what `build` creates for the items below `end` (i64) that are
/// `thread`'s.
inline void forEachItem(ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread,
                        Value end,
                        llvm::function_ref<void(Value index)> build) {
  auto loop = scf::ForOp::create(b, thread.getIndex(), end, thread.getCount());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  build(loop.getInductionVar());
}

inline void forEachItem(ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread,
                        int64_t count,
                        llvm::function_ref<void(Value index)> build) {
  if (count == 0)
    return;
  Value end = arith::ConstantIntOp::create(b, b.getI64Type(), count);
  forEachItem(b, thread, end, build);
}

/// The same where items carry values on, from `carried` (which may be none);
/// returns the last.
inline SmallVector<Value> forEachItem(
    ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread, Value end,
    ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value index, ValueRange carried)>
        build) {
  if (carried.empty()) {
    forEachItem(b, thread, end, [&](Value index) { build(index, {}); });
    return {};
  }
  auto loop =
      scf::ForOp::create(b, thread.getIndex(), end, thread.getCount(), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b,
                       build(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

inline SmallVector<Value> forEachItem(
    ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread, int64_t count,
    ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value index, ValueRange carried)>
        build) {
  if (count == 0)
    return SmallVector<Value>(carried);
  Value end = arith::ConstantIntOp::create(b, b.getI64Type(), count);
  return forEachItem(b, thread, end, carried, build);
}

/// The items (chunks) of `elements` elements, for createStridingKernel.
inline int64_t countChunks(int64_t elements) {
  return ShapedType::isDynamic(elements) ? elements : elements / kChunk;
}

/// The same for `elements` elements, or `dynamic` (i64) ones if it is not null:
/// whole chunks first, then one by one; for `count` elements from `index` on
/// each.
inline SmallVector<Value>
forEachChunk(ImplicitLocOpBuilder &b, cta::ThreadIndexOp thread,
             int64_t elements, Value dynamic, ValueRange carried,
             llvm::function_ref<SmallVector<Value>(Value index, int64_t count,
                                                   ValueRange carried)>
                 build) {
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  if (dynamic) {
    Value whole = arith::DivUIOp::create(b, dynamic, i64(kChunk));
    SmallVector<Value> last = forEachItem(
        b, thread, whole, carried, [&](Value item, ValueRange before) {
          Value index = arith::MulIOp::create(b, item, i64(kChunk));
          return build(index, kChunk, before);
        });
    Value left = arith::RemUIOp::create(b, dynamic, i64(kChunk));
    Value end = arith::SubIOp::create(b, dynamic, left);
    return forEachItem(
        b, thread, left, last, [&](Value item, ValueRange before) {
          return build(arith::AddIOp::create(b, item, end), 1, before);
        });
  }
  int64_t chunks = elements / kChunk;
  SmallVector<Value> last = forEachItem(
      b, thread, chunks, carried, [&](Value item, ValueRange before) {
        Value index = arith::MulIOp::create(b, item, i64(kChunk));
        return build(index, kChunk, before);
      });
  return forEachItem(
      b, thread, elements % kChunk, last, [&](Value item, ValueRange before) {
        Value index = arith::AddIOp::create(b, item, i64(chunks * kChunk));
        return build(index, 1, before);
      });
}

/// Largest magnitude and flags of a thread that has seen no element; nothing
/// unless `isTaken`.
inline SmallVector<Value> startAmax(ImplicitLocOpBuilder &b, bool isTaken) {
  if (!isTaken)
    return {};
  Value none = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  return {none, none};
}

/// `words` of startAmax() with the elements of `parts` in them.
inline SmallVector<Value> foldAmax(ImplicitLocOpBuilder &b, ValueRange parts,
                                   ValueRange words) {
  if (words.empty())
    return {};
  auto folded = cta::FoldAmaxOp::create(b, parts, words[0], words[1]);
  return SmallVector<Value>(folded.getResults());
}

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_FP8TOCTA_GRIDSTRIDE_H
