//===- EmulatorMachine.cpp - The PTX emulator as a device -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads PTX into the emulator and runs launches on it. A launch that the device
// refuses is an invalid value, a fault or a finding is a failed launch.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/EmulatorMachine.h"

#include "fp8/Emulator/Inspect.h"
#include "fp8/Emulator/Limits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <new>

namespace fp8::runtime {

bool parseEmulatorConfig(const std::string &text, EmulatorConfig &config,
                         std::string &error) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    auto [left, right] = line.split('=');
    llvm::StringRef key = left.trim(), value = right.trim();
    bool ok = true;
    if (key == "target")
      config.target = value.str();
    else if (key == "sms")
      ok = llvm::to_integer(value, config.sms);
    else if (key == "seed")
      ok = llvm::to_integer(value, config.seed);
    else if (key == "check")
      config.check = value.str();
    else if (key == "mma-model")
      config.mmaModel = value.str();
    else
      ok = false;
    if (!ok) {
      error = "expected target, sms, seed, check or mma-model = value, got '" +
              line.str() + "'";
      return false;
    }
  }
  return true;
}

namespace {

std::string text(llvm::Error error) { return llvm::toString(std::move(error)); }

class EmulatorModule final : public MachineModule {
public:
  EmulatorModule(emulator::Device &device, const EmulatorConfig &config,
                 std::unique_ptr<emulator::ptx::Module> source,
                 emulator::ProgramPtr program)
      : device(device), config(config), source(std::move(source)),
        program(std::move(program)) {}

  bool parameters(const std::string &kernel,
                  std::vector<Parameter> &list) override {
    auto layout = emulator::parameterLayout(*program, kernel);
    if (!layout) {
      llvm::consumeError(layout.takeError());
      return false;
    }
    for (const emulator::ParameterLayout &p : *layout)
      list.push_back({p.offset, p.size});
    return true;
  }

  KernelInfo info(const std::string &kernel) override {
    KernelInfo result;
    if (auto found = emulator::kernelResources(*program, kernel)) {
      result.staticShared = found->staticShared;
      result.localBytes = found->localBytes;
      result.registers = found->registers;
      result.maxThreads = found->maxThreads;
      for (unsigned i = 0; i < 3; ++i)
        result.cluster[i] = found->cluster[i];
    }
    return result;
  }

  bool variable(const std::string &name, uint64_t &address,
                uint64_t &bytes) override {
    auto place = emulator::findVariable(*program, name);
    if (!place)
      return false;
    address = place->address;
    bytes = place->bytes;
    return true;
  }

  Status launch(const std::string &kernel, const LaunchShape &shape,
                const std::vector<uint8_t> &params) override {
    emulator::LaunchConfig launch;
    launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
    launch.block = {shape.block[0], shape.block[1], shape.block[2]};
    launch.cluster = {shape.cluster[0], shape.cluster[1], shape.cluster[2]};
    launch.dynamicShared = shape.sharedBytes;
    launch.programmatic = shape.programmatic;
    launch.params = params;
    // A finding that is there already is not added again: without this, the
    // second launch with the same fault would pass.
    device.findings().clear();
    llvm::Error error = device.launch(*program, kernel, launch);
    std::string message = error ? text(std::move(error)) : "";
    const auto &findings = device.findings().all();
    if (config.finding)
      for (const emulator::Finding &finding : findings)
        config.finding(describe(finding));
    if (!findings.empty())
      return {codeOf(findings.front().kind),
              message.empty() ? describe(findings.front()) : message};
    if (!message.empty())
      return {CUDA_ERROR_INVALID_VALUE, message};
    return {};
  }

private:
  static std::string describe(const emulator::Finding &finding) {
    std::string at = "PTX line " + std::to_string(finding.a.ptxLine);
    if (!finding.a.file.empty())
      at += " (" + finding.a.file + ":" + std::to_string(finding.a.line) + ")";
    return finding.kind + ": " + finding.message + ", " + at;
  }

  static CUresult codeOf(llvm::StringRef kind) {
    return llvm::StringSwitch<CUresult>(kind)
        .Cases({"out-of-bounds", "use-after-free"}, CUDA_ERROR_ILLEGAL_ADDRESS)
        .Case("misaligned", CUDA_ERROR_MISALIGNED_ADDRESS)
        .Default(CUDA_ERROR_LAUNCH_FAILED);
  }

  emulator::Device &device;
  const EmulatorConfig &config;
  std::unique_ptr<emulator::ptx::Module> source;
  emulator::ProgramPtr program;
};

class EmulatorMachine final : public Machine {
public:
  EmulatorMachine(const EmulatorConfig &config,
                  const emulator::DeviceOptions &options)
      : config(config), target(*options.target), device(options) {
    device.monitor = config.observer;
  }

  MachineProperties properties() const override {
    MachineProperties p;
    p.name = std::string(EmulatedDeviceName) + " (" + target.name + ")";
    p.major = target.capability / 10;
    p.minor = target.capability % 10;
    p.sms = config.sms ? config.sms : target.sms;
    p.maxThreadsPerSM = target.maxThreadsPerSM;
    p.maxSharedPerBlock = target.maxSharedPerBlock;
    p.sharedPerSM = target.sharedPerSM;
    p.maxBlocksPerSM = target.maxBlocksPerSM;
    p.maxClusterBlocks = target.maxClusterSize;
    p.memoryBytes = emulator::deviceMemoryBytes(target);
    p.clusters = target.hasClusters;
    p.tensorMaps = target.hasTMA;
    return p;
  }

  uint64_t allocate(uint64_t bytes) override {
    if (bytes > emulator::deviceMemoryBytes(target) - used)
      return 0;
    // The host may have less memory than the device has.
    std::unique_ptr<uint8_t[]> room(new (std::nothrow) uint8_t[bytes]);
    if (!room)
      return 0;
    room.reset();
    emulator::Allocation &allocation =
        device.memory().allocate(bytes, "allocation");
    allocation.startsUndefined = config.check != "none";
    sizes[allocation.base] = bytes;
    used += bytes;
    return allocation.base;
  }
  bool release(uint64_t address) override {
    auto size = sizes.find(address);
    if (size == sizes.end())
      return false;
    used -= size->second;
    sizes.erase(size);
    return device.memory().release(address);
  }
  uint8_t *translate(uint64_t address, uint64_t bytes) override {
    return device.memory().translate(address, bytes);
  }
  void written(uint64_t address, uint64_t bytes) override {
    emulator::noteHostWrite(device.memory(), address, bytes);
  }

  Status load(const std::string &ptx,
              std::unique_ptr<MachineModule> &module) override {
    auto source = emulator::ptx::parse(ptx, "module");
    if (!source)
      return {CUDA_ERROR_INVALID_PTX, text(source.takeError())};
    auto program = emulator::loadProgram(**source, target);
    if (!program)
      return {CUDA_ERROR_INVALID_PTX, text(program.takeError())};
    if (llvm::Error error = device.load(**program))
      return {CUDA_ERROR_INVALID_PTX, text(std::move(error))};
    module = std::make_unique<EmulatorModule>(
        device, config, std::move(*source), std::move(*program));
    return {};
  }

private:
  EmulatorConfig config;
  const emulator::Target &target;
  emulator::Device device;
  /// Live allocations and their sum, in bytes.
  std::map<uint64_t, uint64_t> sizes;
  uint64_t used = 0;
};

} // namespace

std::unique_ptr<Machine> createEmulatorMachine(const EmulatorConfig &config,
                                               std::string &error) {
  emulator::DeviceOptions options;
  options.target = emulator::findTarget(config.target);
  if (!options.target) {
    error = "expected a target out of " + emulator::targetNames() + ", got '" +
            config.target + "'";
    return nullptr;
  }
  bool ok = true;
  options.sms = config.sms;
  options.seed = config.seed;
  options.check = llvm::StringSwitch<emulator::CheckLevel>(config.check)
                      .Case("none", emulator::CheckLevel::None)
                      .Case("strict", emulator::CheckLevel::Strict)
                      .Default(emulator::CheckLevel::Error);
  ok &= config.check == "none" || config.check == "error" ||
        config.check == "strict";
  options.mma = config.mmaModel == "exact" ? emulator::MmaModel::Exact
                                           : emulator::MmaModel::Hardware;
  ok &= config.mmaModel == "exact" || config.mmaModel == "hardware";
  if (!ok) {
    error = "expected check none, error or strict and mma-model hardware or "
            "exact, got '" +
            config.check + "' and '" + config.mmaModel + "'";
    return nullptr;
  }
  return std::make_unique<EmulatorMachine>(config, options);
}

} // namespace fp8::runtime
