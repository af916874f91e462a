//===- CTAAttrs.td - Attributes of the cta dialect ------------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is data: everything that the choice of a kernel decides is in one
// attribute that prints, can be overridden, and goes into the report.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTAATTRS_TD
#define FP8_DIALECT_CTA_IR_CTAATTRS_TD

include "fp8/Dialect/CTA/IR/CTADialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def CTA_Raster : I32Enum<"Raster", "order in which output tiles are visited", [
    I32EnumCase<"along_m", 0>, I32EnumCase<"along_n", 1>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_RoleKind : I32Enum<"RoleKind", "what a group of warps is for", [
    I32EnumCase<"producer", 0>, I32EnumCase<"consumer", 1>,
    I32EnumCase<"mma", 2>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_FenceSide : I32Enum<"FenceSide", "side of a synchronisation", [
    I32EnumCase<"before", 0>, I32EnumCase<"after", 1>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_BarrierKind : I32Enum<"BarrierKind", "which barrier of a stage", [
    I32EnumCase<"full", 0>, I32EnumCase<"empty", 1>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_Reduction : I32Enum<"Reduction", "what a copy does with what is there", [
    I32EnumCase<"add", 0>, I32EnumCase<"min", 1>, I32EnumCase<"max", 2>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_Multicast : I32Enum<"Multicast", "which blocks of a cluster share a copy", [
    I32EnumCase<"none", 0>, I32EnumCase<"along_m", 1>,
    I32EnumCase<"along_n", 2>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_Sharing : I32Enum<"Sharing", "what consumer warpgroups have of a tile", [
    I32EnumCase<"cooperative", 0>, I32EnumCase<"pingpong", 1>]> {
  let cppNamespace = "::mlir::cta";
}

def CTA_SharingParameter : EnumParameter<CTA_Sharing> {
  let defaultValue = "::mlir::cta::Sharing::cooperative";
}

class CTA_Attr<string name, string attrMnemonic>
    : AttrDef<CTA_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def CTA_RoleKindAttr : EnumAttr<CTA_Dialect, CTA_RoleKind, "role_kind"> {
  let summary = "role of a group of warps";
  let description = [{
    `producer`: one thread issues copies. `consumer`: warpgroups that run matrix
    instructions on what arrived, or read what such instructions left in tensor
    memory. `mma`: one thread issues matrix instructions that write tensor
    memory.

    Example:

    ```mlir
    #cta<role_kind producer>
    ```
  }];
}

def CTA_ScheduleAttr : CTA_Attr<"Schedule", "schedule"> {
  let summary = "how a contraction is spread over a thread block and the grid";
  let description = [{
    - `tile`: rows, columns and depth of the output tile of one block, in
      elements.
    - `stages`: tiles of each operand in flight.
    - `cluster`: thread blocks of a cluster along m and n. Blocks in a line along
      m share the tiles of the right operand, along n those of the left one.
    - `consumers`: warpgroups that run matrix instructions.
    - `sharing`: `cooperative` (not printed) consumers share a tile along m, 64
      rows at a time. With `pingpong` each has a tile of its own, and they run
      their main loops one after the other: the epilogue of one overlaps with
      the main loop of another.
    - `registers`: registers per thread of the producer and of the consumers
      after `setmaxnreg`.
    - `raster`, `group`: tiles are visited in bands of `group` tiles of m
      (`along_m`) or n (`along_n`), so that operands stay in the L2 cache.
    - `split`: blocks that share the sum of a tile, each one part of the
      contraction dimension. The last of them to finish adds what all left in
      memory, in ascending order whoever it is. With 1 a block makes the whole
      sum, of several parts too.

    Constraints:
    - (c1) `tile` has three and `cluster` and `registers` two entries, all
      positive.
    - (c2) tile rows are a multiple of 64 times the consumers that share a tile.
    - (c3) tile columns are a multiple of 8, at most 256.
    - (c4) tile depth is a multiple of 32.
    - (c5) `stages` is at least 2: with one, nothing overlaps.
    - (c6) `consumers`, `group` and `split` are at least 1.
    - (c7) register counts are multiples of 8 in 24..256, and all of a block's
      threads together have at most 65536.
    - (c8) a cluster has at most 8 blocks, what every device takes.
    - (c9) `pingpong` has at least 2 consumers: one has nobody to take turns
      with.
    - (c10) `split` is at most 16: the last block reads all parts.
    - (c11) with a `split` above 1 warpgroups are cooperative: a tile's counters
      are those of its warpgroups.

    Example:

    ```mlir
    #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1],
                  consumers = 2, registers = [40, 232], raster = along_m,
                  group = 8, split = 1>
    ```

    ```mlir
    #cta.schedule<tile = [64, 256, 128], stages = 4, cluster = [1, 1],
                  consumers = 2, registers = [40, 232], raster = along_m,
                  group = 8, split = 1, sharing = pingpong>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$tile, "int64_t":$stages,
    ArrayRefParameter<"int64_t">:$cluster, "int64_t":$consumers,
    ArrayRefParameter<"int64_t">:$registers, EnumParameter<CTA_Raster>:$raster,
    "int64_t":$group, "int64_t":$split, CTA_SharingParameter:$sharing);
  let assemblyFormat = [{
    `<` `tile` `=` `[` $tile `]` `,` `stages` `=` $stages `,`
    `cluster` `=` `[` $cluster `]` `,` `consumers` `=` $consumers `,`
    `registers` `=` `[` $registers `]` `,` `raster` `=` $raster `,`
    `group` `=` $group `,` `split` `=` $split
    (`,` `sharing` `=` $sharing^)? `>`
  }];
  let builders = [AttrBuilder<(ins
      "::llvm::ArrayRef<int64_t>":$tile, "int64_t":$stages,
      "::llvm::ArrayRef<int64_t>":$cluster, "int64_t":$consumers,
      "::llvm::ArrayRef<int64_t>":$registers, "::mlir::cta::Raster":$raster,
      "int64_t":$group, "int64_t":$split), [{
    return $_get($_ctxt, tile, stages, cluster, consumers, registers, raster,
                 group, split, Sharing::cooperative);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getTileM() const { return getTile()[0]; }
    int64_t getTileN() const { return getTile()[1]; }
    int64_t getTileK() const { return getTile()[2]; }
    int64_t getClusterM() const { return getCluster()[0]; }
    int64_t getClusterN() const { return getCluster()[1]; }
    int64_t getClusterBlocks() const { return getClusterM() * getClusterN(); }
    bool isPingPong() const { return getSharing() == Sharing::pingpong; }
    /// Consumers that share one tile.
    int64_t getTileConsumers() const {
      return isPingPong() ? 1 : getConsumers();
    }
    /// Tiles that a block works on at a time.
    int64_t getTilesAtOnce() const { return isPingPong() ? getConsumers() : 1; }
    /// Threads of one block: a producer warpgroup and the consumers.
    int64_t getThreads() const { return 128 * (1 + getConsumers()); }
  }];
}

#endif // FP8_DIALECT_CTA_IR_CTAATTRS_TD
