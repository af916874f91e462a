//===- DeviceLimits.h - limits that all CUDA devices share ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of the CUDA programming guide's table of compute capabilities that do
// not depend on the device (from sm_80 on), in one place for the runtime and
// the emulator. What differs between devices is in fp8/Emulator/Target.h.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_SUPPORT_DEVICELIMITS_H
#define FP8_SUPPORT_DEVICELIMITS_H

#include <cstdint>

namespace fp8::support {

/// Threads of a block, in all and per dimension.
inline constexpr uint32_t MaxBlockThreads = 1024;
inline constexpr uint32_t MaxBlockDim[3] = {1024, 1024, 64};
/// Blocks of a grid per dimension.
inline constexpr uint32_t MaxGridDim[3] = {0x7fffffff, 65535, 65535};
/// Bytes of shared memory that a launch may ask for without raising the
/// kernel's limit.
inline constexpr uint32_t DefaultSharedBytes = 48 * 1024;
/// Bytes of shared memory that the system takes from each block.
inline constexpr uint32_t ReservedSharedBytes = 1024;
/// Blocks of a cluster that every device with clusters accepts; more need the
/// kernel's consent.
inline constexpr uint32_t PortableClusterBlocks = 8;
/// 32-bit registers of a block and of a multiprocessor, and of one thread.
inline constexpr uint32_t MaxBlockRegisters = 65536;
inline constexpr uint32_t MaxThreadRegisters = 255;
/// Bytes of parameters that a kernel in PTX of `ptxVersion` can have, 81 for
/// 8.1 (PTX ISA, "Kernel function parameter attributes" and .param: the larger
/// space came with 8.1, for sm_70 and later).
inline constexpr uint32_t maxParameterBytes(unsigned ptxVersion) {
  return ptxVersion >= 81 ? 32764 : 4352;
}
/// Bytes of constant memory of a module.
inline constexpr uint32_t ConstantBytes = 64 * 1024;

} // namespace fp8::support

#endif // FP8_SUPPORT_DEVICELIMITS_H
