//===- CPUAssert.h - Assertions of compiled code ----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assertions of compiled code end the run, not the process.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_CPUASSERT_H
#define FP8_RUNTIME_CPUASSERT_H

namespace fp8::runtime {

/// The symbol under which compiled code finds the function below.
inline constexpr char kAssertSymbol[] = "fp8_cpu_assert";

/// Calls `entry(args)`. Returns nullptr, or the message of the assertion that
/// failed; the results are then unspecified. Compiled code has no destructors,
/// so leaving it in the middle is sound.
const char *runGuarded(void (*entry)(void **), void **args);

} // namespace fp8::runtime

/// Returns if `holds`; else leaves the innermost runGuarded of this thread.
extern "C" void fp8_cpu_assert(bool holds, const char *message);

#endif // FP8_RUNTIME_CPUASSERT_H
