//===- Runtime.cpp - The C interface of libfp8_runtime --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One implementation over the driver table, whatever device is behind it.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "fp8/Runtime/EmulatedDriver.h"
#include "fp8/Runtime/EmulatorMachine.h"
#include "fp8/Support/DeviceLimits.h"

#include <charconv>
#include <cstdlib>
#include <mutex>

using namespace fp8::runtime;

fp8_status fp8::runtime::recordFailure(fp8_context *c, CUresult code,
                                       const std::string &what) {
  const char *name = errorName(code);
  c->error = name ? name : "CUDA error " + std::to_string(code);
  if (c->driver)
    c->error = errorText(*c->driver, code);
  c->error += ": " + what;
  // The emulated driver explains itself.
  if (c->emulated && !lastEmulatedError().empty())
    c->error += " (" + lastEmulatedError() + ")";
  return code;
}

fp8_status fp8::runtime::enter(fp8_context *c) {
  if (!c->primary) // opening failed: keep that error
    return CUDA_ERROR_INVALID_CONTEXT;
  return check(c, c->driver->cuCtxSetCurrent(c->primary),
               "cannot make the context current");
}

fp8_status fp8::runtime::prepareLaunch(fp8_context *c, CUfunction function,
                                       const char *kernel, uint32_t sharedBytes,
                                       uint64_t clusterBlocks) {
  const Driver &d = *c->driver;
  if (sharedBytes > support::DefaultSharedBytes)
    if (fp8_status s =
            check(c,
                  d.cuFuncSetAttribute(
                      function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                      static_cast<int>(sharedBytes)),
                  std::string("cannot give kernel ") + kernel + " " +
                      std::to_string(sharedBytes) + " bytes of shared memory"))
      return s;
  if (clusterBlocks <= support::PortableClusterBlocks)
    return CUDA_SUCCESS;
  return check(
      c,
      d.cuFuncSetAttribute(
          function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
      std::string("cannot give kernel ") + kernel + " a large cluster");
}

namespace {

/// The emulated device that contexts of this process share.
struct SharedDevice {
  std::mutex lock;
  unsigned users = 0;
  EmulatorConfig config;
};

SharedDevice &sharedDevice() {
  static SharedDevice instance;
  return instance;
}

bool sameDevice(const EmulatorConfig &a, const EmulatorConfig &b) {
  return a.target == b.target && a.sms == b.sms && a.seed == b.seed &&
         a.check == b.check && a.mmaModel == b.mmaModel &&
         a.observer == b.observer;
}

EmulatorConfig makeConfig(const fp8_emulator_options *options) {
  EmulatorConfig config;
  if (!options)
    return config;
  if (options->target)
    config.target = options->target;
  if (options->check)
    config.check = options->check;
  if (options->mma_model)
    config.mmaModel = options->mma_model;
  config.sms = options->sms;
  config.seed = options->seed;
  config.observer = static_cast<fp8::emulator::Monitor *>(options->observer);
  return config;
}

/// All contexts on "emu" share one device, as they would share a GPU.
fp8_status openEmulator(fp8_context *c, const EmulatorConfig &config) {
  SharedDevice &shared = sharedDevice();
  std::lock_guard<std::mutex> guard(shared.lock);
  if (shared.users && !sameDevice(shared.config, config)) {
    c->error = "CUDA_ERROR_INVALID_DEVICE: the emulated device is in use with "
               "other options";
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (!shared.users) {
    std::string reason;
    std::unique_ptr<Machine> machine = createEmulatorMachine(config, reason);
    if (!machine) {
      c->error = "CUDA_ERROR_NO_DEVICE: " + reason;
      return CUDA_ERROR_NO_DEVICE;
    }
    setEmulatedMachine(std::move(machine), nullptr);
    shared.config = config;
  }
  ++shared.users;
  c->driver = &emulatedDriver();
  c->emulated = true;
  return CUDA_SUCCESS;
}

/// N of "cuda:N".
static bool parseOrdinal(const std::string &device, int &ordinal) {
  if (device.rfind("cuda:", 0) != 0)
    return false;
  const char *first = device.data() + 5, *last = device.data() + device.size();
  auto [end, error] = std::from_chars(first, last, ordinal);
  return error == std::errc() && end == last && ordinal >= 0;
}

fp8_status openDevice(fp8_context *c, const std::string &device,
                      const fp8_emulator_options *options) {
  if (device == "emu")
    return openEmulator(c, makeConfig(options));
  std::string library = "libcuda.so.1";
  if (device.rfind("driver:", 0) == 0)
    library = device.substr(7);
  else if (device != "cuda" && !parseOrdinal(device, c->device)) {
    c->error = "CUDA_ERROR_INVALID_DEVICE: expected cuda, cuda:N, "
               "driver:PATH or emu, got '" +
               device + "'";
    return CUDA_ERROR_INVALID_DEVICE;
  }
  std::string reason;
  c->opened = openDriver(library, reason);
  c->driver = c->opened.get();
  if (!c->driver) {
    c->error = reason;
    return CUDA_ERROR_NO_DEVICE;
  }
  return CUDA_SUCCESS;
}

fp8_status loadFunction(fp8_context *c, const fp8_module_image *image,
                        const char *kernel, CUfunction &function) {
  CUmodule &module = c->modules[image];
  if (!module) {
    bool cubin = image->cubin && c->takesCubins;
    const void *data = cubin ? image->cubin : image->ptx;
    if (!data)
      return recordFailure(c, CUDA_ERROR_NO_BINARY_FOR_GPU,
                           std::string("module ") + image->name +
                               " has no PTX");
    if (fp8_status s = check(c, c->driver->cuModuleLoadData(&module, data),
                             std::string("cannot load module ") + image->name))
      return s;
  }
  CUfunction &slot = c->functions[{module, kernel}];
  if (!slot)
    if (fp8_status s = check(
            c, c->driver->cuModuleGetFunction(&slot, module, kernel),
            std::string("no kernel ") + kernel + " in module " + image->name))
      return s;
  function = slot;
  return CUDA_SUCCESS;
}

} // namespace

fp8_status fp8_context_create(const char *device,
                              const fp8_emulator_options *options,
                              fp8_context **context) {
  auto *c = new fp8_context;
  *context = c;
  if (fp8_status s = openDevice(c, device ? device : "", options))
    return s;
  const Driver &d = *c->driver;
  if (fp8_status s = check(c, d.cuInit(0), "the driver does not start"))
    return s;
  CUdevice handle;
  if (fp8_status s = check(c, d.cuDeviceGet(&handle, c->device),
                           "no device " + std::to_string(c->device)))
    return s;
  c->device = handle;
  if (fp8_status s = check(c, d.cuDevicePrimaryCtxRetain(&c->primary, handle),
                           "cannot open the device"))
    return s;
  if (fp8_status s = enter(c))
    return s;
  if (fp8_status s = identifyDevice(c))
    return s;
  fp8_status s =
      check(c, d.cuStreamCreate(&c->ownStream, 1), "cannot create a stream");
  c->stream = c->ownStream;
  return s;
}

void fp8_context_destroy(fp8_context *c) {
  if (!c)
    return;
  if (c->primary && enter(c) == CUDA_SUCCESS) {
    const Driver &d = *c->driver;
    for (uint64_t buffer : c->buffers)
      d.cuMemFree_v2(buffer);
    if (c->ownWorkspace.address)
      d.cuMemFree_v2(c->ownWorkspace.address);
    for (auto &[image, module] : c->modules)
      if (module)
        d.cuModuleUnload(module);
    if (c->ownStream)
      d.cuStreamDestroy_v2(c->ownStream);
    d.cuDevicePrimaryCtxRelease_v2(c->device);
  }
  if (c->emulated) {
    std::lock_guard<std::mutex> guard(sharedDevice().lock);
    --sharedDevice().users;
  }
  delete c;
}

const char *fp8_last_error(const fp8_context *c) { return c->error.c_str(); }

const char *fp8_last_error_location(const fp8_context *c) {
  return c->location.c_str();
}

fp8_status fp8_set_stream(fp8_context *c, void *stream) {
  c->stream = stream ? stream : c->ownStream;
  return CUDA_SUCCESS;
}

fp8_status fp8_set_workspace(fp8_context *c, uint64_t address, uint64_t bytes) {
  if (address % FP8_BUFFER_ALIGNMENT)
    return recordFailure(c, CUDA_ERROR_INVALID_VALUE,
                         "expected a workspace aligned to " +
                             std::to_string(FP8_BUFFER_ALIGNMENT) + " bytes");
  c->workspace = {address, bytes};
  return CUDA_SUCCESS;
}

/// Allocates device memory for `what`; a failure says how much there is.
static fp8_status allocate(fp8_context *c, uint64_t bytes, const char *what,
                           CUdeviceptr &address) {
  CUresult code = c->driver->cuMemAlloc_v2(&address, bytes);
  if (code == CUDA_SUCCESS) {
    ++c->statistics.allocations;
    return code;
  }
  std::string text = std::string("cannot allocate ") + what + " of " +
                     std::to_string(bytes) + " bytes";
  size_t available = 0, total = 0;
  if (code == CUDA_ERROR_OUT_OF_MEMORY &&
      c->driver->cuMemGetInfo_v2(&available, &total) == CUDA_SUCCESS)
    text += ", " + std::to_string(available) + " of " + std::to_string(total) +
            " are free";
  return recordFailure(c, code, text);
}

fp8_status fp8_workspace(fp8_context *c, uint64_t bytes, fp8_buffer *buffer) {
  if (c->workspace.address) {
    if (c->workspace.bytes < bytes)
      return recordFailure(c, CUDA_ERROR_INVALID_VALUE,
                           "expected a workspace of " + std::to_string(bytes) +
                               " bytes, got " +
                               std::to_string(c->workspace.bytes));
    *buffer = c->workspace;
    return CUDA_SUCCESS;
  }
  if (c->ownWorkspace.bytes < bytes) {
    if (fp8_status s = enter(c))
      return s;
    if (c->ownWorkspace.address)
      c->driver->cuMemFree_v2(c->ownWorkspace.address);
    c->ownWorkspace = {0, 0}; // the next allocation may fail
    CUdeviceptr address = 0;
    if (fp8_status s = allocate(c, bytes, "a workspace", address))
      return s;
    c->ownWorkspace = {address, bytes};
  }
  *buffer = c->ownWorkspace;
  return CUDA_SUCCESS;
}

fp8_status fp8_buffer_create(fp8_context *c, uint64_t bytes,
                             fp8_buffer *buffer) {
  if (fp8_status s = enter(c))
    return s;
  CUdeviceptr address = 0;
  if (fp8_status s = allocate(c, bytes, "a buffer", address))
    return s;
  c->buffers.insert(address);
  *buffer = {address, bytes};
  return CUDA_SUCCESS;
}

fp8_status fp8_buffer_destroy(fp8_context *c, fp8_buffer *buffer) {
  if (fp8_status s = enter(c))
    return s;
  c->buffers.erase(buffer->address);
  CUdeviceptr address = buffer->address;
  *buffer = {0, 0};
  return check(c, c->driver->cuMemFree_v2(address), "cannot free a buffer");
}

/// A copy or fill must fit the buffer it names.
static fp8_status checkSize(fp8_context *c, fp8_buffer buffer, uint64_t bytes) {
  if (bytes <= buffer.bytes)
    return CUDA_SUCCESS;
  return recordFailure(c, CUDA_ERROR_INVALID_VALUE,
                       "a copy of " + std::to_string(bytes) +
                           " bytes exceeds a buffer of " +
                           std::to_string(buffer.bytes));
}

fp8_status fp8_copy_in(fp8_context *c, fp8_buffer to, const void *from,
                       uint64_t bytes) {
  if (fp8_status s = enter(c))
    return s;
  if (fp8_status s = checkSize(c, to, bytes))
    return s;
  if (fp8_status s = check(
          c,
          c->driver->cuMemcpyHtoDAsync_v2(to.address, from, bytes, c->stream),
          "cannot copy to the device"))
    return s;
  ++c->statistics.copies_in;
  c->statistics.bytes_in += bytes;
  return CUDA_SUCCESS;
}

fp8_status fp8_copy_out(fp8_context *c, void *to, fp8_buffer from,
                        uint64_t bytes) {
  if (fp8_status s = enter(c))
    return s;
  if (fp8_status s = checkSize(c, from, bytes))
    return s;
  if (fp8_status s = check(
          c,
          c->driver->cuMemcpyDtoHAsync_v2(to, from.address, bytes, c->stream),
          "cannot copy from the device"))
    return s;
  if (fp8_status s = fp8_synchronize(c))
    return s;
  ++c->statistics.copies_out;
  c->statistics.bytes_out += bytes;
  return CUDA_SUCCESS;
}

fp8_status fp8_fill(fp8_context *c, fp8_buffer buffer, uint8_t value) {
  if (fp8_status s = enter(c))
    return s;
  return check(c,
               c->driver->cuMemsetD8Async(buffer.address, value, buffer.bytes,
                                          c->stream),
               "cannot fill a buffer");
}

static fp8_status launch(fp8_context *c, const fp8_module_image *image,
                         const char *kernel, const fp8_launch_config &config,
                         void **params) {
  CUfunction function = nullptr;
  if (fp8_status s = loadFunction(c, image, kernel, function))
    return s;
  const uint32_t *cluster = config.cluster;
  if (fp8_status s =
          prepareLaunch(c, function, kernel, config.shared_bytes,
                        uint64_t(cluster[0]) * cluster[1] * cluster[2]))
    return s;
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig launch = {config.grid[0],      config.grid[1],
                           config.grid[2],      config.block[0],
                           config.block[1],     config.block[2],
                           config.shared_bytes, c->stream,
                           attributes,          0};
  if (config.cluster[0]) {
    CUlaunchAttribute &a = attributes[launch.numAttrs++];
    a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    a.value.clusterDim = {config.cluster[0], config.cluster[1],
                          config.cluster[2]};
  }
  if (config.programmatic) {
    CUlaunchAttribute &a = attributes[launch.numAttrs++];
    a.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    a.value.flag = 1;
  }
  return check(c,
               c->driver->cuLaunchKernelEx(&launch, function, params, nullptr),
               std::string("cannot launch kernel ") + kernel);
}

fp8_status fp8_launch(fp8_context *c, const fp8_module_image *image,
                      const char *kernel, const fp8_launch_config *config,
                      void **params, const char *location) {
  if (fp8_status s = enter(c))
    return s;
  c->lastLaunch = location ? location : "";
  fp8_status status = launch(c, image, kernel, *config, params);
  if (status)
    c->location = c->lastLaunch;
  else
    ++c->statistics.launches;
  return status;
}

fp8_status fp8_tensor_map_encode(fp8_context *c, const fp8_tensor_map *t,
                                 void *map) {
  if (fp8_status s = enter(c))
    return s;
  return check(c,
               c->driver->cuTensorMapEncodeTiled(
                   map, t->type, t->rank, reinterpret_cast<void *>(t->address),
                   t->dims, t->strides, t->box, t->element_strides,
                   t->interleave, t->swizzle, t->l2_promotion, t->oob_fill),
               "cannot encode a tensor map");
}

fp8_status fp8_tensor_map_at(fp8_context *c, const fp8_tensor_map *desc,
                             uint64_t address, const void **map) {
  fp8_tensor_map at = *desc;
  at.address = address;
  const void *known = c->tensorMaps.find(at);
  if (!known) {
    EncodedMap encoded;
    if (fp8_status s = fp8_tensor_map_encode(c, &at, encoded.bytes.data()))
      return s;
    known = c->tensorMaps.add(at, encoded);
  }
  *map = known;
  return CUDA_SUCCESS;
}

fp8_status fp8_read_scalar(fp8_context *c, uint64_t address, uint32_t bytes,
                           void *to) {
  return fp8_copy_out(c, to, {address, bytes}, bytes);
}

/// A fill, so that no host memory has to outlive the call.
fp8_status fp8_write_scalar(fp8_context *c, uint64_t address, uint32_t bytes,
                            uint64_t bits) {
  if (fp8_status s = enter(c))
    return s;
  const Driver &d = *c->driver;
  auto low = static_cast<uint32_t>(bits);
  CUresult code = CUDA_ERROR_INVALID_VALUE;
  if (bytes == 1)
    code = d.cuMemsetD8Async(address, static_cast<uint8_t>(low), 1, c->stream);
  else if (bytes == 2)
    code =
        d.cuMemsetD16Async(address, static_cast<uint16_t>(low), 1, c->stream);
  else if (bytes == 4 || bytes == 8)
    code = d.cuMemsetD32Async(address, low, 1, c->stream);
  if (bytes == 8 && code == CUDA_SUCCESS)
    code = d.cuMemsetD32Async(address + 4, static_cast<uint32_t>(bits >> 32), 1,
                              c->stream);
  return check(c, code, "cannot write a scalar");
}

fp8_status fp8_fail(fp8_context *c, const char *message, const char *location) {
  c->location = location ? location : "";
  c->error = std::string(errorName(CUDA_ERROR_ASSERT)) + ": " + message;
  return CUDA_ERROR_ASSERT;
}

fp8_status fp8_synchronize(fp8_context *c) {
  if (fp8_status s = enter(c))
    return s;
  fp8_status status = check(c, c->driver->cuStreamSynchronize(c->stream),
                            "work on the stream failed");
  if (status)
    c->location = c->lastLaunch;
  else
    ++c->statistics.synchronizations;
  return status;
}
