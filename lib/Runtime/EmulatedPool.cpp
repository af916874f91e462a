//===- EmulatedPool.cpp - Memory pools and pointer queries ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stream-ordered allocation. Memory is given back at once, so that use after
// cuMemFreeAsync is found; a pool keeps its settings and counts only.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include <algorithm>
#include <cstring>

namespace fp8::runtime::emulated {

CUmemoryPool defaultPool(State &s) {
  if (!s.defaultPool)
    s.defaultPool = s.currentPool = s.pools.add(s.counter, Pool());
  return s.defaultPool;
}

/// A live pool; fails with the reason when `id` is none.
static Pool *findPool(Call &call, CUmemoryPool id) {
  Pool *pool = call.s.pools.find(id);
  if (!pool)
    call.fail(CUDA_ERROR_INVALID_HANDLE,
              call.s.pools.wasDestroyed(id)
                  ? "the memory pool was destroyed before"
                  : "not a memory pool of this driver");
  return pool;
}

static CUresult allocate(Call &call, CUdeviceptr *address, size_t bytes,
                         CUmemoryPool id, CUstream stream) {
  Stream *on;
  if (!call.findStream(stream, on) ||
      call.forbiddenInCapture("allocation", true))
    return call.error();
  Pool *pool = findPool(call, id);
  if (!pool)
    return call.error();
  if (!address || !bytes)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and at least one byte");
  uint64_t base = call.s.machine->allocate(bytes);
  if (!base)
    return call.fail(CUDA_ERROR_OUT_OF_MEMORY,
                     "no room for " + std::to_string(bytes) + " bytes");
  call.s.memory[base] = {call.handle, bytes, id};
  pool->used += bytes;
  pool->usedHigh = std::max(pool->usedHigh, pool->used);
  *address = base;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  Call call("cuMemAllocAsync", Call::ContextToo);
  if (call)
    return call.error();
  defaultPool(call.s);
  return allocate(call, address, bytes, call.s.currentPool, stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes,
                                 CUmemoryPool pool, CUstream stream) {
  Call call("cuMemAllocFromPoolAsync", Call::ContextToo);
  return call ? call.error() : allocate(call, address, bytes, pool, stream);
}

static CUresult givePool(Call &call, CUmemoryPool *pool, CUdevice device,
                         bool current) {
  if (call)
    return call.error();
  if (!pool || device != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and device 0");
  *pool = defaultPool(call.s);
  if (current)
    *pool = call.s.currentPool;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  Call call("cuDeviceGetDefaultMemPool", Call::Init);
  return givePool(call, pool, device, false);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  Call call("cuDeviceGetMemPool", Call::Init);
  return givePool(call, pool, device, true);
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  Call call("cuDeviceSetMemPool", Call::Init);
  if (call || !findPool(call, pool))
    return call.error();
  if (device != 0)
    return call.fail(CUDA_ERROR_INVALID_DEVICE, "the only device is 0");
  call.s.currentPool = pool;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p) {
  Call call("cuMemPoolCreate", Call::Init);
  if (call)
    return call.error();
  // Pinned memory on device 0, as the only kind.
  if (!pool || !p || p->allocType != 1 || p->location.type != 1 ||
      p->location.id != 0)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pool of pinned memory on device 0");
  if (p->handleTypes)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED,
                     "memory of a pool cannot be shared between processes");
  defaultPool(call.s);
  *pool = call.s.pools.add(call.s.counter, Pool());
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  Call call("cuMemPoolDestroy", Call::Init);
  if (call || !findPool(call, pool))
    return call.error();
  if (pool == call.s.defaultPool)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "the default memory pool cannot be destroyed");
  // Live allocations outlive their pool, as the driver documents.
  for (auto &[address, memory] : call.s.memory)
    if (memory.pool == pool)
      memory.pool = call.s.defaultPool;
  if (call.s.currentPool == pool)
    call.s.currentPool = call.s.defaultPool;
  call.s.pools.erase(pool);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
  Call call("cuMemPoolTrimTo", Call::Init);
  return call || !findPool(call, pool) ? call.error() : CUDA_SUCCESS;
}

/// The place of an attribute that is 64 bits wide, or null.
static uint64_t *wideAttribute(Pool &pool, int attribute) {
  switch (attribute) {
  case 4: // RELEASE_THRESHOLD
    return &pool.threshold;
  case 5: // RESERVED_MEM_CURRENT
  case 7: // USED_MEM_CURRENT
    return &pool.used;
  case 6: // RESERVED_MEM_HIGH
  case 8: // USED_MEM_HIGH
    return &pool.usedHigh;
  default:
    return nullptr;
  }
}

CUresult cuMemPoolSetAttribute(CUmemoryPool id, int attribute, void *value) {
  Call call("cuMemPoolSetAttribute", Call::Init);
  Pool *pool = call ? nullptr : findPool(call, id);
  if (!pool)
    return call.error();
  bool high = attribute == 6 || attribute == 8;
  if (!value || attribute < 1 || attribute > 8 || attribute == 5 ||
      attribute == 7)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "attribute " +
                                                   std::to_string(attribute) +
                                                   " cannot be set");
  if (attribute <= 3) {
    std::memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    return CUDA_SUCCESS;
  }
  uint64_t number;
  std::memcpy(&number, value, sizeof number);
  if (high && number)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "a high-water mark can be set to 0 only");
  *wideAttribute(*pool, attribute) = high ? pool->used : number;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool id, int attribute, void *value) {
  Call call("cuMemPoolGetAttribute", Call::Init);
  Pool *pool = call ? nullptr : findPool(call, id);
  if (!pool)
    return call.error();
  if (!value || attribute < 1 || attribute > 8)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected an attribute from 1 to 8");
  if (attribute <= 3)
    std::memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
  else
    std::memcpy(value, wideAttribute(*pool, attribute), sizeof(uint64_t));
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

namespace {
/// The allocation or registered range that holds an address.
struct Range {
  uint64_t base = 0, bytes = 0;
  CUcontext context = nullptr;
  bool device = false;
};
} // namespace

static bool findRange(State &s, uint64_t address, Range &range) {
  auto it = s.memory.upper_bound(address);
  if (it != s.memory.begin()) {
    --it;
    if (address - it->first < it->second.bytes) {
      range = {it->first, it->second.bytes, it->second.context, true};
      return true;
    }
  }
  auto host = s.hostMemory.upper_bound(reinterpret_cast<uint8_t *>(address));
  if (host == s.hostMemory.begin())
    return false;
  --host;
  uint64_t base = reinterpret_cast<uintptr_t>(host->first);
  range = {base, host->second.bytes, nullptr, false};
  return address - base < host->second.bytes;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes,
                                 CUdeviceptr address) {
  Call call("cuMemGetAddressRange_v2", Call::ContextToo);
  if (call)
    return call.error();
  Range range;
  if (!findRange(call.s, address, range) || !range.device)
    return call.fail(CUDA_ERROR_NOT_FOUND,
                     "the address is not inside a live allocation");
  if (base)
    *base = range.base;
  if (bytes)
    *bytes = range.bytes;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *value, int attribute,
                               CUdeviceptr address) {
  Call call("cuPointerGetAttribute", Call::ContextToo);
  if (call)
    return call.error();
  Range range;
  if (!value || !findRange(call.s, address, range))
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "the address is not inside a live allocation");
  auto put = [&](auto result) {
    std::memcpy(value, &result, sizeof result);
    return CUDA_SUCCESS;
  };
  switch (attribute) {
  case 1: // CONTEXT
    return put(range.device ? range.context : call.handle);
  case 2: // MEMORY_TYPE: host 1, device 2
    return put(unsigned(range.device ? 2 : 1));
  case 3: // DEVICE_POINTER
    return put(address);
  case 4: // HOST_POINTER
    if (!range.device)
      return put(address);
    return call.fail(CUDA_ERROR_INVALID_VALUE, "not host memory");
  case 8: // IS_MANAGED
    return put(false);
  case 9: // DEVICE_ORDINAL
    return put(0);
  case 11: // RANGE_START_ADDR
    return put(range.base);
  case 12: // RANGE_SIZE
    return put(size_t(range.bytes));
  default:
    return call.fail(CUDA_ERROR_NOT_SUPPORTED, "pointer attribute " +
                                                   std::to_string(attribute) +
                                                   " is not known");
  }
}

} // namespace fp8::runtime::emulated
