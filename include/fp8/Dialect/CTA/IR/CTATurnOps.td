//===- CTATurnOps.td - Turns of consumer warpgroups -----------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroups that have a tile each read one ring, whose stages hold the tiles
// in the order of the turns. CTAOps.td includes this.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTATURNOPS_TD
#define FP8_DIALECT_CTA_IR_CTATURNOPS_TD

def CTA_TurnsCreateOp : CTA_Op<"turns.create", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "allocate and initialise the barriers of turns";
  let description = [{
    One thread initialises a barrier for each warpgroup for an arrival of each
    of its threads; all threads of the block then meet at a barrier.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) it is in the kernel's first block: all threads meet behind it.
    - (c2) one consumer role uses it, with as many warpgroups as it has
      `consumers`, by one `cta.turns.wait` and one `cta.turns.pass`.

    Example:

    ```mlir
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    ```
  }];
  let results = (outs CTA_TurnsType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def CTA_TurnsWaitOp : CTA_Op<"turns.wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for this warpgroup's turn";
  let description = [{
    Waits until the warpgroup before `warpgroup` (before number 0: the last one)
    has passed its turn on; the first turn of number 0 begins at once.
    `slot` counts this warpgroup's turns: `cta.ring.start` is the first one's,
    `cta.ring.next` the following one's.

    A ring's barrier tells apart a stage that is full and one that has yet to be
    filled only to one pass ahead. Whose turn it is finds the stages of all
    earlier turns full, and so can wait for its own.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) it is in the block of a `cta.tiles` with `in_turns`, and the
      warpgroup is the argument of the role around it.
    - (c2) the slot has one stage.

    Example:

    ```mlir
    cta.turns.wait %turns[%turn] of %warpgroup
        : !cta.turns<consumers = 2>, !cta.slot<1>
    ```
  }];
  let arguments = (ins CTA_TurnsType:$turns, CTA_SlotType:$slot,
                       I32:$warpgroup);
  let assemblyFormat = [{
    $turns `[` $slot `]` `of` $warpgroup attr-dict `:` type($turns) `,`
    type($slot)
  }];
  let hasVerifier = 1;
}

def CTA_TurnsPassOp : CTA_Op<"turns.pass", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give the turn to the next warpgroup";
  let description = [{
    The threads of `warpgroup` arrive on its barrier. Its matrix instructions
    may still be in flight: they come before those of the next turn.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) it is in the block of a `cta.tiles` with `in_turns`, and the
      warpgroup is the argument of the role around it.
    - (c2) a `cta.turns.wait` of the same turns comes before it in its block.

    Example:

    ```mlir
    cta.turns.pass %turns of %warpgroup : !cta.turns<consumers = 2>
    ```
  }];
  let arguments = (ins CTA_TurnsType:$turns, I32:$warpgroup);
  let assemblyFormat = "$turns `of` $warpgroup attr-dict `:` type($turns)";
  let hasVerifier = 1;
}

#endif // FP8_DIALECT_CTA_IR_CTATURNOPS_TD
