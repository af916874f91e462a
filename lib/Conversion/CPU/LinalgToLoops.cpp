//===- LinalgToLoops.cpp - Linalg on buffers to loops ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over buffers, with the order of every sum fixed by the op alone. The
// loops are shaped so that LLVM can vectorise them without reordering: an
// innermost reduction runs over 32 independent lanes.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_CPULINALGTOLOOPS
#include "fp8/Conversion/CPU/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

static constexpr int64_t kLanes = mlir::fp8::kReductionLanes;

//===----------------------------------------------------------------------===//
// Innermost reductions: a fixed tree
//===----------------------------------------------------------------------===//

namespace {
/// One reduction over 32 lanes.
class LaneReduction {
public:
  LaneReduction(RewriterBase &rewriter, linalg::GenericOp op)
      : b(rewriter), op(op), loc(op.getLoc()) {}

  /// True if the op is a reduction that this lowering covers.
  bool match();
  void lower();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  scf::ForOp loop(Value from, Value to, int64_t step) {
    auto forOp = scf::ForOp::create(b, loc, from, to, index(step));
    b.setInsertionPointToStart(forOp.getBody());
    return forOp;
  }
  SmallVector<Value> subscripts(AffineMap map, ArrayRef<Value> ivs);
  Value combine(Value lhs, Value rhs);
  void accumulate(ArrayRef<Value> ivs, Value lane);
  void reduceRow(SmallVector<Value> ivs);
  void foldLanes(ArrayRef<Value> ivs);

  RewriterBase &b;
  linalg::GenericOp op;
  Location loc;
  Operation *combiner = nullptr;
  TypedAttr identity;
  Value lanes;
};
} // namespace

bool LaneReduction::match() {
  std::optional<mlir::fp8::LaneCombiner> found =
      mlir::fp8::matchLaneReduction(op);
  if (!found)
    return false;
  combiner = found->op;
  identity = found->identity;
  return true;
}

SmallVector<Value> LaneReduction::subscripts(AffineMap map,
                                             ArrayRef<Value> ivs) {
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      result.push_back(ivs[dim.getPosition()]);
    else
      result.push_back(index(cast<AffineConstantExpr>(expr).getValue()));
  }
  return result;
}

Value LaneReduction::combine(Value lhs, Value rhs) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), lhs);
  mapping.map(combiner->getOperand(1), rhs);
  return b.clone(*combiner, mapping)->getResult(0);
}

/// lanes[lane] = combine(lanes[lane], body(inputs at ivs)).
void LaneReduction::accumulate(ArrayRef<Value> ivs, Value lane) {
  IRMapping mapping;
  Block *body = op.getBody();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs())) {
    Value loaded = input;
    if (isa<MemRefType>(input.getType()))
      loaded = memref::LoadOp::create(b, loc, input, subscripts(maps[i], ivs));
    mapping.map(body->getArgument(i), loaded);
  }
  Value acc = memref::LoadOp::create(b, loc, lanes, lane);
  mapping.map(body->getArguments().back(), acc);
  for (Operation &inner : body->without_terminator())
    b.clone(inner, mapping);
  memref::StoreOp::create(b, loc, mapping.lookup(combiner->getResult(0)), lanes,
                          lane);
}

/// Runs all reduced dimensions for one output element. `ivs` holds the
/// parallel induction variables; the reduced ones are filled in.
void LaneReduction::reduceRow(SmallVector<Value> ivs) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned innermost = op.getNumLoops() - 1;
  for (unsigned dim = 0; dim < innermost; ++dim)
    if (!ivs[dim])
      ivs[dim] = loop(index(0), index(sizes[dim]), 1).getInductionVar();
  int64_t blocked = sizes[innermost] / kLanes * kLanes;
  {
    OpBuilder::InsertionGuard inner(b);
    Value base = loop(index(0), index(blocked), kLanes).getInductionVar();
    Value lane = loop(index(0), index(kLanes), 1).getInductionVar();
    ivs[innermost] = arith::AddIOp::create(b, loc, base, lane);
    accumulate(ivs, lane);
  }
  if (blocked == sizes[innermost])
    return;
  Value lane =
      loop(index(0), index(sizes[innermost] - blocked), 1).getInductionVar();
  ivs[innermost] = arith::AddIOp::create(b, loc, index(blocked), lane);
  accumulate(ivs, lane);
}

/// Adds the lanes pairwise and the sum to the output.
void LaneReduction::foldLanes(ArrayRef<Value> ivs) {
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    OpBuilder::InsertionGuard guard(b);
    Value lane = loop(index(0), index(half), 1).getInductionVar();
    Value upper = arith::AddIOp::create(b, loc, lane, index(half));
    Value sum = combine(memref::LoadOp::create(b, loc, lanes, lane),
                        memref::LoadOp::create(b, loc, lanes, upper));
    memref::StoreOp::create(b, loc, sum, lanes, lane);
  }
  Value out = op.getDpsInits()[0];
  SmallVector<Value> at = subscripts(op.getIndexingMapsArray().back(), ivs);
  Value sum = combine(memref::LoadOp::create(b, loc, out, at),
                      memref::LoadOp::create(b, loc, lanes, index(0)));
  memref::StoreOp::create(b, loc, sum, out, at);
}

void LaneReduction::lower() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Type element = op.getBody()->getArguments().back().getType();
  lanes = memref::AllocaOp::create(b, loc, MemRefType::get({kLanes}, element));
  Value neutral = arith::ConstantOp::create(b, loc, identity);
  SmallVector<Value> ivs(op.getNumLoops());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      ivs[dim] = loop(index(0), index(sizes[dim]), 1).getInductionVar();
  {
    OpBuilder::InsertionGuard inner(b);
    Value lane = loop(index(0), index(kLanes), 1).getInductionVar();
    memref::StoreOp::create(b, loc, neutral, lanes, lane);
  }
  reduceRow(ivs);
  foldLanes(ivs);
  b.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// How much a function runs
//===----------------------------------------------------------------------===//

/// Iterations of a loop whose bounds are not constants.
static constexpr uint64_t kUnknownTrips = 64;

/// Operations that one execution of `block` runs; branches count in full.
static uint64_t countOperations(Block &block) {
  uint64_t total = 0;
  for (Operation &op : block) {
    uint64_t inside = 1;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        inside = llvm::SaturatingAdd(inside, countOperations(inner));
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      inside = llvm::SaturatingMultiply(inside, trips ? trips->getZExtValue()
                                                      : kUnknownTrips);
    }
    total = llvm::SaturatingAdd(total, inside);
  }
  return total;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct CPULinalgToLoops final
    : mlir::fp8::impl::CPULinalgToLoopsBase<CPULinalgToLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      if (!op.hasPureBufferSemantics()) {
        op.emitError("expected operands in buffers, got tensors; bufferize "
                     "first");
        return signalPassFailure();
      }
      if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation())) {
        LaneReduction reduction(rewriter, generic);
        if (reduction.match()) {
          reduction.lower();
          continue;
        }
        op = mlir::fp8::flattenElementwise(rewriter, generic);
      }
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op))) {
        op.emitError("cannot be lowered to loops");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
    }
    func::FuncOp func = getOperation();
    if (!func.isDeclaration())
      func->setAttr(mlir::fp8::kCPUWorkAttr,
                    rewriter.getI64IntegerAttr(countOperations(func.front())));
  }
};
} // namespace
