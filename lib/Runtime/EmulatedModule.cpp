//===- EmulatedModule.cpp - Modules and launches of the emulated driver ---===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules are PTX text; launches are checked before the device sees them.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include "fp8/Support/Occupancy.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

namespace fp8::runtime::emulated {

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  Call call("cuModuleLoadData", Call::ContextToo);
  if (call || call.forbiddenInCapture("loading a module"))
    return call.error();
  if (!module || !image)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected two pointers");
  uint32_t magic;
  std::memcpy(&magic, image, 4);
  constexpr uint32_t Elf = 0x464c457f, Fatbin = 0xba55ed50;
  if (magic == Elf || magic == Fatbin)
    return call.fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                     "the emulated device runs PTX text, got a binary image");
  Module object;
  object.context = call.handle;
  Status status =
      call.s.machine->load(static_cast<const char *>(image), object.code);
  if (status)
    return call.fail(status);
  *module = call.s.modules.add(call.s.counter, std::move(object));
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            int *options, void **values) {
  // The options tune ptxas, which does not run here.
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  std::string text;
  {
    Call call("cuModuleLoad", Call::ContextToo);
    if (call)
      return call.error();
    std::ifstream file(path ? path : "", std::ios::binary);
    if (!file)
      return call.fail(CUDA_ERROR_FILE_NOT_FOUND,
                       std::string("cannot read ") + (path ? path : "null"));
    std::stringstream content;
    content << file.rdbuf();
    text = content.str();
  }
  return cuModuleLoadData(module, text.c_str());
}

CUresult cuModuleUnload(CUmodule module) {
  Call call("cuModuleUnload", Call::ContextToo);
  if (call || call.forbiddenInCapture("unloading a module"))
    return call.error();
  if (!call.require(call.s.modules, module, "module"))
    return call.error();
  std::vector<void *> functions;
  for (auto &[handle, function] : call.s.functions.objects)
    if (function.module == module)
      functions.push_back(handle);
  for (void *function : functions)
    call.s.functions.erase(function);
  call.s.modules.erase(module);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  Call call("cuModuleGetFunction", Call::ContextToo);
  if (call)
    return call.error();
  if (!function || !name)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected two pointers");
  Module *object = call.require(call.s.modules, module, "module");
  if (!object)
    return call.error();
  Function result;
  result.context = call.handle;
  result.module = module;
  result.name = name;
  if (!object->code->parameters(name, result.parameters))
    return call.fail(CUDA_ERROR_NOT_FOUND,
                     std::string("the module has no kernel ") + name);
  result.info = object->code->info(name);
  *function = call.s.functions.add(call.s.counter, std::move(result));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                              CUmodule module, const char *name) {
  Call call("cuModuleGetGlobal_v2", Call::ContextToo);
  if (call)
    return call.error();
  Module *object =
      name ? call.require(call.s.modules, module, "module") : nullptr;
  if (!object)
    return name ? call.error()
                : call.fail(CUDA_ERROR_INVALID_VALUE, "expected a name");
  uint64_t base = 0, size = 0;
  if (!object->code->variable(name, base, size))
    return call.fail(CUDA_ERROR_NOT_FOUND,
                     std::string("the module has no variable ") + name);
  if (address)
    *address = base;
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  Call call("cuFuncGetAttribute", Call::ContextToo);
  if (call)
    return call.error();
  Function *object = call.require(call.s.functions, function, "function");
  if (!object || !value)
    return object ? call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer")
                  : call.error();
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = object->info.maxThreads;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = object->maxDynamicShared;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = object->info.staticShared;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = object->info.localBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    *value = object->nonPortableCluster;
    return CUDA_SUCCESS;
  // Registers are ptxas' to say.
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = 0;
    return CUDA_SUCCESS;
  default:
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "function attribute " +
                                                   std::to_string(attribute) +
                                                   " is not known");
  }
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  Call call("cuFuncSetAttribute", Call::ContextToo);
  if (call)
    return call.error();
  Function *object = call.require(call.s.functions, function, "function");
  if (!object)
    return call.error();
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    int limit = call.s.machine->properties().maxSharedPerBlock -
                static_cast<int>(object->info.staticShared);
    if (value < 0 || value > limit)
      return call.fail(CUDA_ERROR_INVALID_VALUE,
                       "expected at most " + std::to_string(limit) +
                           " bytes of shared memory, got " +
                           std::to_string(value));
    object->maxDynamicShared = value;
  } else if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    object->nonPortableCluster = value != 0;
  } else if (attribute != 9) { // PREFERRED_SHARED_MEMORY_CARVEOUT is a hint
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "function attribute " +
                                                   std::to_string(attribute) +
                                                   " cannot be set");
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  Call call("cuFuncGetModule", Call::ContextToo);
  if (call)
    return call.error();
  Function *object = call.require(call.s.functions, function, "function");
  if (!object || !module)
    return object ? call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer")
                  : call.error();
  *module = object->module;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
  Call call("cuFuncSetCacheConfig", Call::ContextToo);
  if (call || !call.require(call.s.functions, function, "function"))
    return call.error();
  return config >= 0 && config <= 3
             ? CUDA_SUCCESS
             : call.fail(CUDA_ERROR_INVALID_VALUE, "expected 0 to 3");
}

/// Blocks of a cluster along dimension `i`: what the launch says, else what the
/// kernel was compiled for.
static uint32_t clusterExtent(const Function &function,
                              const LaunchShape &shape, unsigned i) {
  if (shape.cluster[i])
    return shape.cluster[i];
  return std::max(1u, function.info.cluster[i]);
}

/// Blocks of a function that fit on one multiprocessor.
static int residentBlocks(const MachineProperties &p, const Function &function,
                          int threads, size_t sharedBytes) {
  support::SMResources sm = {uint64_t(p.maxThreadsPerSM),
                             uint64_t(p.maxBlocksPerSM),
                             uint64_t(p.sharedPerSM)};
  return support::residentBlocks(sm, threads,
                                 sharedBytes + function.info.staticShared,
                                 function.info.registers);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int blockSize,
                                                     size_t sharedBytes) {
  Call call("cuOccupancyMaxActiveBlocksPerMultiprocessor", Call::ContextToo);
  if (call)
    return call.error();
  Function *object = call.require(call.s.functions, function, "function");
  if (!object)
    return call.error();
  if (!blocks || blockSize <= 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and a block size");
  *blocks = residentBlocks(call.s.machine->properties(), *object, blockSize,
                           sharedBytes);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                      const CUlaunchConfig *config) {
  Call call("cuOccupancyMaxActiveClusters", Call::ContextToo);
  if (call)
    return call.error();
  Function *object = call.require(call.s.functions, function, "function");
  if (!object)
    return call.error();
  if (!clusters || !config)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected two pointers");
  MachineProperties p = call.s.machine->properties();
  unsigned threads = config->blockDimX * config->blockDimY * config->blockDimZ;
  if (!threads)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "a block dimension is 0");
  LaunchShape shape = {};
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto &d = config->attrs[i].value.clusterDim;
      shape.cluster[0] = d.x;
      shape.cluster[1] = d.y;
      shape.cluster[2] = d.z;
    }
  uint64_t size = 1;
  for (unsigned i = 0; i < 3; ++i)
    size *= clusterExtent(*object, shape, i);
  int blocks = residentBlocks(p, *object, threads, config->sharedMemBytes);
  *clusters = p.clusters ? blocks * p.sms / static_cast<int>(size) : 0;
  return CUDA_SUCCESS;
}

static Status checkShape(const MachineProperties &p, const Function &function,
                         const LaunchShape &shape) {
  uint64_t threads = 1, cluster = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (!shape.grid[i] || !shape.block[i])
      return {CUDA_ERROR_INVALID_VALUE, "a grid or block dimension is 0"};
    threads *= shape.block[i];
    uint32_t extent = clusterExtent(function, shape, i);
    cluster *= extent;
    if (function.info.cluster[i] && function.info.cluster[i] != extent)
      return {CUDA_ERROR_INVALID_CLUSTER_SIZE,
              "the kernel was compiled for clusters of " +
                  std::to_string(function.info.cluster[i]) +
                  " blocks in dimension " + std::to_string(i) + ", got " +
                  std::to_string(extent)};
    if (shape.grid[i] % extent)
      return {CUDA_ERROR_INVALID_CLUSTER_SIZE,
              "the grid is not a multiple of the cluster"};
    if (shape.grid[i] > support::MaxGridDim[i])
      return {CUDA_ERROR_INVALID_VALUE,
              "expected a grid of at most " +
                  std::to_string(support::MaxGridDim[i]) +
                  " blocks in dimension " + std::to_string(i) + ", got " +
                  std::to_string(shape.grid[i])};
    if (shape.block[i] > support::MaxBlockDim[i])
      return {CUDA_ERROR_INVALID_VALUE,
              "expected a block of at most " +
                  std::to_string(support::MaxBlockDim[i]) +
                  " threads in dimension " + std::to_string(i) + ", got " +
                  std::to_string(shape.block[i])};
  }
  if (threads > support::MaxBlockThreads)
    return {CUDA_ERROR_INVALID_VALUE,
            "expected at most " + std::to_string(support::MaxBlockThreads) +
                " threads in a block, got " + std::to_string(threads)};
  if (cluster > 1 && !p.clusters)
    return {CUDA_ERROR_NOT_SUPPORTED, "this device has no clusters"};
  unsigned most = p.maxClusterBlocks;
  if (!function.nonPortableCluster)
    most = std::min(most, support::PortableClusterBlocks);
  if (cluster > 1 && cluster > most)
    return {CUDA_ERROR_INVALID_CLUSTER_SIZE,
            "expected a cluster of at most " + std::to_string(most) +
                " blocks, got " + std::to_string(cluster) +
                (function.nonPortableCluster
                     ? ""
                     : "; CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED "
                       "allows more where the device has them")};
  if (threads > function.info.maxThreads)
    return {CUDA_ERROR_INVALID_VALUE,
            "expected at most " + std::to_string(function.info.maxThreads) +
                " threads in a block of this kernel, got " +
                std::to_string(threads)};
  if (shape.sharedBytes > unsigned(function.maxDynamicShared))
    return {CUDA_ERROR_INVALID_VALUE,
            std::to_string(shape.sharedBytes) +
                " bytes of dynamic shared memory exceed the function's limit "
                "of " +
                std::to_string(function.maxDynamicShared) +
                "; raise CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"};
  uint64_t shared = uint64_t(shape.sharedBytes) + function.info.staticShared;
  if (shared > unsigned(p.maxSharedPerBlock))
    return {CUDA_ERROR_INVALID_VALUE,
            "expected at most " + std::to_string(p.maxSharedPerBlock) +
                " bytes of static and dynamic shared memory, got " +
                std::to_string(shared)};
  return {};
}

/// The parameter block, from pointers or from a packed buffer.
static Status packParameters(const Function &function, void **params,
                             void **extra, std::vector<uint8_t> &bytes) {
  uint32_t size = 0;
  for (const Parameter &p : function.parameters)
    size = std::max(size, p.offset + p.size);
  bytes.assign(size, 0);
  if (extra) {
    // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, END.
    void *buffer = nullptr;
    size_t given = 0;
    for (; *extra; extra += 2) {
      if (*extra == reinterpret_cast<void *>(1))
        buffer = extra[1];
      else if (*extra == reinterpret_cast<void *>(2))
        given = *static_cast<size_t *>(extra[1]);
      else
        return {CUDA_ERROR_INVALID_VALUE, "unknown entry in extra"};
    }
    if (!buffer || given < size)
      return {CUDA_ERROR_INVALID_VALUE,
              "expected a parameter buffer of " + std::to_string(size) +
                  " bytes, got " + std::to_string(given)};
    std::memcpy(bytes.data(), buffer, size);
    return {};
  }
  if (!params && !function.parameters.empty())
    return {CUDA_ERROR_INVALID_VALUE,
            "expected " + std::to_string(function.parameters.size()) +
                " parameters, got none"};
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (!params[i])
      return {CUDA_ERROR_INVALID_VALUE,
              "parameter " + std::to_string(i) + " is null"};
    const Parameter &p = function.parameters[i];
    std::memcpy(bytes.data() + p.offset, params[i], p.size);
  }
  return {};
}

static CUresult launch(Call &call, CUfunction function,
                       const LaunchShape &shape, CUstream stream, void **params,
                       void **extra) {
  Function *object = call.require(call.s.functions, function, "function");
  if (!object)
    return call.error();
  std::vector<uint8_t> bytes;
  Status status = checkShape(call.s.machine->properties(), *object, shape);
  if (!status)
    status = packParameters(*object, params, extra, bytes);
  if (status)
    return call.fail(status);
  CUmodule module = object->module;
  std::string name = object->name;
  return call.submit(stream, [=]() -> Status {
    Module *code = state().modules.find(module);
    if (!code) // a graph may outlive its module
      return {CUDA_ERROR_INVALID_HANDLE,
              "the module of kernel " + name + " was unloaded"};
    return code->code->launch(name, shape, bytes);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **params, void **extra) {
  Call call("cuLaunchKernel", Call::ContextToo);
  if (call)
    return call.error();
  LaunchShape shape = {{gridX, gridY, gridZ},
                       {blockX, blockY, blockZ},
                       {0, 0, 0},
                       sharedBytes,
                       false};
  return launch(call, function, shape, stream, params, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **params, void **extra) {
  Call call("cuLaunchKernelEx", Call::ContextToo);
  if (call)
    return call.error();
  if (!config || (config->numAttrs && !config->attrs))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a configuration");
  LaunchShape shape = {
      {config->gridDimX, config->gridDimY, config->gridDimZ},
      {config->blockDimX, config->blockDimY, config->blockDimZ},
      {0, 0, 0},
      config->sharedMemBytes,
      false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute &a = config->attrs[i];
    switch (a.id) {
    case 0: // ignored entry
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      shape.cluster[0] = a.value.clusterDim.x;
      shape.cluster[1] = a.value.clusterDim.y;
      shape.cluster[2] = a.value.clusterDim.z;
      break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      shape.programmatic = a.value.flag;
      break;
    default:
      return call.fail(CUDA_ERROR_NOT_SUPPORTED, "launch attribute " +
                                                     std::to_string(a.id) +
                                                     " is not known");
    }
  }
  return launch(call, function, shape, config->hStream, params, extra);
}

} // namespace fp8::runtime::emulated
