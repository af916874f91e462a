//===- PlanBuffers.cpp - Place allocations in one arena -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Static memory planning. The unit of time is an operation of the function's
// entry block; a buffer lives from the first to the last such operation that
// uses it or an alias of it (inside nested regions too), and first fit in order
// of birth places it. Buffers that are live together never overlap.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPUPLANBUFFERS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

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

static int64_t byteSize(MemRefType type) {
  unsigned bits = type.getElementType().isIndex()
                      ? 64
                      : type.getElementType().getIntOrFloatBitWidth();
  return type.getNumElements() * llvm::divideCeil(bits, 8);
}

/// Adds to `aliases` the values through which `user` passes on its operand.
static void addAliases(OpOperand &use, SmallVectorImpl<Value> &aliases) {
  Operation *user = use.getOwner();
  if (isa<ViewLikeOpInterface, memref::CastOp, arith::SelectOp>(user) ||
      isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(user)) {
    aliases.append(user->result_begin(), user->result_end());
  } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (BlockArgument arg = loop.getTiedLoopRegionIterArg(&use))
      aliases.append({arg, loop.getTiedLoopResult(&use)});
  } else if (isa<scf::YieldOp>(user)) {
    Operation *parent = user->getParentOp();
    if (use.getOperandNumber() < parent->getNumResults())
      aliases.push_back(parent->getResult(use.getOperandNumber()));
  }
}

/// Extends the live range of `buffer` over all uses of all its aliases.
static void computeLiveRange(Buffer &buffer, Block &entry,
                             const DenseMap<Operation *, unsigned> &position) {
  auto at = [&](Operation *op) {
    return position.lookup(entry.findAncestorOpInBlock(*op));
  };
  buffer.first = buffer.last = at(buffer.alloc);
  SmallVector<Value> work{buffer.alloc.getResult()};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      unsigned when = at(use.getOwner());
      buffer.first = std::min(buffer.first, when);
      buffer.last = std::max(buffer.last, when);
      addAliases(use, work);
    }
  }
}

/// First fit: the lowest offset at which no live neighbour is in the way.
/// `buffers` are in order of birth, as a walk finds them.
static int64_t placeBuffers(MutableArrayRef<Buffer> buffers) {
  int64_t total = 0;
  SmallVector<Buffer *> live;
  for (Buffer &buffer : buffers) {
    llvm::erase_if(live, [&](Buffer *b) { return b->last < buffer.first; });
    int64_t offset = 0;
    for (Buffer *other : live) { // sorted by offset
      if (offset + buffer.bytes <= other->offset)
        break;
      offset = std::max<int64_t>(
          offset, llvm::alignTo(other->offset + other->bytes, kAlignment));
    }
    buffer.offset = offset;
    auto at = llvm::upper_bound(
        live, offset, [](int64_t o, Buffer *b) { return o < b->offset; });
    live.insert(at, &buffer);
    total = std::max(total, offset + buffer.bytes);
  }
  return llvm::alignTo(std::max<int64_t>(total, 1), kAlignment);
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

    SmallVector<Buffer> buffers;
    WalkResult result = func.walk([&](memref::AllocOp alloc) {
      if (!alloc.getType().hasStaticShape() ||
          !alloc.getType().getLayout().isIdentity()) {
        alloc.emitError("expected a buffer of static shape, got ")
            << alloc.getType() << "; give the function static input shapes";
        return WalkResult::interrupt();
      }
      Buffer buffer{alloc, byteSize(alloc.getType()), 0, 0};
      computeLiveRange(buffer, entry, position);
      buffers.push_back(buffer);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    rewrite(func, buffers, placeBuffers(buffers));
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
