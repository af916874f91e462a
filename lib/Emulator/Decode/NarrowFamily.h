//===- NarrowFamily.h - integers narrower than registers --------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decoder: 24-bit products and packed saturation.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_NARROWFAMILY_H
#define FP8_LIB_EMULATOR_DECODE_NARROWFAMILY_H

#include "Families.h"

namespace fp8::emulator {

bool decodeMul24(Context &context);
bool decodeMad24(Context &context);
/// Behind cvt.pack.
bool decodeCvtPack(Context &context);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_NARROWFAMILY_H
