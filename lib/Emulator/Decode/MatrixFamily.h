//===- MatrixFamily.h - what matrix instructions share ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and register lists of mma.sync, wgmma and tcgen05.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_MATRIXFAMILY_H
#define FP8_LIB_EMULATOR_DECODE_MATRIXFAMILY_H

#include "MemoryFamily.h"

#include "../Exec/Async.h"

#include "fp8/Emulator/TensorCore.h"

namespace fp8::emulator {

std::optional<MMAType> mmaType(llvm::StringRef name);
std::optional<MMAAccumulator> mmaAccumulator(llvm::StringRef name);
bool parseMmaShape(llvm::StringRef text, unsigned &m, unsigned &n, unsigned &k);
MMAModel modelOf(const Warp &warp);
/// Rows of a vector of `count` 32-bit registers, or of one register.
bool vectorRows(Context &context, const ptx::Operand &operand, unsigned count,
                bool isDestination, std::vector<uint32_t> &out);
/// An operation that only the monitor sees, under its own text.
Step runMarker(Warp &warp, const Op &op, uint32_t mask);
bool emitMarker(Context &context);

/// mma.sync.aligned.m8n8k4 of f16, behind its shape.
bool decodeQuadMma(Context &context, MMAArch arch);

llvm::ArrayRef<InstructionRow> matrixRows();
llvm::ArrayRef<InstructionRow> wgmmaRows();
llvm::ArrayRef<InstructionRow> tcgenRows();
llvm::ArrayRef<InstructionRow> gridRows();

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_MATRIXFAMILY_H
