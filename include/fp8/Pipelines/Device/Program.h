//===- Program.h - Graphs as programs of a device ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph compiled for a GPU: kernels as PTX and host code that launches them
// through the runtime, on CUDA or on the emulator alike.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_DEVICE_PROGRAM_H
#define FP8_PIPELINES_DEVICE_PROGRAM_H

#include "fp8/Pipelines/Device/Code.h"
#include "fp8/Runtime/Runtime.h"
#include "fp8/Target/CPU/Jit.h"

namespace mlir::fp8 {

/// One function of a module as a program for a device. Buffers are dense,
/// row-major, of the element types of the signature (i1 is one byte), aligned
/// to 16 bytes. Results are the same bits as CPUProgram's, but for the bits of
/// NaNs.
class DeviceProgram {
public:
  /// Compiles function `name` of `module` for arguments of the types `argTypes`
  /// (as CPUProgram::compile, but dynamic sizes may stay: then each run has its
  /// own), with kernels scheduled for `gpu` (see
  /// getDevice in CostModel.h; the results do not depend on it, nor on
  /// `schedules`, the text of a schedule database). With the path of a `ptxas`,
  /// kernels are assembled by it here, not by the driver. Consumes the module's
  /// contents. Emits a diagnostic and fails if the function cannot be compiled.
  static FailureOr<std::unique_ptr<DeviceProgram>>
  compile(ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
          const ::fp8::target::TargetInfo &target, StringRef gpu = {},
          const JitOptions &options = {},
          const PassInstrumenter &instrument = {}, StringRef schedules = {},
          StringRef ptxas = {});
  ~DeviceProgram();

  /// The types of the results, in order; scalars have rank 0. `sizes` are those
  /// of the dynamic dimensions of the arguments, in order.
  SmallVector<RankedTensorType>
  getResultTypes(ArrayRef<int64_t> sizes = {}) const {
    return mlir::fp8::getResultTypes(code, sizes);
  }
  /// Bytes of device memory for everything that is neither argument nor result.
  int64_t getWorkspaceBytes(ArrayRef<int64_t> sizes = {}) const {
    return static_cast<int64_t>(mlir::fp8::getWorkspaceBytes(code, sizes));
  }
  /// The PTX.
  const DeviceModules &getModules() const { return code.modules; }

  /// Enqueues the function on the context's stream. Arguments are not written;
  /// no result may overlap another buffer. Fails with one line that names the
  /// kernel and the operation.
  llvm::Error run(fp8_context *context, ArrayRef<fp8_buffer> args,
                  MutableArrayRef<fp8_buffer> results,
                  ArrayRef<int64_t> sizes = {});

private:
  DeviceProgram() = default;

  DeviceCode code;
  /// Without `ptxas` empty.
  DeviceModules cubins;
  fp8_module_image loops, matrix;
  std::unique_ptr<Jit> jit;
  /// Its type depends on whether sizes are dynamic.
  void *entry = nullptr;
};

/// What a context says of its last failure, in one line.
std::string describeFailure(const fp8_context *context);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_DEVICE_PROGRAM_H
