//===- Checks.cpp - What compiled code expects of its caller --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device that code was compiled for, and buffers that are large enough.
// Only the host's own memory is read: calls may stand in a stream capture.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <cstdlib>
#include <cstring>

using namespace fp8::runtime;

fp8_status fp8::runtime::identifyDevice(fp8_context *c) {
  const Driver &d = *c->driver;
  char name[256] = "";
  int major = 0, minor = 0;
  if (fp8_status s = check(c, d.cuDeviceGetName(name, sizeof name, c->device),
                           "cannot read the device's name"))
    return s;
  if (fp8_status s = check(
          c,
          d.cuDeviceGetAttribute(
              &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device),
          "cannot read the device's capability"))
    return s;
  if (fp8_status s = check(
          c,
          d.cuDeviceGetAttribute(
              &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device),
          "cannot read the device's capability"))
    return s;
  c->deviceName = name;
  c->capability = 10 * major + minor;
  // Our libcuda.so.1 runs PTX only.
  c->takesCubins = std::strncmp(name, EmulatedDeviceName,
                                std::strlen(EmulatedDeviceName)) != 0;
  return CUDA_SUCCESS;
}

fp8_status fp8_check_device(fp8_context *c, const char *target) {
  if (!c->primary) // opening failed: keep that error
    return CUDA_ERROR_INVALID_CONTEXT;
  char *suffix = nullptr;
  long wanted =
      std::strncmp(target, "sm_", 3) ? 0 : std::strtol(target + 3, &suffix, 10);
  bool fits = wanted && c->capability >= wanted;
  if (fits && *suffix == 'a')
    fits = c->capability == wanted;
  else if (fits && *suffix == 'f')
    fits = c->capability / 10 == wanted / 10;
  if (fits)
    return CUDA_SUCCESS;
  return recordFailure(c, CUDA_ERROR_INVALID_DEVICE,
                       std::string("expected a device that runs ") + target +
                           ", got '" + c->deviceName +
                           "' of compute capability " +
                           std::to_string(c->capability / 10) + "." +
                           std::to_string(c->capability % 10) +
                           ": compile with another --target");
}

fp8_status fp8_check_buffers(fp8_context *c, const char *function,
                             const fp8_buffer *buffers, const uint64_t *bytes,
                             uint32_t count, int results) {
  for (uint32_t i = 0; i < count; ++i) {
    const fp8_buffer &buffer = buffers[i];
    std::string what;
    if (buffer.bytes < bytes[i] || (bytes[i] && !buffer.address))
      what = "expected at least " + std::to_string(bytes[i]) + " bytes, got " +
             (buffer.address ? std::to_string(buffer.bytes) : "null");
    else if (bytes[i] && buffer.address % FP8_BUFFER_ALIGNMENT)
      what = "expected an address aligned to " +
             std::to_string(FP8_BUFFER_ALIGNMENT) + " bytes";
    if (!what.empty())
      return recordFailure(c, CUDA_ERROR_INVALID_VALUE,
                           std::string(results ? "result " : "argument ") +
                               std::to_string(i) + " of " + function + ": " +
                               what);
  }
  return CUDA_SUCCESS;
}

fp8_status fp8_check_sizes(fp8_context *c, const char *function,
                           const int64_t *sizes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (sizes[i] < 0 || sizes[i] > INT32_MAX)
      return recordFailure(c, CUDA_ERROR_INVALID_VALUE,
                           "size " + std::to_string(i) + " of " + function +
                               ": expected a number in 0..2^31-1, got " +
                               std::to_string(sizes[i]));
  return CUDA_SUCCESS;
}

void fp8_get_statistics(const fp8_context *c, fp8_statistics *statistics) {
  *statistics = c->statistics;
}
