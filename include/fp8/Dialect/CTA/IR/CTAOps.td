//===- CTAOps.td - Operations of the cta dialect --------------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels, warp roles, rings and copies; CTAMatrixOps.td has what computes,
// CTATensorOps.td tensor memory, CTATurnOps.td turns of warpgroups.
// Every rule that a verifier checks has a number (c1, c2, ...) in the
// description of its op and a negative test of that number.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTAOPS_TD
#define FP8_DIALECT_CTA_IR_CTAOPS_TD

include "fp8/Dialect/CTA/IR/CTAAttrs.td"
include "fp8/Dialect/CTA/IR/CTATypes.td"
include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CTA_Op<string mnemonic, list<Trait> traits = []>
    : Op<CTA_Dialect, mnemonic, traits>;

def CTA_GlobalPointer : LLVM_PointerInAddressSpace<1>;

//===----------------------------------------------------------------------===//
// Kernels and roles
//===----------------------------------------------------------------------===//

def CTA_KernelOp : CTA_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a kernel of one thread block, or of a cluster of them";
  let description = [{
    A function that every thread of `threads` threads runs on `target`. Tensor
    maps are passed by value. `blocks` is the grid that it is meant to be
    launched with; kernels loop over their work, so any other grid gives the same
    result. A `schedule` whose `cluster` has several blocks makes clusters of them,
    all along x: block r of a cluster is number r % cluster[0] along m and
    r / cluster[0] along n.

    *Numerics:* that of the operations in it.

    Constraints:
    - (c1) `target` is a known GPU target that is implemented.
    - (c2) `threads` is a multiple of 32 and within the target's limit; with a
      `cta.roles` it is the sum of the roles' threads.
    - (c3) arguments are tensor maps, pointers to global memory, i32, i64 or f32;
      there are no results.
    - (c4) the shared memory of all `cta.alloc` and of all barriers together is
      within the target's limit for one block.
    - (c5) the parent is a gpu.module.
    - (c6) `blocks` is in 1..2^31-1, and a multiple of the cluster's blocks.
    - (c7) with a ring that the blocks of a cluster share, a `cta.cluster_barrier`
      follows the roles: no block is gone while another one writes its shared
      memory or arrives at its barriers.
    - (c8) with a schedule whose `split` is above 1 there is a
      `cta.arrive_last`: somebody has to add the parts.

    Example:

    ```mlir
    gpu.module @kernels {
      cta.kernel @empty() attributes {target = "sm_90a", threads = 128 : i64} {
        cta.return
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       StrAttr:$target, I64Attr:$threads,
                       OptionalAttr<I64Attr>:$blocks,
                       OptionalAttr<CTA_ScheduleAttr>:$schedule,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
      "::mlir::FunctionType":$type, "::llvm::StringRef":$target,
      "int64_t":$threads, "::mlir::cta::ScheduleAttr":$schedule)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Blocks of a cluster along m and n.
    ::std::array<int64_t, 2> getCluster() {
      if (ScheduleAttr schedule = getScheduleAttr())
        return {schedule.getClusterM(), schedule.getClusterN()};
      return {1, 1};
    }
    int64_t getClusterBlocks() { return getCluster()[0] * getCluster()[1]; }
    /// The target; null where there is none of that name, with one line in
    /// `error`, if that is given.
    const ::fp8::target::TargetInfo *
    getTargetInfo(::std::string *error = nullptr);
    /// Lays out dynamic shared memory: calls `place` with every cta.alloc,
    /// cta.ring.create, cta.turns.create and cta.tmem.alloc and its offset in
    /// bytes. Returns the bytes of all, with the padding that alignment needs.
    int64_t layOutShared(
        ::llvm::function_ref<void(::mlir::Operation *, int64_t)> place);
    /// Bytes of dynamic shared memory.
    int64_t getSharedBytes() {
      return layOutShared([](::mlir::Operation *, int64_t) {});
    }
  }];
}

def CTA_ReturnOp : CTA_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let description = [{
    Ends the kernel.

    *Numerics:* none: it computes nothing.

    Example: see `cta.kernel`.

    ```mlir
    cta.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def CTA_YieldOp : CTA_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["RoleOp", "TilesOp", "MapOp"]>]> {
  let summary = "end of a region, with its results";
  let description = [{
    Gives the loop-carried values of `cta.tiles`, the element of `cta.map`, or
    nothing for `cta.role`.

    *Numerics:* exact: values pass through.

    ```mlir
    cta.yield %x : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def CTA_RolesOp : CTA_Op<"roles", [
    HasParent<"KernelOp">, NoTerminator, SingleBlock]> {
  let summary = "split the warps of a block into roles";
  let description = [{
    Warps are handed to the roles in the order in which they are written. Each
    role re-allocates its registers (`setmaxnreg`) and runs its region.

    *Numerics:* that of the operations in it.

    Constraints:
    - (c1) the region holds `cta.role` operations only.
    - (c2) there is exactly one producer, at least one consumer and at most one
      mma role.
    - (c3) the registers of all roles' threads are at most 65536.
    - (c4) it is in the kernel's first block, and the kernel has no other: a role
      behind a branch can be one that no warp ever reaches, and all warps have
      their roles already where a second one stands.

    Example:

    ```mlir
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.yield
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%warpgroup: i32):
        cta.yield
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
}

def CTA_RoleOp : CTA_Op<"role", [
    HasParent<"RolesOp">, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "what one group of warps does";
  let description = [{
    A `producer` or `mma` region runs in one thread of the role. A `consumer`
    region runs in all threads of the role; its argument is the number of the
    warpgroup within the role.

    *Numerics:* that of the operations in it.

    Constraints:
    - (c1) `warps` is a positive multiple of 4: registers are re-allocated per
      warpgroup, and a role without warps could never be reached.
    - (c2) `registers` is a multiple of 8 in 24..256.
    - (c3) a consumer has one block argument of type i32, others have none.

    Example: see `cta.roles`.

    ```mlir
    cta.role producer warps = 4 registers = 40 {
      cta.yield
    }
    ```
  }];
  let arguments = (ins CTA_RoleKindAttr:$kind, I64Attr:$warps,
                       I64Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `warps` `=` $warps `registers` `=` $registers $body attr-dict
  }];
  let hasVerifier = 1;
}

def CTA_TilesOp : CTA_Op<"tiles", [
    AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "persistent loop over output tiles";
  let description = [{
    Visits tile `blockIdx.x`, then every `gridDim.x`-th one, of a grid of
    `extents[0]` x `extents[1]` tiles, each a number or an i32 value, in bands of `group` along the raster
    direction. With three extents the first one counts grids (a batch), visited
    one after the other. The region's arguments are the number of the grid (with
    three extents), the tile's row and column number and the loop-carried
    values.

    The blocks of a cluster visit neighbours at the same time, as many tiles
    along m and n as the cluster has blocks there. All take part in each step:
    where the extents are no multiples of the cluster's, row and column numbers go
    beyond them, and what such a tile loads and stores lies outside of the
    matrices.

    With `in_turns` the warpgroups of a consumer role share the tiles out: of n
    warpgroups, number w visits those that the block visits as its w-th, w+n-th,
    and so on (from 0).

    *Numerics:* that of the operations in it. The order of the tiles does not
    show in a result, unless `inits` carry one from tile to tile.

    Constraints:
    - (c1) `extents` has two or three entries, the numbers positive with a product
      below 2^31, and `group` is positive. (Values are not negative, and the
      product of all is below 2^31.)
    - (c2) the region's arguments are an i32 per extent and the types of `inits`.
    - (c3) results and yielded values have the types of `inits`.
    - (c4) with `in_turns` it is in the block of a consumer role of at least two
      warpgroups.

    Example:

    ```mlir
    %last = cta.tiles extents = [%rows, 8] raster = along_m group = 8
        inits(%first : !cta.slot<4>) {
    ^bb0(%m: i32, %n: i32, %slot: !cta.slot<4>):
      cta.yield %slot : !cta.slot<4>
    } -> !cta.slot<4>
    ```
  }];
  let arguments = (ins Variadic<I32>:$dynamic_extents,
                       DenseI64ArrayAttr:$extents,
                       EnumProp<CTA_Raster>:$raster, I64Attr:$group,
                       Variadic<AnyType>:$inits, UnitAttr:$in_turns);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `extents` `=` custom<DynamicIndexList>($dynamic_extents, $extents) `raster` `=` $raster `group` `=` $group
    (`in_turns` $in_turns^)? (`inits` `(` $inits^ `:` type($inits) `)`)? $body attr-dict
    (`->` type($results)^)?
  }];
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shared memory and rings
//===----------------------------------------------------------------------===//

def CTA_AllocOp : CTA_Op<"alloc", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory for the life of the kernel";
  let description = [{
    Tiles in the block's dynamic shared memory, aligned to their swizzle's
    repeat. Nothing is initialised.

    *Numerics:* none: it computes nothing.

    ```mlir
    %tiles = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    ```
  }];
  let results = (outs CTA_SmemType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def CTA_RingCreateOp : CTA_Op<"ring.create", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "allocate and initialise a ring of mbarriers";
  let description = [{
    One thread initialises every `full` barrier for one arrival, every `empty`
    barrier for one arrival per consumer warpgroup, or one for an mma role, and
    every `free` barrier for one arrival per other block that it shares stages
    with; all threads of the block, or of the cluster that shares the ring, then
    meet at a barrier.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) loads and releases balance: the ring is acquired with bytes in a
      producer, or an mma role commits to its `full` barriers; every consumer
      that uses it has as many waits as releases, at least one, and an mma role
      that waits as many commits to `empty` barriers; the consumers' warpgroups
      (1 where they take turns), or 1 for the mma role, are the ring's
      `consumers`.
    - (c2) a ring with a `cluster` has the kernel's.
    - (c3) it is in the kernel's first block: all threads meet behind it.
    - (c4) every role that reads the ring waits for and releases as many stages
      as are filled, and an mma role that fills it acquires as many, counted over
      the trips of the loops around. Only numbers that are known are compared:
      those of loops with constant bounds and of `cta.tiles` whose extents are
      numbers, or the same values.

    Example:

    ```mlir
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 2>
    ```
  }];
  let results = (outs CTA_RingType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def CTA_RingStartOp : CTA_Op<"ring.start", [Pure]> {
  let summary = "the first position of a ring";
  let description = [{
    Stage 0 of the first pass.

    *Numerics:* none: it computes nothing.

    ```mlir
    %start = cta.ring.start : !cta.slot<4>
    ```
  }];
  let results = (outs CTA_SlotType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def CTA_RingNextOp : CTA_Op<"ring.next", [Pure, SameOperandsAndResultType]> {
  let summary = "the following position of a ring";
  let description = [{
    The next stage; after the last one stage 0 of the next pass, whose phase has
    the other parity.

    *Numerics:* none: it computes nothing.

    ```mlir
    %next = cta.ring.next %slot : !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_SlotType:$slot);
  let results = (outs CTA_SlotType:$result);
  let assemblyFormat = "$slot attr-dict `:` type($result)";
}

def CTA_RingSkipOp : CTA_Op<"ring.skip", [
    Pure, AllTypesMatch<["slot", "result"]>]> {
  let summary = "a later position of a ring";
  let description = [{
    The position `count` stages further: what so many `cta.ring.next` give. The
    count is not negative.

    *Numerics:* none: it computes nothing.

    ```mlir
    %later = cta.ring.skip %slot by %count : !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_SlotType:$slot, I32:$count);
  let results = (outs CTA_SlotType:$result);
  let assemblyFormat = "$slot `by` $count attr-dict `:` type($slot)";
}

class CTA_RingOp<string mnemonic> : CTA_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let hasVerifier = 1;
}

def CTA_RingAcquireOp : CTA_RingOp<"ring.acquire"> {
  let summary = "wait until a stage is empty and announce its bytes";
  let description = [{
    Waits until all consumers released the stage in the previous pass (the first
    pass falls through), then arms the `full` barrier with `bytes`, and tells the
    blocks that share the ring that they may fill the stage. With 0 bytes
    it arms nothing: an mma role waits so for an accumulator, and a producer at
    its end for the last releases.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside a producer role, or with 0 bytes inside an mma role.
    - (c2) slot and ring have the same number of stages.
    - (c3) `bytes` is the sum of the tiles that the same block loads for this
      ring and slot afterwards; box parts outside of a matrix count.
    - (c4) `bytes` is below 2^20, the range of a barrier's transaction count.
    - (c5) along each line of blocks that share the ring, one of those loads
      multicasts: what a block gets from a peer is what keeps the peer from
      arriving twice.
    - (c6) in a producer no acquire with bytes of the same ring can come after
      one with 0 bytes, be it in the next trip of a loop, and those with 0 bytes
      are, where the number is known, at most the ring's stages: nobody fills,
      and so nobody releases, a stage that was acquired with 0 bytes.

    Example:

    ```mlir
    cta.ring.acquire %ring[%slot] bytes = 32768
        : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_RingType:$ring, CTA_SlotType:$slot, I64Attr:$bytes);
  let assemblyFormat = [{
    $ring `[` $slot `]` `bytes` `=` $bytes attr-dict `:` type($ring) `,`
    type($slot)
  }];
}

def CTA_RingWaitOp : CTA_RingOp<"ring.wait"> {
  let summary = "wait until a stage is full";
  let description = [{
    After it, what the producer loaded into the stage is visible to the waiting
    thread, to generic accesses and to matrix instructions alike.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside a consumer or mma role.
    - (c2) slot and ring have the same number of stages.
    - (c3) in a `cta.tiles` with `in_turns` a `cta.turns.wait` comes before it in
      the loop's block, and no `cta.turns.pass` between.

    Example:

    ```mlir
    cta.ring.wait %ring[%slot]
        : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_RingType:$ring, CTA_SlotType:$slot);
  let assemblyFormat =
      "$ring `[` $slot `]` attr-dict `:` type($ring) `,` type($slot)";
}

def CTA_RingReleaseOp : CTA_RingOp<"ring.release"> {
  let summary = "give a stage back to the producer";
  let description = [{
    One thread of the warpgroup arrives on the stage's `empty` barrier. The
    matrix instructions that read the stage must have been waited for. (An mma
    role releases by `cta.tcgen05.commit`.)

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside a consumer role.
    - (c2) slot and ring have the same number of stages.
    - (c3) no `cta.wgmma` that reads this slot in the same block is still
      unwaited: a `cta.wait` lies between the two.
    - (c4) between the last `cta.tcgen05.load` of this slot and the release, in
      the same block, lie a `cta.tcgen05.fence before` and, after it, a
      `cta.barrier`: one thread arrives for all that have loaded.

    Example:

    ```mlir
    cta.ring.release %ring[%slot]
        : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
    ```
  }];
  let arguments = (ins CTA_RingType:$ring, CTA_SlotType:$slot);
  let assemblyFormat =
      "$ring `[` $slot `]` attr-dict `:` type($ring) `,` type($slot)";
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

def CTA_TmaLoadOp : CTA_Op<"tma.load", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "asynchronous copy of a tile from global to shared memory";
  let description = [{
    Copies the tile whose first element is at `coordinates` - (row, column), or
    (matrix, row, column) - into a stage, one box per panel, and completes the
    bytes on the stage's `full` barrier.

    With `multicast` the blocks in one line of the cluster, along m or along n,
    need the same tile: each reads its share of the rows and writes it into the
    stage of all of them, when it is free in all, so that the tile is read once.
    Every block announces the bytes of the whole tile.

    *Numerics:* exact: bits move; elements outside of the matrix are zero.

    Constraints:
    - (c1) element type and swizzle of the map and of the buffer agree.
    - (c2) the map's box is one panel of the buffer, with `multicast` one block's
      share of its rows.
    - (c3) slot, ring and buffer have the same number of stages.
    - (c4) an acquire of the same ring and slot precedes it in its block.
    - (c5) there is one coordinate per dimension of the map.
    - (c6) `multicast` is along a line of at least two blocks of the ring's
      cluster, and the buffer has a multiple of 8 rows for each of them.
    - (c7) a role that writes the buffer by `cta.store` has a `cta.fence_async`
      and, after it, a `cta.barrier` on every path from the store to its next
      `cta.ring.release` and to its end.

    Example:

    ```mlir
    cta.tma.load %map[%row, %column], %a[%slot], %ring
        : !cta.tensor_map<4096x1024xf8E4M3FN, box = [128, 128], swizzle = 128>,
          !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>,
          !cta.ring<stages = 4, consumers = 2>
    ```
    (`cta.cluster_barrier` has one with `multicast`.)
  }];
  let arguments = (ins CTA_TensorMapType:$map, Variadic<I32>:$coordinates,
                       CTA_SmemType:$buffer, CTA_SlotType:$slot,
                       CTA_RingType:$ring,
                       DefaultValuedProp<EnumProp<CTA_Multicast>,
                                         "Multicast::none">:$multicast);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `,` $buffer `[` $slot `]` `,` $ring
    (`multicast` `=` $multicast^)? attr-dict
    `:` type($map) `,` type($buffer) `,` type($slot) `,` type($ring)
  }];
  let hasVerifier = 1;
}

def CTA_TmaStoreOp : CTA_Op<"tma.store", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "asynchronous copy of a tile from shared to global memory";
  let description = [{
    The first thread of a warpgroup copies stage `stage` to the tile whose first
    element is at `coordinates` and commits the copies as one group. Parts
    outside of the matrix are dropped. With `reduce` each element is combined
    with the one that is there (`cp.reduce.async.bulk.tensor`), as one step that
    nothing comes between.

    *Numerics:* exact: bits move. A reduction rounds each sum to the element
    type (rn); sums of more than two elements depend on the order in which
    thread blocks come, `min` and `max` do not.

    Constraints:
    - (c1) element type and swizzle of the map and of the buffer agree.
    - (c2) the map's box is one panel of the buffer.
    - (c3) inside a consumer role.
    - (c4) on every path from a `cta.store` to the buffer to this copy, through
      loops and branches too, lie a `cta.fence_async` and, after it, a
      `cta.barrier`: the copy reads through another proxy than the stores wrote.
    - (c5) there is one coordinate per dimension of the map.
    - (c6) only bf16 and f32 are reduced, f32 by `add` alone.

    Example:

    ```mlir
    cta.tma.store %d[%stage], %map_d[%row, %column]
        : !cta.smem<2x64x128xf32, swizzle = 128>,
          !cta.tensor_map<4096x1024xf32, box = [64, 32], swizzle = 128>
    cta.tma.store %d[%stage], %map_d[%row, %column] reduce = add
        : !cta.smem<2x64x128xf32, swizzle = 128>,
          !cta.tensor_map<4096x1024xf32, box = [64, 32], swizzle = 128>
    ```
  }];
  let arguments = (ins CTA_SmemType:$buffer, I32:$stage,
                       CTA_TensorMapType:$map, Variadic<I32>:$coordinates,
                       OptionalProp<EnumProp<CTA_Reduction>>:$reduction);
  let assemblyFormat = [{
    $buffer `[` $stage `]` `,` $map `[` $coordinates `]`
    (`reduce` `=` $reduction^)? attr-dict `:` type($buffer) `,` type($map)
  }];
  let hasVerifier = 1;
}

def CTA_TmaDrainOp : CTA_Op<"tma.drain", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until committed stores have read their source";
  let description = [{
    The first thread of the warpgroup waits until the copies that it committed
    no longer read shared memory. A `cta.barrier` after it lets the others write
    the buffer again; before the end of the kernel it needs none.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside a consumer role.

    Example:

    ```mlir
    cta.tma.drain
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def CTA_FenceAsyncOp : CTA_Op<"fence_async", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "order this thread's shared-memory writes before async copies";
  let description = [{
    `fence.proxy.async.shared::cta`, executed by every writer before the barrier
    that lets another thread start the copy.

    *Numerics:* none: it computes nothing.

    ```mlir
    cta.fence_async
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def CTA_BarrierOp : CTA_Op<"barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of one warpgroup";
  let description = [{
    The 128 threads of warpgroup `warpgroup` of the role meet at the named
    barrier 1 + warpgroup; barrier 0 stays the block's.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) inside a consumer role.

    Example:

    ```mlir
    cta.barrier %warpgroup
    ```
  }];
  let arguments = (ins I32:$warpgroup);
  let assemblyFormat = "$warpgroup attr-dict";
  let hasVerifier = 1;
}

def CTA_ClusterBarrierOp : CTA_Op<"cluster_barrier", [
    HasParent<"KernelOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of all threads of a cluster";
  let description = [{
    All threads of all blocks of the cluster meet; what each did before, to the
    shared memory of others too, is done for all of them.

    *Numerics:* none: it computes nothing.

    Constraints:
    - (c1) the kernel has clusters of several blocks.
    - (c2) it is in the kernel's first block: one that not all threads reach
      would never end.

    Example: two blocks, each of which reads half of what both get.

    ```mlir
    #schedule = #cta.schedule<tile = [64, 128, 128], stages = 2,
        cluster = [2, 1], consumers = 1, registers = [40, 232],
        raster = along_m, group = 8, split = 1>
    gpu.module @kernels {
      cta.kernel @pair(%map: !cta.tensor_map<128x128xf8E4M3FN, box = [64, 128],
                                             swizzle = 128>)
          attributes {target = "sm_90a", threads = 256 : i64,
                      schedule = #schedule} {
        %b = cta.alloc : !cta.smem<2x128x128xf8E4M3FN, swizzle = 128>
        %ring = cta.ring.create
            : !cta.ring<stages = 2, consumers = 1, cluster = [2, 1]>
        %slot = cta.ring.start : !cta.slot<2>
        %zero = arith.constant 0 : i32
        cta.roles {
          cta.role producer warps = 4 registers = 40 {
            cta.ring.acquire %ring[%slot] bytes = 16384
                : !cta.ring<stages = 2, consumers = 1, cluster = [2, 1]>,
                  !cta.slot<2>
            cta.tma.load %map[%zero, %zero], %b[%slot], %ring
                multicast = along_m
                : !cta.tensor_map<128x128xf8E4M3FN, box = [64, 128],
                                  swizzle = 128>,
                  !cta.smem<2x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<2>,
                  !cta.ring<stages = 2, consumers = 1, cluster = [2, 1]>
          }
          cta.role consumer warps = 4 registers = 232 {
          ^bb0(%warpgroup: i32):
            cta.ring.wait %ring[%slot]
                : !cta.ring<stages = 2, consumers = 1, cluster = [2, 1]>,
                  !cta.slot<2>
            cta.ring.release %ring[%slot]
                : !cta.ring<stages = 2, consumers = 1, cluster = [2, 1]>,
                  !cta.slot<2>
          }
        }
        cta.cluster_barrier
        cta.return
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

include "fp8/Dialect/CTA/IR/CTAMatrixOps.td"
include "fp8/Dialect/CTA/IR/CTATensorOps.td"
include "fp8/Dialect/CTA/IR/CTATurnOps.td"
include "fp8/Dialect/CTA/IR/CTAGlobalOps.td"
include "fp8/Dialect/CTA/IR/CTAHostOps.td"

#endif // FP8_DIALECT_CTA_IR_CTAOPS_TD
