//===- Driver.cpp - Opening a CUDA driver ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dlopen of the driver library; a function that the runtime calls and the
// library lacks is an error at once.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/Driver.h"

#include <dlfcn.h>

namespace fp8::runtime {

/// The first CUDA version whose driver has all functions of Driver.def and
/// loads the PTX of our targets with clusters and tensor maps.
static constexpr int kOldestVersion = 12000;

/// "12.0"
static std::string spellVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// Why the driver behind `handle` is too old; empty if it is not, or does not
/// say how old it is.
static std::string refuseVersion(void *handle) {
  auto get = reinterpret_cast<CUresult (*)(int *)>(
      dlsym(handle, "cuDriverGetVersion"));
  int version = 0;
  if (!get || get(&version) != CUDA_SUCCESS || version >= kOldestVersion)
    return "";
  return "the driver is too old: expected one for CUDA " +
         spellVersion(kOldestVersion) + " or newer, got one for CUDA " +
         spellVersion(version) + "; update it";
}

std::unique_ptr<const Driver> openDriver(const std::string &library,
                                         std::string &error) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error = "CUDA_ERROR_NO_DEVICE: " + library +
            " cannot be opened: install NVIDIA's driver, or run on the "
            "emulator (device emu)";
    return nullptr;
  }
  if (std::string reason = refuseVersion(handle); !reason.empty()) {
    error = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: " + library + ": " + reason;
    return nullptr;
  }
  auto table = std::make_unique<Driver>();
  bool complete = true;
  auto resolve = [&](auto &slot, const char *name, bool needed) {
    void *symbol = dlsym(handle, name);
    if (!symbol && needed && complete) {
      error = "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND: " + library +
              " has no " + name + ": expected a driver for CUDA " +
              spellVersion(kOldestVersion) + " or newer";
      complete = false;
    }
    slot = reinterpret_cast<std::decay_t<decltype(slot)>>(symbol);
  };
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS)                                \
  resolve(table->NAME, #NAME, true);
#define FP8_DRIVER_EXTRA(NAME, PARAMETERS, ARGUMENTS)                          \
  resolve(table->NAME, #NAME, false);
#include "fp8/Runtime/Driver.def"
  // Never closed: kernels and contexts of the process may still use it.
  if (!complete)
    return nullptr;
  return table;
}

std::string errorText(const Driver &driver, CUresult code) {
  const char *name = nullptr;
  if (driver.cuGetErrorName(code, &name) == CUDA_SUCCESS && name)
    return name;
  return "CUDA error " + std::to_string(code);
}

} // namespace fp8::runtime
