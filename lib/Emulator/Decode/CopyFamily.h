//===- CopyFamily.h - what copy instructions share --------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges of bytes and reductions of bulk and tensor copies.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_COPYFAMILY_H
#define FP8_LIB_EMULATOR_DECODE_COPYFAMILY_H

#include "MemoryFamily.h"

#include "../Exec/Async.h"

#include "fp8/Emulator/TMA.h"

namespace fp8::emulator {

/// `size` bytes in shared, global or (None) generic memory; null when out of
/// bounds.
uint8_t *bytesAt(Cta &cta, ptx::Space space, uint64_t address, uint64_t size);
/// The fault for it.
Step badRange(Warp &warp, const Op &op, unsigned lane, ptx::Space space,
              uint64_t address, uint64_t size);

bool takeReduction(Context &context, ReduceOp &op);
/// The elements of a reduction by a type of PTX; nothing for types without one.
std::optional<TensorType> reductionType(ptx::Type type);
/// Behind cp{.reduce}.async.bulk.tensor, or the same with .prefetch.
bool decodeTensorCopy(Context &context, bool reduce);

llvm::ArrayRef<InstructionRow> copyRows();
llvm::ArrayRef<InstructionRow> tensorMapRows();

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_COPYFAMILY_H
