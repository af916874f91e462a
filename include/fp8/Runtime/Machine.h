//===- Machine.h - What the emulated driver runs on -------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device as the emulated driver sees it: memory, modules and launches. The
// emulator implements it; tests of the driver's strictness use a small one.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_MACHINE_H
#define FP8_RUNTIME_MACHINE_H

#include "fp8/Runtime/CudaABI.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fp8::runtime {

/// A failure with the driver's code; success when `code` is 0.
struct Status {
  CUresult code = CUDA_SUCCESS;
  std::string message;
  explicit operator bool() const { return code != CUDA_SUCCESS; }
};

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned cluster[3] = {0, 0, 0}; ///< zeros: the kernel's own, or none
  unsigned sharedBytes = 0;
  bool programmatic = false;
};

struct Parameter {
  uint32_t offset = 0, size = 0;
};

/// What a kernel needs and demands, for launches and cuFuncGetAttribute.
struct KernelInfo {
  unsigned staticShared = 0, localBytes = 0;
  /// Of a thread; 0: not known.
  unsigned registers = 0;
  unsigned maxThreads = 1024;
  /// The cluster that the kernel was compiled for; zeros: none.
  unsigned cluster[3] = {0, 0, 0};
};

/// A loaded module.
class MachineModule {
public:
  virtual ~MachineModule() = default;
  /// Parameters of a kernel; false if there is no such kernel.
  virtual bool parameters(const std::string &kernel,
                          std::vector<Parameter> &list) = 0;
  virtual KernelInfo info(const std::string &kernel) { return {}; }
  /// Where a variable of the module lies; false if there is none.
  virtual bool variable(const std::string &name, uint64_t &address,
                        uint64_t &bytes) {
    return false;
  }
  /// `params` holds each parameter at its offset.
  virtual Status launch(const std::string &kernel, const LaunchShape &shape,
                        const std::vector<uint8_t> &params) = 0;
};

struct MachineProperties {
  std::string name;
  int major = 9, minor = 0;
  int sms = 1;
  int maxThreadsPerSM = 2048;
  int maxSharedPerBlock = 232448;
  int sharedPerSM = 233472;
  int maxBlocksPerSM = 32;
  /// Blocks of a cluster, with the kernel's consent beyond 8.
  unsigned maxClusterBlocks = 16;
  /// Bytes of device memory.
  uint64_t memoryBytes = uint64_t(80) << 30;
  bool clusters = true;
  bool tensorMaps = true;
};

class Machine {
public:
  virtual ~Machine() = default;
  virtual MachineProperties properties() const = 0;
  /// A device address, or 0 when there is no room.
  virtual uint64_t allocate(uint64_t bytes) = 0;
  virtual bool release(uint64_t address) = 0;
  /// Host pointer to `bytes` live bytes, or null.
  virtual uint8_t *translate(uint64_t address, uint64_t bytes) = 0;
  /// The host wrote these bytes (for checks of uninitialised reads).
  virtual void written(uint64_t address, uint64_t bytes) {}
  /// Loads PTX text.
  virtual Status load(const std::string &ptx,
                      std::unique_ptr<MachineModule> &module) = 0;
};

} // namespace fp8::runtime

#endif // FP8_RUNTIME_MACHINE_H
