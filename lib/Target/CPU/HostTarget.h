//===- HostTarget.h - The machine that code is for --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code of this process and of object files has in common.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_TARGET_CPU_HOSTTARGET_H
#define FP8_LIB_TARGET_CPU_HOSTTARGET_H

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

namespace mlir::fp8 {

/// This machine's processor. Floating point is strict: operations are never
/// contracted.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> getHostTarget();

} // namespace mlir::fp8

#endif // FP8_LIB_TARGET_CPU_HOSTTARGET_H
