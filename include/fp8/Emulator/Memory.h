//===- Memory.h - global memory of the emulated device ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generic addresses are 64 bits. Global, constant and kernel-parameter bytes
// are allocations of one address space; shared and local memory have windows:
//
//   0x0000'0010'0000'0000   global, constants, parameters
//   0x0000'7d00'0000'0000   functions (address of function i: + 16 * i)
//   0x0000'7e00'0000'0000   local, 32-bit offset of the thread
//   0x0000'7f00'0000'0000   shared, 32-bit address (rank in the cluster << 24
//                           | offset)
//
// Allocations never touch, so an access beyond one is always seen.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_MEMORY_H
#define FP8_EMULATOR_MEMORY_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fp8::emulator {

inline constexpr uint64_t GlobalBase = 0x0000001000000000;
inline constexpr uint64_t FunctionWindow = 0x00007d0000000000;
inline constexpr uint64_t LocalWindow = 0x00007e0000000000;
inline constexpr uint64_t SharedWindow = 0x00007f0000000000;
/// Rank of a CTA in its cluster, within a shared address.
inline constexpr unsigned SharedRankShift = 24;
/// The rest of a shared address: the offset in that CTA's memory.
inline constexpr uint32_t SharedOffsetMask = (1u << SharedRankShift) - 1;
/// Shared memory below this offset belongs to the system, as on sm_90.
inline constexpr uint32_t SharedReserved = 1024;

/// A piece of global memory.
struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  std::unique_ptr<uint8_t[]> bytes;
  std::string name;
  bool readOnly = false;
  bool freed = false;
  /// Its bytes have no value before the first write.
  bool startsUndefined = false;
  /// One byte per byte, owned by the sanitizer: 1 where it was written. Empty
  /// while no check runs.
  std::vector<uint8_t> defined;

  bool contains(uint64_t address, uint64_t count) const {
    return address >= base && address - base <= size &&
           count <= size - (address - base);
  }
};

class GlobalMemory {
public:
  /// New zero-filled memory at a multiple of `align` (a power of two, at least
  /// 256 is used).
  Allocation &allocate(uint64_t bytes, std::string name, uint64_t align = 256);

  /// Releases the bytes; the range stays known, to name it in messages. False
  /// when `base` is not the start of a live allocation.
  bool release(uint64_t base);

  /// The live or freed allocation that holds `address`, or null.
  Allocation *find(uint64_t address);

  /// Host pointer to `count` live bytes at `address`, or null.
  uint8_t *translate(uint64_t address, uint64_t count);

  const std::vector<std::unique_ptr<Allocation>> &all() const {
    return allocations;
  }

private:
  std::vector<std::unique_ptr<Allocation>> allocations;
  uint64_t next = GlobalBase;
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_MEMORY_H
