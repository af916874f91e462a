//===- Program.cpp - Graphs as programs of a device -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links lowered host code in this process with the runtime.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/Program.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

/// The function that the host code exports.
static constexpr StringLiteral kEntry = "fp8_entry";

DeviceProgram::~DeviceProgram() = default;

static fp8_module_image makeImage(llvm::StringLiteral name,
                                  const std::string &ptx,
                                  const std::string &cubin) {
  // A literal ends with a NUL.
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
  return {name.data(), ptx.empty() ? nullptr : ptx.c_str(),
          cubin.empty() ? nullptr : cubin.data(), cubin.size()};
}

/// Assembles `ptx`, if there is any.
static LogicalResult assemble(const std::string &ptx, Location loc,
                              const TargetInfo &target, StringRef ptxas,
                              std::string &cubin) {
  if (ptx.empty() || ptxas.empty())
    return success();
  return assemblePTX(ptx, loc, target, ptxas, cubin);
}

/// What host code may name.
static llvm::StringMap<void *> runtimeSymbols() {
  llvm::StringMap<void *> symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[name] = reinterpret_cast<void *>(function);
  };
  add("fp8_launch", &fp8_launch);
  add("fp8_tensor_map_at", &fp8_tensor_map_at);
  add("fp8_read_scalar", &fp8_read_scalar);
  add("fp8_write_scalar", &fp8_write_scalar);
  add("fp8_fail", &fp8_fail);
  add("fp8_workspace", &fp8_workspace);
  add("fp8_check_buffers", &fp8_check_buffers);
  add("fp8_check_device", &fp8_check_device);
  add("fp8_check_sizes", &fp8_check_sizes);
  return symbols;
}

FailureOr<std::unique_ptr<DeviceProgram>> DeviceProgram::compile(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
    const TargetInfo &target, StringRef gpu, const JitOptions &options,
    const PassInstrumenter &instrument, StringRef schedules, StringRef ptxas) {
  std::unique_ptr<DeviceProgram> program(new DeviceProgram());
  FailureOr<DeviceCode> code =
      lowerToDevice(module, name, argTypes, kEntry,
                    {&target, gpu.str(), instrument, schedules.str()});
  if (failed(code))
    return failure();
  program->code = std::move(*code);
  const DeviceModules &modules = program->code.modules;
  DeviceModules &cubins = program->cubins;
  Location loc = module.getLoc();
  if (failed(assemble(modules.loops, loc, target, ptxas, cubins.loops)) ||
      failed(assemble(modules.matrix, loc, target, ptxas, cubins.matrix)))
    return failure();
  program->loops = makeImage(kLoopKernels, modules.loops, cubins.loops);
  program->matrix = makeImage(kMatrixKernels, modules.matrix, cubins.matrix);
  llvm::StringMap<void *> symbols = runtimeSymbols();
  symbols[(kLoopKernels + "_image").str()] = &program->loops;
  symbols[(kMatrixKernels + "_image").str()] = &program->matrix;
  auto jit = Jit::create({{module, JitEffort::Straight}}, symbols, options);
  if (!jit)
    return module.emitError("cannot compile the host code: ")
           << llvm::toString(jit.takeError());
  program->jit = std::move(*jit);
  auto address = program->jit->lookup(kEntry);
  if (!address)
    return module.emitError("cannot link the host code: ")
           << llvm::toString(address.takeError());
  program->entry = *address;
  return program;
}

std::string mlir::fp8::describeFailure(const fp8_context *context) {
  std::string text = fp8_last_error(context);
  std::string location = fp8_last_error_location(context);
  return location.empty() ? text : text + ", at " + location;
}

llvm::Error DeviceProgram::run(fp8_context *context, ArrayRef<fp8_buffer> args,
                               MutableArrayRef<fp8_buffer> results,
                               ArrayRef<int64_t> sizes) {
  using Entry = fp8_status (*)(fp8_context *, const fp8_buffer *, fp8_buffer *);
  using DynamicEntry = fp8_status (*)(fp8_context *, const int64_t *,
                                      const fp8_buffer *, fp8_buffer *);
  fp8_status status =
      code.isDynamic() ? reinterpret_cast<DynamicEntry>(entry)(
                             context, sizes.data(), args.data(), results.data())
                       : reinterpret_cast<Entry>(entry)(context, args.data(),
                                                        results.data());
  if (status == 0)
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 describeFailure(context));
}
