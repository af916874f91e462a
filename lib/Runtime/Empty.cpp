//===- Empty.cpp - Anchor of libfp8_runtime -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CMake wants a source; the library's content is FP8RuntimeEmulator, whole.
//
//===----------------------------------------------------------------------===//
