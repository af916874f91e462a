//===- Entry.h - Entry points of host code ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the lowering for a device: what stands between a caller's buffers
// and the driver's addresses and numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_PIPELINES_DEVICE_ENTRY_H
#define FP8_LIB_PIPELINES_DEVICE_ENTRY_H

#include "fp8/Pipelines/Device/Code.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fp8 {

/// Adds the entry point `name` of `driver`, for arguments of the types
/// `argTypes`: it checks the device, sizes and buffers, gets the workspace and
/// calls the driver.
void buildEntry(LLVM::LLVMFuncOp driver, StringRef name, StringRef target,
                ArrayRef<RankedTensorType> argTypes, const DeviceCode &code);

/// Adds `uint64_t SYMBOL_workspace_size(void)` to `module`; with dynamic sizes
/// it takes them, and there is `uint64_t SYMBOL_result_bytes(const int64_t
/// *sizes, uint32_t result)`, too.
void addQueries(ModuleOp module, StringRef symbol, const DeviceCode &code);

} // namespace mlir::fp8

#endif // FP8_LIB_PIPELINES_DEVICE_ENTRY_H
