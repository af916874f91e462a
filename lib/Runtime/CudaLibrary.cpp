//===- CudaLibrary.cpp - Our libcuda.so.1 ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exported driver API over the emulator, for programs that know nothing of
// us. The device is described by the file device.conf beside the library
// (EmulatorMachine.h); without one it is an sm_90a device with checks at level
// error. Errors and findings go to stderr, as does a list of objects that are
// alive when the process ends.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/EmulatedDriver.h"
#include "fp8/Runtime/EmulatorMachine.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

namespace fp8::runtime {

static void say(const std::string &line) {
  std::fprintf(stderr, "fp8-emu: %s\n", line.c_str());
}

/// The text of device.conf in the directory of this library; "" if none.
static std::string readConfig() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&readConfig), &info))
    return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  path = (slash == std::string::npos ? "" : path.substr(0, slash + 1)) +
         "device.conf";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

static std::unique_ptr<Machine> makeMachine() {
  EmulatorConfig config;
  std::string error;
  config.finding = say;
  std::unique_ptr<Machine> machine;
  if (parseEmulatorConfig(readConfig(), config, error))
    machine = createEmulatorMachine(config, error);
  if (!machine)
    say("device.conf: " + error);
  return machine;
}

namespace {
/// Connects driver and emulator when the library is loaded, and reports leaks
/// when the process ends.
struct Library {
  Library() {
    setEmulatedMachine(nullptr, say);
    setMachineFactory(makeMachine);
  }
  ~Library() {
    std::string alive = liveObjects();
    if (!alive.empty())
      say("at exit: " + alive + " still alive");
  }
};
} // namespace

static Library library;

} // namespace fp8::runtime

using namespace fp8::runtime;

#define FP8_EXPORT extern "C" __attribute__((visibility("default")))

#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS)                                \
  FP8_EXPORT CUresult NAME PARAMETERS { return emulated::NAME ARGUMENTS; }
#include "fp8/Runtime/Driver.def"

/// Whether `symbol` names the entry, with or without its version suffix.
static bool matches(const char *entry, const char *symbol) {
  size_t n = std::strlen(symbol);
  return std::strncmp(entry, symbol, n) == 0 &&
         (entry[n] == 0 || (entry[n] == '_' && entry[n + 1] == 'v'));
}

FP8_EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **function,
                                        int version, uint64_t flags,
                                        int *status) {
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  // The meaning of this name changed.
  if (version >= 13000 && std::strcmp(symbol, "cuCtxCreate") == 0)
    symbol = "cuCtxCreate_v4";
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS)                                \
  if (!*function && matches(#NAME, symbol))                                    \
    *function = reinterpret_cast<void *>(&::NAME);
#include "fp8/Runtime/Driver.def"
  if (matches("cuGetProcAddress_v2", symbol))
    *function = reinterpret_cast<void *>(&cuGetProcAddress_v2);
  if (status) // 0 found, 1 not found
    *status = *function ? 0 : 1;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

FP8_EXPORT CUresult cuGetProcAddress(const char *symbol, void **function,
                                     int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
