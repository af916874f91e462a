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
// Sizes that are known at run time only are a number times a product of sizes.
// Buffers with the same product share a part of the arena, which is planned
// like a static one, in units of that product.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/BufferSize.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/CPU/SizeExprs.h"
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
  int64_t bytes;        ///< In units of its section.
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
  return {alloc, 0, first, last};
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

/// Checks what is allocated; none of it is an error.
static LogicalResult check(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity())
    return alloc.emitError("expected a dense buffer, got ") << type;
  if (!type.getElementType().isIntOrIndexOrFloat())
    return alloc.emitError("expected a buffer of integers or floats, got ")
           << type;
  if (type.hasStaticShape() && !getByteSize(type))
    return alloc.emitError("expected a buffer of at most 2^47 bytes, got ")
           << type;
  return success();
}

namespace {
/// Buffers whose sizes are multiples of one product of sizes, 1 if they are
/// static.
struct Section {
  SmallVector<Buffer> buffers;
  int64_t units = 0;
};
using Sections = llvm::MapVector<AffineExpr, Section>;

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
    mlir::fp8::SizeExprs exprs(func);
    Sections sections;
    // The static one is there, and first.
    AffineExpr one = getAffineConstantExpr(1, &getContext());
    (void)sections[one];
    WalkResult result = func.walk([&](memref::AllocOp alloc) {
      if (failed(check(alloc)))
        return WalkResult::interrupt();
      Buffer buffer = computeBuffer(alloc, entry, aliases, position);
      AffineExpr unit = one;
      if (failed(measure(buffer, unit, exprs)))
        return WalkResult::interrupt();
      sections[unit].buffers.push_back(buffer);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto &[unit, section] : sections) {
      section.units = placeBuffers(section.buffers);
      if (section.units > kMaxBufferBytes) {
        func.emitError("expected buffers of at most 2^47 bytes in all, got ")
            << section.units;
        return signalPassFailure();
      }
    }
    if (sections.size() == 1)
      rewrite(func, sections[one].buffers, sections[one].units);
    else
      rewriteDynamic(func, sections);
  }

  /// Sets the units of `buffer`, and the product of sizes that one is.
  static LogicalResult measure(Buffer &buffer, AffineExpr &unit,
                               mlir::fp8::SizeExprs &exprs) {
    MemRefType type = buffer.alloc.getType();
    if (type.hasStaticShape()) {
      buffer.bytes = *getByteSize(type);
      return success();
    }
    MLIRContext *context = type.getContext();
    SmallVector<AffineExpr> factors{getAffineConstantExpr(
        mlir::fp8::getElementBytes(type.getElementType()), context)};
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      factors.push_back(exprs.getSize(buffer.alloc, dim));
      // What is not an index argument cannot be computed at the start.
      bool known = factors.back() && !isMemRefSize(factors.back(), exprs);
      if (!known)
        return buffer.alloc.emitError("expected a buffer of static shape, got ")
               << type << "; give the function static input shapes";
    }
    std::tie(buffer.bytes, unit) =
        mlir::fp8::splitFactor(mlir::fp8::multiplySizes(factors, context));
    return success();
  }

  static bool isMemRefSize(AffineExpr size, mlir::fp8::SizeExprs &exprs) {
    for (unsigned i = 0; i < exprs.getNumSymbols(); ++i)
      if (exprs.getSymbol(i).second >= 0 && size.isFunctionOfSymbol(i))
        return true;
    return false;
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

  /// Sections follow each other; the arena's size is their sum.
  static void rewriteDynamic(func::FuncOp func, Sections &sections) {
    Block &entry = func.getBody().front();
    OpBuilder builder(&entry.front());
    (void)func.insertArgument(func.getNumArguments(),
                              MemRefType::get({1}, builder.getI8Type()), {},
                              func.getLoc());
    Value arena = entry.getArguments().back();
    mlir::fp8::SizeExprs exprs(func);
    AffineExpr total = builder.getAffineConstantExpr(0);
    for (auto &[unit, section] : sections) {
      for (const Buffer &buffer : section.buffers) {
        memref::AllocOp alloc = buffer.alloc;
        MemRefType type = alloc.getType();
        Value offset = exprs.materialize(total + unit * buffer.offset);
        Type root = type.hasStaticShape()
                        ? type
                        : MemRefType::get({1}, type.getElementType());
        Value view = memref::ViewOp::create(builder, alloc.getLoc(),
                                            cast<MemRefType>(root), arena,
                                            offset, ValueRange{});
        if (!type.hasStaticShape()) {
          SmallVector<AffineExpr> sizes;
          for (unsigned dim = 0; dim < type.getRank(); ++dim)
            sizes.push_back(exprs.getSize(alloc, dim));
          view = exprs.viewAs(builder, alloc.getLoc(), view, type, sizes);
        }
        alloc.replaceAllUsesWith(view);
      }
      total = total + unit * section.units;
    }
    func->setAttr(
        mlir::fp8::kArenaSizeAttr,
        AffineMapAttr::get(AffineMap::get(0, exprs.getNumSymbols(), total)));
    for (auto &[unit, section] : sections)
      for (const Buffer &buffer : section.buffers)
        buffer.alloc->erase();
  }
};
} // namespace
