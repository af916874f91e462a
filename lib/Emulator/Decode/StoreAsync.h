//===- StoreAsync.h - st.async, red.async and st.bulk -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_STOREASYNC_H
#define FP8_LIB_EMULATOR_DECODE_STOREASYNC_H

#include "Decoder.h"

namespace fp8::emulator {

/// Behind st.async, or red.async with `reduce`.
bool decodeStoreAsync(Context &context, bool reduce);
/// Behind st.bulk.
bool decodeStoreBulk(Context &context);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_STOREASYNC_H
