//===- Watch.h - Who wrote a byte -------------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers of one byte of device memory which thread of which launch wrote it
// last, and what else that thread's block or copy wrote around it; and of a
// device which kernels ran on it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_WATCH_H
#define FP8_EMULATOR_WATCH_H

#include "fp8/Emulator/Monitor.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fp8::emulator {

/// The last write of a watched byte.
struct Writer {
  std::string kernel;
  std::array<uint32_t, 3> block;
  /// Of the thread that stored the value: where a copy out of shared memory
  /// wrote the byte, the thread that put it there (if one did; else the one
  /// that asked for the copy).
  unsigned warp, lane;
  /// Line of PTX and opcode of that thread's instruction.
  uint32_t line;
  std::string instruction;
  /// Written by a bulk or tensor copy, at `copyLine`.
  bool isCopy = false;
  uint32_t copyLine = 0;
  /// The tile: address and bytes of each piece of the watched buffer that the
  /// same copy wrote, or without a copy the same block in the same launch.
  std::vector<std::pair<uint64_t, uint32_t>> tile;
};

/// Watches as a monitor (Device::monitor).
class Watch {
public:
  Watch();
  ~Watch();

  Monitor &monitor();
  /// From now on watches the byte at `target` in the buffer of `bytes` bytes at
  /// `buffer`; forgets what it knew.
  void watch(uint64_t buffer, uint64_t bytes, uint64_t target);
  /// Who wrote it last; nothing if no launch did.
  std::optional<Writer> lastWriter() const;

private:
  class Recorder;
  std::unique_ptr<Recorder> recorder;
};

/// Which kernels ran, as a monitor (Device::monitor).
class Launches {
public:
  Launches();
  ~Launches();

  Monitor &monitor();
  /// The name of each launch's kernel, in order.
  const std::vector<std::string> &kernels() const;

private:
  class Recorder;
  std::unique_ptr<Recorder> recorder;
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_WATCH_H
