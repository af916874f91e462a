//===- Device.cpp - load and launch ---------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a real device refuses at launch is refused here, before anything runs.
//
//===----------------------------------------------------------------------===//

#include "CacheModel.h"
#include "Crew.h"
#include "Machine.h"
#include "Tee.h"

#include "../Sanitizer/Shadow.h"

#include "fp8/Support/Occupancy.h"

using namespace fp8::emulator;

Device::Device(const DeviceOptions &options) : config(options) {
  if (!config.sms)
    config.sms = config.target->sms;
  if (config.check != CheckLevel::None)
    sanitizer = makeSanitizer(*this);
  crew = std::make_unique<Crew>(config.threads);
}

Device::~Device() = default;

void fp8::emulator::destroy(Program *program) { delete program; }

//===----------------------------------------------------------------------===//
// Load
//===----------------------------------------------------------------------===//

static llvm::Error initialize(const Program &program, GlobalMemory &memory,
                              const ptx::Variable &variable, uint64_t where) {
  unsigned bytes = ptx::sizeOf(variable.type);
  uint8_t *host = memory.translate(where, variable.bytes());
  for (size_t i = 0; i < variable.init.size(); ++i) {
    const ptx::InitItem &item = variable.init[i];
    uint64_t value = item.bits;
    if (!item.symbol.empty()) {
      bool found = false;
      for (const auto &[other, offset] : program.globals)
        if (other->name == item.symbol) {
          value += program.globalBase + offset;
          found = true;
        }
      auto function = program.functionIndex.find(item.symbol);
      if (!found && function != program.functionIndex.end()) {
        value += FunctionWindow + 16 * function->second;
        found = true;
      }
      if (!found)
        return ptx::makeError(*program.module, variable.line,
                              "unknown symbol '" + item.symbol +
                                  "' in an initialiser");
      value >>= item.shift;
    }
    memcpy(host + i * bytes, &value, std::min(bytes, 8u));
  }
  return llvm::Error::success();
}

llvm::Error Device::load(Program &program) {
  if (program.loaded)
    return llvm::Error::success();
  program.loaded = true;
  if (!program.globalBytes)
    return llvm::Error::success();
  program.globalBase =
      global.allocate(program.globalBytes, "module variables", 1024).base;
  for (const Program::Relocation &relocation : program.relocations)
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned bytes = relocation.wide ? 8 : 4;
      uint8_t *at =
          relocation.code->constants.data() + relocation.offset + lane * bytes;
      uint64_t value = 0;
      memcpy(&value, at, bytes);
      value += program.globalBase;
      memcpy(at, &value, bytes);
    }
  for (const auto &[variable, offset] : program.globals)
    if (llvm::Error error =
            initialize(program, global, *variable, program.globalBase + offset))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static std::string text(const Dim3 &d) {
  return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" +
         std::to_string(d.z);
}

static bool isZero(const Dim3 &d) { return !d.x || !d.y || !d.z; }

static bool exceeds(const Dim3 &d, const uint32_t (&most)[3]) {
  return d.x > most[0] || d.y > most[1] || d.z > most[2];
}

static llvm::Error refuse(const Code &kernel, const llvm::Twine &why) {
  return llvm::createStringError("cannot launch '" + kernel.name + "': " + why);
}

static llvm::Error checkBlock(const Target &target, const Code &kernel,
                              const Grid &grid, const LaunchConfig &config) {
  const Dim3 &block = grid.blockDim;
  if (isZero(grid.gridDim) || isZero(block))
    return refuse(kernel, "expected extents of at least 1, found grid " +
                              text(grid.gridDim) + " and block " + text(block));
  using namespace fp8::support;
  if (block.count() > MaxBlockThreads || exceeds(block, MaxBlockDim))
    return refuse(kernel,
                  "expected a block of at most " +
                      llvm::Twine(MaxBlockThreads) + " threads (z at most " +
                      llvm::Twine(MaxBlockDim[2]) + "), found " + text(block));
  if (exceeds(grid.gridDim, MaxGridDim))
    return refuse(kernel,
                  "expected a grid of at most " +
                      text({MaxGridDim[0], MaxGridDim[1], MaxGridDim[2]}) +
                      ", found " + text(grid.gridDim));
  const auto &required = kernel.source->requiredThreads;
  if (required[0] && (block.x != required[0] || block.y != required[1] ||
                      block.z != required[2]))
    return refuse(kernel, "expected the block of .reqntid, " +
                              text({required[0], required[1], required[2]}) +
                              ", found " + text(block));
  const auto &most = kernel.source->maxThreads;
  if (most[0] && block.count() > uint64_t(most[0]) * most[1] * most[2])
    return refuse(kernel, "expected at most the threads of .maxntid, " +
                              text({most[0], most[1], most[2]}) + ", found " +
                              text(block));
  if (grid.sharedBytes > target.maxSharedPerBlock)
    return refuse(kernel, "expected at most " +
                              llvm::Twine(target.maxSharedPerBlock) +
                              " bytes of shared memory on " + target.name +
                              ", found " + llvm::Twine(grid.sharedBytes));
  uint32_t each = grid.entryRegisters;
  if (blockRegisters(block.count(), each) > MaxBlockRegisters)
    return refuse(kernel, "expected at most " + llvm::Twine(MaxBlockRegisters) +
                              " registers in a block, found " +
                              llvm::Twine(block.count()) + " threads with " +
                              llvm::Twine(each) +
                              " each (.maxnreg and setmaxnreg)");
  if (config.params.size() != kernel.paramBytes)
    return refuse(kernel, "expected " + llvm::Twine(kernel.paramBytes) +
                              " bytes of parameters, found " +
                              llvm::Twine(config.params.size()));
  return llvm::Error::success();
}

static llvm::Error setCluster(const Target &target, const Code &kernel,
                              Grid &grid, const LaunchConfig &config) {
  const auto &required = kernel.source->requiredCluster;
  Dim3 own{required[0], required[1], required[2]};
  Dim3 asked = config.cluster;
  if (!isZero(own) && !isZero(asked) &&
      (own.x != asked.x || own.y != asked.y || own.z != asked.z))
    return refuse(kernel, "expected the cluster of .reqnctapercluster, " +
                              text(own) + ", found " + text(asked));
  Dim3 cluster = isZero(asked) ? own : asked;
  if (isZero(cluster)) {
    if (kernel.source->explicitCluster)
      return refuse(kernel, "expected a cluster size (.explicitcluster)");
    return llvm::Error::success();
  }
  if (!target.hasClusters && cluster.count() > 1)
    return refuse(kernel, "expected no cluster on " + llvm::Twine(target.name) +
                              ", found " + text(cluster));
  unsigned most = std::min(target.maxClusterSize, grid.device->options().sms);
  if (cluster.count() > most)
    return refuse(kernel, "expected a cluster of at most " + llvm::Twine(most) +
                              " blocks, found " + text(cluster));
  if (kernel.source->maxClusterRank &&
      cluster.count() > kernel.source->maxClusterRank)
    return refuse(kernel, "expected at most .maxclusterrank blocks in a "
                          "cluster, found " +
                              text(cluster));
  if (grid.gridDim.x % cluster.x || grid.gridDim.y % cluster.y ||
      grid.gridDim.z % cluster.z)
    return refuse(kernel, "expected a grid that is a multiple of the cluster " +
                              text(cluster) + ", found " + text(grid.gridDim));
  grid.clusterDim = cluster;
  grid.hasClusters = true;
  return llvm::Error::success();
}

/// Whether the sanitizer can name every warp and instruction of a launch.
static llvm::Error checkNames(const Program &program, const Code &kernel,
                              const Grid &grid) {
  uint64_t warps =
      grid.gridDim.count() * llvm::divideCeil(grid.blockDim.count(), 32);
  if (warps > Touch::maxWarps)
    return refuse(kernel, "expected at most " + llvm::Twine(Touch::maxWarps) +
                              " warps with checks on, found " +
                              llvm::Twine(warps) + "; use --check=none");
  uint64_t ops = 0;
  for (const auto &code : program.functions)
    ops += code->ops.size();
  if (ops > Touch::maxOps)
    return refuse(kernel, "expected at most " + llvm::Twine(Touch::maxOps) +
                              " instructions with checks on, found " +
                              llvm::Twine(ops) + "; use --check=none");
  return llvm::Error::success();
}

/// Both of two monitors, either of which may be null, through `tee`.
static Monitor *join(Monitor *first, Monitor *second, std::optional<Tee> &tee) {
  if (!first || !second)
    return first ? first : second;
  return &tee.emplace(*first, *second);
}

llvm::Error Device::launch(Program &program, llvm::StringRef name,
                           const LaunchConfig &launch) {
  if (llvm::Error error = load(program))
    return error;
  const Code *kernel = findKernel(program, name);
  if (!kernel) {
    auto layout = parameterLayout(program, name);
    return layout.takeError();
  }
  Grid grid;
  grid.device = this;
  grid.program = &program;
  grid.kernel = kernel;
  grid.gridDim = launch.grid;
  grid.blockDim = launch.block;
  grid.dynamicShared = launch.dynamicShared;
  if (launch.dynamicShared > config.target->maxSharedPerBlock)
    return refuse(*kernel, "expected at most " +
                               llvm::Twine(config.target->maxSharedPerBlock) +
                               " bytes of shared memory on " +
                               config.target->name + ", found " +
                               llvm::Twine(launch.dynamicShared));
  grid.sharedBytes = kernel->staticShared + launch.dynamicShared;
  grid.programmatic = launch.programmatic;
  grid.entryRegisters = entryRegisters(*kernel);
  std::optional<CacheModel> cache;
  if (collectStatistics && config.l2Bytes)
    cache.emplace(config.l2Bytes);
  std::array<std::optional<Tee>, 2> tees;
  grid.monitor = join(join(sanitizer.get(), monitor, tees[0]),
                      cache ? &*cache : nullptr, tees[1]);
  if (llvm::Error error = checkBlock(*config.target, *kernel, grid, launch))
    return error;
  if (llvm::Error error = setCluster(*config.target, *kernel, grid, launch))
    return error;
  if (sanitizer)
    if (llvm::Error error = checkNames(program, *kernel, grid))
      return error;
  grid.clusterCount = grid.gridDim.count() / grid.clusterDim.count();
  grid.gridId = ++launches;
  grid.seed = config.seed * 0x9e3779b97f4a7c15ull + launches;
  grid.random.seed(grid.seed);
  Allocation &params =
      global.allocate(kernel->paramBytes, "parameters of " + kernel->name);
  llvm::copy(launch.params, params.bytes.get());
  params.readOnly = true;
  grid.params = &params;
  grid.paramBase = params.base;
  if (grid.monitor)
    grid.monitor->gridStart(grid);
  // Monitors and counts see one order of execution.
  bool alone = grid.monitor || collectStatistics || crew->size() == 1;
  llvm::Error result = runGrid(grid, alone ? nullptr : crew.get());
  if (grid.monitor)
    grid.monitor->gridEnd(grid);
  if (cache && cache->isFull() && !result)
    result = refuse(*kernel, "expected at most " +
                                 llvm::Twine(CacheModel::mostRequests) +
                                 " requests for the model of the L2 cache, "
                                 "found more; launch less or do without it");
  if (collectStatistics) {
    counts.launches = 1;
    collectMix(program, counts);
    addStatistics(kernels[kernel->name], counts);
  }
  counts = {};
  global.release(params.base);
  return result;
}
