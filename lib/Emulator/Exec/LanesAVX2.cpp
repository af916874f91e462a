//===- LanesAVX2.cpp - lane loops for one instruction set ----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Lanes.inc. CMakeLists.txt gives this file its target options.
//
//===----------------------------------------------------------------------===//

#define FP8_LANES avx2
#include "Lanes.inc"
