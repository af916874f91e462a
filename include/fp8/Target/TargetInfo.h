//===- TargetInfo.h - What a target can do ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of targets. Everything that differs between them is a field
// here; no other code switches over target names. Plain data without MLIR, so
// that every layer may ask.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TARGET_TARGETINFO_H
#define FP8_TARGET_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace fp8::target {

/// The matrix instruction that contracts FP8 operands.
enum class MatrixUnit { None, MmaSync, Wgmma, TCGen05 };

/// How a contraction with accumulation `auto` is refined.
struct DefaultAccumulation {
  /// Name of the accumulation model (`seq_f32`, `hopper`, `ada`, `blackwell`).
  llvm::StringRef model;
  /// Elements of k after which a partial sum is added in f32; 0 for never.
  int64_t promote;
};

/// Limits and abilities of one target.
struct TargetInfo {
  llvm::StringRef name;
  /// One line for people.
  llvm::StringRef description;
  /// Kernels for it can be generated. `cpu` is implemented without kernels.
  bool implemented;
  MatrixUnit matrixUnit;
  DefaultAccumulation accumulation;
  /// Feature string of the NVPTX backend; the lowest PTX version that has all
  /// instructions that we use, so that older drivers can load the result.
  llvm::StringRef ptxFeatures;
  /// Bytes of shared memory that one block can have.
  int64_t sharedBytesPerBlock;
  /// 32-bit registers of one multiprocessor.
  int64_t registers;
  /// Threads of one block.
  int64_t threadsPerBlock;
  /// Multiprocessors of the usual device; only the grid of persistent kernels
  /// and cost models depend on it, never a result.
  int64_t multiprocessors;
  /// 8-bit operands must have the contracted dimension contiguous.
  bool needsKMajorFP8;

  /// Bytes of parameters that a kernel can have, which PTX's version decides.
  int64_t getParameterBytes() const;
  bool isGPU() const { return matrixUnit != MatrixUnit::None; }
  /// Accumulators are in tensor memory, which one thread's instructions fill.
  bool hasTensorMemory() const { return matrixUnit == MatrixUnit::TCGen05; }
};

/// All targets, in the order in which they are listed.
llvm::ArrayRef<TargetInfo> getTargets();

/// The target called `name`, or null; then `error` has one line that says what
/// was expected, naming the right spelling where one is known (`sm_90` needs
/// the `a`).
const TargetInfo *lookupTarget(llvm::StringRef name, std::string &error);

/// The same where only a target with kernels will do: `cpu` is an error too.
const TargetInfo *lookupGPUTarget(llvm::StringRef name, std::string &error);

/// Prints one line per target: name, whether it is implemented, description.
void listTargets(llvm::raw_ostream &os);

} // namespace fp8::target

#endif // FP8_TARGET_TARGETINFO_H
