//===- Driver.h - The CUDA driver as a table of functions -------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime reaches a device only through this table. NVIDIA's driver fills
// it by dlopen of libcuda.so.1, the emulated driver with its own functions, so
// that both backends run the same code.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_DRIVER_H
#define FP8_RUNTIME_DRIVER_H

#include "fp8/Runtime/CudaABI.h"

#include <memory>
#include <string>

namespace fp8::runtime {

/// One pointer per function of Driver.def; those of FP8_DRIVER_EXTRA may be
/// null when the library lacks them.
struct Driver {
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS) CUresult(*NAME) PARAMETERS;
#include "fp8/Runtime/Driver.def"
};

/// Opens a driver library ("libcuda.so.1", or a path) and fills the table. Null
/// and a reason ("CUDA_ERROR_NO_DEVICE: ...") if the library or a function is
/// missing. The library stays open until the process ends, as CUDA's does.
std::unique_ptr<const Driver> openDriver(const std::string &library,
                                         std::string &error);

/// "CUDA_ERROR_INVALID_VALUE" and the like, from the driver's own table.
std::string errorText(const Driver &driver, CUresult code);

} // namespace fp8::runtime

#endif // FP8_RUNTIME_DRIVER_H
