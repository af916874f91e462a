//===- Context.h - What an fp8_context holds --------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Runtime: the context behind Runtime.h and the mgpu functions.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_RUNTIME_CONTEXT_H
#define FP8_LIB_RUNTIME_CONTEXT_H

#include "fp8/Runtime/Driver.h"
#include "fp8/Runtime/Runtime.h"

#include <array>
#include <list>
#include <map>
#include <set>
#include <string>

namespace fp8::runtime {

/// A CUtensorMap.
struct alignas(64) EncodedMap {
  std::array<uint8_t, 128> bytes;
};

/// Tensor maps by what they describe. The newest uses are kept, more of them
/// than the parameters of a launch can hold.
class TensorMapCache {
public:
  static constexpr size_t capacity = 256;

  /// The map of a description, or null.
  const void *find(const fp8_tensor_map &description);
  /// Keeps a map that is not there yet.
  const void *add(const fp8_tensor_map &description, const EncodedMap &map);

private:
  /// The description, field by field: the struct has room between some.
  using Key = std::array<uint64_t, 26>;
  static Key keyOf(const fp8_tensor_map &description);

  /// Oldest use first.
  std::list<std::pair<Key, EncodedMap>> uses;
  std::map<Key, std::list<std::pair<Key, EncodedMap>>::iterator> places;
};

} // namespace fp8::runtime

struct fp8_context {
  /// The table of a driver library; the emulated driver's is static.
  std::unique_ptr<const fp8::runtime::Driver> opened;
  const fp8::runtime::Driver *driver = nullptr;
  bool emulated = false;
  /// What identifyDevice found: capability is 10 * major + minor.
  std::string deviceName;
  long capability = 0;
  bool takesCubins = false;
  fp8::runtime::CUdevice device = 0;
  fp8::runtime::CUcontext primary = nullptr;
  fp8::runtime::CUstream ownStream = nullptr, stream = nullptr;
  std::map<const fp8_module_image *, fp8::runtime::CUmodule> modules;
  std::map<std::pair<fp8::runtime::CUmodule, std::string>,
           fp8::runtime::CUfunction>
      functions;
  std::set<uint64_t> buffers;
  fp8_buffer workspace = {0, 0}, ownWorkspace = {0, 0};
  std::string error, location;
  /// Where the newest launch came from: a fault may show only later.
  std::string lastLaunch;
  fp8::runtime::TensorMapCache tensorMaps;
  fp8_statistics statistics = {};
};

namespace fp8::runtime {

/// Records a failure: "CUDA_ERROR_...: what (why)"; `code` passes through.
fp8_status recordFailure(fp8_context *c, CUresult code,
                         const std::string &what);

/// `code`, recorded if it is an error.
inline fp8_status check(fp8_context *c, CUresult code,
                        const std::string &what) {
  return code == CUDA_SUCCESS ? CUDA_SUCCESS : recordFailure(c, code, what);
}

/// Raises the limits of a kernel for a launch that needs more than the
/// defaults: `sharedBytes` of dynamic shared memory, clusters of
/// `clusterBlocks` (0: none).
fp8_status prepareLaunch(fp8_context *c, CUfunction function,
                         const char *kernel, uint32_t sharedBytes,
                         uint64_t clusterBlocks);

/// Reads what checks and loading need to know of the device.
fp8_status identifyDevice(fp8_context *c);

/// Makes the context current to the calling thread.
fp8_status enter(fp8_context *c);

} // namespace fp8::runtime

#endif // FP8_LIB_RUNTIME_CONTEXT_H
