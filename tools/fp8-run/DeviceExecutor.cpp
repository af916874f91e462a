//===- DeviceExecutor.cpp - A program on a GPU or the emulator ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments and results are device memory for as long as the program lives.
// What is carried from a step to the next only changes its role: the result's
// buffer becomes the argument's, and the argument's old one takes its place.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Device/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;

namespace {
class DeviceExecutor final : public Executor {
public:
  ~DeviceExecutor() override { fp8_context_destroy(context); }

  llvm::Error open(const DeviceOptions &options,
                   std::unique_ptr<DeviceProgram> compiled,
                   ArrayRef<RankedTensorType> types, ArrayRef<int64_t> given);

  ArrayRef<RankedTensorType> getResultTypes() const override {
    return resultTypes;
  }
  int64_t getWorkspaceBytes() const override {
    return program->getWorkspaceBytes(sizes);
  }
  std::string getStatistics() const override;
  llvm::Error setArgument(unsigned index, ArrayRef<char> data) override;
  llvm::Error run() override;
  llvm::Error getResult(unsigned index, MutableArrayRef<char> data) override;
  llvm::Error carry(ArrayRef<Carry> carries) override;

private:
  llvm::Error check(fp8_status status) {
    return status == 0 ? llvm::Error::success()
                       : makeError(describeFailure(context));
  }
  llvm::Error allocate(ArrayRef<RankedTensorType> types,
                       SmallVectorImpl<fp8_buffer> &buffers);

  // Modules are loaded from the program: it has to outlive the context.
  std::unique_ptr<DeviceProgram> program;
  fp8_context *context = nullptr;
  SmallVector<fp8_buffer> arguments, results;
  /// Those that the program was not compiled for.
  SmallVector<int64_t> sizes;
  SmallVector<RankedTensorType> resultTypes;
};
} // namespace

/// Drivers have no empty allocations.
static uint64_t bufferBytes(RankedTensorType type) {
  return std::max<uint64_t>(getBufferBytes(type), 1);
}

llvm::Error DeviceExecutor::allocate(ArrayRef<RankedTensorType> types,
                                     SmallVectorImpl<fp8_buffer> &buffers) {
  for (RankedTensorType type : types) {
    fp8_buffer buffer;
    if (llvm::Error error =
            check(fp8_buffer_create(context, bufferBytes(type), &buffer)))
      return error;
    buffers.push_back(buffer);
  }
  return llvm::Error::success();
}

llvm::Error DeviceExecutor::open(const DeviceOptions &options,
                                 std::unique_ptr<DeviceProgram> compiled,
                                 ArrayRef<RankedTensorType> types,
                                 ArrayRef<int64_t> given) {
  program = std::move(compiled);
  sizes.assign(given.begin(), given.end());
  resultTypes = program->getResultTypes(sizes);
  fp8_emulator_options emulator = {
      options.target.c_str(), options.sms, options.seed,
      options.check.c_str(),  nullptr,     nullptr};
  if (fp8_context_create(options.device.c_str(), &emulator, &context))
    return makeError("--device=" + options.device + ": " +
                     describeFailure(context));
  if (fp8_check_device(context, options.target.c_str()))
    return makeError("--device=" + options.device + ": " +
                     describeFailure(context));
  if (llvm::Error error = allocate(types, arguments))
    return error;
  return allocate(resultTypes, results);
}

std::string DeviceExecutor::getStatistics() const {
  fp8_statistics s;
  fp8_get_statistics(context, &s);
  return llvm::formatv("device: {0} launches, {1} copies in ({2} bytes), {3} "
                       "copies out ({4} bytes), {5} allocations, {6} waits",
                       s.launches, s.copies_in, s.bytes_in, s.copies_out,
                       s.bytes_out, s.allocations, s.synchronizations);
}

llvm::Error DeviceExecutor::setArgument(unsigned index, ArrayRef<char> data) {
  if (data.empty())
    return llvm::Error::success();
  return check(
      fp8_copy_in(context, arguments[index], data.data(), data.size()));
}

llvm::Error DeviceExecutor::run() {
  if (llvm::Error error = program->run(context, arguments, results, sizes))
    return error;
  return check(fp8_synchronize(context));
}

llvm::Error DeviceExecutor::getResult(unsigned index,
                                      MutableArrayRef<char> data) {
  if (data.empty())
    return llvm::Error::success();
  if (llvm::Error error = check(
          fp8_copy_out(context, data.data(), results[index], data.size())))
    return error;
  canonicalizeNaNs(getResultTypes()[index], data.data());
  return llvm::Error::success();
}

/// Arguments are never written, so several may share a buffer.
llvm::Error DeviceExecutor::carry(ArrayRef<Carry> carries) {
  SmallVector<fp8_buffer> before = arguments, from = results;
  llvm::SmallDenseSet<unsigned> moved;
  SmallVector<fp8_buffer> free;
  for (const Carry &carry : carries)
    arguments[carry.argument] = from[carry.result];
  auto isUsed = [](ArrayRef<fp8_buffer> buffers, fp8_buffer buffer) {
    return llvm::any_of(buffers, [&](fp8_buffer other) {
      return other.address == buffer.address;
    });
  };
  for (const Carry &carry : carries) {
    // The first argument that a result feeds gives it a buffer for the next
    // step; if that one is shared, there is another, or a new one.
    fp8_buffer old = before[carry.argument];
    if (moved.contains(carry.result) || isUsed(arguments, old) ||
        isUsed(free, old))
      continue;
    moved.insert(carry.result);
    free.push_back(old);
    results[carry.result] = old;
  }
  for (const Carry &carry : carries)
    if (moved.insert(carry.result).second) {
      fp8_buffer &buffer = results[carry.result];
      if (llvm::Error error =
              check(fp8_buffer_create(context, buffer.bytes, &buffer)))
        return error;
    }
  return llvm::Error::success();
}

/// The types that a program for any sizes is compiled for: those of the
/// function, whose dynamic sizes, which `types` tell, go to `sizes`.
static SmallVector<RankedTensorType>
keepDynamic(func::FuncOp func, ArrayRef<RankedTensorType> types,
            SmallVectorImpl<int64_t> &sizes) {
  SmallVector<RankedTensorType> kept(types);
  for (auto [type, declared] : llvm::zip_equal(kept, func.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(declared);
    if (!tensor || tensor.hasStaticShape())
      continue;
    for (unsigned dim = 0; dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim))
        sizes.push_back(type.getDimSize(dim));
    type = tensor;
  }
  return kept;
}

llvm::Expected<std::unique_ptr<Executor>> mlir::fp8::createDeviceExecutor(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> types,
    const DeviceOptions &device, const JitOptions &jit,
    const PassInstrumenter &instrument) {
  std::string error;
  const auto *target = ::fp8::target::lookupGPUTarget(device.target, error);
  if (!target)
    return makeError("--device=" + device.device + ": " + error);
  SmallVector<int64_t> sizes;
  SmallVector<RankedTensorType> compiled(types);
  if (device.anySizes)
    compiled =
        keepDynamic(module.lookupSymbol<func::FuncOp>(name), types, sizes);
  auto program =
      DeviceProgram::compile(module, name, compiled, *target, device.gpu, jit,
                             instrument, device.schedules, device.ptxas);
  if (failed(program))
    return makeError("cannot compile @" + name);
  auto executor = std::make_unique<DeviceExecutor>();
  if (llvm::Error failure =
          executor->open(device, std::move(*program), types, sizes))
    return std::move(failure);
  return std::unique_ptr<Executor>(std::move(executor));
}
