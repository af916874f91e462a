//===- EmulatedDriver.h - A CUDA driver over a device -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strict implementation of the driver functions of Driver.def. Handles are
// never re-used, so that use after destruction is found; wrong contexts, leaks
// at destruction, and synchronisation, allocation or device reads during a
// stream capture are errors. Work runs when it is submitted, in submission
// order, which every stream and event order allows.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_EMULATEDDRIVER_H
#define FP8_RUNTIME_EMULATEDDRIVER_H

#include "fp8/Runtime/Driver.h"
#include "fp8/Runtime/Machine.h"

#include <functional>
#include <memory>
#include <string>

namespace fp8::runtime {

/// Gives the process its emulated device. `report` receives one line per error,
/// starting with the function's name. Takes effect at the next cuInit; a device
/// in use is replaced and its handles die.
void setEmulatedMachine(std::unique_ptr<Machine> machine,
                        std::function<void(const std::string &)> report);

/// What makes the device if cuInit finds none (used by libcuda.so.1).
void setMachineFactory(std::function<std::unique_ptr<Machine>()> factory);

/// The table of the emulated driver.
const Driver &emulatedDriver();

/// The message of the calling thread's last error, or "".
const std::string &lastEmulatedError();

/// Objects that are alive: allocations, modules, streams, events, graphs.
/// "" if none; else "2 allocations, 1 stream".
std::string liveObjects();

namespace emulated {
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS) CUresult NAME PARAMETERS;
#include "fp8/Runtime/Driver.def"
} // namespace emulated

} // namespace fp8::runtime

#endif // FP8_RUNTIME_EMULATEDDRIVER_H
