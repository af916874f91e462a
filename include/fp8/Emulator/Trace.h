//===- Trace.h - a timeline of launches -------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each warp and each asynchronous unit of a block did, in the order of the
// run. Time is the emulator's: it grows by one per executed warp instruction
// and per event, so it shows order and overlap, not the speed of a device.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TRACE_H
#define FP8_EMULATOR_TRACE_H

#include "fp8/Emulator/Monitor.h"

#include <memory>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fp8::emulator {

/// Records launches as a monitor (Device::monitor).
class Trace {
public:
  /// Keeps at most `mostEvents`; later ones are dropped, and both forms of
  /// output say how many.
  explicit Trace(size_t mostEvents = 4000000);
  ~Trace();

  Monitor &monitor();
  /// One section per block, in it one per warp and unit; a line per event:
  /// begin, end, what, and the line of PTX.
  void printText(llvm::raw_ostream &os) const;
  /// Chrome's trace event format, which chrome://tracing and Perfetto open: a
  /// process per block, a thread per warp and per unit.
  void printJSON(llvm::raw_ostream &os) const;

private:
  class Recorder;
  std::unique_ptr<Recorder> recorder;
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TRACE_H
