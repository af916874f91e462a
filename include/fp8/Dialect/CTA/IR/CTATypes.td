//===- CTATypes.td - Types of the cta dialect -----------------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory, rings and their positions, tensor maps, and the two states of
// an accumulator.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTATYPES_TD
#define FP8_DIALECT_CTA_IR_CTATYPES_TD

include "fp8/Dialect/CTA/IR/CTADialect.td"
include "mlir/IR/AttrTypeBase.td"

class CTA_Type<string name, string typeMnemonic> : TypeDef<CTA_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def CTA_SmemType : CTA_Type<"Smem", "smem"> {
  let summary = "tiles in shared memory";
  let description = [{
    `stages` tiles of `rows` x `columns` elements. With swizzle B (32, 64 or 128
    bytes) a tile is a sequence of panels, each `rows` lines of B bytes; element
    (r, c) of size s is at byte `(c*s / B) * rows*B + r*B + (c*s) % B` of its
    tile, and the 16-byte chunk index of that address is XORed with the line
    number as TMA and wgmma do it. Swizzle 0 is plain row-major.

    Constraints:
    - (c1) all three dimensions are positive and static.
    - (c2) the element type is f8E4M3FN, f8E5M2, bf16 or f32.
    - (c3) swizzle is 0, 32, 64 or 128.
    - (c4) a swizzled line is full: columns times element size is a multiple of
      the swizzle; a plain line is a multiple of 16 bytes.
    - (c5) a tile is a whole number of swizzle atoms (8 lines), so that every
      tile starts aligned to the repeat of the pattern.
    - (c6) no dimension is larger than 2^18.

    Example:

    ```mlir
    !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "int64_t":$swizzle);
  let assemblyFormat = [{
    `<` custom<ShapedElement>($shape, $elementType) `,`
    `swizzle` `=` $swizzle `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getStages() const { return getShape()[0]; }
    int64_t getRows() const { return getShape()[1]; }
    int64_t getColumns() const { return getShape()[2]; }
    /// Bytes of one element.
    int64_t getElementBytes() const;
    /// Bytes of one tile (stage).
    int64_t getTileBytes() const;
    /// Columns of one panel: what one TMA box holds.
    int64_t getPanelColumns() const;
    int64_t getNumPanels() const { return getColumns() / getPanelColumns(); }
    /// Alignment that the first byte needs: the repeat of the swizzle pattern.
    int64_t getAlignment() const;
  }];
}

def CTA_RingType : CTA_Type<"Ring", "ring"> {
  let summary = "a ring of full and empty mbarriers";
  let description = [{
    `stages` pairs of barriers. The producer waits for `empty`, arms `full` with
    the bytes to come and issues copies; each of `consumers` warpgroups waits
    for `full` and releases the stage by one arrival on `empty`.

    With a `cluster`, of so many blocks along m and n, each block has such a ring
    and fills its stage in the blocks of its lines along m and along n too
    (`cta.tma.load`). So a stage has a third barrier, `free`: when the stage is
    empty in its own block, a producer arrives on `free` of all these others, and
    it fills the stage there when they all have arrived on its own. The consumers
    need not know.

    Constraints:
    - (c1) `stages` and `consumers` are at least 1.
    - (c2) a `cluster` has two positive entries and 2 to 8 blocks.

    Example:

    ```mlir
    !cta.ring<stages = 4, consumers = 2>
    ```

    ```mlir
    !cta.ring<stages = 4, consumers = 2, cluster = [2, 1]>
    ```
  }];
  let parameters = (ins "int64_t":$stages, "int64_t":$consumers,
                        OptionalArrayRefParameter<"int64_t">:$cluster);
  let assemblyFormat = [{
    `<` `stages` `=` $stages `,` `consumers` `=` $consumers
    (`,` `cluster` `=` `[` $cluster^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isShared() const { return !getCluster().empty(); }
    /// Blocks of a line along `direction`.
    int64_t getBlocks(Multicast direction) const {
      if (!isShared() || direction == Multicast::none)
        return 1;
      return getCluster()[direction == Multicast::along_m ? 0 : 1];
    }
    /// Blocks that this one shares stages with, itself not included.
    int64_t getPeers() const {
      return isShared() ? getCluster()[0] + getCluster()[1] - 2 : 0;
    }
    /// Barriers of a stage.
    int64_t getStageBarriers() const { return isShared() ? 3 : 2; }
  }];
}

def CTA_SlotType : CTA_Type<"Slot", "slot"> {
  let summary = "a position in a ring: stage and phase";
  let description = [{
    The stage number and the parity of the pass over the ring. `cta.ring.start`
    gives the first one, `cta.ring.next` the following one.

    Constraints:
    - (c1) `stages` is at least 1.

    Example:

    ```mlir
    !cta.slot<4>
    ```
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` $stages `>`";
  let genVerifyDecl = 1;
}

def CTA_TurnsType : CTA_Type<"Turns", "turns"> {
  let summary = "barriers by which consumer warpgroups take turns";
  let description = [{
    One mbarrier for each of `consumers` warpgroups, which completes a phase
    when its turn is over. The first turn is that of warpgroup 0.

    Constraints:
    - (c1) `consumers` is at least 2.

    Example:

    ```mlir
    !cta.turns<consumers = 2>
    ```
  }];
  let parameters = (ins "int64_t":$consumers);
  let assemblyFormat = "`<` `consumers` `=` $consumers `>`";
  let genVerifyDecl = 1;
}

def CTA_TensorMapType : CTA_Type<"TensorMap", "tensor_map"> {
  let summary = "how TMA addresses a matrix in global memory";
  let description = [{
    A CUtensorMap over a row-major matrix of `shape` elements, or over a batch
    of matrices (three dimensions, the batch first); extents that the launch
    decides are `?`. `box` rows and columns of
    one matrix are moved by one instruction, with the swizzle of the
    shared-memory side. What lies outside of the matrix reads as zero and is not
    written.

    Constraints:
    - (c1) shape has two or three positive dimensions, which may be `?`, and box
      two; a box side is at most 256.
    - (c2) the element type is f8E4M3FN, f8E5M2, bf16 or f32.
    - (c3) the pitch of the matrix is a multiple of 16 bytes; of one that the
      launch decides, the launch has to see to it.
    - (c4) swizzle is 0, 32, 64 or 128; a box line is a multiple of 16 bytes and,
      when swizzled, not longer than the swizzle.

    Example:

    ```mlir
    !cta.tensor_map<4096x1024xf8E4M3FN, box = [128, 128], swizzle = 128>
    ```

    ```mlir
    !cta.tensor_map<?x1024xf8E4M3FN, box = [128, 128], swizzle = 128>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$box, "int64_t":$swizzle);
  let assemblyFormat = [{
    `<` custom<ShapedElement>($shape, $elementType) `,`
    `box` `=` `[` $box `]` `,` `swizzle` `=` $swizzle `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements from one row to the next.
    int64_t getPitch() const { return getShape().back(); }
  }];
}

def CTA_FragmentType : CTA_Type<"Fragment", "fragment"> {
  let summary = "a readable 64-row tile of f32 in a warpgroup's registers";
  let description = [{
    64 x `columns` values over the 128 threads of a warpgroup. Register i of
    lane l of warp w holds row `warp_rows*w + l/4 + 8((i>>1)&1)`, column
    `8(i>>2) + 2(l%4) + (i&1)`. Warps are 16 rows apart in what wgmma leaves (the
    default), and 32 in what is read from tensor memory, where a warp sees 32
    lanes only: such a fragment has every second 16 rows of 128.

    Constraints:
    - (c1) columns is a multiple of 8 in 8..256.
    - (c2) `warp_rows` is 16 or 32.

    Example:

    ```mlir
    !cta.fragment<128>
    ```

    ```mlir
    !cta.fragment<128, warp_rows = 32>
    ```
  }];
  let parameters = (ins "int64_t":$columns,
                        DefaultValuedParameter<"int64_t", "16">:$warpRows);
  let assemblyFormat =
      "`<` $columns (`,` `warp_rows` `=` $warpRows^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// f32 registers per thread.
    int64_t getNumRegisters() const { return getColumns() / 2; }
  }];
}

def CTA_InFlightType : CTA_Type<"InFlight", "in_flight"> {
  let summary = "an accumulator that matrix instructions may still write";
  let description = [{
    The same registers as `!cta.fragment`, before their instructions are known
    to be finished. Nothing but `cta.wgmma` and `cta.wait` takes one.

    Constraints:
    - (c1) columns is a multiple of 8 in 8..256.

    Example:

    ```mlir
    !cta.in_flight<128>
    ```
  }];
  let parameters = (ins "int64_t":$columns);
  let assemblyFormat = "`<` $columns `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// f32 registers per thread.
    int64_t getNumRegisters() const { return getColumns() / 2; }
  }];
}

def CTA_TmemType : CTA_Type<"Tmem", "tmem"> {
  let summary = "accumulators in tensor memory";
  let description = [{
    `stages` accumulators of 128 x `columns` f32 in the tensor memory of one
    multiprocessor: row r is lane r, column c of stage s is column
    s * `columns` + c.

    Constraints:
    - (c1) there are three positive dimensions, stages x 128 x columns.
    - (c2) columns is a multiple of 16 up to 256: what one instruction with 128
      rows writes.
    - (c3) all stages together have at most 512 columns.

    Example:

    ```mlir
    !cta.tmem<2x128x256>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` custom<Dimensions>($shape) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getStages() const { return getShape()[0]; }
    int64_t getColumns() const { return getShape()[2]; }
    /// What is allocated for it: a power of two in 32..512.
    int64_t getAllocatedColumns() const;
  }];
}

#endif // FP8_DIALECT_CTA_IR_CTATYPES_TD
