//===- CTATensorOps.td - Tensor memory in the cta dialect -----*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blackwell's matrix instructions: one thread issues them, accumulators are in
// tensor memory, and barriers say when they are done. Copies, rings, roles and
// epilogues are those of every target. CTAOps.td includes this.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTATENSOROPS_TD
#define FP8_DIALECT_CTA_IR_CTATENSOROPS_TD

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

def CTA_TmemAllocOp : CTA_Op<"tmem.alloc", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "tensor memory for the life of the kernel";
  let description = [{
    The first warp allocates columns, a power of two, and gives up the right to
    allocate more; all threads of the block then meet at a barrier. It waits
    while other blocks of the multiprocessor have too many. Nothing is
    initialised.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) it is the only one of its kernel: a second allocation could wait for
      ever.
    - (c2) exactly one `cta.tmem.dealloc` frees it.
    - (c3) the kernel's target has tensor memory.

    Example:

    ```mlir
    %sums = cta.tmem.alloc : !cta.tmem<2x128x128>
    ```
  }];
  let results = (outs CTA_TmemType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def CTA_TmemDeallocOp : CTA_Op<"tmem.dealloc", [
    HasParent<"KernelOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give tensor memory back";
  let description = [{
    All threads of the block meet, then the first warp frees the columns.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) no other use of the value comes after it.

    Example:

    ```mlir
    cta.tmem.dealloc %sums : !cta.tmem<2x128x128>
    ```
  }];
  let arguments = (ins CTA_TmemType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

def CTA_Tcgen05MmaOp : CTA_Op<"tcgen05.mma", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "matrix instructions that write tensor memory";
  let description = [{
    D = D + A x B^T over columns k[0] to k[1] of both tiles, where D is stage
    `acc_slot` of `acc`, A and B stage `slot` of their buffers: one instruction
    per 32 bytes of a line, in ascending order, of one block (`cta_group::1`).
    Without `if`, or where it is false, the first instruction starts from zero.
    They run in the order of issue; `cta.tcgen05.commit` says when they are done.

    *Numerics:* the hardware's sum, as `numerics::AccumKind::Blackwell` defines
    it: 32 products of 8 bits, or 16 of bf16, and the accumulator are one sum.

    Constraints:
    - (c1) the element types are f8E4M3FN or f8E5M2, each operand its own, or
      both bf16.
    - (c2) both buffers are swizzled and have the same columns: operands have the
      contracted dimension contiguous.
    - (c3) `a` has 128 rows, and the rows of `b` are the columns of `acc`.
    - (c4) k is a non-empty range within the columns, in multiples of 32 bytes.
    - (c5) slots and buffers have the same number of stages.
    - (c6) inside an mma role.
    - (c7) the kernel's target has tensor memory.
    - (c8) a role that writes `a` or `b` by `cta.store` fences that as in (c7) of
      `cta.tma.load`.

    Example:

    ```mlir
    cta.tcgen05.mma %acc[%acc_slot], %a, %b[%slot] k = [0, 128] if %more
        : !cta.tmem<2x128x64>, !cta.slot<2>,
          !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>,
          !cta.smem<4x64x128xf8E5M2, swizzle = 128>, !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_TmemType:$acc, CTA_SlotType:$acc_slot,
                       CTA_SmemType:$a, CTA_SmemType:$b, CTA_SlotType:$slot,
                       DenseI64ArrayAttr:$k, Optional<I1>:$accumulate);
  let assemblyFormat = [{
    $acc `[` $acc_slot `]` `,` $a `,` $b `[` $slot `]` `k` `=` $k
    (`if` $accumulate^)? attr-dict `:` type($acc) `,` type($acc_slot) `,`
    type($a) `,` type($b) `,` type($slot)
  }];
  let hasVerifier = 1;
}

def CTA_Tcgen05CommitOp : CTA_Op<"tcgen05.commit", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "arrive on a barrier when matrix instructions are done";
  let description = [{
    Arrives on the stage's `full` or `empty` barrier once all matrix
    instructions that the thread has issued are done: `empty` of the operands'
    ring releases what they read, `full` of the accumulators' ring announces what
    they wrote.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside an mma role.
    - (c2) slot and ring have the same number of stages.

    Example:

    ```mlir
    cta.tcgen05.commit %ring[%slot] empty
        : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_RingType:$ring, CTA_SlotType:$slot,
                       EnumProp<CTA_BarrierKind>:$barrier);
  let assemblyFormat = [{
    $ring `[` $slot `]` $barrier attr-dict `:` type($ring) `,` type($slot)
  }];
  let hasVerifier = 1;
}

def CTA_Tcgen05FenceOp : CTA_Op<"tcgen05.fence", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "order accesses to tensor memory with a synchronisation";
  let description = [{
    `before` a synchronisation between threads it orders this thread's earlier
    accesses to tensor memory with it, `after` one its later accesses.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) the kernel's target has tensor memory.

    Example:

    ```mlir
    cta.tcgen05.fence after
    ```
  }];
  let arguments = (ins EnumProp<CTA_FenceSide>:$side);
  let assemblyFormat = "$side attr-dict";
  let hasVerifier = 1;
}

def CTA_Tcgen05LoadOp : CTA_Op<"tcgen05.load", [
    MemoryEffects<[MemRead]>]> {
  let summary = "read a register tile from tensor memory";
  let description = [{
    Rows `row` to `row` + 15 of each 32 of stage `slot`, all columns; it waits
    until they are in registers.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) the result has the columns of `acc` and warps 32 rows apart.
    - (c2) `row` is 0 or 16.
    - (c3) slot and `acc` have the same number of stages.
    - (c4) inside a consumer role of one warpgroup: a warp sees 32 lanes.
    - (c5) a `cta.ring.wait` for the slot and, after it, a
      `cta.tcgen05.fence after` precede it in its block.

    Example:

    ```mlir
    %f = cta.tcgen05.load %acc[%slot] row = 16
        : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
    ```
  }];
  let arguments = (ins CTA_TmemType:$acc, CTA_SlotType:$slot, I64Attr:$row);
  let results = (outs CTA_FragmentType:$result);
  let assemblyFormat = [{
    $acc `[` $slot `]` `row` `=` $row attr-dict `:` type($acc) `,` type($slot)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FP8_DIALECT_CTA_IR_CTATENSOROPS_TD
