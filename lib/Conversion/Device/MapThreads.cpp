//===- MapThreads.cpp - Linalg on buffers to the threads of a grid --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three shapes. Outputs of elementwise ops, of contractions and of reductions
// that add in order are computed by one thread each, neighbours in memory by
// neighbours in a warp. A reduction over the innermost dimension is a tree of
// 32 lanes: one warp per output. Scalar loop nests run on one thread.
//
// The order of every sum is that of the CPU path (LoopForms.h).
//
// Sizes that are known at run time only are index arguments of the kernel. The
// host then computes the number of blocks, and threads step over the grid.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/CPU/SizeExprs.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Numerics/Accumulate.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICEMAPTHREADS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;

/// Threads of a block: enough to hide latency, few enough that registers never
/// limit a kernel of loops.
static constexpr int64_t kThreads = 256;
static constexpr int64_t kWarp = 32;
static_assert(kWarp == mlir::fp8::kReductionLanes);
static constexpr int64_t kMaxBlocks = mlir::fp8::kMaxLoopBlocks;

namespace {

/// How many blocks and threads there are.
struct Grid {
  int64_t blocks, threads;
  /// Where the host counts the blocks, which are then at most `blocks`: how
  /// many there should be, from the kernel's index arguments; else null.
  AffineExpr dynamicBlocks = {};
};

/// Lowers one op to code for one thread of a grid.
class ThreadMapper {
public:
  /// `oneBlock`: for a block of kThreads threads, whatever the op's size.
  ThreadMapper(RewriterBase &rewriter, linalg::GenericOp op, bool oneBlock)
      : b(rewriter), op(op), loc(op.getLoc()), sizes(op.getStaticLoopRanges()),
        exprs(op->getParentOfType<func::FuncOp>()), oneBlock(oneBlock) {}

  FailureOr<Grid> lower();

private:
  using Ivs = SmallVector<Value>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value i32(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  /// A number of units of work: 64 bits only where 32 do not hold it.
  Value count(int64_t value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(countType, value));
  }
  /// The extent of loop `dim`, as an index and as a number of units.
  Value extent(unsigned dim);
  Value extentCount(unsigned dim);
  AffineExpr extentExpr(unsigned dim);
  LogicalResult checkExtents();
  AffineExpr countOf(ArrayRef<unsigned> dims);
  Value threadInGrid(int64_t threads);
  Value lane();
  Grid overUnits(int64_t units, int64_t perBlock, int64_t threads, Value first,
                 llvm::function_ref<void(Value)> body);
  Grid overDynamicUnits(int64_t perBlock, int64_t threads, Value first,
                        llvm::function_ref<void(Value)> body);
  Ivs unpack(Value unit);
  void unpackReduced(Value at, Ivs &ivs);
  Ivs subscripts(AffineMap map, const Ivs &ivs);
  Value load(Value buffer, AffineMap map, const Ivs &ivs);
  void store(unsigned output, Value value, const Ivs &ivs);
  SmallVector<Value> loadOutputs(const Ivs &ivs);
  IRMapping cloneBody(const Ivs &ivs, ValueRange outputs);
  SmallVector<Value> runBody(const Ivs &ivs, ValueRange outputs);
  SmallVector<unsigned> loopsOfKind(utils::IteratorType kind);
  SmallVector<Value>
  overReduced(Ivs &ivs, ArrayRef<unsigned> dims, ValueRange inits,
              llvm::function_ref<SmallVector<Value>(ValueRange)> body);

  void lowerElement(Value unit);
  void lowerContractElement(Value unit);
  Value sumProducts(Ivs &ivs, Operation *product);
  Value sumPart(Value begin, Value end, Value interval, bool isWhole,
                llvm::function_ref<Value(Value at, Value acc)> step);
  bool addsInOrder(ArrayRef<int64_t> model);
  void lowerLanes(Value unit, const mlir::fp8::LaneCombiner &combiner);
  Value reduceLane(Ivs ivs, Value init);
  Value shuffleDown(Value value, int64_t distance);
  Value combine(Operation *combiner, Value lhs, Value rhs);

  RewriterBase &b;
  linalg::GenericOp op;
  Location loc;
  SmallVector<int64_t> sizes;
  mlir::fp8::SizeExprs exprs;
  bool oneBlock;
  IntegerType countType;
};

} // namespace

SmallVector<unsigned> ThreadMapper::loopsOfKind(utils::IteratorType kind) {
  SmallVector<unsigned> dims;
  for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == kind)
      dims.push_back(dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The extent of loop `dim` in terms of the kernel's index arguments; null if
/// they do not say it.
AffineExpr ThreadMapper::extentExpr(unsigned dim) {
  if (!ShapedType::isDynamic(sizes[dim]))
    return b.getAffineConstantExpr(sizes[dim]);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [at, expr] : llvm::enumerate(map.getResults()))
      if (expr == b.getAffineDimExpr(dim))
        if (AffineExpr size = exprs.getSize(operand.get(), at))
          return size;
  }
  return {};
}

LogicalResult ThreadMapper::checkExtents() {
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    AffineExpr expr = extentExpr(dim);
    bool known = static_cast<bool>(expr);
    for (unsigned i = 0; known && i < exprs.getNumSymbols(); ++i)
      known = exprs.getSymbol(i).second < 0 || !expr.isFunctionOfSymbol(i);
    if (!known)
      return op.emitError("expected loops whose extents are static or computed "
                          "from index arguments, got loop ")
             << dim << " with another one";
  }
  return success();
}

AffineExpr ThreadMapper::countOf(ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> factors;
  for (unsigned dim : dims)
    factors.push_back(extentExpr(dim));
  return mlir::fp8::multiplySizes(factors, b.getContext());
}

Value ThreadMapper::extent(unsigned dim) {
  if (!ShapedType::isDynamic(sizes[dim]))
    return index(sizes[dim]);
  return exprs.materialize(extentExpr(dim));
}

Value ThreadMapper::extentCount(unsigned dim) {
  if (!ShapedType::isDynamic(sizes[dim]))
    return count(sizes[dim]);
  return arith::IndexCastUIOp::create(b, loc, countType, extent(dim));
}

Value ThreadMapper::threadInGrid(int64_t threads) {
  Type type = b.getI32Type();
  Value block = NVVM::BlockIdXOp::create(b, loc, type);
  Value thread = NVVM::ThreadIdXOp::create(b, loc, type);
  if (type != countType) {
    block = arith::ExtUIOp::create(b, loc, countType, block);
    thread = arith::ExtUIOp::create(b, loc, countType, thread);
  }
  Value before = arith::MulIOp::create(b, loc, block, count(threads));
  return arith::AddIOp::create(b, loc, before, thread);
}

Value ThreadMapper::lane() {
  return arith::AndIOp::create(
      b, loc, NVVM::ThreadIdXOp::create(b, loc, b.getI32Type()),
      i32(kWarp - 1));
}

/// Builds `body` for each of `units` units of work, which blocks of `threads`
/// threads take `perBlock` at a time; `first` is the thread's first.
Grid ThreadMapper::overUnits(int64_t units, int64_t perBlock, int64_t threads,
                             Value first,
                             llvm::function_ref<void(Value)> body) {
  int64_t blocks =
      oneBlock
          ? 1
          : std::min<int64_t>(llvm::divideCeil(units, perBlock), kMaxBlocks);
  int64_t step = blocks * perBlock;
  OpBuilder::InsertionGuard guard(b);
  if (units <= step) {
    if (units < step) {
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           first, count(units));
      auto guarded = scf::IfOp::create(b, loc, inside);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    body(first);
    return {blocks, threads};
  }
  auto loop = scf::ForOp::create(b, loc, first, count(units), count(step));
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
  return {blocks, threads};
}

/// The same where the number of units is known at run time only: the grid may
/// be any.
Grid ThreadMapper::overDynamicUnits(int64_t perBlock, int64_t threads,
                                    Value first,
                                    llvm::function_ref<void(Value)> body) {
  OpBuilder::InsertionGuard guard(b);
  AffineExpr units = countOf(loopsOfKind(utils::IteratorType::parallel));
  Value end =
      arith::IndexCastUIOp::create(b, loc, countType, exprs.materialize(units));
  Value step = count(perBlock);
  if (!oneBlock) {
    Value blocks = NVVM::GridDimXOp::create(b, loc, b.getI32Type());
    blocks = arith::ExtUIOp::create(b, loc, countType, blocks);
    step = arith::MulIOp::create(b, loc, blocks, step);
  }
  auto loop = scf::ForOp::create(b, loc, first, end, step);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
  if (oneBlock)
    return {1, threads};
  return {kMaxBlocks, threads, units.ceilDiv(perBlock)};
}

/// The induction variables of the parallel loops for unit number `unit`, the
/// innermost fastest; those of reductions are null.
ThreadMapper::Ivs ThreadMapper::unpack(Value unit) {
  Ivs ivs(sizes.size());
  SmallVector<unsigned> dims = loopsOfKind(utils::IteratorType::parallel);
  for (auto [i, dim] : llvm::enumerate(llvm::reverse(dims))) {
    Value position = unit;
    if (i + 1 < dims.size()) { // the outermost has no larger one
      Value size = extentCount(dim);
      position = arith::RemUIOp::create(b, loc, unit, size);
      unit = arith::DivUIOp::create(b, loc, unit, size);
    }
    ivs[dim] = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), position);
  }
  return ivs;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

ThreadMapper::Ivs ThreadMapper::subscripts(AffineMap map, const Ivs &ivs) {
  Ivs result;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      result.push_back(ivs[dim.getPosition()]);
    else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      result.push_back(index(constant.getValue()));
    else
      result.push_back(affine::AffineApplyOp::create(
          b, loc, AffineMap::get(map.getNumDims(), 0, expr), ivs));
  }
  return result;
}

Value ThreadMapper::load(Value buffer, AffineMap map, const Ivs &ivs) {
  if (!isa<MemRefType>(buffer.getType()))
    return buffer;
  return memref::LoadOp::create(b, loc, buffer, subscripts(map, ivs));
}

void ThreadMapper::store(unsigned output, Value value, const Ivs &ivs) {
  OpOperand *init = op.getDpsInitOperand(output);
  memref::StoreOp::create(b, loc, value, init->get(),
                          subscripts(op.getMatchingIndexingMap(init), ivs));
}

SmallVector<Value> ThreadMapper::loadOutputs(const Ivs &ivs) {
  SmallVector<Value> values;
  for (OpOperand &init : op.getDpsInitsMutable())
    values.push_back(load(init.get(), op.getMatchingIndexingMap(&init), ivs));
  return values;
}

/// One execution of the body; maps its values to the new ones.
IRMapping ThreadMapper::cloneBody(const Ivs &ivs, ValueRange outputs) {
  Block *body = op.getBody();
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument arg = body->getArgument(input->getOperandNumber());
    if (!arg.use_empty())
      mapping.map(arg,
                  load(input->get(), op.getMatchingIndexingMap(input), ivs));
  }
  for (auto [i, value] : llvm::enumerate(outputs))
    mapping.map(body->getArgument(op.getNumDpsInputs() + i), value);
  for (Operation &inner : body->without_terminator()) {
    Operation *clone = b.clone(inner, mapping);
    SmallVector<linalg::IndexOp> positions;
    clone->walk([&](linalg::IndexOp nested) { positions.push_back(nested); });
    for (linalg::IndexOp position : positions) {
      if (position == clone)
        mapping.map(inner.getResult(0), ivs[position.getDim()]);
      b.replaceOp(position, ivs[position.getDim()]);
    }
  }
  return mapping;
}

SmallVector<Value> ThreadMapper::runBody(const Ivs &ivs, ValueRange outputs) {
  IRMapping mapping = cloneBody(ivs, outputs);
  SmallVector<Value> results;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

/// Loops over `dims` in order, ascending, that carry values from `inits` on.
SmallVector<Value> ThreadMapper::overReduced(
    Ivs &ivs, ArrayRef<unsigned> dims, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  if (dims.empty())
    return body(inits);
  unsigned dim = dims.front();
  Value from = index(0), to = extent(dim), step = index(1);
  auto loop = scf::ForOp::create(b, loc, from, to, step, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ivs[dim] = loop.getInductionVar();
    SmallVector<Value> next =
        overReduced(ivs, dims.drop_front(), loop.getRegionIterArgs(), body);
    scf::YieldOp::create(b, loc, next);
  }
  return SmallVector<Value>(loop.getResults());
}

void ThreadMapper::lowerElement(Value unit) {
  Ivs ivs = unpack(unit);
  SmallVector<unsigned> reduced = loopsOfKind(utils::IteratorType::reduction);
  SmallVector<Value> outputs;
  if (reduced.empty()) {
    // An output that is only written may be uninitialised: no load of it.
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      BlockArgument arg = op.getBody()->getArgument(op.getNumDpsInputs() + i);
      outputs.push_back(
          arg.use_empty()
              ? Value()
              : load(init.get(), op.getMatchingIndexingMap(&init), ivs));
    }
  } else {
    outputs = loadOutputs(ivs);
  }
  SmallVector<Value> results = overReduced(
      ivs, reduced, outputs, [&](ValueRange acc) { return runBody(ivs, acc); });
  for (auto [i, value] : llvm::enumerate(results))
    store(i, value, ivs);
}

//===----------------------------------------------------------------------===//
// Contractions as loops
//===----------------------------------------------------------------------===//

/// Whether a tensor core would add in the same order as one thread does.
bool ThreadMapper::addsInOrder(ArrayRef<int64_t> model) {
  using namespace ::fp8::numerics;
  mlir::fp8::MarkedOperands operands = mlir::fp8::getMarkedOperands(op);
  auto kindOf = [&](unsigned i) {
    return mlir::fp8::getElementKind(
        getElementTypeOrSelf(operands.matrices[i].getType()));
  };
  auto kind = static_cast<AccumKind>(model[0]);
  std::optional<ElementKind> lhs = kindOf(0), rhs = kindOf(1);
  return kind != AccumKind::Exact && lhs && rhs && !mmaUnit(kind, *lhs, *rhs);
}

/// The indices of the reduced dimensions at position `at` of k.
void ThreadMapper::unpackReduced(Value at, Ivs &ivs) {
  SmallVector<unsigned> dims = loopsOfKind(utils::IteratorType::reduction);
  for (auto [i, dim] : llvm::enumerate(llvm::reverse(dims))) {
    ivs[dim] = at;
    if (i + 1 == dims.size()) // the outermost has no larger one
      break;
    Value size = extent(dim);
    ivs[dim] = arith::RemUIOp::create(b, loc, at, size);
    at = arith::DivUIOp::create(b, loc, at, size);
  }
}

/// The sum of the chains of `interval` elements in [begin, end) of k, each from
/// +0; `step` adds one product. `isWhole`: the last chain is no shorter.
Value ThreadMapper::sumPart(
    Value begin, Value end, Value interval, bool isWhole,
    llvm::function_ref<Value(Value at, Value acc)> step) {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
  OpBuilder::InsertionGuard guard(b);
  auto chains = scf::ForOp::create(b, loc, begin, end, interval, zero);
  b.setInsertionPointToStart(chains.getBody());
  Value first = chains.getInductionVar();
  Value last = arith::AddIOp::create(b, loc, first, interval);
  if (!isWhole)
    last = arith::MinUIOp::create(b, loc, last, end);
  auto chain = scf::ForOp::create(b, loc, first, last, index(1), zero);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(chain.getBody());
    scf::YieldOp::create(
        b, loc, step(chain.getInductionVar(), chain.getRegionIterArgs()[0]));
  }
  scf::YieldOp::create(b, loc,
                       arith::AddFOp::create(b, loc,
                                             chains.getRegionIterArgs()[0],
                                             chain.getResult(0))
                           .getResult());
  return chains.getResult(0);
}

/// The sum over k of `product`, an operation of the body: acc = rn(acc + p),
/// k ascending, cut into parts and chains as numerics::AccumModel says.
Value ThreadMapper::sumProducts(Ivs &ivs, Operation *product) {
  auto model =
      op->getAttrOfType<DenseI64ArrayAttr>(mlir::fp8::kCPUContractAttr);
  Type out = op.getBody()->getArguments().back().getType();
  Value none = arith::ConstantOp::create(b, loc, b.getFloatAttr(out, 0.0));
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
  auto add = [&](Value acc) -> Value {
    IRMapping mapping = cloneBody(ivs, none);
    return arith::AddFOp::create(b, loc, acc,
                                 mapping.lookup(product->getResult(0)));
  };
  SmallVector<unsigned> reduced = loopsOfKind(utils::IteratorType::reduction);
  int64_t promote = model[1];
  if (promote == 0 && model.size() == 2)
    return overReduced(ivs, reduced, zero, [&](ValueRange acc) {
      return SmallVector<Value>{add(acc[0])};
    })[0];
  auto step = [&](Value at, Value acc) {
    unpackReduced(at, ivs);
    return add(acc);
  };
  SmallVector<int64_t> ends(model.asArrayRef().drop_front(2));
  Value total = zero;
  if (!isa<AffineConstantExpr>(countOf(reduced))) {
    Value k = exprs.materialize(countOf(reduced)), begin = index(0);
    for (unsigned i = 0; i <= ends.size(); ++i) {
      Value end = k;
      if (i < ends.size())
        end = arith::MinUIOp::create(b, loc, k, index(ends[i]));
      // A chain that is never cut is one of all; an empty part adds +0.
      Value interval = index(promote ? promote : int64_t{1} << 40);
      Value part = sumPart(begin, end, interval, /*isWhole=*/false, step);
      total = arith::AddFOp::create(b, loc, total, part);
      begin = end;
    }
    return total;
  }
  int64_t k = 1;
  for (unsigned dim : reduced)
    k *= sizes[dim];
  llvm::erase_if(ends, [&](int64_t end) { return end >= k; });
  ends.push_back(k);
  int64_t begin = 0;
  for (int64_t end : ends) {
    int64_t interval = promote ? promote : end - begin;
    Value part = sumPart(index(begin), index(end), index(interval),
                         (end - begin) % interval == 0, step);
    total = arith::AddFOp::create(b, loc, total, part);
    begin = end;
  }
  return total;
}

/// The sum of products in f32, then the scale and the rounding of the result;
/// what the body says is one step of it.
void ThreadMapper::lowerContractElement(Value unit) {
  Ivs ivs = unpack(unit);
  Block *body = op.getBody();
  mlir::fp8::MarkedOperands operands = mlir::fp8::getMarkedOperands(op);
  Operation *last = body->getTerminator()->getOperand(0).getDefiningOp();
  if (isa<arith::TruncFOp>(last))
    last = last->getOperand(0).getDefiningOp();
  auto product = cast<arith::AddFOp>(last).getRhs().getDefiningOp();
  bool scaled = !operands.scales.empty();
  if (scaled)
    product = product->getOperand(0).getDefiningOp();
  Type out = body->getArguments().back().getType();
  Value acc = sumProducts(ivs, product);
  if (scaled) {
    Value lhs = memref::LoadOp::create(b, loc, operands.scales[0]);
    Value rhs = memref::LoadOp::create(b, loc, operands.scales[1]);
    Value scale = arith::MulFOp::create(b, loc, lhs, rhs);
    acc = arith::MulFOp::create(b, loc, acc, scale);
  }
  if (!out.isF32())
    acc = arith::TruncFOp::create(b, loc, out, acc);
  store(0, acc, ivs);
}

//===----------------------------------------------------------------------===//
// Innermost reductions: one warp per output
//===----------------------------------------------------------------------===//

Value ThreadMapper::combine(Operation *combiner, Value lhs, Value rhs) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), lhs);
  mapping.map(combiner->getOperand(1), rhs);
  return b.clone(*combiner, mapping)->getResult(0);
}

/// The value of the lane `distance` above; undefined for the topmost lanes.
Value ThreadMapper::shuffleDown(Value value, int64_t distance) {
  Type type = value.getType(), word = b.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(width);
  Value bits = value;
  if (type != integer)
    bits = arith::BitcastOp::create(b, loc, integer, bits);
  auto exchange = [&](Value part) -> Value {
    return NVVM::ShflOp::create(b, loc, word, i32(-1), part, i32(distance),
                                i32(kWarp - 1), NVVM::ShflKind::down,
                                UnitAttr());
  };
  if (width > 32) {
    Value half =
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(integer, 32));
    Value high = arith::ShRUIOp::create(b, loc, bits, half);
    Value low = exchange(arith::TruncIOp::create(b, loc, word, bits));
    high = exchange(arith::TruncIOp::create(b, loc, word, high));
    low = arith::ExtUIOp::create(b, loc, integer, low);
    high = arith::ExtUIOp::create(b, loc, integer, high);
    high = arith::ShLIOp::create(b, loc, high, half);
    bits = arith::OrIOp::create(b, loc, low, high);
  } else if (width < 32) {
    bits = exchange(arith::ExtUIOp::create(b, loc, word, bits));
    bits = arith::TruncIOp::create(b, loc, integer, bits);
  } else {
    bits = exchange(bits);
  }
  return type == integer
             ? bits
             : arith::BitcastOp::create(b, loc, type, bits).getResult();
}

/// What this lane combines: index j modulo 32 of the innermost dimension, the
/// other reduced dimensions around it.
Value ThreadMapper::reduceLane(Ivs ivs, Value init) {
  SmallVector<unsigned> outer = loopsOfKind(utils::IteratorType::reduction);
  unsigned innermost = outer.pop_back_val();
  int64_t size = sizes[innermost], blocked = size / kWarp * kWarp;
  Value whole, left;
  if (ShapedType::isDynamic(size)) {
    AffineExpr expr = extentExpr(innermost);
    whole = exprs.materialize(expr.floorDiv(kWarp) * kWarp);
    left = exprs.materialize(expr % kWarp);
  }
  Value at = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), lane());
  return overReduced(ivs, outer, init, [&](ValueRange acc) {
    Value end = whole ? whole : index(blocked);
    auto loop = scf::ForOp::create(b, loc, index(0), end, index(kWarp), acc);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ivs[innermost] =
          arith::AddIOp::create(b, loc, loop.getInductionVar(), at);
      scf::YieldOp::create(b, loc, runBody(ivs, loop.getRegionIterArgs()));
    }
    if (!whole && blocked == size)
      return SmallVector<Value>(loop.getResults());
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                                         left ? left : index(size - blocked));
    auto rest = scf::IfOp::create(b, loc, loop.getResultTypes(), inside,
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rest.thenBlock());
    ivs[innermost] = arith::AddIOp::create(b, loc, end, at);
    scf::YieldOp::create(b, loc, runBody(ivs, loop.getResults()));
    b.setInsertionPointToStart(rest.elseBlock());
    scf::YieldOp::create(b, loc, loop.getResults());
    return SmallVector<Value>(rest.getResults());
  })[0];
}

void ThreadMapper::lowerLanes(Value unit,
                              const mlir::fp8::LaneCombiner &combiner) {
  Ivs ivs = unpack(unit);
  Value acc =
      reduceLane(ivs, arith::ConstantOp::create(b, loc, combiner.identity));
  for (int64_t half = kWarp / 2; half > 0; half /= 2)
    acc = combine(combiner.op, acc, shuffleDown(acc, half));
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane(), i32(0));
  auto one = scf::IfOp::create(b, loc, first);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(one.thenBlock());
  store(0, combine(combiner.op, loadOutputs(ivs)[0], acc), ivs);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// The error of a contraction that loops cannot do, and no kernel does.
static LogicalResult refuseLoops(linalg::GenericOp op) {
  auto reason = op->getAttrOfType<StringAttr>(mlir::fp8::kNoKernelAttr);
  InFlightDiagnostic error =
      op.emitError("expected a matrix kernel for this contraction, got none: ");
  if (reason)
    error << reason.getValue() << "; ";
  return error << "a kernel of loops adds in f32, one product after the other, "
                  "and this one adds as a tensor core does; --accumulation=f32 "
                  "changes that";
}

FailureOr<Grid> ThreadMapper::lower() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  if (failed(checkExtents()))
    return failure();
  SmallVector<unsigned> parallel = loopsOfKind(utils::IteratorType::parallel);
  auto number = dyn_cast<AffineConstantExpr>(countOf(parallel));
  // Without a limit where the host counts.
  int64_t units =
      number ? number.getValue() : std::numeric_limits<int64_t>::max();
  // A thread's next unit must not wrap around.
  countType = b.getIntegerType(units < (int64_t{1} << 30) ? 32 : 64);
  auto over = [&](int64_t perBlock, int64_t threads, Value first,
                  llvm::function_ref<void(Value)> body) {
    return number ? overUnits(units, perBlock, threads, first, body)
                  : overDynamicUnits(perBlock, threads, first, body);
  };
  auto model =
      op->getAttrOfType<DenseI64ArrayAttr>(mlir::fp8::kCPUContractAttr);
  if (model && !addsInOrder(model))
    return refuseLoops(op);
  std::optional<mlir::fp8::LaneCombiner> combiner;
  if (!model)
    combiner = mlir::fp8::matchLaneReduction(op);
  Grid grid;
  if (combiner) {
    int64_t warps = kThreads / kWarp;
    if (!oneBlock)
      warps = std::min(units, warps);
    int64_t threads = warps * kWarp;
    Value warp =
        arith::ShRUIOp::create(b, loc, threadInGrid(threads), count(5));
    grid = over(warps, threads, warp,
                [&](Value unit) { lowerLanes(unit, *combiner); });
  } else {
    int64_t threads = kThreads;
    if (!oneBlock)
      threads = units > threads ? threads : llvm::alignTo(units, kWarp);
    grid = over(threads, threads, threadInGrid(threads), [&](Value unit) {
      model ? lowerContractElement(unit) : lowerElement(unit);
    });
  }
  b.eraseOp(op);
  return grid;
}

/// `op` as a generic one, of one dimension where that is the same.
static FailureOr<linalg::GenericOp> getGeneric(RewriterBase &rewriter,
                                               linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> general =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(general))
      return op.emitError("cannot be lowered to loops");
    generic = *general;
  }
  return mlir::fp8::flattenElementwise(rewriter, generic);
}

/// Loops around linalg ops: one block runs them in order, every thread goes
/// through the loops and loads the scalars, one stores them.
static LogicalResult lowerOneBlock(RewriterBase &rewriter, func::FuncOp func,
                                   ArrayRef<linalg::LinalgOp> ops) {
  // What is not aliased in one thread may be written by another: LLVM would
  // move its loads over barriers.
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    func.removeArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName());
  SmallVector<memref::StoreOp> stores;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<linalg::LinalgOp>(op))
      return WalkResult::skip();
    if (auto store = dyn_cast<memref::StoreOp>(op))
      stores.push_back(store);
    return WalkResult::advance();
  });
  for (memref::StoreOp store : stores)
    mlir::fp8::barrierAround(mlir::fp8::onOneThread(rewriter, store));
  for (linalg::LinalgOp op : ops)
    mlir::fp8::barrierAround(op);
  mlir::fp8::eraseNeedlessBarriers(func);
  for (linalg::LinalgOp op : ops) {
    FailureOr<linalg::GenericOp> generic = getGeneric(rewriter, op);
    if (failed(generic) ||
        failed(ThreadMapper(rewriter, *generic, /*oneBlock=*/true).lower()))
      return failure();
  }
  return success();
}

/// Lowers what `func` computes to one thread's code.
static FailureOr<Grid> mapThreads(RewriterBase &rewriter, func::FuncOp func) {
  SmallVector<linalg::LinalgOp> ops;
  func.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  if (ops.empty())
    return Grid{1, 1};
  if (ops.size() > 1 || !isa<func::FuncOp>(ops[0]->getParentOp())) {
    if (failed(lowerOneBlock(rewriter, func, ops)))
      return failure();
    return Grid{1, kThreads};
  }
  FailureOr<linalg::GenericOp> generic = getGeneric(rewriter, ops[0]);
  if (failed(generic))
    return failure();
  return ThreadMapper(rewriter, *generic, /*oneBlock=*/false).lower();
}

/// A failed assertion ends the kernel; the launch names its text.
static void lowerAsserts(func::FuncOp func) {
  SmallVector<cf::AssertOp> asserts;
  func.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  SmallVector<StringRef> messages;
  for (cf::AssertOp op : asserts) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value failed = arith::XOrIOp::create(b, loc, op.getArg(), yes);
    auto branch = scf::IfOp::create(b, loc, failed);
    b.setInsertionPointToStart(branch.thenBlock());
    LLVM::Trap::create(b, loc);
    messages.push_back(op.getMsg());
    op.erase();
  }
  if (!messages.empty())
    func->setAttr(mlir::fp8::kDeviceAssertsAttr,
                  Builder(func.getContext()).getStrArrayAttr(messages));
}

namespace {
struct DeviceMapThreads final
    : mlir::fp8::impl::DeviceMapThreadsBase<DeviceMapThreads> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    // A grid is there already where another project's lowering made the kernel.
    if (func.isDeclaration() || !func.isPrivate() ||
        func->hasAttr(mlir::fp8::kDeviceGridAttr))
      return;
    IRRewriter rewriter(&getContext());
    FailureOr<Grid> grid = mapThreads(rewriter, func);
    if (failed(grid))
      return signalPassFailure();
    lowerAsserts(func);
    func->setAttr(mlir::fp8::kDeviceGridAttr,
                  rewriter.getDenseI64ArrayAttr({grid->blocks, grid->threads}));
    if (grid->dynamicBlocks) {
      auto indices = llvm::count_if(func.getArgumentTypes(),
                                    [](Type type) { return type.isIndex(); });
      AffineMap map = AffineMap::get(0, indices, grid->dynamicBlocks);
      func->setAttr(mlir::fp8::kDeviceBlocksAttr, AffineMapAttr::get(map));
    }
  }
};
} // namespace
