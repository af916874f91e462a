//===- Crew.cpp - host threads that run clusters --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Crew.h.
//
//===----------------------------------------------------------------------===//

#include "Crew.h"

#include <algorithm>
#include <atomic>

using namespace fp8::emulator;

Crew::Crew(unsigned threads)
    : threads(threads ? threads
                      : llvm::hardware_concurrency().compute_thread_count()) {}

void Crew::run(size_t count, llvm::function_ref<void(size_t)> work) {
  if (!pool)
    pool = std::make_unique<llvm::DefaultThreadPool>(
        llvm::hardware_concurrency(std::max(1u, threads - 1)));
  std::atomic<size_t> next{0};
  auto help = [&] {
    for (size_t i = next++; i < count; i = next++)
      work(i);
  };
  size_t helpers = std::min<size_t>(threads, count);
  for (size_t i = 1; i < helpers; ++i)
    pool->async(help);
  help();
  pool->wait();
}
