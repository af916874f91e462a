//===- SelectContractions.cpp - Matrix kernels for contractions -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A marked contraction on buffers becomes a launch of the target's matrix
// kernel, after launches that re-lay operands which the kernel cannot address.
// What is re-laid is a new buffer, so that liveness is visible to the memory
// plan. Contractions without a kernel stay, for the loops. One that carries its
// decision has a remark about its kernel, as in --fp8-select-kernels.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/CPU/SizeExprs.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/ScheduleDB.h"
#include "fp8/Conversion/GPU/TargetOption.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "fp8/Numerics/Accumulate.h"
#include "fp8/Transforms/DecisionRemark.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICESELECTCONTRACTIONS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;
using ::fp8::numerics::AccumKind;

/// Elements that a block of a kernel which does them in chunks of 16 has under
/// way at once.
static constexpr int64_t kElementsOfBlock = 16 * kStrideThreads;

/// Bytes to which kernels need their buffers aligned.
static constexpr int64_t kAlignment = 16;

/// Bytes to which parameter `index` of `kernel` has to be aligned: scalars are
/// read one by one, an amax is two words that are written together.
static int64_t getAlignment(cta::KernelOp kernel, unsigned index) {
  std::optional<KernelArgument> argument = getArgument(kernel, index);
  if (!argument || argument->elements < 1 || argument->elements > kAlignment)
    return kAlignment;
  int64_t bits = argument->elements * argument->element.getIntOrFloatBitWidth();
  return std::min(kAlignment, static_cast<int64_t>(llvm::PowerOf2Ceil(
                                  llvm::divideCeil(bits, 8))));
}

static StringRef nameOf(AccumKind kind) {
  switch (kind) {
  case AccumKind::SeqF32:
    return "seq_f32";
  case AccumKind::Hopper:
    return "hopper";
  case AccumKind::Ada:
    return "ada";
  case AccumKind::Blackwell:
    return "blackwell";
  case AccumKind::Exact:
    return "exact";
  }
  llvm_unreachable("all models are covered");
}

namespace {
/// Loops of a contraction; each kind together is one dimension of the product.
struct Loops {
  SmallVector<unsigned> batch, m, n, k;
};

class Selector {
public:
  Selector(ModuleOp module, const ::fp8::target::GPU &gpu,
           const ScheduleDB &tuned)
      : module(module), target(gpu.target), device(gpu.device), tuned(tuned),
        b(module.getContext()),
        kernels(module.lookupSymbol<gpu::GPUModuleOp>(kMatrixKernels)) {}

  LogicalResult select(linalg::GenericOp op);
  LogicalResult lower(cta::LaunchOp op);

private:
  int64_t extentOf(ArrayRef<unsigned> dims) const;
  AffineExpr exprOf(ArrayRef<unsigned> dims) const;
  LogicalResult setSizes(linalg::GenericOp op, const MarkedOperands &operands);
  SizeExprs &functionSizes(Operation *op);
  Value sizeArgument(AffineExpr size);
  AffineExpr aligned(AffineExpr size, int64_t step) const {
    return size.ceilDiv(step) * step;
  }
  SmallVector<unsigned> order(ArrayRef<unsigned> batch, ArrayRef<unsigned> rows,
                              ArrayRef<unsigned> columns) const;
  GemmProblem getProblem(linalg::GenericOp op, const Loops &loops,
                         const MarkedOperands &operands) const;
  Value addressable(Value buffer, int64_t alignment = kAlignment);
  Value allocate(ArrayRef<unsigned> dims, Type element);
  Value permute(Value buffer, AffineMap map, ArrayRef<unsigned> dims);
  void permuteInto(Value buffer, ArrayRef<unsigned> dims, Value out,
                   AffineMap map);
  Value relay(Value buffer, AffineMap map, const Loops &loops,
              ArrayRef<unsigned> rows);
  Value pack(Value buffer, PackProblem problem, ArrayRef<AffineExpr> extents);
  Value atMost(AffineExpr count, uint64_t most);
  Value isWithin(AffineExpr size, int64_t first, int64_t last);
  void addWorkspace(const GemmProblem &problem, cta::ScheduleAttr schedule,
                    SmallVectorImpl<Value> &args);
  void launch(cta::KernelOp kernel, ValueRange operands, Value blocks = {});
  cta::KernelOp getGemm(const GemmProblem &problem, StringRef name,
                        cta::ScheduleAttr schedule);
  KernelDecision launchStatic(const GemmProblem &problem,
                              SmallVector<Value> operands,
                              const ScheduleChoice *entry);
  KernelDecision launchDynamic(const GemmProblem &problem, const Loops &loops,
                               SmallVector<Value> operands);
  template <typename Build>
  cta::KernelOp getKernel(StringRef name, Build build);

  ModuleOp module;
  const ::fp8::target::TargetInfo &target;
  const ::fp8::target::DeviceInfo &device;
  const ScheduleDB &tuned;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
  /// Of the contraction at hand, by loop; and what they are where they are not
  /// known.
  SmallVector<int64_t> sizes;
  SmallVector<AffineExpr> exprs;
  /// Sizes of the function that it is in.
  SizeExprs *known = nullptr;
  llvm::MapVector<Operation *, std::unique_ptr<SizeExprs>> functions;
  gpu::GPUModuleOp kernels;
};
} // namespace

//===----------------------------------------------------------------------===//
// Contractions as products of matrices
//===----------------------------------------------------------------------===//

/// The dimensions that the results of `map` are; nothing if one is not a
/// dimension, or comes twice.
static std::optional<SmallVector<unsigned>> dimsOf(AffineMap map) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  return dims;
}

/// The loops of `op` by what they are to the product; nothing if one is of no
/// such kind. Those over k are in the op's order, in which the sum is made, the
/// others as the result has them.
static std::optional<Loops> sortLoops(linalg::GenericOp op,
                                      ArrayRef<AffineMap> maps) {
  std::optional<SmallVector<unsigned>> out = dimsOf(maps[2]);
  if (!dimsOf(maps[0]) || !dimsOf(maps[1]) || !out)
    return std::nullopt;
  Loops loops;
  for (unsigned dim : *out) {
    bool inLhs = maps[0].isFunctionOfDim(dim);
    bool inRhs = maps[1].isFunctionOfDim(dim);
    if (!inLhs && !inRhs)
      return std::nullopt;
    (inLhs && inRhs ? loops.batch : inLhs ? loops.m : loops.n).push_back(dim);
  }
  for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    if (maps[2].isFunctionOfDim(dim))
      continue;
    if (!maps[0].isFunctionOfDim(dim) || !maps[1].isFunctionOfDim(dim))
      return std::nullopt;
    loops.k.push_back(dim);
  }
  return loops;
}

int64_t Selector::extentOf(ArrayRef<unsigned> dims) const {
  int64_t extent = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(sizes[dim]))
      return ShapedType::kDynamic;
    extent *= sizes[dim];
  }
  return extent;
}

AffineExpr Selector::exprOf(ArrayRef<unsigned> dims) const {
  SmallVector<AffineExpr> factors;
  for (unsigned dim : dims)
    factors.push_back(exprs[dim]);
  return multiplySizes(factors, b.getContext());
}

/// Sizes of the function that `op` is in, which are `known` from now on.
SizeExprs &Selector::functionSizes(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  std::unique_ptr<SizeExprs> &own = functions[func];
  if (!own)
    own = std::make_unique<SizeExprs>(func);
  return *(known = own.get());
}

/// Finds the extents of the loops of `op`.
LogicalResult Selector::setSizes(linalg::GenericOp op,
                                 const MarkedOperands &operands) {
  sizes = op.getStaticLoopRanges();
  exprs.assign(sizes.size(), AffineExpr());
  (void)functionSizes(op);
  for (auto [matrix, map] : llvm::zip_equal(operands.matrices, operands.maps))
    for (auto [at, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (AffineExpr size = known->getSize(matrix, at))
          exprs[dim.getPosition()] = size;
  for (auto [size, expr] : llvm::zip_equal(sizes, exprs)) {
    if (!ShapedType::isDynamic(size))
      expr = b.getAffineConstantExpr(size);
    bool isKnown = static_cast<bool>(expr);
    for (unsigned i = 0; isKnown && i < known->getNumSymbols(); ++i)
      isKnown = known->getSymbol(i).second < 0 || !expr.isFunctionOfSymbol(i);
    if (!isKnown)
      return op.emitError("expected sizes that are static or index arguments "
                          "of the function (fp8-device-bind-sizes), got "
                          "another dynamic one");
  }
  return success();
}

/// What a kernel gets as a size.
Value Selector::sizeArgument(AffineExpr size) {
  // Sizes of arguments have 31 bits, products of them may have more.
  if (!isa<AffineSymbolExpr>(size)) {
    Value most = arith::ConstantIndexOp::create(b, loc, INT32_MAX);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                       known->materialize(size), most);
    cf::AssertOp::create(b, loc, fits,
                         "expected fewer than 2^31 rows of an operand");
  }
  return arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                    known->materialize(size));
}

/// `batch`, `rows` and `columns` one after the other, without dimensions of
/// extent 1: they move no element.
SmallVector<unsigned> Selector::order(ArrayRef<unsigned> batch,
                                      ArrayRef<unsigned> rows,
                                      ArrayRef<unsigned> columns) const {
  SmallVector<unsigned> dims(batch);
  llvm::append_range(dims, rows);
  llvm::append_range(dims, columns);
  llvm::erase_if(dims, [&](unsigned dim) { return sizes[dim] == 1; });
  return dims;
}

/// The product as kernels know it, k contiguous in rows that TMA can address.
GemmProblem Selector::getProblem(linalg::GenericOp op, const Loops &loops,
                                 const MarkedOperands &operands) const {
  GemmProblem problem;
  if (!loops.batch.empty())
    problem.batch = extentOf(loops.batch);
  problem.m = extentOf(loops.m);
  problem.n = extentOf(loops.n);
  auto element = [&](unsigned i) {
    return getElementTypeOrSelf(operands.matrices[i].getType());
  };
  problem.lhs = element(0);
  problem.rhs = element(1);
  problem.out = element(2);
  problem.transposeRhs = true;
  problem.k = extentOf(loops.k);
  if (!ShapedType::isDynamic(problem.k))
    problem.k =
        llvm::alignTo(problem.k, 128 / problem.lhs.getIntOrFloatBitWidth());
  auto model = op->getAttrOfType<DenseI64ArrayAttr>(kCPUContractAttr);
  problem.model = nameOf(static_cast<AccumKind>(model[0])).str();
  problem.promote = model[1];
  llvm::append_range(problem.split, model.asArrayRef().drop_front(2));
  return problem;
}

/// Whether a kernel can take the address of `buffer` as it is: dense, aligned,
/// and in memory of its own (a constant lives in the kernels that read it).
static bool isAddressable(Value buffer, int64_t alignment) {
  auto type = cast<MemRefType>(buffer.getType());
  bool isDense = type.hasStaticShape()
                     ? memref::isStaticShapeAndContiguousRowMajor(type)
                     : type.getLayout().isIdentity();
  if (!isDense)
    return false;
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t width = getElementBytes(type.getElementType());
  if (width % alignment != 0 &&
      (ShapedType::isDynamic(offset) || offset * width % alignment != 0))
    return false;
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<memref::GetGlobalOp>(op))
      return false;
    if (op->getNumOperands() == 0 || !isa<MemRefType>(op->getOperandTypes()[0]))
      break;
    buffer = op->getOperand(0);
  }
  return true;
}

/// `buffer`, or a copy of it.
Value Selector::addressable(Value buffer, int64_t alignment) {
  if (isAddressable(buffer, alignment))
    return buffer;
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> dynamic;
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim)) {
      AffineExpr size = known->getSize(buffer, dim);
      dynamic.push_back(
          size ? known->materialize(size)
               : memref::DimOp::create(b, loc, buffer, dim).getResult());
    }
  Value copy = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), dynamic);
  memref::CopyOp::create(b, loc, buffer, copy);
  return copy;
}

template <typename Build>
cta::KernelOp Selector::getKernel(StringRef name, Build build) {
  if (!kernels) {
    OpBuilder at = OpBuilder::atBlockEnd(module.getBody());
    kernels = gpu::GPUModuleOp::create(at, module.getLoc(), kMatrixKernels);
  }
  if (auto kernel = kernels.lookupSymbol<cta::KernelOp>(name))
    return kernel;
  OpBuilder at = OpBuilder::atBlockEnd(kernels.getBody());
  cta::KernelOp kernel = build(at);
  // gpu.launch_func asks for it.
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), at.getUnitAttr());
  return kernel;
}

/// Launches as many blocks as the kernel is meant for, or `blocks`; not at all
/// where these are none.
void Selector::launch(cta::KernelOp kernel, ValueRange operands, Value blocks) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = index(1);
  if (!blocks)
    blocks = index(static_cast<int64_t>(*kernel.getBlocks()));
  Value threads = index(static_cast<int64_t>(kernel.getThreads()));
  Value shared = arith::ConstantOp::create(
      b, loc,
      b.getI32IntegerAttr(static_cast<int32_t>(kernel.getSharedBytes())));
  auto symbol =
      SymbolRefAttr::get(b.getContext(), kernels.getName(),
                         FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  b.getUnitAttr());
  gpu::LaunchFuncOp::create(b, loc, symbol, gpu::KernelDim3{blocks, one, one},
                            gpu::KernelDim3{threads, one, one}, shared,
                            operands);
}

Value Selector::allocate(ArrayRef<unsigned> dims, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (unsigned dim : dims) {
    shape.push_back(sizes[dim]);
    if (ShapedType::isDynamic(sizes[dim]))
      dynamic.push_back(known->materialize(exprs[dim]));
  }
  return memref::AllocOp::create(b, loc, MemRefType::get(shape, element),
                                 dynamic);
}

/// Copies element by element, which the loops do: `in` and `out` say which
/// loops of the contraction the dimensions of the buffers are.
static void copyPermuted(OpBuilder &b, Location loc, Value from, AffineMap in,
                         Value to, AffineMap out) {
  SmallVector<utils::IteratorType> parallel(out.getNumDims(),
                                            utils::IteratorType::parallel);
  linalg::GenericOp::create(b, loc, TypeRange(), ValueRange(from),
                            ValueRange(to), ArrayRef<AffineMap>{in, out},
                            parallel,
                            [](OpBuilder &b, Location loc, ValueRange args) {
                              linalg::YieldOp::create(b, loc, args[0]);
                            });
}

/// The map of a buffer with the dimensions `dims`, over the loops that `other`
/// knows, and `other` over the same: loops in neither do not count.
static std::pair<AffineMap, AffineMap> mapsOver(ArrayRef<unsigned> dims,
                                                AffineMap other) {
  // In the order of the plain side, so that its accesses are neighbours.
  MLIRContext *context = other.getContext();
  SmallVector<AffineExpr> exprs, results;
  SmallVector<unsigned> all(dims);
  for (AffineExpr expr : other.getResults())
    if (unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        !llvm::is_contained(all, dim))
      all.push_back(dim);
  auto position = [&](unsigned dim) {
    return getAffineDimExpr(llvm::find(all, dim) - all.begin(), context);
  };
  for (unsigned dim : dims)
    exprs.push_back(position(dim));
  for (AffineExpr expr : other.getResults())
    results.push_back(position(cast<AffineDimExpr>(expr).getPosition()));
  return {AffineMap::get(all.size(), 0, exprs, context),
          AffineMap::get(all.size(), 0, results, context)};
}

/// A copy of `buffer`, whose dimensions are those of `map`, in the order
/// `dims`.
Value Selector::permute(Value buffer, AffineMap map, ArrayRef<unsigned> dims) {
  Value copy =
      allocate(dims, cast<MemRefType>(buffer.getType()).getElementType());
  auto [to, from] = mapsOver(dims, map);
  copyPermuted(b, loc, buffer, from, copy, to);
  return copy;
}

/// Copies a buffer in the order `dims` to `out`, whose dimensions are those of
/// `map`.
void Selector::permuteInto(Value buffer, ArrayRef<unsigned> dims, Value out,
                           AffineMap map) {
  auto [from, to] = mapsOver(dims, map);
  copyPermuted(b, loc, buffer, from, out, to);
}

/// The result of a kernel that packs `buffer`, whose batch, rows and columns
/// are `extents`.
Value Selector::pack(Value buffer, PackProblem problem,
                     ArrayRef<AffineExpr> extents) {
  std::string name = getKernelName(problem);
  cta::KernelOp kernel = getKernel(name, [&](OpBuilder &at) {
    return buildPackKernel(at, loc, name, problem, target);
  });
  AffineExpr lines = extents[problem.transpose ? 2 : 1];
  AffineExpr pitch =
      aligned(extents[problem.transpose ? 1 : 2], problem.getChunk());
  SmallVector<Value> dynamic;
  for (auto [number, expr] : {std::pair(problem.batch, extents[0]),
                              std::pair(problem.getLines(), lines),
                              std::pair(problem.getPitch(), pitch)})
    if (ShapedType::isDynamic(number))
      dynamic.push_back(known->materialize(expr));
  Value result = memref::AllocOp::create(
      b, loc,
      MemRefType::get({problem.batch, problem.getLines(), problem.getPitch()},
                      problem.out),
      dynamic);
  SmallVector<Value> arguments{buffer, result};
  for (auto [number, expr] : {std::pair(problem.batch, extents[0]),
                              std::pair(problem.rows, extents[1]),
                              std::pair(problem.columns, extents[2])})
    if (ShapedType::isDynamic(number))
      arguments.push_back(sizeArgument(expr));
  Value blocks;
  if (problem.hasDynamicSizes()) {
    AffineExpr items = extents[0] * lines.ceilDiv(problem.getLinesOfItem()) *
                       pitch.floorDiv(problem.getChunk());
    blocks = atMost(items.ceilDiv(kStrideThreads), *kernel.getBlocks());
  }
  launch(kernel, arguments, blocks);
  return result;
}

/// The number that `count` is, but no more than `most`.
Value Selector::atMost(AffineExpr count, uint64_t most) {
  Value limit =
      arith::ConstantIndexOp::create(b, loc, static_cast<int64_t>(most));
  return arith::MinUIOp::create(b, loc, known->materialize(count), limit);
}

/// An operand in the order that products read: [batch, rows, k], k aligned to
/// 16 bytes. `map` says which loops the dimensions of `buffer` are.
Value Selector::relay(Value buffer, AffineMap map, const Loops &loops,
                      ArrayRef<unsigned> rows) {
  SmallVector<unsigned> found = order({}, *dimsOf(map), {});
  SmallVector<unsigned> plain = order(loops.batch, rows, loops.k);
  bool transpose = false;
  if (found != plain) {
    transpose = found == order(loops.batch, loops.k, rows);
    if (!transpose)
      buffer = permute(buffer, map, plain);
  }
  buffer = addressable(buffer);
  PackProblem problem;
  problem.batch = extentOf(loops.batch);
  problem.rows = extentOf(transpose ? loops.k : rows);
  problem.columns = extentOf(transpose ? rows : loops.k);
  problem.in = problem.out =
      cast<MemRefType>(buffer.getType()).getElementType();
  problem.transpose = transpose;
  // Whether rows that the launch decides need padding is not known here.
  if (!transpose && problem.getPitch() == problem.columns &&
      !ShapedType::isDynamic(problem.columns))
    return buffer;
  return pack(buffer, problem,
              {exprOf(loops.batch), exprOf(transpose ? loops.k : rows),
               exprOf(transpose ? rows : loops.k)});
}

cta::KernelOp Selector::getGemm(const GemmProblem &problem, StringRef name,
                                cta::ScheduleAttr schedule) {
  return getKernel(name, [&](OpBuilder &at) {
    return buildGemmKernel(at, loc, name, problem, schedule, target);
  });
}

static std::string print(cta::ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(schedule);
  return text;
}

KernelDecision Selector::launchStatic(const GemmProblem &problem,
                                      SmallVector<Value> operands,
                                      const ScheduleChoice *entry) {
  std::string name = getKernelName(problem);
  cta::KernelOp kernel = getKernel(name, [&](OpBuilder &at) {
    cta::ScheduleAttr schedule =
        entry ? entry->schedule
              : rankSchedules(problem, target, device, at.getContext())
                    .front()
                    .schedule;
    return buildGemmKernel(at, loc, name, problem, schedule, target);
  });
  addWorkspace(problem, *kernel.getSchedule(), operands);
  launch(kernel, operands);
  return {name, print(*kernel.getSchedule()), "", ""};
}

/// One compile for every size: a kernel for each range of m, and the host
/// launches the one whose range has it.
KernelDecision Selector::launchDynamic(const GemmProblem &problem,
                                       const Loops &loops,
                                       SmallVector<Value> operands) {
  AffineExpr m = exprOf(loops.m), batch = exprOf(loops.batch);
  if (ShapedType::isDynamic(problem.m))
    operands.push_back(sizeArgument(m));
  if (problem.batch && ShapedType::isDynamic(*problem.batch))
    operands.push_back(sizeArgument(batch));
  if (ShapedType::isDynamic(problem.k))
    operands.push_back(sizeArgument(
        aligned(exprOf(loops.k), 128 / problem.lhs.getIntOrFloatBitWidth())));
  KernelDecision decision;
  int64_t first = 1;
  for (const ScheduleRange &range :
       chooseScheduleRanges(problem, target, device, b.getContext(),
                            /*mayShareSums=*/false)) {
    bool isOnly = first == 1 && ShapedType::isDynamic(range.last);
    std::string name = getKernelName(problem);
    if (!isOnly)
      name += "_from" + std::to_string(first);
    cta::KernelOp kernel = getGemm(problem, name, range.schedule);
    OpBuilder::InsertionGuard guard(b);
    if (!isOnly) {
      auto branch = scf::IfOp::create(b, loc, isWithin(m, first, range.last));
      b.setInsertionPointToStart(branch.thenBlock());
    }
    Value blocks;
    if (problem.hasDynamicTiles()) {
      // Whole clusters.
      int64_t cluster = range.schedule.getClusterBlocks();
      int64_t columns = llvm::divideCeil(problem.n, range.schedule.getTileN());
      AffineExpr tiles = batch * m.ceilDiv(range.schedule.getTileM()) * columns;
      blocks = atMost(aligned(tiles, cluster), *kernel.getBlocks());
    }
    launch(kernel, operands, blocks);
    decision.kernel += (decision.kernel.empty() ? "" : ", ") + name;
    decision.schedule += (decision.schedule.empty() ? "" : "; ") +
                         ("m from " + std::to_string(first) + ": ") +
                         print(range.schedule);
    first = range.last + 1;
  }
  return decision;
}

/// Whether `size` is in a range, the last number of which may be dynamic: none.
Value Selector::isWithin(AffineExpr size, int64_t first, int64_t last) {
  Value value = known->materialize(size);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, value,
                                 arith::ConstantIndexOp::create(b, loc, bound));
  };
  Value inside = compare(arith::CmpIPredicate::uge, first);
  if (ShapedType::isDynamic(last))
    return inside;
  return arith::AndIOp::create(b, loc, inside,
                               compare(arith::CmpIPredicate::ule, last));
}

/// Adds to the arguments of a product the memory in which its blocks share
/// sums, if they do, after a launch that clears what counts them.
void Selector::addWorkspace(const GemmProblem &problem,
                            cta::ScheduleAttr schedule,
                            SmallVectorImpl<Value> &args) {
  std::optional<GemmWorkspace> workspace = getWorkspace(problem, schedule);
  if (!workspace)
    return;
  int64_t words = workspace->counters;
  Value partials = memref::AllocOp::create(
      b, loc, MemRefType::get({workspace->partials}, b.getF32Type()));
  Value counters =
      memref::AllocOp::create(b, loc, MemRefType::get({words}, b.getI32Type()));
  std::string name = "clear_" + std::to_string(words);
  cta::KernelOp clear = getKernel(name, [&](OpBuilder &at) {
    return buildClearKernel(at, loc, name, target, words);
  });
  launch(clear, counters);
  args.append({partials, counters});
}

LogicalResult Selector::select(linalg::GenericOp op) {
  loc = op.getLoc();
  b.setInsertionPoint(op);
  MarkedOperands operands = getMarkedOperands(op);
  if (failed(setSizes(op, operands)))
    return failure();
  Value out = operands.matrices[2];
  auto decision = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
  auto say = [&](const KernelDecision &kernel) {
    if (decision)
      emitKernelRemark(loc, decision, kernel);
    return success();
  };
  auto refuse = [&](const Refusal &reason) {
    op->setAttr(kNoKernelAttr, b.getStringAttr(reason));
    return say({"", "", "", reason});
  };
  std::optional<Loops> loops = sortLoops(op, operands.maps);
  if (!loops)
    return refuse("expected every dimension of the result in an operand, and "
                  "every other one in both");
  GemmProblem problem = getProblem(op, *loops, operands);
  if (std::optional<Refusal> refusal = refuseGemm(problem, target))
    return refuse(*refusal);
  std::optional<ScheduleChoice> tunedChoice;
  if (!problem.hasDynamicSizes()) {
    std::string error;
    auto entry = tuned.lookup(problem, target, device, error);
    if (failed(entry))
      return op.emitError("schedule database: ") << error;
    if (*entry)
      tunedChoice = **entry;
  }
  Value lhs = relay(operands.matrices[0], operands.maps[0], *loops, loops->m);
  Value rhs = relay(operands.matrices[1], operands.maps[1], *loops, loops->n);
  bool lhsCopied = lhs != operands.matrices[0];
  bool rhsCopied = rhs != operands.matrices[1];
  StringRef copies = lhsCopied && rhsCopied ? "lhs, rhs"
                     : lhsCopied            ? "lhs"
                     : rhsCopied            ? "rhs"
                                            : "";
  SmallVector<unsigned> plain = order(loops->batch, loops->m, loops->n);
  bool direct = order({}, *dimsOf(operands.maps[2]), {}) == plain &&
                isAddressable(out, kAlignment);
  Value product = direct ? out : allocate(plain, problem.out);
  SmallVector<Value> args{lhs, rhs, product};
  if (problem.isScaled())
    for (Value scale : operands.scales)
      args.push_back(addressable(scale, sizeof(float)));
  KernelDecision chosen =
      problem.hasDynamicSizes()
          ? launchDynamic(problem, *loops, args)
          : launchStatic(problem, args, tunedChoice ? &*tunedChoice : nullptr);
  if (!direct)
    permuteInto(product, plain, out, operands.maps[2]);
  chosen.copies = copies.str();
  (void)say(chosen);
  op.erase();
  return success();
}

/// A launch on buffers that its kernel can address.
LogicalResult Selector::lower(cta::LaunchOp op) {
  loc = op.getLoc();
  b.setInsertionPoint(op);
  if (!llvm::all_of(op.getInits().getTypes(), llvm::IsaPred<MemRefType>))
    return op.emitError("expected a launch on buffers, got tensors; bufferize "
                        "first");
  auto kernel = SymbolTable::lookupNearestSymbolFrom<cta::KernelOp>(
      op, op.getKernelAttr());
  if (!kernel || !kernels || kernel->getParentOp() != kernels)
    return op.emitError("expected a kernel of gpu.module '")
           << kMatrixKernels << "', the one that is compiled, got "
           << op.getKernelAttr();
  if (!kernel.getBlocks())
    return op.emitError("expected a kernel with a number of blocks, got ")
           << op.getKernelAttr() << " without";
  SmallVector<Value> operands;
  SmallVector<std::pair<Value, Value>> copied;
  AffineExpr elements;
  (void)functionSizes(op);
  for (auto [index, number] : llvm::enumerate(op.getParameters())) {
    OpOperand &operand = op->getOpOperand(number);
    if (operand.get().getType().isIndex()) {
      // The only size is that of elements, which threads take 16 at a time.
      elements = functionSizes(op).get(operand.get());
      operands.push_back(
          arith::IndexCastOp::create(b, loc, b.getI64Type(), operand.get()));
      continue;
    }
    Value buffer = addressable(operand.get(), getAlignment(kernel, index));
    operands.push_back(buffer);
    if (buffer != operand.get() && op.isDpsInit(&operand))
      copied.emplace_back(buffer, operand.get());
  }
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  Value blocks;
  if (elements)
    blocks = atMost(elements.ceilDiv(kElementsOfBlock), *kernel.getBlocks());
  launch(kernel, operands, blocks);
  for (auto [from, to] : copied)
    memref::CopyOp::create(b, loc, from, to);
  op.erase();
  return success();
}

namespace {
struct DeviceSelectContractions final
    : mlir::fp8::impl::DeviceSelectContractionsBase<DeviceSelectContractions> {
  using DeviceSelectContractionsBase::DeviceSelectContractionsBase;

  void runOnOperation() override {
    auto gpu = getGPU(getOperation(), getArgument(), target, device);
    if (!gpu)
      return signalPassFailure();
    SmallVector<linalg::GenericOp> marked;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(kCPUContractAttr))
        marked.push_back(op);
    });
    SmallVector<cta::LaunchOp> launches;
    getOperation().walk([&](cta::LaunchOp op) { launches.push_back(op); });
    std::string error;
    auto tuned = ScheduleDB::parse(schedules, &getContext(), error);
    if (!tuned) {
      getOperation().emitError("schedule database: ") << error;
      return signalPassFailure();
    }
    Selector selector(getOperation(), *gpu, *tuned);
    for (linalg::GenericOp op : marked)
      if (failed(selector.select(op)))
        return signalPassFailure();
    for (cta::LaunchOp op : launches)
      if (failed(selector.lower(op)))
        return signalPassFailure();
  }
};
} // namespace
