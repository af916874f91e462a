//===- Counts.h - what units do, for --stats -------------------*- C++ -*--===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decoder. Nothing is counted unless statistics are collected.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_COUNTS_H
#define FP8_LIB_EMULATOR_DECODE_COUNTS_H

#include "Decoder.h"

#include "fp8/Emulator/TensorCore.h"

namespace fp8::emulator {

/// Counts one copy for --stats, when they are collected: its kind ("tensor
/// load"), the receivers (0: no multicast), and its bytes on either side of one
/// delivery.
void countTransfer(Warp &warp, const char *kind, unsigned receivers,
                   uint64_t globalBytes, uint64_t sharedBytes);

/// Counts one tcgen05.mma for --stats.
void countProduct(Warp &warp, const Op &op, const TcgenDescriptor &descriptor);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_COUNTS_H
