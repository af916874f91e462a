//===- EmulatedMemory.cpp - Memory of the emulated driver -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocation and copies. A copy must lie inside one live allocation.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include <cstring>

namespace fp8::runtime::emulated {

static std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

static Status badRange(const char *what, uint64_t address, size_t bytes) {
  return {CUDA_ERROR_INVALID_VALUE,
          std::string(what) + " of " + std::to_string(bytes) + " bytes at " +
              hex(address) + " is not inside a live allocation"};
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  Call call("cuMemAlloc_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("allocation"))
    return call.error();
  if (!address || !bytes)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and at least one byte");
  uint64_t base = call.s.machine->allocate(bytes);
  if (!base)
    return call.fail(CUDA_ERROR_OUT_OF_MEMORY,
                     "no room for " + std::to_string(bytes) + " bytes");
  call.s.memory[base] = {call.handle, bytes, nullptr};
  *address = base;
  return CUDA_SUCCESS;
}

/// Frees a device allocation; with `pooled` it must come from a pool.
static CUresult release(Call &call, CUdeviceptr address, bool pooled) {
  if (!address)
    return CUDA_SUCCESS;
  auto it = call.s.memory.find(address);
  if (it == call.s.memory.end())
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     hex(address) + " is not the start of a live allocation");
  if (it->second.context != call.handle)
    return call.fail(CUDA_ERROR_INVALID_CONTEXT,
                     "the allocation belongs to another context");
  if (pooled && !it->second.pool)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "the allocation does not come from a memory pool");
  if (Pool *pool = call.s.pools.find(it->second.pool))
    pool->used -= it->second.bytes;
  call.s.machine->release(address);
  call.s.memory.erase(it);
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  Call call("cuMemFree_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("freeing memory"))
    return call.error();
  return release(call, address, false);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  Call call("cuMemFreeAsync", Call::ContextToo);
  Stream *on;
  if (call || !call.findStream(stream, on) ||
      call.forbiddenInCapture("freeing memory", true))
    return call.error();
  return release(call, address, true);
}

CUresult cuMemAllocHost_v2(void **pointer, size_t bytes) {
  Call call("cuMemAllocHost_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("allocation"))
    return call.error();
  if (!pointer || !bytes)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and at least one byte");
  auto memory = std::make_unique<uint8_t[]>(bytes);
  uint8_t *at = memory.get();
  call.s.hostMemory[at] = {std::move(memory), bytes};
  *pointer = at;
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return cuMemAllocHost_v2(pointer, bytes);
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  Call call("cuMemHostRegister_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("registering memory"))
    return call.error();
  auto *at = static_cast<uint8_t *>(pointer);
  if (!at || !bytes || call.s.hostMemory.count(at))
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected memory that is not registered yet");
  call.s.hostMemory[at] = {nullptr, bytes};
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *pointer) {
  Call call("cuMemHostUnregister", Call::ContextToo);
  if (call)
    return call.error();
  auto it = call.s.hostMemory.find(static_cast<uint8_t *>(pointer));
  if (it == call.s.hostMemory.end() || it->second.owned)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "not registered memory, or unregistered before");
  call.s.hostMemory.erase(it);
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *pointer) {
  Call call("cuMemFreeHost", Call::ContextToo);
  if (call)
    return call.error();
  auto it = call.s.hostMemory.find(static_cast<uint8_t *>(pointer));
  if (it == call.s.hostMemory.end() || !it->second.owned)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "not memory of cuMemAllocHost, or freed before");
  call.s.hostMemory.erase(it);
  return CUDA_SUCCESS;
}

static Status copyIn(uint64_t to, const void *from, size_t bytes) {
  uint8_t *target = state().machine->translate(to, bytes);
  if (!target && bytes)
    return badRange("a copy to the device", to, bytes);
  std::memcpy(target, from, bytes);
  state().machine->written(to, bytes);
  return {};
}

static Status copyOut(void *to, uint64_t from, size_t bytes) {
  const uint8_t *source = state().machine->translate(from, bytes);
  if (!source && bytes)
    return badRange("a copy from the device", from, bytes);
  std::memcpy(to, source, bytes);
  return {};
}

static Status copyAcross(uint64_t to, uint64_t from, size_t bytes) {
  const uint8_t *source = state().machine->translate(from, bytes);
  uint8_t *target = state().machine->translate(to, bytes);
  if (bytes && (!source || !target))
    return badRange("a copy on the device", source ? to : from, bytes);
  std::memmove(target, source, bytes);
  state().machine->written(to, bytes);
  return {};
}

/// A copy whose direction follows from the addresses.
static Status copyAny(uint64_t to, uint64_t from, size_t bytes) {
  Machine &machine = *state().machine;
  bool toDevice = machine.translate(to, 1),
       fromDevice = machine.translate(from, 1);
  if (toDevice && fromDevice)
    return copyAcross(to, from, bytes);
  if (toDevice)
    return copyIn(to, reinterpret_cast<const void *>(from), bytes);
  if (fromDevice)
    return copyOut(reinterpret_cast<void *>(to), from, bytes);
  return {CUDA_ERROR_INVALID_VALUE, "neither " + hex(to) + " nor " + hex(from) +
                                        " lies in a live device allocation"};
}

template <typename T>
static Status fill(uint64_t to, T value, size_t count) {
  uint8_t *target = state().machine->translate(to, count * sizeof(T));
  if (!target && count)
    return badRange("a fill", to, count * sizeof(T));
  for (size_t i = 0; i < count; ++i)
    std::memcpy(target + i * sizeof(T), &value, sizeof(T));
  state().machine->written(to, count * sizeof(T));
  return {};
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  Call call("cuMemcpyHtoD_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("a synchronous copy") ||
      call.usesDefaultStream())
    return call.error();
  return call.run([=] { return copyIn(to, from, bytes); });
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  Call call("cuMemcpyDtoH_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("a device read") ||
      call.usesDefaultStream())
    return call.error();
  return call.run([=] { return copyOut(to, from, bytes); });
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  Call call("cuMemcpyDtoD_v2", Call::ContextToo);
  if (call || call.forbiddenInCapture("a synchronous copy") ||
      call.usesDefaultStream())
    return call.error();
  return call.run([=] { return copyAcross(to, from, bytes); });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              CUstream stream) {
  Call call("cuMemcpyHtoDAsync_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return copyIn(to, from, bytes); });
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  Call call("cuMemcpyDtoHAsync_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return copyOut(to, from, bytes); });
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  Call call("cuMemcpyDtoDAsync_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return copyAcross(to, from, bytes); });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  Call call("cuMemcpy", Call::ContextToo);
  if (call || call.forbiddenInCapture("a synchronous copy") ||
      call.usesDefaultStream())
    return call.error();
  return call.run([=] { return copyAny(to, from, bytes); });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                       CUstream stream) {
  Call call("cuMemcpyAsync", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return copyAny(to, from, bytes); });
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  Call call("cuMemsetD8_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(nullptr, [=] { return fill(to, value, count); });
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  Call call("cuMemsetD32_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(nullptr, [=] { return fill(to, value, count); });
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  Call call("cuMemsetD16_v2", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(nullptr, [=] { return fill(to, value, count); });
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream) {
  Call call("cuMemsetD16Async", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return fill(to, value, count); });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream) {
  Call call("cuMemsetD8Async", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return fill(to, value, count); });
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                          CUstream stream) {
  Call call("cuMemsetD32Async", Call::ContextToo);
  if (call)
    return call.error();
  return call.submit(stream, [=] { return fill(to, value, count); });
}

} // namespace fp8::runtime::emulated
