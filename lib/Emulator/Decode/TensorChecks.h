//===- TensorChecks.h - what tcgen05 may touch ------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that every tcgen05 operation makes when it is issued, monitor or not.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_TENSORCHECKS_H
#define FP8_LIB_EMULATOR_DECODE_TENSORCHECKS_H

#include "../Exec/Async.h"

namespace fp8::emulator {

/// The block's tensor memory, made on first use.
TensorMemory &tensorOf(Cta &cta);

/// The CTAs of the group of `cta`, the leader (even rank) first; false when the
/// cluster has no pairs.
bool groupOf(Cta &cta, unsigned group, llvm::SmallVectorImpl<Cta *> &out);

/// Every tcgen05 operation of a kernel names the same group. False after a
/// fault.
bool checkGroup(Warp &warp, const Op &op, uint32_t mask, unsigned group);

/// Columns of an operand are allocated in every CTA of the group. False after
/// a fault.
bool checkColumns(Warp &warp, const Op &op, uint32_t mask,
                  llvm::ArrayRef<Cta *> ctas, uint32_t address,
                  unsigned columns);

/// Appends chunks of 16 bytes of a CTA's shared memory to `out`, as reads of
/// `lane`; adjacent ones become one range.
void addChunks(const Cta &cta, unsigned lane, llvm::ArrayRef<uint32_t> chunks,
               std::vector<AsyncRange> &out);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_TENSORCHECKS_H
