//===- Lanes.cpp - choice of the lane loops -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sets give the same bits (a test compares them through programs).
//
//===----------------------------------------------------------------------===//

#include "Integer.h"

using namespace fp8::emulator;

#define FP8_DECLARE_LANES(NAME)                                                \
  namespace fp8::emulator::NAME {                                              \
  Handler selectInteger(IntOp op, IntType type);                               \
  Handler selectCompare(IntCompare op, IntType type);                          \
  Handler selectFastFloat(FastFloat op, bool isDouble);                        \
  Handler selectFloatCompare(unsigned compare, bool isDouble);                 \
  }
FP8_DECLARE_LANES(baseline)
FP8_DECLARE_LANES(avx2)
#undef FP8_DECLARE_LANES

static bool useAVX2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

Handler fp8::emulator::selectInteger(IntOp op, IntType type) {
  return useAVX2() ? avx2::selectInteger(op, type)
                   : baseline::selectInteger(op, type);
}

Handler fp8::emulator::selectCompare(IntCompare op, IntType type) {
  return useAVX2() ? avx2::selectCompare(op, type)
                   : baseline::selectCompare(op, type);
}

Handler fp8::emulator::selectFastFloat(FastFloat op, bool isDouble) {
  return useAVX2() ? avx2::selectFastFloat(op, isDouble)
                   : baseline::selectFastFloat(op, isDouble);
}

Handler fp8::emulator::selectFloatCompare(unsigned compare, bool isDouble) {
  return useAVX2() ? avx2::selectFloatCompare(compare, isDouble)
                   : baseline::selectFloatCompare(compare, isDouble);
}
