//===- Executor.cpp - A program and its buffers ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of a device, and the CPU: buffers are vectors.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Inputs.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Tool.h"

#include <cstring>

using namespace mlir;
using namespace mlir::fp8;

Executor::~Executor() = default;

namespace {
class CPUExecutor final : public Executor {
public:
  CPUExecutor(std::unique_ptr<CPUProgram> program,
              ArrayRef<RankedTensorType> types)
      : program(std::move(program)), arguments(types.size()) {
    for (RankedTensorType type : this->program->getResultTypes())
      results.emplace_back(type.getNumElements() *
                           getElementBytes(type.getElementType()));
  }

  ArrayRef<RankedTensorType> getResultTypes() const override {
    return program->getResultTypes();
  }
  int64_t getWorkspaceBytes() const override {
    return program->getWorkspaceBytes();
  }

  llvm::Error setArgument(unsigned index, ArrayRef<char> data) override {
    arguments[index].assign(data.begin(), data.end());
    return llvm::Error::success();
  }

  llvm::Error run() override {
    SmallVector<const void *> args;
    SmallVector<void *> outs;
    for (const std::vector<char> &argument : arguments)
      args.push_back(argument.data());
    for (std::vector<char> &result : results)
      outs.push_back(result.data());
    return program->run(args, outs);
  }

  llvm::Error getResult(unsigned index, MutableArrayRef<char> data) override {
    if (!data.empty())
      std::memcpy(data.data(), results[index].data(), data.size());
    return llvm::Error::success();
  }

  llvm::Error carry(ArrayRef<Carry> carries) override {
    for (const Carry &carry : carries)
      arguments[carry.argument] = results[carry.result];
    return llvm::Error::success();
  }

private:
  std::unique_ptr<CPUProgram> program;
  std::vector<std::vector<char>> arguments, results;
};
} // namespace

llvm::Expected<std::unique_ptr<Executor>> mlir::fp8::createCPUExecutor(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> types,
    const JitOptions &jit, const PassInstrumenter &instrument) {
  auto program = CPUProgram::compile(module, name, types, jit, instrument);
  if (failed(program))
    return makeError("cannot compile @" + name);
  for (auto [index, type] : llvm::enumerate((*program)->getResultTypes()))
    if (llvm::Error error = checkMemory("result " + Twine(index), type))
      return std::move(error);
  return std::make_unique<CPUExecutor>(std::move(*program), types);
}

llvm::Expected<std::unique_ptr<Executor>>
mlir::fp8::createExecutor(ModuleOp module, StringRef name,
                          ArrayRef<RankedTensorType> types,
                          const DeviceOptions &device, const JitOptions &jit,
                          const PassInstrumenter &instrument) {
  if (device.device == "cpu")
    return createCPUExecutor(module, name, types, jit, instrument);
  return createDeviceExecutor(module, name, types, device, jit, instrument);
}
