//===- MGPU.cpp - The launch wrappers of MLIR's gpu-to-llvm ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that code lowered by gpu-to-llvm calls, over a context of the
// runtime. Their interface has no errors and no context: the context is the one
// that the thread bound, an error is kept there and written to stderr.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <cstdio>
#include <mutex>

using namespace fp8::runtime;

namespace {

fp8_context *&boundContext() {
  thread_local fp8_context *context = nullptr;
  return context;
}

/// The context of threads that bound none, opened at its first use.
struct DefaultContext {
  std::mutex lock;
  int32_t device = 0;
  fp8_context *context = nullptr;
  ~DefaultContext() { fp8_context_destroy(context); }
};

DefaultContext &defaultContext() {
  static DefaultContext instance;
  return instance;
}

void say(fp8_context *c) {
  std::fprintf(stderr, "fp8_runtime: %s\n", fp8_last_error(c));
}

/// A context that is current to the thread, or null after a message.
fp8_context *current() {
  fp8_context *c = boundContext();
  if (!c) {
    DefaultContext &shared = defaultContext();
    std::lock_guard<std::mutex> guard(shared.lock);
    if (!shared.context) {
      std::string name = "cuda:" + std::to_string(shared.device);
      if (fp8_context_create(name.c_str(), nullptr, &shared.context))
        say(shared.context);
    }
    c = shared.context;
  }
  return enter(c) == CUDA_SUCCESS ? c : nullptr;
}

void report(fp8_context *c, CUresult code, const char *what) {
  if (check(c, code, what))
    say(c);
}

CUdeviceptr toDevice(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

CUlaunchConfig launchConfig(const intptr_t *grid, const intptr_t *block,
                            int32_t sharedBytes, CUstream stream) {
  return {unsigned(grid[0]),
          unsigned(grid[1]),
          unsigned(grid[2]),
          unsigned(block[0]),
          unsigned(block[1]),
          unsigned(block[2]),
          unsigned(sharedBytes),
          stream,
          nullptr,
          0};
}

void launch(fp8_context *c, CUfunction function, const CUlaunchConfig &config,
            void **params, void **extra) {
  uint64_t cluster = 0;
  if (config.numAttrs) {
    const auto &d = config.attrs[0].value.clusterDim;
    cluster = uint64_t(d.x) * d.y * d.z;
  }
  if (prepareLaunch(c, function, "", config.sharedMemBytes, cluster)) {
    say(c);
    return;
  }
  report(c, c->driver->cuLaunchKernelEx(&config, function, params, extra),
         "cannot launch a kernel");
}

/// A ranked memref descriptor, as LLVM code lays it out.
struct MemRef {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

} // namespace

extern "C" {

fp8_context *fp8_mgpu_bind(fp8_context *context) {
  fp8_context *before = boundContext();
  boundContext() = context;
  return before;
}

void mgpuSetDefaultDevice(int32_t device) {
  std::lock_guard<std::mutex> guard(defaultContext().lock);
  defaultContext().device = device;
}

CUmodule mgpuModuleLoad(void *data, size_t) {
  CUmodule module = nullptr;
  if (fp8_context *c = current())
    report(c, c->driver->cuModuleLoadData(&module, data),
           "cannot load a module");
  return module;
}

CUmodule mgpuModuleLoadJIT(void *data, int, size_t bytes) {
  return mgpuModuleLoad(data, bytes);
}

void mgpuModuleUnload(CUmodule module) {
  if (fp8_context *c = current())
    report(c, c->driver->cuModuleUnload(module), "cannot unload a module");
}

CUfunction mgpuModuleGetFunction(CUmodule module, const char *name) {
  CUfunction function = nullptr;
  if (fp8_context *c = current())
    report(c, c->driver->cuModuleGetFunction(&function, module, name),
           (std::string("no kernel ") + name).c_str());
  return function;
}

void mgpuLaunchKernel(CUfunction function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, CUstream stream,
                      void **params, void **extra, size_t) {
  const intptr_t grid[] = {gridX, gridY, gridZ};
  const intptr_t block[] = {blockX, blockY, blockZ};
  if (fp8_context *c = current())
    launch(c, function, launchConfig(grid, block, sharedBytes, stream), params,
           extra);
}

void mgpuLaunchClusterKernel(CUfunction function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, CUstream stream,
                             void **params, void **extra, size_t) {
  const intptr_t grid[] = {gridX, gridY, gridZ};
  const intptr_t block[] = {blockX, blockY, blockZ};
  CUlaunchConfig config = launchConfig(grid, block, sharedBytes, stream);
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {unsigned(clusterX), unsigned(clusterY),
                                unsigned(clusterZ)};
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (fp8_context *c = current())
    launch(c, function, config, params, extra);
}

CUstream mgpuStreamCreate() {
  CUstream stream = nullptr;
  if (fp8_context *c = current())
    report(c, c->driver->cuStreamCreate(&stream, 1), "cannot create a stream");
  return stream;
}

void mgpuStreamDestroy(CUstream stream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuStreamDestroy_v2(stream), "cannot destroy a stream");
}

void mgpuStreamSynchronize(CUstream stream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuStreamSynchronize(stream),
           "work on a stream failed");
}

void mgpuStreamWaitEvent(CUstream stream, CUevent event) {
  if (fp8_context *c = current())
    report(c, c->driver->cuStreamWaitEvent(stream, event, 0),
           "cannot wait for an event");
}

CUevent mgpuEventCreate() {
  CUevent event = nullptr;
  constexpr unsigned DisableTiming = 2;
  if (fp8_context *c = current())
    report(c, c->driver->cuEventCreate(&event, DisableTiming),
           "cannot create an event");
  return event;
}

void mgpuEventDestroy(CUevent event) {
  if (fp8_context *c = current())
    report(c, c->driver->cuEventDestroy_v2(event), "cannot destroy an event");
}

void mgpuEventSynchronize(CUevent event) {
  if (fp8_context *c = current())
    report(c, c->driver->cuEventSynchronize(event), "an event failed");
}

void mgpuEventRecord(CUevent event, CUstream stream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuEventRecord(event, stream),
           "cannot record an event");
}

void *mgpuMemAlloc(uint64_t bytes, CUstream, bool hostShared) {
  fp8_context *c = current();
  if (!c || !bytes)
    return nullptr;
  if (hostShared) {
    report(c, CUDA_ERROR_NOT_SUPPORTED, "memory shared with the host");
    return nullptr;
  }
  CUdeviceptr address = 0;
  report(c, c->driver->cuMemAlloc_v2(&address, bytes), "cannot allocate");
  return reinterpret_cast<void *>(address);
}

void mgpuMemFree(void *pointer, CUstream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuMemFree_v2(toDevice(pointer)), "cannot free");
}

void mgpuMemcpy(void *to, void *from, size_t bytes, CUstream stream) {
  if (fp8_context *c = current())
    report(
        c,
        c->driver->cuMemcpyAsync(toDevice(to), toDevice(from), bytes, stream),
        "cannot copy");
}

void mgpuMemset32(void *to, unsigned value, size_t count, CUstream stream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuMemsetD32Async(toDevice(to), value, count, stream),
           "cannot fill");
}

void mgpuMemset16(void *to, unsigned short value, size_t count,
                  CUstream stream) {
  if (fp8_context *c = current())
    report(c, c->driver->cuMemsetD16Async(toDevice(to), value, count, stream),
           "cannot fill");
}

void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  if (fp8_context *c = current())
    report(c, c->driver->cuMemHostRegister_v2(pointer, bytes, 0),
           "cannot register host memory");
}

void mgpuMemHostUnregister(void *pointer) {
  if (fp8_context *c = current())
    report(c, c->driver->cuMemHostUnregister(pointer),
           "cannot unregister host memory");
}

void mgpuMemHostRegisterMemRef(int64_t rank, MemRef *memref,
                               int64_t elementBytes) {
  uint64_t count = 1;
  for (int64_t i = 0; i < rank; ++i)
    count *= memref->sizesAndStrides[i];
  mgpuMemHostRegister(memref->aligned + memref->offset * elementBytes,
                      count * elementBytes);
}

void mgpuMemHostUnregisterMemRef(int64_t, MemRef *memref,
                                 int64_t elementBytes) {
  mgpuMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}

void mgpuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address,
                              const uint64_t *dims, const uint64_t *strides,
                              const uint32_t *box,
                              const uint32_t *elementStrides, int interleave,
                              int swizzle, int promotion, int fill) {
  if (fp8_context *c = current())
    report(c,
           c->driver->cuTensorMapEncodeTiled(
               map, type, rank, address, dims, strides, box, elementStrides,
               interleave, swizzle, promotion, fill),
           "cannot encode a tensor map");
}

/// A tensor map over a memref, in device memory; box sizes outermost first.
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor, int type,
                                     int interleave, int swizzle, int promotion,
                                     int fill, int64_t *boxDims) {
  // Bytes of CUtensorMapDataType's values.
  static const uint8_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  auto *memref = static_cast<MemRef *>(descriptor);
  fp8_context *c = current();
  if (!c || rank < 1 || rank > 5 || type < 0 ||
      type >= static_cast<int>(sizeof elementBytes)) {
    if (c)
      report(c, CUDA_ERROR_INVALID_VALUE,
             "expected a tensor of rank 1 to 5 and whole bytes");
    return nullptr;
  }
  uint64_t dims[5], strides[5];
  uint32_t box[5], ones[5] = {1, 1, 1, 1, 1};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t from = rank - 1 - i;
    dims[i] = memref->sizesAndStrides[from];
    box[i] = static_cast<uint32_t>(boxDims[from]);
    if (i)
      strides[i - 1] =
          memref->sizesAndStrides[rank + from] * elementBytes[type];
  }
  alignas(64) uint8_t map[128];
  char *base = memref->aligned + memref->offset * elementBytes[type];
  CUresult encoded = c->driver->cuTensorMapEncodeTiled(
      map, type, static_cast<uint32_t>(rank), base, dims, strides, box, ones,
      interleave, swizzle, promotion, fill);
  if (encoded != CUDA_SUCCESS) {
    report(c, encoded, "cannot encode a tensor map");
    return nullptr;
  }
  void *place = mgpuMemAlloc(sizeof map, nullptr, false);
  if (place)
    report(c, c->driver->cuMemcpyHtoD_v2(toDevice(place), map, sizeof map),
           "cannot copy a tensor map");
  return place;
}

} // extern "C"
