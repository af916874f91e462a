//===- MemoryFamily.h - what memory instructions share ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Qualifiers and addresses of loads, stores, atomics and asynchronous copies.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_MEMORYFAMILY_H
#define FP8_LIB_EMULATOR_DECODE_MEMORYFAMILY_H

#include "Families.h"

#include "../Exec/Access.h"

namespace fp8::emulator {

/// Takes the state space.
void takeSpace(Context &context, MemoryOp &memory);
/// Takes .weak ... .acquire and the scope.
void takeOrder(Context &context, MemoryOp &memory);
/// Takes cache operators; true when a cache policy operand follows.
bool takeCacheHints(Context &context);
/// Takes .v2/.v4/.v8 and the type.
bool takeVector(Context &context, MemoryOp &memory, ptx::Type &type);
/// [address] into out.a, out.imm and memory.wide.
bool memoryAddress(Context &context, const ptx::Operand &operand,
                   MemoryOp &memory, Op &out);

/// Notes the effects of an instruction whose only one is this access, in the
/// space that it names, and whose handler counts a change as progress
/// (OpEffects).
void noteAccess(Context &context, const MemoryOp &memory);

llvm::ArrayRef<InstructionRow> atomicRows();
llvm::ArrayRef<InstructionRow> mbarrierRows();

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_MEMORYFAMILY_H
