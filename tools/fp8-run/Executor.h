//===- Executor.h - A program and its buffers -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a training loop needs of a device: arguments go in when they change,
// results come out when somebody looks, what is carried stays there.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_FP8RUN_EXECUTOR_H
#define FP8_TOOLS_FP8RUN_EXECUTOR_H

#include "fp8/Pipelines/Instrument.h"
#include "fp8/Target/CPU/Jit.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::fp8 {

/// A result that becomes an argument of the next step.
struct Carry {
  unsigned result, argument;
};

/// Where a program runs, as the command line says it.
struct DeviceOptions {
  /// cpu, emu or cuda.
  std::string device = "cpu";
  /// Name of the target; a GPU unless the device is the CPU.
  std::string target = "cpu";
  /// Of the GPU, for the schedules of kernels; empty: the target's first.
  std::string gpu;
  /// Text of a schedule database; empty without one.
  std::string schedules;
  /// Of the emulator: level of its checks, seed of its schedule, number of
  /// multiprocessors (0 takes the target's).
  std::string check = "error";
  uint64_t seed = 0;
  uint32_t sms = 0;
  /// Path of a ptxas for the kernels; empty: the driver assembles them.
  std::string ptxas;
  /// Compile for any sizes in place of dynamic ones, as --emit=obj does.
  bool anySizes = false;
};

/// A compiled function with the buffers of its arguments and results.
class Executor {
public:
  virtual ~Executor();

  /// The types of the results, in order; scalars have rank 0.
  virtual ArrayRef<RankedTensorType> getResultTypes() const = 0;
  /// Bytes of memory beside arguments and results.
  virtual int64_t getWorkspaceBytes() const = 0;

  /// A line on what was done so far: launches, copies; empty for the CPU.
  virtual std::string getStatistics() const { return ""; }

  /// Dense contents of argument `index`; `data` may go away.
  virtual llvm::Error setArgument(unsigned index, ArrayRef<char> data) = 0;
  /// Runs the function and waits for it.
  virtual llvm::Error run() = 0;
  /// The contents of result `index` of the last run, before carry().
  virtual llvm::Error getResult(unsigned index, MutableArrayRef<char> data) = 0;
  /// Makes results arguments, all at once. Those results have no contents then.
  virtual llvm::Error carry(ArrayRef<Carry> carries) = 0;
};

/// Compiles function `name` of `module` (consuming the module's contents) for
/// arguments of `types` and opens the device. `instrument` sees each pass
/// manager.
llvm::Expected<std::unique_ptr<Executor>>
createExecutor(ModuleOp module, StringRef name,
               ArrayRef<RankedTensorType> types, const DeviceOptions &device,
               const JitOptions &jit, const PassInstrumenter &instrument);

/// The same for one kind of device each.
llvm::Expected<std::unique_ptr<Executor>>
createCPUExecutor(ModuleOp module, StringRef name,
                  ArrayRef<RankedTensorType> types, const JitOptions &jit,
                  const PassInstrumenter &instrument);
llvm::Expected<std::unique_ptr<Executor>>
createDeviceExecutor(ModuleOp module, StringRef name,
                     ArrayRef<RankedTensorType> types,
                     const DeviceOptions &device, const JitOptions &jit,
                     const PassInstrumenter &instrument);

} // namespace mlir::fp8

#endif // FP8_TOOLS_FP8RUN_EXECUTOR_H
