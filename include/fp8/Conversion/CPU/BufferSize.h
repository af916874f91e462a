//===- BufferSize.h - Bytes of tensors and buffers --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers are row-major without gaps, every element in whole bytes.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_BUFFERSIZE_H
#define FP8_CONVERSION_CPU_BUFFERSIZE_H

#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

#include <optional>

namespace mlir::fp8 {

/// More bytes than any machine addresses; sums of two still are an int64_t.
inline constexpr int64_t kMaxBufferBytes = int64_t(1) << 47;

/// Bytes of a value of static sizes; none above kMaxBufferBytes, or where its
/// elements are no integers, floats or indices.
std::optional<int64_t> getByteSize(ShapedType type);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_CPU_BUFFERSIZE_H
