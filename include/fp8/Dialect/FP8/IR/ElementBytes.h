//===- ElementBytes.h - Bytes of one element --------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How wide an element is in memory, on the host and on a device.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_FP8_IR_ELEMENTBYTES_H
#define FP8_DIALECT_FP8_IR_ELEMENTBYTES_H

#include "mlir/IR/Types.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fp8 {

/// Bytes of one element of an integer, float or index type in a tensor or a
/// buffer: whole ones, and 8 of an index.
inline int64_t getElementBytes(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

} // namespace mlir::fp8

#endif // FP8_DIALECT_FP8_IR_ELEMENTBYTES_H
