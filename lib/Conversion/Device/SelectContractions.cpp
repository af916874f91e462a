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
// plan. Contractions without a kernel stay, for the loops.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/LoopForms.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Numerics/Accumulate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_DEVICESELECTCONTRACTIONS
#include "fp8/Conversion/Device/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;
using ::fp8::numerics::AccumKind;

/// Bytes to which kernels need their buffers aligned.
static constexpr int64_t kAlignment = 16;

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

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

namespace {
class Selector {
public:
  Selector(ModuleOp module, const ::fp8::target::TargetInfo &target)
      : module(module), target(target), b(module.getContext()) {}

  void select(linalg::GenericOp op);

private:
  std::optional<GemmProblem> getProblem(linalg::GenericOp op,
                                        const MarkedOperands &operands);
  Value addressable(Value buffer, int64_t alignment = kAlignment);
  Value relay(Value buffer, bool transpose);
  void launch(cta::KernelOp kernel, ValueRange operands);
  template <typename Build>
  cta::KernelOp getKernel(StringRef name, Build build);

  ModuleOp module;
  const ::fp8::target::TargetInfo &target;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
  gpu::GPUModuleOp kernels;
};
} // namespace

/// Whether `map` is [batch,] `rows`, `columns`, or that transposed.
static std::optional<bool> matchMatrix(AffineMap map,
                                       std::optional<unsigned> batch,
                                       unsigned rows, unsigned columns) {
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    dims.push_back(dim.getPosition());
  }
  SmallVector<unsigned> plain, transposed;
  if (batch) {
    plain.push_back(*batch);
    transposed.push_back(*batch);
  }
  plain.append({rows, columns});
  transposed.append({columns, rows});
  if (dims == plain)
    return false;
  if (dims == transposed)
    return true;
  return std::nullopt;
}

/// The product as kernels know it; nothing if it is not one of matrices.
std::optional<GemmProblem>
Selector::getProblem(linalg::GenericOp op, const MarkedOperands &operands) {
  AffineMap out = operands.maps[2];
  unsigned rank = out.getNumResults();
  if (rank < 2 || rank > 3 || op.getNumLoops() != rank + 1 ||
      op.getNumReductionLoops() != 1 || !out.isProjectedPermutation())
    return std::nullopt;
  std::optional<unsigned> batch;
  if (rank == 3)
    batch = out.getDimPosition(0);
  unsigned m = out.getDimPosition(rank - 2), n = out.getDimPosition(rank - 1);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  unsigned k = reduced[0];
  std::optional<bool> lhs = matchMatrix(operands.maps[0], batch, m, k);
  std::optional<bool> rhs = matchMatrix(operands.maps[1], batch, k, n);
  if (!lhs || !rhs)
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  GemmProblem problem;
  if (batch)
    problem.batch = sizes[*batch];
  problem.m = sizes[m];
  problem.n = sizes[n];
  problem.k = sizes[k];
  problem.transposeLhs = *lhs;
  problem.transposeRhs = *rhs;
  auto element = [&](unsigned i) {
    return getElementTypeOrSelf(operands.matrices[i].getType());
  };
  problem.lhs = element(0);
  problem.rhs = element(1);
  problem.out = element(2);
  auto model = op->getAttrOfType<DenseI64ArrayAttr>(kCPUContractAttr);
  problem.model = nameOf(static_cast<AccumKind>(model[0])).str();
  problem.promote = model[1];
  problem.hasSplit = model.size() > 2;
  return problem;
}

/// Whether a kernel can take the address of `buffer` as it is: dense, aligned,
/// and in memory of its own (a constant lives in the kernels that read it).
static bool isAddressable(Value buffer, int64_t alignment) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!memref::isStaticShapeAndContiguousRowMajor(type))
    return false;
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t width = type.getElementTypeBitWidth() / 8;
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
  Value copy = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()));
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
  return build(at);
}

void Selector::launch(cta::KernelOp kernel, ValueRange operands) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = index(1);
  Value blocks = index(static_cast<int64_t>(*kernel.getBlocks()));
  Value threads = index(static_cast<int64_t>(kernel.getThreads()));
  Value shared = arith::ConstantOp::create(
      b, loc,
      b.getI32IntegerAttr(static_cast<int32_t>(kernel.getSharedBytes())));
  auto symbol =
      SymbolRefAttr::get(b.getContext(), kernels.getName(),
                         FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
  gpu::LaunchFuncOp::create(b, loc, symbol, gpu::KernelDim3{blocks, one, one},
                            gpu::KernelDim3{threads, one, one}, shared,
                            operands);
}

/// `buffer` in the order that products read: transposed if asked for, with rows
/// of a multiple of 16 bytes.
Value Selector::relay(Value buffer, bool transpose) {
  auto type = cast<MemRefType>(buffer.getType());
  ArrayRef<int64_t> shape = type.getShape();
  PackProblem problem;
  problem.batch = shape.size() == 3 ? shape.front() : 1;
  problem.rows = shape.take_back(2).front();
  problem.columns = shape.back();
  problem.in = problem.out = type.getElementType();
  problem.transpose = transpose;
  if (!transpose && problem.getPitch() == problem.columns)
    return buffer;
  std::string name = llvm::formatv(
      "{0}_{1}x{2}x{3}_{4}", transpose ? "transpose" : "pad", problem.batch,
      problem.rows, problem.columns, print(problem.in));
  cta::KernelOp kernel = getKernel(name, [&](OpBuilder &at) {
    return buildPackKernel(at, loc, name, problem, target);
  });
  SmallVector<int64_t> packed(shape.begin(), shape.end() - 2);
  packed.append(
      {transpose ? problem.columns : problem.rows, problem.getPitch()});
  Value result = memref::AllocOp::create(
      b, loc, MemRefType::get(packed, type.getElementType()));
  launch(kernel, {buffer, result});
  return result;
}

static std::string kernelName(const GemmProblem &p) {
  return llvm::formatv("gemm_{0}x{1}x{2}x{3}_{4}_{5}_{6}_{7}_promote{8}",
                       p.batch.value_or(1), p.m, p.n, p.k, print(p.lhs),
                       print(p.rhs), print(p.out), p.model, p.promote);
}

void Selector::select(linalg::GenericOp op) {
  loc = op.getLoc();
  b.setInsertionPoint(op);
  MarkedOperands operands = getMarkedOperands(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, 0)) {
    // The empty sum; the op overwrites its result.
    Value out = operands.matrices[2];
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(getElementTypeOrSelf(out.getType())));
    linalg::FillOp::create(b, loc, zero, out);
    return op.erase();
  }
  std::optional<GemmProblem> problem = getProblem(op, operands);
  if (!problem)
    return;
  bool transposeLhs = problem->transposeLhs;
  bool transposeRhs = !problem->transposeRhs;
  // What the kernel sees: k contiguous, in rows that TMA can address.
  problem->transposeLhs = false;
  problem->transposeRhs = true;
  problem->k =
      llvm::alignTo(problem->k, 128 / problem->lhs.getIntOrFloatBitWidth());
  if (refuseGemm(*problem, target))
    return;
  Value lhs = relay(addressable(operands.matrices[0]), transposeLhs);
  Value rhs = relay(addressable(operands.matrices[1]), transposeRhs);
  Value out = operands.matrices[2];
  bool direct = isAddressable(out, kAlignment);
  if (!direct) {
    auto type = cast<MemRefType>(out.getType());
    out = memref::AllocOp::create(
        b, loc, MemRefType::get(type.getShape(), type.getElementType()));
  }
  std::string name = kernelName(*problem);
  cta::KernelOp kernel = getKernel(name, [&](OpBuilder &at) {
    return buildGemmKernel(at, loc, name, *problem,
                           chooseSchedule(*problem, target, at.getContext()),
                           target);
  });
  SmallVector<Value> args{lhs, rhs, out};
  if (problem->isScaled())
    for (Value scale : operands.scales)
      args.push_back(addressable(scale, sizeof(float)));
  launch(kernel, args);
  if (!direct)
    memref::CopyOp::create(b, loc, out, operands.matrices[2]);
  op.erase();
}

namespace {
struct DeviceSelectContractions final
    : mlir::fp8::impl::DeviceSelectContractionsBase<DeviceSelectContractions> {
  using DeviceSelectContractionsBase::DeviceSelectContractionsBase;

  void runOnOperation() override {
    std::string error;
    const ::fp8::target::TargetInfo *info =
        ::fp8::target::lookupTarget(target, error);
    if (!info || !info->isGPU()) {
      getOperation().emitError("fp8-device-select-contractions: expected a GPU "
                               "target, got '")
          << target << "'" << (error.empty() ? "" : ": ") << error;
      return signalPassFailure();
    }
    SmallVector<linalg::GenericOp> marked;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(kCPUContractAttr))
        marked.push_back(op);
    });
    Selector selector(getOperation(), *info);
    for (linalg::GenericOp op : marked)
      selector.select(op);
  }
};
} // namespace
