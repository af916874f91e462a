//===- Crew.h - host threads that run clusters ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number of host threads, the caller's among them. They start at the first
// use, so a device that runs small grids has none.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_CREW_H
#define FP8_LIB_EMULATOR_EXEC_CREW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <memory>

namespace fp8::emulator {

class Crew {
public:
  /// `threads` 0 takes as many as the host can run at once.
  explicit Crew(unsigned threads);

  unsigned size() const { return threads; }

  /// Calls `work(i)` for each i < count, in any order and in parallel; returns
  /// when all calls have.
  void run(size_t count, llvm::function_ref<void(size_t)> work);

private:
  unsigned threads;
  std::unique_ptr<llvm::DefaultThreadPool> pool;
};

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_CREW_H
