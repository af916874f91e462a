//===- BufferSize.cpp - Bytes of tensors and buffers ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cannot be had is told apart from what wraps around.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/BufferSize.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

std::optional<int64_t> mlir::fp8::getByteSize(ShapedType type) {
  if (!type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t extent : type.getShape()) {
    if (extent > kMaxBufferBytes / bytes)
      return std::nullopt;
    bytes *= extent;
  }
  return bytes;
}
