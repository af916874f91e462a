//===- EmulatedContext.cpp - Devices and contexts of the emulated driver --===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuInit, device queries, contexts. Destroying a context with live objects is a
// leak and an error, although they are freed.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include <cstring>

namespace fp8::runtime::emulated {

CUresult cuInit(unsigned flags) {
  Call call("cuInit", Call::Nothing);
  if (flags)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected flags 0");
  if (!call.s.machine && call.s.factory)
    call.s.machine = call.s.factory();
  if (!call.s.machine)
    return call.fail(CUDA_ERROR_NO_DEVICE, "no emulated device is configured");
  call.s.initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion", Call::Nothing);
  if (!version)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  Call call("cuDeviceGet", Call::Init);
  if (call)
    return call.error();
  if (!device || ordinal != 0)
    return call.fail(CUDA_ERROR_INVALID_DEVICE, "the only device is 0");
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount", Call::Init);
  if (call)
    return call.error();
  if (!count)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  Call call("cuDeviceGetName", Call::Init);
  if (call)
    return call.error();
  if (!name || length <= 0 || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a buffer and device 0");
  std::string text = call.s.machine->properties().name;
  std::strncpy(name, text.c_str(), length - 1);
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  Call call("cuDeviceTotalMem_v2", Call::Init);
  if (call)
    return call.error();
  if (!bytes || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  *bytes = call.s.machine->properties().memoryBytes;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  Call call("cuMemGetInfo_v2", Call::ContextToo);
  if (call)
    return call.error();
  if (!available || !total)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected two pointers");
  uint64_t used = 0;
  for (auto &[address, memory] : call.s.memory)
    used += memory.bytes;
  *total = call.s.machine->properties().memoryBytes;
  *available = *total - used;
  return CUDA_SUCCESS;
}

/// Values of CUdevice_attribute; -1 for those that we do not answer.
static int attributeValue(const MachineProperties &p, int attribute) {
  using namespace fp8::support;
  switch (attribute) {
  case 1: // MAX_THREADS_PER_BLOCK
  case 2: // MAX_BLOCK_DIM_X
  case 3: // MAX_BLOCK_DIM_Y
    return MaxBlockThreads;
  case 4: // MAX_BLOCK_DIM_Z
    return MaxBlockDim[2];
  case 5: // MAX_GRID_DIM_X
  case 6: // MAX_GRID_DIM_Y
  case 7: // MAX_GRID_DIM_Z
    return MaxGridDim[attribute - 5];
  case 8: // MAX_SHARED_MEMORY_PER_BLOCK
    return DefaultSharedBytes;
  case 9: // TOTAL_CONSTANT_MEMORY
    return ConstantBytes;
  case 10: // WARP_SIZE
    return 32;
  case 12: // MAX_REGISTERS_PER_BLOCK
  case 82: // MAX_REGISTERS_PER_MULTIPROCESSOR
    return MaxBlockRegisters;
  case 13: // CLOCK_RATE, kHz
  case 36: // MEMORY_CLOCK_RATE
    return 1000000;
  case 37: // GLOBAL_MEMORY_BUS_WIDTH
    return 5120;
  case 38: // L2_CACHE_SIZE
    return 50 << 20;
  case 16: // MULTIPROCESSOR_COUNT
    return p.sms;
  case 39: // MAX_THREADS_PER_MULTIPROCESSOR
    return p.maxThreadsPerSM;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    return p.major;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    return p.minor;
  case 81: // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
    return p.sharedPerSM;
  case 97: // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return p.maxSharedPerBlock;
  case 106: // MAX_BLOCKS_PER_MULTIPROCESSOR
    return p.maxBlocksPerSM;
  case 111: // RESERVED_SHARED_MEMORY_PER_BLOCK
    return ReservedSharedBytes;
  case 120: // CLUSTER_LAUNCH
    return p.clusters;
  case 127: // TENSOR_MAP_ACCESS_SUPPORTED
    return p.tensorMaps;
  case 31:  // CONCURRENT_KERNELS
  case 41:  // UNIFIED_ADDRESSING
  case 115: // MEMORY_POOLS_SUPPORTED
    return 1;
  case 33: // PCI_BUS_ID
  case 34: // PCI_DEVICE_ID
  case 35: // TCC_DRIVER
  case 83: // MANAGED_MEMORY
  case 95: // COOPERATIVE_LAUNCH
    return 0;
  default:
    return -1;
  }
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  Call call("cuDeviceGetAttribute", Call::Init);
  if (call)
    return call.error();
  if (!value || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  int found = attributeValue(call.s.machine->properties(), attribute);
  if (found < 0)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "device attribute " +
                                                   std::to_string(attribute) +
                                                   " is not known");
  *value = found;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  Call call("cuDevicePrimaryCtxRetain", Call::Init);
  if (call)
    return call.error();
  if (!context || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  if (!call.s.primary) {
    Context primary;
    primary.primary = true;
    call.s.primary = call.s.contexts.add(call.s.counter, primary);
  }
  ++call.s.contexts.find(call.s.primary)->references;
  *context = call.s.primary;
  return CUDA_SUCCESS;
}

/// Removes what belongs to a context; the text names what was left.
static std::string releaseObjects(State &s, CUcontext context) {
  size_t memory = 0, modules = 0, streams = 0, others = 0;
  for (auto it = s.memory.begin(); it != s.memory.end();) {
    if (it->second.context != context) {
      ++it;
      continue;
    }
    s.machine->release(it->first);
    if (Pool *pool = s.pools.find(it->second.pool))
      pool->used -= it->second.bytes;
    it = s.memory.erase(it);
    ++memory;
  }
  auto clear = [&](auto &table) {
    size_t n = 0;
    std::vector<void *> handles;
    for (auto &[handle, object] : table.objects)
      if (object.context == context)
        handles.push_back(handle);
    for (void *handle : handles)
      n += table.erase(handle);
    return n;
  };
  clear(s.functions);
  modules = clear(s.modules);
  streams = clear(s.streams);
  others = clear(s.events) + clear(s.graphs) + clear(s.execs);
  if (!(memory + modules + streams + others))
    return "";
  return std::to_string(memory) + " allocations, " + std::to_string(modules) +
         " modules, " + std::to_string(streams) + " streams and " +
         std::to_string(others) + " events or graphs";
}

static CUresult destroyContext(Call &call, CUcontext context) {
  std::string leaks = releaseObjects(call.s, context);
  call.s.contexts.erase(context);
  for (CUcontext &entry : contextStack())
    if (entry == context)
      entry = nullptr;
  if (!leaks.empty())
    return call.fail(CUDA_ERROR_ILLEGAL_STATE,
                     "the context is destroyed with " + leaks + " alive");
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  Call call("cuDevicePrimaryCtxRelease_v2", Call::Init);
  if (call)
    return call.error();
  if (device != 0 || !call.s.primary)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT,
                     "the primary context is not retained");
  if (--call.s.contexts.find(call.s.primary)->references)
    return CUDA_SUCCESS;
  CUcontext primary = call.s.primary;
  call.s.primary = nullptr;
  return destroyContext(call, primary);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  Call call("cuCtxCreate_v2", Call::Init);
  if (call)
    return call.error();
  if (!context || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  *context = call.s.contexts.add(call.s.counter, Context());
  contextStack().push_back(*context);
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  Call call("cuCtxDestroy_v2", Call::Init);
  if (call)
    return call.error();
  Context *object = call.s.contexts.find(context);
  if (!object)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT,
                     call.s.contexts.wasDestroyed(context)
                         ? "the context was destroyed before"
                         : "not a context of this driver");
  if (object->primary)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT,
                     "the primary context is released, not destroyed");
  std::vector<CUcontext> &stack = contextStack();
  if (!stack.empty() && stack.back() == context)
    stack.pop_back();
  return destroyContext(call, context);
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  Call call("cuCtxPushCurrent_v2", Call::Init);
  if (call)
    return call.error();
  if (!call.s.contexts.find(context))
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "not a live context");
  contextStack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  Call call("cuCtxPopCurrent_v2", Call::Init);
  if (call)
    return call.error();
  if (contextStack().empty())
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "no context to pop");
  if (context)
    *context = contextStack().back();
  contextStack().pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  Call call("cuCtxSetCurrent", Call::Init);
  if (call)
    return call.error();
  if (context && !call.s.contexts.find(context))
    return call.fail(CUDA_ERROR_INVALID_CONTEXT, "not a live context");
  std::vector<CUcontext> &stack = contextStack();
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  Call call("cuCtxGetCurrent", Call::Init);
  if (call)
    return call.error();
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  *context = contextStack().empty() ? nullptr : contextStack().back();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  Call call("cuCtxGetDevice", Call::ContextToo);
  if (call)
    return call.error();
  if (!device)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  Call call("cuCtxSynchronize", Call::ContextToo);
  if (call || call.forbiddenInCapture("synchronisation", true))
    return call.error();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                    int *active) {
  Call call("cuDevicePrimaryCtxGetState", Call::Init);
  if (call)
    return call.error();
  if (!flags || !active || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected two pointers and device 0");
  *flags = 0;
  *active = call.s.primary != nullptr;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(void *uuid, CUdevice device) {
  Call call("cuDeviceGetUuid_v2", Call::Init);
  if (call)
    return call.error();
  if (!uuid || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  static_assert(sizeof(EmulatedDeviceName) == 16 + 1);
  std::memcpy(uuid, EmulatedDeviceName, 16);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned flags,
                        CUdevice device) {
  if (!params)
    return cuCtxCreate_v2(context, flags, device);
  Call call("cuCtxCreate_v4", Call::Init);
  return call ? call.error()
              : call.fail(CUDA_ERROR_NOT_SUPPORTED,
                          "execution affinity and CIG are not provided");
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  Call call("cuCtxGetStreamPriorityRange", Call::ContextToo);
  if (call)
    return call.error();
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CUDA_SUCCESS;
}

} // namespace fp8::runtime::emulated
