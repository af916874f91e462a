//===- CTAToNVVM.h - Shared by the parts of the lowering --------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering has two steps. Structure.cpp turns roles and tile loops into scf
// without touching types. Then patterns (Memory.cpp, Registers.cpp,
// Partials.cpp, WGMMA.cpp, TCGen05.cpp, Turns.cpp) convert everything else, and
// types with it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_CTATONVVM_CTATONVVM_H
#define FP8_LIB_CONVERSION_CTATONVVM_CTATONVVM_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::cta {

/// Byte offset of each cta.alloc, cta.ring.create, cta.turns.create and
/// cta.tmem.alloc in the block's dynamic shared memory
/// (KernelOp::layOutShared).
using SharedOffsets = llvm::DenseMap<Operation *, int64_t>;

/// Name of the symbol that stands for dynamic shared memory.
inline constexpr llvm::StringLiteral kSharedSymbol = "fp8_shared";

/// Threads of a warpgroup: four warps.
inline constexpr int64_t kWarpgroupThreads = 128;

/// How long a waiting thread may sleep before it looks again, in nanoseconds.
inline constexpr int64_t kWaitTicks = 10000000;

/// Replaces cta.roles and cta.tiles of `kernel` by scf.
void lowerStructure(KernelOp kernel);

/// Adds the conversions of cta types to `converter`.
void addTypeConversions(LLVMTypeConverter &converter);

void populateMemoryPatterns(const LLVMTypeConverter &converter,
                            const SharedOffsets &offsets,
                            RewritePatternSet &patterns);
void populateRegisterPatterns(const LLVMTypeConverter &converter,
                              RewritePatternSet &patterns);
void populateEpiloguePatterns(const LLVMTypeConverter &converter,
                              RewritePatternSet &patterns);
void populatePartialPatterns(const LLVMTypeConverter &converter,
                             RewritePatternSet &patterns);
void populateWGMMAPatterns(const LLVMTypeConverter &converter,
                           RewritePatternSet &patterns);
void populateTCGen05Patterns(const LLVMTypeConverter &converter,
                             const SharedOffsets &offsets,
                             RewritePatternSet &patterns);
void populateTurnsPatterns(const LLVMTypeConverter &converter,
                           const SharedOffsets &offsets,
                           RewritePatternSet &patterns);

/// An i32 constant.
Value constantI32(ImplicitLocOpBuilder &b, int64_t value);
/// threadIdx.x as i32.
Value threadId(ImplicitLocOpBuilder &b);
/// True in the first thread of each warpgroup.
Value isFirstOfWarpgroup(ImplicitLocOpBuilder &b);
/// Number (i32) of the barrier of warpgroup `warpgroup`; the block has 0.
Value warpgroupBarrier(ImplicitLocOpBuilder &b, Value warpgroup);
/// The threads of a warpgroup meet at its barrier `id`.
void meetWarpgroup(ImplicitLocOpBuilder &b, Value id);
/// Runs what `emit` creates in the threads where `condition` holds.
void emitIf(ImplicitLocOpBuilder &b, Value condition,
            llvm::function_ref<void()> emit);
/// Number of this block (i32) along m and along n in its cluster, which has
/// `cluster` blocks there; null along one block.
std::pair<Value, Value> clusterPosition(ImplicitLocOpBuilder &b,
                                        ArrayRef<int64_t> cluster);
/// The blocks (i32, bit r is block r of the cluster) in this one's line along
/// `direction`.
Value lineMask(ImplicitLocOpBuilder &b, ArrayRef<int64_t> cluster,
               Multicast direction);
/// `base` plus `bytes` (i32), in shared memory.
Value sharedAddress(ImplicitLocOpBuilder &b, Value base, Value bytes);
/// Register `index` of a lowered fragment.
Value extractRegister(ImplicitLocOpBuilder &b, Value fragment, int64_t index);
/// A lowered fragment, a struct of type `type`.
Value buildFragment(ImplicitLocOpBuilder &b, Type type,
                    ArrayRef<Value> registers);
/// Line and column (i32) of a thread's first register in a fragment:
/// warpRows * w + l/4 and 2(l%4).
std::pair<Value, Value> threadElement(ImplicitLocOpBuilder &b,
                                      FragmentType type);
/// `index` (i32) is below `end`, unsigned.
Value isBelow(ImplicitLocOpBuilder &b, Value index, Value end);
Value isBelow(ImplicitLocOpBuilder &b, Value index, int64_t end);
/// An i32 that is not negative, as i64.
Value widen(ImplicitLocOpBuilder &b, Value value);
/// The barriers of a slot's stage in a lowered ring.
Value fullBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot);
Value emptyBarrier(ImplicitLocOpBuilder &b, Value ring, Value slot,
                   RingType type);
/// Stage number (i32) of a lowered slot.
Value slotStage(ImplicitLocOpBuilder &b, Value slot);
/// Phase parity (i32) of a lowered slot.
Value slotPhase(ImplicitLocOpBuilder &b, Value slot);
/// `slot` moved to `stage`, its parity by `passes` (i32) passes through the
/// ring.
Value moveSlot(ImplicitLocOpBuilder &b, Value slot, Value stage, Value passes);

/// What is added to a tile's descriptor to start at byte `byte` of its lines:
/// 16-byte units, across panels. Swizzling is on the final address, so inside a
/// line this is a plain addition.
int64_t lineOffset(SmemType type, int64_t byte);
/// The descriptor (i64) of tile `stage` of `buffer`, from `row` on (null: from
/// the first one); `fields` is that of address 0.
Value buildDescriptor(ImplicitLocOpBuilder &b, Value buffer, Value stage,
                      Value row, SmemType type, uint64_t fields);
/// "=f,=f,...,0,1,..." with the constraints of further inputs.
std::string constraintText(int64_t registers, bool tied, StringRef inputs);
/// Inline assembly with effects.
LLVM::InlineAsmOp createAsm(ImplicitLocOpBuilder &b, TypeRange results,
                            ValueRange operands, StringRef text,
                            StringRef constraints);

/// Lowers an op that allocates shared memory.
template <typename OpT>
struct LowerShared : ConvertOpToLLVMPattern<OpT> {
  LowerShared(const LLVMTypeConverter &converter, const SharedOffsets &offsets)
      : ConvertOpToLLVMPattern<OpT>(converter), offsets(offsets) {}

protected:
  /// The address of what `op` allocates.
  Value getAddress(ImplicitLocOpBuilder &b, OpT op) const {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext(), 3);
    Value base = LLVM::AddressOfOp::create(b, pointer, kSharedSymbol);
    return sharedAddress(b, base, constantI32(b, offsets.lookup(op)));
  }

private:
  const SharedOffsets &offsets;
};

} // namespace mlir::cta

#endif // FP8_LIB_CONVERSION_CTATONVVM_CTATONVVM_H
