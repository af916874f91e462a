//===- PlanBuffersTest.cpp - No two live buffers overlap ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of copies between buffers, with loops, branches, views and
// buffers that flow through them, are planned and then executed byte by byte:
// whatever reads a buffer must find the bytes that were last written to it.
// The check knows nothing of live ranges.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace {

/// Makes a random function. Buffers are one-dimensional, of i8.
class Generator {
public:
  Generator(MLIRContext *context, unsigned seed)
      : random(seed), b(context), loc(b.getUnknownLoc()) {}

  OwningOpRef<ModuleOp> run(unsigned steps) {
    auto module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module.getBody());
    auto func = func::FuncOp::create(b, loc, "main",
                                     b.getFunctionType({b.getI1Type()}, {}));
    b.setInsertionPointToStart(func.addEntryBlock());
    choice = func.getArgument(0);
    SmallVector<Value> live;
    for (int i = 0; i < 3; ++i)
      live.push_back(makeBuffer());
    emit(steps, 0, live);
    func::ReturnOp::create(b, loc);
    return module;
  }

private:
  unsigned draw(unsigned below) { return random() % below; }

  MemRefType typeOf(int64_t bytes) {
    return MemRefType::get({bytes}, b.getI8Type());
  }

  /// Written as soon as it is there: reading it is never an error by itself.
  Value makeBuffer() {
    Value buffer = memref::AllocOp::create(b, loc, typeOf(64 << draw(3)));
    write(buffer);
    return buffer;
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  void write(Value buffer) {
    Value value = arith::ConstantIntOp::create(b, loc, 1, 8);
    memref::StoreOp::create(b, loc, value, buffer, constant(0));
  }
  void read(Value buffer) {
    memref::LoadOp::create(b, loc, buffer, constant(0));
  }

  Value pick(ArrayRef<Value> live) { return live[draw(live.size())]; }

  /// Another of the type of `like`, or itself.
  Value pickLike(ArrayRef<Value> live, Value like) {
    SmallVector<Value> same;
    for (Value value : live)
      if (value.getType() == like.getType())
        same.push_back(value);
    return same[draw(same.size())];
  }

  void emitIf(unsigned depth, SmallVectorImpl<Value> &live) {
    Value like = pick(live);
    auto branch = scf::IfOp::create(b, loc, like.getType(), choice, true);
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(&region->front());
      SmallVector<Value> inner(live.begin(), live.end());
      emit(3, depth + 1, inner);
      scf::YieldOp::create(b, loc, pickLike(live, like));
    }
    live.push_back(branch.getResult(0));
  }

  void emitFor(unsigned depth, SmallVectorImpl<Value> &live) {
    Value init = pick(live);
    auto loop =
        scf::ForOp::create(b, loc, constant(0), constant(2), constant(1), init);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> inner(live.begin(), live.end());
    inner.push_back(loop.getRegionIterArg(0));
    emit(3, depth + 1, inner);
    // Carried buffers come from outside, or swap.
    scf::YieldOp::create(
        b, loc, draw(2) ? loop.getRegionIterArg(0) : pickLike(live, init));
    live.push_back(loop.getResult(0));
  }

  void emitWhile(unsigned depth, SmallVectorImpl<Value> &live) {
    Value init = pick(live);
    auto loop = scf::WhileOp::create(b, loc, init.getType(), init);
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, init.getType(), loc);
    read(before->getArgument(0));
    scf::ConditionOp::create(b, loc, choice, before->getArgument(0));
    Block *after = b.createBlock(&loop.getAfter(), {}, init.getType(), loc);
    SmallVector<Value> inner(live.begin(), live.end());
    inner.push_back(after->getArgument(0));
    emit(2, depth + 1, inner);
    scf::YieldOp::create(b, loc, after->getArgument(0));
    live.push_back(loop.getResult(0));
  }

  void emit(unsigned steps, unsigned depth, SmallVectorImpl<Value> &live) {
    for (unsigned step = 0; step < steps; ++step) {
      switch (draw(depth < 2 ? 9 : 6)) {
      case 0:
      case 1:
        live.push_back(makeBuffer());
        break;
      case 2:
        read(pick(live));
        break;
      case 3:
        write(pick(live));
        break;
      case 4: {
        Value value = pick(live);
        live.push_back(arith::SelectOp::create(b, loc, choice, value,
                                               pickLike(live, value)));
        break;
      }
      case 5: {
        Value value = pick(live);
        live.push_back(memref::CastOp::create(b, loc, value.getType(), value));
        break;
      }
      case 6:
        emitIf(depth, live);
        break;
      case 7:
        emitFor(depth, live);
        break;
      default:
        emitWhile(depth, live);
        break;
      }
      // Old ones die.
      if (live.size() > 8)
        live.erase(live.begin() + draw(live.size() - 3));
    }
    for (Value value : live)
      if (draw(3) == 0)
        read(value);
  }

  std::mt19937 random;
  OpBuilder b;
  Location loc;
  Value choice;
};

/// Executes a planned function on owners of bytes instead of bytes.
class Executor {
public:
  Executor(func::FuncOp func, unsigned seed) : random(seed), func(func) {
    auto bytes =
        func->getAttrOfType<IntegerAttr>(mlir::fp8::kCPUArenaAttr).getInt();
    owners.assign(bytes, 0);
    for (auto view : func.getOps<memref::ViewOp>()) {
      APInt offset;
      EXPECT_TRUE(matchPattern(view.getByteShift(), m_ConstantInt(&offset)));
      Buffer buffer{static_cast<int>(buffers.size()) + 1, offset.getSExtValue(),
                    view.getType().getDimSize(0)};
      EXPECT_LE(buffer.offset + buffer.bytes, bytes);
      EXPECT_EQ(buffer.offset % 64, 0);
      buffers[view.getResult()] = buffer;
    }
  }

  unsigned run() {
    execute(func.getBody().front());
    return errors;
  }
  unsigned getReads() const { return reads; }

private:
  struct Buffer {
    int id;
    int64_t offset, bytes;
  };

  void access(Value value, bool writes) {
    const Buffer &buffer = buffers.at(value);
    for (int64_t i = 0; i < buffer.bytes; ++i) {
      int &owner = owners[buffer.offset + i];
      if (writes)
        owner = buffer.id;
      else
        errors += owner != buffer.id;
    }
    reads += !writes;
  }

  /// Executes a block; returns what its terminator passes on.
  SmallVector<Buffer> execute(Block &block) {
    for (Operation &op : block) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        access(store.getMemRef(), true);
      else if (auto load = dyn_cast<memref::LoadOp>(op))
        access(load.getMemRef(), false);
      else if (auto select = dyn_cast<arith::SelectOp>(op))
        buffers[select] = buffers.at(random() % 2 ? select.getTrueValue()
                                                  : select.getFalseValue());
      else if (auto cast = dyn_cast<memref::CastOp>(op))
        buffers[cast] = buffers.at(cast.getSource());
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        buffers[branch.getResult(0)] =
            execute(branch->getRegion(random() % 2).front())[0];
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        executeFor(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        executeWhile(loop);
    }
    SmallVector<Buffer> passed;
    for (Value value : block.getTerminator()->getOperands())
      if (isa<MemRefType>(value.getType()))
        passed.push_back(buffers.at(value));
    return passed;
  }

  void executeFor(scf::ForOp loop) {
    Buffer carried = buffers.at(loop.getInitArgs()[0]);
    for (int i = 0; i < 3; ++i) {
      buffers[loop.getRegionIterArg(0)] = carried;
      carried = execute(*loop.getBody())[0];
    }
    buffers[loop.getResult(0)] = carried;
  }

  void executeWhile(scf::WhileOp loop) {
    Buffer carried = buffers.at(loop.getInits()[0]);
    for (unsigned i = 0, e = random() % 3;; ++i) {
      buffers[loop.getBeforeArguments()[0]] = carried;
      carried = execute(*loop.getBeforeBody())[0];
      if (i == e)
        break;
      buffers[loop.getAfterArguments()[0]] = carried;
      carried = execute(*loop.getAfterBody())[0];
    }
    buffers[loop.getResult(0)] = carried;
  }

  std::mt19937 random;
  func::FuncOp func;
  std::map<Value, Buffer, std::function<bool(Value, Value)>> buffers{
      [](Value a, Value b) {
        return a.getAsOpaquePointer() < b.getAsOpaquePointer();
      }};
  std::vector<int> owners;
  unsigned errors = 0, reads = 0;
};

TEST(PlanBuffers, LiveBuffersNeverOverlap) {
  DialectRegistry registry;
  mlir::fp8::registerCPUDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned seed = std::random_device{}(), reads = 0;
  int64_t arena = 0, sum = 0;
  for (unsigned trial = 0; trial < 300; ++trial, ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    OwningOpRef<ModuleOp> module = Generator(&context, seed).run(12);
    module->walk(
        [&](memref::AllocOp alloc) { sum += alloc.getType().getDimSize(0); });
    PassManager pm(&context);
    pm.addNestedPass<func::FuncOp>(mlir::fp8::createCPUPlanBuffers());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    auto func = module->lookupSymbol<func::FuncOp>("main");
    arena +=
        func->getAttrOfType<IntegerAttr>(mlir::fp8::kCPUArenaAttr).getInt();
    for (unsigned path = 0; path < 4; ++path) {
      Executor executor(func, seed + path);
      ASSERT_EQ(executor.run(), 0u);
      reads += executor.getReads();
    }
  }
  // It did read, and buffers do share memory.
  EXPECT_GT(reads, 1000u);
  EXPECT_LT(arena, sum);
}

} // namespace
