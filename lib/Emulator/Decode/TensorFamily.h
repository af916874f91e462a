//===- TensorFamily.h - what the files of tcgen05 share ---------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_TENSORFAMILY_H
#define FP8_LIB_EMULATOR_DECODE_TENSORFAMILY_H

#include "Decoder.h"

namespace fp8::emulator {

/// Takes .cta_group::1 or .cta_group::2.
bool takeGroup(Context &context, unsigned &group);
/// [address in tensor memory]: its register and offset.
bool tensorAddress(Context &context, const ptx::Operand &operand,
                   uint32_t &base, int32_t &offset);
/// Behind tcgen05.mma.
bool decodeTensorMma(Context &context);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_TENSORFAMILY_H
