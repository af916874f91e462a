//===- CPUAssert.cpp - Assertions of compiled code ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A jump out of compiled code to the call that started it. The only state is
// the innermost guarded call of each thread.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/CPUAssert.h"

#include <csetjmp>

namespace {
struct Guard {
  std::jmp_buf target;
  const char *volatile message = nullptr;
  Guard *outer = nullptr;
};
} // namespace

static thread_local Guard *innermost = nullptr;

const char *fp8::runtime::runGuarded(void (*entry)(void **), void **args) {
  Guard guard;
  guard.outer = innermost;
  innermost = &guard;
  if (setjmp(guard.target) == 0)
    entry(args);
  innermost = guard.outer;
  return guard.message;
}

void fp8_cpu_assert(bool holds, const char *message) {
  if (holds || !innermost)
    return;
  innermost->message = message;
  std::longjmp(innermost->target, 1);
}
