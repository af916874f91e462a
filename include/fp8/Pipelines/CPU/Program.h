//===- Program.h - Graphs as callable programs ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph compiled for this machine, ready to be called with plain buffers.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_CPU_PROGRAM_H
#define FP8_PIPELINES_CPU_PROGRAM_H

#include "fp8/Conversion/CPU/BufferSize.h"
#include "fp8/Pipelines/Instrument.h"
#include "fp8/Target/CPU/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::fp8 {

/// One function of a module as machine code. Buffers are dense, row-major, of
/// the element types of the signature (i1 is one byte). Results are the same
/// bits for any options and on any host.
class CPUProgram {
public:
  /// Compiles function `name` of `module` for arguments of the static types
  /// `argTypes` (dynamic dimensions of the function take their sizes; a scalar
  /// argument has a tensor type of rank 0). Consumes the module's contents.
  /// Emits a diagnostic and fails if the function cannot be compiled.
  static FailureOr<std::unique_ptr<CPUProgram>>
  compile(ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
          const JitOptions &options = {},
          const PassInstrumenter &instrument = {});
  ~CPUProgram();

  /// The types of the results, in order; scalars have rank 0.
  ArrayRef<RankedTensorType> getResultTypes() const { return resultTypes; }

  /// Bytes of memory for everything that is neither argument nor result.
  int64_t getWorkspaceBytes() const { return workspaceBytes; }

  /// Runs the function. Arguments are not written; no result may overlap
  /// another buffer. NaNs in float results are canonical. Fails with the
  /// message of an assertion of the graph that does not hold.
  llvm::Error run(ArrayRef<const void *> args, ArrayRef<void *> results);

private:
  CPUProgram() = default;

  std::unique_ptr<Jit> jit;
  void (*entry)(void **) = nullptr;
  SmallVector<RankedTensorType> resultTypes;
  int64_t workspaceBytes = 0;
  std::unique_ptr<char, void (*)(void *)> arena{nullptr, nullptr};
};

/// The tensor type with which a value crosses the boundary of a program: a
/// scalar's has rank 0. Null where there is none: sizes are not known or beyond
/// kMaxBufferBytes, or it holds no integers, floats or indices.
RankedTensorType getBufferType(Type type);

/// Replaces NaNs in a result of f16, bf16, f32 or f64, whose bits depend on
/// what computed them, by the canonical ones (quiet, positive, without a
/// payload).
void canonicalizeNaNs(RankedTensorType type, void *data);

/// What every program starts with: functions that `name` does not reach are
/// erased, operations of other dialects are lowered as
/// these say (LoweringInterface.h; with `target`, the name of a GPU target, by
/// its lowerings first), fp8 ops become linalg, and `name` the only
/// public function of `module`, with the argument types `argTypes`, which it
/// only reads, all calls inlined, scalar arguments and results as rank-0
/// tensors, and every result statically shaped. Where `argTypes` have dynamic
/// sizes, so may results; kResultSizesAttr (Conversion/CPU/SizeExprs.h) then
/// says what these are. Returns the function; `resultTypes` gets the types of
/// its results. Arguments and results without
/// elements then have the type `tensor<0xT>`: upstream has no bare pointer for
/// `memref<8x0xT>`, as it takes its strides for dynamic. Where all shapes are
/// static, or some stay dynamic, the passes that `addKernelPasses` adds run on
/// the fp8 ops first, on a module of elementwise linalg ops that are fused
/// already.
FailureOr<func::FuncOp>
prepareEntry(ModuleOp module, StringRef name,
             ArrayRef<RankedTensorType> argTypes,
             SmallVectorImpl<RankedTensorType> &resultTypes,
             const PassInstrumenter &instrument, StringRef target = {},
             llvm::function_ref<void(OpPassManager &)> addKernelPasses = {});

} // namespace mlir::fp8

#endif // FP8_PIPELINES_CPU_PROGRAM_H
