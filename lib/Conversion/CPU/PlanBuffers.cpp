//===- PlanBuffers.cpp - Place allocations in one arena -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Static memory planning. The unit of time is an operation of the function's
// entry block; a buffer lives from the first to the last such operation that
// uses it or an alias of it (inside nested regions too). First fit places them,
// in the better of two orders. Buffers that are live together never overlap.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/BufferSize.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUPLANBUFFERS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using mlir::fp8::getByteSize;
using mlir::fp8::kMaxBufferBytes;

/// Cache line, and the widest vector of any host.
static constexpr int64_t kAlignment = 64;

namespace {
struct Buffer {
  memref::AllocOp alloc;
  int64_t bytes;
  unsigned first, last; ///< Positions in the entry block, inclusive.
  int64_t offset = -1;
};
} // namespace

/// The live range of `alloc`: all uses of everything that may be it or a part
/// of it, as operations of the entry block. Upstream's analysis follows regions
/// and views; of an operation that it does not know, every result may be.
static Buffer computeBuffer(memref::AllocOp alloc, Block &entry,
                            const BufferViewFlowAnalysis &aliases,
                            const DenseMap<Operation *, unsigned> &position) {
  auto at = [&](Operation *op) {
    return position.lookup(entry.findAncestorOpInBlock(*op));
  };
  unsigned first = at(alloc), last = first;
  SmallVector<Value> work{alloc.getResult()};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    for (Value alias : aliases.resolve(work.pop_back_val())) {
      if (!seen.insert(alias).second)
        continue;
      for (Operation *user : alias.getUsers()) {
        unsigned when = at(user);
        first = std::min(first, when);
        last = std::max(last, when);
        for (Value result : user->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            work.push_back(result);
      }
    }
  }
  return {alloc, *getByteSize(alloc.getType()), first, last};
}

/// Gives each buffer, in the order of `order`, the lowest offset at which
/// nothing that lives with it and has one already is in the way. Returns the
/// size of the arena; offsets go to `offsets`, one per buffer.
static int64_t placeInOrder(ArrayRef<Buffer> buffers, ArrayRef<unsigned> order,
                            SmallVectorImpl<int64_t> &offsets) {
  offsets.assign(buffers.size(), 0);
  int64_t total = 0;
  SmallVector<unsigned> placed; // by offset
  for (unsigned index : order) {
    const Buffer &buffer = buffers[index];
    int64_t offset = 0;
    for (unsigned i : placed) {
      const Buffer &other = buffers[i];
      if (other.last < buffer.first || buffer.last < other.first)
        continue;
      if (offset + buffer.bytes <= offsets[i])
        break;
      offset = std::max<int64_t>(
          offset, llvm::alignTo(offsets[i] + other.bytes, kAlignment));
    }
    offsets[index] = offset;
    placed.insert(llvm::upper_bound(
                      placed, offset,
                      [&](int64_t o, unsigned i) { return o < offsets[i]; }),
                  index);
    total = std::max(total, offset + buffer.bytes);
  }
  return llvm::alignTo(std::max<int64_t>(total, 1), kAlignment);
}

/// Places `buffers` in order of birth or, where that takes less, the largest
/// first. Returns the size of the arena.
static int64_t placeBuffers(MutableArrayRef<Buffer> buffers) {
  SmallVector<unsigned> order = llvm::to_vector(
      llvm::seq<unsigned>(0, static_cast<unsigned>(buffers.size())));
  SmallVector<int64_t> byBirth, bySize;
  int64_t total = placeInOrder(buffers, order, byBirth);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });
  int64_t other = placeInOrder(buffers, order, bySize);
  for (auto [i, buffer] : llvm::enumerate(buffers))
    buffer.offset = (other < total ? bySize : byBirth)[i];
  return std::min(total, other);
}

namespace {
struct CPUPlanBuffers final
    : mlir::fp8::impl::CPUPlanBuffersBase<CPUPlanBuffers> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration() || func->hasAttr(mlir::fp8::kDeviceGridAttr))
      return;
    Block &entry = func.getBody().front();
    DenseMap<Operation *, unsigned> position;
    for (auto [index, op] : llvm::enumerate(entry))
      position[&op] = index;

    BufferViewFlowAnalysis aliases(func);
    SmallVector<Buffer> buffers;
    WalkResult result = func.walk([&](memref::AllocOp alloc) {
      if (!alloc.getType().hasStaticShape() ||
          !alloc.getType().getLayout().isIdentity()) {
        alloc.emitError("expected a buffer of static shape, got ")
            << alloc.getType() << "; give the function static input shapes";
        return WalkResult::interrupt();
      }
      if (!alloc.getType().getElementType().isIntOrIndexOrFloat()) {
        alloc.emitError("expected a buffer of integers or floats, got ")
            << alloc.getType();
        return WalkResult::interrupt();
      }
      if (!getByteSize(alloc.getType())) {
        alloc.emitError("expected a buffer of at most 2^47 bytes, got ")
            << alloc.getType();
        return WalkResult::interrupt();
      }
      buffers.push_back(computeBuffer(alloc, entry, aliases, position));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    int64_t bytes = placeBuffers(buffers);
    if (bytes > kMaxBufferBytes) {
      func.emitError("expected buffers of at most 2^47 bytes in all, got ")
          << bytes;
      return signalPassFailure();
    }
    rewrite(func, buffers, bytes);
  }

  static void rewrite(func::FuncOp func, ArrayRef<Buffer> buffers,
                      int64_t bytes) {
    Block &entry = func.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&entry);
    auto arenaType = MemRefType::get({bytes}, builder.getI8Type());
    (void)func.insertArgument(func.getNumArguments(), arenaType, {},
                              func.getLoc());
    Value arena = entry.getArguments().back();
    func->setAttr(mlir::fp8::kCPUArenaAttr, builder.getI64IntegerAttr(bytes));
    DenseMap<int64_t, Value> offsets;
    for (const Buffer &buffer : buffers) {
      memref::AllocOp alloc = buffer.alloc;
      Value &offset = offsets[buffer.offset];
      if (!offset)
        offset = arith::ConstantIndexOp::create(builder, alloc.getLoc(),
                                                buffer.offset);
      Value view =
          memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                 arena, offset, ValueRange{});
      alloc.replaceAllUsesWith(view);
    }
    // Only now: the builder may stand before one of them.
    for (const Buffer &buffer : buffers)
      buffer.alloc->erase();
  }
};
} // namespace
